// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-monitor.h"

/* Every problem of a profile: where, what, and what to do; follows the monitor. */

#define KB_TYPE_PROBLEMS_DIALOG (kb_problems_dialog_get_type ())
G_DECLARE_FINAL_TYPE (KbProblemsDialog, kb_problems_dialog, KB, PROBLEMS_DIALOG, AdwDialog)

AdwDialog *kb_problems_dialog_new (KbMonitor *monitor);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

/* The tokens of the last days: a chart, and a list of channels. */

#define KB_TYPE_USAGE_DIALOG (kb_usage_dialog_get_type ())
G_DECLARE_FINAL_TYPE (KbUsageDialog, kb_usage_dialog, KB, USAGE_DIALOG, AdwDialog)

AdwDialog *kb_usage_dialog_new (const char *state_dir);

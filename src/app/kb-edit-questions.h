// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-editor.h"

/* The dialogs of a save that cannot simply be made. */

AdwAlertDialog *kb_edit_question_new_failure (const GError *error);
AdwAlertDialog *kb_edit_question_new_expression (const GError *error);          /* "replace" */
AdwAlertDialog *kb_edit_question_new_conflict (const KbEditConflict *conflict); /* "mine" */

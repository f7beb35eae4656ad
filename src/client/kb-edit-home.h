// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-channel-ref.h"
#include "store/kb-edit.h"
#include "store/kb-profile.h"
#include "store/kb-undo.h"

/*
 * Edits as every front end makes them: where the journal of a home is, which channels a
 * person may mean, and how an edit is taken back.
 */

char *kb_edit_home_get_state_dir (const char *home);
KbProfile *kb_edit_home_load_profile (const KbEdit *edit, GError **error);
GPtrArray *kb_edit_home_list_channels (const KbEdit *edit); /* KbChannelRef */
char *kb_edit_home_explain_locked (KbProfile *profile);     /* (nullable) */
KbUndo *kb_edit_home_undo (const char *state_dir, const char *entry, gboolean dry, GError **error);

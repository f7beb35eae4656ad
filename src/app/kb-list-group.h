// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/*
 * A list of a form, as a group of rows: names, channels, pairs, or things with a form of their
 * own. Rows are added, renamed, removed and moved, by menu and by keyboard (Alt+Up, Alt+Down,
 * Delete).
 */

#define KB_TYPE_LIST_GROUP (kb_list_group_get_type ())
G_DECLARE_FINAL_TYPE (KbListGroup, kb_list_group, KB, LIST_GROUP, AdwPreferencesGroup)

GtkWidget *kb_list_group_new (KbFormModel *model,
                              const char *path,
                              const char *title,
                              const char *description);
void kb_list_group_update (KbListGroup *self, gboolean locked);

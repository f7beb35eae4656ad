// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

/*
 * A group of rows that a keyboard can walk through: past rows that take no focus, because they
 * only say something or are locked. GTK's list would end the way there.
 */

#define KB_TYPE_ROW_GROUP (kb_row_group_get_type ())
G_DECLARE_FINAL_TYPE (KbRowGroup, kb_row_group, KB, ROW_GROUP, AdwPreferencesGroup)

GtkWidget *kb_row_group_new (void);

/* The same for another type of group: what its class does for the focus, and for the arrows. */
gboolean kb_row_group_walk (GtkWidget *group, GtkDirectionType direction);
void kb_row_group_follow_arrows (GtkWidget *group);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

/*
 * What a filter can be set to: "All …" first, then the values met so far, sorted by what is
 * shown. A GListModel of GtkStringObject for a drop-down; values and labels may differ.
 */

#define KB_TYPE_CHOICES (kb_choices_get_type ())
G_DECLARE_FINAL_TYPE (KbChoices, kb_choices, KB, CHOICES, GObject)

KbChoices *kb_choices_new (const char *all_label);
gboolean kb_choices_add (KbChoices *self, const char *value, const char *label);
gboolean kb_choices_contains (KbChoices *self, const char *value);
void kb_choices_clear (KbChoices *self);
const char *kb_choices_get_value (KbChoices *self, guint position); /* (nullable): NULL for "all" */
guint kb_choices_find (KbChoices *self,
                       const char *value); /* 0 for NULL; GTK_INVALID_LIST_POSITION */

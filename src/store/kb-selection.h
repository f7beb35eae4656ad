// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * The chosen home and profile, remembered in $XDG_CONFIG_HOME/koboshi/selection. A missing
 * or unreadable file is an empty selection.
 */

typedef struct
{
  char *home;    /* (nullable) absolute path */
  char *profile; /* (nullable) */
} KbSelection;

KbSelection *kb_selection_load (const char *config_dir);
gboolean
kb_selection_save (const char *config_dir, const char *home, const char *profile, GError **error);
void kb_selection_free (KbSelection *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSelection, kb_selection_free)

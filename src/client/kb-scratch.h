// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* Folders among the temporary files that are removed again with all that is in them. */

char *kb_scratch_make (const char *prefix, GError **error);
void kb_scratch_remove (const char *path, const char *prefix);
gboolean kb_scratch_make_folder (const char *path, GError **error);
gboolean
kb_scratch_write (const char *folder, const char *name, const char *contents, GError **error);

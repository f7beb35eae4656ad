// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Where in a JSON text a member stands, which json-glib does not tell. */

gboolean kb_json_find_key (const char *text, gsize length, const char *const *path, gsize *offset);

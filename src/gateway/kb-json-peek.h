// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Looks at a member of a JSON text without building a tree of it: one pass over the bytes, for
 * each chunk of a stream. Quotes inside a string are escaped there, so that the name of a member
 * in quotes, followed by a colon, is that of a member; at which depth it stands is not told.
 */

typedef struct
{
  const char *text;
  gsize length;
} KbJsonSlice;

gboolean kb_json_peek_next (KbJsonSlice *rest, const char *name, KbJsonSlice *value);
gboolean kb_json_peek_is_full (KbJsonSlice value);
gboolean kb_json_peek_any_full (KbJsonSlice text, const char *name);
gboolean kb_json_peek_equals (KbJsonSlice text, const char *name, const char *word);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-json-peek.h"

/*
 * Walks over the members or items of a JSON text, without building a tree of it: what is found
 * are places in the text. In a text that is no JSON anything may be found, within its bounds.
 */

typedef struct
{
  const char *text;
  gsize length;
  gsize at;
} KbJsonWalk;

gboolean kb_json_walk_enter (KbJsonWalk *self, KbJsonSlice value);
gboolean kb_json_walk_next_member (KbJsonWalk *self, char **name, KbJsonSlice *value);
gboolean kb_json_walk_next_item (KbJsonWalk *self, KbJsonSlice *value);
gboolean kb_json_walk_find (KbJsonSlice object, const char *name, KbJsonSlice *value);
char *kb_json_walk_decode (KbJsonSlice value);

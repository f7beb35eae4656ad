// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-private.h"

/*
 * A walk over the bytes between tokens. libfyaml says where tokens are, but not where the
 * indicators stand that introduce them, where an absent value would go, or where a
 * collection ends. The walk accounts for every byte: what is neither a token nor blank, a
 * comment or an expected indicator makes it fail, so a position it gives is proven.
 */

typedef struct
{
  const char *data;
  gsize length;
  gsize position; /* behind the last byte accounted for */
} KbYamlWalk;

void kb_yaml_walk_skip_blank (KbYamlWalk *self);
gboolean kb_yaml_walk_take (KbYamlWalk *self, char indicator);
gboolean kb_yaml_walk_take_before (KbYamlWalk *self, char indicator, gsize limit);
gboolean kb_yaml_walk_take_separate (KbYamlWalk *self, char indicator, gboolean flow);
gboolean kb_yaml_walk_reach (KbYamlWalk *self, gsize start, gsize end);
gsize kb_yaml_walk_get_block_end (KbYamlWalk *self, gsize header, gsize start, gsize end);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-tree.h"

/* Writes values as YAML text that both of the host's parsers read back as the same value. */

typedef struct
{
  KbYamlStyle quoting;     /* of strings, where it is possible */
  KbYamlStyle key_quoting; /* of keys */
  gboolean padded;         /* "{ a: 1 }" rather than "{a: 1}" */
  guint step;              /* columns a nested block goes in */
  guint sequence_step;     /* the same for a sequence below a key, may be 0 */
  const char *eol;         /* "\n" or "\r\n" */
} KbYamlEmitStyle;

#define KB_YAML_EMIT_STYLE_INIT { KB_YAML_STYLE_PLAIN, KB_YAML_STYLE_PLAIN, TRUE, 2, 2, "\n" }

char *kb_yaml_emit_scalar (const KbYamlTree *tree, KbYamlStyle quoting, gboolean in_flow);
char *kb_yaml_emit_flow (const KbYamlTree *tree, const KbYamlEmitStyle *style);
char *kb_yaml_emit_block (const KbYamlTree *tree, guint column, const KbYamlEmitStyle *style);
gboolean kb_yaml_emit_is_inline (const KbYamlTree *tree);

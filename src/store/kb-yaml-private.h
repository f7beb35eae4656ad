// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-index.h"

/* What the parts of the YAML index share: the layout of nodes and the ways to make them. */

struct _KbYamlNode
{
  KbYamlKind kind;
  KbYamlStyle style;
  KbYamlType type;
  KbYamlSpan span;
  gsize outer_start;   /* where its anchor and tag begin; the span's start without them */
  gsize lead;          /* where the "-", "?" or ":" before it stands; outer_start without one */
  char *text;          /* owned, nullable */
  char *tag;           /* owned, nullable, as written */
  char *anchor;        /* owned, nullable */
  GPtrArray *children; /* owned, nullable: KbYamlNode, borrowed; keys and values in turn */
  const KbYamlNode *target; /* (nullable) borrowed: what an alias stands for */
};

struct _KbYamlDocument
{
  GBytes *bytes;    /* owned */
  GPtrArray *nodes; /* owned: every KbYamlNode of the document */
  KbYamlNode *root; /* (nullable) borrowed */
};

/* Where in the text an offset is. Moves forward only, so a whole document costs one pass. */
typedef struct
{
  const char *data;
  gsize length;
  gsize offset;
  guint line;
  guint column;
} KbYamlPlace;

void kb_yaml_place_init (KbYamlPlace *self, const char *data, gsize length);
void kb_yaml_place_move (KbYamlPlace *self, gsize offset);
void kb_yaml_place_seek (KbYamlPlace *self, guint line, guint column);

KbYamlType kb_yaml_scalar_get_plain_type (const char *text);
gboolean kb_yaml_scalar_get_number (const char *text, double *value);

gboolean kb_yaml_tag_is (const char *tag, const char *name);
const char *kb_yaml_error_explain (const char *message);

gboolean kb_yaml_builder_run (KbYamlDocument *document,
                              const char *input,
                              KbYamlSpan *where,
                              GError **error);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-arena.h"
#include "store/kb-splices.h"
#include "store/kb-yaml-index.h"

/* What the parts of the YAML index share: the layout of nodes and the ways to make them. */

/* Rare in what people write. */
typedef struct
{
  const char *tag;          /* (nullable) as written */
  const char *anchor;       /* (nullable) */
  const KbYamlNode *target; /* (nullable): what an alias stands for */
} KbYamlProperties;

/* A node and everything it points to is in the document's arena. */
struct _KbYamlNode
{
  KbYamlKind kind : 8;
  KbYamlStyle style : 8;
  KbYamlType type : 8;
  guint n_children;
  KbYamlSpan span;
  guint outer_start; /* where its anchor and tag begin; the span's start without them */
  guint lead;        /* where the "-", "?" or ":" before it stands; outer_start without one */
  const char *text;  /* (nullable) */
  const KbYamlNode **children;  /* (nullable): keys and values of a mapping in turn */
  KbYamlProperties *properties; /* (nullable) */
};

/* Real files have some thousands of nodes. */
#define KB_YAML_MAX_NODES 200000

struct _KbYamlDocument
{
  guint references; /* under the lock of kb-yaml-living.c */
  GBytes *bytes;    /* owned */
  KbArena *arena;   /* owned */
  guint n_nodes;
  KbYamlNode *root;   /* (nullable) borrowed */
  gboolean referring; /* there are anchors or aliases in it */
  gboolean mended;    /* what libfyaml read was not quite the text */

  /* Documents whose nodes this one uses, owned, and how many stand behind one another. */
  KbYamlDocument *ancestors[2];
  guint n_ancestors;
};

/* Where in the text an offset is. Moves forward only, so a whole document costs one pass. */
typedef struct
{
  const char *data;
  gsize length;
  gboolean returns; /* there are carriage returns in it */
  gsize offset;
  guint line;
  guint column;
} KbYamlPlace;

void kb_yaml_place_init (KbYamlPlace *self, const char *data, gsize length);
void kb_yaml_place_move (KbYamlPlace *self, gsize offset);
void kb_yaml_place_seek (KbYamlPlace *self, guint line, guint column);

KbYamlType kb_yaml_scalar_get_plain_type (const char *text);
KbYamlType kb_yaml_scalar_get_type (const KbYamlNode *node);
gboolean kb_yaml_scalar_get_number (const char *text, double *value);

gboolean kb_yaml_tag_is (const char *tag, const char *name);
const char *kb_yaml_error_explain (const char *message);

KbYamlDocument *kb_yaml_document_new (GBytes *bytes);
KbYamlDocument *kb_yaml_document_parse_alone (GBytes *bytes);
KbYamlDocument *kb_yaml_document_parse_secret (GBytes *bytes, KbYamlSpan *where);
KbYamlDocument *
kb_yaml_document_try_splice (KbYamlDocument *document, const KbSplices *splices, GBytes *bytes);
KbYamlDocument *
kb_yaml_document_splice (KbYamlDocument *document, const KbSplices *splices, GError **error);

gboolean kb_yaml_list_runs_on (KbYamlDocument *document, const KbYamlNode *node);

KbYamlDocument *kb_yaml_living_find (GBytes *bytes);
void kb_yaml_living_add (KbYamlDocument *document);
KbYamlDocument *kb_yaml_living_ref (KbYamlDocument *document);
gboolean kb_yaml_living_unref (KbYamlDocument *document);

gboolean kb_yaml_builder_run (KbYamlDocument *document,
                              const char *input,
                              gsize line_break,
                              KbYamlSpan *where,
                              GError **error);

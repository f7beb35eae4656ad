// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * A YAML document as a tree of nodes with byte positions in the original text. Positions
 * only: nothing is evaluated, no alias is followed, no text is ever emitted. An editor
 * splices bytes by these positions.
 */

typedef struct _KbYamlDocument KbYamlDocument;
typedef struct _KbYamlNode KbYamlNode;

typedef enum
{
  KB_YAML_SCALAR,
  KB_YAML_SEQUENCE,
  KB_YAML_MAPPING,
  KB_YAML_ALIAS,
} KbYamlKind;

typedef enum
{
  KB_YAML_STYLE_PLAIN,
  KB_YAML_STYLE_SINGLE_QUOTED,
  KB_YAML_STYLE_DOUBLE_QUOTED,
  KB_YAML_STYLE_LITERAL,
  KB_YAML_STYLE_FOLDED,
  KB_YAML_STYLE_BLOCK, /* collections */
  KB_YAML_STYLE_FLOW,
} KbYamlStyle;

/* What a plain scalar means under the host's rules (YAML 1.2 core, no merge keys). */
typedef enum
{
  KB_YAML_TYPE_STRING,
  KB_YAML_TYPE_NULL,
  KB_YAML_TYPE_BOOLEAN,
  KB_YAML_TYPE_INTEGER,
  KB_YAML_TYPE_FLOAT,
  KB_YAML_TYPE_EXPRESSION, /* tagged !!js: code of the host, never evaluated */
} KbYamlType;

typedef struct
{
  gsize start;  /* byte offset, quotes included */
  gsize end;    /* byte offset behind the last byte */
  guint line;   /* 1-based */
  guint column; /* 1-based, in characters */
} KbYamlSpan;

#define KB_YAML_ERROR (kb_yaml_error_quark ())
GQuark kb_yaml_error_quark (void);

typedef enum
{
  KB_YAML_ERROR_SYNTAX,
  KB_YAML_ERROR_MULTIPLE_DOCUMENTS,
  KB_YAML_ERROR_TOO_LARGE,
  KB_YAML_ERROR_TOO_DEEP,
  KB_YAML_ERROR_ENCODING, /* not UTF-8 */
} KbYamlError;

/* A file larger than this is refused unread. */
#define KB_YAML_MAX_BYTES (10 * 1024 * 1024)

KbYamlDocument *kb_yaml_document_parse (GBytes *bytes, KbYamlSpan *where, GError **error);
void kb_yaml_document_free (KbYamlDocument *self);
GBytes *kb_yaml_document_get_bytes (KbYamlDocument *self);
/* (nullable): nothing but comments */
const KbYamlNode *kb_yaml_document_get_root (KbYamlDocument *self);

KbYamlKind kb_yaml_node_get_kind (const KbYamlNode *self);
KbYamlStyle kb_yaml_node_get_style (const KbYamlNode *self);
KbYamlType kb_yaml_node_get_type (const KbYamlNode *self);
const KbYamlSpan *kb_yaml_node_get_span (const KbYamlNode *self);
gsize kb_yaml_node_get_outer_start (const KbYamlNode *self);
gsize kb_yaml_node_get_lead (const KbYamlNode *self);
/* scalar value or alias name */
const char *kb_yaml_node_get_text (const KbYamlNode *self);
const char *kb_yaml_node_get_tag (const KbYamlNode *self);    /* (nullable) */
const char *kb_yaml_node_get_anchor (const KbYamlNode *self); /* (nullable) */
gboolean kb_yaml_node_get_number (const KbYamlNode *self, double *value);
gboolean kb_yaml_node_get_boolean (const KbYamlNode *self, gboolean *value);

guint kb_yaml_node_get_length (const KbYamlNode *self); /* items or pairs */
const KbYamlNode *kb_yaml_node_get_item (const KbYamlNode *self, guint index);
const KbYamlNode *kb_yaml_node_get_key (const KbYamlNode *self, guint index);
const KbYamlNode *kb_yaml_node_get_value (const KbYamlNode *self, guint index);
const KbYamlNode *kb_yaml_node_lookup (const KbYamlNode *self, const char *key);
const KbYamlNode *kb_yaml_document_resolve (KbYamlDocument *self, const KbYamlNode *node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbYamlDocument, kb_yaml_document_free)

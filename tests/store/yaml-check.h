// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <string.h>

#include "store/kb-yaml-index.h"

/* What holds for the positions of every document, whatever is in it. */

static inline void
check_scalar (KbYamlDocument *document, const KbYamlNode *node)
{
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), NULL);
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
  g_autofree char *text = g_strndup (data + span->start, span->end - span->start);

  switch (kb_yaml_node_get_style (node))
    {
    case KB_YAML_STYLE_PLAIN:
      if (strpbrk (text, "\r\n") == NULL)
        g_assert_cmpstr (text, ==, kb_yaml_node_get_text (node));
      break;
    case KB_YAML_STYLE_SINGLE_QUOTED:
      g_assert_true (g_str_has_prefix (text, "'") && g_str_has_suffix (text, "'"));
      g_assert_cmpuint (strlen (text), >=, 2);
      break;
    case KB_YAML_STYLE_DOUBLE_QUOTED:
      g_assert_true (g_str_has_prefix (text, "\"") && g_str_has_suffix (text, "\""));
      g_assert_cmpuint (strlen (text), >=, 2);
      break;
    case KB_YAML_STYLE_LITERAL:
      g_assert_true (g_str_has_prefix (text, "|"));
      break;
    case KB_YAML_STYLE_FOLDED:
      g_assert_true (g_str_has_prefix (text, ">"));
      break;
    case KB_YAML_STYLE_BLOCK:
    case KB_YAML_STYLE_FLOW:
    default:
      g_assert_not_reached ();
    }
}

static inline void
check_place (KbYamlDocument *document, const KbYamlSpan *span)
{
  gsize length;
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), &length);
  const char *at = data + span->start;
  const char *line = at;

  while (line > data && line[-1] != '\n' && line[-1] != '\r')
    line--;
  if (line == data && length >= 3 && memcmp (line, "\xef\xbb\xbf", 3) == 0)
    line += 3;
  g_assert_cmpuint (span->column, ==, (guint) g_utf8_strlen (line, at - line) + 1);
}

static inline gsize
check_node (KbYamlDocument *document, const KbYamlNode *node, gsize from, gsize to)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), NULL);
  gsize position = span->start;

  g_assert_cmpuint (from, <=, kb_yaml_node_get_lead (node));
  g_assert_cmpuint (kb_yaml_node_get_lead (node), <=, kb_yaml_node_get_outer_start (node));
  g_assert_cmpuint (kb_yaml_node_get_outer_start (node), <=, span->start);
  g_assert_cmpuint (span->start, <=, span->end);
  g_assert_cmpuint (span->end, <=, to);
  check_place (document, span);

  if (kb_yaml_node_get_kind (node) == KB_YAML_SCALAR)
    check_scalar (document, node);
  else if (kb_yaml_node_get_kind (node) == KB_YAML_ALIAS)
    g_assert_cmpint (data[span->start], ==, '*');
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    if (kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE)
      position = check_node (document, kb_yaml_node_get_item (node, i), position, span->end);
    else
      {
        position = check_node (document, kb_yaml_node_get_key (node, i), position, span->end);
        position = check_node (document, kb_yaml_node_get_value (node, i), position, span->end);
      }
  return span->end;
}

static inline void
check_document (KbYamlDocument *document)
{
  const KbYamlNode *root = kb_yaml_document_get_root (document);

  if (root != NULL)
    check_node (document, root, 0, g_bytes_get_size (kb_yaml_document_get_bytes (document)));
}

/* The bytes of a scalar, read as a document of their own, give the same value. */
static inline void
check_scalar_again (KbYamlDocument *document, const KbYamlNode *node)
{
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), NULL);
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
  g_autoptr (KbYamlDocument) again = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const KbYamlNode *value;
  char *text;

  if (span->start == span->end)
    return;
  text = g_strdup_printf ("k: %.*s\n", (int) (span->end - span->start), data + span->start);
  bytes = g_bytes_new_take (text, strlen (text));
  again = kb_yaml_document_parse (bytes, NULL, &error);
  g_assert_no_error (error);
  value = kb_yaml_node_lookup (kb_yaml_document_get_root (again), "k");
  g_assert_cmpint (kb_yaml_node_get_style (value), ==, kb_yaml_node_get_style (node));
  if (kb_yaml_node_get_style (node) != KB_YAML_STYLE_LITERAL
      && kb_yaml_node_get_style (node) != KB_YAML_STYLE_FOLDED)
    g_assert_cmpstr (kb_yaml_node_get_text (value), ==, kb_yaml_node_get_text (node));
  else
    {
      /* At the end of a text without a last line end, a block has none either. */
      g_autofree char *with = g_strconcat (kb_yaml_node_get_text (node), "\n", NULL);

      g_assert_true (g_str_equal (kb_yaml_node_get_text (value), kb_yaml_node_get_text (node))
                     || g_str_equal (kb_yaml_node_get_text (value), with));
    }
}

static inline void
check_scalars_below (KbYamlDocument *document, const KbYamlNode *node)
{
  if (kb_yaml_node_get_kind (node) == KB_YAML_SCALAR)
    check_scalar_again (document, node);
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    if (kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE)
      check_scalars_below (document, kb_yaml_node_get_item (node, i));
    else
      {
        check_scalars_below (document, kb_yaml_node_get_key (node, i));
        check_scalars_below (document, kb_yaml_node_get_value (node, i));
      }
}

static inline void
check_scalars_again (KbYamlDocument *document)
{
  if (kb_yaml_document_get_root (document) != NULL)
    check_scalars_below (document, kb_yaml_document_get_root (document));
}

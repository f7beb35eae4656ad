// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-private.h"

/* A document of which only some entries were parsed again must be the one a full parse gives. */

static inline void
assert_same_node (const KbYamlNode *a, const KbYamlNode *b)
{
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpint (a->style, ==, b->style);
  g_assert_cmpint (a->type, ==, b->type);
  g_assert_cmpuint (a->span.start, ==, b->span.start);
  g_assert_cmpuint (a->span.end, ==, b->span.end);
  g_assert_cmpuint (a->span.line, ==, b->span.line);
  g_assert_cmpuint (a->span.column, ==, b->span.column);
  g_assert_cmpuint (a->outer_start, ==, b->outer_start);
  g_assert_cmpuint (a->lead, ==, b->lead);
  g_assert_cmpstr (a->text, ==, b->text);
  g_assert_cmpstr (kb_yaml_node_get_tag (a), ==, kb_yaml_node_get_tag (b));
  g_assert_cmpstr (kb_yaml_node_get_anchor (a), ==, kb_yaml_node_get_anchor (b));
  g_assert_cmpuint (a->n_children, ==, b->n_children);
  for (guint i = 0; i < a->n_children; i++)
    assert_same_node (a->children[i], b->children[i]);
}

/* Returns whether the edit was one that a part of the document was enough for. */
static inline gboolean
check_splice (KbYamlDocument *document, const KbSplices *splices, GBytes *after)
{
  g_autoptr (KbYamlDocument) spliced = kb_yaml_document_try_splice (document, splices, after);
  g_autoptr (KbYamlDocument) whole = NULL;

  if (spliced == NULL)
    return FALSE;
  whole = kb_yaml_document_parse_alone (after);
  if (whole == NULL)
    g_test_message ("only in parts:\n%.*s", (int) g_bytes_get_size (after),
                    (const char *) g_bytes_get_data (after, NULL));
  g_assert_nonnull (whole);
  g_assert_cmpuint (spliced->n_nodes, ==, whole->n_nodes);
  assert_same_node (spliced->root, whole->root);
  return TRUE;
}

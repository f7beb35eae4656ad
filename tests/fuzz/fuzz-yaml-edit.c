// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any bytes, the last six of which choose an edit of the document that the others are. What
 * must hold: an edit is refused with a reason, or it can be taken back, leaves a document
 * with sound positions, and loses no comment that was not in what it replaced.
 */

#include "store/kb-yaml-edit.h"

#include <stdint.h>
#include <string.h>

#include "../store/yaml-check.h"
#include "../store/yaml-splice-check.h"

#define N_CHOICES 6

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const char *const values[]
    = { "7", "'yes'", "\"a\\nb: # c\"", "[p, {q: r}]", "{k: 1, 'l m': [n]}", "{}", "[]", "null" };

typedef struct
{
  const uint8_t *choices;
  guint steps; /* still to go down */
  KbYamlPath *path;
} Way;

/* The node that so many steps in the order of the text lead to. */
static const KbYamlNode *
find_node (const KbYamlNode *node, Way *way)
{
  guint length = kb_yaml_node_get_length (node);

  for (guint depth = 0; length > 0 && depth < way->steps; depth++)
    {
      guint index = (way->choices[2] + depth * way->choices[3]) % length;

      if (kb_yaml_node_get_kind (node) == KB_YAML_MAPPING)
        {
          const KbYamlNode *key = kb_yaml_node_get_key (node, index);

          if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR)
            break;
          kb_yaml_path_add_key (way->path, kb_yaml_node_get_text (key));
          node = kb_yaml_node_get_value (node, index);
        }
      else
        {
          kb_yaml_path_add_index (way->path, index);
          node = kb_yaml_node_get_item (node, index);
        }
      length = kb_yaml_node_get_length (node);
    }
  return node;
}

/* keeps is set where every comment must survive. */
static KbYamlChange *
choose_change (const KbYamlNode *root, const uint8_t *choices, gboolean *keeps)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  g_autoptr (KbYamlTree) value
      = kb_yaml_tree_from_text (values[choices[1] % G_N_ELEMENTS (values)], NULL);
  Way way = { choices, choices[4] % 12, path };
  const KbYamlNode *node = root != NULL ? find_node (root, &way) : NULL;
  guint length = node != NULL ? kb_yaml_node_get_length (node) : 0;
  gboolean sequence = node != NULL && kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE;

  *keeps = node == NULL || kb_yaml_node_get_kind (node) == KB_YAML_SCALAR;
  switch (choices[0] % 5)
    {
    case 0:
      return kb_yaml_change_new_set (path, value);
    case 1:
      *keeps = FALSE;
      return kb_yaml_change_new_remove (path);
    case 2:
      *keeps = TRUE;
      if (!sequence || length == 0)
        return kb_yaml_change_new_move (path, choices[5]);
      kb_yaml_path_add_index (path, choices[1] % length);
      return kb_yaml_change_new_move (path, choices[5] % length);
    case 3:
      *keeps = TRUE;
      kb_yaml_path_add_index (path, choices[5] % (length + 1));
      return kb_yaml_change_new_insert (path, value);
    default:
      *keeps = TRUE;
      kb_yaml_path_add_key (path, choices[5] % 2 ? "new" : "new: # key");
      return kb_yaml_change_new_set (path, value);
    }
}

/* Paints over everything that is a scalar: a "#" in there starts no comment. */
static void
cover (const KbYamlNode *node, char *text)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
  guint length = kb_yaml_node_get_length (node);
  gsize start = kb_yaml_node_get_outer_start (node);
  gsize end = length == 0 ? span->end : span->start;

  if (length == 0 && kb_yaml_node_get_kind (node) != KB_YAML_SCALAR
      && kb_yaml_node_get_kind (node) != KB_YAML_ALIAS)
    end = span->start;
  if (start < span->start && memchr (text + start, '#', span->start - start) != NULL)
    start = span->start;
  /* The header of a block scalar may have a comment behind it. */
  if (kb_yaml_node_get_style (node) == KB_YAML_STYLE_LITERAL
      || kb_yaml_node_get_style (node) == KB_YAML_STYLE_FOLDED)
    while (start < end && text[start++] != '\n')
      continue;
  memset (text + start, '.', end - start);
  for (guint i = 0; i < length; i++)
    if (kb_yaml_node_get_kind (node) == KB_YAML_MAPPING)
      {
        cover (kb_yaml_node_get_key (node, i), text);
        cover (kb_yaml_node_get_value (node, i), text);
      }
    else
      cover (kb_yaml_node_get_item (node, i), text);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
list_comments (KbYamlDocument *document)
{
  GPtrArray *comments = g_ptr_array_new_with_free_func (g_free);
  const KbYamlNode *root = kb_yaml_document_get_root (document);
  gsize size;
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", size);

  if (root != NULL)
    cover (root, text);
  for (gsize i = 0; i < size; i++)
    if (text[i] == '#' && (i == 0 || strchr (" \t\r\n\xbf", text[i - 1]) != NULL))
      {
        gsize end = i + strcspn (text + i, "\r\n");

        g_ptr_array_add (comments, g_strndup (data + i, end - i));
        i = end;
      }
  g_ptr_array_sort (comments, compare_texts);
  return comments;
}

static void
check_comments (KbYamlDocument *before, KbYamlDocument *after, gboolean keeps)
{
  g_autoptr (GPtrArray) old = list_comments (before);
  g_autoptr (GPtrArray) now = list_comments (after);
  guint at = 0;

  for (guint i = 0; i < old->len; i++)
    if (at < now->len && g_str_equal (old->pdata[i], now->pdata[at]))
      at++;
    else
      g_assert_false (keeps);
  g_assert_cmpuint (at, ==, now->len);
}

static void
check_edit (KbYamlDocument *document, const KbYamlChange *change, gboolean keeps)
{
  GBytes *before = kb_yaml_document_get_bytes (document);
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSplices) splices
      = kb_yaml_edit_plan (document, change, KB_YAML_EDIT_REPLACE_EXPRESSIONS, &error);
  g_autoptr (KbSplices) inverse = NULL;
  g_autoptr (KbYamlDocument) result = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) back = NULL;

  if (splices == NULL)
    {
      g_assert_nonnull (error);
      g_assert_cmpint (*error->message, !=, '\0');
      return;
    }
  after = kb_splices_apply (splices, before);
  inverse = kb_splices_invert (splices, before);
  back = kb_splices_apply (inverse, after);
  g_assert_true (g_bytes_equal (before, back));
  check_splice (document, splices, after);
  result = kb_yaml_document_parse (after, NULL, &error);
  g_assert_no_error (error);
  check_document (result);
  check_comments (document, result, keeps);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (KbYamlChange) change = NULL;
  gboolean keeps;

  if (size < N_CHOICES)
    return 0;
  bytes = g_bytes_new (data, size - N_CHOICES);
  document = kb_yaml_document_parse (bytes, NULL, NULL);
  if (document == NULL)
    return 0;
  change = choose_change (kb_yaml_document_get_root (document), data + size - N_CHOICES, &keeps);
  check_edit (document, change, keeps);
  return 0;
}

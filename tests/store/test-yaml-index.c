// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "store/kb-yaml-index.h"
#include "yaml-check.h"

/*
 * Each document is written as one line per node: nesting by dots, kind, place, the bytes of
 * the span between bars.
 */
static void
append_node (GString *out, KbYamlDocument *document, const KbYamlNode *node, guint depth)
{
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), NULL);
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
  static const char *const kinds[] = { "scalar", "seq", "map", "alias" };
  KbYamlKind kind = kb_yaml_node_get_kind (node);

  for (guint i = 0; i < depth; i++)
    g_string_append (out, ".");
  g_string_append_printf (out, "%s %u:%u |%.*s|\n", kinds[kind], span->line, span->column,
                          (int) (span->end - span->start), data + span->start);
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    if (kind == KB_YAML_MAPPING)
      {
        append_node (out, document, kb_yaml_node_get_key (node, i), depth + 1);
        append_node (out, document, kb_yaml_node_get_value (node, i), depth + 1);
      }
    else
      append_node (out, document, kb_yaml_node_get_item (node, i), depth + 1);
}

typedef struct
{
  const char *name;
  const char *text;
  const char *dump;
} TreeCase;

static const TreeCase trees[] = {
  { "block", "# c\n- id: a   # tail\n  n: 10\n- b\n",
    "seq 2:1 |- id: a   # tail\n  n: 10\n- b|\n"
    ".map 2:3 |id: a   # tail\n  n: 10|\n"
    "..scalar 2:3 |id|\n..scalar 2:7 |a|\n..scalar 3:3 |n|\n..scalar 3:6 |10|\n"
    ".scalar 4:3 |b|\n" },
};

static void
test_tree (gconstpointer data)
{
  const TreeCase *tree = data;
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (tree->text, strlen (tree->text));
  g_autoptr (GString) dump = g_string_new (NULL);
  const KbYamlNode *root;

  document = kb_yaml_document_parse (bytes, NULL, &error);
  g_assert_no_error (error);
  check_document (document);
  root = kb_yaml_document_get_root (document);
  if (root != NULL)
    append_node (dump, document, root, 0);
  g_assert_cmpstr (dump->str, ==, tree->dump);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (trees); i++)
    {
      g_autofree char *path = g_strconcat ("/store/yaml-index/tree/", trees[i].name, NULL);

      g_test_add_data_func (path, &trees[i], test_tree);
    }
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <math.h>
#include <string.h>

#include "store/kb-yaml-index.h"
#include "yaml-check.h"
#include "yaml-trees.h"

static KbYamlDocument *
parse (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  KbYamlDocument *document = kb_yaml_document_parse (bytes, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (document);
  return document;
}

static void
append_node (GString *out, KbYamlDocument *document, const KbYamlNode *node, guint depth)
{
  static const char *const kinds[] = { "scalar", "seq", "map", "alias" };
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (document), NULL);
  const KbYamlSpan *span = kb_yaml_node_get_span (node);
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

static void
test_tree (gconstpointer data)
{
  const YamlTree *tree = data;
  g_autoptr (KbYamlDocument) document = parse (tree->text);
  g_autoptr (GString) dump = g_string_new (NULL);
  const KbYamlNode *root = kb_yaml_document_get_root (document);

  if (root != NULL)
    append_node (dump, document, root, 0);
  g_assert_cmpstr (dump->str, ==, tree->dump);
  check_document (document);
  check_scalars_again (document);
}

/* Both parsers of the host agree on these but where noted; see DSH-HOST facts 1.6. */
static const struct
{
  const char *text;
  KbYamlType type;
  double number;
} type_cases[] = {
  { "", KB_YAML_TYPE_NULL, 0 },
  { "~", KB_YAML_TYPE_NULL, 0 },
  { "null", KB_YAML_TYPE_NULL, 0 },
  { "Null", KB_YAML_TYPE_NULL, 0 },
  { "NULL", KB_YAML_TYPE_NULL, 0 },
  { "nULL", KB_YAML_TYPE_STRING, 0 },
  { "true", KB_YAML_TYPE_BOOLEAN, 1 },
  { "True", KB_YAML_TYPE_BOOLEAN, 1 },
  { "TRUE", KB_YAML_TYPE_BOOLEAN, 1 },
  { "false", KB_YAML_TYPE_BOOLEAN, 0 },
  { "False", KB_YAML_TYPE_BOOLEAN, 0 },
  { "FALSE", KB_YAML_TYPE_BOOLEAN, 0 },
  { "tRue", KB_YAML_TYPE_STRING, 0 },
  { "yes", KB_YAML_TYPE_STRING, 0 },
  { "no", KB_YAML_TYPE_STRING, 0 },
  { "on", KB_YAML_TYPE_STRING, 0 },
  { "off", KB_YAML_TYPE_STRING, 0 },
  { "0", KB_YAML_TYPE_INTEGER, 0 },
  { "-0", KB_YAML_TYPE_INTEGER, 0 },
  { "010", KB_YAML_TYPE_INTEGER, 10 },
  { "08", KB_YAML_TYPE_INTEGER, 8 },
  { "0o10", KB_YAML_TYPE_INTEGER, 8 },
  { "0x1F", KB_YAML_TYPE_INTEGER, 31 },
  { "+1", KB_YAML_TYPE_INTEGER, 1 },
  { "-12", KB_YAML_TYPE_INTEGER, -12 },
  { "9007199254740993", KB_YAML_TYPE_INTEGER, 9007199254740992.0 },
  { "1e3", KB_YAML_TYPE_FLOAT, 1000 },
  { "1E+3", KB_YAML_TYPE_FLOAT, 1000 },
  { "-1e-5", KB_YAML_TYPE_FLOAT, -1e-5 },
  { ".5", KB_YAML_TYPE_FLOAT, 0.5 },
  { "1.", KB_YAML_TYPE_FLOAT, 1 },
  { "+1.5", KB_YAML_TYPE_FLOAT, 1.5 },
  { ".inf", KB_YAML_TYPE_FLOAT, INFINITY },
  { "-.Inf", KB_YAML_TYPE_FLOAT, -INFINITY },
  { "+.INF", KB_YAML_TYPE_FLOAT, INFINITY },
  { ".inF", KB_YAML_TYPE_STRING, 0 },
  { "+.nan", KB_YAML_TYPE_STRING, 0 },
  { "1:30", KB_YAML_TYPE_STRING, 0 },
  { "2024-01-01", KB_YAML_TYPE_STRING, 0 },
  { "1_000", KB_YAML_TYPE_STRING, 0 },
  { "0x", KB_YAML_TYPE_STRING, 0 },
  { "0o8", KB_YAML_TYPE_STRING, 0 },
  { "0X1F", KB_YAML_TYPE_STRING, 0 },
  { "1e", KB_YAML_TYPE_STRING, 0 },
  { "1.5.2", KB_YAML_TYPE_STRING, 0 },
  { ".", KB_YAML_TYPE_STRING, 0 },
  { "+", KB_YAML_TYPE_STRING, 0 },
  { "inf", KB_YAML_TYPE_STRING, 0 },
  { "１", KB_YAML_TYPE_STRING, 0 },
  /* Numbers in patch files, text in the settings: the patch files decide. */
  { "-0x1F", KB_YAML_TYPE_INTEGER, -31 },
  { "+0o7", KB_YAML_TYPE_INTEGER, 7 },
  { "0b11", KB_YAML_TYPE_INTEGER, 3 },
  /* The other way round. */
  { "-.5", KB_YAML_TYPE_STRING, 0 },
  { "+.5", KB_YAML_TYPE_STRING, 0 },
  /* Quotes and tags. */
  { "\"1\"", KB_YAML_TYPE_STRING, 0 },
  { "'true'", KB_YAML_TYPE_STRING, 0 },
  { "!!str 1", KB_YAML_TYPE_STRING, 0 },
  { "! 1", KB_YAML_TYPE_STRING, 0 },
  { "!!int \"7\"", KB_YAML_TYPE_INTEGER, 7 },
  { "!!js 1", KB_YAML_TYPE_EXPRESSION, 0 },
  { "!!js '1'", KB_YAML_TYPE_EXPRESSION, 0 },
  { "!<tag:yaml.org,2002:js> 1", KB_YAML_TYPE_EXPRESSION, 0 },
  { "!!jsx 1", KB_YAML_TYPE_INTEGER, 1 },
  { "|\n    1", KB_YAML_TYPE_STRING, 0 },
};

static void
test_types (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (type_cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("k: %s\n", type_cases[i].text);
      g_autoptr (KbYamlDocument) document = parse (text);
      const KbYamlNode *node = kb_yaml_node_lookup (kb_yaml_document_get_root (document), "k");
      gboolean boolean = FALSE;
      double number = 0;

      g_test_message ("%s", type_cases[i].text);
      g_assert_cmpint (kb_yaml_node_get_type (node), ==, type_cases[i].type);
      g_assert_cmpint (kb_yaml_node_get_number (node, &number), ==,
                       type_cases[i].type == KB_YAML_TYPE_INTEGER
                           || type_cases[i].type == KB_YAML_TYPE_FLOAT);
      g_assert_cmpint (kb_yaml_node_get_boolean (node, &boolean), ==,
                       type_cases[i].type == KB_YAML_TYPE_BOOLEAN);
      g_assert_true (type_cases[i].type == KB_YAML_TYPE_BOOLEAN
                         ? boolean == (type_cases[i].number != 0)
                         : number == type_cases[i].number || isinf (type_cases[i].number));
    }
}

static void
test_nan (void)
{
  g_autoptr (KbYamlDocument) document = parse (".NaN");
  double number = 0;

  g_assert_true (kb_yaml_node_get_number (kb_yaml_document_get_root (document), &number));
  g_assert_true (isnan (number));
}

static void
test_texts (void)
{
  static const struct
  {
    const char *text;
    const char *value;
  } cases[] = {
    { "\"\\u4e2d\\x41\\n\\t\\\"\"", "中A\n\t\"" },
    { "\"\\ud83d\\ude00\"", "😀" },
    { "\"a\\0b\"", "a\xef\xbf\xbd"
                   "b" }, /* no C string holds a NUL */
    { "\"x\\\n    y\"", "xy" },
    { "'it''s'", "it's" },
    { "a\n    b\n\n    c", "a b\nc" },
    { "|\n    a\n     b\n", "a\n b\n" },
    { ">-\n    a\n    b\n", "a b" },
    { "|+\n    a\n\n", "a\n\n" },
    { "|\n", "" },
    { ">\n     ", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("k: %s", cases[i].text);
      g_autoptr (KbYamlDocument) document = parse (text);
      const KbYamlNode *node = kb_yaml_node_lookup (kb_yaml_document_get_root (document), "k");

      g_assert_cmpstr (kb_yaml_node_get_text (node), ==, cases[i].value);
    }
}

static void
test_leads (void)
{
  const char *text = "- &x !!map\n  a : &y 1\n-   [!!str b]\n";
  g_autoptr (KbYamlDocument) document = NULL;
  const KbYamlNode *root;
  const KbYamlNode *map;
  const KbYamlNode *item;

  document = parse (text);
  root = kb_yaml_document_get_root (document);
  g_assert_cmpuint (kb_yaml_node_get_lead (root), ==, 0);
  map = kb_yaml_node_get_item (root, 0);
  g_assert_cmpuint (kb_yaml_node_get_lead (map), ==, 0);
  g_assert_cmpuint (kb_yaml_node_get_outer_start (map), ==, 2);
  g_assert_cmpuint (kb_yaml_node_get_span (map)->start, ==, 13);
  g_assert_cmpstr (kb_yaml_node_get_anchor (map), ==, "x");
  g_assert_cmpstr (kb_yaml_node_get_tag (map), ==, "!!map");
  item = kb_yaml_node_get_value (map, 0);
  g_assert_cmpuint (kb_yaml_node_get_lead (item), ==, strchr (text, ':') - text);
  g_assert_cmpuint (kb_yaml_node_get_outer_start (item), ==, strstr (text, "&y") - text);
  item = kb_yaml_node_get_item (root, 1);
  g_assert_cmpuint (kb_yaml_node_get_span (item)->start - kb_yaml_node_get_lead (item), ==, 4);
  item = kb_yaml_node_get_item (item, 0);
  g_assert_cmpuint (kb_yaml_node_get_lead (item), ==, kb_yaml_node_get_outer_start (item));
}

static void
test_aliases (void)
{
  g_autoptr (KbYamlDocument) document
      = parse ("a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: *z\nf: &f [*f]\n");
  const KbYamlNode *root = kb_yaml_document_get_root (document);
  const KbYamlNode *loop = kb_yaml_node_lookup (root, "f");

  g_assert_true (kb_yaml_document_resolve (document, kb_yaml_node_lookup (root, "b"))
                 == kb_yaml_node_lookup (root, "a"));
  g_assert_true (kb_yaml_document_resolve (document, kb_yaml_node_lookup (root, "d"))
                 == kb_yaml_node_lookup (root, "c"));
  g_assert_null (kb_yaml_document_resolve (document, kb_yaml_node_lookup (root, "e")));
  g_assert_cmpstr (kb_yaml_node_get_text (kb_yaml_node_lookup (root, "e")), ==, "z");
  g_assert_true (kb_yaml_document_resolve (document, kb_yaml_node_get_item (loop, 0)) == loop);
  g_assert_true (kb_yaml_document_resolve (document, root) == root);
  g_assert_null (kb_yaml_document_resolve (document, NULL));
}

static void
test_lookup (void)
{
  g_autoptr (KbYamlDocument) document = parse ("a: 1\n'b': 2\na: 3\n[c]: 4\n<<: {d: 5}\n");
  const KbYamlNode *root = kb_yaml_document_get_root (document);

  g_assert_cmpstr (kb_yaml_node_get_text (kb_yaml_node_lookup (root, "a")), ==, "1");
  g_assert_cmpstr (kb_yaml_node_get_text (kb_yaml_node_lookup (root, "b")), ==, "2");
  g_assert_null (kb_yaml_node_lookup (root, "c"));
  g_assert_null (kb_yaml_node_lookup (root, "d")); /* nothing is merged */
  g_assert_nonnull (kb_yaml_node_lookup (root, "<<"));
  g_assert_null (kb_yaml_node_lookup (kb_yaml_node_get_value (root, 0), "a"));
}

static void
assert_refused (const char *text, gsize length, KbYamlError code, guint line, guint column)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) placed = NULL;
  KbYamlSpan where = { 1, 2, 3, 4 };

  g_assert_null (kb_yaml_document_parse (bytes, &where, &error));
  g_assert_error (error, KB_YAML_ERROR, (int) code);
  g_assert_cmpuint (where.line, ==, line);
  g_assert_cmpuint (where.column, ==, column);

  g_assert_null (kb_yaml_document_parse (bytes, NULL, &placed));
  if (line > 0)
    {
      g_autofree char *prefix = g_strdup_printf ("line %u, column %u: ", line, column);

      g_assert_true (g_str_has_prefix (placed->message, prefix));
      g_assert_true (g_str_has_suffix (placed->message, error->message));
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    KbYamlError code;
    guint line;
    guint column;
  } cases[] = {
    { "a: [1, 2\n", KB_YAML_ERROR_SYNTAX, 2, 1 },
    { "a: {b: 1\n", KB_YAML_ERROR_SYNTAX, 2, 1 },
    { "a: \"x\n", KB_YAML_ERROR_SYNTAX, 1, 5 },
    { "a: 'x\n", KB_YAML_ERROR_SYNTAX, 1, 5 },
    { "a:\n\tb: 1\n", KB_YAML_ERROR_SYNTAX, 2, 1 },
    { "中: 1\n文: b: c\n", KB_YAML_ERROR_SYNTAX, 2, 5 },
    { "\xef\xbb\xbf"
      "a: @x\n",
      KB_YAML_ERROR_SYNTAX, 1, 4 },
    { "[]\n- id: x\n", KB_YAML_ERROR_SYNTAX, 2, 1 },
    { "- a: 1\n b: 2\n", KB_YAML_ERROR_SYNTAX, 2, 2 },
    { "a: 1\r\nb: [\r\n", KB_YAML_ERROR_SYNTAX, 3, 1 },
    { "a: 1\n---\nb: 2\n", KB_YAML_ERROR_MULTIPLE_DOCUMENTS, 2, 1 },
    { "a: 1\n---\n", KB_YAML_ERROR_MULTIPLE_DOCUMENTS, 2, 1 },
    { "---\n---\n", KB_YAML_ERROR_MULTIPLE_DOCUMENTS, 2, 1 },
    { "a: 1\n...\n# c\n---\nb: 2\n", KB_YAML_ERROR_MULTIPLE_DOCUMENTS, 4, 1 },
    { "a: \xff\n", KB_YAML_ERROR_ENCODING, 1, 4 },
    { "中\nb: \xe4\xb8\n", KB_YAML_ERROR_ENCODING, 2, 4 },
    { "\xff\xfe"
      "a",
      KB_YAML_ERROR_ENCODING, 1, 1 },
    { "a: \xed\xa0\x80\n", KB_YAML_ERROR_ENCODING, 1, 4 },
    { "!foo!bar x\n", KB_YAML_ERROR_SYNTAX, 1, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %" G_GSIZE_FORMAT, i);
      assert_refused (cases[i].text, strlen (cases[i].text), cases[i].code, cases[i].line,
                      cases[i].column);
    }
  assert_refused ("a: \0b\n", 7, KB_YAML_ERROR_ENCODING, 1, 4); /* libfyaml would read "a:" */
}

/*
 * Where libfyaml and the host's parsers part. What the host alone accepts is rare and told
 * with its place; what libfyaml alone accepts is for kb-lint or harmless.
 */
static void
test_disagreements (void)
{
  static const char *const only_host[] = {
    "--- a: 1\n",          /* a block on the line of its document start */
    "a: \"x\n\ty\"\n",     /* js-yaml only: a tab continues a quoted text */
    "k:\n- \nb: 1\n",      /* an empty entry at the end of an unindented list */
    "a: 'b'#c\n",          /* a comment without a space before it */
    "a: \"\\ud83d\"\n",    /* half a surrogate pair */
    "a: !!js x ? 1 : 2\n", /* a mapping to the host, not the expression that was meant */
    NULL,
  };
  static const char *const only_ours[] = {
    "-\ta: 1\n",    "a: x\n\ty\n", "a:\nb\n", ": x\n", "{a\n: b}\n",
    "a: !!env X\n", "a: *x\n",     "|",       NULL,
  };

  for (gsize i = 0; only_host[i] != NULL; i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (only_host[i], strlen (only_host[i]));

      g_test_message ("%s", only_host[i]);
      g_assert_null (kb_yaml_document_parse (bytes, NULL, NULL));
    }
  for (gsize i = 0; only_ours[i] != NULL; i++)
    {
      g_autoptr (KbYamlDocument) document = parse (only_ours[i]);

      check_document (document);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (yaml_trees); i++)
    {
      g_autofree char *path = g_strconcat ("/store/yaml-index/tree/", yaml_trees[i].name, NULL);

      g_test_add_data_func (path, &yaml_trees[i], test_tree);
    }
  g_test_add_func ("/store/yaml-index/types", test_types);
  g_test_add_func ("/store/yaml-index/types/nan", test_nan);
  g_test_add_func ("/store/yaml-index/texts", test_texts);
  g_test_add_func ("/store/yaml-index/leads", test_leads);
  g_test_add_func ("/store/yaml-index/aliases", test_aliases);
  g_test_add_func ("/store/yaml-index/lookup", test_lookup);
  g_test_add_func ("/store/yaml-index/refused", test_refused);
  g_test_add_func ("/store/yaml-index/disagreements", test_disagreements);

  return g_test_run ();
}

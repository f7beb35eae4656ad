// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "store/kb-yaml-index.h"
#include "yaml-check.h"
#include "yaml-trees.h"

#define SEED 20260731
#define GENERATED 600
#define MUTATED 12000

static KbYamlDocument *
parse (const GString *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text->str, text->len);
  KbYamlSpan where;

  return kb_yaml_document_parse (bytes, &where, error);
}

static gboolean
flip (GRand *rand)
{
  return g_rand_boolean (rand);
}

static const char *
pick (GRand *rand, const char *const *words, int n_words)
{
  return words[g_rand_int_range (rand, 0, n_words)];
}

static void
add_scalar (GRand *rand, GString *out)
{
  static const char *const words[] = {
    "a",    "model-1",      "中文",       "😀 x",  "10",         "-1.5",          "true",
    "~",    "\"q \\\" #\"", "'it''s: #'", "a b c", "http://x:1", "!!js x ?? 'd'", "!!str 1",
    "&n v", "''",           "\"\"",       "a#b",   "é",          "1:30",
  };

  g_string_append (out, pick (rand, words, G_N_ELEMENTS (words)));
}

static void
add_space (GRand *rand, GString *out, const char *line_end)
{
  static const char *const comments[] = { "", "", "", " # c", "  # {[:- 中", "\t# t" };

  g_string_append (out, pick (rand, comments, G_N_ELEMENTS (comments)));
  g_string_append (out, line_end);
  if (g_rand_int_range (rand, 0, 6) == 0)
    g_string_append_printf (out, "# between%s%s", line_end, line_end);
}

static void
add_flow (GRand *rand, GString *out, guint depth)
{
  gboolean map = flip (rand);
  int n = g_rand_int_range (rand, 0, 4);

  g_string_append (out, map ? "{" : "[");
  for (int i = 0; i < n; i++)
    {
      if (map)
        g_string_append_printf (out, "%sk%d: ", flip (rand) ? " " : "", i);
      if (depth > 0 && flip (rand))
        add_flow (rand, out, depth - 1);
      else
        g_string_append (out, flip (rand) ? "v w" : "\"v\"");
      if (i + 1 < n || flip (rand))
        g_string_append (out, flip (rand) ? ", " : ",");
    }
  g_string_append (out, map ? "}" : "]");
}

static void
add_block_scalar (GRand *rand, GString *out, guint indent, const char *line_end)
{
  static const char *const headers[] = { "|", ">", "|-", ">-" };
  int n = g_rand_int_range (rand, 1, 4);

  g_string_append_printf (out, "%s%s", pick (rand, headers, G_N_ELEMENTS (headers)), line_end);
  for (int i = 0; i < n; i++)
    {
      if (i > 0 && flip (rand))
        g_string_append (out, line_end);
      g_string_append_printf (out, "%*sline %d: # no comment%s", (int) indent, "", i, line_end);
    }
}

/* A value behind "-" or ":"; block collections start on the next line. */
static void
add_collection (GRand *rand, GString *out, guint indent, guint depth, const char *line_end);

static void
add_value (GRand *rand, GString *out, guint indent, guint depth, const char *line_end)
{
  switch (g_rand_int_range (rand, 0, depth > 0 ? 7 : 4))
    {
    case 0:
      add_space (rand, out, line_end); /* absent */
      break;
    case 1:
      g_string_append (out, flip (rand) ? " " : "  ");
      add_flow (rand, out, 2);
      add_space (rand, out, line_end);
      break;
    case 2:
      g_string_append_c (out, ' ');
      add_block_scalar (rand, out, indent + 2, line_end);
      break;
    case 3:
      g_string_append (out, flip (rand) ? " " : "\t");
      add_scalar (rand, out);
      add_space (rand, out, line_end);
      break;
    default:
      add_space (rand, out, line_end);
      add_collection (rand, out, indent + 2, depth - 1, line_end);
      break;
    }
}

static void
add_collection (GRand *rand, GString *out, guint indent, guint depth, const char *line_end)
{
  gboolean map = flip (rand);
  int n = g_rand_int_range (rand, 1, 5);

  for (int i = 0; i < n; i++)
    {
      g_string_append_printf (out, "%*s", (int) indent, "");
      if (map)
        g_string_append_printf (out, flip (rand) ? "k%d:" : "\"键 %d\" :", i);
      else
        g_string_append_c (out, '-');
      add_value (rand, out, indent, depth, line_end);
    }
}

static GString *
generate (GRand *rand)
{
  GString *out = g_string_new (flip (rand) ? "" : "\xef\xbb\xbf");
  const char *line_end = g_rand_int_range (rand, 0, 4) == 0 ? "\r\n" : "\n";

  if (g_rand_int_range (rand, 0, 4) == 0)
    g_string_append_printf (out, "# head%s---%s", line_end, line_end);
  add_collection (rand, out, 0, 4, line_end);
  return out;
}

static void
test_generated (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  guint empty_tails = 0;

  for (guint i = 0; i < GENERATED; i++)
    {
      g_autoptr (GString) text = generate (rand);
      g_autoptr (GError) error = NULL;
      g_autoptr (KbYamlDocument) document = parse (text, &error);

      if (error != NULL)
        g_test_message ("%s\n%s", error->message, text->str);
      g_assert_no_error (error);
      check_document (document);
      check_scalars_again (document);
      empty_tails += kb_yaml_document_get_root (document) == NULL;
    }
  g_assert_cmpuint (empty_tails, ==, 0);
}

static void
mutate (GRand *rand, GString *text)
{
  static const char *const pieces[] = {
    "[",     "]",  "{",  "}",   ":",     ": ",    "- ",  "-",  "\n",       "\r\n",
    "\t",    "  ", "#",  " # ", "\"",    "'",     "|\n", ">",  "&a ",      "*a ",
    "!!js ", "!",  "? ", ",",   "---\n", "...\n", "%",   "中", "\xf0\x9f", "@",
  };
  gsize at = (gsize) g_rand_int_range (rand, 0, (int) text->len + 1);

  switch (g_rand_int_range (rand, 0, 5))
    {
    case 0:
      g_string_insert (text, (gssize) at, pick (rand, pieces, G_N_ELEMENTS (pieces)));
      break;
    case 1:
      if (at < text->len)
        g_string_erase (text, (gssize) at, 1);
      break;
    case 2:
      if (at < text->len)
        text->str[at] = (char) g_rand_int_range (rand, 0, 256);
      break;
    case 3:
      g_string_truncate (text, at);
      break;
    default:
      {
        g_autofree char *tail = g_strndup (text->str + at, MIN (text->len - at, 16));

        g_string_insert (text, g_rand_int_range (rand, 0, (int) text->len + 1), tail);
      }
    }
}

/* Whatever comes: an error with its place, or positions that hold. Never a crash. */
static void
test_mutated (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  guint good = 0;
  guint bad = 0;

  for (guint i = 0; i < MUTATED; i++)
    {
      const YamlTree *tree = &yaml_trees[i % G_N_ELEMENTS (yaml_trees)];
      g_autoptr (GString) text = i % 3 == 0 ? generate (rand) : g_string_new (tree->text);
      g_autoptr (KbYamlDocument) document = NULL;
      g_autoptr (GError) error = NULL;

      for (int n = g_rand_int_range (rand, 1, 5); n > 0; n--)
        mutate (rand, text);
      document = parse (text, &error);
      g_assert_true ((document == NULL) == (error != NULL));
      if (document != NULL)
        check_document (document);
      good += document != NULL;
      bad += document == NULL;
    }
  g_assert_cmpuint (good, >, MUTATED / 10);
  g_assert_cmpuint (bad, >, MUTATED / 10);
}

static GString *
repeat (const char *piece, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, piece);
  return text;
}

static void
test_deep (void)
{
  static const char *const pieces[] = { "[", "{a: ", "- ", "? ", "[a,", "{\"a\":[" };

  for (gsize i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (GString) text = repeat (pieces[i], 20000);
      g_autoptr (GError) error = NULL;
      g_autoptr (KbYamlDocument) document = parse (text, &error);

      g_assert_error (error, KB_YAML_ERROR, KB_YAML_ERROR_TOO_DEEP);
    }
}

static void
test_deepest (void)
{
  g_autoptr (GString) text = repeat ("[", 256);
  g_autoptr (GString) closing = repeat ("]", 256);
  g_autoptr (GError) error = NULL;
  g_autoptr (KbYamlDocument) document = NULL;

  g_string_append (text, closing->str);
  document = parse (text, &error);
  g_assert_no_error (error);
  check_document (document);
}

static void
test_large (void)
{
  g_autoptr (GString) comment = g_string_new ("# ");
  g_autoptr (GString) items = repeat ("- a\n", 200001);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) too_many = NULL;
  g_autoptr (KbYamlDocument) fits = NULL;
  g_autoptr (KbYamlDocument) document = NULL;

  g_string_set_size (comment, KB_YAML_MAX_BYTES);
  memset (comment->str + 2, 'x', comment->len - 2);
  fits = parse (comment, &error);
  g_assert_no_error (error);
  g_assert_null (kb_yaml_document_get_root (fits));

  g_string_append_c (comment, 'x');
  document = parse (comment, &error);
  g_assert_error (error, KB_YAML_ERROR, KB_YAML_ERROR_TOO_LARGE);
  g_assert_null (document);

  document = parse (items, &too_many);
  g_assert_error (too_many, KB_YAML_ERROR, KB_YAML_ERROR_TOO_LARGE);
}

/* Ten aliases of ten aliases of ...: no alias is followed, so nothing grows. */
static void
test_alias_bomb (void)
{
  g_autoptr (GString) text = g_string_new ("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (KbYamlDocument) document = NULL;

  for (int i = 1; i < 60; i++)
    {
      g_string_append_printf (text, "a%d: &a%d [", i, i);
      for (int j = 0; j < 10; j++)
        g_string_append_printf (text, "%s*a%d", j == 0 ? "" : ", ", i - 1);
      g_string_append (text, "]\n");
    }
  document = parse (text, &error);
  g_assert_no_error (error);
  check_document (document);
  g_assert_cmpuint (kb_yaml_node_get_length (kb_yaml_document_get_root (document)), ==, 60);
}

/* libfyaml takes minutes for this line when left to it. */
static void
test_directive (void)
{
  g_autoptr (GString) text = repeat ("%% ", 100000);
  g_autoptr (GString) late = g_string_new ("# c\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) second = NULL;
  g_autoptr (KbYamlDocument) document = parse (text, &error);

  g_assert_error (error, KB_YAML_ERROR, KB_YAML_ERROR_SYNTAX);
  g_string_append_len (late, text->str, (gssize) text->len);
  g_assert_null (document);
  document = parse (late, &second);
  g_assert_error (second, KB_YAML_ERROR, KB_YAML_ERROR_SYNTAX);
}

static void
test_long_line (void)
{
  g_autoptr (GString) text = g_string_new ("[");
  g_autoptr (GError) error = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  const KbYamlNode *last;

  for (int i = 0; i < 20000; i++)
    g_string_append (text, "{中: 😀}, ");
  g_string_append (text, "x]");
  document = parse (text, &error);
  g_assert_no_error (error);
  last = kb_yaml_node_get_item (kb_yaml_document_get_root (document), 20000);
  g_assert_cmpuint (kb_yaml_node_get_span (last)->column, ==, 2 + 20000 * 8);
  g_assert_cmpuint (kb_yaml_node_get_span (last)->start, ==, text->len - 2);
}

/* What libfyaml would keep sixty times of is read another way, but to the same end. */
static void
test_long_line_is_key (void)
{
  g_autoptr (GString) text = g_string_new ("\xef\xbb\xbf {a: ");
  g_autoptr (GString) broken = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) wrong = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (KbYamlDocument) none = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const KbYamlNode *root;
  KbYamlSpan where;

  for (int i = 0; i < 20000; i++)
    g_string_append_c (text, 'x');
  broken = g_string_new_len (text->str, (gssize) text->len);
  g_string_append (text, "}: value\n");
  document = parse (text, &error);
  g_assert_no_error (error);
  root = kb_yaml_document_get_root (document);
  g_assert_cmpint (kb_yaml_node_get_kind (root), ==, KB_YAML_MAPPING);
  g_assert_cmpuint (kb_yaml_node_get_length (root), ==, 1);
  g_assert_cmpuint (kb_yaml_node_get_span (root)->start, ==, 4);

  g_string_append (broken, " ]\n");
  bytes = g_bytes_new (broken->str, broken->len);
  none = kb_yaml_document_parse (bytes, &where, &wrong);
  g_assert_error (wrong, KB_YAML_ERROR, KB_YAML_ERROR_SYNTAX);
  g_assert_cmpuint (where.line, ==, 1);
  g_assert_cmpuint (where.column, ==, 20000 + 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/yaml-hostile/generated", test_generated);
  g_test_add_func ("/store/yaml-hostile/mutated", test_mutated);
  g_test_add_func ("/store/yaml-hostile/deep", test_deep);
  g_test_add_func ("/store/yaml-hostile/deepest", test_deepest);
  g_test_add_func ("/store/yaml-hostile/large", test_large);
  g_test_add_func ("/store/yaml-hostile/alias-bomb", test_alias_bomb);
  g_test_add_func ("/store/yaml-hostile/directive", test_directive);
  g_test_add_func ("/store/yaml-hostile/long-line", test_long_line);
  g_test_add_func ("/store/yaml-hostile/long-line-is-key", test_long_line_is_key);

  return g_test_run ();
}

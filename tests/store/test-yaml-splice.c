// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "yaml-splice-check.h"
#include "yaml-writer.h"

#define N_PAGES 1500
#define N_EDITS 20

/* Pieces of YAML that open, close or shift something. */
static const char *const pieces[] = {
  "",          "\n",
  "- ",        "  ",
  "x",         ": ",
  "\n- y\n",   "\n  - z",
  "# c\n",     "  # c\n",
  "|\n",       "|+\n\n",
  "  text\n",  ">-\n",
  "\"",        "'",
  "[",         "]",
  "{a: 1}",    ",",
  "\n},\n",    "---\n",
  "...\n",     "%YAML 1.2\n",
  "&a ",       "*a",
  "!!str ",    "? ",
  "\n: v\n",   "\t",
  "\r\n",      "- - -\n",
  "k: v\n",    "- a: 1\n",
  "云",        "- |\n  b\n",
  "{b: 2},\n", "\n  {c: 3}, # d\n",
  "- ? a\n",   "-\n",
};

/* Documents of the layouts that a part is enough for, as people have them. */
static const char *const texts[] = {
  "# top\n- id: a # one\n  config: { n: 1 }\n\n# two\n- id: b\n  text: |\n    x\n    y\n- c\n-\n- "
  "d\n",
  "a: 1\nb:\n- x\n- y\n# c\nc: {}\nd:\n  e: 'f\n\n    g'\n? h\n: i\nj:\n",
  "[\n  # one\n  { id: a, n: [1, 2] }, # a\n  { id: b },\n\n  [ c,\n d ],\n  { e: 'f\n  g' }\n]\n",
  "- a\n- b\r\n- c\n- >+\n  d\n\n\n- e",
  "- - a\n  - b\n- - c\n  -\n- d: 1\n  e:\n",
  "[\n{a: 1},\n{b: 2},\n# end\n] # tail\n",
  "- \"a\n  b\"\n- {c: d,\n   e: f}\n- 'g'\n# last\n",
};

static KbSplices *
make_splices (GRand *rand, const char *text)
{
  KbSplices *splices = kb_splices_new ();
  gsize length = strlen (text);
  gsize start = (gsize) g_rand_int_range (rand, 0, (gint32) length + 1);
  gsize size = (gsize) g_rand_int_range (rand, 0, 12);
  const char *piece = pieces[g_rand_int_range (rand, 0, G_N_ELEMENTS (pieces))];

  if (g_rand_boolean (rand))
    size = 0;
  /* Half of them at a border of lines, where most edits are. */
  while (g_rand_boolean (rand) && start > 0 && text[start - 1] != '\n')
    start--;
  kb_splices_add (splices, start, MIN (start + size, length), piece);
  return splices;
}

static guint
try_text (GRand *rand, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (KbYamlDocument) document = kb_yaml_document_parse_alone (bytes);
  guint spliced = 0;

  for (guint i = 0; document != NULL && i < N_EDITS; i++)
    {
      g_autoptr (KbSplices) splices = make_splices (rand, text);
      g_autoptr (GBytes) after = kb_splices_apply (splices, bytes);

      if (!g_utf8_validate (g_bytes_get_data (after, NULL), (gssize) g_bytes_get_size (after),
                            NULL))
        continue;
      spliced += check_splice (document, splices, after);
    }
  return spliced;
}

static void
test_random (void)
{
  const char *seed = g_getenv ("KOBOSHI_TEST_SEED");
  g_autoptr (GRand) rand = g_rand_new_with_seed (
      seed != NULL ? (guint32) g_ascii_strtoull (seed, NULL, 10) : 20261201);
  guint spliced = 0;

  for (guint i = 0; i < N_PAGES; i++)
    {
      g_autoptr (YamlPage) page = yaml_page_new (rand);

      spliced += try_text (rand, page->text);
      spliced += try_text (rand, texts[i % G_N_ELEMENTS (texts)]);
    }
  g_test_message ("%u edits of parts", spliced);
  g_assert_cmpuint (spliced, >, N_PAGES * N_EDITS / 10);
}

static const struct
{
  const char *before;
  gsize start;
  gsize end;
  const char *text;
  gboolean spliced;
} cases[] = {
  { "- a\n- b\n- c\n", 6, 7, "x", TRUE },
  { "- a\n- b\n- c\n", 4, 8, "", TRUE },
  { "- a\n- b\n- c\n", 8, 12, "", TRUE },
  { "- a\n- b\n- c\n", 7, 7, "\n  more", TRUE },
  { "- a\n- b\n- c\n", 7, 7, ": |", FALSE },
  { "- a\n- b\n- c\n", 6, 7, "\"open", FALSE },
  { "- a\n- b\n- c\n", 6, 7, "[open", FALSE },
  { "- a\n- b\n- c\n", 6, 8, "b", TRUE },
  { "- a\n- b\n- c\n", 8, 8, "---\n", FALSE },
  { "- a\n- b\n- c\n", 8, 8, "...\n", FALSE },
  { "- a\n- b\n- c\n", 6, 7, "|\n  text", FALSE },
  { "- a\n- b\n- c\n", 6, 7, "&x b", FALSE },
  { "a: 1\nb: 2\nc: 3\n", 8, 9, "4\n: x", FALSE },
  { "a: 1\nb: 2\nc: 3\n", 5, 10, "", TRUE },
  { "%YAML 1.2\n---\n- a\n- b\n", 16, 17, "x", FALSE },
  { "[\n{a: 1},\n{b: 2},\n{c: 3}\n]\n", 14, 15, "9", TRUE },
  { "[\n{a: 1},\n{b: 2},\n{c: 3}\n]\n", 10, 18, "", TRUE },
  { "[\n{a: 1},\n{b: 2},\n{c: 3}\n]\n", 10, 18, "{b: 2}\n", FALSE },
  { "[\n{a: 1},\n{b: 2},\n{c: 3}\n]\n", 10, 18, "],[\n", FALSE },
  { "[\n{a: 1},\n{b: 2},\n{c: 3}\n]\n", 25, 26, "", FALSE },
  { "[\n{a: 1},\n{b: 2},\n{c: 3}\n]\n", 2, 2, "{z: 0},\n", TRUE },
  { "[ {a: 1},\n{b: 2} ]\n", 14, 15, "9", FALSE },
  { "- &x a\n- *x\n- c\n", 14, 15, "d", FALSE },
};

static void
test_cases (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) before = g_bytes_new (cases[i].before, strlen (cases[i].before));
      g_autoptr (KbYamlDocument) document = kb_yaml_document_parse_alone (before);
      g_autoptr (KbSplices) splices = kb_splices_new ();
      g_autoptr (GBytes) after = NULL;

      kb_splices_add (splices, cases[i].start, cases[i].end, cases[i].text);
      after = kb_splices_apply (splices, before);
      g_test_message ("%" G_GSIZE_FORMAT ": %.*s", i, (int) g_bytes_get_size (after),
                      (const char *) g_bytes_get_data (after, NULL));
      g_assert_cmpint (check_splice (document, splices, after), ==, cases[i].spliced);
    }
}

static void
test_sharing (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("- a\n", 4);
  g_autoptr (GBytes) same = g_bytes_new ("- a\n", 4);
  KbYamlDocument *first = kb_yaml_document_parse (bytes, NULL, NULL);
  g_autoptr (KbYamlDocument) second = kb_yaml_document_parse (same, NULL, NULL);
  g_autoptr (KbYamlDocument) secret = kb_yaml_document_parse_secret (same, &(KbYamlSpan) { 0 });

  g_assert_true (first == second);
  g_assert_true (secret != first);
  kb_yaml_document_free (first);
  g_assert_cmpuint (kb_yaml_node_get_length (kb_yaml_document_get_root (second)), ==, 1);
}

/* Edit after edit: what a document needs of those before it lives as long as it does. */
static void
test_generations (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (GBytes) bytes = NULL;

  for (guint i = 0; i < 4000; i++)
    g_string_append_printf (text, "- { id: row-%u, name: \"n\" } # c\n", i);
  bytes = g_string_free_to_bytes (g_steal_pointer (&text));
  document = kb_yaml_document_parse (bytes, NULL, NULL);
  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (KbSplices) splices = kb_splices_new ();
      g_autoptr (KbYamlDocument) next = NULL;
      g_autoptr (KbYamlDocument) whole = NULL;
      const KbYamlNode *row = document->root->children[i * 300];

      kb_splices_add (splices, row->span.start, row->span.end, "{ id: new,\n    more: 1 }");
      next = kb_yaml_document_splice (document, splices, NULL);
      whole = kb_yaml_document_parse_alone (kb_yaml_document_get_bytes (next));
      assert_same_node (next->root, whole->root);
      g_assert_cmpuint (next->n_ancestors, <=, 4);
      kb_yaml_document_free (document);
      document = g_steal_pointer (&next);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/yaml-splice/cases", test_cases);
  g_test_add_func ("/store/yaml-splice/sharing", test_sharing);
  g_test_add_func ("/store/yaml-splice/generations", test_generations);
  g_test_add_func ("/store/yaml-splice/random", test_random);

  return g_test_run ();
}

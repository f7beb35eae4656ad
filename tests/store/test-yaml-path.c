// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-path.h"

static void
test_round_trip (void)
{
  static const char *const texts[] = {
    "",       "a",
    "a.b",    "[0]",
    "a[3].b", "providers[\"pool.a\"].models[0].id",
    "[\"\"]", "a[\"q\\\"\\\\\"]",
    "键.值",  "x-foo.b-2",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KbYamlPath) path = kb_yaml_path_parse (texts[i], &error);
      g_autoptr (KbYamlPath) copy = NULL;
      g_autofree char *text = NULL;

      g_assert_no_error (error);
      copy = kb_yaml_path_copy (path);
      text = kb_yaml_path_to_string (copy);
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

static void
test_steps (void)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_parse ("providers[\"pool.a\"].models[12]", NULL);

  g_assert_cmpuint (kb_yaml_path_get_length (path), ==, 4);
  g_assert_cmpstr (kb_yaml_path_get_step (path, 1)->key, ==, "pool.a");
  g_assert_null (kb_yaml_path_get_step (path, 3)->key);
  g_assert_cmpuint (kb_yaml_path_get_step (path, 3)->index, ==, 12);
}

static void
test_nonsense (void)
{
  static const char *const texts[] = {
    ".",       "a.",  ".a",    "a..b",           "a[",   "a[]", "a[1", "a[-1]", "a[x]", "a[\"b]",
    "a[\"b\"", "a]b", "a[0]b", "a[99999999999]", "a\"b",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", texts[i]);
      g_assert_null (kb_yaml_path_parse (texts[i], &error));
      g_assert_error (error, KB_YAML_PATH_ERROR, KB_YAML_PATH_ERROR_SYNTAX);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/yaml-path/round-trip", test_round_trip);
  g_test_add_func ("/store/yaml-path/steps", test_steps);
  g_test_add_func ("/store/yaml-path/nonsense", test_nonsense);
  return g_test_run ();
}

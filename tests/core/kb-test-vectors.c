// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "kb-test-vectors.h"

static JsonParser *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  JsonParser *parser = json_parser_new ();

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return parser;
}

static JsonObject *
root_of (JsonParser *parser)
{
  return json_node_get_object (json_parser_get_root (parser));
}

/* What is right here: of the deviation where there is one, else of the vector. */
static JsonObject *
expect_of (JsonObject *vector, JsonObject *deviations)
{
  const char *id = json_object_get_string_member (vector, "id");
  JsonObject *deviation;

  if (!json_object_has_member (deviations, id))
    return json_object_get_object_member (vector, "expect");
  deviation = json_object_get_object_member (deviations, id);
  g_assert_true (json_object_has_member (deviation, "rule"));
  g_assert_nonnull (json_object_get_string_member (deviation, "why"));
  return json_object_get_object_member (deviation, "expect");
}

/* Nothing is listed that is not run, or that does not differ. */
static void
assert_needed (JsonObject *vector, JsonObject *deviations)
{
  JsonNode *expected = json_object_get_member (vector, "expect");
  const char *id = json_object_get_string_member (vector, "id");
  JsonObject *deviation;

  if (!json_object_has_member (deviations, id))
    return;
  deviation = json_object_get_object_member (deviations, id);
  g_assert_false (json_node_equal (expected, json_object_get_member (deviation, "expect")));
}

/* Runs the vectors of one operation; returns how many. */
guint
kb_test_vectors_run (const char *plugin, const char *op, KbTestVectorFunc func)
{
  g_autofree char *file = g_strconcat (plugin, ".json", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "vectors", file, NULL);
  g_autofree char *other = g_test_build_filename (G_TEST_DIST, "core", "deviations.json", NULL);
  g_autoptr (JsonParser) parser = load (path);
  g_autoptr (JsonParser) deviating = load (other);
  JsonArray *vectors = json_object_get_array_member (root_of (parser), "vectors");
  JsonObject *deviations = json_object_get_object_member (root_of (deviating), plugin);
  guint n_run = 0;

  for (guint i = 0; i < json_array_get_length (vectors); i++)
    {
      JsonObject *vector = json_array_get_object_element (vectors, i);

      if (!g_str_equal (json_object_get_string_member (vector, "op"), op))
        continue;
      g_test_message ("%s: %s", json_object_get_string_member (vector, "id"),
                      json_object_get_string_member (vector, "why"));
      assert_needed (vector, deviations);
      func (json_object_get_object_member (vector, "in"), expect_of (vector, deviations));
      n_run++;
    }
  return n_run;
}

/* The ids of all vectors of a plugin. */
char **
kb_test_vectors_list (const char *plugin)
{
  g_autofree char *file = g_strconcat (plugin, ".json", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "vectors", file, NULL);
  g_autoptr (JsonParser) parser = load (path);
  JsonArray *vectors = json_object_get_array_member (root_of (parser), "vectors");
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < json_array_get_length (vectors); i++)
    g_strv_builder_add (
        ids, json_object_get_string_member (json_array_get_object_element (vectors, i), "id"));
  return g_strv_builder_end (ids);
}

char **
kb_test_vectors_get_strings (JsonObject *object, const char *member)
{
  JsonArray *array = json_object_get_array_member (object, member);
  g_autoptr (GStrvBuilder) strings = g_strv_builder_new ();

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_strv_builder_add (strings, json_array_get_string_element (array, i));
  return g_strv_builder_end (strings);
}

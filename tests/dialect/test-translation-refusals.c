// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "translate-fixture.h"

/* What has no equivalent is refused by its name. */
static void
test_refusals (void)
{
  g_autoptr (JsonNode) root = fixture_load ("refusals.json");
  JsonArray *list = json_node_get_array (root);

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *it = json_array_get_object_element (list, i);
      const char *names = kb_json_take_text (it, "names");
      g_autoptr (GError) error = NULL;
      g_autoptr (KbTranslation) translation
          = fixture_translate (fixture_parse_dialect (kb_json_take_text (it, "from")),
                               fixture_parse_dialect (kb_json_take_text (it, "to")), "m",
                               json_object_get_member (it, "body"), &error);

      g_test_message ("%s", names);
      g_assert_null (translation);
      g_assert_true (error != NULL && error->domain == KB_DIALECT_ERROR);
      if (strstr (error->message, names) == NULL)
        g_assert_cmpstr (error->message, ==, names);
    }
}

static void
assert_answered (JsonNode *root, KbDialectKind from, KbDialectKind to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbTranslation) translation = fixture_translate (from, to, "m", root, &error);

  g_assert_true ((translation == NULL) == (error != NULL));
}

/* Whatever stands where it should not: no crash, and an error where there is no translation. */
static void
replace_each (JsonNode *node, JsonNode *root, KbDialectKind from, KbDialectKind to)
{
  static const char *const odd[] = { "null", "5", "\"x\"", "[]", "{}", "[5]", "[null]", "true" };
  g_autoptr (GList) names = JSON_NODE_HOLDS_OBJECT (node)
                                ? json_object_get_members (json_node_get_object (node))
                                : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *object = json_node_get_object (node);
      g_autofree char *name = g_strdup (l->data);
      g_autoptr (JsonNode) kept = json_node_copy (json_object_get_member (object, name));

      for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
        {
          json_object_set_member (object, name, kb_json_parse (odd[i], strlen (odd[i])));
          assert_answered (root, from, to);
        }
      json_object_set_member (object, name, g_steal_pointer (&kept));
      replace_each (json_object_get_member (object, name), root, from, to);
    }
  for (guint i = 0;
       JSON_NODE_HOLDS_ARRAY (node) && i < json_array_get_length (json_node_get_array (node)); i++)
    replace_each (json_array_get_element (json_node_get_array (node), i), root, from, to);
}

static void
check_odd (const char *what, JsonObject *it, KbDialectKind from, KbDialectKind to)
{
  JsonNode *body = fixture_get (it, from);

  g_test_message ("%s", what);
  replace_each (body, body, from, to);
}

static void
test_odd_requests (void)
{
  fixture_for_each ("requests.json", check_odd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dialect/translation/refusals", test_refusals);
  g_test_add_func ("/dialect/translation/odd-requests", test_odd_requests);
  return g_test_run ();
}

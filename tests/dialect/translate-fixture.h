// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "dialect/kb-json-take.h"
#include "dialect/kb-translation.h"
#include "store/kb-json.h"

/* The corpus: files of tests/fixtures/translate, in which one thing stands in several dialects. */

#define FIXTURE_TIME_S 1700000000

static inline KbDialectKind
fixture_parse_dialect (const char *word)
{
  for (guint i = 0; i < KB_N_DIALECT_KINDS; i++)
    {
      if (g_str_equal (kb_dialect_kind_to_string (i), word))
        return i;
    }
  g_assert_not_reached ();
}

static inline JsonNode *
fixture_load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "translate", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  JsonNode *root;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  root = kb_json_parse (text, length);
  g_assert_nonnull (root);
  return root;
}

static inline GBytes *
fixture_pack (JsonNode *node)
{
  char *text = kb_json_to_text (node);

  return g_bytes_new_take (text, strlen (text));
}

static inline void
fixture_assert_equal (const char *what, GBytes *bytes, JsonNode *wanted)
{
  g_autoptr (JsonNode) node
      = kb_json_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autofree char *got = node != NULL ? kb_json_to_text (node) : g_strdup ("no JSON");
  g_autofree char *text = kb_json_to_text (wanted);

  g_test_message ("%s", what);
  if (node == NULL || !json_node_equal (node, wanted))
    g_assert_cmpstr (got, ==, text);
}

static inline KbTranslation *
fixture_translate (
    KbDialectKind client, KbDialectKind provider, const char *model, JsonNode *body, GError **error)
{
  g_autoptr (GBytes) request = fixture_pack (body);
  KbTranslationSpec spec = { client, provider, model, FIXTURE_TIME_S };

  return kb_translation_new (&spec, request, error);
}

typedef void (*FixtureFunc) (const char *what,
                             JsonObject *it,
                             KbDialectKind from,
                             KbDialectKind to);

static inline gboolean
fixture_is_wanted (JsonObject *it, const char *from, const char *to)
{
  g_autofree char *pair = g_strconcat (from, ">", to, NULL);
  JsonArray *pairs = kb_json_take_array (it, "pairs");

  if (from == to || !json_object_has_member (it, from) || !json_object_has_member (it, to))
    return FALSE;
  for (guint i = 0; pairs != NULL && i < json_array_get_length (pairs); i++)
    {
      if (g_str_equal (json_array_get_string_element (pairs, i), pair))
        return TRUE;
    }
  return pairs == NULL;
}

/* Every thing of a file, from each of its dialects into each other, or as its pairs say. */
static inline guint
fixture_for_each (const char *name, FixtureFunc func)
{
  g_autoptr (JsonNode) root = fixture_load (name);
  JsonArray *list = json_node_get_array (root);
  guint n = 0;

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *it = json_array_get_object_element (list, i);

      for (guint k = 0; k < KB_N_DIALECT_KINDS * KB_N_DIALECT_KINDS; k++)
        {
          KbDialectKind from = k / KB_N_DIALECT_KINDS, to = k % KB_N_DIALECT_KINDS;
          const char *words[]
              = { kb_dialect_kind_to_string (from), kb_dialect_kind_to_string (to) };
          g_autofree char *what = NULL;

          if (!fixture_is_wanted (it, words[0], words[1]))
            continue;
          what = g_strdup_printf ("%s: %s to %s", kb_json_take_text (it, "name"), words[0],
                                  words[1]);
          func (what, it, from, to);
          n++;
        }
    }
  return n;
}

static inline JsonNode *
fixture_get (JsonObject *it, KbDialectKind dialect)
{
  return json_object_get_member (it, kb_dialect_kind_to_string (dialect));
}

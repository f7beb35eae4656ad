// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-json.h"

#include <string.h>

static KbSimJson *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  KbSimJson *value = kb_sim_json_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_nonnull (value);
  return value;
}

static void
test_values (void)
{
  g_autoptr (KbSimJson) value
      = parse (" {\"a\": [1, -2.5e1, true, false, null, \"x\"],\n"
               "\"b\": {}, \"c\": [], \"n\": 12, \"t\": true, \"a b\": \"y\"} ");
  const KbSimJson *list = kb_sim_json_get (value, "a");

  g_assert_cmpint (value->type, ==, KB_SIM_JSON_OBJECT);
  g_assert_cmpuint (kb_sim_json_get_length (list), ==, 6);
  g_assert_cmpfloat (kb_sim_json_at (list, 0)->number, ==, 1);
  g_assert_cmpfloat (kb_sim_json_at (list, 1)->number, ==, -25);
  g_assert_cmpstr (kb_sim_json_at (list, 1)->text, ==, "-2.5e1");
  g_assert_cmpint (kb_sim_json_at (list, 4)->type, ==, KB_SIM_JSON_NULL);
  g_assert_cmpstr (kb_sim_json_at (list, 5)->text, ==, "x");
  g_assert_null (kb_sim_json_at (list, 6));
  g_assert_cmpuint (kb_sim_json_get_length (kb_sim_json_get (value, "b")), ==, 0);
  g_assert_cmpint (kb_sim_json_get_count (value, "n"), ==, 12);
  g_assert_cmpint (kb_sim_json_get_count (value, "t"), ==, -1);
  g_assert_true (kb_sim_json_get_boolean (value, "t"));
  g_assert_cmpstr (kb_sim_json_get_text (value, "a b"), ==, "y");
  g_assert_null (kb_sim_json_get_text (value, "n"));
  g_assert_null (kb_sim_json_get (NULL, "n"));
}

/* What JavaScript reads from the same text. */
static void
test_strings (void)
{
  static const struct
  {
    const char *text;
    const char *value;
  } cases[] = {
    { "\"\"", "" },
    { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t" },
    { "\"\\u5c0f\\u6cd5\"", "小法" },
    { "\"\\ud83c\\udf8e!\"", "🎎!" },
    { "\"\\ud83c\"", "\xef\xbf\xbd" },
    { "\"\\ud83cx\"", "\xef\xbf\xbdx" },
    { "\"\\udf8e\\ud83c\"", "\xef\xbf\xbd\xef\xbf\xbd" },
    { "\"\\ud83c\\u0041\"", "\xef\xbf\xbd"
                            "A" },
    { "\"\\u0000\"", "\xef\xbf\xbd" },
    { "\"模型 🐶\"", "模型 🐶" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbSimJson) value = parse (cases[i].text);

      g_assert_cmpstr (value->text, ==, cases[i].value);
    }
}

static void
test_refused (void)
{
  static const char *const cases[] = {
    "",          " ",      "{",           "[1,",   "[1,]",  "{\"a\"}",    "{\"a\":}", "{a:1}",
    "[1 2]",     "tru",    "nul",         "-",     "1.2.3", "+1",         "\"",       "\"\\x\"",
    "\"\\u12\"", "\"\n\"", "[\"a\xff\"]", "{} {}", "]",     "{\"a\":1,}", "\"\\",     "\"\\u12g4\"",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kb_sim_json_parse (cases[i], strlen (cases[i]), &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
      g_assert_true (g_str_has_prefix (error->message, "line "));
    }
}

static void
test_line (void)
{
  static const char text[] = "{\n\"a\": 1,\n\"b\" 2}";
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_sim_json_parse (text, strlen (text), &error));
  g_assert_cmpstr (error->message, ==, "line 3: “:” was expected");
}

/* Every length of a text that is cut off, and a NUL in it, is refused or read, never more. */
static void
test_cut (void)
{
  static const char text[]
      = "{\"a\":[1,{\"b\":\"\\u5c0f\\ud83c\\udf8e\"},true,null,-1e5],\"c\":\"x\"}";

  for (gsize length = 0; length < strlen (text); length++)
    {
      g_autofree char *part = g_memdup2 (text, length);

      g_assert_null (kb_sim_json_parse (part != NULL ? part : "", length, NULL));
    }
  g_assert_null (kb_sim_json_parse ("[1\0]", 4, NULL));
}

static void
test_bounds (void)
{
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autoptr (GString) many = g_string_new ("[0");
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_sim_json_parse (deep, strlen (deep), &error));
  g_assert_cmpstr (error->message, ==, "line 1: nested too deep");
  g_clear_error (&error);
  for (guint i = 0; i < 600000; i++)
    g_string_append (many, ",0");
  g_string_append_c (many, ']');
  g_assert_null (kb_sim_json_parse (many->str, many->len, &error));
  g_assert_cmpstr (error->message, ==, "line 1: too many values");
}

/* What is written reads as what it was. */
static void
test_format (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (KbSimJson) value = NULL;

  kb_sim_json_format (out, "{'a':%q,'b':%d,'c':%r,'d':%q}", "it's \"x\"\n\t\\ 小 \x01", (gint64) -7,
                      "[1]", NULL);
  value = parse (out->str);
  g_assert_cmpstr (kb_sim_json_get_text (value, "a"), ==, "it's \"x\"\n\t\\ 小 \x01");
  g_assert_cmpfloat (kb_sim_json_get (value, "b")->number, ==, -7);
  g_assert_cmpuint (kb_sim_json_get_length (kb_sim_json_get (value, "c")), ==, 1);
  g_assert_cmpint (kb_sim_json_get (value, "d")->type, ==, KB_SIM_JSON_NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulator/json/values", test_values);
  g_test_add_func ("/simulator/json/strings", test_strings);
  g_test_add_func ("/simulator/json/refused", test_refused);
  g_test_add_func ("/simulator/json/line", test_line);
  g_test_add_func ("/simulator/json/cut", test_cut);
  g_test_add_func ("/simulator/json/bounds", test_bounds);
  g_test_add_func ("/simulator/json/format", test_format);
  return g_test_run ();
}

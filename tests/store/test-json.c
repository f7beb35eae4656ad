// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-json-place.h"
#include "store/kb-json.h"

#include <math.h>
#include <string.h>

#define MANY 16384

typedef struct
{
  const char *text;
  KbJsonVerdict verdict;
  int end; /* -1: the whole text */
} ScanCase;

static const ScanCase scan_cases[] = {
  { "{}", KB_JSON_FINE, -1 },
  { "[]", KB_JSON_FINE, -1 },
  { " \r\n\t{ \"a\" : [ 1 , -2.5e+3, true,false ,null, \"x\" ] }", KB_JSON_FINE, -1 },
  { "{\"a\":{\"b\":[[],{}]}}", KB_JSON_FINE, -1 },
  { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", KB_JSON_FINE, -1 },
  { "0", KB_JSON_FINE, -1 },
  { "-0.0", KB_JSON_FINE, -1 },
  { "null", KB_JSON_FINE, -1 },
  { "{} {}", KB_JSON_FINE, 2 },
  { "{}x", KB_JSON_FINE, 2 },
  { "01", KB_JSON_FINE, 1 },
  { "", KB_JSON_CUT_OFF, -1 },
  { "  ", KB_JSON_CUT_OFF, -1 },
  { "{", KB_JSON_CUT_OFF, -1 },
  { "{\"a\"", KB_JSON_CUT_OFF, -1 },
  { "{\"a\":", KB_JSON_CUT_OFF, -1 },
  { "{\"a\":1", KB_JSON_CUT_OFF, -1 },
  { "{\"a\":1,", KB_JSON_CUT_OFF, -1 },
  { "[1,", KB_JSON_CUT_OFF, -1 },
  { "\"abc", KB_JSON_CUT_OFF, -1 },
  { "\"abc\\", KB_JSON_CUT_OFF, -1 },
  { "\"abc\\u12", KB_JSON_CUT_OFF, -1 },
  { "tru", KB_JSON_CUT_OFF, -1 },
  { "-", KB_JSON_CUT_OFF, -1 },
  { "1.", KB_JSON_CUT_OFF, -1 },
  { "1e", KB_JSON_CUT_OFF, -1 },
  { "{\"a\":1,}", KB_JSON_UNEXPECTED, 7 },
  { "[1,]", KB_JSON_UNEXPECTED, 3 },
  { "[,1]", KB_JSON_UNEXPECTED, 1 },
  { "{,}", KB_JSON_UNEXPECTED, 1 },
  { "[1 2]", KB_JSON_UNEXPECTED, 3 },
  { "[1}", KB_JSON_UNEXPECTED, 2 },
  { "{\"a\":1]", KB_JSON_UNEXPECTED, 6 },
  { "{\"a\" 1}", KB_JSON_UNEXPECTED, 5 },
  { "{a:1}", KB_JSON_UNEXPECTED, 1 },
  { "{'a':1}", KB_JSON_UNEXPECTED, 1 },
  { "// comment\n{}", KB_JSON_UNEXPECTED, 0 },
  { "var a = {};", KB_JSON_UNEXPECTED, 0 },
  { "[NaN]", KB_JSON_UNEXPECTED, 1 },
  { "[+1]", KB_JSON_UNEXPECTED, 1 },
  { "[.5]", KB_JSON_UNEXPECTED, 1 },
  { "[1.e]", KB_JSON_UNEXPECTED, 3 },
  { "\"a\nb\"", KB_JSON_UNEXPECTED, 2 },
  { "\"\\x\"", KB_JSON_UNEXPECTED, 2 },
  { "\"\\u12g4\"", KB_JSON_UNEXPECTED, 5 },
  { "]", KB_JSON_UNEXPECTED, 0 },
  { "}", KB_JSON_UNEXPECTED, 0 },
};

static void
test_scan (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (scan_cases); i++)
    {
      const ScanCase *c = &scan_cases[i];
      gsize length = strlen (c->text);
      /* Without a NUL behind it, so that a read beyond the end is noticed. */
      g_autofree char *text = g_memdup2 (c->text, MAX (length, 1));
      gsize end = 0;

      g_test_message ("%s", c->text);
      g_assert_cmpint (kb_json_scan (text, length, MANY, &end), ==, c->verdict);
      g_assert_cmpuint (end, ==, c->end < 0 ? length : (gsize) c->end);
    }
}

static void
test_scan_nul (void)
{
  gsize end;

  g_assert_cmpint (kb_json_scan ("[\0]", 3, MANY, &end), ==, KB_JSON_UNEXPECTED);
  g_assert_cmpuint (end, ==, 1);
  g_assert_cmpint (kb_json_scan ("\"a\0\"", 4, MANY, &end), ==, KB_JSON_UNEXPECTED);
  g_assert_cmpint (kb_json_scan ("\"\\\0\"", 4, MANY, &end), ==, KB_JSON_UNEXPECTED);
  g_assert_cmpint (kb_json_scan ("1\0", 2, MANY, &end), ==, KB_JSON_FINE);
  g_assert_cmpuint (end, ==, 1);
}

static void
test_scan_depth (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize end;

  for (guint i = 0; i < KB_JSON_MAX_DEPTH; i++)
    g_string_append (text, i % 2 == 0 ? "[" : "{\"a\":");
  g_string_append (text, "1");
  for (guint i = KB_JSON_MAX_DEPTH; i > 0; i--)
    g_string_append (text, i % 2 == 1 ? "]" : "}");
  g_assert_cmpint (kb_json_scan (text->str, text->len, MANY, &end), ==, KB_JSON_FINE);
  g_assert_cmpuint (end, ==, text->len);
  g_string_prepend_c (text, '[');
  g_string_append_c (text, ']');
  g_assert_cmpint (kb_json_scan (text->str, text->len, MANY, &end), ==, KB_JSON_TOO_DEEP);
  g_assert_cmpuint (end, >, KB_JSON_MAX_DEPTH);
}

static void
test_scan_members (void)
{
  g_autoptr (GString) object = g_string_new ("{");
  g_autoptr (GString) text = g_string_new ("[");
  gsize end;

  for (guint i = 0; i < 10; i++)
    g_string_append_printf (object, "%s\"%u\":0", i == 0 ? "" : ",", i);
  g_string_append_c (object, '}');
  g_assert_cmpint (kb_json_scan (object->str, object->len, 10, &end), ==, KB_JSON_FINE);
  g_assert_cmpint (kb_json_scan (object->str, object->len, 9, &end), ==, KB_JSON_TOO_MANY);
  for (guint i = 0; i < 9; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : ",", object->str);
  g_string_append_c (text, ']');
  g_assert_cmpint (kb_json_scan (text->str, text->len, 10, &end), ==, KB_JSON_TOO_MANY);
}

static char *
rewrite (const char *text)
{
  gsize end;
  g_autoptr (JsonNode) node = NULL;
  GString *json = g_string_new (NULL);

  g_assert_cmpint (kb_json_scan (text, strlen (text), MANY, &end), ==, KB_JSON_FINE);
  node = kb_json_parse (text, end);
  g_assert_nonnull (node);
  kb_json_append_node (json, node, 0);
  return g_string_free_and_steal (json);
}

static void
test_rewrite (void)
{
  static const char *const cases[][2] = {
    { "0", "0" },
    { "-7", "-7" },
    { "10.5", "10.5" },
    { "0.1", "0.1" },
    { "1.0", "1" },
    { "1e2", "100" },
    { "1e300", "1e+300" },
    { "-1.5e-9", "-1.5e-09" },
    { "5e-324", "5e-324" },
    { "1e999", "null" },
    { "9007199254740993", "9007199254740993" },
    { "9223372036854775807", "9223372036854775807" },
    { "-9223372036854775807", "-9223372036854775807" },
    { "9223372036854775808", "9223372036854775808" },
    { "18446744073709551616", "18446744073709551616" },
    { "100000000000000000000", "100000000000000000000" },
    { "true", "true" },
    { "false", "false" },
    { "null", "null" },
    { "{}", "{}" },
    { "[]", "[]" },
    { "[[],{}]", "[\n  [],\n  {}\n]" },
    { "{\"a\":[1,{\"b\":2}]}", "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ]\n}" },
    { "\"\\u00e9\\/\\u2028\"", "\"é/\xe2\x80\xa8\"" },
    { "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"",
      "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"" },
    { "\"\\ud83d\\ude00\"", "\"😀\"" },
    { "\"\\ud83d\"", "\"\xef\xbf\xbd\"" },
    { "\"\\ude00\\ud83d\"", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "\"\\ud83d\\u0041\"", "\"\xef\xbf\xbd"
                            "A\"" },
    { "\"a\\u0000b\"", "\"a\xef\xbf\xbd"
                       "b\"" },
    { "\"12345678901234567890 \\\\\"", "\"12345678901234567890 \\\\\"" },
    { "{\"b\":1,\"a\":2,\"b\":3}", "{\n  \"b\": 3,\n  \"a\": 2\n}" },
    { "{\"\":\"\"}", "{\n  \"\": \"\"\n}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *json = rewrite (cases[i][0]);

      g_assert_cmpstr (json, ==, cases[i][1]);
    }
}

static void
test_number (void)
{
  g_autoptr (JsonNode) text = json_node_init_string (json_node_alloc (), "9");
  g_autoptr (JsonNode) flag = json_node_init_boolean (json_node_alloc (), TRUE);
  g_autoptr (JsonNode) infinite = json_node_init_double (json_node_alloc (), HUGE_VAL);
  g_autoptr (JsonNode) fine = json_node_init_double (json_node_alloc (), 10.5);
  double number = -1;

  g_assert_false (kb_json_get_number (NULL, &number));
  g_assert_false (kb_json_get_number (text, &number));
  g_assert_false (kb_json_get_number (flag, &number));
  g_assert_false (kb_json_get_number (infinite, &number));
  g_assert_cmpfloat (number, ==, -1);
  g_assert_true (kb_json_get_number (fine, &number));
  g_assert_cmpfloat (number, ==, 10.5);
}

static void
test_clamp (void)
{
  g_assert_cmpint (kb_json_clamp (10.9, 100), ==, 10);
  g_assert_cmpint (kb_json_clamp (-10.9, 100), ==, 0);
  g_assert_cmpint (kb_json_clamp (1e300, 100), ==, 100);
  g_assert_cmpint (kb_json_clamp (-1e300, 100), ==, 0);
  g_assert_cmpint (kb_json_clamp (1e300, KB_JSON_MAX_SAFE_INTEGER), ==, KB_JSON_MAX_SAFE_INTEGER);
}

static void
test_find_key (void)
{
  static const struct
  {
    const char *text;
    const char *path[4];
    int offset; /* -1: there is none */
  } cases[] = {
    { "{\"a\":1}", { "a" }, 1 },
    { "{\"a\":1}", { "b" }, -1 },
    { "{\"a\":{\"b\":1}}", { "a", "b" }, 6 },
    { "{\"a\":1,\"b\":{\"b\":2}}", { "a", "b" }, -1 },
    { "{\"b\":1,\"a\":{\"b\":2}}", { "a", "b" }, 12 },
    { "{\"a\":[{\"b\":1}]}", { "a", "b" }, -1 },
    { "{\"a\":{\"x\":{\"b\":1},\"b\":2}}", { "a", "b" }, 18 },
    { "{\"a\":{\"c\":1},\"b\":{\"c\":2}}", { "b", "c" }, 18 },
    { "{\"x\":\"a\",\"a\":0}", { "a" }, 9 },
    { "{\"x\":[\"a\",\"b\"],\"b\":0}", { "b" }, 15 },
    { "{\"a\":1,\"a\":2}", { "a" }, 7 },
    { "{\"x\\\"a\":1,\"a\":2}", { "a" }, 10 },
    { "{\"\\u0061\":1}", { "a" }, 1 },
    { "{\"a\":{\"a\":{\"a\":0}}}", { "a", "a", "a" }, 11 },
    { "[\"a\"]", { "a" }, -1 },
    { "\"a\"", { "a" }, -1 },
    { "", { "a" }, -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize offset = 0;
      gboolean found
          = kb_json_find_key (cases[i].text, strlen (cases[i].text), cases[i].path, &offset);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (found ? (int) offset : -1, ==, cases[i].offset);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/json/scan/table", test_scan);
  g_test_add_func ("/store/json/scan/nul", test_scan_nul);
  g_test_add_func ("/store/json/scan/depth", test_scan_depth);
  g_test_add_func ("/store/json/scan/members", test_scan_members);
  g_test_add_func ("/store/json/rewrite", test_rewrite);
  g_test_add_func ("/store/json/number", test_number);
  g_test_add_func ("/store/json/clamp", test_clamp);
  g_test_add_func ("/store/json/find-key", test_find_key);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <json-glib/json-glib.h>
#include <string.h>

#include "store/kb-health-codec.h"
#include "store/kb-json.h"

static KbHealthDocument *
decode_bytes (const char *text, gsize length, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length);

  return kb_health_document_decode (bytes, error);
}

static KbHealthDocument *
decode (const char *text)
{
  g_autoptr (GError) error = NULL;
  KbHealthDocument *document = decode_bytes (text, strlen (text), &error);

  g_assert_no_error (error);
  return document;
}

static char *
encode (KbHealthDocument *document)
{
  g_autoptr (GBytes) bytes = kb_health_document_encode (document);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  return g_strndup (text, length);
}

/* A file with one record "a::b" in which the given text stands behind "channel". */
static char *
make_file (const char *members)
{
  return g_strdup_printf ("{\"healths\":{\"a::b\":{\"channel\":\"a::b\",%s}}}", members);
}

static void
test_golden (void)
{
  static const char *const names[] = { "channel-health.json", "real-run.channel-health.json" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path
          = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", "daruma", names[i], NULL);
      g_autofree char *text = NULL;
      g_autofree char *again = NULL;
      g_autoptr (KbHealthDocument) document = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      document = decode (text);
      again = encode (document);
      g_assert_cmpstr (again, ==, text);
      g_assert_cmpuint (kb_health_document_get_drops (document)->len, ==, 0);
    }
}

static void
test_sample (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", "daruma",
                                                 "channel-health.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (KbHealthDocument) document = NULL;
  const GPtrArray *records;
  const KbHealthRecord *record;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  document = decode (text);
  records = kb_health_document_get_records (document);
  g_assert_cmpuint (records->len, ==, 5);
  record = g_ptr_array_index (records, 0);
  g_assert_cmpstr (record->channel, ==, "lumen::orca-2");
  g_assert_cmpint (record->breaker.state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (record->breaker.failures, ==, 3);
  g_assert_cmpint (record->breaker.until_ms, ==, 1796040030000);
  g_assert_cmpint (record->breaker.updated_ms, ==, 1796040000000);
  g_assert_null (record->reason);
  record = g_ptr_array_index (records, 4);
  g_assert_cmpint (record->breaker.state, ==, KB_CHANNEL_STATE_PROBE);
  g_assert_true (kb_health_document_lookup (document, "legacy::probe-x") == record);
  g_assert_null (kb_health_document_lookup (document, "nobody"));
}

static void
test_invalid_sample (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", "daruma",
                                                 "channel-health.invalid-records.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (KbHealthDocument) document = NULL;
  const GPtrArray *drops;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  document = decode (text);
  g_assert_cmpuint (kb_health_document_get_records (document)->len, ==, 1);
  g_assert_nonnull (kb_health_document_lookup (document, "g::h"));
  drops = kb_health_document_get_drops (document);
  g_assert_cmpuint (drops->len, ==, 3);
  for (guint i = 0; i < drops->len; i++)
    {
      static const char *const whats[] = { "state", "channel", "consecutiveFailures" };
      KbHealthDrop *drop = g_ptr_array_index (drops, i);

      g_assert_nonnull (strstr (drop->why, whats[i]));
    }
}

/* Whoever mends a record by hand is told where it stands. */
static void
test_places (void)
{
  g_autoptr (KbHealthDocument) document = decode ("\xef\xbb\xbf{ \"x\": {\"a\": 0},\r\n"
                                                  "  \"healths\": {\n"
                                                  "    \"é\": {\"a\": 1}, \"a\": 2,\n"
                                                  "    \"b\\u0061r\": 3\n"
                                                  "}}\n");
  const GPtrArray *drops = kb_health_document_get_drops (document);
  static const guint places[][2] = { { 3, 5 }, { 3, 20 }, { 4, 5 } };

  g_assert_cmpuint (drops->len, ==, G_N_ELEMENTS (places));
  for (guint i = 0; i < drops->len; i++)
    {
      const KbHealthDrop *drop = g_ptr_array_index (drops, i);

      g_assert_cmpuint (drop->line, ==, places[i][0]);
      g_assert_cmpuint (drop->column, ==, places[i][1]);
    }
}

static void
test_many_places (void)
{
  g_autoptr (GString) text = g_string_new ("{\"healths\":{");
  g_autoptr (KbHealthDocument) document = NULL;
  const GPtrArray *drops;

  for (guint i = 0; i <= KB_HEALTH_PLACES_MAX; i++)
    g_string_append_printf (text, "%s\n\"c%u\":0", i > 0 ? "," : "", i);
  g_string_append (text, "}}");
  document = decode (text->str);
  drops = kb_health_document_get_drops (document);
  g_assert_cmpuint (drops->len, ==, KB_HEALTH_PLACES_MAX + 1);
  g_assert_cmpuint (((KbHealthDrop *) drops->pdata[KB_HEALTH_PLACES_MAX - 1])->line, ==,
                    KB_HEALTH_PLACES_MAX + 1);
  g_assert_cmpuint (((KbHealthDrop *) drops->pdata[KB_HEALTH_PLACES_MAX])->line, ==, 0);
}

typedef struct
{
  const char *members;
  const char *why; /* NULL: the record is good */
} RecordCase;

static const RecordCase record_cases[] = {
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":0,\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    NULL },
  { "\"state\":\"PROBE\",\"consecutiveFailures\":3.0,\"cooldownUntilMs\":1e3,\"updatedAtMs\":2",
    NULL },
  { "\"state\":\"DISABLED\",\"consecutiveFailures\":-0,\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    NULL },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":9007199254740991,\"cooldownUntilMs\":0,"
    "\"updatedAtMs\":0",
    NULL },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":9007199254740992,\"cooldownUntilMs\":0,"
    "\"updatedAtMs\":0",
    "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":18446744073709551616,\"cooldownUntilMs\":0,"
    "\"updatedAtMs\":0",
    "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":1e300,\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":1.5,\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":\"1\",\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":true,\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"cooldownUntilMs\":0,\"updatedAtMs\":0", "consecutiveFailures" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":0,\"cooldownUntilMs\":-1,\"updatedAtMs\":0",
    "cooldownUntilMs" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":0,\"cooldownUntilMs\":1e999,\"updatedAtMs\":0",
    "cooldownUntilMs" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":0,\"cooldownUntilMs\":null,\"updatedAtMs\":0",
    "cooldownUntilMs" },
  { "\"state\":\"HEALTHY\",\"consecutiveFailures\":0,\"cooldownUntilMs\":0,\"updatedAtMs\":[1]",
    "updatedAtMs" },
  { "\"state\":\"healthy\",\"consecutiveFailures\":0,\"cooldownUntilMs\":0,\"updatedAtMs\":0",
    "state" },
  { "\"state\":1,\"consecutiveFailures\":0,\"cooldownUntilMs\":0,\"updatedAtMs\":0", "state" },
  { "\"channel\":\"c\",\"state\":\"HEALTHY\",\"consecutiveFailures\":0,\"cooldownUntilMs\":0,"
    "\"updatedAtMs\":0",
    "channel" },
  { "\"channel\":null", "channel" },
};

static void
test_records (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (record_cases); i++)
    {
      const RecordCase *c = &record_cases[i];
      g_autofree char *text = make_file (c->members);
      g_autoptr (KbHealthDocument) document = decode (text);
      const GPtrArray *drops = kb_health_document_get_drops (document);

      g_test_message ("%s", c->members);
      g_assert_cmpuint (kb_health_document_get_records (document)->len, ==, c->why == NULL);
      g_assert_cmpuint (drops->len, ==, c->why != NULL);
      if (c->why != NULL)
        {
          KbHealthDrop *drop = g_ptr_array_index (drops, 0);

          g_assert_cmpstr (drop->channel, ==, "a::b");
          g_assert_nonnull (strstr (drop->why, c->why));
        }
    }
}

static void
test_records_of_other_types (void)
{
  g_autoptr (KbHealthDocument) document
      = decode ("{\"healths\":{\"a\":null,\"b\":[],\"c\":1,\"d\":\"x\",\"e\":{}}}");

  g_assert_cmpuint (kb_health_document_get_records (document)->len, ==, 0);
  g_assert_cmpuint (kb_health_document_get_drops (document)->len, ==, 5);
}

static void
test_numbers (void)
{
  g_autofree char *text = make_file ("\"state\":\"COOLDOWN\",\"consecutiveFailures\":2,"
                                     "\"cooldownUntilMs\":10.9,\"updatedAtMs\":1e300");
  g_autofree char *huge = make_file ("\"state\":\"COOLDOWN\",\"consecutiveFailures\":2,"
                                     "\"cooldownUntilMs\":9223372036854775808,"
                                     "\"updatedAtMs\":9223372036854775807");
  g_autoptr (KbHealthDocument) document = decode (text);
  g_autoptr (KbHealthDocument) other = decode (huge);
  const KbHealthRecord *record = kb_health_document_lookup (document, "a::b");
  g_autofree char *again = NULL;

  g_assert_cmpint (record->breaker.until_ms, ==, 10);
  g_assert_cmpint (record->breaker.updated_ms, ==, KB_JSON_MAX_TIME_MS);
  kb_health_document_set (document, "a::b", record->breaker);
  again = encode (document);
  g_assert_nonnull (strstr (again, "\"cooldownUntilMs\": 10.9,"));
  g_assert_nonnull (strstr (again, "\"updatedAtMs\": 1e+300"));
  record = kb_health_document_lookup (other, "a::b");
  g_assert_cmpint (record->breaker.until_ms, ==, KB_JSON_MAX_TIME_MS);
  g_assert_cmpint (record->breaker.updated_ms, ==, KB_JSON_MAX_TIME_MS);
}

static void
test_own_state (void)
{
  g_autofree char *text
      = make_file ("\"state\":\"DISABLED\",\"consecutiveFailures\":1,\"cooldownUntilMs\":0,"
                   "\"updatedAtMs\":5,\"reason\":\"QUOTA\",\"scope\":\"key\"");
  g_autoptr (KbHealthDocument) document = decode (text);
  const KbHealthRecord *record = kb_health_document_lookup (document, "a::b");
  g_autofree char *again = encode (document);

  g_assert_cmpint (record->breaker.state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpstr (record->reason, ==, "QUOTA");
  g_assert_nonnull (strstr (again, "\"scope\": \"key\""));
}

typedef struct
{
  const char *text;
  gssize length;
  int code;
  const char *message;
} ErrorCase;

static const ErrorCase error_cases[] = {
  { "", 0, KB_HEALTH_ERROR_SYNTAX, "Line 1: the file is empty" },
  { " \r\n\n", -1, KB_HEALTH_ERROR_SYNTAX, "empty" },
  { "\xef\xbb\xbf", -1, KB_HEALTH_ERROR_SYNTAX, "empty" },
  { "{\"healths\": ", -1, KB_HEALTH_ERROR_SYNTAX, "Line 1, column 12: the file ends too early" },
  { "{\n  \"healths\": {\n    \"a\": {", -1, KB_HEALTH_ERROR_SYNTAX, "Line 3, column 11" },
  { "{\r\n\"é\" x", -1, KB_HEALTH_ERROR_SYNTAX, "Line 2, column 5: this is not JSON" },
  { "{\"healths\":{}} x", -1, KB_HEALTH_ERROR_SYNTAX, "Line 1, column 15" },
  { "{\"healths\":{}}\0", 15, KB_HEALTH_ERROR_SYNTAX, "Line 1, column 15" },
  { "{\"healths\":{\"a\0b\":1}}", 20, KB_HEALTH_ERROR_SYNTAX, "Line 1, column 15" },
  { "{\"healths\":\n{\"\xff\":1}}", -1, KB_HEALTH_ERROR_SYNTAX,
    "Line 2, column 3: the text is not UTF-8" },
  { "\xff\xfe{\0}\0", 6, KB_HEALTH_ERROR_SYNTAX, "not UTF-8" },
  { "null", -1, KB_HEALTH_ERROR_SHAPE, "not a health file" },
  { "[]", -1, KB_HEALTH_ERROR_SHAPE, "not a health file" },
  { "{}", -1, KB_HEALTH_ERROR_SHAPE, "healths" },
  { "{\"healths\":null}", -1, KB_HEALTH_ERROR_SHAPE, "healths" },
  { "{\"healths\":[]}", -1, KB_HEALTH_ERROR_SHAPE, "healths" },
};

static void
test_errors (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (error_cases); i++)
    {
      const ErrorCase *c = &error_cases[i];
      gsize length = c->length < 0 ? strlen (c->text) : (gsize) c->length;
      g_autoptr (GError) error = NULL;

      g_assert_null (decode_bytes (c->text, length, &error));
      g_assert_error (error, KB_HEALTH_ERROR, c->code);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, c->message));
    }
}

static void
test_deep (void)
{
  g_autoptr (GString) text = g_string_new ("{\"healths\":{\"a\":");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3000000; i++)
    g_string_append_c (text, '[');
  g_assert_null (decode_bytes (text->str, text->len, &error));
  g_assert_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "Line 1, column"));
}

static void
test_large (void)
{
  g_autofree char *text = g_malloc0 (KB_HEALTH_MAX_BYTES + 1);
  g_autoptr (GString) many = g_string_new ("{\"healths\":{\"k\":0");
  g_autoptr (GError) error = NULL;

  g_assert_null (decode_bytes (text, KB_HEALTH_MAX_BYTES + 1, &error));
  g_assert_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_TOO_LARGE);
  g_clear_error (&error);
  for (guint i = 0; i < 100000; i++)
    g_string_append (many, ",\"k\":0");
  g_string_append (many, "}}");
  g_assert_null (decode_bytes (many->str, many->len, &error));
  g_assert_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_TOO_LARGE);
}

static void
test_many_channels (void)
{
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  g_autoptr (KbHealthDocument) again = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *channel = g_strdup_printf ("p::%u", i);

      kb_health_document_set (document, channel, kb_breaker_new_healthy (i));
    }
  text = encode (document);
  again = decode (text);
  g_assert_cmpuint (kb_health_document_get_records (again)->len, ==, 10000);
  g_assert_cmpint (kb_health_document_lookup (again, "p::9999")->breaker.updated_ms, ==, 9999);
}

/* As JSON.parse() does: the last one counts, at the place of the first. */
static void
test_duplicates (void)
{
  g_autoptr (KbHealthDocument) document
      = decode ("{\"healths\":{\"x\":1},\"healths\":{"
                "\"a\":{\"channel\":\"a\",\"state\":\"PROBE\",\"consecutiveFailures\":0,"
                "\"cooldownUntilMs\":0,\"updatedAtMs\":0},\"b\":1,"
                "\"a\":{\"channel\":\"a\",\"state\":\"COOLDOWN\",\"state\":\"HEALTHY\","
                "\"consecutiveFailures\":4,\"cooldownUntilMs\":0,\"updatedAtMs\":0}}}");
  const KbHealthRecord *record = kb_health_document_lookup (document, "a");
  g_autofree char *text = encode (document);

  g_assert_cmpuint (kb_health_document_get_records (document)->len, ==, 1);
  g_assert_cmpint (record->breaker.state, ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpint (record->breaker.failures, ==, 4);
  g_assert_true (strstr (text, "\"a\"") < strstr (text, "\"b\""));
}

static void
test_forms (void)
{
  static const char *const texts[] = {
    "\xef\xbb\xbf{\"healths\":{}}",
    "{\r\n  \"healths\": {}\r\n}\r\n",
    "{\"healths\":{}}\n\n",
    "\n\t {\"healths\" : { } }",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (KbHealthDocument) document = decode (texts[i]);
      g_autofree char *text = encode (document);

      g_assert_cmpstr (text, ==, "{\n  \"healths\": {}\n}");
    }
}

static void
test_keeps_unknown (void)
{
  const char *text = "{\n"
                     "  \"version\": 2,\n"
                     "  \"healths\": {\n"
                     "    \"频道::模型\": {\n"
                     "      \"note\": \"a/b \\\"c\\\" 😀\",\n"
                     "      \"channel\": \"频道::模型\",\n"
                     "      \"state\": \"COOLDOWN\",\n"
                     "      \"consecutiveFailures\": 2,\n"
                     "      \"cooldownUntilMs\": 10.5,\n"
                     "      \"updatedAtMs\": 4,\n"
                     "      \"extra\": [\n"
                     "        1,\n"
                     "        {}\n"
                     "      ]\n"
                     "    },\n"
                     "    \"broken\": {\n"
                     "      \"channel\": \"other\"\n"
                     "    }\n"
                     "  },\n"
                     "  \"tail\": null\n"
                     "}";
  g_autoptr (KbHealthDocument) document = decode (text);
  g_autofree char *again = encode (document);

  g_assert_cmpstr (again, ==, text);
}

static void
test_set_new (void)
{
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  KbBreaker breaker = { KB_CHANNEL_STATE_COOLDOWN, 3, 1796040030000, 1796040000000 };
  g_autofree char *text = NULL;

  kb_health_document_set (document, "lumen::orca-2", breaker);
  kb_health_document_set (document, "b", kb_breaker_new_healthy (7));
  text = encode (document);
  g_assert_cmpstr (text, ==,
                   "{\n"
                   "  \"healths\": {\n"
                   "    \"lumen::orca-2\": {\n"
                   "      \"channel\": \"lumen::orca-2\",\n"
                   "      \"state\": \"COOLDOWN\",\n"
                   "      \"consecutiveFailures\": 3,\n"
                   "      \"cooldownUntilMs\": 1796040030000,\n"
                   "      \"updatedAtMs\": 1796040000000\n"
                   "    },\n"
                   "    \"b\": {\n"
                   "      \"channel\": \"b\",\n"
                   "      \"state\": \"HEALTHY\",\n"
                   "      \"consecutiveFailures\": 0,\n"
                   "      \"cooldownUntilMs\": 0,\n"
                   "      \"updatedAtMs\": 7\n"
                   "    }\n"
                   "  }\n"
                   "}");
}

static void
test_set_existing (void)
{
  g_autoptr (KbHealthDocument) document
      = decode ("{\"healths\":{"
                "\"a\":{\"x\":1,\"channel\":\"a\",\"state\":\"PROBE\",\"consecutiveFailures\":0,"
                "\"cooldownUntilMs\":0,\"updatedAtMs\":0},"
                "\"b\":{\"channel\":\"wrong\"}}}");
  KbBreaker breaker = { KB_CHANNEL_STATE_DISABLED, 9, 8, 7 };
  const KbHealthRecord *record = kb_health_document_lookup (document, "a");
  g_autofree char *text = NULL;

  kb_health_document_set (document, "a", breaker);
  kb_health_document_set (document, "b", breaker);
  g_assert_cmpint (record->breaker.failures, ==, 9);
  g_assert_true (record == kb_health_document_lookup (document, "a"));
  g_assert_cmpuint (kb_health_document_get_records (document)->len, ==, 2);
  g_assert_cmpuint (kb_health_document_get_drops (document)->len, ==, 0);
  text = encode (document);
  g_assert_nonnull (
      strstr (text, "\"x\": 1,\n      \"channel\": \"a\",\n      \"state\": \"DISABLED\""));
  g_assert_null (strstr (text, "wrong"));
}

static JsonObject *
find_vector (JsonParser *parser, const char *id)
{
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "fixtures", "vectors", "daruma.json", NULL);
  JsonArray *vectors;

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  vectors = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                          "vectors");
  for (guint i = 0; i < json_array_get_length (vectors); i++)
    {
      JsonObject *vector = json_array_get_object_element (vectors, i);

      if (g_str_equal (json_object_get_string_member (vector, "id"), id))
        return vector;
    }
  g_assert_not_reached ();
}

static void
test_vector_load (gconstpointer id)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *vector = find_vector (parser, id);
  JsonObject *in = json_object_get_object_member (vector, "in");
  JsonArray *loaded
      = json_object_get_array_member (json_object_get_object_member (vector, "expect"), "loaded");
  const char *text = json_object_get_string_member (in, "fileText");
  g_autoptr (KbHealthDocument) document = decode_bytes (text, strlen (text), NULL);
  const GPtrArray *records;

  /* The plugin starts fresh after what is an error here. */
  if (document == NULL)
    document = kb_health_document_new ();
  records = kb_health_document_get_records (document);
  g_assert_cmpuint (records->len, ==, json_array_get_length (loaded));
  for (guint i = 0; i < records->len; i++)
    {
      KbHealthRecord *record = g_ptr_array_index (records, i);

      g_assert_cmpstr (record->channel, ==, json_array_get_string_element (loaded, i));
    }
}

/* Mutated samples: whatever comes out, nothing crashes, and what is accepted is accepted
 * again after it was written. */
static void
test_fuzz (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", "daruma",
                                                 "channel-health.json", NULL);
  static const char bytes[] = "{}[]\",:\\u0-+.eE19 \n\xff\xc3";
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260731);
  g_autofree char *sample = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &sample, &length, NULL));
  for (guint round = 0; round < 4000; round++)
    {
      g_autofree char *text = g_memdup2 (sample, length);
      gsize size = (gsize) g_rand_int_range (rand, 1, (gint32) length + 1);
      g_autoptr (KbHealthDocument) document = NULL;
      g_autoptr (KbHealthDocument) again = NULL;
      g_autofree char *json = NULL;

      if (round % 4 != 0)
        size = length;
      for (gint32 n = g_rand_int_range (rand, 0, 4); n > 0; n--)
        text[g_rand_int_range (rand, 0, (gint32) length)]
            = bytes[g_rand_int_range (rand, 0, sizeof bytes)];
      document = decode_bytes (text, size, NULL);
      if (document == NULL)
        continue;
      json = encode (document);
      again = decode (json);
      g_assert_cmpuint (kb_health_document_get_records (again)->len, ==,
                        kb_health_document_get_records (document)->len);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/health-codec/golden", test_golden);
  g_test_add_func ("/store/health-codec/sample", test_sample);
  g_test_add_func ("/store/health-codec/invalid-sample", test_invalid_sample);
  g_test_add_func ("/store/health-codec/records/table", test_records);
  g_test_add_func ("/store/health-codec/records/places", test_places);
  g_test_add_func ("/store/health-codec/records/places/many", test_many_places);
  g_test_add_func ("/store/health-codec/records/other-types", test_records_of_other_types);
  g_test_add_func ("/store/health-codec/numbers", test_numbers);
  g_test_add_func ("/store/health-codec/own-state", test_own_state);
  g_test_add_func ("/store/health-codec/errors", test_errors);
  g_test_add_func ("/store/health-codec/deep", test_deep);
  g_test_add_func ("/store/health-codec/large", test_large);
  g_test_add_func ("/store/health-codec/many-channels", test_many_channels);
  g_test_add_func ("/store/health-codec/duplicates", test_duplicates);
  g_test_add_func ("/store/health-codec/forms", test_forms);
  g_test_add_func ("/store/health-codec/keeps-unknown", test_keeps_unknown);
  g_test_add_func ("/store/health-codec/set/new", test_set_new);
  g_test_add_func ("/store/health-codec/set/existing", test_set_existing);
  g_test_add_data_func ("/store/health-codec/vector/s01", "s01", test_vector_load);
  g_test_add_data_func ("/store/health-codec/vector/s02", "s02", test_vector_load);
  g_test_add_func ("/store/health-codec/fuzz", test_fuzz);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <string.h>

#include "store/kb-json.h"
#include "store/kb-log-codec.h"

#define FILE_NAME "/home/a/failover-log.jsonl"

#define BOOT                                                                                       \
  "{\"kind\":\"boot\",\"t\":1796039995000,\"pid\":4711,\"channels\":[\"a::1\",\"b::2\"],"          \
  "\"failureBudget\":3,\"cooldownMs\":30000,\"giveUpBudget\":8}"
#define FAILOVER                                                                                   \
  "{\"kind\":\"failover\",\"t\":1796040000000,\"agentId\":\"session-7\",\"from\":\"a::1\","        \
  "\"to\":\"b::2\",\"reason\":\"RATE_LIMIT\",\"status\":429,\"turn\":4,\"step\":2,"                \
  "\"failoverCount\":1,\"giveUpBudget\":8,\"retryExhausted\":true}"
#define GIVE_UP                                                                                    \
  "{\"kind\":\"give-up\",\"t\":1796040061000,\"agentId\":\"session-8\",\"from\":\"b::2\","         \
  "\"reason\":\"no-routable-fallback\",\"status\":500,\"turn\":1,\"step\":1,"                      \
  "\"failoverCount\":0,\"giveUpBudget\":8}"

static KbEvent *
decode (const char *line)
{
  return kb_log_decode_line (line, strlen (line), "daruma", FILE_NAME);
}

static void
test_boot (void)
{
  g_autoptr (KbEvent) event = decode (BOOT);
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpint (fields->kind, ==, KB_EVENT_BOOT);
  g_assert_cmpstr (fields->kind_name, ==, "boot");
  g_assert_cmpint (fields->time_ms, ==, 1796039995000);
  g_assert_cmpstr (fields->source, ==, "daruma");
  g_assert_cmpstr (fields->file, ==, FILE_NAME);
  g_assert_cmpint (fields->pid, ==, 4711);
  g_assert_cmpstr (fields->channels[0], ==, "a::1");
  g_assert_cmpstr (fields->channels[1], ==, "b::2");
  g_assert_null (fields->channels[2]);
  g_assert_cmpint (fields->failure_budget, ==, 3);
  g_assert_cmpint (fields->cooldown_ms, ==, 30000);
  g_assert_cmpint (fields->give_up_budget, ==, 8);
  g_assert_cmpint (fields->status, ==, -1);
  g_assert_null (fields->message);
  g_assert_cmpstr (fields->json, ==, BOOT);
}

static void
test_failover (void)
{
  g_autoptr (KbEvent) event = decode (FAILOVER "\r");
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpint (fields->kind, ==, KB_EVENT_FAILOVER);
  g_assert_cmpstr (fields->agent, ==, "session-7");
  g_assert_cmpstr (fields->from, ==, "a::1");
  g_assert_cmpstr (fields->to, ==, "b::2");
  g_assert_cmpstr (fields->reason, ==, "RATE_LIMIT");
  g_assert_cmpint (fields->status, ==, 429);
  g_assert_cmpint (fields->turn, ==, 4);
  g_assert_cmpint (fields->step, ==, 2);
  g_assert_cmpint (fields->failover_count, ==, 1);
  g_assert_cmpint (fields->give_up_budget, ==, 8);
  g_assert_true (fields->retry_exhausted);
  g_assert_null (fields->channels);
  g_assert_cmpint (fields->pid, ==, -1);
  g_assert_cmpstr (fields->json, ==, FAILOVER);
}

static void
test_give_up (void)
{
  g_autoptr (KbEvent) event = decode (GIVE_UP);
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpint (fields->kind, ==, KB_EVENT_GIVE_UP);
  g_assert_cmpstr (fields->reason, ==, "no-routable-fallback");
  g_assert_null (fields->to);
  g_assert_false (fields->retry_exhausted);
}

static void
test_other (void)
{
  const char *line = "\xef\xbb\xbf  {\"t\":5, \"kind\":\"sealed\",\"x\":{\"y\":[1]}}";
  g_autoptr (KbEvent) event = decode (line);
  const KbEventFields *fields = kb_event_get_fields (event);
  g_autofree char *again = kb_log_encode (fields);

  g_assert_cmpint (fields->kind, ==, KB_EVENT_OTHER);
  g_assert_cmpstr (fields->kind_name, ==, "sealed");
  g_assert_cmpint (fields->time_ms, ==, 5);
  g_assert_cmpstr (fields->json, ==, strchr (line, '{'));
  g_assert_cmpstr (again, ==, fields->json);
}

static void
test_wrong_types (void)
{
  g_autoptr (KbEvent) event
      = decode ("{\"kind\":\"failover\",\"t\":\"now\",\"agentId\":7,\"from\":null,\"to\":{},"
                "\"reason\":[],\"status\":\"429\",\"turn\":true,\"step\":null,\"pid\":-4,"
                "\"failoverCount\":{},\"giveUpBudget\":[8],\"retryExhausted\":\"true\","
                "\"channels\":\"a\"}");
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpint (fields->kind, ==, KB_EVENT_FAILOVER);
  g_assert_cmpint (fields->time_ms, ==, 0);
  g_assert_null (fields->agent);
  g_assert_null (fields->from);
  g_assert_null (fields->to);
  g_assert_null (fields->reason);
  g_assert_null (fields->channels);
  g_assert_cmpint (fields->status, ==, -1);
  g_assert_cmpint (fields->turn, ==, -1);
  g_assert_cmpint (fields->step, ==, -1);
  g_assert_cmpint (fields->pid, ==, -1);
  g_assert_cmpint (fields->failover_count, ==, -1);
  g_assert_cmpint (fields->give_up_budget, ==, -1);
  g_assert_false (fields->retry_exhausted);
}

static void
test_numbers (void)
{
  g_autoptr (KbEvent) event
      = decode ("{\"kind\":\"boot\",\"t\":1796040000000.7,\"pid\":1e300,\"failureBudget\":3.9,"
                "\"cooldownMs\":18446744073709551616,\"giveUpBudget\":-0.5,"
                "\"channels\":[\"a\",1,null,\"b\"]}");
  g_autoptr (KbEvent) late = decode ("{\"kind\":\"boot\",\"t\":9223372036854775808}");
  g_autoptr (KbEvent) early = decode ("{\"kind\":\"boot\",\"t\":-9223372036854775808}");
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpint (fields->time_ms, ==, 1796040000000);
  g_assert_cmpint (fields->pid, ==, KB_JSON_MAX_SAFE_INTEGER);
  g_assert_cmpint (fields->failure_budget, ==, 3);
  g_assert_cmpint (fields->cooldown_ms, ==, KB_JSON_MAX_SAFE_INTEGER);
  g_assert_cmpint (fields->give_up_budget, ==, -1);
  g_assert_cmpuint (g_strv_length ((char **) fields->channels), ==, 2);
  g_assert_cmpint (kb_event_get_fields (late)->time_ms, ==, KB_JSON_MAX_TIME_MS);
  g_assert_cmpint (kb_event_get_fields (early)->time_ms, ==, 0);
}

static void
test_damaged (void)
{
  static const char *const lines[] = {
    "x",
    "{\"kind\":\"boot\"",
    "[]",
    "1",
    "null",
    "\"boot\"",
    "{}",
    "{\"kind\":5}",
    "{\"kind\":\"boot\"} x",
    "{'kind':'boot'}",
    "\xff\xfe",
    " ",
    "secretsecretsecretsecretsecretsecretsecretsecretsecretsecretsecretsecretsecretsecretsecret",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (KbEvent) event = decode (lines[i]);
      const KbEventFields *fields = kb_event_get_fields (event);

      g_assert_cmpint (fields->kind, ==, KB_EVENT_DAMAGED);
      g_assert_cmpstr (fields->kind_name, ==, "damaged");
      g_assert_cmpstr (fields->source, ==, "daruma");
      g_assert_cmpstr (fields->file, ==, FILE_NAME);
      g_assert_nonnull (fields->message);
      g_assert_null (strstr (fields->message, "secret"));
      g_assert_true (g_utf8_validate (fields->message, -1, NULL));
    }
}

static void
test_repaired (void)
{
  g_autoptr (KbEvent) event = decode ("{\"kind\":\"boot\",\"t\":1,\"agentId\":\"a\xff"
                                      "b\"}");
  const KbEventFields *fields = kb_event_get_fields (event);

  g_assert_cmpint (fields->kind, ==, KB_EVENT_BOOT);
  g_assert_cmpstr (fields->agent, ==,
                   "a\xef\xbf\xbd"
                   "b");
  g_assert_true (g_utf8_validate (fields->json, -1, NULL));
}

typedef struct
{
  const char *line;
  const char *kinds; /* D damaged, B boot, F failover, G give-up, O other */
} TornCase;

static const TornCase torn_cases[] = {
  { "", "" },
  { " \r", "" },
  { BOOT, "B" },
  { "{\"kind\":\"failover\",\"t\":1796" BOOT, "DB" },
  { "{" BOOT, "DB" },
  { "{\"" BOOT, "DB" },
  { "{\"kind\":" BOOT, "DB" },
  { "{\"kind\":\"failover\",\"t\":" BOOT, "DB" },
  { "{\"kind\":\"failover\",\"agentId\":\"session-7" BOOT, "DB" },
  { "{\"kind\":\"failover\",\"agentId\":\"session-7\\" BOOT, "DB" },
  { "{\"kind\":\"failover\",\"agentId\":\"session-7\\u00" BOOT, "DB" },
  { "{\"kind\":\"boot\",\"t\":1,\"channels\":[" BOOT, "DB" },
  { "{\"kind\":\"boot\",\"t\":1,\"channels\":[\"a\"," FAILOVER, "DF" },
  { FAILOVER BOOT, "FB" },
  { FAILOVER " " BOOT "\r", "FB" },
  { FAILOVER "{\"kind\":\"fail", "FD" },
  { FAILOVER "{\"kind\":\"fail" BOOT "{\"ki" GIVE_UP, "FDBDG" },
  { "{\"kind\":\"fail{\"kind\":\"boo" GIVE_UP, "DG" },
  { "garbage", "D" },
  { "garbage" BOOT, "DB" },
  { BOOT "garbage", "BD" },
  { "{\"t\":1", "D" },
  { "{\"kind\":\"x\",\"t\":1,\"inner\":{\"kind\":\"boot\",\"t\":2},\"cut", "D" },
  { "torn{\"t\":3,\"kind\":\"later\"}", "DO" },
  { "torn{\"kind\":\"boot\"}", "D" },
  { "torn{\"kind\":\"boot\",\"t\":\"1\"}", "D" },
  { "torn{\"kind\":7,\"t\":1}", "D" },
  { "}}}{{{{" BOOT, "DB" },
};

static void
assert_kinds (GPtrArray *events, const char *kinds)
{
  static const char letters[]
      = { [KB_EVENT_OTHER] = 'O',   [KB_EVENT_BOOT] = 'B', [KB_EVENT_FAILOVER] = 'F',
          [KB_EVENT_GIVE_UP] = 'G', [KB_EVENT_GAP] = '?',  [KB_EVENT_DAMAGED] = 'D' };
  g_autoptr (GString) actual = g_string_new (NULL);

  for (guint i = 0; i < events->len; i++)
    {
      const KbEventFields *fields = kb_event_get_fields (g_ptr_array_index (events, i));

      g_string_append_c (actual, letters[fields->kind]);
      if (fields->kind == KB_EVENT_BOOT)
        g_assert_cmpstr (fields->json, ==, BOOT);
      if (fields->kind == KB_EVENT_FAILOVER)
        g_assert_cmpstr (fields->json, ==, FAILOVER);
    }
  g_assert_cmpstr (actual->str, ==, kinds);
}

static void
test_torn (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (torn_cases); i++)
    {
      const TornCase *c = &torn_cases[i];
      gsize length = strlen (c->line);
      /* Without a NUL behind it, so that a read beyond the end is noticed. */
      g_autofree char *line = g_memdup2 (c->line, MAX (length, 1));
      g_autoptr (GPtrArray) events = kb_log_decode_torn (line, length, "daruma", FILE_NAME);

      g_test_message ("%s", c->line);
      assert_kinds (events, c->kinds);
    }
}

/* Torn at every byte, also of the last one, which leaves only the line end out. */
static void
test_torn_anywhere (void)
{
  for (gsize cut = 1; cut <= strlen (FAILOVER); cut++)
    {
      g_autofree char *line = g_strdup_printf ("%.*s" BOOT, (int) cut, FAILOVER);
      g_autoptr (GPtrArray) events = kb_log_decode_torn (line, strlen (line), "daruma", FILE_NAME);

      assert_kinds (events, cut == strlen (FAILOVER) ? "FB" : "DB");
    }
}

static void
test_torn_by_zeros (void)
{
  g_autofree char *line = g_malloc0 (5000 + strlen (BOOT));
  g_autoptr (GPtrArray) events = NULL;

  memcpy (line + 5000, BOOT, strlen (BOOT));
  events = kb_log_decode_torn (line, 5000 + strlen (BOOT), "daruma", FILE_NAME);
  assert_kinds (events, "DB");
}

static void
test_line_number (void)
{
  KbLogOrigin origin = { .source = "daruma", .file = FILE_NAME, .line = 17 };
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  kb_log_decode_into (events, "x", 1, &origin);
  g_assert_cmpuint (events->len, ==, 1);
  g_assert_true (g_str_has_prefix (kb_event_get_fields (events->pdata[0])->message, "Line 17: "));
}

/* Lines made to be gone through again from each of their braces. They end in a record, which
 * may be given up but must not be waited for. */
static void
test_hostile (void)
{
  static const char *const parts[] = {
    "{",
    "{\"",
    "{\"k\":",
    "{\"k\":[",
    "{\"k\":[1,",
    "{\"k\":\"",
    "{\"\":{\"\":1},",
    "[",
    "\"",
    "{\"k\":1},",
    "{\"kind\":\"a\",\"t\":1}",
    "{\"kind\":\"a\",\"t\":1},",
    "\\",
    "{\"\\\"{\"",
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) line = g_string_new ("x{\"a\":[");
      g_autoptr (GPtrArray) events = NULL;

      while (line->len < 1000000)
        g_string_append (line, parts[i]);
      events = kb_log_decode_torn (line->str, line->len, "daruma", FILE_NAME);
      g_assert_cmpuint (events->len, >, 0);
    }
}

static void
test_deep (void)
{
  g_autoptr (GString) line = g_string_new ("{\"kind\":\"boot\",\"t\":1,\"x\":");
  g_autoptr (KbEvent) event = NULL;

  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (line, '[');
  event = kb_log_decode_line (line->str, line->len, "daruma", FILE_NAME);
  g_assert_cmpint (kb_event_get_fields (event)->kind, ==, KB_EVENT_DAMAGED);
}

static void
test_encode (void)
{
  static const char *const lines[] = { BOOT, FAILOVER, GIVE_UP };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (KbEvent) event = decode (lines[i]);
      g_autofree char *line = kb_log_encode (kb_event_get_fields (event));

      g_assert_cmpstr (line, ==, lines[i]);
    }
}

static void
test_encode_sparse (void)
{
  static const char *const no_channels[] = { NULL };
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autofree char *boot = NULL;
  g_autofree char *hop = NULL;

  fields.kind = KB_EVENT_BOOT;
  fields.channels = no_channels;
  boot = kb_log_encode (&fields);
  g_assert_cmpstr (boot, ==, "{\"kind\":\"boot\",\"t\":0,\"channels\":[]}");
  fields.kind = KB_EVENT_FAILOVER;
  fields.from = "渠道\n\"x\"";
  fields.step = 0;
  hop = kb_log_encode (&fields);
  g_assert_cmpstr (hop, ==,
                   "{\"kind\":\"failover\",\"t\":0,\"from\":\"渠道\\n\\\"x\\\"\",\"step\":0}");
}

static void
test_samples (void)
{
  static const char *const names[] = { "failover-log.jsonl", "real-run.failover-log.jsonl" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path
          = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", "daruma", names[i], NULL);
      g_autofree char *text = NULL;
      g_auto (GStrv) lines = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      lines = g_strsplit (text, "\n", -1);
      for (guint j = 0; lines[j] != NULL && *lines[j] != '\0'; j++)
        {
          g_autoptr (KbEvent) event = decode (lines[j]);
          g_autofree char *line = kb_log_encode (kb_event_get_fields (event));

          g_assert_cmpstr (line, ==, lines[j]);
        }
    }
}

/* Mutated lines: never a crash, never text of the line in a message. */
static void
test_fuzz (void)
{
  static const char bytes[] = "{}[]\",:\\u0-+.eE19 \n\xff\xc3kt";
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260731);

  for (guint round = 0; round < 20000; round++)
    {
      g_autofree char *line = g_strdup (round % 2 == 0 ? FAILOVER BOOT : GIVE_UP);
      gsize length = strlen (line);
      g_autoptr (GPtrArray) events = NULL;

      for (gint32 n = g_rand_int_range (rand, 0, 5); n > 0; n--)
        line[g_rand_int_range (rand, 0, (gint32) length)]
            = bytes[g_rand_int_range (rand, 0, sizeof bytes)];
      events = kb_log_decode_torn (line, length, "daruma", FILE_NAME);
      g_assert_cmpuint (events->len, >, 0);
      for (guint i = 0; i < events->len; i++)
        {
          const KbEventFields *fields = kb_event_get_fields (events->pdata[i]);

          g_assert_true (fields->kind == KB_EVENT_DAMAGED || fields->kind_name != NULL);
          g_assert_true (fields->json == NULL || g_utf8_validate (fields->json, -1, NULL));
          g_assert_true ((fields->message != NULL) == (fields->kind == KB_EVENT_DAMAGED));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/log-codec/boot", test_boot);
  g_test_add_func ("/store/log-codec/failover", test_failover);
  g_test_add_func ("/store/log-codec/give-up", test_give_up);
  g_test_add_func ("/store/log-codec/other", test_other);
  g_test_add_func ("/store/log-codec/wrong-types", test_wrong_types);
  g_test_add_func ("/store/log-codec/numbers", test_numbers);
  g_test_add_func ("/store/log-codec/damaged", test_damaged);
  g_test_add_func ("/store/log-codec/repaired", test_repaired);
  g_test_add_func ("/store/log-codec/torn/table", test_torn);
  g_test_add_func ("/store/log-codec/torn/anywhere", test_torn_anywhere);
  g_test_add_func ("/store/log-codec/torn/by-zeros", test_torn_by_zeros);
  g_test_add_func ("/store/log-codec/line-number", test_line_number);
  g_test_add_func ("/store/log-codec/hostile", test_hostile);
  g_test_add_func ("/store/log-codec/deep", test_deep);
  g_test_add_func ("/store/log-codec/encode/records", test_encode);
  g_test_add_func ("/store/log-codec/encode/sparse", test_encode_sparse);
  g_test_add_func ("/store/log-codec/samples", test_samples);
  g_test_add_func ("/store/log-codec/fuzz", test_fuzz);
  return g_test_run ();
}

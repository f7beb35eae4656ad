// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-format.h"
#include "client/kb-status.h"
#include "../support/folder.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

/* 2026-08-02 14:02:31 UTC */
#define NOW G_GINT64_CONSTANT (1785679351000)

typedef struct
{
  char *home;
  KbClock *clock;
  KbMonitor *monitor;
} Fixture;

static void
write_file (const char *home, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (home, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = g_dir_make_tmp ("koboshi-test-XXXXXX", NULL);
  write_file (fixture->home, "profiles/web/package.json",
              "{\"dsh\":{\"profile\":{\"bundles\":[\"dsh-daruma\"]}}}\n");
  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n"
              "  name: dsh-daruma\n"
              "  config:\n"
              "    channels:\n"
              "      - { provider: mt, model: glm-5.3 }\n"
              "      - { provider: 云雀, model: 深度思考 }\n");
  write_file (fixture->home, "settings.yaml",
              "llm-pi-ai:\n"
              "  providers:\n"
              "    mt: { api: openai-completions, baseURL: u, models: [ { id: glm-5.3 } ] }\n"
              "    云雀: { api: openai-completions, baseURL: u, models: [ { id: 深度思考 } ] }\n"
              "daruma:\n"
              "  backup: { provider: 云雀, model: 深度思考 }\n");
  write_file (fixture->home, "daruma/channel-health.json",
              "{\"healths\":{\"mt::glm-5.3\":{\"channel\":\"mt::glm-5.3\",\"state\":\"COOLDOWN\","
              "\"consecutiveFailures\":3,\"cooldownUntilMs\":1785679381000,"
              "\"updatedAtMs\":1785679351000}}}");
  write_file (fixture->home, "daruma/failover-log.jsonl",
              "{\"kind\":\"failover\",\"t\":1785679351000,\"agentId\":\"a\","
              "\"from\":\"mt::glm-5.3\",\"to\":\"云雀::深度思考\",\"reason\":\"RATE_LIMIT\"}\n");
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->monitor = kb_monitor_new (fixture->home, "web", fixture->clock);
  kb_monitor_start_sync (fixture->monitor);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->monitor);
  g_clear_object (&fixture->clock);
  remove_tree (fixture->home);
  g_free (fixture->home);
}

static void
test_json (Fixture *fixture, gconstpointer data)
{
  g_autofree char *json = kb_status_to_json (fixture->monitor, FALSE);
  g_autofree char *expected = g_strdup_printf (
      "{\"home\":\"%s\",\"profile\":\"web\",\"time\":1785679351000,\"overall\":\"degraded\","
      "\"gateway\":{\"running\":false,\"address\":null,\"version\":null,\"home\":null,"
      "\"profile\":null},"
      "\"serving\":null,\"lastSwitch\":{\"from\":\"mt::glm-5.3\",\"to\":\"云雀::深度思考\","
      "\"time\":1785679351000},\"backup\":\"云雀::深度思考\",\"paused\":false,\"pausedUntil\":null,"
      "\"channels\":["
      "{\"source\":\"daruma\",\"origin\":\"file\",\"id\":\"mt::glm-5.3\",\"provider\":\"mt\","
      "\"model\":\"glm-5.3\",\"position\":1,\"inChain\":true,\"isBackup\":false,"
      "\"state\":\"COOLDOWN\",\"scope\":\"pair\",\"until\":1785679381000,\"remainingMs\":30000,"
      "\"failures\":3,\"reason\":\"RATE_LIMIT\",\"updated\":1785679351000},"
      "{\"source\":\"daruma\",\"origin\":\"file\",\"id\":\"云雀::深度思考\",\"provider\":\"云雀\","
      "\"model\":\"深度思考\",\"position\":2,\"inChain\":true,\"isBackup\":true,"
      "\"state\":\"HEALTHY\",\"scope\":\"pair\",\"until\":null,\"remainingMs\":0,"
      "\"failures\":0,\"reason\":null,\"updated\":null}],"
      "\"problems\":[]}",
      fixture->home);

  g_assert_cmpstr (json, ==, expected);
}

/* A deadline that has passed is PROBE with nothing left, never a negative number. */
static void
test_json_expired (Fixture *fixture, gconstpointer data)
{
  g_autofree char *json = NULL;

  kb_clock_set_now_ms (fixture->clock, NOW + 30000);
  kb_monitor_reread_clock (fixture->monitor);
  json = kb_status_to_json (fixture->monitor, FALSE);
  g_assert_nonnull (strstr (json, "\"state\":\"PROBE\",\"scope\":\"pair\",\"until\":null,"
                                  "\"remainingMs\":0,\"failures\":3,\"reason\":\"RATE_LIMIT\""));
}

static void
test_fingerprint (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = kb_status_to_fingerprint (fixture->monitor);
  g_autofree char *later = NULL;
  g_autofree char *after = NULL;

  kb_clock_set_now_ms (fixture->clock, NOW + 29999);
  later = kb_status_to_fingerprint (fixture->monitor);
  g_assert_cmpstr (later, ==, first);
  kb_clock_set_now_ms (fixture->clock, NOW + 30000);
  kb_monitor_reread_clock (fixture->monitor);
  after = kb_status_to_fingerprint (fixture->monitor);
  g_assert_cmpstr (after, !=, first);
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = kb_status_to_text (fixture->monitor, FALSE);
  g_autofree char *coloured = kb_status_to_text (fixture->monitor, TRUE);
  g_autofree char *expected = g_strdup_printf (
      "1 of 2 channels is cooling down\n"
      "%s, profile web\n"
      "Gateway: Not running\n"
      "Last switched to 云雀::深度思考 at 14:02\n"
      "\n"
      "  1  mt::glm-5.3              Cooling down  back in 30 s  Rate limited, 3 failures in a "
      "row\n"
      "  2  云雀::深度思考 (backup)  Healthy                     No failures recorded yet\n",
      fixture->home);

  g_assert_cmpstr (text, ==, expected);
  g_assert_null (strchr (text, '\033'));
  g_assert_nonnull (strstr (coloured, "\033[33mCooling down\033[0m"));
}

/* A monitor of a chain with one channel for each letter: Healthy, Cooling, Probe, - for a
 * channel without a record. */
static KbMonitor *
make_monitor (const char *home, const char *states)
{
  g_autoptr (GString) patch = g_string_new ("- id: dsh-daruma\n  name: dsh-daruma\n  config:\n"
                                            "    channels: [");
  g_autoptr (GString) health = g_string_new ("{\"healths\":{");
  g_autoptr (KbClock) clock = kb_clock_new_manual (NOW);
  KbMonitor *monitor;

  for (guint i = 0; states[i] != '\0'; i++)
    {
      g_string_append_printf (patch, "%s{ provider: deepseek-official, model: m%u }",
                              i > 0 ? ", " : "", i);
      if (states[i] == '-')
        continue;
      g_string_append_printf (
          health,
          "%s\"deepseek-official::m%u\":{\"channel\":\"deepseek-official::m%u\",\"state\":\"%s\","
          "\"consecutiveFailures\":1,\"cooldownUntilMs\":%" G_GINT64_FORMAT ",\"updatedAtMs\":1}",
          g_str_has_suffix (health->str, "}") ? "," : "", i, i,
          states[i] == 'H' ? "HEALTHY" : "COOLDOWN", states[i] == 'C' ? NOW + 1 : NOW);
    }
  g_string_append (patch, "]\n");
  g_string_append (health, "}}");
  write_file (home, "profiles/web/cordis.patch.yml", patch->str);
  write_file (home, "daruma/channel-health.json", health->str);
  monitor = kb_monitor_new (home, "web", clock);
  kb_monitor_start_sync (monitor);
  return monitor;
}

static void
test_overall (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *states;
    const char *sentence;
  } rows[] = {
    { "", "No channel in the failover chain" },
    { "H", "The only channel is healthy" },
    { "C", "The only channel is not available" },
    { "P", "The only channel is ready for a try" },
    { "H-H", "All 3 channels are healthy" },
    { "HCH", "1 of 3 channels is cooling down" },
    { "CHC", "2 of 3 channels are cooling down" },
    { "HPP", "2 of 3 channels are ready for a try" },
    { "HCP", "2 of 3 channels are not healthy" },
    { "CCP", "3 of 3 channels are not healthy" },
    { "CCC", "None of the 3 channels is available" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbMonitor) monitor = make_monitor (fixture->home, rows[i].states);
      g_autofree char *sentence = kb_format_overall (monitor);

      g_assert_cmpstr (sentence, ==, rows[i].sentence);
    }
}

/* What makes a health file unreadable; nothing of it says that a channel is well. */
static const char *const unreadable[] = {
  "{\"healths\":{",             /* cut off */
  "{\"healths\":{\"\xff\":1}}", /* not UTF-8 */
  "[]",                         /* not a health file */
  NULL,                         /* a folder in its place */
};

static JsonArray *
get_channels (JsonNode *root)
{
  return json_object_get_array_member (json_node_get_object (root), "channels");
}

static void
assert_unknown (KbMonitor *monitor)
{
  g_autofree char *json = kb_status_to_json (monitor, FALSE);
  g_autofree char *text = kb_status_to_text (monitor, FALSE);
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonObject *status = json_node_get_object (root);

  g_assert_cmpstr (json_object_get_string_member (status, "overall"), ==, "unknown");
  g_assert_cmpuint (json_array_get_length (get_channels (root)), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      JsonObject *channel = json_array_get_object_element (get_channels (root), i);

      g_assert_true (json_object_get_null_member (channel, "state"));
      g_assert_true (json_object_get_null_member (channel, "failures"));
      g_assert_true (json_object_get_null_member (channel, "until"));
      g_assert_true (json_object_get_null_member (channel, "updated"));
      g_assert_cmpint (json_object_get_int_member (channel, "remainingMs"), ==, 0);
    }
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (status, "problems")), ==,
                    1);
  g_assert_null (strstr (json, "HEALTHY"));
  g_assert_null (strstr (text, "Healthy"));
  g_assert_nonnull (
      strstr (text, "mt::glm-5.3              Unknown  The file that records its state cannot be "
                    "read\n"));
}

static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (unreadable); i++)
    {
      g_autofree char *path
          = g_build_filename (fixture->home, "daruma", "channel-health.json", NULL);
      g_autoptr (KbMonitor) monitor = kb_monitor_new (fixture->home, "web", fixture->clock);

      if (unreadable[i] != NULL)
        write_file (fixture->home, "daruma/channel-health.json", unreadable[i]);
      else
        g_assert_true (g_remove (path) == 0 && g_mkdir (path, 0700) == 0);
      kb_monitor_start_sync (monitor);
      assert_unknown (monitor);
    }
}

/* What was read before stands in the status too, and the problem is told beside it. */
static void
test_unreadable_later (Fixture *fixture, gconstpointer data)
{
  g_autofree char *json = NULL;

  write_file (fixture->home, "daruma/channel-health.json", "{");
  kb_monitor_refresh (fixture->monitor);
  json = kb_status_to_json (fixture->monitor, FALSE);
  g_assert_nonnull (strstr (json, "\"state\":\"COOLDOWN\""));
  g_assert_nonnull (strstr (json, "\"state\":\"HEALTHY\""));
  g_assert_nonnull (strstr (json, "\"code\":\"health-syntax\""));
}

/* What only the host can read keeps its place, and says nothing about the rest. */
static void
test_expression (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbMonitor) monitor = kb_monitor_new (fixture->home, "web", fixture->clock);
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;

  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n"
              "  config: { channels: [!!js first, { provider: 云雀, model: 深度思考 }] }\n");
  kb_monitor_start_sync (monitor);
  json = kb_status_to_json (monitor, FALSE);
  text = kb_status_to_text (monitor, FALSE);
  g_assert_nonnull (strstr (json,
                            "\"id\":\"expression\",\"provider\":null,\"model\":null,\"position\":1,"
                            "\"inChain\":true,\"isBackup\":false,\"state\":null"));
  g_assert_nonnull (strstr (json, "\"id\":\"云雀::深度思考\",\"provider\":\"云雀\","
                                  "\"model\":\"深度思考\",\"position\":2,"));
  g_assert_nonnull (strstr (json, "\"overall\":\"healthy\""));
  g_assert_true (g_str_has_prefix (text, "The only channel is healthy\n"));
  g_assert_nonnull (strstr (text, "  1  Expression "));
  g_assert_nonnull (strstr (text, "Unknown"));
  g_assert_nonnull (strstr (text, "Only the host can tell which channel this is\n"));
  g_assert_nonnull (strstr (text, "  2  云雀::深度思考 (backup)"));
}

/* Nothing but such entries: there is a chain, and nothing is known of it. */
static void
test_only_expressions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbMonitor) monitor = kb_monitor_new (fixture->home, "web", fixture->clock);
  g_autofree char *sentence = NULL;

  write_file (fixture->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n  config: { channels: [!!js first] }\n");
  kb_monitor_start_sync (monitor);
  sentence = kb_format_overall (monitor);
  g_assert_cmpint (kb_monitor_get_overall (monitor), ==, KB_OVERALL_UNKNOWN);
  g_assert_cmpstr (sentence, ==, "The state of the channels is not known");
}

static void
check_line (const KbEventFields *fields, const char *expected)
{
  g_autoptr (KbEvent) event = kb_event_new (fields);
  g_autofree char *line = kb_event_to_json_line (event);

  g_assert_cmpstr (line, ==, expected);
}

static void
test_event_json (void)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_FAILOVER;
  fields.source = "daruma";
  fields.file = "/h/failover-log.jsonl";
  fields.time_ms = 5;
  fields.json
      = "{\"kind\":\"failover\",\"t\":5,\"from\":\"a::b\",\"x\":{\"key\":\"sk-abcdefgh1234\"},"
        "\"n\":1.5,\"list\":[\"Bearer abcdefgh1234\",null,true]}";
  check_line (&fields,
              "{\"kind\":\"failover\",\"t\":5,\"from\":\"a::b\",\"x\":{\"key\":\"[redacted]\"},"
              "\"n\":1.5,\"list\":[\"Bearer [redacted]\",null,true],"
              "\"source\":\"daruma\",\"file\":\"/h/failover-log.jsonl\"}");
  fields.json = "{\"kind\":\"odd\"}";
  fields.time_ms = 0;
  check_line (&fields, "{\"kind\":\"odd\",\"source\":\"daruma\","
                       "\"file\":\"/h/failover-log.jsonl\",\"t\":null}");
}

/* What a reader adds has no record: it speaks for itself. */
static void
test_event_json_reader (void)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_DAMAGED;
  fields.source = "daruma";
  fields.message = "line 3: sk-abcdefgh1234";
  fields.json = "{\"kind\":\"fail";
  fields.time_ms = 7;
  check_line (&fields, "{\"kind\":\"damaged\",\"message\":\"line 3: [redacted]\","
                       "\"source\":\"daruma\",\"file\":null,\"t\":7}");
  fields.kind = KB_EVENT_GAP;
  fields.json = NULL;
  fields.message = NULL;
  check_line (&fields, "{\"kind\":\"gap\",\"source\":\"daruma\",\"file\":null,\"t\":7}");
}

static void
test_event_json_cut (void)
{
  g_autofree char *words = g_strnfill (400, ' ');
  g_autofree char *json = g_strdup_printf ("{\"message\":\"%s\"}", words);
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autoptr (KbEvent) event = NULL;
  g_autofree char *line = NULL;
  g_autoptr (JsonNode) root = NULL;
  const char *message;

  fields.json = json;
  event = kb_event_new (&fields);
  line = kb_event_to_json_line (event);
  root = json_from_string (line, NULL);
  message = json_object_get_string_member (json_node_get_object (root), "message");
  g_assert_cmpint (g_utf8_strlen (message, -1), ==, 301);
  g_assert_true (g_str_has_suffix (message, " …"));
}

static void
test_event_text (void)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autoptr (KbEvent) event = NULL;
  g_autofree char *line = NULL;

  fields.kind = KB_EVENT_FAILOVER;
  fields.time_ms = NOW;
  fields.from = "a::\033[31mb";
  fields.to = "c::d";
  fields.reason = "SERVER";
  event = kb_event_new (&fields);
  line = kb_event_to_text_line (event, NOW);
  g_assert_cmpstr (line, ==, "14:02:31  Switched from a::\ufffd[31mb to c::d: Server error");
}

static void
test_problems (void)
{
  g_autoptr (KbProblem) inside
      = kb_problem_new (KB_SEVERITY_WARNING, "missing-provider", "/h/profiles/web/cordis.patch.yml",
                        5, 9, "no provider “x”", "Add it");
  g_autoptr (KbProblem) beside
      = kb_problem_new (KB_SEVERITY_ERROR, "bad-number", "/home2/a.yml", 0, 0, "bad", NULL);
  g_autoptr (GPtrArray) problems = g_ptr_array_new ();
  g_autofree char *json = NULL;
  g_autofree char *first = kb_problem_to_text (inside, "/h", FALSE);
  g_autofree char *second = kb_problem_to_text (beside, "/home", FALSE);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  g_assert_cmpstr (
      first, ==,
      "profiles/web/cordis.patch.yml:5:9: warning: no provider “x” [missing-provider]\n"
      "  Add it\n");
  g_assert_cmpstr (second, ==, "/home2/a.yml: error: bad [bad-number]\n");
  g_ptr_array_add (problems, inside);
  g_ptr_array_add (problems, beside);
  json = kb_problems_to_json (problems, "/h/");
  root = json_from_string (json, NULL);
  object = json_array_get_object_element (json_node_get_array (root), 0);
  g_assert_cmpstr (json_object_get_string_member (object, "file"), ==,
                   "profiles/web/cordis.patch.yml");
  g_assert_cmpint (json_object_get_int_member (object, "line"), ==, 5);
  object = json_array_get_object_element (json_node_get_array (root), 1);
  g_assert_cmpstr (json_object_get_string_member (object, "file"), ==, "/home2/a.yml");
  g_assert_true (json_object_get_null_member (object, "line"));
  g_assert_true (json_object_get_null_member (object, "hint"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/client/status/json", Fixture, NULL, set_up, test_json, tear_down);
  g_test_add ("/client/status/json/expired", Fixture, NULL, set_up, test_json_expired, tear_down);
  g_test_add ("/client/status/fingerprint", Fixture, NULL, set_up, test_fingerprint, tear_down);
  g_test_add ("/client/status/text", Fixture, NULL, set_up, test_text, tear_down);
  g_test_add ("/client/status/overall", Fixture, NULL, set_up, test_overall, tear_down);
  g_test_add ("/client/status/unreadable", Fixture, NULL, set_up, test_unreadable, tear_down);
  g_test_add ("/client/status/unreadable/later", Fixture, NULL, set_up, test_unreadable_later,
              tear_down);
  g_test_add ("/client/status/expression", Fixture, NULL, set_up, test_expression, tear_down);
  g_test_add ("/client/status/expression/only", Fixture, NULL, set_up, test_only_expressions,
              tear_down);
  g_test_add_func ("/client/status/event/json", test_event_json);
  g_test_add_func ("/client/status/event/json/reader", test_event_json_reader);
  g_test_add_func ("/client/status/event/json/cut", test_event_json_cut);
  g_test_add_func ("/client/status/event/text", test_event_text);
  g_test_add_func ("/client/status/problems", test_problems);
  return g_test_run ();
}

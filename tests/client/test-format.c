// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-format.h"

#include <stdio.h>

#include "core/kb-failure.h"

#define SECOND G_GINT64_CONSTANT (1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* 2026-08-02 14:02:31 UTC; the tests run with TZ=UTC. */
#define NOON G_GINT64_CONSTANT (1785679351000)

static void
take_equal (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_state (void)
{
  g_assert_cmpstr (kb_format_state (KB_CHANNEL_STATE_HEALTHY), ==, "Healthy");
  g_assert_cmpstr (kb_format_state (KB_CHANNEL_STATE_COOLDOWN), ==, "Cooling down");
  g_assert_cmpstr (kb_format_state (KB_CHANNEL_STATE_PROBE), ==, "Ready for a try");
  g_assert_cmpstr (kb_format_state (KB_CHANNEL_STATE_DISABLED), ==, "Disabled");
  g_assert_cmpstr (kb_format_state_unknown (), ==, "Unknown");
}

static void
test_countdown (void)
{
  static const struct
  {
    gint64 remaining_ms;
    const char *text;
  } rows[] = {
    { G_MININT64, "any moment now" },
    { -3 * SECOND, "any moment now" },
    { 0, "any moment now" },
    { 1, "back in 1 s" },
    { 999, "back in 1 s" },
    { 1000, "back in 1 s" },
    { 1001, "back in 2 s" },
    { 26001, "back in 27 s" },
    { 27000, "back in 27 s" },
    { 89 * SECOND, "back in 89 s" },
    { 90 * SECOND - 1, "back in 90 s" },
    { 90 * SECOND, "back in 2 min" },
    { 2 * MINUTE, "back in 2 min" },
    { 2 * MINUTE + 1, "back in 3 min" },
    { 17 * MINUTE, "back in 17 min" },
    { 59 * MINUTE, "back in 59 min" },
    { 59 * MINUTE + 1, "back in 1 h" },
    { HOUR, "back in 1 h" },
    { HOUR + 1, "back in 1 h 1 min" },
    { 2 * HOUR + 5 * MINUTE, "back in 2 h 5 min" },
    { 2 * HOUR + 59 * MINUTE + 1, "back in 3 h" },
    { 2 * DAY, "back in 48 h" },
    { 2 * DAY + 1, "back in 3 days" },
    { 400 * DAY, "back in 400 days" },
    { G_MAXINT64, "back in 2147483647 days" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    take_equal (kb_format_countdown (rows[i].remaining_ms), rows[i].text);
}

/* A countdown only ever gets smaller: its number of seconds, sampled every 100 ms. */
static void
test_countdown_falls (void)
{
  int last = G_MAXINT;

  for (gint64 left = 89 * SECOND; left > 0; left -= 100)
    {
      g_autofree char *text = kb_format_countdown (left);
      int seconds = -1;

      g_assert_cmpint (sscanf (text, "back in %d s", &seconds), ==, 1);
      g_assert_cmpint (seconds, <=, last);
      g_assert_cmpint (seconds, >=, 1);
      last = seconds;
    }
  g_assert_cmpint (last, ==, 1);
}

static void
test_failure (void)
{
  static const struct
  {
    const char *code;
    const char *text;
  } rows[] = {
    { "RATE_LIMIT", "Rate limited" },
    { "HTTP_429", "Rate limited" },
    { "SERVER", "Server error" },
    { "HTTP_503", "Server error" },
    { "TRANSPORT", "Connection broke" },
    { "EMPTY_RESPONSE", "Empty answer" },
    { "TIMEOUT", "No answer in time" },
    { "STALLED", "No answer in time" },
    { "QUOTA", "Quota used up" },
    { "INVALID_CREDENTIAL", "Key refused" },
    { "AUTH", "Key refused" },
    { "HTTP_403", "Not allowed for this key" },
    { "MISSING_CREDENTIAL", "Key not found on this computer" },
    { "CONTEXT_WINDOW_EXCEEDED", "Conversation too long for the model" },
    { "UNKNOWN_MODEL", "Model not known to the provider" },
    { "INVALID_REQUEST", "Request not accepted" },
    { "ABORTED", "Cancelled by the client" },
    { "NO_ADAPTER", "Host configuration error" },
    { "UNKNOWN", "Unknown failure" },
    { "", "Unknown failure" },
    { NULL, "Unknown failure" },
    { "PI_AI_ERROR", "PI_AI_ERROR" },
    { "HTTP_200", "HTTP_200" },
    { "rate_limit", "rate_limit" },
    { "WEATHER_太阳风暴", "WEATHER_太阳风暴" },
    { "give-up-budget-exhausted", "No switches left for this session" },
    { "no-routable-fallback", "No other channel was available" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    take_equal (kb_format_failure (rows[i].code), rows[i].text);
}

static KbChannel *
make_channel (const char *provider, const char *model, const KbBreaker *breaker, const char *reason)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new (provider, model);
  KbChannelFacts facts = { .ref = ref, .source = "daruma", .origin = "file", .position = 1 };

  facts.known = breaker != NULL;
  if (breaker != NULL)
    facts.breaker = *breaker;
  facts.reason = reason;
  return kb_channel_new (&facts, NOON);
}

static void
test_reason (void)
{
  static const struct
  {
    KbBreaker breaker;
    const char *code;
    const char *text;
  } rows[] = {
    { { KB_CHANNEL_STATE_HEALTHY, 0, 0, NOON }, NULL, "No failures" },
    /* The newest trouble of a healthy channel may be long over: it is not its reason. */
    { { KB_CHANNEL_STATE_HEALTHY, 0, 0, NOON }, "QUOTA", "No failures" },
    { { KB_CHANNEL_STATE_HEALTHY, 1, 0, NOON }, NULL, "1 failure, not counted out yet" },
    { { KB_CHANNEL_STATE_HEALTHY, 2, 0, NOON }, NULL, "2 failures in a row, not counted out yet" },
    { { KB_CHANNEL_STATE_COOLDOWN, 3, NOON + 1, NOON },
      "RATE_LIMIT",
      "Rate limited, 3 failures in a row" },
    { { KB_CHANNEL_STATE_COOLDOWN, 1, NOON + 1, NOON }, "QUOTA", "Quota used up" },
    { { KB_CHANNEL_STATE_COOLDOWN, 1, NOON + 1, NOON }, NULL, "1 failure" },
    { { KB_CHANNEL_STATE_COOLDOWN, 4, NOON + 1, NOON }, NULL, "4 failures in a row" },
    { { KB_CHANNEL_STATE_COOLDOWN, 1, NOON + 1, NOON },
      "no-routable-fallback",
      "1 failure, and no other channel was available" },
    { { KB_CHANNEL_STATE_COOLDOWN, 4, NOON + 1, NOON },
      "give-up-budget-exhausted",
      "4 failures in a row, and no switches left for the session" },
    { { KB_CHANNEL_STATE_COOLDOWN, 0, NOON + 1, NOON }, NULL, "Cooling down after a failure" },
    { { KB_CHANNEL_STATE_COOLDOWN, G_MAXINT64, NOON + 1, NOON },
      NULL,
      "2147483647 failures in a row" },
    { { KB_CHANNEL_STATE_COOLDOWN, 3, NOON, NOON },
      "RATE_LIMIT",
      "The cooldown is over; the next request tries it" },
    { { KB_CHANNEL_STATE_PROBE, 3, 0, NOON },
      "RATE_LIMIT",
      "The cooldown is over; the next request tries it" },
    { { KB_CHANNEL_STATE_DISABLED, 1, 0, NOON },
      "INVALID_CREDENTIAL",
      "Key refused; off until a person enables it again" },
    { { KB_CHANNEL_STATE_DISABLED, 1, 0, NOON }, NULL, "Off until a person enables it again" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbChannel) channel
          = make_channel ("mt", "glm-5.3", &rows[i].breaker, rows[i].code);

      take_equal (kb_format_channel_reason (channel, NOON), rows[i].text);
    }
}

static void
test_reason_unknown (void)
{
  g_autoptr (KbChannel) channel = make_channel ("mt", "glm-5.3", NULL, NULL);

  take_equal (kb_format_channel_reason (channel, NOON), "No failures recorded yet");
}

/* The sentence follows the time handed in, not the state of the last update. */
static void
test_reason_by_time (void)
{
  KbBreaker breaker = { KB_CHANNEL_STATE_COOLDOWN, 3, NOON + 30 * SECOND, NOON };
  g_autoptr (KbChannel) channel = make_channel ("mt", "glm-5.3", &breaker, "SERVER");

  take_equal (kb_format_channel_reason (channel, NOON + 30 * SECOND - 1),
              "Server error, 3 failures in a row");
  take_equal (kb_format_channel_reason (channel, NOON + 30 * SECOND),
              "The cooldown is over; the next request tries it");
}

static void
test_spoken (void)
{
  KbBreaker cooling = { KB_CHANNEL_STATE_COOLDOWN, 3, NOON + 30 * SECOND, NOON };
  KbBreaker healthy = { KB_CHANNEL_STATE_HEALTHY, 0, 0, NOON };
  KbBreaker disabled = { KB_CHANNEL_STATE_DISABLED, 1, 0, NOON };
  g_autoptr (KbChannel) a = make_channel ("mt", "glm-5.3", &cooling, "RATE_LIMIT");
  g_autoptr (KbChannel) b = make_channel ("云雀", "深度-推理", &healthy, NULL);
  g_autoptr (KbChannel) c = make_channel ("solo", "", &disabled, NULL);
  g_autofree char *first = kb_format_channel_spoken (a, NOON);
  g_autofree char *later = kb_format_channel_spoken (a, NOON + 20 * SECOND);

  g_assert_cmpstr (first, ==,
                   "glm-5.3 from mt is cooling down until 14:03:01. "
                   "Rate limited, 3 failures in a row.");
  /* A screen reader must not hear every tick. */
  g_assert_cmpstr (first, ==, later);
  take_equal (kb_format_channel_spoken (a, NOON + 31 * SECOND),
              "glm-5.3 from mt is ready for a try. "
              "The cooldown is over; the next request tries it.");
  take_equal (kb_format_channel_spoken (b, NOON), "深度-推理 from 云雀 is healthy. No failures.");
  take_equal (kb_format_channel_spoken (c, NOON),
              "solo is disabled. Off until a person enables it again.");
}

/* Nothing is said of a channel whose record was never readable, least of all that it is well. */
static void
test_unreadable (void)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("mt", "glm-5.3");
  KbChannelFacts facts = { .ref = ref,
                           .source = "daruma",
                           .origin = "file",
                           .position = 1,
                           .unreadable = TRUE,
                           .breaker = kb_breaker_new_healthy (0) };
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOON);

  take_equal (kb_format_channel_reason (channel, NOON),
              "The file that records its state cannot be read");
  take_equal (kb_format_channel_spoken (channel, NOON),
              "The state of glm-5.3 from mt is not known. "
              "The file that records its state cannot be read.");
}

static void
test_since (void)
{
  take_equal (kb_format_since (NOON - MINUTE, NOON), "since 14:01");
  take_equal (kb_format_since (NOON - DAY, NOON), "since 1 Aug, 14:02");
  take_equal (kb_format_since (NOON - 365 * DAY, NOON), "since 2 Aug 2025, 14:02");
  take_equal (kb_format_since (0, NOON), "since an unknown time");
  take_equal (kb_format_since (-1, NOON), "since an unknown time");
  take_equal (kb_format_since (G_MAXINT64, NOON), "since an unknown time");
}

static void
test_absolute (void)
{
  take_equal (kb_format_time_absolute (NOON, NOON), "14:02:31");
  take_equal (kb_format_time_absolute (NOON + 30 * SECOND, NOON), "14:03:01");
  take_equal (kb_format_time_absolute (NOON - 15 * HOUR, NOON), "1 Aug, 23:02:31");
  take_equal (kb_format_time_absolute (NOON - 365 * DAY, NOON), "2 Aug 2025, 14:02:31");
  take_equal (kb_format_time_absolute (NOON + 365 * DAY, NOON), "2 Aug 2027, 14:02:31");
  take_equal (kb_format_time_absolute (0, NOON), "unknown time");
  take_equal (kb_format_time_absolute (G_MAXINT64, NOON), "unknown time");
  take_equal (kb_format_time_absolute (G_MININT64, NOON), "unknown time");
}

static void
test_relative (void)
{
  static const struct
  {
    gint64 age_ms;
    const char *text;
  } rows[] = {
    { 0, "just now" },
    { 4999, "just now" },
    { -4999, "just now" },
    { 5 * SECOND, "5 seconds ago" },
    { 59999, "59 seconds ago" },
    { MINUTE, "1 minute ago" },
    { 3 * MINUTE + 59 * SECOND, "3 minutes ago" },
    { HOUR, "1 hour ago" },
    { 23 * HOUR + 59 * MINUTE, "23 hours ago" },
    { DAY, "1 day ago" },
    { 29 * DAY, "29 days ago" },
    { 30 * DAY, "3 Jul, 14:02:31" },
    { -5 * SECOND, "in 5 seconds" },
    { -59 * SECOND, "in 59 seconds" },
    { -59001, "in 1 minute" },
    { -(2 * MINUTE + 59 * SECOND), "in 3 minutes" },
    { -HOUR, "in 1 hour" },
    { -(23 * HOUR + 1), "in 1 day" },
    { -30 * DAY, "in 30 days" },
    { -31 * DAY, "2 Sep, 14:02:31" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    take_equal (kb_format_time_relative (NOON - rows[i].age_ms, NOON), rows[i].text);
  take_equal (kb_format_time_relative (0, NOON), "unknown time");
  take_equal (kb_format_time_relative (G_MAXINT64, NOON), "unknown time");
  take_equal (kb_format_time_relative (G_MAXINT64, G_MININT64), "unknown time");
}

static KbEvent *
make_failover (void)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_FAILOVER;
  fields.kind_name = "failover";
  fields.time_ms = NOON;
  fields.from = "mt::glm-5.3";
  fields.to = "mt::deepseek-v4-flash";
  fields.reason = "RATE_LIMIT";
  fields.status = 429;
  fields.failover_count = 1;
  fields.give_up_budget = 8;
  return kb_event_new (&fields);
}

static void
test_last_switch (void)
{
  g_autoptr (KbEvent) event = make_failover ();
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autoptr (KbEvent) bare = NULL;

  fields.kind = KB_EVENT_FAILOVER;
  bare = kb_event_new (&fields);
  take_equal (kb_format_last_switch (event, NOON + MINUTE),
              "Last switched to mt::deepseek-v4-flash at 14:02");
  take_equal (kb_format_last_switch (event, NOON + DAY),
              "Last switched to mt::deepseek-v4-flash on 2 Aug, 14:02");
  take_equal (kb_format_last_switch (bare, NOON), "Last switched to an unknown channel");
}

static void
check_event (const KbEventFields *fields, const char *title, const char *detail)
{
  g_autoptr (KbEvent) event = kb_event_new (fields);

  take_equal (kb_format_event_title (event), title);
  take_equal (kb_format_event_detail (event), detail);
}

static void
test_event_failover (void)
{
  g_autoptr (KbEvent) event = make_failover ();
  KbEventFields fields = *kb_event_get_fields (event);

  check_event (&fields, "Switched from mt::glm-5.3 to mt::deepseek-v4-flash",
               "Rate limited (HTTP 429), switch 1 of 8");
  fields.status = -1;
  check_event (&fields, "Switched from mt::glm-5.3 to mt::deepseek-v4-flash",
               "Rate limited, switch 1 of 8");
  fields.failover_count = -1;
  fields.from = NULL;
  check_event (&fields, "Switched to mt::deepseek-v4-flash", "Rate limited");
  fields.to = NULL;
  fields.reason = NULL;
  check_event (&fields, "Switched to another channel", "Unknown failure");
  fields.from = "a::b";
  check_event (&fields, "Switched away from a::b", "Unknown failure");
}

static void
test_event_give_up (void)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_GIVE_UP;
  fields.from = "nimbus::heron-7b";
  fields.reason = "no-routable-fallback";
  fields.status = 500;
  fields.failover_count = 0;
  check_event (&fields, "Gave up on nimbus::heron-7b", "No other channel was available (HTTP 500)");
  fields.reason = "give-up-budget-exhausted";
  fields.status = -1;
  fields.failover_count = 8;
  fields.give_up_budget = 8;
  check_event (&fields, "Gave up on nimbus::heron-7b",
               "No switches left for this session, after 8 switches");
  fields.failover_count = 1;
  fields.from = NULL;
  check_event (&fields, "Gave up", "No switches left for this session, after 1 switch");
}

static void
test_event_boot (void)
{
  static const char *const channels[] = { "a::b", "c::d", NULL };
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_BOOT;
  check_event (&fields, "Host started without a channel", NULL);
  fields.channels = channels;
  fields.failure_budget = 3;
  fields.cooldown_ms = 30000;
  fields.give_up_budget = 8;
  check_event (&fields, "Host started with 2 channels",
               "Failure budget 3, cooldown 30 s, at most 8 switches");
  fields.cooldown_ms = 1500;
  check_event (&fields, "Host started with 2 channels",
               "Failure budget 3, cooldown 1.5 s, at most 8 switches");
}

static void
test_event_reader (void)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_GAP;
  fields.message = "The log was rotated twice";
  check_event (&fields, "Entries are missing here", "The log was rotated twice");
  fields.kind = KB_EVENT_DAMAGED;
  fields.message = NULL;
  check_event (&fields, "An entry cannot be read", NULL);
  fields.kind = KB_EVENT_OTHER;
  check_event (&fields, "Unknown entry", NULL);
  fields.kind_name = "effort-drop";
  fields.reason = "QUOTA";
  check_event (&fields, "effort-drop", "Quota used up");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/format/state", test_state);
  g_test_add_func ("/client/format/countdown", test_countdown);
  g_test_add_func ("/client/format/countdown/falls", test_countdown_falls);
  g_test_add_func ("/client/format/failure", test_failure);
  g_test_add_func ("/client/format/reason", test_reason);
  g_test_add_func ("/client/format/reason/unknown", test_reason_unknown);
  g_test_add_func ("/client/format/reason/by-time", test_reason_by_time);
  g_test_add_func ("/client/format/spoken", test_spoken);
  g_test_add_func ("/client/format/unreadable", test_unreadable);
  g_test_add_func ("/client/format/since", test_since);
  g_test_add_func ("/client/format/time/absolute", test_absolute);
  g_test_add_func ("/client/format/time/relative", test_relative);
  g_test_add_func ("/client/format/last-switch", test_last_switch);
  g_test_add_func ("/client/format/event/failover", test_event_failover);
  g_test_add_func ("/client/format/event/give-up", test_event_give_up);
  g_test_add_func ("/client/format/event/boot", test_event_boot);
  g_test_add_func ("/client/format/event/reader", test_event_reader);
  return g_test_run ();
}

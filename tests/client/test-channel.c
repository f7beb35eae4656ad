// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-channel.h"

#include "signal-log.h"

#define NOW G_GINT64_CONSTANT (1789096234000)

static const KbChannelRef ref
    = { .provider = (char *) "mt", .model = (char *) "glm-5.3", .id = (char *) "mt::glm-5.3" };

static KbChannelFacts
make_facts (void)
{
  return (KbChannelFacts) {
    .ref = &ref,
    .source = "daruma",
    .origin = "file",
    .position = 1,
    .known = TRUE,
    .breaker = { .state = KB_CHANNEL_STATE_COOLDOWN,
                 .failures = 3,
                 .until_ms = NOW + 30000,
                 .updated_ms = NOW },
    .reason = "RATE_LIMIT",
  };
}

static void
test_new (void)
{
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);

  g_assert_cmpstr (kb_channel_get_id (channel), ==, "mt::glm-5.3");
  g_assert_cmpstr (kb_channel_get_provider (channel), ==, "mt");
  g_assert_cmpstr (kb_channel_get_model (channel), ==, "glm-5.3");
  g_assert_cmpstr (kb_channel_get_source (channel), ==, "daruma");
  g_assert_cmpstr (kb_channel_get_origin (channel), ==, "file");
  g_assert_cmpstr (kb_channel_get_reason (channel), ==, "RATE_LIMIT");
  g_assert_cmpuint (kb_channel_get_position (channel), ==, 1);
  g_assert_true (kb_channel_get_in_chain (channel));
  g_assert_false (kb_channel_get_is_backup (channel));
  g_assert_true (kb_channel_get_known (channel));
  g_assert_cmpint (kb_channel_get_state (channel), ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (kb_channel_get_breaker (channel).until_ms, ==, NOW + 30000);
}

static void
test_properties (void)
{
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);
  g_autofree char *id = NULL, *provider = NULL, *model = NULL, *source = NULL, *origin = NULL;
  g_autofree char *reason = NULL;
  gboolean in_chain, is_backup, known;
  gint64 until, failures, updated;
  guint position;
  int state;

  g_object_get (channel, "id", &id, "provider", &provider, "model", &model, "source", &source,
                "origin", &origin, "reason", &reason, "position", &position, "in-chain", &in_chain,
                "is-backup", &is_backup, "known", &known, "state", &state, "until-ms", &until,
                "failures", &failures, "updated-ms", &updated, NULL);
  g_assert_cmpstr (id, ==, "mt::glm-5.3");
  g_assert_cmpstr (provider, ==, "mt");
  g_assert_cmpstr (model, ==, "glm-5.3");
  g_assert_cmpstr (source, ==, "daruma");
  g_assert_cmpstr (origin, ==, "file");
  g_assert_cmpstr (reason, ==, "RATE_LIMIT");
  g_assert_cmpuint (position, ==, 1);
  g_assert_true (in_chain);
  g_assert_false (is_backup);
  g_assert_true (known);
  g_assert_cmpint (state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (until, ==, NOW + 30000);
  g_assert_cmpint (failures, ==, 3);
  g_assert_cmpint (updated, ==, NOW);
}

static void
test_update_nothing (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);

  signal_log_listen_notify (log, channel);
  g_assert_false (kb_channel_update (channel, &facts, NOW));
  g_assert_false (kb_channel_update (channel, &facts, NOW + 29999));
}

static void
test_deadline_passes (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);

  signal_log_listen_notify (log, channel);
  g_assert_true (kb_channel_update (channel, &facts, NOW + 30000));
  signal_log_expect (log, "notify state");
  signal_log_expect_none (log);
  g_assert_cmpint (kb_channel_get_state (channel), ==, KB_CHANNEL_STATE_PROBE);
  g_assert_cmpint (kb_channel_get_breaker (channel).state, ==, KB_CHANNEL_STATE_COOLDOWN);

  /* The clock was set back: the deadline is ahead again. */
  g_assert_true (kb_channel_update (channel, &facts, NOW));
  signal_log_expect (log, "notify state");
}

static void
test_stored_word_only (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW + 30000);

  /* PROBE by time and PROBE by the file's word look the same, but are a difference. */
  facts.breaker.state = KB_CHANNEL_STATE_PROBE;
  signal_log_listen_notify (log, channel);
  g_assert_true (kb_channel_update (channel, &facts, NOW + 30000));
}

static void
recovered_cb (KbChannel *channel, GParamSpec *pspec, gpointer data)
{
  /* Whichever comes first: all values are already the new ones. */
  g_assert_cmpint (kb_channel_get_state (channel), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_null (kb_channel_get_reason (channel));
  g_assert_cmpint (kb_channel_get_breaker (channel).failures, ==, 0);
  g_assert_cmpuint (kb_channel_get_position (channel), ==, 0);
  (*(guint *) data)++;
}

static void
test_update_all (void)
{
  KbChannelRef other = { .provider = (char *) "mt::glm", .model = (char *) "", .id = ref.id };
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);
  guint n_notified = 0;

  g_signal_connect (channel, "notify", G_CALLBACK (recovered_cb), &n_notified);
  facts.ref = &other;
  facts.position = 0;
  facts.is_backup = 7;
  facts.known = FALSE;
  facts.unreadable = TRUE;
  facts.reason = NULL;
  facts.breaker = kb_breaker_new_healthy (0);
  g_assert_true (kb_channel_update (channel, &facts, NOW));
  /* provider, model, reason, position, in-chain, is-backup, known, unreadable, state, failures,
   * until-ms and updated-ms */
  g_assert_cmpuint (n_notified, ==, 12);
  g_assert_cmpint (kb_channel_get_is_backup (channel), ==, TRUE);
  g_assert_false (kb_channel_get_known (channel));
  g_assert_true (kb_channel_get_unreadable (channel));
}

static void
test_position (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  KbChannelFacts facts = make_facts ();
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);

  signal_log_listen_notify (log, channel);
  facts.position = 2;
  g_assert_true (kb_channel_update (channel, &facts, NOW));
  signal_log_expect (log, "notify position");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/channel/new", test_new);
  g_test_add_func ("/client/channel/properties", test_properties);
  g_test_add_func ("/client/channel/update/nothing", test_update_nothing);
  g_test_add_func ("/client/channel/update/deadline-passes", test_deadline_passes);
  g_test_add_func ("/client/channel/update/stored-word", test_stored_word_only);
  g_test_add_func ("/client/channel/update/all", test_update_all);
  g_test_add_func ("/client/channel/update/position", test_position);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-channel-merge.h"

#define DEADLINE G_GINT64_CONSTANT (1796040000000)

static KbChannelReport *
add (KbGatewayReport *report, const char *provider, const char *model)
{
  g_autofree char *id = g_strconcat (provider, "::", model, NULL);
  KbChannelReport *live = kb_gateway_report_add_channel (report, id);

  live->provider = g_strdup (provider);
  live->model = g_strdup (model);
  live->scope = g_strdup ("pair");
  return live;
}

static const KbChannelFacts *
find (KbChannelMerge *merge, const char *id)
{
  guint n;
  const KbChannelFacts *facts = kb_channel_merge_get (merge, &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (facts[i].ref->id, id))
      return &facts[i];
  return NULL;
}

static KbChannelFacts
make_facts (KbChannelRef *ref, guint position)
{
  return (KbChannelFacts) {
    .ref = ref,
    .source = "daruma",
    .origin = "file",
    .position = position,
    .breaker = { .state = KB_CHANNEL_STATE_COOLDOWN, .failures = 3, .until_ms = DEADLINE },
    .reason = "SERVER",
  };
}

static void
test_files_alone (void)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("mt", "glm");
  const KbChannelFacts file = make_facts (ref, 1);
  g_autoptr (KbChannelMerge) merge = kb_channel_merge_new (&file, 1, NULL);
  const KbChannelFacts *facts = find (merge, "mt::glm");

  g_assert_cmpstr (facts->source, ==, "daruma");
  g_assert_null (facts->live);
  g_assert_cmpint (facts->breaker.until_ms, ==, DEADLINE);
}

/* The gateway judges; the place is that of the files, and so is what is written. */
static void
test_gateway_judges (void)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("mt", "glm");
  g_autoptr (KbGatewayReport) report = kb_gateway_report_new ();
  KbChannelFacts file = make_facts (ref, 1);
  KbChannelReport *live = add (report, "mt", "glm");
  g_autoptr (KbChannelMerge) merge = NULL;
  const KbChannelFacts *facts;

  live->position = 7;
  live->state = KB_CHANNEL_STATE_DISABLED;
  live->failures = 1;
  live->reason = g_strdup ("INVALID_CREDENTIAL");
  file.unreadable = TRUE;
  merge = kb_channel_merge_new (&file, 1, report);
  facts = find (merge, "mt::glm");
  g_assert_cmpstr (facts->source, ==, "gateway");
  g_assert_cmpstr (facts->origin, ==, "bus");
  g_assert_cmpuint (facts->position, ==, 1);
  g_assert_cmpint (facts->breaker.state, ==, KB_CHANNEL_STATE_DISABLED);
  g_assert_cmpint (facts->breaker.failures, ==, 1);
  g_assert_cmpstr (facts->reason, ==, "INVALID_CREDENTIAL");
  g_assert_false (facts->unreadable);
  g_assert_true (facts->known);
  g_assert_true (facts->live == live);
  g_assert_cmpint (facts->written.until_ms, ==, DEADLINE);
}

/* Every model of every provider is a channel; only those with something to tell are shown. */
static void
test_others (void)
{
  g_autoptr (KbGatewayReport) report = kb_gateway_report_new ();
  g_autoptr (KbChannelMerge) merge = NULL;
  guint n;

  add (report, "mt", "never-used");
  add (report, "mt", "used")->n_ok = 1;
  add (report, "mt", "failed")->n_failed = 1;
  add (report, "mt", "cooling")->state = KB_CHANNEL_STATE_COOLDOWN;
  add (report, "mt", "by-hand-only")->never_automatic = TRUE;
  add (report, "mt", "pinned")->is_pinned = TRUE;
  kb_gateway_report_add_channel (report, "of a stranger")->n_ok = 1;
  merge = kb_channel_merge_new (NULL, 0, report);
  kb_channel_merge_get (merge, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_null (find (merge, "mt::never-used"));
  g_assert_cmpuint (find (merge, "mt::used")->position, ==, 0);
}

/* A place in the chain whose name only the host knows is nobody's channel. */
static void
test_expression (void)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("!!js#1", "");
  g_autoptr (KbGatewayReport) report = kb_gateway_report_new ();
  KbChannelFacts file = make_facts (ref, 1);
  g_autoptr (KbChannelMerge) merge = NULL;

  kb_gateway_report_add_channel (report, "!!js#1");
  file.expression = file.unreadable = TRUE;
  merge = kb_channel_merge_new (&file, 1, report);
  g_assert_null (find (merge, "!!js#1")->live);
  g_assert_true (find (merge, "!!js#1")->unreadable);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/channel-merge/files-alone", test_files_alone);
  g_test_add_func ("/client/channel-merge/gateway-judges", test_gateway_judges);
  g_test_add_func ("/client/channel-merge/others", test_others);
  g_test_add_func ("/client/channel-merge/expression", test_expression);
  return g_test_run ();
}

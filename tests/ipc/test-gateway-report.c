// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-error.h"
#include "ipc/kb-gateway-report.h"

static KbGatewayReport *
make_report (void)
{
  const KbChannelMinute minutes[] = { { 1, 2, 3 }, { 4, 0, 0 } };
  KbGatewayReport *report = kb_gateway_report_new ();
  KbChannelReport *channel = kb_gateway_report_add_channel (report, "a::x");
  KbExchangeReport *exchange = kb_gateway_report_add_exchange (report, "x-7");
  KbGroupReport *group;

  exchange->is_stream = TRUE;
  exchange->pid = 4711;
  exchange->program = g_strdup ("node");
  channel->tls_error = g_strdup ("expired");
  report->serial = 42;
  report->home = g_strdup ("/h");
  report->online = TRUE;
  report->pin = g_strdup ("a::x");
  report->pin_until_ms = G_GINT64_CONSTANT (1789096234101);
  g_strfreev (report->problems);
  report->problems = g_strsplit ("one|two", "|", -1);
  channel->provider = g_strdup ("a");
  channel->model = g_strdup ("x");
  channel->position = 2;
  channel->state = KB_CHANNEL_STATE_COOLDOWN;
  channel->until_ms = 7;
  channel->is_probing = TRUE;
  channel->p95_ms = 900;
  channel->reason = g_strdup ("RATE_LIMIT");
  channel->never_automatic = TRUE;
  g_array_append_val (channel->minutes, minutes[0]);
  g_array_append_val (channel->minutes, minutes[1]);
  report->switch_from = g_strdup ("a::x");
  report->switch_to = g_strdup ("b::y");
  report->switch_ms = 5;
  kb_gateway_report_add_channel (report, "b::y");
  group = kb_gateway_report_add_group (report, "p/u");
  group->pool = g_strdup ("p");
  group->is_active = TRUE;
  group->context_window = 9000;
  g_strfreev (group->efforts);
  group->efforts = g_strsplit ("low high", " ", -1);
  kb_group_report_add_member (group, "a::x", 3);
  kb_group_report_add_member (group, "b::y", 0);
  return report;
}

static void
test_round_trip (void)
{
  g_autoptr (KbGatewayReport) report = make_report ();
  g_autoptr (GVariant) variant = g_variant_ref_sink (kb_gateway_report_to_variant (report));
  g_autoptr (KbGatewayReport) copy = kb_gateway_report_from_variant (variant);
  g_autoptr (GVariant) again = g_variant_ref_sink (kb_gateway_report_to_variant (copy));
  const KbChannelReport *channel = kb_gateway_report_find_channel (copy, "a::x");
  const KbExchangeReport *exchange;

  g_assert_true (g_variant_equal (variant, again));
  g_assert_cmpint (copy->serial, ==, 42);
  g_assert_cmpstr (copy->home, ==, "/h");
  g_assert_null (copy->serving);
  g_assert_true (copy->online);
  g_assert_false (copy->paused);
  g_assert_cmpint (copy->pin_until_ms, ==, G_GINT64_CONSTANT (1789096234101));
  g_assert_cmpstr (copy->problems[1], ==, "two");
  g_assert_cmpint (channel->state, ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_cmpint (channel->position, ==, 2);
  g_assert_true (channel->is_probing);
  g_assert_cmpint (channel->p50_ms, ==, -1);
  g_assert_cmpint (channel->p95_ms, ==, 900);
  g_assert_cmpstr (channel->reason, ==, "RATE_LIMIT");
  g_assert_true (channel->never_automatic);
  g_assert_cmpuint (channel->minutes->len, ==, 2);
  g_assert_cmpuint (g_array_index (channel->minutes, KbChannelMinute, 0).n_cut, ==, 3);
  g_assert_cmpuint (g_array_index (channel->minutes, KbChannelMinute, 1).n_ok, ==, 4);
  g_assert_cmpstr (copy->switch_from, ==, "a::x");
  g_assert_cmpstr (copy->switch_to, ==, "b::y");
  g_assert_null (copy->switch_reason);
  g_assert_cmpint (copy->switch_ms, ==, 5);
  g_assert_null (channel->url);
  g_assert_cmpstr (channel->tls_error, ==, "expired");
  g_assert_cmpuint (copy->exchanges->len, ==, 1);
  exchange = copy->exchanges->pdata[0];
  g_assert_cmpstr (exchange->id, ==, "x-7");
  g_assert_true (exchange->is_stream);
  g_assert_cmpint (exchange->pid, ==, 4711);
  g_assert_cmpstr (exchange->program, ==, "node");
  g_assert_null (exchange->channel);
  g_assert_null (kb_gateway_report_find_channel (copy, "c::z"));
}

static void
test_groups (void)
{
  g_autoptr (KbGatewayReport) report = make_report ();
  g_autoptr (GVariant) variant = g_variant_ref_sink (kb_gateway_report_to_variant (report));
  g_autoptr (KbGatewayReport) copy = kb_gateway_report_from_variant (variant);
  const KbGroupReport *group = kb_gateway_report_find_group (copy, "p/u");
  const KbMemberReport *member = group->members->pdata[0];

  g_assert_cmpstr (group->pool, ==, "p");
  g_assert_null (group->title);
  g_assert_true (group->is_active);
  g_assert_cmpint (group->context_window, ==, 9000);
  g_assert_cmpstr (group->efforts[1], ==, "high");
  g_assert_cmpuint (group->members->len, ==, 2);
  g_assert_cmpstr (member->channel, ==, "a::x");
  g_assert_cmpint (member->bound, ==, 3);
  g_assert_null (kb_gateway_report_find_group (copy, "p"));
}

static void
test_equal (void)
{
  g_autoptr (KbGatewayReport) report = make_report ();
  g_autoptr (KbGatewayReport) other = make_report ();
  const KbChannelReport *a = report->channels->pdata[0];
  KbChannelReport *b = other->channels->pdata[0];

  g_assert_true (kb_channel_report_equal (a, b));
  g_assert_true (kb_channel_report_equal (NULL, NULL));
  g_assert_false (kb_channel_report_equal (a, NULL));
  g_assert_false (kb_channel_report_equal (NULL, b));
  g_array_index (b->minutes, KbChannelMinute, 1).n_cut++;
  g_assert_false (kb_channel_report_equal (a, b));
  g_array_index (b->minutes, KbChannelMinute, 1).n_cut--;
  b->never_automatic = FALSE;
  g_assert_false (kb_channel_report_equal (a, b));
  b->never_automatic = TRUE;
  b->p50_ms = 3;
  g_assert_false (kb_channel_report_equal (a, b));
  b->p50_ms = -1;
  g_assert_true (kb_channel_report_equal (a, b));
  g_set_str (&b->missing_key, "KEY");
  g_assert_false (kb_channel_report_equal (a, b));
}

/* A gateway of another version, or something else that owns the name. */
static void
test_strangers (void)
{
  static const char *const texts[] = {
    "@a{sv} {}",
    "{'serial': <'x'>, 'channels': <7>, 'problems': <[1, 2]>, 'new': <()>}",
    "{'lastSwitch': <7>, 'channels': <[{'noId': <1>}, {'id': <'a'>, 'state': <'MAD'>, "
    "'until': <true>, 'minutes': <'o'>}]>}",
    "{'groups': <[{'noId': <1>}, {'id': <'a'>, 'members': <[{'bound': <1>}]>, 'efforts': <7>}]>}",
  };
  g_autoptr (GVariant) number = g_variant_ref_sink (g_variant_new_int32 (7));

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GVariant) variant = g_variant_parse (NULL, texts[i], NULL, NULL, NULL);
      g_autoptr (KbGatewayReport) report = NULL;

      g_assert_nonnull (variant);
      report = kb_gateway_report_from_variant (variant);
      g_assert_cmpint (report->serial, ==, 0);
      g_assert_cmpuint (report->channels->len, ==, i == 2 ? 1 : 0);
      g_assert_null (report->problems[0]);
    }
  g_assert_null (kb_gateway_report_from_variant (number));
}

static void
test_errors (void)
{
  g_autoptr (GError) error
      = g_error_new_literal (KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL, "no");
  g_autofree char *name = g_dbus_error_encode_gerror (error);
  g_autoptr (GError) back = g_dbus_error_new_for_dbus_error (name, "no");

  g_assert_cmpstr (name, ==, "io.github.koboshi.Koboshi.Error.UnknownChannel");
  g_assert_error (back, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ipc/gateway-report/round-trip", test_round_trip);
  g_test_add_func ("/ipc/gateway-report/groups", test_groups);
  g_test_add_func ("/ipc/gateway-report/equal", test_equal);
  g_test_add_func ("/ipc/gateway-report/strangers", test_strangers);
  g_test_add_func ("/ipc/gateway-error/on-the-bus", test_errors);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/kb-channel-row.h"
#include "app/kb-channels-page.h"
#include "app/kb-strip.h"
#include "app/window-fixture.h"
#include "client/kb-notifier.h"
#include "tray/kb-tray-look.h"
#include "ui/kb-showcase-gateway.h"

/* What the channels page shows of a gateway on the bus, and what it asks of it. */

typedef struct
{
  WindowFixture window;
  KbShowcaseGateway *gateway; /* owned, nullable */
} Fixture;

static gboolean
is_linked (gpointer user_data)
{
  KbMonitor *monitor = kb_window_get_monitor (((Fixture *) user_data)->window.window);

  return kb_source_gateway_get_link (kb_monitor_get_gateway (monitor)) != KB_GATEWAY_LINK_UNKNOWN;
}

static gboolean
is_serving (gpointer user_data)
{
  return kb_monitor_get_report (kb_window_get_monitor (((Fixture *) user_data)->window.window))
         != NULL;
}

static gboolean
is_without (gpointer user_data)
{
  return !is_serving (user_data);
}

static void
start_gateway (Fixture *fixture)
{
  fixture->gateway = kb_showcase_gateway_new (fixture->window.showcase->home,
                                              kb_clock_get_now_ms (fixture->window.clock));
}

static void
set_up (Fixture *fixture, gconstpointer with_gateway)
{
  window_set_up (&fixture->window, GINT_TO_POINTER (KB_SHOWCASE_STATES));
  if (GPOINTER_TO_INT (with_gateway))
    start_gateway (fixture);
  wait_for (GPOINTER_TO_INT (with_gateway) ? is_serving : is_linked, fixture);
  wait_frames (GTK_WIDGET (fixture->window.window));
}

static void
tear_down (Fixture *fixture, gconstpointer with_gateway)
{
  window_tear_down (&fixture->window, NULL);
  kb_showcase_gateway_free (fixture->gateway);
}

/* What is on screen, for a widget that shows this text. */
static GtkWidget *
find_text (GtkWidget *widget, const char *start)
{
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;

  if (text != NULL && g_str_has_prefix (text, start) && gtk_widget_get_mapped (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_text (child, start);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
shows (Fixture *fixture, const char *start)
{
  return find_text (GTK_WIDGET (fixture->window.window), start) != NULL;
}

static void
test_absent (Fixture *fixture, gconstpointer data)
{
  g_assert_true (shows (fixture, "Gateway"));
  g_assert_true (shows (fixture, "Not running"));
  g_assert_true (shows (fixture, "Start"));
  g_assert_true (shows (fixture, "Last switched to "));
}

static gboolean
has_refusal (gpointer user_data)
{
  return shows (user_data, "The gateway could not be started: ");
}

/* Nobody installed one on this bus, and whoever asks for it is told so. */
static void
test_start_refused (Fixture *fixture, gconstpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->window.window->channels), "gateway.start", NULL);
  wait_for (has_refusal, fixture);
  g_assert_true (shows (fixture, "Not running"));
}

static void
test_serving (Fixture *fixture, gconstpointer data)
{
  g_assert_true (shows (fixture, "Running at http://127.0.0.1:7878"));
  g_assert_false (shows (fixture, "Start"));
  g_assert_true (shows (fixture, "Serving heron-7b · nimbus · switched at "));
}

/* It comes and goes while the window is open. */
static void
test_comes_and_goes (Fixture *fixture, gconstpointer data)
{
  start_gateway (fixture);
  wait_for (is_serving, fixture);
  g_assert_true (shows (fixture, "Serving heron-7b · nimbus · switched at "));
  g_clear_pointer (&fixture->gateway, kb_showcase_gateway_free);
  wait_for (is_without, fixture);
  wait_frames (GTK_WIDGET (fixture->window.window));
  g_assert_true (shows (fixture, "Not running"));
  g_assert_true (shows (fixture, "Start"));
  g_assert_true (shows (fixture, "Last switched to "));
}

static GtkWidget *
find_row (GtkWidget *widget, const char *id)
{
  if (KB_IS_CHANNEL_ROW (widget)
      && g_str_equal (kb_channel_get_id (kb_channel_row_get_channel (KB_CHANNEL_ROW (widget))), id))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, id);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
get_row (Fixture *fixture, const char *id)
{
  GtkWidget *row = find_row (GTK_WIDGET (fixture->window.window), id);

  g_assert_nonnull (row);
  return row;
}

typedef struct
{
  Fixture *fixture;
  const char *text;
} Expected;

static gboolean
has_calls (gpointer user_data)
{
  const Expected *expected = user_data;

  return g_str_equal (kb_showcase_gateway_get_calls (expected->fixture->gateway), expected->text);
}

static gboolean
has_text (gpointer user_data)
{
  const Expected *expected = user_data;

  return shows (expected->fixture, expected->text);
}

/* Each verb asks for what its name says; one that has no sense now asks for nothing. */
static void
test_verbs (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *id;
    const char *action;
    const char *call; /* NULL: nothing */
  } verbs[] = {
    { "lumen::orca-2", "channel.disable", "Disable lumen::orca-2; " },
    { "lumen::orca-2", "channel.enable", NULL },
    { "lumen::orca-2", "channel.retry", "Retry lumen::orca-2; " },
    { "lumen::orca-mini", "channel.retry", NULL },
    { "lumen::orca-mini", "channel.pin", "Pin lumen::orca-mini; " },
    { "lumen::orca-mini", "channel.unpin", NULL },
    { "nimbus::heron-7b", "channel.unpin", "Unpin; " },
    { "nimbus::heron-7b", "channel.pin", NULL },
    { "月光::通义千问-超大杯", "channel.enable", "Enable 月光::通义千问-超大杯; " },
    { "月光::通义千问-超大杯", "channel.disable", NULL },
    /* The gateway has not got it: there is nothing to ask for. */
    { "ghost::phantom-1", "channel.disable", NULL },
    { "ghost::phantom-1", "channel.test", NULL },
  };
  g_autoptr (GString) calls = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    {
      Expected expected = { fixture, NULL };

      gtk_widget_activate_action (get_row (fixture, verbs[i].id), verbs[i].action, NULL);
      g_string_append (calls, verbs[i].call != NULL ? verbs[i].call : "");
      expected.text = calls->str;
      wait_for (has_calls, &expected);
    }
}

static void
test_test (Fixture *fixture, gconstpointer data)
{
  Expected said = { fixture, "orca-2 answered after 0.8 s" };
  Expected refused = { fixture, "the gateway has no channel “lumen::orca-2”" };

  gtk_widget_activate_action (get_row (fixture, "lumen::orca-2"), "channel.test", NULL);
  wait_for (has_text, &said);
  g_assert_cmpstr (kb_showcase_gateway_get_calls (fixture->gateway), ==, "Test lumen::orca-2; ");
  kb_showcase_gateway_refuse (fixture->gateway, refused.text);
  gtk_widget_activate_action (get_row (fixture, "lumen::orca-2"), "channel.disable", NULL);
  wait_for (has_text, &refused);
}

/* What the menu of the row offers follows the channel. */
static void
test_menu (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row = get_row (fixture, "nimbus::heron-7b");
  GtkWidget *popover;

  g_assert_nonnull (find_text (row, "Serving"));
  g_assert_nonnull (find_text (row, "Pinned"));
  g_assert_null (find_text (get_row (fixture, "lumen::orca-2"), "Serving"));
  gtk_widget_activate_action (row, "channel.menu", NULL);
  popover = find_widget (row, GTK_TYPE_POPOVER);
  g_assert_nonnull (popover);
  wait_mapped (popover, TRUE);
  g_assert_nonnull (find_text (popover, "Disable"));
  g_assert_nonnull (find_text (popover, "Unpin"));
  g_assert_null (find_text (popover, "Enable"));
  g_assert_null (find_text (popover, "Pin to the Front"));
  gtk_popover_popdown (GTK_POPOVER (popover));
  wait_mapped (popover, FALSE);
}

typedef struct
{
  GtkWidget *widget;
  const char *text;
} Hint;

static gboolean
has_tooltip (gpointer user_data)
{
  const Hint *hint = user_data;

  return g_strcmp0 (gtk_widget_get_tooltip_text (hint->widget), hint->text) == 0;
}

static KbStrip *
get_strip (Fixture *fixture, const char *id)
{
  return KB_STRIP (find_widget (get_row (fixture, id), KB_TYPE_STRIP));
}

static gboolean
is_strip_empty (gpointer user_data)
{
  return !gtk_widget_get_visible (GTK_WIDGET (user_data));
}

static void
test_strip (Fixture *fixture, gconstpointer data)
{
  KbGatewayReport *report = kb_showcase_gateway_get_report (fixture->gateway);
  KbChannelReport *channel = report->channels->pdata[0];
  KbChannelMinute *newest
      = &g_array_index (channel->minutes, KbChannelMinute, KB_CHANNEL_N_MINUTES - 1);
  KbStrip *strip = get_strip (fixture, "lumen::orca-2");
  Expected said = { fixture, "lumen · Rate limited, 3 failures in a row · since " };

  wait_for (has_text, &said);
  g_assert_nonnull (strstr (
      gtk_label_get_text (GTK_LABEL (find_text (get_row (fixture, "lumen::orca-2"), "lumen · "))),
      " · median 2.4 s · 2 streams cut"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (get_strip (fixture, "ghost::phantom-1"))));

  /* Three minutes to a bar, the newest at the end; what has left the hour is gone. */
  memset (channel->minutes->data, 0, KB_CHANNEL_N_MINUTES * sizeof (KbChannelMinute));
  *newest = (KbChannelMinute) { 4, 2, 1 };
  newest[-3] = (KbChannelMinute) { 1, 0, 0 };
  kb_showcase_gateway_tell (fixture->gateway);
  said.text = "Last hour: 5 went well, 2 failed, 1 cut in mid-answer";
  wait_for (has_tooltip, &(Hint) { GTK_WIDGET (strip), said.text });
  g_assert_cmpuint (kb_strip_get_n_bars (strip), ==, 2);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (strip), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       said.text);
  memset (channel->minutes->data, 0, KB_CHANNEL_N_MINUTES * sizeof (KbChannelMinute));
  kb_showcase_gateway_tell (fixture->gateway);
  wait_for (is_strip_empty, strip);

  g_clear_pointer (&fixture->gateway, kb_showcase_gateway_free);
  wait_for (is_without, fixture);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (get_strip (fixture, "lumen::orca-mini"))));
}

static void
notice_cb (char **title, const KbNotice *notice)
{
  g_set_str (title, notice->title);
}

static gboolean
has_title (gpointer user_data)
{
  return *(char **) user_data != NULL;
}

/* What the gateway alone knows reaches the tray and the notifications, too. */
static void
test_others (Fixture *fixture, gconstpointer data)
{
  KbMonitor *monitor = kb_window_get_monitor (fixture->window.window);
  KbChannelReport *channel = kb_showcase_gateway_get_report (fixture->gateway)->channels->pdata[1];
  g_autoptr (KbNotifier) notifier = kb_notifier_new (monitor, KB_NOTIFIER_IMPORTANT);
  g_autoptr (KbTrayLook) before = kb_tray_look_new (monitor);
  g_autoptr (KbTrayLook) after = NULL;
  g_autofree char *title = NULL;

  g_signal_connect_swapped (notifier, "send", G_CALLBACK (notice_cb), &title);
  g_assert_cmpstr (before->sentence, ==, "3 of 6 channels are not healthy");
  channel->state = KB_CHANNEL_STATE_DISABLED;
  channel->failures = 1;
  channel->since_ms = channel->updated_ms = kb_clock_get_now_ms (fixture->window.clock);
  g_set_str (&channel->reason, "INVALID_CREDENTIAL");
  kb_showcase_gateway_tell (fixture->gateway);
  wait_for (has_title, &title);
  g_assert_cmpstr (title, ==, "orca-mini is disabled");
  after = kb_tray_look_new (monitor);
  g_assert_cmpstr (after->sentence, ==, "4 of 6 channels are not healthy");
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, with_gateway, function)                                                          \
  g_test_add ("/app/gateway-view/" path, Fixture, GINT_TO_POINTER (with_gateway), set_up,          \
              function, tear_down)
  ADD ("absent", FALSE, test_absent);
  ADD ("start-refused", FALSE, test_start_refused);
  ADD ("serving", TRUE, test_serving);
  ADD ("verbs", TRUE, test_verbs);
  ADD ("test", TRUE, test_test);
  ADD ("others", TRUE, test_others);
  ADD ("strip", TRUE, test_strip);
  ADD ("menu", TRUE, test_menu);
  ADD ("comes-and-goes", FALSE, test_comes_and_goes);

  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-channel-row.h"
#include "app/kb-countdown.h"
#include "app/kb-status-badge.h"

#define NOW G_GINT64_CONSTANT (1796047650000)

typedef struct
{
  KbClock *clock;
  KbTicker *ticker;
  GtkWidget *row; /* owned */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->clock = kb_clock_new_manual (NOW);
  fixture->ticker = kb_ticker_new (fixture->clock);
  fixture->row = g_object_ref_sink (kb_channel_row_new (fixture->ticker));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  await_finalize (fixture->row);
  await_finalize (fixture->ticker);
  await_finalize (fixture->clock);
}

static gboolean
has_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_label (GTK_LABEL (widget)), text) == 0)
    return gtk_widget_get_visible (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_label (child, text))
      return TRUE;
  return FALSE;
}

static KbStatusBadge *
get_badge (Fixture *fixture)
{
  return KB_STATUS_BADGE (find_widget (fixture->row, KB_TYPE_STATUS_BADGE));
}

static KbCountdown *
get_countdown (Fixture *fixture)
{
  return KB_COUNTDOWN (find_widget (fixture->row, KB_TYPE_COUNTDOWN));
}

static void
test_cooling (Fixture *fixture, gconstpointer data)
{
  KbBreaker breaker = { KB_CHANNEL_STATE_COOLDOWN, 3, NOW + 27000, NOW - 3000 };
  g_autoptr (KbChannel) channel = make_channel ("mt", "glm-5.3", 2, breaker, "RATE_LIMIT", NOW);

  kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), channel);
  g_assert_true (has_label (fixture->row, "2"));
  g_assert_true (has_label (fixture->row, "glm-5.3"));
  g_assert_true (has_label (fixture->row, "mt · Rate limited, 3 failures in a row · since 14:07"));
  g_assert_false (has_label (fixture->row, "Backup"));
  g_assert_cmpint (kb_status_badge_get_state (get_badge (fixture)), ==, KB_CHANNEL_STATE_COOLDOWN);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (get_countdown (fixture))));
  g_assert_cmpint (kb_countdown_get_deadline (get_countdown (fixture)), ==, NOW + 27000);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (fixture->row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "glm-5.3");
  gtk_test_accessible_assert_property (
      GTK_ACCESSIBLE (fixture->row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      "glm-5.3 from mt is cooling down until 14:07:57. Rate limited, 3 failures in a row.");
}

/* The row follows its channel until it gets another one, or none. */
static void
test_bind (Fixture *fixture, gconstpointer data)
{
  KbBreaker cooling = { KB_CHANNEL_STATE_COOLDOWN, 3, NOW + 27000, NOW };
  KbBreaker healthy = { KB_CHANNEL_STATE_HEALTHY, 0, 0, NOW };
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("mt", "glm");
  KbChannel *channel = make_channel ("mt", "glm", 1, cooling, NULL, NOW);
  KbChannelFacts facts = { .ref = ref,
                           .source = "daruma",
                           .origin = "file",
                           .position = 1,
                           .is_backup = TRUE,
                           .known = TRUE,
                           .breaker = healthy };

  kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), channel);
  kb_channel_update (channel, &facts, NOW);
  g_assert_cmpint (kb_status_badge_get_state (get_badge (fixture)), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_true (has_label (fixture->row, "mt · No failures"));
  g_assert_true (has_label (fixture->row, "Backup"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (get_countdown (fixture))));

  kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), NULL);
  facts.breaker = cooling;
  kb_channel_update (channel, &facts, NOW);
  g_assert_cmpint (kb_status_badge_get_state (get_badge (fixture)), ==, KB_CHANNEL_STATE_HEALTHY);
  await_finalize (channel);
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("mt", "glm");
  KbChannelFacts facts = { .ref = ref,
                           .source = "daruma",
                           .origin = "file",
                           .position = 1,
                           .unreadable = TRUE,
                           .breaker = kb_breaker_new_healthy (0) };
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);

  kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), channel);
  g_assert_cmpint (kb_status_badge_get_state (get_badge (fixture)), ==, KB_STATUS_BADGE_UNKNOWN);
  g_assert_true (has_label (fixture->row, "Unknown"));
  g_assert_true (has_label (fixture->row, "mt · The file that records its state cannot be read"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (get_countdown (fixture))));

  facts.unreadable = FALSE;
  kb_channel_update (channel, &facts, NOW);
  g_assert_cmpint (kb_status_badge_get_state (get_badge (fixture)), ==, KB_CHANNEL_STATE_HEALTHY);
  g_assert_true (has_label (fixture->row, "mt · No failures recorded yet"));
}

static void
toast_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  char **said = user_data;

  g_set_str (said, g_variant_get_string (parameter, NULL));
}

/* A place in the order, and nothing to do with it: whoever tries is told so. */
static void
test_expression (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new ("!!js#2", "");
  KbChannelFacts facts = { .ref = ref,
                           .source = "daruma",
                           .origin = "file",
                           .position = 2,
                           .unreadable = TRUE,
                           .expression = TRUE,
                           .breaker = kb_breaker_new_healthy (0) };
  g_autoptr (KbChannel) channel = kb_channel_new (&facts, NOW);
  static const GActionEntry entries[] = { { "toast", toast_cb, "s" } };
  g_autoptr (GSimpleActionGroup) window = g_simple_action_group_new ();
  g_autofree char *said = NULL;
  guint n_acts = 0;

  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, 1, &said);
  gtk_widget_insert_action_group (fixture->row, "win", G_ACTION_GROUP (window));
  kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), channel);
  kb_channel_row_set_editing (KB_CHANNEL_ROW (fixture->row), 3, NULL);
  g_assert_true (has_label (fixture->row, "2"));
  g_assert_true (has_label (fixture->row, "Expression"));
  g_assert_true (has_label (fixture->row, "Only the host can tell which channel this is"));
  g_assert_cmpint (kb_status_badge_get_state (get_badge (fixture)), ==, KB_STATUS_BADGE_UNKNOWN);
  g_assert_false (
      gtk_widget_get_visible (kb_channel_row_get_handle (KB_CHANNEL_ROW (fixture->row))));
  g_signal_connect_swapped (fixture->row, "act", G_CALLBACK (g_atomic_int_inc), &n_acts);
  gtk_widget_activate_action (fixture->row, "channel.move-up", NULL);
  g_assert_cmpstr (said, ==, "Only the host can tell what this entry is. Change it in the file.");
  g_set_str (&said, NULL);
  gtk_widget_activate_action (fixture->row, "channel.menu", NULL);
  g_assert_cmpstr (said, ==, "Only the host can tell what this entry is. Change it in the file.");
  gtk_widget_activate_action (fixture->row, "channel.set-backup", NULL);
  gtk_widget_activate_action (fixture->row, "channel.copy", NULL);
  g_assert_cmpuint (n_acts, ==, 0);
  gtk_widget_insert_action_group (fixture->row, "win", NULL);
}

static void
test_elapsed (Fixture *fixture, gconstpointer data)
{
  KbBreaker breaker = { KB_CHANNEL_STATE_COOLDOWN, 3, NOW + 5000, NOW };
  g_autoptr (KbChannel) channel = make_channel ("mt", "glm", 1, breaker, NULL, NOW);
  guint n_elapsed = 0;
  GtkWindow *window;
  GtkWidget *list;

  g_signal_connect_swapped (fixture->row, "elapsed", G_CALLBACK (g_atomic_int_inc), &n_elapsed);
  kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), channel);
  list = gtk_list_box_new ();
  gtk_list_box_append (GTK_LIST_BOX (list), fixture->row);
  window = show_widget (list);
  g_assert_true (kb_ticker_is_active (fixture->ticker));
  kb_clock_set_now_ms (fixture->clock, NOW + 5001);
  g_signal_emit_by_name (fixture->ticker, "tick", NOW + 5001);
  g_assert_cmpuint (n_elapsed, ==, 1);
  g_assert_false (kb_ticker_is_active (fixture->ticker));
  gtk_window_destroy (window);
}

/* 256 characters, and names in Chinese, leave the row as wide as it was. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *endless = g_strnfill (256, 'm');
  const struct
  {
    const char *provider;
    const char *model;
    const char *title;
  } rows[] = {
    { "mt", "glm-5.3", "glm-5.3" },
    { "mt", endless, endless },
    { endless, "", endless },
    { "月光", "通义千问-超大杯", "通义千问-超大杯" },
    { "a::b", "<i>c</i> & d", "<i>c</i> & d" },
  };
  KbBreaker breaker = { KB_CHANNEL_STATE_DISABLED, 3, 0, NOW };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbChannel) channel
          = make_channel (rows[i].provider, rows[i].model, 99, breaker, "INVALID_CREDENTIAL", NOW);
      int minimum;

      kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), channel);
      g_assert_true (has_label (fixture->row, rows[i].title));
      for (int narrow = 0; narrow < 2; narrow++)
        {
          kb_channel_row_set_narrow (KB_CHANNEL_ROW (fixture->row), narrow);
          gtk_widget_measure (fixture->row, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                              NULL);
          g_assert_cmpint (minimum, <=, 330);
        }
      kb_channel_row_set_channel (KB_CHANNEL_ROW (fixture->row), NULL);
    }
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/app/channel-row/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("cooling", test_cooling);
  ADD ("bind", test_bind);
  ADD ("unknown", test_unknown);
  ADD ("expression", test_expression);
  ADD ("elapsed", test_elapsed);
  ADD ("names", test_names);

  return g_test_run ();
}

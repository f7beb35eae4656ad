// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-status-badge.h"

static const struct
{
  KbChannelState state;
  const char *word;
  const char *style_class;
} rows[] = {
  { KB_CHANNEL_STATE_HEALTHY, "Healthy", "success" },
  { KB_CHANNEL_STATE_COOLDOWN, "Cooling down", "warning" },
  { KB_CHANNEL_STATE_PROBE, "Ready for a try", "accent" },
  { KB_CHANNEL_STATE_DISABLED, "Disabled", "error" },
  { KB_STATUS_BADGE_UNKNOWN, "Unknown", "dim-label" },
};

static void
test_states (void)
{
  KbStatusBadge *badge = g_object_ref_sink (KB_STATUS_BADGE (kb_status_badge_new ()));

  /* There and back, so that no class of an earlier state is left behind. */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++)
    {
      guint row = i < G_N_ELEMENTS (rows) ? i : 2 * G_N_ELEMENTS (rows) - 1 - i;
      GtkWidget *label;

      kb_status_badge_set_state (badge, rows[row].state);
      label = find_widget (GTK_WIDGET (badge), GTK_TYPE_LABEL);
      g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, rows[row].word);
      for (guint j = 0; j < G_N_ELEMENTS (rows); j++)
        g_assert_cmpint (gtk_widget_has_css_class (GTK_WIDGET (badge), rows[j].style_class), ==,
                         j == row);
      gtk_test_accessible_assert_property (GTK_ACCESSIBLE (badge), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                           rows[row].word);
    }
  await_finalize (badge);
}

static void
test_shapes (void)
{
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gdk_display_get_default ());

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *icon = kb_status_badge_get_icon (rows[i].state);

      g_assert_true (gtk_icon_theme_has_icon (theme, icon));
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (icon, !=, kb_status_badge_get_icon (rows[j].state));
    }
}

static void
test_accessible (void)
{
  GtkWidget *badge = g_object_ref_sink (kb_status_badge_new ());
  GtkWidget *icon = find_widget (badge, GTK_TYPE_IMAGE);

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (badge), GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_ROLE_PRESENTATION);
  g_assert_false (gtk_widget_get_focusable (badge));
  await_finalize (badge);
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
test_notify (void)
{
  GtkWidget *badge = g_object_ref_sink (kb_status_badge_new ());
  guint count = 0;

  g_signal_connect_swapped (badge, "notify::state", G_CALLBACK (count_cb), &count);
  kb_status_badge_set_state (KB_STATUS_BADGE (badge), KB_CHANNEL_STATE_HEALTHY);
  g_assert_cmpuint (count, ==, 0);
  g_object_set (badge, "state", KB_CHANNEL_STATE_PROBE, NULL);
  g_assert_cmpuint (count, ==, 1);
  kb_status_badge_set_state (KB_STATUS_BADGE (badge), KB_CHANNEL_STATE_PROBE);
  g_assert_cmpuint (count, ==, 1);
  await_finalize (badge);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  g_test_add_func ("/app/status-badge/states", test_states);
  g_test_add_func ("/app/status-badge/shapes", test_shapes);
  g_test_add_func ("/app/status-badge/accessible", test_accessible);
  g_test_add_func ("/app/status-badge/notify", test_notify);

  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Editing the chain in the real window, down to the bytes of the files. */

#include <glib/gstdio.h>

#include "app/edit-fixture.h"
#include "app/kb-channel-dialog.h"
#include "app/kb-channels-page.h"
#include "app/kb-form-page.h"

static void
test_move (EditFixture *fixture, gconstpointer data)
{
  g_autofree char *diff = NULL;
  GtkWidget *row = get_row (fixture, "nimbus::heron-7b");

  gtk_widget_grab_focus (row);
  act (fixture, "nimbus::heron-7b", "channel.move-up");
  diff = get_diff (await_review (fixture));
  g_assert_nonnull (strstr (diff, "\n+      - { provider: "));
  g_assert_nonnull (strstr (diff, "\n-      - { provider: "));
  g_assert_null (strstr (diff, "+++"));
  assert_patch (fixture, HEAD ORCA MINI HERON TAIL);
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA HERON MINI TAIL);
  assert_rows (fixture, "orca-2 heron-7b orca-mini");
  wait_for (has_no_dialog, fixture);
  row = get_row (fixture, "nimbus::heron-7b");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (fixture->window)) == row);

  /* the file was shown: from now on it is saved at once */
  act (fixture, "nimbus::heron-7b", "channel.move-to-top");
  await_patch (fixture, HEAD HERON ORCA MINI TAIL);
  act (fixture, "nimbus::heron-7b", "channel.move-down");
  act (fixture, "nimbus::heron-7b", "channel.move-down");
  await_patch (fixture, HEAD ORCA MINI HERON TAIL);
  assert_rows (fixture, "orca-2 orca-mini heron-7b");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (fixture->window))
                 == get_row (fixture, "nimbus::heron-7b"));
}

static gboolean
can_undo (EditFixture *fixture)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "undo");
}

static void
undo (EditFixture *fixture)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.undo", NULL));
}

static void
test_undo (EditFixture *fixture, gconstpointer data)
{
  g_assert_false (can_undo (fixture));
  gtk_widget_grab_focus (get_row (fixture, "lumen::orca-mini"));
  act (fixture, "lumen::orca-mini", "channel.remove");
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA HERON TAIL);
  /* what follows takes the place of what is gone, for the keyboard too */
  g_assert_true (gtk_root_get_focus (GTK_ROOT (fixture->window))
                 == get_row (fixture, "nimbus::heron-7b"));
  act (fixture, "nimbus::heron-7b", "channel.move-up");
  await_patch (fixture, HEAD HERON ORCA TAIL);
  g_assert_true (can_undo (fixture));
  undo (fixture);
  await_patch (fixture, HEAD ORCA HERON TAIL);
  undo (fixture);
  await_patch (fixture, HEAD ORCA MINI HERON TAIL);
  g_assert_false (can_undo (fixture));
  assert_rows (fixture, "orca-2 orca-mini heron-7b");
}

static void
test_toast (EditFixture *fixture, gconstpointer data)
{
  GtkWidget *button;

  act (fixture, "lumen::orca-mini", "channel.remove");
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA HERON TAIL);
  button = find_button (GTK_WIDGET (fixture->window->toasts), "_Undo");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  await_patch (fixture, HEAD ORCA MINI HERON TAIL);
}

static void
test_cancel (EditFixture *fixture, gconstpointer data)
{
  act (fixture, "lumen::orca-mini", "channel.remove");
  answer_review (fixture, "review.cancel");
  wait_for (has_no_dialog, fixture);
  g_assert_true (is_idle (fixture));
  assert_patch (fixture, HEAD ORCA MINI HERON TAIL);
  g_assert_false (can_undo (fixture));

  /* it was not saved, so it is shown again */
  act (fixture, "lumen::orca-mini", "channel.remove");
  adw_dialog_close (await_review (fixture));
  wait_for (has_no_dialog, fixture);
  g_assert_true (is_idle (fixture));
  assert_patch (fixture, HEAD ORCA MINI HERON TAIL);
}

static void
test_review_always (EditFixture *fixture, gconstpointer data)
{
  act (fixture, "lumen::orca-mini", "channel.move-up");
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD MINI ORCA HERON TAIL);
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "review-changes", NULL);
  g_assert_true (kb_edit_flow_get_review_always (fixture->window->flow));
  act (fixture, "lumen::orca-mini", "channel.move-down");
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA MINI HERON TAIL);
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "review-changes", NULL);
}

/* Only what makes sense for a row is there to be done. */
static void
test_limits_of_moves (EditFixture *fixture, gconstpointer data)
{
  /* activating a disabled action does nothing; its class says so by not finding it */
  gtk_widget_activate_action (get_row (fixture, "lumen::orca-2"), "channel.move-up", NULL);
  gtk_widget_activate_action (get_row (fixture, "nimbus::heron-7b"), "channel.move-down", NULL);
  gtk_widget_activate_action (get_row (fixture, "lumen::orca-2"), "channel.add", NULL);
  drain ();
  g_assert_true (is_idle (fixture));
  g_assert_null (get_dialog (fixture));
}

static GtkEventController *
find_drop_target (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        return controller; /* the widget keeps it */
    }
  return NULL;
}

/* What the drop of a drag does. */
static void
drop (EditFixture *fixture, const char *id, const char *beside, gboolean after)
{
  GtkWidget *row = get_row (fixture, id);
  GtkWidget *list = gtk_widget_get_parent (row);
  g_auto (GValue) value = G_VALUE_INIT;
  graphene_rect_t bounds;
  gboolean taken = FALSE;

  wait_frames (GTK_WIDGET (fixture->window));
  g_assert_true (gtk_widget_compute_bounds (get_row (fixture, beside), list, &bounds));
  g_value_init (&value, KB_TYPE_CHANNEL_ROW);
  g_value_set_object (&value, row);
  g_signal_emit_by_name (find_drop_target (list), "drop", &value, 20.0,
                         (double) bounds.origin.y + (after ? bounds.size.height - 4 : 4), &taken);
  g_assert_true (taken);
}

static void
test_drop (EditFixture *fixture, gconstpointer data)
{
  drop (fixture, "lumen::orca-2", "nimbus::heron-7b", TRUE);
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD MINI HERON ORCA TAIL);
  drop (fixture, "lumen::orca-2", "lumen::orca-mini", FALSE);
  await_patch (fixture, HEAD ORCA MINI HERON TAIL);
  drop (fixture, "lumen::orca-2", "lumen::orca-mini", TRUE);
  await_patch (fixture, HEAD MINI ORCA HERON TAIL);
  /* onto itself, and to where it is: nothing */
  drop (fixture, "lumen::orca-2", "lumen::orca-2", TRUE);
  drop (fixture, "lumen::orca-2", "lumen::orca-mini", TRUE);
  wait_for (is_idle, fixture);
  assert_patch (fixture, HEAD MINI ORCA HERON TAIL);
}

static GtkEditable *
get_search (EditFixture *fixture)
{
  return GTK_EDITABLE (find_widget (GTK_WIDGET (get_dialog (fixture)), GTK_TYPE_SEARCH_ENTRY));
}

static GListModel *
get_choices (EditFixture *fixture)
{
  GtkWidget *list = find_widget (GTK_WIDGET (get_dialog (fixture)), GTK_TYPE_LIST_VIEW);

  return G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
}

static GtkWidget *
get_typed (EditFixture *fixture)
{
  return find_widget (GTK_WIDGET (get_dialog (fixture)), ADW_TYPE_ACTION_ROW);
}

static void
test_add (EditFixture *fixture, gconstpointer data)
{
  act_on_page (fixture, "chain.add");
  g_assert_true (KB_IS_CHANNEL_DIALOG (get_dialog (fixture)));
  /* five models of the home's providers, and those of the host's own */
  g_assert_cmpuint (g_list_model_get_n_items (get_choices (fixture)), >, 5);
  gtk_editable_set_text (get_search (fixture), "通义");
  g_assert_cmpuint (g_list_model_get_n_items (get_choices (fixture)), ==, 1);
  g_assert_false (gtk_widget_get_child_visible (get_typed (fixture))
                  && gtk_widget_get_mapped (get_typed (fixture)));
  g_signal_emit_by_name (get_search (fixture), "activate");
  answer_review (fixture, "review.save");
  await_patch (fixture,
               HEAD ORCA MINI HERON "      - { provider: 月光, model: 通义千问-超大杯 }\n" TAIL);
  assert_rows (fixture, "orca-2 orca-mini heron-7b 通义千问-超大杯");
}

static gboolean
has_chooser (gpointer user_data)
{
  return KB_IS_CHANNEL_DIALOG (get_dialog (user_data));
}

static void
test_add_typed (EditFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    gboolean offered;
    gboolean possible;
    const char *subtitle;
  } rows[] = {
    { "lumen", FALSE, FALSE, NULL },
    { "nimbus::heron-9", TRUE, TRUE, "does not list the model" },
    { "nobody::at-home", TRUE, TRUE, "has no provider nobody" },
    { "lumen::orca-2", TRUE, FALSE, "Already in the chain, at position 1" },
    { "月光::通义千问-超大杯", FALSE, FALSE, NULL }, /* it is in the list below */
    { "fake::<b>", TRUE, TRUE, "has no provider fake" },
  };

  act_on_page (fixture, "chain.add");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *typed;

      gtk_editable_set_text (get_search (fixture), rows[i].text);
      typed = get_typed (fixture);
      g_test_message ("%s", rows[i].text);
      g_assert_true (gtk_widget_get_visible (gtk_widget_get_ancestor (typed, GTK_TYPE_LIST_BOX))
                     == rows[i].offered);
      if (!rows[i].offered)
        continue;
      g_assert_true (gtk_widget_get_sensitive (typed) == rows[i].possible);
      g_assert_nonnull (
          strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (typed)), rows[i].subtitle));
    }
  /* what is in the chain cannot be added by Enter either */
  gtk_editable_set_text (get_search (fixture), "lumen::orca-2");
  g_signal_emit_by_name (get_search (fixture), "activate");
  g_assert_true (has_chooser (fixture));
  gtk_editable_set_text (get_search (fixture), "nobody::at-home");
  g_signal_emit_by_name (get_typed (fixture), "activated");
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA MINI HERON "      - { provider: nobody, model: at-home }\n" TAIL);
}

static gboolean
has_backup (gpointer user_data)
{
  g_autofree char *text = read_home (user_data, "settings.yaml");
  const char *part = strstr (text, "\ndaruma:");

  return part != NULL && strstr (part, "provider: lumen") != NULL
         && strstr (part, "model: orca-2") != NULL;
}

static gboolean
has_no_backup (gpointer user_data)
{
  g_autofree char *text = read_home (user_data, "settings.yaml");

  return strstr (text, "backup:") == NULL;
}

static void
test_backup (EditFixture *fixture, gconstpointer data)
{
  g_autofree char *before = read_home (fixture, "settings.yaml");
  g_autofree char *after = NULL;

  act (fixture, "lumen::orca-2", "channel.set-backup");
  answer_review (fixture, "review.save");
  wait_for (has_backup, fixture);
  wait_for (is_idle, fixture);
  wait_for (has_no_dialog, fixture);
  act_on_page (fixture, "chain.clear-backup");
  wait_for (has_no_backup, fixture);
  wait_for (is_idle, fixture);
  act_on_page (fixture, "chain.choose-backup");
  gtk_editable_set_text (get_search (fixture), "lumen::orca-2");
  g_signal_emit_by_name (get_search (fixture), "activate");
  wait_for (is_idle, fixture);
  for (guint i = 0; i < 3; i++)
    {
      undo (fixture);
      wait_for (is_idle, fixture);
    }
  after = read_home (fixture, "settings.yaml");
  g_assert_cmpstr (after, ==, before);
}

static void
test_read_only (EditFixture *fixture, gconstpointer data)
{
  g_autofree char *path
      = g_build_filename (fixture->showcase->home, "profiles/web/cordis.patch.yml", NULL);
  GtkWidget *row;

  g_assert_cmpint (g_chmod (path, 0444), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.refresh", NULL);
  row = get_row (fixture, "lumen::orca-mini");
  g_assert_false (gtk_widget_get_visible (kb_channel_row_get_handle (KB_CHANNEL_ROW (row))));
  gtk_widget_activate_action (row, "channel.move-up", NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window->channels), "chain.add", NULL);
  drain ();
  g_assert_null (get_dialog (fixture));
  g_assert_true (is_idle (fixture));
  g_assert_nonnull (strstr (adw_preferences_group_get_description (ADW_PREFERENCES_GROUP (
                                gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP))),
                            "write-protected"));

  g_assert_cmpint (g_chmod (path, 0644), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.refresh", NULL);
  g_assert_true (gtk_widget_get_visible (kb_channel_row_get_handle (KB_CHANNEL_ROW (row))));
}

static GtkWidget *
find_titled (GtkWidget *widget, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW (widget)
      && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_titled (child, title);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
find_reset (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Reset to the Default") == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_reset (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The row of the limits leads to their form. */
static void
test_limits (EditFixture *fixture, gconstpointer data)
{
  GtkWidget *page;
  GtkWidget *row = find_titled (GTK_WIDGET (fixture->window->channels), "Limits");

  g_signal_emit_by_name (row, "activate");
  page = find_widget (GTK_WIDGET (fixture->window), KB_TYPE_FORM_PAGE);
  g_assert_nonnull (page);
  g_assert_cmpstr (adw_navigation_page_get_title (ADW_NAVIGATION_PAGE (page)), ==, "Limits");
  g_assert_nonnull (find_titled (page, "State of the Channels"));
  adw_spin_row_set_value (ADW_SPIN_ROW (find_titled (page, "Cooldown")), 45000);
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA MINI HERON TAIL "    cooldownMs: 45000\n");
  adw_spin_row_set_value (ADW_SPIN_ROW (find_titled (page, "Failures Before a Cooldown")), 5);
  await_patch (fixture, HEAD ORCA MINI HERON "    failureBudget: 5\n    cooldownMs: 45000\n");
  g_signal_emit_by_name (find_reset (find_titled (page, "Failures Before a Cooldown")), "clicked");
  await_patch (fixture, HEAD ORCA MINI HERON "    cooldownMs: 45000\n");
}

static gboolean
is_empty (gpointer user_data)
{
  EditFixture *fixture = user_data;

  return g_str_equal (kb_channels_page_get_view (fixture->window->channels), "empty");
}

static gboolean
is_switched_off (gpointer user_data)
{
  EditFixture *fixture = user_data;
  GtkWidget *banner = find_widget (GTK_WIDGET (fixture->window->channels), ADW_TYPE_BANNER);

  return adw_banner_get_revealed (ADW_BANNER (banner));
}

static gboolean
is_switched_on (gpointer user_data)
{
  return !is_switched_off (user_data);
}

/* A chain that somebody switched off is not gone: a button lets it count again. */
static void
test_switch_on (EditFixture *fixture, gconstpointer data)
{
  kb_showcase_write_patch (fixture->showcase, "- id: dsh-daruma\n  disabled: true # for now\n"
                                              "  config:\n    channels:\n" ORCA);
  wait_for (is_switched_off, fixture);
  act_on_page (fixture, "chain.switch-on");
  answer_review (fixture, "review.save");
  await_patch (fixture, "- id: dsh-daruma\n  disabled: false # for now\n"
                        "  config:\n    channels:\n" ORCA);
  wait_for (is_switched_on, fixture);
  undo (fixture);
  wait_for (is_switched_off, fixture);
}

static void
test_first_channel (EditFixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (kb_channels_page_get_view (fixture->window->channels), ==, "empty");
  act_on_page (fixture, "chain.add");
  gtk_editable_set_text (get_search (fixture), "lumen::orca-2");
  g_signal_emit_by_name (get_search (fixture), "activate");
  answer_review (fixture, "review.save");
  await_patch (fixture, "- id: dsh-daruma\n  config:\n    channels:\n      - provider: lumen\n"
                        "        model: orca-2\n");
  g_assert_cmpstr (kb_channels_page_get_view (fixture->window->channels), ==, "channels");
  assert_rows (fixture, "orca-2");
  undo (fixture);
  wait_for (is_empty, fixture);
  g_assert_null (read_home (fixture, "profiles/web/cordis.patch.yml"));
}

#define ADD(path, function)                                                                        \
  g_test_add (path, EditFixture, NULL, edit_set_up, function, window_tear_down)

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  ADD ("/app/editing/move", test_move);
  ADD ("/app/editing/undo", test_undo);
  ADD ("/app/editing/toast", test_toast);
  ADD ("/app/editing/cancel", test_cancel);
  ADD ("/app/editing/review-always", test_review_always);
  ADD ("/app/editing/limits-of-moves", test_limits_of_moves);
  ADD ("/app/editing/drop", test_drop);
  ADD ("/app/editing/add", test_add);
  ADD ("/app/editing/add-typed", test_add_typed);
  ADD ("/app/editing/backup", test_backup);
  ADD ("/app/editing/read-only", test_read_only);
  ADD ("/app/editing/limits", test_limits);
  ADD ("/app/editing/switch-on", test_switch_on);
  g_test_add ("/app/editing/first-channel", EditFixture, NULL, edit_set_up_empty,
              test_first_channel, window_tear_down);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The forms of the real window on a real home: what a person does, and what bytes come of it. */

#include "app/forms-fixture.h"
#include "app/kb-ask.h"
#include "app/kb-field-binding.h"
#include "app/kb-form-page.h"
#include "app/kb-form-view.h"
#include "app/kb-list-group.h"
#include "app/kb-pick-dialog.h"
#include "app/kb-words-row.h"

/* Nothing is made before somebody looks at it. */
static void
test_lazy (Fixture *fixture, gconstpointer data)
{
  g_assert_null (fixture->window->forms);
  g_assert_null (adw_bin_get_child (fixture->window->pools));
  g_assert_null (adw_bin_get_child (fixture->window->throttling));
  open_page (fixture, "pools");
  g_assert_true (KB_IS_FORM_VIEW (adw_bin_get_child (fixture->window->pools)));
  g_assert_null (adw_bin_get_child (fixture->window->throttling));
}

static void
test_switch (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_page (fixture, "throttling");
  row = find_row (fixture, "Follow “Retry-After”");
  g_assert_cmpstr (get_subtitle (fixture, "Follow “Retry-After”"), ==, "Default");
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), FALSE);
  wait_written (fixture, PATCH, "maxRetries: 6, respectRetryAfter: false }");
  wait_frames (row);
  g_assert_cmpstr (get_subtitle (fixture, "Follow “Retry-After”"), ==, "From the profile");

  /* And back, by the button beside it. */
  g_signal_emit_by_name (find (row, has_tooltip, "Reset to the Default"), "clicked");
  wait_not_written (fixture, PATCH, "respectRetryAfter");
  wait_frames (row);
  g_assert_true (adw_switch_row_get_active (ADW_SWITCH_ROW (row)));
}

/* On and off again before the first is written: the second is no conflict with the first. */
static void
test_twice (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_page (fixture, "throttling");
  row = find_row (fixture, "Fixed Throttling");
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), TRUE);
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), FALSE);
  wait_written (fixture, PATCH, "throttle: { maxRequests: 12, windowMs: 45000, enabled: false }");
  wait_frames (row);
  g_assert_null (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window)));
  g_assert_false (adw_switch_row_get_active (ADW_SWITCH_ROW (row)));
}

/* Three clicks are one edit, and Ctrl+Z takes all of it back. */
static void
test_burst (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;
  g_autofree char *before = kb_showcase_read (fixture->showcase, PATCH);
  g_autofree char *after = NULL;

  open_page (fixture, "throttling");
  row = find_row (fixture, "Requests in One Window");
  for (int i = 13; i <= 15; i++)
    adw_spin_row_set_value (ADW_SPIN_ROW (row), i);
  wait_written (fixture, PATCH, "throttle: { maxRequests: 15, windowMs: 45000 }");
  wait_for (can_undo, fixture);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.undo", NULL);
  wait_written (fixture, PATCH, "throttle: { maxRequests: 12, windowMs: 45000 }");
  after = kb_showcase_read (fixture->showcase, PATCH);
  g_assert_cmpstr (after, ==, before);
}

static void
test_duration (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_page (fixture, "throttling");
  row = find_row (fixture, "First Wait");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "1 min");
  type (row, "soon");
  g_assert_cmpstr (get_subtitle (fixture, "First Wait"), ==,
                   "Write a duration such as 90 s, 10 min or 2 h");
  g_assert_true (gtk_widget_has_css_class (row, "error"));
  type (row, "0 s");
  g_assert_cmpstr (get_subtitle (fixture, "First Wait"), ==, "Must be from 1 ms to 2147483647 ms");
  type (row, "90 s");
  g_assert_false (gtk_widget_has_css_class (row, "error"));
  adw_spin_row_update (ADW_SPIN_ROW (row));
  wait_written (fixture, PATCH, "fallbackDelayMs: 90000");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "1.5 min");
}

/* What two values must not be together is said while it is typed, and not saved. */
static void
test_cross (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;
  g_autofree char *before = kb_showcase_read (fixture->showcase, "settings.yaml");
  g_autofree char *after = NULL;

  open_form (fixture, "dsh-route-resilience.groups[0]");
  row = find_row (fixture, "First Quarantine");
  type (row, "10 min");
  g_assert_nonnull (strstr (get_subtitle (fixture, "First Quarantine"), "shorter than the first"));
  adw_spin_row_update (ADW_SPIN_ROW (row));
  wait_frames (row);
  after = kb_showcase_read (fixture->showcase, "settings.yaml");
  g_assert_cmpstr (after, ==, before);
  g_assert_true (gtk_widget_has_css_class (row, "error"));
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"]");
  row = find_row (fixture, "Context Window");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "Not set");
  type (row, "4096");
  adw_spin_row_update (ADW_SPIN_ROW (row));
  wait_written (fixture, PATCH, "contextWindow: 4096");
  wait_frames (row);
  type (row, "");
  adw_spin_row_update (ADW_SPIN_ROW (row));
  wait_not_written (fixture, PATCH, "contextWindow: 4096");
}

static void
test_choice (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"]");
  row = find_row (fixture, "Strategy");
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 2);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1);
  wait_written (fixture, PATCH, "        strategy: round-robin\n");
}

/* Half a name is none: it is saved when somebody says so. */
static void
test_text (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"].models[0]");
  row = find_row (fixture, "Model");
  type (row, "");
  g_assert_true (gtk_widget_has_css_class (row, "error"));
  type (row, "虎鲸");
  g_assert_false (gtk_widget_has_css_class (row, "error"));
  g_signal_emit_by_name (row, "apply");
  wait_written (fixture, PATCH, "          - id: 虎鲸\n            name: Orca\n");
}

static void
test_pairs (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"].models[0]");
  row = find_row (fixture, "lumen");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "orca-2");
  type (row, "orca-mini");
  g_signal_emit_by_name (row, "apply");
  wait_written (fixture, PATCH, "targets: { lumen: orca-mini, nimbus:");
}

static void
test_words (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-fallback");
  row = find_row (fixture, "Failures That Switch");
  g_assert_true (KB_IS_WORDS_ROW (row));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  row = find_row (fixture, "Quota used up");
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), TRUE);
  wait_written (fixture, PATCH,
                "      - UNKNOWN_MODEL\n      - TIMEOUT\n      - TRANSPORT\n      - QUOTA\n");
  wait_frames (row);
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), FALSE);
  wait_not_written (fixture, PATCH, "QUOTA");
  wait_written (fixture, PATCH, "      - TIMEOUT\n      - TRANSPORT\n");
}

static void
test_members (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"]");
  row = find_row (fixture, "lumen");
  gtk_widget_activate_action (row, "item.down", NULL);
  wait_written (fixture, PATCH, "members: [nimbus, lumen, 月光]");
  row = find_row (fixture, "月光");
  gtk_widget_activate_action (row, "item.top", NULL);
  wait_written (fixture, PATCH, "members: [月光, nimbus, lumen]");
  row = find_row (fixture, "nimbus");
  gtk_widget_activate_action (row, "item.remove", NULL);
  wait_written (fixture, PATCH, "members: [月光, lumen]");
}

/* The last member stays: a pool without one is refused. */
static void
test_last_member (Fixture *fixture, gconstpointer data)
{
  GActionMap *actions;
  GtkWidget *row;

  open_form (fixture, "llm-pool.providers[\"池.写作\"]");
  row = find_row (fixture, "月光");
  actions = g_object_get_data (G_OBJECT (row), "kb-actions");
  g_assert_false (g_action_get_enabled (g_action_map_lookup_action (actions, "remove")));
  g_assert_false (g_action_get_enabled (g_action_map_lookup_action (actions, "up")));
}

static void
pick (Fixture *fixture, const char *group, const char *text)
{
  AdwDialog *dialog;
  GtkWidget *search;

  g_signal_emit_by_name (
      find (find_group (fixture, group), has_tooltip,
            g_str_equal (group, "Fallbacks") ? "Add a Fallback" : "Add a Member"),
      "clicked");
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window));
  g_assert_true (KB_IS_PICK_DIALOG (dialog));
  wait_frames (GTK_WIDGET (fixture->window));
  search = find_widget (GTK_WIDGET (dialog), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (search), text);
  wait_frames (GTK_WIDGET (fixture->window));
  g_signal_emit_by_name (search, "activate");
}

static void
test_pick (Fixture *fixture, gconstpointer data)
{
  open_form (fixture, "llm-fallback");
  pick (fixture, "Fallbacks", "mini");
  wait_written (fixture, PATCH, "      - { provider: lumen, model: orca-mini }\n    cooldownMs");
  wait_frames (GTK_WIDGET (fixture->window));
  pick (fixture, "Fallbacks", "ghost::phantom::1");
  wait_written (fixture, PATCH, "      - { provider: ghost, model: phantom::1 }\n    cooldownMs");
}

static void
test_pools (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;
  GtkWidget *row;

  open_page (fixture, "pools");
  g_signal_emit_by_name (find (find_group (fixture, "Pools"), has_tooltip, "Add a Pool"),
                         "clicked");
  dialog = get_visible_dialog (fixture);
  g_assert_true (ADW_IS_ALERT_DIALOG (dialog));
  g_assert_false (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  row = find (GTK_WIDGET (dialog), is_row, "Name");
  type (row, "pool-orca");
  g_assert_true (gtk_widget_has_css_class (row, "error"));
  g_assert_false (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  type (row, "spare pool");
  g_assert_true (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  adw_combo_row_set_selected (ADW_COMBO_ROW (find (GTK_WIDGET (dialog), is_row, "First Member")),
                              1);
  g_signal_emit_by_name (dialog, "response", "yes");
  adw_dialog_force_close (dialog);
  wait_written (fixture, PATCH, "      spare pool:\n        members:\n          - lumen\n");
  find_row (fixture, "spare pool");

  gtk_widget_activate_action (find_row (fixture, "池.写作"), "item.remove", NULL);
  wait_not_written (fixture, PATCH, "池.写作");
}

static void
rename_row (Fixture *fixture, const char *title, const char *name)
{
  AdwDialog *dialog;

  gtk_widget_activate_action (find_row (fixture, title), "item.rename", NULL);
  dialog = get_visible_dialog (fixture);
  g_assert_true (ADW_IS_ALERT_DIALOG (dialog));
  type (find (GTK_WIDGET (dialog), is_row, "Name"), name);
  g_signal_emit_by_name (dialog, "response", "yes");
  adw_dialog_force_close (dialog);
}

/* The active group is named in two places: both follow, in one edit. */
static void
test_groups (Fixture *fixture, gconstpointer data)
{
  open_page (fixture, "pools");
  rename_row (fixture, "pool-orca", "pool-虎鲸");
  wait_written (fixture, PATCH, "      pool-虎鲸: # the good one\n");
  rename_row (fixture, "orca", "main");
  wait_written (fixture, "settings.yaml", "    - id: main\n");
  wait_written (fixture, "settings.yaml", "  activeGroup: main\n");
  gtk_widget_activate_action (find_row (fixture, "main"), "item.remove", NULL);
  wait_not_written (fixture, "settings.yaml", "activeGroup");
  wait_written (fixture, "settings.yaml", "  groups:\n    - id: spare\n");
}

static void
test_preset (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_page (fixture, "throttling");
  row = find_row (fixture, "Preset");
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 3);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 2);
  wait_written (fixture, PATCH, "mode: unlimited");
  wait_written (fixture, PATCH, "enabled: true\n");
  wait_frames (row);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 2);
}

static void
test_preferences (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;

  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.preferences", NULL);
  dialog = get_visible_dialog (fixture);
  g_assert_true (ADW_IS_PREFERENCES_DIALOG (dialog));
  /* nimbus serves channels of several systems: it stays. */
  gtk_widget_activate_action (find_row (fixture, "nimbus"), "item.remove", NULL);
  g_assert_true (ADW_IS_ALERT_DIALOG (get_visible_dialog (fixture)));
  adw_dialog_force_close (get_visible_dialog (fixture));
  adw_preferences_dialog_set_visible_page_name (ADW_PREFERENCES_DIALOG (dialog), "gateway");
  wait_frames (GTK_WIDGET (fixture->window));
  adw_spin_row_set_value (ADW_SPIN_ROW (find_row (fixture, "In All")), 60000);
  wait_written (fixture, KOBOSHI, "totalTimeoutMs: 60000\n");
  adw_dialog_force_close (dialog);
}

/* A page whose subject somebody took away is left. */
static void
test_taken_away (Fixture *fixture, gconstpointer data)
{
  AdwNavigationPage *page;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"]");
  page = adw_navigation_view_get_visible_page (fixture->window->navigation);
  g_assert_true (KB_IS_FORM_PAGE (page));
  kb_showcase_write_patch (fixture->showcase, "- id: llm-pool\n  config: { providers: {} }\n");
  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &page);
  wait_for (is_gone, &page);
  g_assert_cmpstr (adw_navigation_page_get_tag (
                       adw_navigation_view_get_visible_page (fixture->window->navigation)),
                   ==, "main");
}

/* Somebody else's edit shows, and what is typed meanwhile is kept. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = kb_showcase_read (fixture->showcase, PATCH);
  g_autofree char *other = NULL;
  g_auto (GStrv) parts = g_strsplit (text, "cooldownMs: 30000", 2);
  GtkWidget *row;

  open_form (fixture, "llm-fallback");
  row = find_row (fixture, "Cooldown");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "30 s");
  other = g_strjoinv ("cooldownMs: 45000", parts);
  kb_showcase_write_patch (fixture->showcase, other);
  while (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (row)), "45 s") != 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  GtkWidget *group;

  open_page (fixture, "pools");
  group = find_group (fixture, "Pools");
  g_assert_null (find (group, has_tooltip, "Add a Pool"));
  find_row (fixture, "An expression that only the host evaluates; profiles/web/cordis.patch.yml, "
                     "line 3");
  open_page (fixture, "throttling");
  g_assert_false (gtk_widget_get_sensitive (find_row (fixture, "Waiting Retry")));
  g_assert_false (gtk_widget_get_sensitive (find_row (fixture, "Preset")));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_row (fixture, "First Wait"))), ==,
                   "—");
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  open_page (fixture, "pools");
  find_row (fixture, "None yet");
  g_assert_nonnull (find_group (fixture, "Groups"));
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, kind, function)                                                                  \
  g_test_add ("/app/forms/" path, Fixture, GINT_TO_POINTER (kind), window_set_up, function,        \
              window_tear_down)
  ADD ("lazy", KB_SHOWCASE_FORMS, test_lazy);
  ADD ("switch", KB_SHOWCASE_FORMS, test_switch);
  ADD ("twice", KB_SHOWCASE_FORMS, test_twice);
  ADD ("burst", KB_SHOWCASE_FORMS, test_burst);
  ADD ("duration", KB_SHOWCASE_FORMS, test_duration);
  ADD ("cross", KB_SHOWCASE_FORMS, test_cross);
  ADD ("nothing", KB_SHOWCASE_FORMS, test_nothing);
  ADD ("choice", KB_SHOWCASE_FORMS, test_choice);
  ADD ("text", KB_SHOWCASE_FORMS, test_text);
  ADD ("pairs", KB_SHOWCASE_FORMS, test_pairs);
  ADD ("words", KB_SHOWCASE_FORMS, test_words);
  ADD ("members", KB_SHOWCASE_FORMS, test_members);
  ADD ("last-member", KB_SHOWCASE_FORMS, test_last_member);
  ADD ("pick", KB_SHOWCASE_FORMS, test_pick);
  ADD ("pools", KB_SHOWCASE_FORMS, test_pools);
  ADD ("groups", KB_SHOWCASE_FORMS, test_groups);
  ADD ("preset", KB_SHOWCASE_FORMS, test_preset);
  ADD ("preferences", KB_SHOWCASE_FORMS, test_preferences);
  ADD ("taken-away", KB_SHOWCASE_FORMS, test_taken_away);
  ADD ("elsewhere", KB_SHOWCASE_FORMS, test_elsewhere);
  ADD ("locked", KB_SHOWCASE_LOCKED, test_locked);
  ADD ("empty", KB_SHOWCASE_EMPTY, test_empty);

  return g_test_run ();
}

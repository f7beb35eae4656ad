// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The forms of providers and of the gateway, and lists that no file of ours holds yet. */

#include "app/forms-fixture.h"

#include "app/kb-form-page.h"
#include "app/kb-pick-dialog.h"

static void
write_home (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->showcase->home, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
choose (GtkWidget *row, guint index)
{
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), index);
}

static GtkWidget *
find_in (AdwDialog *dialog, const char *title)
{
  GtkWidget *row = find (GTK_WIDGET (dialog), is_row, title);

  g_test_message ("row “%s”", title);
  g_assert_nonnull (row);
  return row;
}

static void
answer (AdwDialog *dialog)
{
  g_assert_true (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  g_signal_emit_by_name (dialog, "response", "yes");
  adw_dialog_force_close (dialog);
}

static AdwDialog *
click (Fixture *fixture, const char *group, const char *button)
{
  g_signal_emit_by_name (find (find_group (fixture, group), has_tooltip, button), "clicked");
  return get_visible_dialog (fixture);
}

/* Only the switches that the protocol takes are there, and a page of their own leads to them. */
static void
test_compat (Fixture *fixture, gconstpointer data)
{
  AdwNavigationPage *page;
  GtkWidget *row;

  open_form (fixture, "llm-pi-ai.providers.lumen");
  g_assert_cmpstr (get_subtitle (fixture, "Compatibility"), ==,
                   "Where it differs from its protocol");
  g_signal_emit_by_name (find_row (fixture, "Compatibility"), "activated");
  wait_frames (GTK_WIDGET (fixture->window));
  page = adw_navigation_view_get_visible_page (fixture->window->navigation);
  g_assert_cmpstr (adw_navigation_page_get_title (page), ==, "Compatibility");
  g_assert_null (find (GTK_WIDGET (page), is_row, "Temperature"));
  row = find_row (fixture, "Stored Answers");
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 0);
  choose (row, 2);
  wait_written (fixture, SETTINGS, "compat: {supportsStore: false}");
  wait_frames (row);
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, 2);
  choose (find_row (fixture, "Form of Thinking"), 2);
  wait_written (fixture, SETTINGS, "compat: {supportsStore: false, thinkingFormat: deepseek}");
  choose (find_row (fixture, "Stored Answers"), 0);
  wait_written (fixture, SETTINGS, "compat: {thinkingFormat: deepseek}");
  adw_navigation_view_pop (fixture->window->navigation);
  g_assert_cmpstr (get_subtitle (fixture, "Compatibility"), ==,
                   "Where it differs from its protocol · 1 set");
}

static void
test_arguments (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;

  open_form (fixture, "llm-pi-ai.providers.lumen.compat");
  dialog = click (fixture, "Template Arguments", "Add an Argument");
  type (find_in (dialog, "Name"), "enable_thinking");
  type (find_in (dialog, "Value"), "true");
  answer (dialog);
  wait_written (fixture, SETTINGS, "compat: {chatTemplateKwargs: {enable_thinking: true}}");
  type (find_row (fixture, "enable_thinking"), "maybe");
  g_signal_emit_by_name (find_row (fixture, "enable_thinking"), "apply");
  wait_written (fixture, SETTINGS, "chatTemplateKwargs: {enable_thinking: maybe}");
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  GtkWidget *row;

  open_form (fixture, "llm-pi-ai.providers.lumen");
  row = find_row (fixture, "Low");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "Not set");
  type (row, "2048");
  adw_spin_row_update (ADW_SPIN_ROW (row));
  wait_written (fixture, SETTINGS, "thinkingBudgets: {low: 2048}");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "2048 tokens");
  row = find_row (fixture, "Largest Picture");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "1 MiB");
  type (row, "large");
  g_assert_cmpstr (get_subtitle (fixture, "Largest Picture"), ==,
                   "Write a size such as 512 KiB or 20 MiB");
  type (row, "0");
  g_assert_cmpstr (get_subtitle (fixture, "Largest Picture"), ==, "Must be at least 1 B");
  type (row, "512 KiB");
  adw_spin_row_update (ADW_SPIN_ROW (row));
  wait_written (fixture, SETTINGS, "requestImageMaxBytes: 524288");
  row = find_row (fixture, "Most Pixels");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "4194304 pixels");
}

static void
test_levels (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;
  GtkWidget *row;

  open_form (fixture, "llm-pi-ai.providers.lumen.models[0]");
  find_row (fixture, "As is known of the model");
  row = find_row (fixture, "Can Reason");
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), FALSE);
  wait_written (fixture, SETTINGS, "{ id: orca-2, reasoningEfforts: false }");
  wait_frames (row);
  g_assert_null (find (find_group (fixture, "Reasoning"), has_tooltip, "Add a Level"));
  adw_switch_row_set_active (ADW_SWITCH_ROW (row), TRUE);
  wait_not_written (fixture, SETTINGS, "orca-2, reasoningEfforts");
  wait_frames (row);
  dialog = click (fixture, "Reasoning", "Add a Level");
  choose (find_in (dialog, "Level"), 4);
  type (find_in (dialog, "Name Sent"), "max");
  answer (dialog);
  wait_written (fixture, SETTINGS, "{ id: orca-2, reasoningEfforts: {high: max} }");
  row = find_row (fixture, "High");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row)), ==, "max");
  /* what is there already is not offered again; “off” needs no name */
  dialog = click (fixture, "Reasoning", "Add a Level");
  g_assert_cmpuint (g_list_model_get_n_items (
                        adw_combo_row_get_model (ADW_COMBO_ROW (find_in (dialog, "Level")))),
                    ==, 6);
  answer (dialog);
  wait_written (fixture, SETTINGS, "reasoningEfforts: {high: max, \"off\": null}");
}

/* A level of a pool: one name for all members, or one for each, on a page of its own. */
static void
test_efforts (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;

  open_form (fixture, "llm-pool.providers[\"pool-orca\"].models[0]");
  dialog = click (fixture, "Reasoning Efforts", "Add a Level");
  choose (find_in (dialog, "Level"), 2);
  type (find_in (dialog, "Name Sent"), "little");
  answer (dialog);
  wait_written (fixture, PATCH, "            effortMap: { low: little }\n");
  dialog = click (fixture, "Reasoning Efforts", "Add a Level");
  choose (find_in (dialog, "Level"), 3);
  choose (find_in (dialog, "Member"), 3);
  type (find_in (dialog, "Name Sent"), "深");
  answer (dialog);
  wait_written (fixture, PATCH, "effortMap: { low: little, high: {月光: 深} }\n");
  g_assert_cmpstr (get_subtitle (fixture, "High"), ==, "月光: 深");
  g_signal_emit_by_name (find_row (fixture, "High"), "activated");
  wait_frames (GTK_WIDGET (fixture->window));
  dialog = click (fixture, "Names of the Level", "Add a Member");
  type (find_in (dialog, "Name Sent"), "deep");
  answer (dialog);
  wait_written (fixture, PATCH, "high: {月光: 深, lumen: deep} }\n");
  type (find_row (fixture, "lumen"), "deeper");
  g_signal_emit_by_name (find_row (fixture, "lumen"), "apply");
  wait_written (fixture, PATCH, "high: {月光: 深, lumen: deeper} }\n");
}

static void
test_changed_models (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;
  GtkWidget *search;

  write_home (fixture, SETTINGS,
              "llm-pi-ai:\n  providers:\n    anthropic:\n      apiKeyEnv: A_KEY\n");
  open_form (fixture, "llm-pi-ai.providers.anthropic");
  dialog = click (fixture, "Changed Models", "Change a Model");
  g_assert_true (KB_IS_PICK_DIALOG (dialog));
  wait_frames (GTK_WIDGET (fixture->window));
  search = find_widget (GTK_WIDGET (dialog), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (search), "opus");
  wait_frames (GTK_WIDGET (fixture->window));
  g_signal_emit_by_name (search, "activate");
  wait_written (fixture, SETTINGS, "      modelOverrides:\n        opus: {}\n");
  open_form (fixture, "llm-pi-ai.providers.anthropic.modelOverrides.opus");
  type (find_row (fixture, "Longest Answer"), "8192");
  adw_spin_row_update (ADW_SPIN_ROW (find_row (fixture, "Longest Answer")));
  wait_written (fixture, SETTINGS, "maxTokens: 8192");
}

static void
open_gateway (Fixture *fixture)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.preferences", NULL);
  adw_preferences_dialog_set_visible_page_name (
      ADW_PREFERENCES_DIALOG (get_visible_dialog (fixture)), "gateway");
  wait_frames (GTK_WIDGET (fixture->window));
}

/* One address stands alone; with a second it becomes a list, and each can be changed. */
static void
test_addresses (Fixture *fixture, gconstpointer data)
{
  AdwDialog *preferences;
  AdwDialog *dialog;
  GActionMap *actions;

  open_gateway (fixture);
  preferences = get_visible_dialog (fixture);
  actions = g_object_get_data (G_OBJECT (find_row (fixture, "127.0.0.1:7878")), "kb-actions");
  g_assert_false (g_action_get_enabled (g_action_map_lookup_action (actions, "remove")));
  gtk_widget_activate_action (find_row (fixture, "127.0.0.1:7878"), "item.rename", NULL);
  dialog = get_visible_dialog (fixture);
  type (find_in (dialog, "Address and Port"), "nowhere");
  g_assert_false (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  type (find_in (dialog, "Address and Port"), "0.0.0.0:8080");
  g_assert_false (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  type (find_in (dialog, "Address and Port"), "127.0.0.1:8080");
  answer (dialog);
  wait_written (fixture, KOBOSHI, "listen: \"127.0.0.1:8080\"\n");
  dialog = click (fixture, "Addresses", "Add an Address");
  type (find_in (dialog, "Address and Port"), "127.0.0.1:8080");
  g_assert_false (adw_alert_dialog_get_response_enabled (ADW_ALERT_DIALOG (dialog), "yes"));
  type (find_in (dialog, "Address and Port"), "[::1]:8080");
  answer (dialog);
  wait_written (fixture, KOBOSHI, "listen:\n  - \"127.0.0.1:8080\"\n  - \"[::1]:8080\"\n");
  gtk_widget_activate_action (find_row (fixture, "127.0.0.1:8080"), "item.down", NULL);
  wait_written (fixture, KOBOSHI, "listen:\n  - \"[::1]:8080\"\n  - \"127.0.0.1:8080\"\n");
  gtk_widget_activate_action (find_row (fixture, "[::1]:8080"), "item.remove", NULL);
  wait_written (fixture, KOBOSHI, "listen:\n  - \"127.0.0.1:8080\"\n");
  gtk_widget_activate_action (find_row (fixture, "127.0.0.1:8080"), "item.remove", NULL);
  wait_not_written (fixture, KOBOSHI, "listen");
  adw_dialog_force_close (preferences);
}

#define BUNDLE "profiles/web/node_modules/"

static void
write_bundles (Fixture *fixture)
{
  write_home (fixture, PATCH, "- id: dsh-daruma\n  config: { channels: [] }\n");
  write_home (fixture, BUNDLE "@visol-456/dsh-llm-fallback/package.json",
              "{\"dsh\":{\"bundle\":{\"patch\":\"patch.yml\"}}}");
  write_home (fixture, BUNDLE "@visol-456/dsh-llm-fallback/patch.yml",
              "- insert:\n    - id: llm-fallback\n      name: '@visol-456/dsh-llm-fallback'\n"
              "      config: { cooldownMs: 7, fallbacks: [{ provider: p, model: a },\n"
              "        { provider: p, model: b }, { provider: p, model: c }] }\n");
  write_home (fixture, BUNDLE "dsh-camel/package.json",
              "{\"dsh\":{\"bundle\":{\"patch\":\"patch.yml\"}}}");
  write_home (
      fixture, BUNDLE "dsh-camel/patch.yml",
      "- insert:\n    - id: camel\n      name: dsh-camel\n"
      "      config: { defaults: { adaptive: { routes: [\n"
      "        { provider: p, model: a, maxRequests: 5 }, { provider: p, model: b }] } } }\n");
}

/* What a bundle brings is restated in the profile, in the order asked for and complete. */
static void
test_bundle_lists (Fixture *fixture, gconstpointer data)
{
  write_bundles (fixture);
  open_form (fixture, "llm-fallback");
  gtk_widget_activate_action (find_row (fixture, "a"), "item.down", NULL);
  wait_written (fixture, PATCH,
                "- id: llm-fallback\n  config:\n    cooldownMs: 7\n    fallbacks:\n"
                "      - provider: p\n        model: b\n"
                "      - provider: p\n        model: a\n      - provider: p\n        model: c\n");
  /* from here on the list is in the file, and only the item moves */
  gtk_widget_activate_action (find_row (fixture, "c"), "item.top", NULL);
  wait_written (fixture, PATCH,
                "    fallbacks:\n      - provider: p\n        model: c\n"
                "      - provider: p\n        model: b\n");
}

static void
test_bundle_items (Fixture *fixture, gconstpointer data)
{
  write_bundles (fixture);
  open_page (fixture, "throttling");
  gtk_widget_activate_action (find_row (fixture, "b"), "item.up", NULL);
  wait_written (fixture, PATCH,
                "        routes:\n          - provider: p\n            model: b\n"
                "          - provider: p\n            model: a\n            maxRequests: 5\n");
}

static void
test_bundle_removed (Fixture *fixture, gconstpointer data)
{
  write_bundles (fixture);
  open_form (fixture, "llm-fallback");
  gtk_widget_activate_action (find_row (fixture, "b"), "item.remove", NULL);
  wait_written (fixture, PATCH,
                "    fallbacks:\n      - provider: p\n        model: a\n"
                "      - provider: p\n        model: c\n");
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, function)                                                                        \
  g_test_add ("/app/provider-form/" path, Fixture, GINT_TO_POINTER (KB_SHOWCASE_FORMS),            \
              window_set_up, function, window_tear_down)
  ADD ("compat", test_compat);
  ADD ("arguments", test_arguments);
  ADD ("numbers", test_numbers);
  ADD ("levels", test_levels);
  ADD ("efforts", test_efforts);
  ADD ("changed-models", test_changed_models);
  ADD ("addresses", test_addresses);
  ADD ("bundle-lists", test_bundle_lists);
  ADD ("bundle-items", test_bundle_items);
  ADD ("bundle-removed", test_bundle_removed);

  return g_test_run ();
}

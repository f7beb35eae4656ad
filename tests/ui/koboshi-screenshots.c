// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* koboshi-screenshots DIR: draws every page of the real window into PNG files. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "app/kb-app.h"
#include "app/kb-application.h"
#include "app/kb-channel-row.h"
#include "app/kb-channels-page.h"
#include "app/kb-edit-questions.h"
#include "app/kb-history-page.h"
#include "app/kb-problems-dialog.h"
#include "ui/find-widget.h"
#include "ui/kb-showcase-gateway.h"
#include "ui/kb-showcase.h"

/* Long enough for animations and the reading thread, on a slow machine too. */
#define SETTLE_MS 900

static char *option_suffix;
static gboolean option_dark;
static int option_width = 900;
static int option_height;
static double option_scale = 1.0;
static const char *directory;

static const GOptionEntry option_entries[] = {
  { "dark", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &option_dark, "Draw dark", NULL },
  { "width", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &option_width, "Width in pixels", "N" },
  { "height", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &option_height, "Height in pixels", "N" },
  { "text-scale", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &option_scale, "Text scale", "X" },
  { "suffix", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &option_suffix, "End of the names", "S" },
  { NULL },
};

static gboolean
wake_up_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
settle (void)
{
  gboolean done = FALSE;

  g_timeout_add (SETTLE_MS, wake_up_cb, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* A display without a window manager gives no focus: draw as if the window had it. */
static void
lift_backdrop (GtkWidget *widget)
{
  gtk_widget_unset_state_flags (widget, GTK_STATE_FLAG_BACKDROP);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    lift_backdrop (child);
}

static void
draw_widget (GtkWidget *widget, const char *name)
{
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *file = g_strdup_printf ("%s-%s.png", name, option_suffix);
  g_autofree char *path = g_build_filename (directory, file, NULL);
  int width, height;

  lift_backdrop (widget);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  width = gtk_widget_get_width (widget);
  height = gtk_widget_get_height (widget);
  paintable = gtk_widget_paintable_new (widget);
  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  g_assert_nonnull (node);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (widget)), node,
                                         &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  if (!gdk_texture_save_to_png (texture, path))
    g_printerr ("koboshi-screenshots: %s cannot be written\n", path);
  else
    g_print ("%s\n", path);
}

static void
draw (KbWindow *window, const char *name)
{
  settle ();
  draw_widget (GTK_WIDGET (window), name);
}

static void
close_window (KbWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
fit (KbWindow *window)
{
  int height = option_height > 0 ? option_height : option_width < 500 ? 720 : 700;

  gtk_window_set_default_size (GTK_WINDOW (window), option_width, height);
}

static gint64
get_now_ms (void)
{
  return g_get_real_time () / 1000;
}

static KbWindow *
open_showcase (KbApplication *application, KbShowcase *showcase)
{
  g_autoptr (KbSession) session = kb_showcase_create_session (showcase);
  KbWindow *window = kb_application_open (application, session);

  fit (window);
  return window;
}

static void
draw_demo (KbApplication *application)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbDemo) demo = kb_demo_new (&error);
  g_autoptr (KbSession) session = NULL;
  KbWindow *window;

  g_assert_no_error (error);
  for (int i = 0; i < 9; i++)
    kb_demo_step (demo);
  session = kb_session_new (kb_demo_get_home (demo), kb_demo_get_profile (demo));
  window = kb_application_open (application, session);
  fit (window);
  draw (window, "channels");
  kb_window_show_page (window, "history");
  draw (window, "history");
  close_window (window);
}

static void
scroll_down (KbWindow *window)
{
  GtkWidget *page = find_widget (GTK_WIDGET (window), KB_TYPE_CHANNELS_PAGE);
  GtkWidget *scrolled = find_widget (page, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

static void
close_dialog (KbWindow *window)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));

  adw_dialog_force_close (dialog);
  settle ();
}

/* A popover is a surface of its own, so its picture is one, too. */
static void
draw_menu (KbWindow *window, const char *id, const char *name)
{
  GtkWidget *row = find_channel_row (GTK_WIDGET (window), id);
  GtkWidget *popover;

  gtk_widget_activate_action (row, "channel.menu", NULL);
  settle ();
  popover = find_widget (row, GTK_TYPE_POPOVER);
  while (!gtk_widget_get_mapped (popover))
    settle ();
  draw_widget (popover, name);
  gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
draw_editing (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);
  GtkWidget *page = find_widget (GTK_WIDGET (window), KB_TYPE_CHANNELS_PAGE);
  AdwDialog *dialog;

  settle ();
  draw_menu (window, "nimbus::heron-7b", "row-menu");
  gtk_widget_activate_action (page, "chain.add", NULL);
  draw (window, "add-channel");
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));
  gtk_editable_set_text (GTK_EDITABLE (find_widget (GTK_WIDGET (dialog), GTK_TYPE_SEARCH_ENTRY)),
                         "lumen::orca-3");
  draw (window, "add-typed");
  close_dialog (window);
  gtk_widget_activate_action (page, "chain.choose-backup", NULL);
  draw (window, "choose-backup");
  close_dialog (window);
  gtk_widget_activate_action (find_channel_row (GTK_WIDGET (window), "nimbus::heron-7b"),
                              "channel.move-up", NULL);
  draw (window, "review");
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));
  gtk_widget_activate_action (GTK_WIDGET (dialog), "review.save", NULL);
  draw (window, "saved");
  close_window (window);
}

static void
draw_questions (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);
  KbEditConflict conflict = {
    .path = (char *) "dsh-daruma.channels",
    .seen = (char *) "[{ provider: lumen, model: orca-2 }, { provider: lumen, model: orca-mini }]",
    .theirs = (char *) "[{ provider: 月光, model: 通义千问-超大杯 }]",
    .mine = (char *) "[{ provider: lumen, model: orca-mini }, { provider: lumen, model: orca-2 }]",
  };
  g_autoptr (GError) error
      = g_error_new (G_IO_ERROR, G_IO_ERROR_NO_SPACE, "%s/profiles/web/cordis.patch.yml: %s",
                     showcase->home, "No space left on device");

  adw_dialog_present (ADW_DIALOG (kb_edit_question_new_conflict (&conflict)), GTK_WIDGET (window));
  draw (window, "conflict");
  close_dialog (window);
  adw_dialog_present (ADW_DIALOG (kb_edit_question_new_failure (error)), GTK_WIDGET (window));
  draw (window, "not-saved");
  close_window (window);
}

static void
draw_limits (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.form", "s", "dsh-daruma");
  draw (window, "limits");
  close_window (window);
}

/* As a file of the Nix store is: nobody may write it. */
static void
draw_read_only (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  g_autofree char *path
      = g_build_filename (showcase->home, "profiles", "web", "cordis.patch.yml", NULL);
  KbWindow *window;

  g_assert_cmpint (g_chmod (path, 0444), ==, 0);
  window = open_showcase (application, showcase);
  draw (window, "read-only");
  close_window (window);
}

static void
draw_usage (KbWindow *window, KbShowcase *showcase)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-usage", NULL);
  draw (window, "usage-none");
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
  kb_showcase_write_usage (showcase, get_now_ms ());
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-usage", NULL);
  draw (window, "usage");
  adw_dialog_force_close (
      adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window)));
}

static void
draw_states (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);
  GtkWidget *history;

  draw (window, "states");
  scroll_down (window);
  draw (window, "states-end");
  kb_window_show_page (window, "history");
  draw (window, "events");
  history = find_widget (GTK_WIDGET (window), KB_TYPE_HISTORY_PAGE);
  kb_history_page_start_search (KB_HISTORY_PAGE (history), "nothing like this");
  draw (window, "no-results");
  kb_window_show_page (window, "channels");
  draw_usage (window, showcase);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-problems", NULL);
  draw (window, "problems");
  close_window (window);
}

static void
draw_gateway (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  g_autoptr (KbShowcaseGateway) gateway = kb_showcase_gateway_new (showcase->home, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  draw (window, "serving");
  scroll_down (window);
  draw (window, "serving-end");
  draw_menu (window, "nimbus::heron-7b", "gateway-menu");
  close_window (window);
}

static void
draw_form (KbWindow *window, const char *path, const char *name)
{
  AdwNavigationView *view
      = ADW_NAVIGATION_VIEW (find_widget (GTK_WIDGET (window), ADW_TYPE_NAVIGATION_VIEW));

  gtk_widget_activate_action (GTK_WIDGET (window), "win.form", "s", path);
  draw (window, name);
  adw_navigation_view_pop_to_tag (view, "main");
}

static void
draw_preferences (KbWindow *window)
{
  AdwDialog *dialog;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.preferences", NULL);
  draw (window, "preferences");
  dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));
  adw_preferences_dialog_set_visible_page_name (ADW_PREFERENCES_DIALOG (dialog), "gateway");
  draw (window, "gateway");
  adw_dialog_force_close (dialog);
}

/* Tall, so that the whole of a form is in the picture. */
static void
draw_forms (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_FORMS, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  kb_window_show_page (window, "pools");
  draw (window, "pools");
  gtk_window_set_default_size (GTK_WINDOW (window), option_width, 1500);
  draw_form (window, "llm-pool.providers[\"pool-orca\"]", "pool");
  draw_form (window, "llm-pool.providers[\"pool-orca\"].models[0]", "pool-model");
  draw_form (window, "dsh-route-resilience.groups[0]", "group");
  draw_form (window, "llm-fallback", "fallback");
  gtk_window_set_default_size (GTK_WINDOW (window), option_width, 2600);
  draw_form (window, "llm-pi-ai.providers.nimbus", "provider");
  draw_form (window, "llm-pi-ai.providers.nimbus.compat", "compat");
  gtk_window_set_default_size (GTK_WINDOW (window), option_width, 1500);
  draw_form (window, "llm-pi-ai.providers.nimbus.models[0]", "provider-model");
  draw_form (window, "llm-pi-ai.providers.lumen.models[1]", "no-reasoning");
  draw_preferences (window);
  kb_window_show_page (window, "throttling");
  gtk_window_set_default_size (GTK_WINDOW (window), option_width, 2200);
  draw (window, "throttling");
  close_window (window);
}

static void
draw_locked (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_LOCKED, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  kb_window_show_page (window, "pools");
  draw (window, "pools-locked");
  kb_window_show_page (window, "throttling");
  draw (window, "throttling-locked");
  close_window (window);
}

static void
draw_switched_off (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_STATES, get_now_ms ());
  KbWindow *window;

  kb_showcase_write_patch (showcase,
                           "- id: dsh-daruma\n  disabled: true\n  config:\n    channels:\n"
                           "      - { provider: lumen, model: orca-2 }\n");
  window = open_showcase (application, showcase);
  draw (window, "switched-off");
  close_window (window);
}

static void
draw_no_pools (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  kb_window_show_page (window, "pools");
  draw (window, "no-pools");
  close_window (window);
}

static void
draw_about (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_NO_HOME, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  adw_dialog_present (kb_application_create_about (), GTK_WIDGET (window));
  draw (window, "about");
  close_window (window);
}

static void
draw_kind (KbApplication *application, KbShowcaseKind kind, const char *name)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (kind, get_now_ms ());
  KbWindow *window = open_showcase (application, showcase);

  draw (window, name);
  close_window (window);
}

/* What a newcomer sees: nobody named a home. */
static void
draw_welcome (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_NO_HOME, get_now_ms ());
  KbPathsFacts facts = {
    .user_home = showcase->root,
    .config_dir = showcase->config_dir,
    .state_dir = showcase->root,
    .cwd = showcase->root,
  };
  g_autoptr (KbSession) session = kb_session_new_for_facts (&facts, NULL);
  KbWindow *window = kb_application_open (application, session);

  fit (window);
  draw (window, "welcome");
  close_window (window);
}

static void
draw_unreadable (KbApplication *application)
{
  g_autoptr (KbShowcase) showcase = kb_showcase_new (KB_SHOWCASE_EMPTY, get_now_ms ());
  KbWindow *window;

  kb_showcase_write_patch (showcase, "- id: dsh-daruma\n  config: { channels: [\n");
  window = open_showcase (application, showcase);
  draw (window, "broken");
  close_window (window);
}

static void
draw_all (KbApplication *application)
{
  draw_demo (application);
  draw_states (application);
  draw_gateway (application);
  draw_editing (application);
  draw_questions (application);
  draw_forms (application);
  draw_locked (application);
  draw_no_pools (application);
  draw_switched_off (application);
  draw_read_only (application);
  draw_limits (application);
  draw_welcome (application);
  draw_kind (application, KB_SHOWCASE_PROFILES, "chooser");
  draw_kind (application, KB_SHOWCASE_EMPTY, "empty");
  draw_kind (application, KB_SHOWCASE_NO_PROFILE, "no-profile");
  draw_unreadable (application);
  draw_about (application);
}

static void
set_up_display (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi;

  g_object_set (settings, "gtk-enable-animations", FALSE, "gtk-font-name", "Cantarell 11",
                "gtk-decoration-layout", ":close", NULL);
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", (int) ((dpi > 0 ? dpi : 96 * 1024) * option_scale), NULL);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      option_dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                  : ADW_COLOR_SCHEME_FORCE_LIGHT);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new ("DIR");
  g_autoptr (KbApplication) application = NULL;
  g_autoptr (GError) error = NULL;

  kb_app_init ();
  g_option_context_add_main_entries (context, option_entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2)
    {
      g_printerr ("koboshi-screenshots: %s\n", error != NULL ? error->message : "name one folder");
      return 2;
    }
  directory = argv[1];
  if (option_suffix == NULL)
    option_suffix = g_strdup (option_dark ? "dark" : "light");
  g_mkdir_with_parents (directory, 0755);

  application = kb_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  if (!g_application_register (G_APPLICATION (application), NULL, &error))
    {
      g_printerr ("koboshi-screenshots: %s\n", error->message);
      return 1;
    }
  set_up_display ();
  draw_all (application);
  g_free (option_suffix);
  return 0;
}

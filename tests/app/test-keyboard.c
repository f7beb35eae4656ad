// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The forms with the keys of a real keyboard: what the display server delivers. */

#include "app/forms-fixture.h"

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *finished = user_data;
  g_autoptr (GError) error = NULL;

  *finished = g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  g_assert_no_error (error);
}

static gboolean
is_true (gpointer user_data)
{
  return *(gboolean *) user_data;
}

static void
run (const char *const *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process
      = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error);
  gboolean finished = FALSE;

  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, finished_cb, &finished);
  wait_for (is_true, &finished);
}

static void
press (const char *keys)
{
  run ((const char *[]) { "xdotool", "key", keys, NULL });
}

static void
type_keys (const char *text)
{
  run ((const char *[]) { "xdotool", "type", text, NULL });
}

static gboolean
is_active (gpointer user_data)
{
  return gtk_window_is_active (GTK_WINDOW (user_data));
}

/* There is no window manager that would. */
static void
keyboard_set_up (Fixture *fixture, gconstpointer kind)
{
  g_autofree char *pid = g_strdup_printf ("%d", (int) getpid ());

  window_set_up (fixture, kind);
  run ((const char *[]) { "xdotool", "search", "--sync", "--onlyvisible", "--pid", pid,
                          "windowfocus", NULL });
  wait_for (is_active, fixture->window);
}

/* A row that opens has a row in it for what it is called. */
static void
add_rows (GHashTable *seen, GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    if (ADW_IS_PREFERENCES_ROW (widget))
      g_hash_table_add (seen, widget);
}

static GtkWidget *
get_focus_row (Fixture *fixture)
{
  GtkWidget *row = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  while (row != NULL && !ADW_IS_PREFERENCES_ROW (row))
    row = gtk_widget_get_parent (row);
  return row;
}

typedef struct
{
  Fixture *fixture;
  const char *title;
  const char *text;
} Expected;

static gboolean
has_focus (gpointer user_data)
{
  Expected *expected = user_data;
  GtkWidget *row = get_focus_row (expected->fixture);

  return row != NULL && is_row (row, expected->title);
}

static void
wait_focus (Fixture *fixture, const char *title)
{
  Expected expected = { fixture, title, NULL };

  g_test_message ("waiting for the focus on “%s”", title);
  wait_for (has_focus, &expected);
}

static gboolean
has_text (gpointer user_data)
{
  Expected *expected = user_data;
  GtkWidget *row = find_row (expected->fixture, expected->title);

  return g_str_equal (gtk_editable_get_text (GTK_EDITABLE (row)), expected->text);
}

static void
wait_text (Fixture *fixture, const char *title, const char *text)
{
  Expected expected = { fixture, title, text };

  g_test_message ("waiting for “%s” in “%s”", text, title);
  wait_for (has_text, &expected);
}

static AdwDialog *
open_preferences (Fixture *fixture, const char *page)
{
  AdwDialog *dialog;

  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.preferences", NULL);
  dialog = get_visible_dialog (fixture);
  g_assert_true (ADW_IS_PREFERENCES_DIALOG (dialog));
  adw_preferences_dialog_set_visible_page_name (ADW_PREFERENCES_DIALOG (dialog), page);
  wait_frames (GTK_WIDGET (dialog));
  return dialog;
}

static void
open_provider (Fixture *fixture)
{
  open_preferences (fixture, "providers");
  g_signal_emit_by_name (find_row (fixture, "lumen"), "activated");
  wait_frames (GTK_WIDGET (fixture->window));
}

static void
focus (Fixture *fixture, const char *title)
{
  g_assert_true (gtk_widget_grab_focus (find_row (fixture, title)));
  wait_focus (fixture, title);
}

static gboolean
is_editable (GtkWidget *row)
{
  return ADW_IS_PREFERENCES_ROW (row) && gtk_widget_get_mapped (row)
         && gtk_widget_is_sensitive (row) && !gtk_widget_has_css_class (row, "field-message");
}

static guint
count_missed (GtkWidget *widget, GHashTable *seen)
{
  guint missed = 0;

  if (is_editable (widget) && !g_hash_table_contains (seen, widget))
    {
      g_test_message ("not reached: “%s”",
                      adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)));
      missed++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    missed += count_missed (child, seen);
  return missed;
}

/* As often as takes it round, with what the tab key does. */
static void
assert_walk (Fixture *fixture, GtkWidget *page, GtkDirectionType direction)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GtkWidget *start;
  GtkWidget *now;
  guint steps = 0;

  g_signal_emit_by_name (fixture->window, "move-focus", direction);
  start = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  do
    {
      add_rows (seen, gtk_window_get_focus (GTK_WINDOW (fixture->window)));
      g_signal_emit_by_name (fixture->window, "move-focus", direction);
      now = gtk_window_get_focus (GTK_WINDOW (fixture->window));
    }
  while (now != start && ++steps < 300);
  g_assert_cmpuint (steps, <, 300);
  g_assert_cmpuint (g_hash_table_size (seen), >, 2);
  g_assert_cmpuint (count_missed (page, seen), ==, 0);
}

static void
test_tab (Fixture *fixture, gconstpointer data)
{
  open_provider (fixture);
  assert_walk (fixture, GTK_WIDGET (get_visible_dialog (fixture)), GTK_DIR_TAB_FORWARD);
  assert_walk (fixture, GTK_WIDGET (get_visible_dialog (fixture)), GTK_DIR_TAB_BACKWARD);
}

static void
test_tab_forms (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[]
      = { "dsh-daruma", "llm-fallback", "llm-pool.providers.pool-orca", "koboshi" };
  AdwNavigationView *view = fixture->window->navigation;

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_test_message ("%s", paths[i]);
      open_form (fixture, paths[i]);
      assert_walk (fixture, GTK_WIDGET (view), GTK_DIR_TAB_FORWARD);
      assert_walk (fixture, GTK_WIDGET (view), GTK_DIR_TAB_BACKWARD);
      adw_navigation_view_pop (view);
    }
}

/* A row that is locked, for its value is an expression, is passed over and ends nothing. */
static void
test_tab_locked (Fixture *fixture, gconstpointer data)
{
  open_page (fixture, "throttling");
  assert_walk (fixture, GTK_WIDGET (fixture->window), GTK_DIR_TAB_FORWARD);
  assert_walk (fixture, GTK_WIDGET (fixture->window), GTK_DIR_TAB_BACKWARD);
}

static void
test_arrows (Fixture *fixture, gconstpointer data)
{
  static const char *const titles[]
      = { "Name Shown", "Protocol", "Address", "Name of the Key", "New Key for the Keyring" };

  open_provider (fixture);
  focus (fixture, "Name of the Key");
  type_keys ("LUMEN_KEY");
  press ("Return");
  wait_written (fixture, SETTINGS, "apiKeyEnv: LUMEN_KEY");
  focus (fixture, titles[0]);
  for (gsize i = 1; i < G_N_ELEMENTS (titles); i++)
    {
      press ("Down");
      wait_focus (fixture, titles[i]);
    }
  for (gsize i = G_N_ELEMENTS (titles) - 1; i > 0; i--)
    {
      press ("Up");
      wait_focus (fixture, titles[i - 1]);
    }
}

/* First what is typed, letter by letter; then the last save. */
static void
test_undo_number (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = kb_showcase_read (fixture->showcase, KOBOSHI);
  g_autofree char *saved = NULL;
  g_autofree char *typed = NULL;

  open_preferences (fixture, "gateway");
  focus (fixture, "Until Connected");
  press ("ctrl+a");
  type_keys ("23 s");
  press ("Return");
  wait_written (fixture, KOBOSHI, "connectTimeoutMs: 23000");
  wait_text (fixture, "Until Connected", "23 s");
  wait_focus (fixture, "Until Connected");
  saved = kb_showcase_read (fixture->showcase, KOBOSHI);
  press ("End");
  type_keys ("x");
  wait_text (fixture, "Until Connected", "23 sx");
  press ("ctrl+z");
  wait_text (fixture, "Until Connected", "23 s");
  typed = kb_showcase_read (fixture->showcase, KOBOSHI);
  g_assert_cmpstr (typed, ==, saved);
  press ("ctrl+z");
  wait_not_written (fixture, KOBOSHI, "connectTimeoutMs: 23000");
  g_free (typed);
  typed = kb_showcase_read (fixture->showcase, KOBOSHI);
  g_assert_cmpstr (typed, ==, before);
  wait_focus (fixture, "Until Connected");
}

static void
test_undo_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = kb_showcase_read (fixture->showcase, SETTINGS);
  g_autofree char *after = NULL;
  g_autofree char *name = NULL;

  open_provider (fixture);
  focus (fixture, "Name Shown");
  name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (find_row (fixture, "Name Shown"))));
  press ("ctrl+a");
  type_keys ("Lamp");
  wait_text (fixture, "Name Shown", "Lamp");
  press ("Return");
  wait_written (fixture, SETTINGS, "Lamp");
  wait_focus (fixture, "Name Shown");
  press ("ctrl+z");
  wait_not_written (fixture, SETTINGS, "Lamp");
  after = kb_showcase_read (fixture->showcase, SETTINGS);
  g_assert_cmpstr (after, ==, before);
  wait_text (fixture, "Name Shown", name);
}

static void
test_undo_choice (Fixture *fixture, gconstpointer data)
{
  open_provider (fixture);
  focus (fixture, "Protocol");
  adw_combo_row_set_selected (ADW_COMBO_ROW (find_row (fixture, "Protocol")), 2);
  wait_written (fixture, SETTINGS, "api: openai-resp");
  wait_focus (fixture, "Protocol");
  press ("ctrl+z");
  wait_not_written (fixture, SETTINGS, "api: openai-resp");
}

/* In the window itself, not in a dialog. */
static void
test_undo_page (Fixture *fixture, gconstpointer data)
{
  open_form (fixture, "llm-pi-ai.providers.lumen");
  focus (fixture, "Name Shown");
  type_keys ("Lamp");
  press ("Return");
  wait_written (fixture, SETTINGS, "Lamp");
  wait_focus (fixture, "Name Shown");
  press ("ctrl+z");
  wait_not_written (fixture, SETTINGS, "Lamp");
}

static gboolean
has_no_preferences (gpointer user_data)
{
  Fixture *fixture = user_data;

  return adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (fixture->window))
         == NULL;
}

static gboolean
is_list_shown (gpointer user_data)
{
  return find (GTK_WIDGET (user_data), is_row, "Name Shown") == NULL;
}

static gboolean
is_toast (GtkWidget *widget, const char *text)
{
  return GTK_IS_LABEL (widget) && g_str_has_prefix (gtk_label_get_label (GTK_LABEL (widget)), text);
}

static gboolean
has_toast (gpointer user_data)
{
  return find (GTK_WIDGET (user_data), is_toast, "Changed “Name Shown”") != NULL;
}

/* One for the page, one for the preferences; none for the toast. */
static void
test_escape (Fixture *fixture, gconstpointer data)
{
  AdwDialog *dialog;

  open_provider (fixture);
  dialog = get_visible_dialog (fixture);
  focus (fixture, "Name Shown");
  press ("ctrl+a");
  type_keys ("Lamp");
  press ("Return");
  wait_written (fixture, SETTINGS, "Lamp");
  wait_for (has_toast, dialog);
  press ("Escape");
  wait_for (is_list_shown, dialog);
  g_assert_true (has_toast (dialog));
  press ("Escape");
  wait_for (has_no_preferences, fixture);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

#define ADD(path, kind, function)                                                                  \
  g_test_add ("/app/keyboard/" path, Fixture, GINT_TO_POINTER (kind), keyboard_set_up, function,   \
              window_tear_down)
  ADD ("tab", KB_SHOWCASE_FORMS, test_tab);
  ADD ("tab-forms", KB_SHOWCASE_FORMS, test_tab_forms);
  ADD ("tab-locked", KB_SHOWCASE_FORMS, test_tab_locked);
  ADD ("arrows", KB_SHOWCASE_FORMS, test_arrows);
  ADD ("undo-number", KB_SHOWCASE_FORMS, test_undo_number);
  ADD ("undo-text", KB_SHOWCASE_FORMS, test_undo_text);
  ADD ("undo-choice", KB_SHOWCASE_FORMS, test_undo_choice);
  ADD ("undo-page", KB_SHOWCASE_FORMS, test_undo_page);
  ADD ("escape", KB_SHOWCASE_FORMS, test_escape);

  return g_test_run ();
}

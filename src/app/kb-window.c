// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-window"

#include "config.h"

#include "app/kb-window-private.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (KbWindow, kb_window, ADW_TYPE_APPLICATION_WINDOW)

typedef enum
{
  PROP_MONITOR = 1,
} KbWindowProperty;

static GParamSpec *properties[PROP_MONITOR + 1];

static gboolean
is_ready (KbWindow *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "ready") == 0;
}

/* Views that were not shown yet are not visible: GTK would style them for the first frame. */
static void
show_view (KbWindow *self, const char *view)
{
  gtk_widget_set_visible (gtk_stack_get_child_by_name (self->stack, view), TRUE);
  gtk_stack_set_visible_child_name (self->stack, view);
}

/* Not the title of the page: its mnemonic may be a letter in parentheses, as in "通道(C)". */
static const char *
get_title (KbWindow *self)
{
  const char *page = adw_view_stack_get_visible_child_name (self->pages);

  if (!is_ready (self) || page == NULL)
    return _ ("Koboshi");
  if (g_str_equal (page, "pools"))
    return _ ("Pools");
  if (g_str_equal (page, "throttling"))
    return _ ("Throttling");
  return g_str_equal (page, "history") ? _ ("History") : _ ("Channels");
}

static void
update_header (KbWindow *self)
{
  gboolean ready = is_ready (self);
  const char *profile = self->session != NULL ? kb_session_get_profile (self->session) : NULL;

  adw_window_title_set_title (self->window_title, get_title (self));
  gtk_stack_set_visible_child_name (self->title_stack,
                                    ready && !self->narrow ? "switcher" : "title");
  adw_view_switcher_bar_set_reveal (self->switcher_bar, ready && self->narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->profile_button), ready || profile != NULL);
}

static void
update_watching (KbWindow *self)
{
  gboolean seen
      = gtk_widget_get_mapped (GTK_WIDGET (self)) && !gtk_window_is_suspended (GTK_WINDOW (self));

  if (self->monitor == NULL)
    return;
  kb_monitor_set_visible (self->monitor, seen);
  if (!seen)
    return;
  kb_monitor_reread_clock (self->monitor);
  if (self->history != NULL)
    kb_history_page_refresh_times (self->history);
}

static const KbProblem *
find_worst (const GPtrArray *problems)
{
  const KbProblem *worst = NULL;

  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = g_ptr_array_index (problems, i);

      if (problem->severity != KB_SEVERITY_INFO
          && (worst == NULL || problem->severity > worst->severity))
        worst = problem;
    }
  return worst;
}

/* "cordis.patch.yml:5: ...", short enough for a banner; the dialog has the whole path. */
static char *
describe_problem (const KbProblem *problem)
{
  g_autofree char *name = NULL;

  if (problem->file == NULL)
    return g_strdup (problem->message);
  name = g_path_get_basename (problem->file);
  if (problem->line == 0)
    return g_strdup_printf ("%s: %s", name, problem->message);
  return g_strdup_printf ("%s:%u: %s", name, problem->line, problem->message);
}

static void
update_banner (KbWindow *self)
{
  const GPtrArray *problems = kb_monitor_get_problems (self->monitor);
  const KbProblem *worst = find_worst (problems);
  g_autofree char *first = worst != NULL ? describe_problem (worst) : NULL;
  g_autofree char *title = NULL;

  if (worst != NULL && problems->len > 1)
    {
      guint n_more = problems->len - 1;

      /* Translators: %1$s is a problem, as in "cordis.patch.yml:5: Unknown key" */
      title = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%1$s (and %2$u more)", "%1$s (and %2$u more)", n_more),
          first, n_more);
      adw_banner_set_title (self->banner, title);
    }
  else if (worst != NULL)
    adw_banner_set_title (self->banner, first);
  adw_banner_set_revealed (self->banner, worst != NULL);
}

static void
show_unreadable (KbWindow *self)
{
  const GPtrArray *problems = kb_monitor_get_problems (self->monitor);
  const KbProblem *worst = find_worst (problems);
  g_autofree char *message
      = worst != NULL ? describe_problem (worst) : g_strdup (_ ("The reason is not known."));

  adw_banner_set_revealed (self->banner, FALSE);
  kb_welcome_page_show_error (self->welcome, message);
  show_view (self, "welcome");
}

static void
monitor_changed_cb (KbWindow *self)
{
  g_assert (KB_IS_WINDOW (self));

  if (kb_monitor_get_view (self->monitor) == NULL)
    show_unreadable (self);
  else
    {
      show_view (self, "ready");
      update_banner (self);
    }
  update_header (self);
  _kb_window_update_actions (self);
}

static void
announcer_announce_cb (KbWindow *self, const char *sentence, int priority)
{
  g_assert (KB_IS_WINDOW (self));

  if (gtk_window_is_active (GTK_WINDOW (self)))
    gtk_accessible_announce (GTK_ACCESSIBLE (self), sentence,
                             (GtkAccessibleAnnouncementPriority) priority);
}

static void
drop_monitor (KbWindow *self)
{
  if (self->channels != NULL)
    kb_channels_page_set_monitor (self->channels, NULL, NULL, NULL);
  if (self->history != NULL)
    kb_history_page_set_monitor (self->history, NULL);
  if (self->monitor != NULL)
    {
      g_clear_signal_handler (&self->monitor_handler, self->monitor);
      kb_monitor_set_visible (self->monitor, FALSE);
    }
  g_clear_object (&self->announcer);
  _kb_window_drop_forms (self);
  g_clear_object (&self->flow);
  g_clear_object (&self->monitor);
}

/* What is edited in a demo is forgotten with it. */
char *
_kb_window_get_state_dir (KbWindow *self)
{
  if (self->demo != NULL)
    return g_build_filename (kb_demo_get_home (self->demo), "koboshi", NULL);
  return kb_session_get_state_dir (self->session);
}

/* Not left to the file watch: what was saved here is to be seen at once. */
static void
editor_saved_cb (KbWindow *self)
{
  g_assert (KB_IS_WINDOW (self));
  if (self->monitor != NULL)
    kb_monitor_refresh (self->monitor);
}

static void
open_editor (KbWindow *self, const char *home, const char *profile)
{
  g_autofree char *state_dir = _kb_window_get_state_dir (self);
  g_autoptr (KbEditor) editor = kb_editor_new (home, profile, state_dir);

  self->flow = kb_edit_flow_new (editor, self->toasts);
  g_settings_bind (self->settings, "review-changes", self->flow, "review-always",
                   G_SETTINGS_BIND_GET);
  g_signal_connect_object (editor, "saved", G_CALLBACK (editor_saved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "undone", G_CALLBACK (editor_saved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "notify::can-undo", G_CALLBACK (_kb_window_update_actions), self,
                           G_CONNECT_SWAPPED);
}

static void
watch (KbWindow *self, const char *home, const char *profile)
{
  if (self->monitor != NULL && g_str_equal (kb_monitor_get_home (self->monitor), home)
      && g_str_equal (kb_monitor_get_profile (self->monitor), profile))
    return;
  drop_monitor (self);
  self->monitor = kb_monitor_new (home, profile, self->clock);
  kb_monitor_start (self->monitor);
  open_editor (self, home, profile);
  self->announcer = kb_announcer_new (self->monitor);
  g_signal_connect_object (self->announcer, "announce", G_CALLBACK (announcer_announce_cb), self,
                           G_CONNECT_SWAPPED);
  kb_channels_page_set_monitor (self->channels, self->monitor, self->ticker, self->flow);
  if (self->history != NULL)
    kb_history_page_set_monitor (self->history, self->monitor);
  self->monitor_handler
      = g_signal_connect_swapped (self->monitor, "changed", G_CALLBACK (monitor_changed_cb), self);
  update_watching (self);
  monitor_changed_cb (self);
  _kb_window_fill_page (self);
}

static void
session_changed_cb (KbWindow *self)
{
  KbMonitor *monitor = self->monitor;

  g_assert (KB_IS_WINDOW (self));

  switch (kb_session_get_state (self->session))
    {
    case KB_SESSION_READY:
      watch (self, kb_session_get_home (self->session), kb_session_get_profile (self->session));
      break;
    case KB_SESSION_CHOOSE_PROFILE:
      drop_monitor (self);
      kb_chooser_page_show_session (self->chooser, self->session);
      show_view (self, "chooser");
      break;
    case KB_SESSION_NO_HOME:
    case KB_SESSION_NO_PROFILE:
    default:
      drop_monitor (self);
      kb_welcome_page_show_session (self->welcome, self->session);
      show_view (self, "welcome");
      break;
    }
  if (self->monitor == NULL)
    adw_banner_set_revealed (self->banner, FALSE);
  _kb_window_update_profile (self);
  _kb_window_update_actions (self);
  update_header (self);
  if (self->monitor != monitor)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MONITOR]);
}

static void
set_narrow (KbWindow *self, gboolean narrow)
{
  self->narrow = narrow;
  update_header (self);
}

static void
breakpoint_apply_cb (KbWindow *self)
{
  set_narrow (self, TRUE);
}

static void
breakpoint_unapply_cb (KbWindow *self)
{
  set_narrow (self, FALSE);
}

static void
settings_changed_cb (KbWindow *self)
{
  g_assert (KB_IS_WINDOW (self));

  if (self->history != NULL)
    kb_history_page_set_absolute (
        self->history, g_settings_get_boolean (self->settings, "history-absolute-times"));
}

/* Nobody waits for the chart and the list before they are asked for. */
static void
ensure_history (KbWindow *self)
{
  if (self->history != NULL)
    return;
  self->history = KB_HISTORY_PAGE (kb_history_page_new ());
  settings_changed_cb (self);
  kb_history_page_set_monitor (self->history, self->monitor);
  adw_bin_set_child (self->history_bin, GTK_WIDGET (self->history));
}

static void
page_notify_cb (KbWindow *self)
{
  const char *page = adw_view_stack_get_visible_child_name (self->pages);

  if (self->window_title == NULL || self->switcher_bar == NULL)
    return;
  if (g_strcmp0 (page, "history") == 0)
    ensure_history (self);
  _kb_window_fill_page (self);
  update_header (self);
}

/* A home that was missing may have been made in the meantime. */
static void
is_active_notify_cb (KbWindow *self)
{
  if (!gtk_window_is_active (GTK_WINDOW (self)))
    return;
  if (self->session != NULL && kb_session_get_state (self->session) != KB_SESSION_READY)
    kb_session_reload (self->session);
  update_watching (self);
  kb_channels_page_refresh_rights (self->channels);
}

static void
kb_window_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (kb_window_parent_class)->map (widget);
  update_watching (KB_WINDOW (widget));
}

static void
kb_window_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (kb_window_parent_class)->unmap (widget);
  update_watching (KB_WINDOW (widget));
}

static void
kb_window_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch ((KbWindowProperty) id)
    {
    case PROP_MONITOR:
      g_value_set_object (value, KB_WINDOW (object)->monitor);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_window_dispose (GObject *object)
{
  KbWindow *self = KB_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  drop_monitor (self);
  if (self->session != NULL)
    g_clear_signal_handler (&self->session_handler, self->session);
  g_clear_object (&self->session);
  g_clear_object (&self->demo);
  g_clear_object (&self->ticker);
  self->history = NULL;
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_WINDOW);

  G_OBJECT_CLASS (kb_window_parent_class)->dispose (object);
}

static void
kb_window_finalize (GObject *object)
{
  KbWindow *self = KB_WINDOW (object);

  g_clear_object (&self->settings);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (kb_window_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-window.ui");
  gtk_widget_class_bind_template_child (widget_class, KbWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, profile_button);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, profile_label);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, navigation);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, title_stack);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, window_title);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, welcome);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, chooser);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, channels);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, pools);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, throttling);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, history_bin);
  gtk_widget_class_bind_template_child (widget_class, KbWindow, switcher_bar);
  gtk_widget_class_bind_template_callback (widget_class, breakpoint_apply_cb);
  gtk_widget_class_bind_template_callback (widget_class, breakpoint_unapply_cb);
  gtk_widget_class_bind_template_callback (widget_class, page_notify_cb);
}

static void
kb_window_class_init (KbWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = kb_window_get_property;
  object_class->dispose = kb_window_dispose;
  object_class->finalize = kb_window_finalize;
  widget_class->map = kb_window_map;
  widget_class->unmap = kb_window_unmap;

  properties[PROP_MONITOR]
      = g_param_spec_object ("monitor", NULL, NULL, KB_TYPE_MONITOR,
                             G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /* In the bubble phase: the text entry that has the focus takes its own text back first. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "win.undo", NULL);

  g_type_ensure (KB_TYPE_CHANNELS_PAGE);
  g_type_ensure (KB_TYPE_CHOOSER_PAGE);
  g_type_ensure (KB_TYPE_WELCOME_PAGE);
  bind_template (widget_class);
}

static void
kb_window_init (KbWindow *self)
{
  self->cancellable = g_cancellable_new ();
  self->settings = g_settings_new (KB_APPLICATION_ID);
  gtk_widget_init_template (GTK_WIDGET (self));
  _kb_window_add_actions (self);
  _kb_window_add_form_actions (self);
  g_settings_bind (self->settings, "window-width", self, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-height", self, "default-height",
                   G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (self->settings, "window-maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (self->settings, "changed::history-absolute-times",
                           G_CALLBACK (settings_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::suspended", G_CALLBACK (update_watching), NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (is_active_notify_cb), NULL);
  update_header (self);
}

GtkWidget *
kb_window_new (GtkApplication *application, KbClock *clock)
{
  KbWindow *self;

  g_return_val_if_fail (application == NULL || GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (KB_IS_CLOCK (clock), NULL);

  self = g_object_new (KB_TYPE_WINDOW, "application", application, NULL);
  self->clock = g_object_ref (clock);
  self->ticker = kb_ticker_new (clock);
  /* One menu for all windows: GTK keeps what it builds from a template's. */
  if (application != NULL)
    {
      GMenu *menu = gtk_application_get_menu_by_id (application, "primary_menu");

      gtk_menu_button_set_menu_model (self->menu_button, G_MENU_MODEL (menu));
    }
  return GTK_WIDGET (self);
}

void
kb_window_set_session (KbWindow *self, KbSession *session)
{
  g_return_if_fail (KB_IS_WINDOW (self));
  g_return_if_fail (KB_IS_SESSION (session));

  if (self->session == session)
    return;
  if (self->session != NULL)
    g_clear_signal_handler (&self->session_handler, self->session);
  g_set_object (&self->session, session);
  self->session_handler
      = g_signal_connect_swapped (session, "changed", G_CALLBACK (session_changed_cb), self);
  session_changed_cb (self);
}

void
kb_window_set_demo (KbWindow *self, KbDemo *demo)
{
  g_return_if_fail (KB_IS_WINDOW (self));
  g_return_if_fail (KB_IS_DEMO (demo));

  g_set_object (&self->demo, demo);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Koboshi (Demo)"));
  if (self->session != NULL)
    _kb_window_update_profile (self);
}

KbDemo *
kb_window_get_demo (KbWindow *self)
{
  g_return_val_if_fail (KB_IS_WINDOW (self), NULL);
  return self->demo;
}

KbEditFlow *
kb_window_get_flow (KbWindow *self)
{
  g_return_val_if_fail (KB_IS_WINDOW (self), NULL);
  return self->flow;
}

KbMonitor *
kb_window_get_monitor (KbWindow *self)
{
  g_return_val_if_fail (KB_IS_WINDOW (self), NULL);
  return self->monitor;
}

const char *
kb_window_get_view (KbWindow *self)
{
  g_return_val_if_fail (KB_IS_WINDOW (self), NULL);
  return gtk_stack_get_visible_child_name (self->stack);
}

void
kb_window_show_page (KbWindow *self, const char *page)
{
  g_return_if_fail (KB_IS_WINDOW (self));
  g_return_if_fail (page != NULL);

  if (adw_view_stack_get_child_by_name (self->pages, page) != NULL)
    adw_view_stack_set_visible_child_name (self->pages, page);
}

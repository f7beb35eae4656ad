// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-channels-page.h"

#include <glib/gi18n-lib.h>

#include "app/kb-chain-control.h"
#include "app/kb-channel-dialog.h"
#include "app/kb-channel-row.h"
#include "app/kb-gateway-control.h"
#include "app/kb-status-badge.h"
#include "client/kb-edit-home.h"
#include "client/kb-format.h"

typedef enum
{
  SECTION_CHAIN,
  SECTION_BACKUP,
  SECTION_OTHER,
  N_SECTIONS,
} Section;

struct _KbChannelsPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkImage *overall_icon;
  GtkLabel *overall_label;
  GtkLabel *last_switch;
  AdwPreferencesGroup *chain_group;
  GtkWidget *add_button;
  GtkListBox *chain_list;
  GtkWidget *backup_group;
  GtkListBox *backup_list;
  AdwActionRow *backup_row;
  GtkWidget *clear_button;
  AdwActionRow *limits_row;
  AdwActionRow *profile_row;
  AdwActionRow *gateway_row;
  GtkWidget *start_button;
  GtkWidget *other_group;
  GtkListBox *other_list;
  AdwStatusPage *empty_page;
  GtkWidget *empty_add_button;
  AdwBanner *switch_banner;

  KbMonitor *monitor; /* owned, nullable */
  KbTicker *ticker;   /* owned, nullable */
  gulong changed_handler;
  GtkFilterListModel *sections[N_SECTIONS]; /* owned, nullable */
  KbEditFlow *flow;                         /* owned, nullable: nothing can be edited without */
  KbChainControl *control;                  /* owned, nullable */
  KbGatewayControl *gateway;                /* owned, nullable */
  char *locked;                             /* owned, nullable: why the chain cannot be changed */
  gboolean narrow;
  const char *overall_class; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (KbChannelsPage, kb_channels_page, ADW_TYPE_BIN)

static GtkListBox *
get_list (KbChannelsPage *self, Section section)
{
  switch (section)
    {
    case SECTION_BACKUP:
      return self->backup_list;
    case SECTION_OTHER:
      return self->other_list;
    case SECTION_CHAIN:
    case N_SECTIONS:
    default:
      return self->chain_list;
    }
}

static gboolean
is_in_section (gpointer item, gpointer user_data)
{
  KbChannel *channel = item;
  Section section = GPOINTER_TO_INT (user_data);

  if (kb_channel_get_in_chain (channel))
    return section == SECTION_CHAIN;
  return section == (kb_channel_get_is_backup (channel) ? SECTION_BACKUP : SECTION_OTHER);
}

static KbChannelState
get_overall_look (KbOverall overall)
{
  switch (overall)
    {
    case KB_OVERALL_DOWN:
    case KB_OVERALL_OFFLINE:
      return KB_CHANNEL_STATE_DISABLED;
    case KB_OVERALL_DEGRADED:
    case KB_OVERALL_PAUSED:
      return KB_CHANNEL_STATE_COOLDOWN;
    case KB_OVERALL_HEALTHY:
      return KB_CHANNEL_STATE_HEALTHY;
    case KB_OVERALL_UNKNOWN:
    default:
      return KB_STATUS_BADGE_UNKNOWN;
    }
}

static void
update_overall (KbChannelsPage *self)
{
  g_autofree char *sentence = kb_format_overall (self->monitor);
  KbChannelState look = get_overall_look (kb_monitor_get_overall (self->monitor));
  const char *style_class = kb_status_badge_get_class (look);

  if (g_strcmp0 (sentence, gtk_label_get_label (self->overall_label)) != 0)
    gtk_label_set_label (self->overall_label, sentence);
  gtk_image_set_from_icon_name (self->overall_icon, kb_status_badge_get_icon (look));
  if (self->overall_class != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->overall_icon), self->overall_class);
  gtk_widget_add_css_class (GTK_WIDGET (self->overall_icon), style_class);
  self->overall_class = style_class;
}

static char *
describe_last_switch (KbEvent *event, gint64 now_ms)
{
  const char *reason = kb_event_get_fields (event)->reason;
  g_autofree char *sentence = kb_format_last_switch (event, now_ms);
  g_autofree char *failure = NULL;

  if (reason == NULL)
    return g_steal_pointer (&sentence);
  failure = kb_format_failure (reason);
  /* Translators: "Last switched to X at 14:02", then why, as in "Rate limited" */
  return g_strdup_printf (_ ("%1$s · %2$s"), sentence, failure);
}

static void
update_last_switch (KbChannelsPage *self)
{
  KbEvent *event = kb_monitor_get_last_switch (self->monitor);
  g_autofree char *text = kb_format_serving (self->monitor);

  if (text == NULL && event != NULL)
    text = describe_last_switch (event, kb_clock_get_now_ms (kb_monitor_get_clock (self->monitor)));
  else if (text == NULL && kb_monitor_get_log_loaded (self->monitor))
    text = g_strdup (_ ("No switch recorded yet"));
  gtk_label_set_label (self->last_switch, text != NULL ? text : "");
}

static void
update_gateway (KbChannelsPage *self)
{
  KbGatewayLink link = kb_source_gateway_get_link (kb_monitor_get_gateway (self->monitor));
  g_autofree char *text = kb_format_gateway (self->monitor);
  gboolean is_absent = link == KB_GATEWAY_LINK_ABSENT;

  adw_action_row_set_subtitle (self->gateway_row, text);
  gtk_widget_set_visible (self->start_button, is_absent);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "gateway.start", is_absent);
}

static char *
describe_limits (const KbChainPolicy *policy)
{
  g_autofree char *cooldown = NULL;

  if (policy->limits.cooldown_ms % 60000 == 0)
    {
      int minutes = (int) MIN (policy->limits.cooldown_ms / 60000, G_MAXINT);

      cooldown = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%d minute", "%d minutes", (gulong) minutes), minutes);
    }
  else
    cooldown
        = g_strdup_printf (C_ ("seconds", "%g s"), (double) policy->limits.cooldown_ms / 1000.0);
  /* Translators: %2$s is a duration such as "30 s" or "2 minutes" */
  return g_strdup_printf (_ ("Failures in a row before a cooldown: %1$d\n"
                             "Cooldown: %2$s\n"
                             "Switches in one session at most: %3$d"),
                          (int) MIN (policy->limits.failure_budget, G_MAXINT), cooldown,
                          (int) MIN (policy->give_up_budget, G_MAXINT));
}

static char *
describe_backup (const KbDarumaConfig *config)
{
  if (config->backup == NULL)
    return g_strdup (_ ("None, the chain is tried in order"));
  if (config->backup->model[0] == '\0')
    return g_strdup (config->backup->provider);
  /* Translators: a model and its provider */
  return g_strdup_printf (_ ("%1$s from %2$s"), config->backup->model, config->backup->provider);
}

static void
update_rules (KbChannelsPage *self)
{
  KbProfile *view = kb_monitor_get_view (self->monitor);
  const KbDarumaConfig *config;
  g_autofree char *limits = NULL;
  g_autofree char *backup = NULL;

  if (view == NULL)
    return;
  config = kb_profile_get_daruma (view);
  limits = describe_limits (&config->policy);
  backup = describe_backup (config);
  adw_action_row_set_subtitle (self->limits_row, limits);
  adw_action_row_set_subtitle (self->backup_row, backup);
  adw_action_row_set_subtitle (self->profile_row, kb_profile_get_dir (view));
}

static gboolean
has_error (const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    if (((const KbProblem *) g_ptr_array_index (problems, i))->severity == KB_SEVERITY_ERROR)
      return TRUE;
  return FALSE;
}

static const char *
get_empty_description (KbChannelsPage *self)
{
  KbProfile *view = kb_monitor_get_view (self->monitor);
  const KbDarumaConfig *config = view != NULL ? kb_profile_get_daruma (view) : NULL;

  if (has_error (kb_monitor_get_problems (self->monitor)))
    return _ ("The configuration of this profile cannot be used as it is. The problems say what "
              "to correct, and where.");
  if (config != NULL && config->disabled)
    return _ ("The dsh-daruma row of this profile is switched off. Its channels are used once it "
              "is switched on.");
  if (config != NULL && config->configured)
    return _ ("The failover chain of this profile is empty. Add the models to switch between, the "
              "preferred one first.");
  return _ ("This profile has no failover chain yet. Add the models to switch between, the "
            "preferred one first; what else is needed is set up along with it.");
}

/* Nothing is added to what cannot be read, nor to a chain that would not be used. */
static gboolean
can_add (KbChannelsPage *self)
{
  KbProfile *view = self->monitor != NULL ? kb_monitor_get_view (self->monitor) : NULL;

  return self->control != NULL && view != NULL && self->locked == NULL
         && !kb_profile_get_daruma (view)->disabled
         && (kb_monitor_count_chain (self->monitor) > 0
             || !has_error (kb_monitor_get_problems (self->monitor)));
}

static gboolean
is_off (KbChannelsPage *self)
{
  KbProfile *view = self->monitor != NULL ? kb_monitor_get_view (self->monitor) : NULL;

  return view != NULL && kb_profile_get_daruma (view)->disabled;
}

static gboolean
can_switch_on (KbChannelsPage *self)
{
  return self->control != NULL && self->locked == NULL && is_off (self);
}

static void
update_rows (KbChannelsPage *self)
{
  guint n_chain = self->control != NULL ? kb_monitor_count_chain (self->monitor) : 0;

  for (guint i = 0; i < N_SECTIONS; i++)
    {
      GtkListBox *list = get_list (self, (Section) i);
      GtkListBoxRow *row;

      for (int j = 0; (row = gtk_list_box_get_row_at_index (list, j)) != NULL; j++)
        if (KB_IS_CHANNEL_ROW (row))
          kb_channel_row_set_editing (KB_CHANNEL_ROW (row), n_chain, self->locked);
    }
}

static void
update_editing (KbChannelsPage *self)
{
  KbProfile *view = kb_monitor_get_view (self->monitor);
  gboolean editable = self->control != NULL && view != NULL;
  gboolean has_backup = editable && kb_profile_get_daruma (view)->backup != NULL;

  g_free (self->locked);
  self->locked = editable ? kb_edit_home_explain_locked (view) : NULL;
  adw_preferences_group_set_description (
      self->chain_group, self->locked != NULL
                             ? self->locked
                             : _ ("Tried in this order. A change restarts the plugin in a running "
                                  "host."));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chain.add", can_add (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chain.choose-backup", editable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chain.clear-backup", has_backup);
  gtk_widget_set_visible (self->add_button, self->control != NULL);
  gtk_widget_set_tooltip_text (self->add_button,
                               self->locked != NULL ? self->locked : _ ("Add Channel"));
  gtk_widget_set_visible (self->empty_add_button, can_add (self));
  adw_banner_set_revealed (self->switch_banner, is_off (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chain.switch-on", can_switch_on (self));
  gtk_widget_set_visible (self->clear_button, has_backup);
  update_rows (self);
}

static void
update_visibility (KbChannelsPage *self)
{
  guint n_channels = g_list_model_get_n_items (kb_monitor_get_channels (self->monitor));
  gboolean empty = kb_monitor_count_chain (self->monitor) == 0;

  for (guint i = 0; i < N_SECTIONS; i++)
    gtk_filter_changed (gtk_filter_list_model_get_filter (self->sections[i]),
                        GTK_FILTER_CHANGE_DIFFERENT);
  gtk_widget_set_visible (self->backup_group,
                          g_list_model_get_n_items (G_LIST_MODEL (self->sections[SECTION_BACKUP]))
                              > 0);
  gtk_widget_set_visible (self->other_group,
                          g_list_model_get_n_items (G_LIST_MODEL (self->sections[SECTION_OTHER]))
                              > 0);
  adw_status_page_set_description (self->empty_page, get_empty_description (self));
  /* Not visible, it costs the first frame nothing where there are channels. */
  gtk_widget_set_visible (GTK_WIDGET (self->empty_page), empty);
  gtk_stack_set_visible_child_name (self->stack, empty ? "empty" : "channels");
  g_debug ("%u channels", n_channels);
}

static void
monitor_changed_cb (KbChannelsPage *self)
{
  g_assert (KB_IS_CHANNELS_PAGE (self));

  update_overall (self);
  update_last_switch (self);
  update_gateway (self);
  update_rules (self);
  update_visibility (self);
  update_editing (self);
}

static void
row_elapsed_cb (KbChannelsPage *self)
{
  g_assert (KB_IS_CHANNELS_PAGE (self));

  if (self->monitor != NULL)
    kb_monitor_reread_clock (self->monitor);
}

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  KbChannelsPage *self = KB_CHANNELS_PAGE (user_data);
  GtkWidget *row = kb_channel_row_new (self->ticker);

  kb_channel_row_set_channel (KB_CHANNEL_ROW (row), KB_CHANNEL (item));
  kb_channel_row_set_narrow (KB_CHANNEL_ROW (row), self->narrow);
  if (self->control != NULL)
    kb_chain_control_take_row (self->control, KB_CHANNEL_ROW (row));
  kb_gateway_control_take_row (self->gateway, KB_CHANNEL_ROW (row));
  g_signal_connect_object (row, "elapsed", G_CALLBACK (row_elapsed_cb), self, G_CONNECT_SWAPPED);
  return row;
}

static void
set_narrow (KbChannelsPage *self, gboolean narrow)
{
  self->narrow = narrow;
  for (guint i = 0; i < N_SECTIONS; i++)
    {
      GtkListBox *list = get_list (self, (Section) i);
      GtkListBoxRow *row;

      for (int j = 0; (row = gtk_list_box_get_row_at_index (list, j)) != NULL; j++)
        if (KB_IS_CHANNEL_ROW (row))
          kb_channel_row_set_narrow (KB_CHANNEL_ROW (row), narrow);
    }
}

static void
breakpoint_apply_cb (KbChannelsPage *self)
{
  set_narrow (self, TRUE);
}

static void
breakpoint_unapply_cb (KbChannelsPage *self)
{
  set_narrow (self, FALSE);
}

static void
add_chosen_cb (KbChannelsPage *self, KbChannelRef *channel)
{
  g_assert (KB_IS_CHANNELS_PAGE (self));
  if (self->control != NULL)
    kb_chain_control_add (self->control, channel);
}

static void
backup_chosen_cb (KbChannelsPage *self, KbChannelRef *channel)
{
  g_assert (KB_IS_CHANNELS_PAGE (self));
  if (self->control != NULL)
    kb_chain_control_set_backup (self->control, channel);
}

static void
start_gateway_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  KbChannelsPage *self = KB_CHANNELS_PAGE (widget);

  if (self->gateway != NULL)
    kb_gateway_control_start (self->gateway);
}

static gboolean
has_dialog (KbChannelsPage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return ADW_IS_APPLICATION_WINDOW (root)
         && adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (root)) != NULL;
}

static void
choose_channel (KbChannelsPage *self, KbChannelDialogPurpose purpose, GCallback chosen_cb)
{
  KbProfile *view = self->monitor != NULL ? kb_monitor_get_view (self->monitor) : NULL;
  g_autoptr (KbSnapshot) files = NULL;
  AdwDialog *dialog;

  /* Asked for by a key, while another question is open. */
  if (view == NULL || self->flow == NULL || has_dialog (self))
    return;
  files = kb_editor_load (kb_edit_flow_get_editor (self->flow), NULL);
  dialog = kb_channel_dialog_new (view, files, purpose);
  g_signal_connect_object (dialog, "chosen", chosen_cb, self, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
add_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  choose_channel (KB_CHANNELS_PAGE (widget), KB_CHANNEL_DIALOG_ADD, G_CALLBACK (add_chosen_cb));
}

static void
choose_backup_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  choose_channel (KB_CHANNELS_PAGE (widget), KB_CHANNEL_DIALOG_BACKUP,
                  G_CALLBACK (backup_chosen_cb));
}

static void
clear_backup_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  KbChannelsPage *self = KB_CHANNELS_PAGE (widget);

  if (self->control != NULL)
    kb_chain_control_clear_backup (self->control);
}

static void
switch_on_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  KbChannelsPage *self = KB_CHANNELS_PAGE (widget);

  if (self->control != NULL)
    kb_chain_control_switch_on (self->control);
}

static void
release_monitor (KbChannelsPage *self)
{
  for (guint i = 0; i < N_SECTIONS; i++)
    {
      GtkListBox *list = get_list (self, (Section) i);

      if (list != NULL)
        gtk_list_box_bind_model (list, NULL, NULL, NULL, NULL);
      g_clear_object (&self->sections[i]);
    }
  if (self->monitor != NULL)
    g_clear_signal_handler (&self->changed_handler, self->monitor);
  g_clear_object (&self->control);
  g_clear_object (&self->gateway);
  g_clear_object (&self->flow);
  g_clear_pointer (&self->locked, g_free);
  g_clear_object (&self->monitor);
  g_clear_object (&self->ticker);
}

static void
kb_channels_page_dispose (GObject *object)
{
  KbChannelsPage *self = KB_CHANNELS_PAGE (object);

  release_monitor (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_CHANNELS_PAGE);

  G_OBJECT_CLASS (kb_channels_page_parent_class)->dispose (object);
}

static void
kb_channels_page_class_init (KbChannelsPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_channels_page_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-channels-page.ui");
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, stack);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, overall_icon);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, overall_label);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, last_switch);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, chain_group);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, add_button);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, chain_list);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, backup_group);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, backup_list);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, backup_row);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, clear_button);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, limits_row);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, profile_row);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, gateway_row);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, start_button);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, other_group);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, other_list);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, empty_page);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, empty_add_button);
  gtk_widget_class_bind_template_child (widget_class, KbChannelsPage, switch_banner);
  gtk_widget_class_bind_template_callback (widget_class, breakpoint_apply_cb);
  gtk_widget_class_bind_template_callback (widget_class, breakpoint_unapply_cb);
  gtk_widget_class_install_action (widget_class, "chain.add", NULL, add_cb);
  gtk_widget_class_install_action (widget_class, "chain.choose-backup", NULL, choose_backup_cb);
  gtk_widget_class_install_action (widget_class, "chain.clear-backup", NULL, clear_backup_cb);
  gtk_widget_class_install_action (widget_class, "chain.switch-on", NULL, switch_on_cb);
  gtk_widget_class_install_action (widget_class, "gateway.start", NULL, start_gateway_cb);
}

static void
kb_channels_page_init (KbChannelsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
kb_channels_page_new (void)
{
  return g_object_new (KB_TYPE_CHANNELS_PAGE, NULL);
}

static void
bind_section (KbChannelsPage *self, Section section)
{
  GListModel *channels = kb_monitor_get_channels (self->monitor);
  GtkCustomFilter *filter = gtk_custom_filter_new (is_in_section, GINT_TO_POINTER (section), NULL);

  self->sections[section]
      = gtk_filter_list_model_new (g_object_ref (channels), GTK_FILTER (filter));
  gtk_list_box_bind_model (get_list (self, section), G_LIST_MODEL (self->sections[section]),
                           create_row, self, NULL);
}

void
kb_channels_page_set_monitor (KbChannelsPage *self,
                              KbMonitor *monitor,
                              KbTicker *ticker,
                              KbEditFlow *flow)
{
  g_return_if_fail (KB_IS_CHANNELS_PAGE (self));
  g_return_if_fail (monitor == NULL || (KB_IS_MONITOR (monitor) && KB_IS_TICKER (ticker)));
  g_return_if_fail (flow == NULL || KB_IS_EDIT_FLOW (flow));

  if (self->monitor == monitor)
    return;
  release_monitor (self);
  if (monitor == NULL)
    return;
  self->monitor = g_object_ref (monitor);
  self->ticker = g_object_ref (ticker);
  self->gateway = kb_gateway_control_new (GTK_WIDGET (self), monitor);
  if (flow != NULL)
    {
      self->flow = g_object_ref (flow);
      self->control = kb_chain_control_new (self->chain_list, monitor, flow);
    }
  for (guint i = 0; i < N_SECTIONS; i++)
    bind_section (self, (Section) i);
  self->changed_handler
      = g_signal_connect_swapped (monitor, "changed", G_CALLBACK (monitor_changed_cb), self);
  monitor_changed_cb (self);
}

const char *
kb_channels_page_get_view (KbChannelsPage *self)
{
  g_return_val_if_fail (KB_IS_CHANNELS_PAGE (self), NULL);
  return gtk_stack_get_visible_child_name (self->stack);
}

void
kb_channels_page_refresh_rights (KbChannelsPage *self)
{
  g_return_if_fail (KB_IS_CHANNELS_PAGE (self));
  if (self->monitor != NULL)
    update_editing (self);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-history-page.h"

#include <glib/gi18n-lib.h>

#include "app/kb-choices.h"
#include "app/kb-history-filter.h"
#include "app/kb-history-row.h"
#include "app/kb-timeline-chart.h"
#include "client/kb-format.h"

struct _KbHistoryPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkStack *results;
  KbTimelineChart *chart;
  GtkToggleButton *hour_button;
  GtkToggleButton *day_button;
  GtkToggleButton *week_button;
  GtkEditable *search;
  GtkToggleButton *filter_toggle;
  GtkRevealer *revealer;
  GtkDropDown *kind;
  GtkDropDown *channel;
  GtkDropDown *reason;
  GtkListView *list;

  KbMonitor *monitor; /* owned, nullable */
  gulong changed_handler;
  gulong items_handler;
  KbHistoryFilter *filter;   /* owned */
  GtkFilterListModel *shown; /* owned, nullable */
  gulong shown_handler;
  KbChoices *channels; /* owned */
  KbChoices *reasons;  /* owned */
  GPtrArray *rows;     /* owned: borrowed KbHistoryRow bound to an entry */
  gboolean absolute;
};

G_DEFINE_FINAL_TYPE (KbHistoryPage, kb_history_page, ADW_TYPE_BIN)

/* The kinds of the drop-down, in its order. */
static const int kinds[] = {
  KB_HISTORY_KIND_ANY, KB_EVENT_FAILOVER, KB_EVENT_GIVE_UP, KB_EVENT_BOOT, KB_EVENT_GAP,
};

static gint64
get_now_ms (KbHistoryPage *self)
{
  return self->monitor != NULL ? kb_clock_get_now_ms (kb_monitor_get_clock (self->monitor)) : 0;
}

static void
update_view (KbHistoryPage *self)
{
  gboolean some;

  if (self->monitor == NULL)
    return;
  some = g_list_model_get_n_items (G_LIST_MODEL (kb_monitor_get_history (self->monitor))) > 0;
  if (some)
    gtk_stack_set_visible_child_name (self->stack, "history");
  else
    gtk_stack_set_visible_child_name (
        self->stack, kb_monitor_get_log_loaded (self->monitor) ? "empty" : "loading");
  /* A filter that is still at work has not found nothing yet. */
  gtk_stack_set_visible_child_name (self->results,
                                    g_list_model_get_n_items (G_LIST_MODEL (self->shown)) == 0
                                            && gtk_filter_list_model_get_pending (self->shown) == 0
                                        ? "no-match"
                                        : "list");
}

static void
add_channel (KbHistoryPage *self, const char *id)
{
  if (id != NULL && id[0] != '\0')
    kb_choices_add (self->channels, id, id);
}

static void
add_reason (KbHistoryPage *self, const char *reason)
{
  g_autofree char *label = NULL;

  if (reason == NULL || reason[0] == '\0' || kb_choices_contains (self->reasons, reason))
    return;
  label = kb_format_failure (reason);
  kb_choices_add (self->reasons, reason, label);
}

static void
learn_choices (KbHistoryPage *self, guint position, guint n_items)
{
  GListModel *history = G_LIST_MODEL (kb_monitor_get_history (self->monitor));

  for (guint i = position; i < position + n_items; i++)
    {
      g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (history, i);
      const KbEventFields *fields = kb_history_entry_get_fields (entry);

      add_channel (self, fields->from);
      add_channel (self, fields->to);
      add_reason (self, fields->reason);
    }
}

static void
history_items_changed_cb (KbHistoryPage *self, guint position, guint removed, guint added)
{
  g_assert (KB_IS_HISTORY_PAGE (self));

  learn_choices (self, position, added);
  kb_timeline_chart_refresh (self->chart);
  update_view (self);
}

static void
monitor_changed_cb (KbHistoryPage *self)
{
  g_assert (KB_IS_HISTORY_PAGE (self));

  update_view (self);
  kb_history_page_refresh_times (self);
}

static void
shown_notify_cb (KbHistoryPage *self)
{
  g_assert (KB_IS_HISTORY_PAGE (self));
  update_view (self);
}

static void
search_changed_cb (KbHistoryPage *self)
{
  kb_history_filter_set_text (self->filter, gtk_editable_get_text (self->search));
}

static void
stop_search_cb (KbHistoryPage *self)
{
  gtk_editable_set_text (self->search, "");
}

static void
filter_selected_cb (KbHistoryPage *self)
{
  guint kind = gtk_drop_down_get_selected (self->kind);

  if (kind < G_N_ELEMENTS (kinds))
    kb_history_filter_set_kind (self->filter, kinds[kind]);
  kb_history_filter_set_channel (
      self->filter,
      kb_choices_get_value (self->channels, gtk_drop_down_get_selected (self->channel)));
  kb_history_filter_set_reason (
      self->filter,
      kb_choices_get_value (self->reasons, gtk_drop_down_get_selected (self->reason)));
}

static void
span_toggled_cb (KbHistoryPage *self)
{
  if (gtk_toggle_button_get_active (self->hour_button))
    kb_timeline_chart_set_span (self->chart, KB_TIMELINE_HOUR);
  else if (gtk_toggle_button_get_active (self->week_button))
    kb_timeline_chart_set_span (self->chart, KB_TIMELINE_WEEK);
  else if (gtk_toggle_button_get_active (self->day_button))
    kb_timeline_chart_set_span (self->chart, KB_TIMELINE_DAY);
}

static void
filter_toggled_cb (KbHistoryPage *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->filter_toggle)))
    gtk_revealer_set_reveal_child (self->revealer,
                                   gtk_toggle_button_get_active (self->filter_toggle));
}

/* Filters that are set stay in sight when the page gets narrow. */
static void
breakpoint_apply_cb (KbHistoryPage *self)
{
  gboolean set = gtk_drop_down_get_selected (self->kind) != 0
                 || gtk_drop_down_get_selected (self->channel) != 0
                 || gtk_drop_down_get_selected (self->reason) != 0;

  gtk_toggle_button_set_active (self->filter_toggle, set);
  gtk_revealer_set_reveal_child (self->revealer, set);
}

static void
breakpoint_unapply_cb (KbHistoryPage *self)
{
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
}

static void
clear_clicked_cb (KbHistoryPage *self)
{
  kb_history_page_clear_filters (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
motion_enter_cb (KbHistoryPage *self)
{
  kb_history_page_refresh_times (self);
}

static void
factory_setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, KbHistoryPage *self)
{
  gtk_list_item_set_child (item, kb_history_row_new ());
  gtk_list_item_set_activatable (item, FALSE);
}

static void
factory_bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, KbHistoryPage *self)
{
  KbHistoryRow *row = KB_HISTORY_ROW (gtk_list_item_get_child (item));
  KbHistoryEntry *entry = KB_HISTORY_ENTRY (gtk_list_item_get_item (item));
  gint64 now_ms = get_now_ms (self);
  g_autofree char *spoken = kb_history_row_describe (entry, now_ms);

  kb_history_row_set_entry (row, entry);
  kb_history_row_set_times (row, now_ms, self->absolute);
  gtk_list_item_set_accessible_label (item, spoken);
  g_ptr_array_add (self->rows, row);
}

static void
factory_unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, KbHistoryPage *self)
{
  KbHistoryRow *row = KB_HISTORY_ROW (gtk_list_item_get_child (item));

  g_ptr_array_remove_fast (self->rows, row);
  kb_history_row_set_entry (row, NULL);
}

/* Names of channels are long: the button and its list shorten them in the middle. */
static void
choice_setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "xalign",
                                   0.0, "max-width-chars", 24, NULL);

  gtk_list_item_set_child (item, label);
}

static void
choice_bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *choice = GTK_STRING_OBJECT (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_label (GTK_LABEL (label), gtk_string_object_get_string (choice));
  gtk_widget_set_tooltip_text (label, gtk_string_object_get_string (choice));
}

static void
set_choices (GtkDropDown *drop_down, KbChoices *choices)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (choice_setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (choice_bind_cb), NULL);
  gtk_drop_down_set_factory (drop_down, factory);
  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (choices));
}

static void
create_factory (KbHistoryPage *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect_object (factory, "setup", G_CALLBACK (factory_setup_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (factory_bind_cb), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (factory_unbind_cb), self, 0);
  gtk_list_view_set_factory (self->list, factory);
}

static void
release_monitor (KbHistoryPage *self)
{
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  if (self->chart != NULL)
    kb_timeline_chart_set_history (self->chart, NULL, NULL);
  if (self->shown != NULL)
    g_clear_signal_handler (&self->shown_handler, self->shown);
  g_clear_object (&self->shown);
  if (self->monitor != NULL)
    {
      g_clear_signal_handler (&self->changed_handler, self->monitor);
      g_clear_signal_handler (&self->items_handler, kb_monitor_get_history (self->monitor));
    }
  g_clear_object (&self->monitor);
}

static void
kb_history_page_map (GtkWidget *widget)
{
  kb_history_page_refresh_times (KB_HISTORY_PAGE (widget));
  GTK_WIDGET_CLASS (kb_history_page_parent_class)->map (widget);
}

static void
kb_history_page_dispose (GObject *object)
{
  KbHistoryPage *self = KB_HISTORY_PAGE (object);

  release_monitor (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_HISTORY_PAGE);
  g_clear_object (&self->filter);
  g_clear_object (&self->channels);
  g_clear_object (&self->reasons);

  G_OBJECT_CLASS (kb_history_page_parent_class)->dispose (object);
}

static void
kb_history_page_finalize (GObject *object)
{
  KbHistoryPage *self = KB_HISTORY_PAGE (object);

  g_ptr_array_unref (self->rows);

  G_OBJECT_CLASS (kb_history_page_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-history-page.ui");
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, stack);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, results);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, chart);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, hour_button);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, day_button);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, week_button);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, search);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, filter_toggle);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, revealer);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, kind);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, channel);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, reason);
  gtk_widget_class_bind_template_child (widget_class, KbHistoryPage, list);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, span_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, breakpoint_apply_cb);
  gtk_widget_class_bind_template_callback (widget_class, breakpoint_unapply_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, motion_enter_cb);
}

static void
kb_history_page_class_init (KbHistoryPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_history_page_dispose;
  object_class->finalize = kb_history_page_finalize;
  widget_class->map = kb_history_page_map;

  g_type_ensure (KB_TYPE_TIMELINE_CHART);
  bind_template (widget_class);
}

static void
kb_history_page_init (KbHistoryPage *self)
{
  self->rows = g_ptr_array_new ();
  self->filter = kb_history_filter_new ();
  self->channels = kb_choices_new (_ ("All Channels"));
  self->reasons = kb_choices_new (_ ("All Reasons"));
  gtk_widget_init_template (GTK_WIDGET (self));
  set_choices (self->channel, self->channels);
  set_choices (self->reason, self->reasons);
  create_factory (self);
}

GtkWidget *
kb_history_page_new (void)
{
  return g_object_new (KB_TYPE_HISTORY_PAGE, NULL);
}

static void
show_history (KbHistoryPage *self)
{
  KbHistory *history = kb_monitor_get_history (self->monitor);
  g_autoptr (GtkNoSelection) selection = NULL;

  self->shown = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (history)),
                                           GTK_FILTER (g_object_ref (self->filter)));
  gtk_filter_list_model_set_incremental (self->shown, TRUE);
  self->shown_handler
      = g_signal_connect_swapped (self->shown, "notify", G_CALLBACK (shown_notify_cb), self);
  selection = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->shown)));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
  kb_timeline_chart_set_history (self->chart, history, kb_monitor_get_clock (self->monitor));
  learn_choices (self, 0, g_list_model_get_n_items (G_LIST_MODEL (history)));
}

void
kb_history_page_set_monitor (KbHistoryPage *self, KbMonitor *monitor)
{
  g_return_if_fail (KB_IS_HISTORY_PAGE (self));
  g_return_if_fail (monitor == NULL || KB_IS_MONITOR (monitor));

  if (self->monitor == monitor)
    return;
  release_monitor (self);
  kb_history_page_clear_filters (self);
  kb_choices_clear (self->channels);
  kb_choices_clear (self->reasons);
  if (monitor == NULL)
    return;
  self->monitor = g_object_ref (monitor);
  show_history (self);
  self->items_handler = g_signal_connect_swapped (kb_monitor_get_history (monitor), "items-changed",
                                                  G_CALLBACK (history_items_changed_cb), self);
  self->changed_handler
      = g_signal_connect_swapped (monitor, "changed", G_CALLBACK (monitor_changed_cb), self);
  update_view (self);
}

void
kb_history_page_set_absolute (KbHistoryPage *self, gboolean absolute)
{
  g_return_if_fail (KB_IS_HISTORY_PAGE (self));

  if (self->absolute == absolute)
    return;
  self->absolute = absolute;
  kb_history_page_refresh_times (self);
}

/* No timer keeps "3 minutes ago" right: it is set right whenever somebody looks anew. */
void
kb_history_page_refresh_times (KbHistoryPage *self)
{
  gint64 now_ms;

  g_return_if_fail (KB_IS_HISTORY_PAGE (self));

  now_ms = get_now_ms (self);
  for (guint i = 0; i < self->rows->len; i++)
    kb_history_row_set_times (g_ptr_array_index (self->rows, i), now_ms, self->absolute);
}

void
kb_history_page_start_search (KbHistoryPage *self, const char *text)
{
  g_return_if_fail (KB_IS_HISTORY_PAGE (self));

  if (text != NULL)
    {
      gtk_editable_set_text (self->search, text);
      kb_history_filter_set_text (self->filter, text);
    }
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

void
kb_history_page_set_kind (KbHistoryPage *self, int kind)
{
  g_return_if_fail (KB_IS_HISTORY_PAGE (self));

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i] == kind)
      gtk_drop_down_set_selected (self->kind, i);
}

static gboolean
select_choice (GtkDropDown *drop_down, KbChoices *choices, const char *value)
{
  guint position = kb_choices_find (choices, value);

  if (position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  gtk_drop_down_set_selected (drop_down, position);
  return TRUE;
}

gboolean
kb_history_page_set_channel (KbHistoryPage *self, const char *channel_id)
{
  g_return_val_if_fail (KB_IS_HISTORY_PAGE (self), FALSE);
  return select_choice (self->channel, self->channels, channel_id);
}

gboolean
kb_history_page_set_reason (KbHistoryPage *self, const char *reason)
{
  g_return_val_if_fail (KB_IS_HISTORY_PAGE (self), FALSE);
  return select_choice (self->reason, self->reasons, reason);
}

void
kb_history_page_clear_filters (KbHistoryPage *self)
{
  g_return_if_fail (KB_IS_HISTORY_PAGE (self));

  gtk_editable_set_text (self->search, "");
  kb_history_filter_set_text (self->filter, NULL);
  gtk_drop_down_set_selected (self->kind, 0);
  gtk_drop_down_set_selected (self->channel, 0);
  gtk_drop_down_set_selected (self->reason, 0);
}

GListModel *
kb_history_page_get_shown (KbHistoryPage *self)
{
  g_return_val_if_fail (KB_IS_HISTORY_PAGE (self), NULL);
  return self->shown != NULL ? G_LIST_MODEL (self->shown) : NULL;
}

const char *
kb_history_page_get_view (KbHistoryPage *self)
{
  const char *view;

  g_return_val_if_fail (KB_IS_HISTORY_PAGE (self), NULL);

  view = gtk_stack_get_visible_child_name (self->stack);
  return g_strcmp0 (view, "history") == 0 ? gtk_stack_get_visible_child_name (self->results) : view;
}

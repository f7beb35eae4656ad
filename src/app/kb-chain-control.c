// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-chain-control.h"

#include <glib/gi18n-lib.h>

#include "client/kb-chain-changes.h"

struct _KbChainControl
{
  GObject parent_instance;

  GtkListBox *list;         /* weak, nullable */
  KbMonitor *monitor;       /* owned */
  KbEditFlow *flow;         /* owned */
  GtkEventController *drop; /* weak, nullable: of the list */
  GtkWidget *marked;        /* weak, nullable: the row beside which a drag would end */
  gboolean marked_after;
};

G_DEFINE_FINAL_TYPE (KbChainControl, kb_chain_control, G_TYPE_OBJECT)

/* What is left to do when a save has ended. */
typedef struct
{
  KbChainControl *control; /* owned */
  char *id;                /* owned: the channel it is about */
  int index;               /* of its row, -1 = it had none */
  gboolean focus;          /* its row had the focus */
  gboolean place;          /* say where it stands then */
} Errand;

static void
errand_free (Errand *errand)
{
  g_object_unref (errand->control);
  g_free (errand->id);
  g_free (errand);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Errand, errand_free)

static KbChannelRow *
find_row (KbChainControl *self, const char *id)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (KB_IS_CHANNEL_ROW (row)
        && g_str_equal (kb_channel_get_id (kb_channel_row_get_channel (KB_CHANNEL_ROW (row))), id))
      return KB_CHANNEL_ROW (row);
  return NULL;
}

static void
announce_place (KbChainControl *self, KbChannel *channel)
{
  const char *model = kb_channel_get_model (channel);
  guint n_chain = kb_monitor_count_chain (self->monitor);
  guint position = kb_channel_get_position (channel);
  g_autofree char *sentence = NULL;

  if (position == 0)
    return;
  /* Translators: a model, its position, the number of channels; read aloud after a move */
  sentence = g_strdup_printf (_ ("%1$s, position %2$u of %3$u"),
                              *model != '\0' ? model : kb_channel_get_provider (channel), position,
                              n_chain);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "win.announce", "s", sentence);
}

/* The row that took the place of one that is gone. */
static GtkWidget *
find_neighbour (KbChainControl *self, int index)
{
  GtkListBoxRow *row = NULL;

  if (self->list == NULL || index < 0)
    return NULL;
  row = gtk_list_box_get_row_at_index (self->list, index);
  if (row == NULL && index > 0)
    row = gtk_list_box_get_row_at_index (self->list, index - 1);
  return row != NULL ? GTK_WIDGET (row) : NULL;
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  KbChainControl *self = errand->control;
  gboolean saved = kb_edit_flow_save_finish (KB_EDIT_FLOW (source), result);
  KbChannelRow *row = self->list != NULL ? find_row (self, errand->id) : NULL;
  GtkWidget *focus = row != NULL ? GTK_WIDGET (row) : find_neighbour (self, errand->index);

  if (!saved)
    return;
  if (errand->focus && focus != NULL)
    gtk_widget_grab_focus (focus);
  if (errand->place && row != NULL)
    announce_place (self, kb_channel_row_get_channel (row));
}

static gboolean
has_focus (KbChainControl *self, GtkWidget *row)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->list));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return row != NULL && focus != NULL && (focus == row || gtk_widget_is_ancestor (focus, row));
}

static void
save (KbChainControl *self, KbChanges *changes, const char *id, gboolean focus, gboolean place)
{
  g_autoptr (KbChanges) owned = changes;
  KbChannelRow *row = find_row (self, id);
  Errand *errand = g_new0 (Errand, 1);

  errand->control = g_object_ref (self);
  errand->id = g_strdup (id);
  errand->index = row != NULL ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) : -1;
  errand->focus = focus;
  errand->place = place;
  kb_edit_flow_save_async (self->flow, GTK_WIDGET (self->list), owned, saved_cb, errand);
}

static void
copy_name (KbChainControl *self, const char *id)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->list)), id);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "win.toast", "s",
                              _ ("Copied to the clipboard"));
}

static KbChanges *
plan (KbChannelAct act, const KbChannelRef *channel)
{
  switch (act)
    {
    case KB_CHANNEL_MOVE_UP:
      return kb_chain_changes_move_by (channel, -1);
    case KB_CHANNEL_MOVE_DOWN:
      return kb_chain_changes_move_by (channel, 1);
    case KB_CHANNEL_MOVE_TO_TOP:
      return kb_chain_changes_move_to_top (channel);
    case KB_CHANNEL_ADD:
      return kb_chain_changes_add (channel);
    case KB_CHANNEL_REMOVE:
      return kb_chain_changes_remove (channel);
    case KB_CHANNEL_SET_BACKUP:
      return kb_chain_changes_set_backup (channel);
    case KB_CHANNEL_CLEAR_BACKUP:
      return kb_chain_changes_clear_backup ();
    case KB_CHANNEL_COPY:
    case KB_CHANNEL_ENABLE:
    case KB_CHANNEL_DISABLE:
    case KB_CHANNEL_RETRY:
    case KB_CHANNEL_TEST:
    case KB_CHANNEL_PIN:
    case KB_CHANNEL_UNPIN:
    default:
      g_return_val_if_reached (NULL);
    }
}

static KbChannelRef *
make_ref (KbChannel *channel)
{
  return kb_channel_ref_new (kb_channel_get_provider (channel), kb_channel_get_model (channel));
}

static gboolean
is_move (KbChannelAct act)
{
  return act == KB_CHANNEL_MOVE_UP || act == KB_CHANNEL_MOVE_DOWN || act == KB_CHANNEL_MOVE_TO_TOP
         || act == KB_CHANNEL_ADD;
}

static void
row_act_cb (KbChainControl *self, int act, KbChannelRow *row)
{
  KbChannel *channel = kb_channel_row_get_channel (row);
  g_autoptr (KbChannelRef) ref = NULL;

  g_assert (KB_IS_CHAIN_CONTROL (self));

  if (self->list == NULL || channel == NULL || act >= KB_CHANNEL_ENABLE)
    return;
  if (act == KB_CHANNEL_COPY)
    {
      copy_name (self, kb_channel_get_id (channel));
      return;
    }
  ref = make_ref (channel);
  save (self, plan ((KbChannelAct) act, ref), ref->id, has_focus (self, GTK_WIDGET (row)),
        is_move ((KbChannelAct) act));
}

static void
unmark (KbChainControl *self)
{
  if (self->marked == NULL)
    return;
  gtk_widget_remove_css_class (self->marked, "drop-before");
  gtk_widget_remove_css_class (self->marked, "drop-after");
  g_clear_weak_pointer (&self->marked);
}

/* A line shows where the dragged channel would go: before or behind the row at @y. */
static GtkWidget *
mark (KbChainControl *self, double y)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (self->list, (int) y);
  graphene_rect_t bounds;
  gboolean after;

  unmark (self);
  /* An entry that only the host can read has no name by which to say "beside it". */
  if (row == NULL || kb_channel_get_expression (kb_channel_row_get_channel (KB_CHANNEL_ROW (row)))
      || !gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->list), &bounds))
    return NULL;
  after = y > bounds.origin.y + bounds.size.height / 2;
  g_set_weak_pointer (&self->marked, GTK_WIDGET (row));
  self->marked_after = after;
  gtk_widget_add_css_class (self->marked, after ? "drop-after" : "drop-before");
  return self->marked;
}

static gboolean
is_ours (KbChainControl *self, const GValue *value)
{
  GtkWidget *row = value != NULL && G_VALUE_HOLDS (value, KB_TYPE_CHANNEL_ROW)
                       ? g_value_get_object (value)
                       : NULL;

  return row != NULL && gtk_widget_get_parent (row) == GTK_WIDGET (self->list);
}

static GdkDragAction
drop_motion_cb (GtkDropTarget *target, double x, double y, gpointer user_data)
{
  KbChainControl *self = KB_CHAIN_CONTROL (user_data);

  if (!is_ours (self, gtk_drop_target_get_value (target)) || mark (self, y) == NULL)
    return 0;
  return GDK_ACTION_MOVE;
}

static void
drop_leave_cb (GtkDropTarget *target, gpointer user_data)
{
  unmark (KB_CHAIN_CONTROL (user_data));
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer user_data)
{
  KbChainControl *self = KB_CHAIN_CONTROL (user_data);
  GtkWidget *other = is_ours (self, value) ? mark (self, y) : NULL;
  gboolean after = self->marked_after;
  g_autoptr (KbChannelRef) channel = NULL;
  g_autoptr (KbChannelRef) beside = NULL;

  unmark (self);
  if (other == NULL)
    return FALSE;
  if (other == g_value_get_object (value))
    return TRUE;
  channel = make_ref (kb_channel_row_get_channel (g_value_get_object (value)));
  beside = make_ref (kb_channel_row_get_channel (KB_CHANNEL_ROW (other)));
  save (self, kb_chain_changes_move_beside (channel, beside, after), channel->id, TRUE, TRUE);
  return TRUE;
}

static GdkContentProvider *
drag_prepare_cb (GtkDragSource *source, double x, double y, gpointer user_data)
{
  return gdk_content_provider_new_typed (KB_TYPE_CHANNEL_ROW, user_data);
}

/* A card with the row as it looks now, held by its handle. */
static void
drag_begin_cb (GtkDragSource *source, GdkDrag *drag, gpointer user_data)
{
  GtkWidget *row = GTK_WIDGET (user_data);
  GtkWidget *handle = kb_channel_row_get_handle (KB_CHANNEL_ROW (row));
  g_autoptr (GdkPaintable) live = gtk_widget_paintable_new (row);
  g_autoptr (GdkPaintable) image = gdk_paintable_get_current_image (live);
  GtkWidget *card = gtk_picture_new_for_paintable (image);
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (handle) / 2,
                                                (float) gtk_widget_get_height (handle) / 2);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "dragged-card");
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), card);
  if (gtk_widget_compute_point (handle, row, &point, &point))
    gdk_drag_set_hotspot (drag, (int) point.x, (int) point.y);
  gtk_widget_add_css_class (row, "dragged");
}

static void
drag_end_cb (GtkDragSource *source, GdkDrag *drag, gboolean delete_data, gpointer user_data)
{
  gtk_widget_remove_css_class (GTK_WIDGET (user_data), "dragged");
}

static void
make_draggable (KbChannelRow *row)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect_object (source, "prepare", G_CALLBACK (drag_prepare_cb), row, 0);
  g_signal_connect_object (source, "drag-begin", G_CALLBACK (drag_begin_cb), row, 0);
  g_signal_connect_object (source, "drag-end", G_CALLBACK (drag_end_cb), row, 0);
  gtk_widget_add_controller (kb_channel_row_get_handle (row), GTK_EVENT_CONTROLLER (source));
}

static void
add_drop_target (KbChainControl *self)
{
  GtkDropTarget *target = gtk_drop_target_new (KB_TYPE_CHANNEL_ROW, GDK_ACTION_MOVE);

  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect_object (target, "motion", G_CALLBACK (drop_motion_cb), self, 0);
  g_signal_connect_object (target, "leave", G_CALLBACK (drop_leave_cb), self, 0);
  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  g_set_weak_pointer (&self->drop, GTK_EVENT_CONTROLLER (target));
  gtk_widget_add_controller (GTK_WIDGET (self->list), GTK_EVENT_CONTROLLER (target));
}

static void
kb_chain_control_dispose (GObject *object)
{
  KbChainControl *self = KB_CHAIN_CONTROL (object);

  unmark (self);
  if (self->list != NULL && self->drop != NULL)
    gtk_widget_remove_controller (GTK_WIDGET (self->list), self->drop);
  g_clear_weak_pointer (&self->drop);
  g_clear_weak_pointer (&self->list);
  g_clear_object (&self->monitor);
  g_clear_object (&self->flow);

  G_OBJECT_CLASS (kb_chain_control_parent_class)->dispose (object);
}

static void
kb_chain_control_class_init (KbChainControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kb_chain_control_dispose;
}

static void
kb_chain_control_init (KbChainControl *self)
{
}

KbChainControl *
kb_chain_control_new (GtkListBox *list, KbMonitor *monitor, KbEditFlow *flow)
{
  KbChainControl *self;

  g_return_val_if_fail (GTK_IS_LIST_BOX (list), NULL);
  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);
  g_return_val_if_fail (KB_IS_EDIT_FLOW (flow), NULL);

  self = g_object_new (KB_TYPE_CHAIN_CONTROL, NULL);
  g_set_weak_pointer (&self->list, list);
  self->monitor = g_object_ref (monitor);
  self->flow = g_object_ref (flow);
  add_drop_target (self);
  return self;
}

void
kb_chain_control_take_row (KbChainControl *self, KbChannelRow *row)
{
  g_return_if_fail (KB_IS_CHAIN_CONTROL (self));
  g_return_if_fail (KB_IS_CHANNEL_ROW (row));

  g_signal_connect_object (row, "act", G_CALLBACK (row_act_cb), self, G_CONNECT_SWAPPED);
  make_draggable (row);
}

void
kb_chain_control_add (KbChainControl *self, const KbChannelRef *channel)
{
  g_return_if_fail (KB_IS_CHAIN_CONTROL (self));
  g_return_if_fail (channel != NULL);
  save (self, kb_chain_changes_add (channel), channel->id, TRUE, TRUE);
}

void
kb_chain_control_set_backup (KbChainControl *self, const KbChannelRef *channel)
{
  g_return_if_fail (KB_IS_CHAIN_CONTROL (self));
  g_return_if_fail (channel != NULL);
  save (self, kb_chain_changes_set_backup (channel), channel->id, FALSE, FALSE);
}

void
kb_chain_control_clear_backup (KbChainControl *self)
{
  g_return_if_fail (KB_IS_CHAIN_CONTROL (self));
  save (self, kb_chain_changes_clear_backup (), "", FALSE, FALSE);
}

void
kb_chain_control_switch_on (KbChainControl *self)
{
  g_return_if_fail (KB_IS_CHAIN_CONTROL (self));
  save (self, kb_chain_changes_switch_on (), "", FALSE, FALSE);
}

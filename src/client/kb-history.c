// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-history.h"

/*
 * Events are held as they are, oldest first; an entry object exists only while somebody
 * holds it. A table without references finds a living entry again, so that the same event
 * is always the same object to whoever compares. Who asks for the newest trouble of many
 * channels (a health file may name thousands) gets it from a table kept along the way.
 */

struct _KbHistoryEntry
{
  GObject parent_instance;

  KbEvent *event;     /* owned */
  GHashTable *living; /* owned reference: KbEvent → KbHistoryEntry, both borrowed */
};

G_DEFINE_FINAL_TYPE (KbHistoryEntry, kb_history_entry, G_TYPE_OBJECT)

struct _KbHistory
{
  GObject parent_instance;

  GPtrArray *events;   /* KbEvent, owned, oldest first */
  GHashTable *living;  /* shared with the entries */
  GHashTable *trouble; /* channel id → its newest failover or give-up, both borrowed */
};

static void kb_history_list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KbHistory,
                               kb_history,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      kb_history_list_model_init))

static void
kb_history_entry_finalize (GObject *object)
{
  KbHistoryEntry *self = KB_HISTORY_ENTRY (object);

  if (self->living != NULL)
    {
      g_hash_table_remove (self->living, self->event);
      g_hash_table_unref (self->living);
    }
  kb_event_unref (self->event);
  G_OBJECT_CLASS (kb_history_entry_parent_class)->finalize (object);
}

static void
kb_history_entry_class_init (KbHistoryEntryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_history_entry_finalize;
}

static void
kb_history_entry_init (KbHistoryEntry *self)
{
}

static KbEvent *
event_at (KbHistory *self, guint position)
{
  return self->events->pdata[self->events->len - 1 - position];
}

static KbHistoryEntry *
make_entry (KbHistory *self, KbEvent *event)
{
  KbHistoryEntry *entry = g_object_new (KB_TYPE_HISTORY_ENTRY, NULL);

  entry->event = kb_event_ref (event);
  entry->living = g_hash_table_ref (self->living);
  g_hash_table_insert (self->living, event, entry);
  return entry;
}

static gboolean
is_trouble (const KbEventFields *fields)
{
  return fields->from != NULL
         && (fields->kind == KB_EVENT_FAILOVER || fields->kind == KB_EVENT_GIVE_UP);
}

static void
add_event (KbHistory *self, KbEvent *event)
{
  const KbEventFields *fields = kb_event_get_fields (event);

  g_ptr_array_add (self->events, kb_event_ref (event));
  if (is_trouble (fields))
    g_hash_table_replace (self->trouble, (gpointer) fields->from, event);
}

static void
forget_trouble (KbHistory *self, KbEvent *event)
{
  const KbEventFields *fields = kb_event_get_fields (event);

  if (is_trouble (fields) && g_hash_table_lookup (self->trouble, fields->from) == event)
    g_hash_table_remove (self->trouble, fields->from);
}

static void
drop_all (KbHistory *self)
{
  g_hash_table_remove_all (self->trouble);
  g_ptr_array_set_size (self->events, 0);
}

static void
drop_oldest (KbHistory *self, guint n_events)
{
  for (guint i = 0; i < n_events; i++)
    forget_trouble (self, self->events->pdata[i]);
  g_ptr_array_remove_range (self->events, 0, n_events);
  g_list_model_items_changed (G_LIST_MODEL (self), self->events->len, n_events, 0);
}

/* More than fits: everything goes and the newest KB_HISTORY_MAX come, as one change. */
static void
replace_all (KbHistory *self, GPtrArray *events)
{
  guint n_removed = self->events->len;

  drop_all (self);
  for (guint i = events->len - KB_HISTORY_MAX; i < events->len; i++)
    add_event (self, events->pdata[i]);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_removed, self->events->len);
}

static GType
kb_history_get_item_type (GListModel *model)
{
  return KB_TYPE_HISTORY_ENTRY;
}

static guint
kb_history_get_n_items (GListModel *model)
{
  return KB_HISTORY (model)->events->len;
}

static gpointer
kb_history_get_item (GListModel *model, guint position)
{
  KbHistory *self = KB_HISTORY (model);
  KbHistoryEntry *entry;
  KbEvent *event;

  if (position >= self->events->len)
    return NULL;
  event = event_at (self, position);
  entry = g_hash_table_lookup (self->living, event);
  return entry != NULL ? g_object_ref (entry) : make_entry (self, event);
}

static void
kb_history_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = kb_history_get_item_type;
  iface->get_n_items = kb_history_get_n_items;
  iface->get_item = kb_history_get_item;
}

static void
kb_history_finalize (GObject *object)
{
  KbHistory *self = KB_HISTORY (object);

  g_hash_table_unref (self->trouble);
  g_ptr_array_unref (self->events);
  g_hash_table_unref (self->living);
  G_OBJECT_CLASS (kb_history_parent_class)->finalize (object);
}

static void
kb_history_class_init (KbHistoryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_history_finalize;
}

static void
kb_history_init (KbHistory *self)
{
  self->events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);
  self->living = g_hash_table_new (NULL, NULL);
  self->trouble = g_hash_table_new (g_str_hash, g_str_equal);
}

/**
 * kb_history_entry_get_event:
 * @self: an entry
 *
 * Returns: (transfer none): its event
 */
KbEvent *
kb_history_entry_get_event (KbHistoryEntry *self)
{
  g_return_val_if_fail (KB_IS_HISTORY_ENTRY (self), NULL);
  return self->event;
}

/**
 * kb_history_entry_get_fields:
 * @self: an entry
 *
 * Returns: (transfer none): the fields of its event
 */
const KbEventFields *
kb_history_entry_get_fields (KbHistoryEntry *self)
{
  g_return_val_if_fail (KB_IS_HISTORY_ENTRY (self), NULL);
  return kb_event_get_fields (self->event);
}

/**
 * kb_history_new:
 *
 * Returns: (transfer full): an empty history
 */
KbHistory *
kb_history_new (void)
{
  return g_object_new (KB_TYPE_HISTORY, NULL);
}

/**
 * kb_history_append:
 * @self: a history
 * @events: (element-type KbEvent): what happened since, oldest first; referenced, not copied
 *
 * Puts the events in front of the list with one items-changed. Where that makes more than
 * KB_HISTORY_MAX, the oldest leave first, with one items-changed of their own.
 */
void
kb_history_append (KbHistory *self, GPtrArray *events)
{
  guint room;

  g_return_if_fail (KB_IS_HISTORY (self));
  g_return_if_fail (events != NULL);

  if (events->len == 0)
    return;
  if (events->len >= KB_HISTORY_MAX)
    {
      replace_all (self, events);
      return;
    }
  room = KB_HISTORY_MAX - self->events->len;
  if (events->len > room)
    drop_oldest (self, events->len - room);
  for (guint i = 0; i < events->len; i++)
    add_event (self, events->pdata[i]);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, events->len);
}

/**
 * kb_history_clear:
 * @self: a history
 *
 * Forgets everything.
 */
void
kb_history_clear (KbHistory *self)
{
  guint n_removed;

  g_return_if_fail (KB_IS_HISTORY (self));

  n_removed = self->events->len;
  if (n_removed == 0)
    return;
  drop_all (self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_removed, 0);
}

/**
 * kb_history_find_newest:
 * @self: a history
 * @kind: the kind looked for
 * @channel_id: (nullable): a channel it must concern, see kb_event_concerns()
 *
 * Returns: (transfer none) (nullable): the newest such event
 */
KbEvent *
kb_history_find_newest (KbHistory *self, KbEventKind kind, const char *channel_id)
{
  g_return_val_if_fail (KB_IS_HISTORY (self), NULL);

  for (guint i = 0; i < self->events->len; i++)
    {
      KbEvent *event = event_at (self, i);

      if (kb_event_get_fields (event)->kind == kind
          && (channel_id == NULL || kb_event_concerns (event, channel_id)))
        return event;
    }
  return NULL;
}

/**
 * kb_history_find_newest_trouble:
 * @self: a history
 * @channel_id: a channel
 *
 * Returns: (transfer none) (nullable): the newest failover away from the channel or give-up
 *   on it
 */
KbEvent *
kb_history_find_newest_trouble (KbHistory *self, const char *channel_id)
{
  g_return_val_if_fail (KB_IS_HISTORY (self), NULL);
  g_return_val_if_fail (channel_id != NULL, NULL);
  return g_hash_table_lookup (self->trouble, channel_id);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-channel-list.h"

/*
 * How an update keeps the signals small. The channels that stay in the same order relative
 * to each other (the longest such row) are never touched. The others that stay have moved:
 * each run of them is removed first, so that no channel is in the list twice. What remains
 * between two untouched neighbours, channels gone and channels come, is one items-changed.
 */

struct _KbChannelList
{
  GObject parent_instance;

  GPtrArray *channels; /* KbChannel, owned */
  GHashTable *by_id;   /* id of a channel → KbChannel, borrowed from the array */
};

static void kb_channel_list_list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (KbChannelList,
                               kb_channel_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      kb_channel_list_list_model_init))

#define GONE G_MAXUINT

/* Chain first, in order; the others behind it, by id. */
static int
compare_facts (gconstpointer a, gconstpointer b)
{
  const KbChannelFacts *left = *(const KbChannelFacts *const *) a;
  const KbChannelFacts *right = *(const KbChannelFacts *const *) b;
  guint left_place = left->position - 1, right_place = right->position - 1; /* 0 goes last */

  if (left_place != right_place)
    return left_place < right_place ? -1 : 1;
  return g_strcmp0 (left->ref->id, right->ref->id);
}

/* The facts in list order; of two with the same id the first counts. */
static GPtrArray *
sort_facts (const KbChannelFacts *facts, guint n_facts)
{
  g_autoptr (GPtrArray) all = g_ptr_array_sized_new (n_facts);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *sorted = g_ptr_array_sized_new (n_facts);

  for (guint i = 0; i < n_facts; i++)
    g_ptr_array_add (all, (gpointer) &facts[i]);
  g_ptr_array_sort (all, compare_facts);
  for (guint i = 0; i < all->len; i++)
    {
      const KbChannelFacts *one = all->pdata[i];

      if (g_hash_table_add (seen, one->ref->id))
        g_ptr_array_add (sorted, (gpointer) one);
    }
  return sorted;
}

/* The channels of the new list in order: known objects brought up to date, new ones made. */
static GPtrArray *
make_target (KbChannelList *self, GPtrArray *facts, gint64 now_ms, gboolean *changed)
{
  GPtrArray *target = g_ptr_array_new_full (facts->len, g_object_unref);

  for (guint i = 0; i < facts->len; i++)
    {
      const KbChannelFacts *one = facts->pdata[i];
      KbChannel *channel = g_hash_table_lookup (self->by_id, one->ref->id);

      if (channel != NULL)
        {
          g_ptr_array_add (target, g_object_ref (channel));
          *changed |= kb_channel_update (channel, one, now_ms);
        }
      else
        {
          g_ptr_array_add (target, kb_channel_new (one, now_ms));
        }
    }
  return target;
}

/* For each channel now in the list its index in the target, or GONE. */
static GArray *
find_places (KbChannelList *self, GPtrArray *target)
{
  g_autoptr (GHashTable) index_of = g_hash_table_new (NULL, NULL);
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->channels->len);

  for (guint i = 0; i < target->len; i++)
    g_hash_table_insert (index_of, target->pdata[i], GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < self->channels->len; i++)
    {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (index_of, self->channels->pdata[i])) - 1;

      g_array_append_val (places, place); /* 0 - 1 is GONE */
    }
  return places;
}

/* How many of the rows found so far end below @place: where it would go on. */
static guint
find_row (GArray *ends, const guint *places, guint place)
{
  guint low = 0, high = ends->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (places[g_array_index (ends, guint, middle)] < place)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Marks the longest increasing subsequence of the places: those channels need not move. */
static GHashTable *
find_stayers (KbChannelList *self, GArray *places)
{
  const guint *place = (const guint *) (gpointer) places->data;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint)); /* index per length */
  g_autofree guint *before = g_new0 (guint, places->len + 1);
  GHashTable *stayers = g_hash_table_new (NULL, NULL);
  guint at;

  for (guint i = 0; i < places->len; i++)
    {
      guint row;

      if (place[i] == GONE)
        continue;
      row = find_row (ends, place, place[i]);
      before[i] = row > 0 ? g_array_index (ends, guint, row - 1) : i;
      if (row == ends->len)
        g_array_append_val (ends, i);
      else
        g_array_index (ends, guint, row) = i;
    }
  at = ends->len > 0 ? g_array_index (ends, guint, ends->len - 1) : 0;
  for (guint left = ends->len; left > 0; left--)
    {
      g_hash_table_add (stayers, self->channels->pdata[at]);
      at = before[at];
    }
  return stayers;
}

static void
remove_run (KbChannelList *self, guint position, guint n_channels)
{
  g_ptr_array_remove_range (self->channels, position, n_channels);
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_channels, 0);
}

/* Takes out, from the end on, what stays in the list but not where it is. */
static void
remove_moved (KbChannelList *self, GArray *places, GHashTable *stayers)
{
  guint run = 0;

  for (guint i = places->len; i > 0; i--)
    {
      gpointer channel = self->channels->pdata[i - 1];
      gboolean moved = g_array_index (places, guint, i - 1) != GONE
                       && !g_hash_table_contains (stayers, channel);

      if (moved)
        run++;
      else if (run > 0)
        remove_run (self, i, run);
      if (!moved)
        run = 0;
    }
  if (run > 0)
    remove_run (self, 0, run);
}

static guint
count_until_stayer (GPtrArray *channels, guint from, GHashTable *stayers)
{
  guint i = from;

  while (i < channels->len && !g_hash_table_contains (stayers, channels->pdata[i]))
    i++;
  return i - from;
}

static void
fill_gap (KbChannelList *self, guint position, guint n_removed, GPtrArray *target, guint n_added)
{
  if (n_removed > 0)
    g_ptr_array_remove_range (self->channels, position, n_removed);
  for (guint i = 0; i < n_added; i++)
    g_ptr_array_insert (self->channels, (int) (position + i),
                        g_object_ref (target->pdata[position + i]));
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
}

/* In front of @position both lists are already the same. */
static gboolean
fill_gaps (KbChannelList *self, GPtrArray *target, GHashTable *stayers)
{
  gboolean changed = FALSE;

  for (guint position = 0;; position++)
    {
      guint n_removed = count_until_stayer (self->channels, position, stayers);
      guint n_added = count_until_stayer (target, position, stayers);

      if (n_removed > 0 || n_added > 0)
        {
          fill_gap (self, position, n_removed, target, n_added);
          changed = TRUE;
        }
      position += n_added;
      if (position >= target->len)
        return changed;
    }
}

static void
index_channels (KbChannelList *self, GPtrArray *target)
{
  g_hash_table_remove_all (self->by_id);
  for (guint i = 0; i < target->len; i++)
    {
      KbChannel *channel = target->pdata[i];

      g_hash_table_insert (self->by_id, (gpointer) kb_channel_get_id (channel), channel);
    }
}

static GType
kb_channel_list_get_item_type (GListModel *model)
{
  return KB_TYPE_CHANNEL;
}

static guint
kb_channel_list_get_n_items (GListModel *model)
{
  return KB_CHANNEL_LIST (model)->channels->len;
}

static gpointer
kb_channel_list_get_item (GListModel *model, guint position)
{
  KbChannelList *self = KB_CHANNEL_LIST (model);

  return position < self->channels->len ? g_object_ref (self->channels->pdata[position]) : NULL;
}

static void
kb_channel_list_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = kb_channel_list_get_item_type;
  iface->get_n_items = kb_channel_list_get_n_items;
  iface->get_item = kb_channel_list_get_item;
}

static void
kb_channel_list_finalize (GObject *object)
{
  KbChannelList *self = KB_CHANNEL_LIST (object);

  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->channels);
  G_OBJECT_CLASS (kb_channel_list_parent_class)->finalize (object);
}

static void
kb_channel_list_class_init (KbChannelListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_channel_list_finalize;
}

static void
kb_channel_list_init (KbChannelList *self)
{
  self->channels = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
}

/**
 * kb_channel_list_new:
 *
 * Returns: (transfer full): an empty list
 */
KbChannelList *
kb_channel_list_new (void)
{
  return g_object_new (KB_TYPE_CHANNEL_LIST, NULL);
}

/**
 * kb_channel_list_update:
 * @self: a list
 * @facts: (array length=n_facts): every channel there is now, in any order
 * @n_facts: how many
 * @now_ms: the present time, by which states are judged
 *
 * Makes the list what the facts say: first every channel that stays gets its new values,
 * then the order and the membership change with the smallest items-changed. Handlers must not
 * call this again.
 *
 * Returns: whether anything differs
 */
gboolean
kb_channel_list_update (KbChannelList *self,
                        const KbChannelFacts *facts,
                        guint n_facts,
                        gint64 now_ms)
{
  g_autoptr (GPtrArray) sorted = NULL;
  g_autoptr (GPtrArray) target = NULL;
  g_autoptr (GArray) places = NULL;
  g_autoptr (GHashTable) stayers = NULL;
  gboolean changed = FALSE;

  g_return_val_if_fail (KB_IS_CHANNEL_LIST (self), FALSE);
  g_return_val_if_fail (facts != NULL || n_facts == 0, FALSE);

  sorted = sort_facts (facts, n_facts);
  target = make_target (self, sorted, now_ms, &changed);
  index_channels (self, target);
  places = find_places (self, target);
  stayers = find_stayers (self, places);
  remove_moved (self, places, stayers);
  changed |= fill_gaps (self, target, stayers);
  return changed;
}

/**
 * kb_channel_list_lookup:
 * @self: a list
 * @id: a channel id
 *
 * Returns: (transfer none) (nullable): the channel of that id
 */
KbChannel *
kb_channel_list_lookup (KbChannelList *self, const char *id)
{
  g_return_val_if_fail (KB_IS_CHANNEL_LIST (self), NULL);
  g_return_val_if_fail (id != NULL, NULL);
  return g_hash_table_lookup (self->by_id, id);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-notifier.h"

struct _KbNotifier
{
  GObject parent_instance;

  KbMonitor *monitor; /* owned */
  gulong changed_handler;
  GHashTable *episodes; /* owned: channel id -> Episode, of the chain */
  KbNotifierLevel level;
  guint later_id;
};

G_DEFINE_FINAL_TYPE (KbNotifier, kb_notifier, G_TYPE_OBJECT)

typedef enum
{
  PROP_LEVEL = 1,
} KbNotifierProperty;

static GParamSpec *properties[PROP_LEVEL + 1];

enum
{
  SIGNAL_SEND,
  SIGNAL_WITHDRAW,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* A channel's trouble, from its first failure to its recovery. */
typedef struct
{
  gboolean in_trouble;
  gboolean is_old; /* it was in trouble when we came, and nothing has happened since */
  gint64 since_ms; /* when it began */
  gint64 sent_ms;  /* when the last notice went out */
  KbNoticeKind sent_kind;
  KbNotice *notice; /* owned, nullable: what is shown */
} Episode;

static void
episode_free (gpointer data)
{
  Episode *episode = data;

  g_clear_pointer (&episode->notice, kb_notice_free);
  g_free (episode);
}

static gint64
get_now_ms (KbNotifier *self)
{
  return kb_clock_get_now_ms (kb_monitor_get_clock (self->monitor));
}

static void
withdraw (KbNotifier *self, const char *channel, Episode *episode)
{
  if (episode->notice == NULL)
    return;
  g_clear_pointer (&episode->notice, kb_notice_free);
  g_signal_emit (self, signals[SIGNAL_WITHDRAW], 0, channel);
}

static void
send_notice (KbNotifier *self, Episode *episode, KbNotice *notice)
{
  g_clear_pointer (&episode->notice, kb_notice_free);
  episode->notice = notice;
  episode->sent_ms = get_now_ms (self);
  episode->sent_kind = notice->kind;
  g_signal_emit (self, signals[SIGNAL_SEND], 0, notice);
}

static gboolean
is_wanted (KbNotifier *self, const KbNotice *notice)
{
  if (notice->kind == KB_NOTICE_NONE || self->level == KB_NOTIFIER_OFF)
    return FALSE;
  return self->level == KB_NOTIFIER_ALL || kb_notice_is_important (notice);
}

/* How long a notice has to wait, ms. What is worse than the last does not wait; a clock
 * that was set back must not make it wait for hours. */
static gint64
get_wait_ms (KbNotifier *self, const Episode *episode, const KbNotice *notice)
{
  gint64 since_sent_ms = get_now_ms (self) - episode->sent_ms;

  if (episode->sent_ms == 0 || since_sent_ms < 0 || since_sent_ms >= KB_NOTIFIER_FLOOR_MS)
    return 0;
  if (notice->kind > episode->sent_kind)
    return 0;
  return KB_NOTIFIER_FLOOR_MS - since_sent_ms;
}

static void look (KbNotifier *self);

static gboolean
later_cb (gpointer user_data)
{
  KbNotifier *self = KB_NOTIFIER (user_data);

  self->later_id = 0;
  look (self);
  return G_SOURCE_REMOVE;
}

static void
look_later (KbNotifier *self, gint64 wait_ms)
{
  if (self->later_id != 0)
    return;
  self->later_id = g_timeout_add ((guint) wait_ms, later_cb, self);
  g_source_set_name_by_id (self->later_id, "[koboshi] notice");
}

static void
tell (KbNotifier *self, KbChannel *channel, Episode *episode)
{
  g_autoptr (KbNotice) notice = kb_notice_new (self->monitor, channel, episode->since_ms);
  gint64 wait_ms;

  if (!is_wanted (self, notice))
    return;
  if (episode->notice != NULL && kb_notice_equal (notice, episode->notice))
    return;
  wait_ms = get_wait_ms (self, episode, notice);
  if (wait_ms > 0)
    look_later (self, wait_ms);
  else
    send_notice (self, episode, g_steal_pointer (&notice));
}

/* After a cooldown the trouble is not over until a request has gone through. */
static gboolean
is_in_trouble (KbChannel *channel, const Episode *episode)
{
  switch (kb_channel_get_state (channel))
    {
    case KB_CHANNEL_STATE_COOLDOWN:
    case KB_CHANNEL_STATE_DISABLED:
      return TRUE;
    case KB_CHANNEL_STATE_PROBE:
      return episode->in_trouble;
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return FALSE;
    }
}

static void
look_at (KbNotifier *self, KbChannel *channel)
{
  const char *id = kb_channel_get_id (channel);
  Episode *episode = g_hash_table_lookup (self->episodes, id);
  gboolean was_in_trouble;
  gint64 updated_ms;

  if (episode == NULL)
    {
      episode = g_new0 (Episode, 1);
      g_hash_table_insert (self->episodes, g_strdup (id), episode);
    }
  was_in_trouble = episode->in_trouble;
  episode->in_trouble = is_in_trouble (channel, episode);
  if (!episode->in_trouble)
    {
      withdraw (self, id, episode);
      episode->is_old = FALSE;
      return;
    }
  updated_ms = kb_channel_get_breaker (channel).updated_ms;
  if (!was_in_trouble || (episode->is_old && updated_ms != episode->since_ms))
    {
      episode->since_ms = updated_ms;
      episode->is_old = FALSE;
    }
  if (!episode->is_old)
    tell (self, channel, episode);
}

/* A channel that was taken out of the chain is nobody's trouble any more. */
static void
forget_others (KbNotifier *self, GHashTable *seen)
{
  GHashTableIter iter;
  const char *id;
  Episode *episode;

  g_hash_table_iter_init (&iter, self->episodes);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, (gpointer *) &episode))
    if (!g_hash_table_contains (seen, id))
      {
        withdraw (self, id, episode);
        g_hash_table_iter_remove (&iter);
      }
}

static void
look (KbNotifier *self)
{
  GListModel *channels = kb_monitor_get_channels (self->monitor);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      if (!kb_channel_get_in_chain (channel))
        continue;
      look_at (self, channel);
      g_hash_table_add (seen, (gpointer) kb_channel_get_id (channel));
    }
  forget_others (self, seen);
}

static void
mark_old (KbNotifier *self)
{
  GHashTableIter iter;
  Episode *episode;

  g_hash_table_iter_init (&iter, self->episodes);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &episode))
    episode->is_old = episode->in_trouble;
}

static void
kb_notifier_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbNotifier *self = KB_NOTIFIER (object);

  switch ((KbNotifierProperty) id)
    {
    case PROP_LEVEL:
      g_value_set_int (value, (int) self->level);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_notifier_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  KbNotifier *self = KB_NOTIFIER (object);

  switch ((KbNotifierProperty) id)
    {
    case PROP_LEVEL:
      kb_notifier_set_level (self, (KbNotifierLevel) g_value_get_int (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_notifier_dispose (GObject *object)
{
  KbNotifier *self = KB_NOTIFIER (object);

  g_clear_handle_id (&self->later_id, g_source_remove);
  if (self->monitor != NULL)
    g_clear_signal_handler (&self->changed_handler, self->monitor);
  g_clear_object (&self->monitor);

  G_OBJECT_CLASS (kb_notifier_parent_class)->dispose (object);
}

static void
kb_notifier_finalize (GObject *object)
{
  g_clear_pointer (&KB_NOTIFIER (object)->episodes, g_hash_table_unref);

  G_OBJECT_CLASS (kb_notifier_parent_class)->finalize (object);
}

static void
kb_notifier_class_init (KbNotifierClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = kb_notifier_get_property;
  object_class->set_property = kb_notifier_set_property;
  object_class->dispose = kb_notifier_dispose;
  object_class->finalize = kb_notifier_finalize;

  properties[PROP_LEVEL]
      = g_param_spec_int ("level", NULL, NULL, KB_NOTIFIER_OFF, KB_NOTIFIER_ALL, KB_NOTIFIER_OFF,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  signals[SIGNAL_SEND] = g_signal_new ("send", KB_TYPE_NOTIFIER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_WITHDRAW] = g_signal_new ("withdraw", KB_TYPE_NOTIFIER, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
kb_notifier_init (KbNotifier *self)
{
  self->episodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, episode_free);
}

/**
 * kb_notifier_new:
 * @monitor: a started monitor
 * @level: how much is told
 *
 * Returns: (transfer full): a notifier that tells what happens from now on
 */
KbNotifier *
kb_notifier_new (KbMonitor *monitor, KbNotifierLevel level)
{
  KbNotifier *self;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  self = g_object_new (KB_TYPE_NOTIFIER, NULL);
  self->monitor = g_object_ref (monitor);
  look (self);
  mark_old (self);
  self->level = level;
  self->changed_handler = g_signal_connect_swapped (monitor, "changed", G_CALLBACK (look), self);
  return self;
}

/**
 * kb_notifier_set_level:
 * @level: how much is told from now on; less withdraws what is shown and not wanted any more
 */
void
kb_notifier_set_level (KbNotifier *self, KbNotifierLevel level)
{
  GHashTableIter iter;
  const char *id;
  Episode *episode;

  g_return_if_fail (KB_IS_NOTIFIER (self));

  if (self->level == level)
    return;
  self->level = level;
  g_hash_table_iter_init (&iter, self->episodes);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, (gpointer *) &episode))
    if (episode->notice != NULL && !is_wanted (self, episode->notice))
      withdraw (self, id, episode);
  look (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LEVEL]);
}

/**
 * kb_notifier_get_level:
 *
 * Returns: how much is told
 */
KbNotifierLevel
kb_notifier_get_level (KbNotifier *self)
{
  g_return_val_if_fail (KB_IS_NOTIFIER (self), KB_NOTIFIER_OFF);

  return self->level;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/kb-announcer.h"

#include "client/kb-format.h"

/* Beside the states of a channel: none is known. */
#define STATE_UNKNOWN (-1)

struct _KbAnnouncer
{
  GObject parent_instance;

  KbMonitor *monitor; /* owned */
  gulong changed_handler;
  GHashTable *states; /* owned: channel id -> KbChannelState, of the chain */
  gboolean unsaid;    /* something changed while we kept quiet */
  gint64 spoken_ms;
};

G_DEFINE_FINAL_TYPE (KbAnnouncer, kb_announcer, G_TYPE_OBJECT)

enum
{
  SIGNAL_ANNOUNCE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Looks at the chain; returns how many states differ, and one channel of these. */
static guint
take_changes (KbAnnouncer *self, KbChannel **changed)
{
  GListModel *channels = kb_monitor_get_channels (self->monitor);
  guint n_changed = 0;

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);
      gpointer state = GINT_TO_POINTER (kb_channel_get_unreadable (channel)
                                            ? STATE_UNKNOWN
                                            : (int) kb_channel_get_state (channel));
      gpointer before;

      if (!kb_channel_get_in_chain (channel))
        continue;
      if (g_hash_table_lookup_extended (self->states, kb_channel_get_id (channel), NULL, &before)
          && before != state)
        {
          n_changed++;
          g_set_object (changed, channel);
        }
      g_hash_table_insert (self->states, g_strdup (kb_channel_get_id (channel)), state);
    }
  return n_changed;
}

static void
speak (KbAnnouncer *self, guint n_changed, KbChannel *changed, gint64 now_ms)
{
  gboolean down = kb_monitor_get_overall (self->monitor) == KB_OVERALL_DOWN;
  GtkAccessibleAnnouncementPriority priority
      = down ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_LOW;
  g_autofree char *sentence = NULL;

  if (n_changed == 1 && !self->unsaid && !down)
    sentence = kb_format_channel_spoken (changed, now_ms);
  else
    sentence = kb_format_overall (self->monitor);
  self->unsaid = FALSE;
  self->spoken_ms = now_ms;
  g_signal_emit (self, signals[SIGNAL_ANNOUNCE], 0, sentence, (int) priority);
}

static void
monitor_changed_cb (KbAnnouncer *self)
{
  gint64 now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (self->monitor));
  g_autoptr (KbChannel) changed = NULL;
  guint n_changed;

  g_assert (KB_IS_ANNOUNCER (self));

  n_changed = take_changes (self, &changed);
  if (n_changed == 0)
    return;
  /* A clock that was set back must not silence us. */
  if (now_ms >= self->spoken_ms && now_ms - self->spoken_ms < KB_ANNOUNCER_PAUSE_MS)
    {
      self->unsaid = TRUE;
      return;
    }
  speak (self, n_changed, changed, now_ms);
}

static void
kb_announcer_dispose (GObject *object)
{
  KbAnnouncer *self = KB_ANNOUNCER (object);

  if (self->monitor != NULL)
    g_clear_signal_handler (&self->changed_handler, self->monitor);
  g_clear_object (&self->monitor);
  g_clear_pointer (&self->states, g_hash_table_unref);

  G_OBJECT_CLASS (kb_announcer_parent_class)->dispose (object);
}

static void
kb_announcer_class_init (KbAnnouncerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_announcer_dispose;

  signals[SIGNAL_ANNOUNCE]
      = g_signal_new ("announce", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_INT);
}

static void
kb_announcer_init (KbAnnouncer *self)
{
  self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

KbAnnouncer *
kb_announcer_new (KbMonitor *monitor)
{
  g_autoptr (KbChannel) changed = NULL;
  KbAnnouncer *self;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  self = g_object_new (KB_TYPE_ANNOUNCER, NULL);
  self->monitor = g_object_ref (monitor);
  self->changed_handler
      = g_signal_connect_swapped (monitor, "changed", G_CALLBACK (monitor_changed_cb), self);
  /* What is so from the beginning is no news. */
  take_changes (self, &changed);
  return self;
}

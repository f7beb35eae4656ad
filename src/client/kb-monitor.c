// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-monitor.h"

#include "client/kb-channel-merge.h"
#include "client/kb-source-daruma.h"
#include "client/kb-wall-timer.h"

#include <string.h>

struct _KbMonitor
{
  GObject parent_instance;

  char *home;               /* owned */
  char *profile;            /* owned */
  KbClock *clock;           /* owned */
  KbSourceDaruma *source;   /* owned */
  KbSourceGateway *gateway; /* owned */
  KbChannelList *channels;  /* owned */
  KbEvent *last_switch;     /* owned, nullable */
  KbOverall overall;
  guint n_in_state[KB_CHANNEL_STATE_DISABLED + 1]; /* of the chain */
  guint n_unreadable;                              /* of the chain, in no state */
  guint deadline_id;
  gint64 deadline_ms; /* of the source, 0 without one */
  gboolean visible;
};

G_DEFINE_FINAL_TYPE (KbMonitor, kb_monitor, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void update (KbMonitor *self);

static KbChannel *
peek_channel (KbMonitor *self, guint position)
{
  g_autoptr (KbChannel) channel = g_list_model_get_item (G_LIST_MODEL (self->channels), position);

  return channel; /* the list holds it */
}

static void
count_states (KbMonitor *self)
{
  guint n_channels = g_list_model_get_n_items (G_LIST_MODEL (self->channels));

  memset (self->n_in_state, 0, sizeof self->n_in_state);
  self->n_unreadable = 0;
  for (guint i = 0; i < n_channels; i++)
    {
      KbChannel *channel = peek_channel (self, i);

      if (!kb_channel_get_in_chain (channel))
        continue;
      if (kb_channel_get_unreadable (channel))
        self->n_unreadable++;
      else
        self->n_in_state[kb_channel_get_state (channel)]++;
    }
}

/*
 * First match wins (PRODUCT, "States"). A chain whose row is disabled is nobody's chain, and
 * of a health file that cannot be read nothing follows. Only a gateway knows whether there is a
 * network, and whether throttling is paused.
 */
static KbOverall
judge (KbMonitor *self)
{
  guint n_healthy = self->n_in_state[KB_CHANNEL_STATE_HEALTHY];
  guint n_known = kb_monitor_count_chain (self) - self->n_unreadable;
  const KbGatewayReport *report = kb_monitor_get_report (self);

  if (n_known == 0 || !kb_source_daruma_is_active (self->source))
    return KB_OVERALL_UNKNOWN;
  if (report != NULL && !report->online)
    return KB_OVERALL_OFFLINE;
  if (n_healthy + self->n_in_state[KB_CHANNEL_STATE_PROBE] == 0)
    return KB_OVERALL_DOWN;
  if (report != NULL && report->paused)
    return KB_OVERALL_PAUSED;
  return n_healthy == n_known ? KB_OVERALL_HEALTHY : KB_OVERALL_DEGRADED;
}

static KbEvent *
event_of_report (const KbGatewayReport *report)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_FAILOVER;
  fields.kind_name = "failover";
  fields.source = "gateway";
  fields.time_ms = report->switch_ms;
  fields.from = report->switch_from;
  fields.to = report->switch_to;
  fields.reason = report->switch_reason;
  return kb_event_new (&fields);
}

static void
find_last_switch (KbMonitor *self)
{
  KbEvent *event = kb_history_find_newest (kb_source_daruma_get_history (self->source),
                                           KB_EVENT_FAILOVER, NULL);
  const KbGatewayReport *report = kb_monitor_get_report (self);
  g_autoptr (KbEvent) newest = event != NULL ? kb_event_ref (event) : NULL;

  if (report != NULL && report->switch_to != NULL
      && (event == NULL || kb_event_get_fields (event)->time_ms < report->switch_ms))
    {
      g_clear_pointer (&newest, kb_event_unref);
      newest = event_of_report (report);
    }
  g_clear_pointer (&self->last_switch, kb_event_unref);
  self->last_switch = g_steal_pointer (&newest);
}

/* The nearest deadline ahead, of any channel; 0 = none. */
static gint64
find_deadline (KbMonitor *self)
{
  guint n_channels = g_list_model_get_n_items (G_LIST_MODEL (self->channels));
  gint64 nearest_ms = 0;

  for (guint i = 0; i < n_channels; i++)
    {
      KbChannel *channel = peek_channel (self, i);
      gint64 until_ms = kb_channel_get_breaker (channel).until_ms;

      if (kb_channel_get_state (channel) == KB_CHANNEL_STATE_COOLDOWN
          && (nearest_ms == 0 || until_ms < nearest_ms))
        nearest_ms = until_ms;
    }
  return nearest_ms;
}

static gboolean
kb_monitor_deadline_cb (gpointer user_data)
{
  KbMonitor *self = user_data;

  self->deadline_id = 0;
  self->deadline_ms = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
schedule_deadline (KbMonitor *self)
{
  gint64 deadline_ms = self->visible ? find_deadline (self) : 0;
  gint64 delay_ms;

  if (deadline_ms == self->deadline_ms)
    return;
  g_clear_handle_id (&self->deadline_id, g_source_remove);
  self->deadline_ms = deadline_ms;
  if (deadline_ms == 0)
    return;
  if (__builtin_sub_overflow (deadline_ms, kb_clock_get_now_ms (self->clock), &delay_ms))
    delay_ms = G_MAXINT64;
  self->deadline_id
      = kb_wall_timer_add ("kb-monitor-deadline", delay_ms, kb_monitor_deadline_cb, self);
}

static gboolean
update_channels (KbMonitor *self)
{
  guint n_facts = 0;
  const KbChannelFacts *files = kb_source_daruma_get_facts (self->source, &n_facts);
  g_autoptr (KbChannelMerge) merge
      = kb_channel_merge_new (files, n_facts, kb_monitor_get_report (self));
  const KbChannelFacts *facts = kb_channel_merge_get (merge, &n_facts);

  return kb_channel_list_update (self->channels, facts, n_facts, kb_clock_get_now_ms (self->clock));
}

/* Brings everything up to date, and says so once if anything differs. */
static void
update (KbMonitor *self)
{
  gboolean differs = update_channels (self);

  differs |= kb_source_daruma_take_news (self->source);
  differs |= kb_source_gateway_take_news (self->gateway);
  count_states (self);
  find_last_switch (self);
  self->overall = judge (self);
  schedule_deadline (self);
  if (differs)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
kb_monitor_source_changed_cb (KbSourceDaruma *source, gpointer user_data)
{
  update (user_data);
}

static void
kb_monitor_gateway_changed_cb (KbSourceGateway *gateway, gpointer user_data)
{
  update (user_data);
}

static void
kb_monitor_dispose (GObject *object)
{
  KbMonitor *self = KB_MONITOR (object);

  g_clear_handle_id (&self->deadline_id, g_source_remove);
  if (self->source != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->source, self);
      g_object_run_dispose (G_OBJECT (self->source));
    }
  if (self->gateway != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->gateway, self);
      g_object_run_dispose (G_OBJECT (self->gateway));
    }
  G_OBJECT_CLASS (kb_monitor_parent_class)->dispose (object);
}

static void
kb_monitor_finalize (GObject *object)
{
  KbMonitor *self = KB_MONITOR (object);

  g_clear_pointer (&self->last_switch, kb_event_unref);
  g_clear_object (&self->channels);
  g_clear_object (&self->source);
  g_clear_object (&self->gateway);
  g_clear_object (&self->clock);
  g_free (self->home);
  g_free (self->profile);
  G_OBJECT_CLASS (kb_monitor_parent_class)->finalize (object);
}

static void
kb_monitor_class_init (KbMonitorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_monitor_dispose;
  object_class->finalize = kb_monitor_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
kb_monitor_init (KbMonitor *self)
{
  self->channels = kb_channel_list_new ();
}

/**
 * kb_monitor_new:
 * @home: absolute path of a home
 * @profile: name of one of its profiles
 * @clock: the clock by which deadlines are judged
 *
 * Returns: (transfer full): a hidden monitor that has read nothing yet
 */
KbMonitor *
kb_monitor_new (const char *home, const char *profile, KbClock *clock)
{
  KbMonitor *self;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (profile != NULL, NULL);
  g_return_val_if_fail (KB_IS_CLOCK (clock), NULL);

  self = g_object_new (KB_TYPE_MONITOR, NULL);
  self->home = g_strdup (home);
  self->profile = g_strdup (profile);
  self->clock = g_object_ref (clock);
  self->source = kb_source_daruma_new (home, profile);
  self->gateway = kb_source_gateway_new (home, profile);
  g_signal_connect (self->source, "changed", G_CALLBACK (kb_monitor_source_changed_cb), self);
  g_signal_connect (self->gateway, "changed", G_CALLBACK (kb_monitor_gateway_changed_cb), self);
  return self;
}

/**
 * kb_monitor_set_gateway_name:
 * @self: a monitor that was not started
 * @bus_name: the name of the gateway on the session bus
 *
 * For a demo, whose gateway runs beside a real one.
 */
void
kb_monitor_set_gateway_name (KbMonitor *self, const char *bus_name)
{
  g_return_if_fail (KB_IS_MONITOR (self));
  kb_source_gateway_set_bus_name (self->gateway, bus_name);
}

/**
 * kb_monitor_start:
 * @self: a monitor that was not started
 *
 * Reads profile and health before it returns, begins to read the log in a thread, and
 * follows all files and the gateway from now on, visible or not.
 */
void
kb_monitor_start (KbMonitor *self)
{
  g_return_if_fail (KB_IS_MONITOR (self));
  kb_source_gateway_start (self->gateway);
  kb_source_daruma_start (self->source);
}

/**
 * kb_monitor_start_sync:
 * @self: a monitor that was not started
 *
 * Reads everything, the log too, and asks the gateway before it returns; follows nothing.
 */
void
kb_monitor_start_sync (KbMonitor *self)
{
  g_return_if_fail (KB_IS_MONITOR (self));
  kb_source_gateway_start_sync (self->gateway);
  kb_source_daruma_start_sync (self->source);
}

/**
 * kb_monitor_refresh:
 * @self: a monitor that was started
 *
 * Looks at every file again and asks the gateway, on a person's wish or where no event has come.
 */
void
kb_monitor_refresh (KbMonitor *self)
{
  g_return_if_fail (KB_IS_MONITOR (self));
  kb_source_gateway_refresh (self->gateway);
  kb_source_daruma_refresh (self->source);
}

/**
 * kb_monitor_reread_clock:
 * @self: a monitor
 *
 * Judges every deadline by the present time: after a resume, or when a manual clock was set.
 */
void
kb_monitor_reread_clock (KbMonitor *self)
{
  g_return_if_fail (KB_IS_MONITOR (self));

  /* The wait was computed by the clock as it was. */
  g_clear_handle_id (&self->deadline_id, g_source_remove);
  self->deadline_ms = 0;
  update (self);
}

/**
 * kb_monitor_set_visible:
 * @self: a monitor
 * @visible: whether somebody looks
 *
 * While visible, a deadline that passes changes the states at that moment; while hidden
 * nothing wakes up for it. On becoming visible every file is looked at and every deadline
 * judged.
 */
void
kb_monitor_set_visible (KbMonitor *self, gboolean visible)
{
  g_return_if_fail (KB_IS_MONITOR (self));

  visible = !!visible;
  if (self->visible == visible)
    return;
  self->visible = visible;
  g_object_ref (self);
  kb_source_daruma_set_visible (self->source, visible);
  if (visible)
    {
      kb_source_gateway_refresh (self->gateway);
      kb_monitor_reread_clock (self);
    }
  else
    schedule_deadline (self);
  g_object_unref (self);
}

/**
 * kb_monitor_get_home:
 * @self: a monitor
 *
 * Returns: (transfer none): the path of the home
 */
const char *
kb_monitor_get_home (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return self->home;
}

/**
 * kb_monitor_get_profile:
 * @self: a monitor
 *
 * Returns: (transfer none): the name of the profile
 */
const char *
kb_monitor_get_profile (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return self->profile;
}

/**
 * kb_monitor_get_clock:
 * @self: a monitor
 *
 * Returns: (transfer none): its clock
 */
KbClock *
kb_monitor_get_clock (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return self->clock;
}

/**
 * kb_monitor_get_view:
 * @self: a monitor
 *
 * Returns: (transfer none) (nullable): the profile as it was last readable; valid until the
 *   next "changed"
 */
KbProfile *
kb_monitor_get_view (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return kb_source_daruma_get_view (self->source);
}

/**
 * kb_monitor_get_channels:
 * @self: a monitor
 *
 * Returns: (transfer none): a list of #KbChannel, the chain first; the same as long as @self
 */
GListModel *
kb_monitor_get_channels (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return G_LIST_MODEL (self->channels);
}

/**
 * kb_monitor_get_history:
 * @self: a monitor
 *
 * Returns: (transfer none): what the log says; the same as long as @self
 */
KbHistory *
kb_monitor_get_history (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return kb_source_daruma_get_history (self->source);
}

/**
 * kb_monitor_get_problems:
 * @self: a monitor
 *
 * Returns: (transfer none) (element-type KbProblem): what is wrong with the files; valid
 *   until the next "changed"
 */
const GPtrArray *
kb_monitor_get_problems (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return kb_source_daruma_get_problems (self->source);
}

/**
 * kb_monitor_get_overall:
 * @self: a monitor
 *
 * Returns: the state of the chain as a whole at the last update
 */
KbOverall
kb_monitor_get_overall (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), KB_OVERALL_UNKNOWN);
  return self->overall;
}

/**
 * kb_monitor_get_gateway:
 * @self: a monitor
 *
 * Returns: (transfer none): how it stands with the gateway
 */
KbSourceGateway *
kb_monitor_get_gateway (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return self->gateway;
}

/**
 * kb_monitor_get_report:
 * @self: a monitor
 *
 * Returns: (transfer none) (nullable): what a gateway that serves this home and profile told
 *   last; %NULL without one; valid until the next "changed"
 */
KbGatewayReport *
kb_monitor_get_report (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return kb_source_gateway_judges (self->gateway) ? kb_source_gateway_get_report (self->gateway)
                                                  : NULL;
}

/**
 * kb_monitor_get_last_switch:
 * @self: a monitor
 *
 * Returns: (transfer none) (nullable): the newest failover, of the log or of the gateway; valid
 *   until the next "changed"
 */
KbEvent *
kb_monitor_get_last_switch (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), NULL);
  return self->last_switch;
}

/**
 * kb_monitor_get_log_loaded:
 * @self: a monitor
 *
 * Returns: whether the log has been read once, so that an empty history means an empty log
 */
gboolean
kb_monitor_get_log_loaded (KbMonitor *self)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), FALSE);
  return kb_source_daruma_is_log_loaded (self->source);
}

/**
 * kb_monitor_count_chain:
 * @self: a monitor
 *
 * Returns: how many entries the chain has, those that only the host can read included
 */
guint
kb_monitor_count_chain (KbMonitor *self)
{
  guint n_channels;

  g_return_val_if_fail (KB_IS_MONITOR (self), 0);

  n_channels = self->n_unreadable;
  for (guint i = 0; i < G_N_ELEMENTS (self->n_in_state); i++)
    n_channels += self->n_in_state[i];
  return n_channels;
}

/**
 * kb_monitor_count_state:
 * @self: a monitor
 * @state: a state
 *
 * Returns: how many channels of the chain were in that state at the last update; those of
 *   which none is known are in none
 */
guint
kb_monitor_count_state (KbMonitor *self, KbChannelState state)
{
  g_return_val_if_fail (KB_IS_MONITOR (self), 0);
  g_return_val_if_fail ((guint) state < G_N_ELEMENTS (self->n_in_state), 0);
  return self->n_in_state[state];
}

/**
 * kb_overall_to_string:
 * @overall: an overall state
 *
 * Returns: (transfer none): the word of the status JSON
 */
const char *
kb_overall_to_string (KbOverall overall)
{
  switch (overall)
    {
    case KB_OVERALL_OFFLINE:
      return "offline";
    case KB_OVERALL_DOWN:
      return "down";
    case KB_OVERALL_PAUSED:
      return "paused";
    case KB_OVERALL_DEGRADED:
      return "degraded";
    case KB_OVERALL_HEALTHY:
      return "healthy";
    case KB_OVERALL_UNKNOWN:
    default:
      return "unknown";
    }
}

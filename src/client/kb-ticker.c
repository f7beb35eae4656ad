// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-ticker"

#include "client/kb-ticker.h"

#include "client/kb-wall-timer.h"

/*
 * How it works. Every hold knows when its text could change next: above FINE_MS at each
 * whole minute of the remaining time (kb_format_countdown() rounds up, and goes over to
 * seconds at the same FINE_MS), below it at each whole second, and once more when its
 * deadline has passed. The earliest of these moments, rounded up to a whole second of the
 * wall clock, is when the one source fires. All countdowns of a window so change together.
 *
 * A jump of the clock: the source waits on the wall clock and fires at once when somebody
 * sets it or the machine comes back from suspend (where the system has no timerfd, within a
 * minute). With nothing ahead there is no source: a clock then set back is noticed at the
 * next hold or kb_ticker_check_now().
 */

#define SECOND_MS G_GINT64_CONSTANT (1000)
#define FINE_MS (90 * SECOND_MS)
#define COARSE_STEP_MS (60 * SECOND_MS)

typedef struct
{
  guint id;
  gint64 deadline_ms;
  gboolean settled; /* a tick has shown that the deadline has passed */
} Hold;

struct _KbTicker
{
  GObject parent_instance;

  KbClock *clock; /* owned */
  GArray *holds;  /* Hold */
  guint last_hold_id;
  guint source_id;
  gint64 next_ms;     /* when the source is to fire, 0 without one */
  gint64 seen_second; /* the second of the last tick, or of the first hold */
};

G_DEFINE_FINAL_TYPE (KbTicker, kb_ticker, G_TYPE_OBJECT)

typedef enum
{
  PROP_CLOCK = 1,
} KbTickerProperty;

static GParamSpec *properties[PROP_CLOCK + 1];

enum
{
  TICK,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void plan (KbTicker *self);

static gint64
floor_second (gint64 time_ms)
{
  return time_ms / SECOND_MS - (time_ms % SECOND_MS < 0 ? 1 : 0);
}

static gint64
ceil_to_second (gint64 time_ms)
{
  gint64 second = floor_second (time_ms);

  return second * SECOND_MS == time_ms ? time_ms : (second + 1) * SECOND_MS;
}

static gint64
next_second (gint64 now_ms)
{
  return (floor_second (now_ms) + 1) * SECOND_MS;
}

/* The moment the hold's text could change next; 0 = never. */
static gint64
next_change (const Hold *hold, gint64 now_ms)
{
  gint64 remaining, left;

  if (hold->deadline_ms <= now_ms)
    return hold->settled ? 0 : next_second (now_ms);
  if (__builtin_sub_overflow (hold->deadline_ms, now_ms, &remaining))
    return 0; /* 300 million years ahead: a text without a number */
  if (remaining <= FINE_MS)
    return next_second (now_ms);
  left = (remaining - 1) / COARSE_STEP_MS * COARSE_STEP_MS;
  return MAX (ceil_to_second (hold->deadline_ms - MAX (left, FINE_MS)), next_second (now_ms));
}

static gint64
find_next (KbTicker *self, gint64 now_ms)
{
  gint64 next_ms = 0;

  for (guint i = 0; i < self->holds->len; i++)
    {
      gint64 change_ms = next_change (&g_array_index (self->holds, Hold, i), now_ms);

      if (change_ms != 0 && (next_ms == 0 || change_ms < next_ms))
        next_ms = change_ms;
    }
  return next_ms;
}

static void
settle_holds (KbTicker *self, gint64 now_ms)
{
  for (guint i = 0; i < self->holds->len; i++)
    {
      Hold *hold = &g_array_index (self->holds, Hold, i);

      hold->settled = hold->deadline_ms <= now_ms;
    }
}

/* In a second that has had its tick no text can have changed: no time has passed. */
static void
tick_once (KbTicker *self)
{
  gint64 now_ms = kb_clock_get_now_ms (self->clock);

  if (floor_second (now_ms) == self->seen_second)
    return;
  self->seen_second = floor_second (now_ms);
  settle_holds (self, now_ms);
  g_signal_emit (self, signals[TICK], 0, now_ms);
}

static gboolean
kb_ticker_source_cb (gpointer user_data)
{
  g_autoptr (KbTicker) self = g_object_ref (user_data);

  self->source_id = 0;
  self->next_ms = 0;
  tick_once (self);
  plan (self);
  return G_SOURCE_REMOVE;
}

static void
plan (KbTicker *self)
{
  gint64 now_ms = kb_clock_get_now_ms (self->clock);
  gint64 next_ms = find_next (self, now_ms);

  if (next_ms == self->next_ms)
    return;
  g_clear_handle_id (&self->source_id, g_source_remove);
  self->next_ms = next_ms;
  if (next_ms != 0)
    self->source_id = kb_wall_timer_add ("kb-ticker", next_ms - now_ms, kb_ticker_source_cb, self);
}

static void
kb_ticker_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbTicker *self = KB_TICKER (object);

  switch ((KbTickerProperty) id)
    {
    case PROP_CLOCK:
      g_value_set_object (value, self->clock);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_ticker_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  KbTicker *self = KB_TICKER (object);

  switch ((KbTickerProperty) id)
    {
    case PROP_CLOCK:
      self->clock = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_ticker_dispose (GObject *object)
{
  KbTicker *self = KB_TICKER (object);

  g_clear_handle_id (&self->source_id, g_source_remove);
  self->next_ms = 0;
  g_array_set_size (self->holds, 0);
  G_OBJECT_CLASS (kb_ticker_parent_class)->dispose (object);
}

static void
kb_ticker_finalize (GObject *object)
{
  KbTicker *self = KB_TICKER (object);

  g_array_unref (self->holds);
  g_clear_object (&self->clock);
  G_OBJECT_CLASS (kb_ticker_parent_class)->finalize (object);
}

static void
kb_ticker_class_init (KbTickerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = kb_ticker_get_property;
  object_class->set_property = kb_ticker_set_property;
  object_class->dispose = kb_ticker_dispose;
  object_class->finalize = kb_ticker_finalize;

  properties[PROP_CLOCK]
      = g_param_spec_object ("clock", NULL, NULL, KB_TYPE_CLOCK,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  signals[TICK] = g_signal_new ("tick", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
kb_ticker_init (KbTicker *self)
{
  self->holds = g_array_new (FALSE, FALSE, sizeof (Hold));
}

/**
 * kb_ticker_new:
 * @clock: the clock that texts are computed from
 *
 * Returns: (transfer full): a ticker without holds, and so without a source
 */
KbTicker *
kb_ticker_new (KbClock *clock)
{
  g_return_val_if_fail (KB_IS_CLOCK (clock), NULL);
  return g_object_new (KB_TYPE_TICKER, "clock", clock, NULL);
}

/**
 * kb_ticker_get_clock:
 * @self: a ticker
 *
 * Returns: (transfer none): its clock
 */
KbClock *
kb_ticker_get_clock (KbTicker *self)
{
  g_return_val_if_fail (KB_IS_TICKER (self), NULL);
  return self->clock;
}

/**
 * kb_ticker_hold:
 * @self: a ticker
 * @deadline_ms: when the countdown ends, wall clock; a past one asks for nothing
 *
 * Asks for ticks while a countdown is visible, and for one when its deadline has passed. The
 * hold stays until it is released.
 *
 * Returns: an id for kb_ticker_release(), never 0
 */
guint
kb_ticker_hold (KbTicker *self, gint64 deadline_ms)
{
  Hold hold = { .deadline_ms = deadline_ms };
  gint64 now_ms;

  g_return_val_if_fail (KB_IS_TICKER (self), 0);

  now_ms = kb_clock_get_now_ms (self->clock);
  if (self->next_ms == 0)
    self->seen_second = floor_second (now_ms);
  if (++self->last_hold_id == 0)
    self->last_hold_id = 1;
  hold.id = self->last_hold_id;
  hold.settled = deadline_ms <= now_ms;
  g_array_append_val (self->holds, hold);
  plan (self);
  return hold.id;
}

/**
 * kb_ticker_release:
 * @self: a ticker
 * @hold_id: what kb_ticker_hold() returned
 *
 * Ends a hold. With the last one the source goes.
 */
void
kb_ticker_release (KbTicker *self, guint hold_id)
{
  g_return_if_fail (KB_IS_TICKER (self));
  g_return_if_fail (hold_id != 0);

  for (guint i = 0; i < self->holds->len; i++)
    {
      if (g_array_index (self->holds, Hold, i).id == hold_id)
        {
          g_array_remove_index_fast (self->holds, i);
          plan (self);
          return;
        }
    }
}

/**
 * kb_ticker_is_active:
 * @self: a ticker
 *
 * Returns: whether a source exists
 */
gboolean
kb_ticker_is_active (KbTicker *self)
{
  g_return_val_if_fail (KB_IS_TICKER (self), FALSE);
  return self->source_id != 0;
}

/**
 * kb_ticker_get_next_ms:
 * @self: a ticker
 *
 * Returns: the wall-clock time of the next tick, a whole second; 0 if none is planned
 */
gint64
kb_ticker_get_next_ms (KbTicker *self)
{
  g_return_val_if_fail (KB_IS_TICKER (self), 0);
  return self->next_ms;
}

/**
 * kb_ticker_check_now:
 * @self: a ticker
 *
 * For moments at which the clock may have jumped (a window is shown again, the machine woke
 * up): emits the tick of this second unless it has been, and plans anew. Does nothing
 * without a hold.
 */
void
kb_ticker_check_now (KbTicker *self)
{
  g_return_if_fail (KB_IS_TICKER (self));

  if (self->holds->len == 0)
    return;
  g_object_ref (self);
  tick_once (self);
  plan (self);
  g_object_unref (self);
}

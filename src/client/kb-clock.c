// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-clock.h"

struct _KbClock
{
  GObject parent_instance;

  gboolean manual;
  gint64 now_ms; /* of a manual clock */
};

G_DEFINE_FINAL_TYPE (KbClock, kb_clock, G_TYPE_OBJECT)

static void
kb_clock_class_init (KbClockClass *klass)
{
}

static void
kb_clock_init (KbClock *self)
{
}

/**
 * kb_clock_new_system:
 *
 * Returns: (transfer full): the wall clock of this machine. Wall time and not boot time,
 *   because the deadlines in the watched files are wall time; it may jump.
 */
KbClock *
kb_clock_new_system (void)
{
  return g_object_new (KB_TYPE_CLOCK, NULL);
}

/**
 * kb_clock_new_manual:
 * @now_ms: milliseconds since the epoch
 *
 * Returns: (transfer full): a clock that stands still until it is set
 */
KbClock *
kb_clock_new_manual (gint64 now_ms)
{
  KbClock *self = g_object_new (KB_TYPE_CLOCK, NULL);

  self->manual = TRUE;
  self->now_ms = now_ms;
  return self;
}

/**
 * kb_clock_get_now_ms:
 * @self: a clock
 *
 * Returns: milliseconds since the epoch
 */
gint64
kb_clock_get_now_ms (KbClock *self)
{
  g_return_val_if_fail (KB_IS_CLOCK (self), 0);
  return self->manual ? self->now_ms : g_get_real_time () / 1000;
}

/**
 * kb_clock_set_now_ms:
 * @self: a manual clock
 * @now_ms: milliseconds since the epoch, earlier than before too
 *
 * Moves a manual clock. Nobody is told: whoever shows a time asks again, as with a real
 * clock.
 */
void
kb_clock_set_now_ms (KbClock *self, gint64 now_ms)
{
  g_return_if_fail (KB_IS_CLOCK (self));
  g_return_if_fail (self->manual);
  self->now_ms = now_ms;
}

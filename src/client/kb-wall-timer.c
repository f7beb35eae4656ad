// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-wall-timer"

#include "client/kb-wall-timer.h"

#include <glib-unix.h>
#include <glib/gstdio.h>
#include <sys/timerfd.h>
#include <time.h>

/* About 24 days: GLib's own timeouts count milliseconds in an int. */
#define DELAY_MAX_MS G_MAXINT

typedef struct
{
  int fd; /* owned, -1 for a plain timeout */
  GSourceFunc callback;
  gpointer user_data;
} WallTimer;

static void
wall_timer_free (gpointer data)
{
  WallTimer *timer = data;

  if (timer->fd >= 0)
    g_clear_fd (&timer->fd, NULL);
  g_free (timer);
}

static gboolean
wall_timer_fire_cb (gpointer data)
{
  WallTimer *timer = data;

  timer->callback (timer->user_data);
  return G_SOURCE_REMOVE;
}

/* The source is one-shot, so neither an expiration nor ECANCELED (the clock was set) needs
 * to be read off the descriptor. */
static gboolean
wall_timer_ready_cb (int fd, GIOCondition condition, gpointer data)
{
  return wall_timer_fire_cb (data);
}

static int
open_timer (gint64 delay_ms)
{
  g_autofd int fd = timerfd_create (CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  gint64 due_us = g_get_real_time () + delay_ms * 1000;
  struct itimerspec due = {
    .it_value = { .tv_sec = due_us / G_USEC_PER_SEC, .tv_nsec = due_us % G_USEC_PER_SEC * 1000 },
  };

  if (fd < 0 || timerfd_settime (fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &due, NULL) < 0)
    return -1;
  return g_steal_fd (&fd);
}

static GSource *
new_source (WallTimer *timer, gint64 delay_ms)
{
  GSource *source;

  timer->fd = open_timer (delay_ms);
  if (timer->fd >= 0)
    {
      source = g_unix_fd_source_new (timer->fd, G_IO_IN);
      g_source_set_callback (source, G_SOURCE_FUNC (wall_timer_ready_cb), timer, wall_timer_free);
      return source;
    }
  source = g_timeout_source_new ((guint) delay_ms);
  g_source_set_callback (source, wall_timer_fire_cb, timer, wall_timer_free);
  return source;
}

/**
 * kb_wall_timer_add:
 * @name: the name of the source
 * @delay_ms: milliseconds from now on; below 0 counts as 0, above 24 days as 24 days
 * @callback: called once; what it returns does not matter
 * @user_data: for @callback
 *
 * GLib's timeouts run on the monotonic clock, which stops in suspend and takes no notice of
 * a clock that is set; deadlines in files are wall time, so this waits on a timerfd of the
 * wall clock. Where none is to be had (no descriptors left) it falls back to a timeout,
 * which notices a jump only when it fires.
 *
 * Returns: the id of the source in the default context; it is gone once it has fired
 */
guint
kb_wall_timer_add (const char *name, gint64 delay_ms, GSourceFunc callback, gpointer user_data)
{
  g_autoptr (GSource) source = NULL;
  WallTimer *timer;

  g_return_val_if_fail (name != NULL, 0);
  g_return_val_if_fail (callback != NULL, 0);

  timer = g_new0 (WallTimer, 1);
  timer->callback = callback;
  timer->user_data = user_data;
  source = new_source (timer, CLAMP (delay_ms, 0, DELAY_MAX_MS));
  g_source_set_name (source, name);
  return g_source_attach (source, NULL);
}

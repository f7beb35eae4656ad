// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-poller"

#include "gateway/kb-poller.h"

#include <errno.h>
#include <unistd.h>

#define EVENTS_A_TURN 64

typedef struct
{
  KbPollFunc func; /* NULL = nobody watches this descriptor */
  gpointer user_data;
} Watch;

struct _KbPoller
{
  GSource *source;
  GArray *watches; /* Watch, by descriptor */
  int epoll_fd;
  KbPollFunc timer;
  gpointer timer_data;
};

typedef struct
{
  GSource parent;
  KbPoller *poller;
} Source;

static Watch *
watch_of (KbPoller *self, int fd)
{
  if ((guint) fd >= self->watches->len)
    g_array_set_size (self->watches, fd + 1);
  return &g_array_index (self->watches, Watch, fd);
}

static void
call_timer (KbPoller *self)
{
  KbPollFunc timer = self->timer;
  gint64 ready = g_source_get_ready_time (self->source);

  if (ready < 0 || ready > g_get_monotonic_time () || timer == NULL)
    return;
  g_source_set_ready_time (self->source, -1);
  timer (-1, 0, self->timer_data);
}

static gboolean
on_ready (GSource *source, GSourceFunc func, gpointer user_data)
{
  KbPoller *self = ((Source *) source)->poller;
  struct epoll_event events[EVENTS_A_TURN];
  int n;

  g_source_ref (source);
  n = epoll_wait (self->epoll_fd, events, EVENTS_A_TURN, 0);
  for (int i = 0; i < n && !g_source_is_destroyed (source); i++)
    {
      Watch watch = *watch_of (self, events[i].data.fd);

      if (watch.func != NULL)
        watch.func (events[i].data.fd, events[i].events, watch.user_data);
    }
  if (!g_source_is_destroyed (source))
    call_timer (self);
  g_source_unref (source);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs source_funcs = { .dispatch = on_ready };

KbPoller *
kb_poller_new (void)
{
  KbPoller *self = g_new0 (KbPoller, 1);

  self->watches = g_array_new (FALSE, TRUE, sizeof (Watch));
  self->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  self->source = g_source_new (&source_funcs, sizeof (Source));
  ((Source *) self->source)->poller = self;
  g_source_set_static_name (self->source, "kb-poller");
  g_source_add_unix_fd (self->source, self->epoll_fd, G_IO_IN);
  g_source_attach (self->source, g_main_context_get_thread_default ());
  return self;
}

/* Not from within one of its own callbacks. */
void
kb_poller_free (KbPoller *self)
{
  g_source_destroy (self->source);
  g_source_unref (self->source);
  close (self->epoll_fd);
  g_array_unref (self->watches);
  g_free (self);
}

/* Watches @fd for @events (EPOLLIN, ...), in place of what was watched before. */
void
kb_poller_watch (KbPoller *self, int fd, guint32 events, KbPollFunc func, gpointer user_data)
{
  struct epoll_event event = { .events = events, .data.fd = fd };
  Watch *watch;

  g_return_if_fail (fd >= 0 && func != NULL);

  watch = watch_of (self, fd);
  *watch = (Watch) { .func = func, .user_data = user_data };
  if (epoll_ctl (self->epoll_fd, EPOLL_CTL_MOD, fd, &event) == 0)
    return;
  if (errno != ENOENT || epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
    g_debug ("descriptor %d cannot be watched: %s", fd, g_strerror (errno));
}

/* Does nothing where the number of a closed descriptor has gone to another watcher. */
void
kb_poller_unwatch (KbPoller *self, int fd, gpointer user_data)
{
  g_return_if_fail (fd >= 0);

  if (watch_of (self, fd)->func == NULL || watch_of (self, fd)->user_data != user_data)
    return;
  *watch_of (self, fd) = (Watch) { 0 };
  /* A descriptor that was closed meanwhile is gone from the set by itself. */
  epoll_ctl (self->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

/* One timer: @func is called once, at @ready_us of the monotonic clock; -1 = never. */
void
kb_poller_set_timer (KbPoller *self, gint64 ready_us, KbPollFunc func, gpointer user_data)
{
  self->timer = func;
  self->timer_data = user_data;
  g_source_set_ready_time (self->source, ready_us);
}

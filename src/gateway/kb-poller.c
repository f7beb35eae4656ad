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
  guint32 events;    /* of an owned one: what the kernel has been told; 0 = nothing */
  gboolean is_owned; /* its closing is told here */
} Watch;

struct _KbPoller
{
  GSource *source;
  gpointer tag;    /* of epoll_fd in the source */
  GArray *watches; /* Watch, by descriptor */
  int epoll_fd;
  KbPollFunc timer;
  gpointer timer_data;
  gint64 timer_us; /* -1 = never */
  GQueue tasks;    /* KbPollTask, borrowed */
  gboolean is_in_turn;
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

/* Each setting of the time wakes the context up. One that is too early costs less than two that
 * are right: the turn it begins finds nothing to do, and sets the next. */
static void
settle_time (KbPoller *self)
{
  gint64 wanted = self->tasks.length > 0 ? 0 : self->timer_us;
  gint64 set = g_source_get_ready_time (self->source);
  gboolean is_due = set >= 0 && set <= g_get_monotonic_time ();

  if (is_due || (wanted >= 0 && (set < 0 || wanted < set)))
    g_source_set_ready_time (self->source, wanted);
}

static void
call_timer (KbPoller *self)
{
  if (self->timer_us < 0 || self->timer == NULL || self->timer_us > g_get_monotonic_time ())
    return;
  self->timer_us = -1;
  self->timer (-1, 0, self->timer_data);
}

static void
call_ready (KbPoller *self, GSource *source)
{
  struct epoll_event events[EVENTS_A_TURN];
  int n = epoll_wait (self->epoll_fd, events, EVENTS_A_TURN, 0);

  for (int i = 0; i < n && !g_source_is_destroyed (source); i++)
    {
      int fd = events[i].data.fd;
      Watch *watch = watch_of (self, fd);

      if (watch->func != NULL)
        watch->func (fd, events[i].events, watch->user_data);
      else if (watch->events != 0)
        {
          /* nobody has come back to it, and now it would wake us up without end */
          watch->events = 0;
          epoll_ctl (self->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        }
    }
}

static void
call_tasks (KbPoller *self, GSource *source)
{
  while (!g_source_is_destroyed (source) && self->tasks.length > 0)
    {
      KbPollTask *task = g_queue_pop_head_link (&self->tasks)->data;

      task->is_queued = FALSE;
      task->func (task->user_data);
    }
}

static gboolean
on_ready (GSource *source, GSourceFunc func, gpointer user_data)
{
  KbPoller *self = ((Source *) source)->poller;

  g_source_ref (source);
  self->is_in_turn = TRUE;
  if (g_source_query_unix_fd (source, self->tag) != 0)
    call_ready (self, source);
  if (!g_source_is_destroyed (source))
    call_timer (self);
  call_tasks (self, source);
  if (!g_source_is_destroyed (source))
    {
      self->is_in_turn = FALSE;
      settle_time (self);
    }
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
  self->timer_us = -1;
  g_queue_init (&self->tasks);
  self->source = g_source_new (&source_funcs, sizeof (Source));
  ((Source *) self->source)->poller = self;
  g_source_set_static_name (self->source, "kb-poller");
  /* GLib blocks the others while they are called, and wakes itself up for it twice */
  g_source_set_can_recurse (self->source, TRUE);
  self->tag = g_source_add_unix_fd (self->source, self->epoll_fd, G_IO_IN);
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
  watch->func = func;
  watch->user_data = user_data;
  if (watch->is_owned && watch->events == events)
    return;
  watch->events = watch->is_owned ? events : 0;
  if (epoll_ctl (self->epoll_fd, EPOLL_CTL_MOD, fd, &event) == 0)
    return;
  if (errno != ENOENT || epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
    g_debug ("descriptor %d cannot be watched: %s", fd, g_strerror (errno));
}

/* Does nothing where the number of a closed descriptor has gone to another watcher. */
void
kb_poller_unwatch (KbPoller *self, int fd, gpointer user_data)
{
  Watch *watch;

  g_return_if_fail (fd >= 0);

  watch = watch_of (self, fd);
  if (watch->func == NULL || watch->user_data != user_data)
    return;
  watch->func = NULL;
  /* Whoever owns it may soon watch it again: the kernel is told when it has something to say. A
   * descriptor that was closed meanwhile is gone from the set by itself. */
  if (!watch->is_owned)
    epoll_ctl (self->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

/* From now on until kb_poller_disown(), which must come before it is closed, what the kernel was
 * told about @fd is remembered, and not told again. */
void
kb_poller_own (KbPoller *self, int fd)
{
  *watch_of (self, fd) = (Watch) { .is_owned = TRUE };
}

/* It is about to be closed. */
void
kb_poller_disown (KbPoller *self, int fd)
{
  *watch_of (self, fd) = (Watch) { 0 };
}

/* One timer: @func is called once, at @ready_us of the monotonic clock; -1 = never. */
void
kb_poller_set_timer (KbPoller *self, gint64 ready_us, KbPollFunc func, gpointer user_data)
{
  self->timer = func;
  self->timer_data = user_data;
  self->timer_us = ready_us;
  if (!self->is_in_turn)
    settle_time (self);
}

/* Once; @task must be unqueued before it goes. */
void
kb_poller_queue (KbPoller *self, KbPollTask *task)
{
  if (task->is_queued)
    return;
  task->is_queued = TRUE;
  task->node = (GList) { .data = task };
  g_queue_push_tail_link (&self->tasks, &task->node);
  if (!self->is_in_turn)
    settle_time (self);
}

void
kb_poller_unqueue (KbPoller *self, KbPollTask *task)
{
  if (!task->is_queued)
    return;
  task->is_queued = FALSE;
  g_queue_unlink (&self->tasks, &task->node);
}

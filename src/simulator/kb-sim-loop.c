// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-loop.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#define BATCH 256

typedef struct
{
  GSource source;
  KbSimLoop *loop;
} LoopSource;

struct _KbSimLoop
{
  int epoll_fd;       /* owned */
  GSource *source;    /* owned, attached */
  GTree *due;         /* owned: KbSimWatch by deadline */
  GPtrArray *watches; /* owned: those that are in use, each knows its place */
  GPtrArray *removed; /* owned: freed when nobody can look at them any more */
};

struct _KbSimWatch
{
  KbSimLoop *loop;
  int fd;      /* of the owner, -1 once removed */
  guint index; /* in watches */
  guint32 events;
  gint64 due_us; /* monotonic, -1: never */
  KbSimWatchFunc callback;
  gpointer user_data;
  GDestroyNotify destroy;
};

static int
compare_due (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const KbSimWatch *one = a, *other = b;

  if (one->due_us != other->due_us)
    return one->due_us < other->due_us ? -1 : 1;
  if (one == other)
    return 0;
  return one < other ? -1 : 1;
}

static KbSimWatch *
get_first_due (KbSimLoop *self)
{
  GTreeNode *node = g_tree_node_first (self->due);

  return node != NULL ? g_tree_node_key (node) : NULL;
}

static void
arm (KbSimLoop *self)
{
  KbSimWatch *first = get_first_due (self);

  g_source_set_ready_time (self->source, first != NULL ? first->due_us : -1);
}

static void
watch_free (gpointer data)
{
  KbSimWatch *watch = data;

  watch->destroy (watch->user_data);
  g_free (watch);
}

static void
dispatch_events (KbSimLoop *self)
{
  struct epoll_event events[BATCH];
  int n = epoll_wait (self->epoll_fd, events, BATCH, 0);

  for (int i = 0; i < n; i++)
    {
      KbSimWatch *watch = events[i].data.ptr;

      if (watch->fd >= 0)
        watch->callback (events[i].events, watch->user_data);
    }
}

/* Only what is due now: a callback that asks for the past waits for the next turn. */
static void
dispatch_due (KbSimLoop *self)
{
  gint64 now_us = g_get_monotonic_time ();
  KbSimWatch *watch = get_first_due (self);

  for (guint i = 0; i < BATCH && watch != NULL && watch->due_us <= now_us; i++)
    {
      kb_sim_watch_set_due (watch, -1);
      watch->callback (0, watch->user_data);
      watch = get_first_due (self);
    }
}

static gboolean
loop_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  KbSimLoop *self = ((LoopSource *) source)->loop;

  dispatch_events (self);
  dispatch_due (self);
  g_ptr_array_set_size (self->removed, 0);
  arm (self);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs loop_source_funcs = { .dispatch = loop_source_dispatch };

/* It runs in the thread's default context. */
KbSimLoop *
kb_sim_loop_new (GError **error)
{
  int fd = epoll_create1 (EPOLL_CLOEXEC);
  KbSimLoop *self;

  if (fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "epoll: %s",
                   g_strerror (errno));
      return NULL;
    }
  self = g_new0 (KbSimLoop, 1);
  self->epoll_fd = fd;
  self->due = g_tree_new_full (compare_due, NULL, NULL, NULL);
  self->watches = g_ptr_array_new ();
  self->removed = g_ptr_array_new_with_free_func (watch_free);
  self->source = g_source_new (&loop_source_funcs, sizeof (LoopSource));
  ((LoopSource *) self->source)->loop = self;
  g_source_set_name (self->source, "kb-sim-loop");
  g_source_add_unix_fd (self->source, fd, G_IO_IN);
  g_source_attach (self->source, g_main_context_get_thread_default ());
  return self;
}

/* Removes every watch. */
void
kb_sim_loop_free (KbSimLoop *self)
{
  if (self == NULL)
    return;
  while (self->watches->len > 0)
    kb_sim_watch_remove (self->watches->pdata[0]);
  g_ptr_array_unref (self->removed);
  g_ptr_array_unref (self->watches);
  g_tree_unref (self->due);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  close (self->epoll_fd);
  g_free (self);
}

/*
 * Watches a descriptor, for nothing at first.
 *
 * @destroy frees @user_data some time after the watch was removed.
 */
KbSimWatch *
kb_sim_loop_add (
    KbSimLoop *self, int fd, KbSimWatchFunc callback, gpointer user_data, GDestroyNotify destroy)
{
  KbSimWatch *watch = g_new0 (KbSimWatch, 1);
  struct epoll_event event = { .events = 0, .data.ptr = watch };

  watch->loop = self;
  watch->fd = fd;
  watch->due_us = -1;
  watch->callback = callback;
  watch->user_data = user_data;
  watch->destroy = destroy;
  watch->index = self->watches->len;
  g_ptr_array_add (self->watches, watch);
  if (epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
    g_warning ("cannot watch a connection: %s", g_strerror (errno));
  return watch;
}

void
kb_sim_watch_set_events (KbSimWatch *self, guint32 events)
{
  struct epoll_event event = { .events = events, .data.ptr = self };

  g_return_if_fail (self->fd >= 0);

  if (self->events == events)
    return;
  self->events = events;
  epoll_ctl (self->loop->epoll_fd, EPOLL_CTL_MOD, self->fd, &event);
}

/* @due_us: on the monotonic clock, -1 for never. */
void
kb_sim_watch_set_due (KbSimWatch *self, gint64 due_us)
{
  if (self->due_us == due_us)
    return;
  if (self->due_us >= 0)
    g_tree_remove (self->loop->due, self);
  self->due_us = due_us;
  if (due_us >= 0)
    g_tree_insert (self->loop->due, self, self);
  arm (self->loop);
}

/* The owner closes the descriptor in its destroy function, not before. */
void
kb_sim_watch_remove (KbSimWatch *self)
{
  KbSimLoop *loop = self->loop;

  g_return_if_fail (self->fd >= 0);

  kb_sim_watch_set_due (self, -1);
  epoll_ctl (loop->epoll_fd, EPOLL_CTL_DEL, self->fd, NULL);
  self->fd = -1;
  g_ptr_array_remove_index_fast (loop->watches, self->index);
  if (self->index < loop->watches->len)
    ((KbSimWatch *) loop->watches->pdata[self->index])->index = self->index;
  g_ptr_array_add (loop->removed, self);
  g_source_set_ready_time (loop->source, 0);
}

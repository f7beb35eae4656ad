// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>
#include <sys/epoll.h>

/*
 * Many sockets behind one source of the main context. GLib asks the kernel about every watched
 * descriptor in every turn; a thousand quiet streams would be paid for by each busy one. It also
 * wakes itself up for every change of a source; changes here cost nothing of the kind.
 */

typedef void (*KbPollFunc) (int fd, guint32 events, gpointer user_data);

typedef struct _KbPoller KbPoller;

/* Something to be done once, at the end of the turn, when all that is ready was looked at. It is
 * part of what does it; all zero but for the function and its data. */
typedef struct
{
  void (*func) (gpointer user_data);
  gpointer user_data;
  GList node;
  gboolean is_queued;
} KbPollTask;

KbPoller *kb_poller_new (void);
void kb_poller_free (KbPoller *self);
void kb_poller_watch (KbPoller *self, int fd, guint32 events, KbPollFunc func, gpointer user_data);
void kb_poller_unwatch (KbPoller *self, int fd, gpointer user_data);
void kb_poller_own (KbPoller *self, int fd);
void kb_poller_disown (KbPoller *self, int fd);
void kb_poller_set_timer (KbPoller *self, gint64 ready_us, KbPollFunc func, gpointer user_data);
void kb_poller_queue (KbPoller *self, KbPollTask *task);
void kb_poller_unqueue (KbPoller *self, KbPollTask *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPoller, kb_poller_free)

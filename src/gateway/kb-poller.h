// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>
#include <sys/epoll.h>

/*
 * Many sockets behind one source of the main context. GLib asks the kernel about every watched
 * descriptor in every turn; a thousand quiet streams would be paid for by each busy one.
 */

typedef void (*KbPollFunc) (int fd, guint32 events, gpointer user_data);

typedef struct _KbPoller KbPoller;

KbPoller *kb_poller_new (void);
void kb_poller_free (KbPoller *self);
void kb_poller_watch (KbPoller *self, int fd, guint32 events, KbPollFunc func, gpointer user_data);
void kb_poller_unwatch (KbPoller *self, int fd, gpointer user_data);
void kb_poller_set_timer (KbPoller *self, gint64 ready_us, KbPollFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPoller, kb_poller_free)

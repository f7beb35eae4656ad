// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * Descriptors and deadlines of many connections behind a single source of the main context:
 * a source for each of them would be walked through at every turn.
 */
typedef struct _KbSimLoop KbSimLoop;
typedef struct _KbSimWatch KbSimWatch;

/* @events: of epoll, 0 when the deadline has come. */
typedef void (*KbSimWatchFunc) (guint32 events, gpointer user_data);

KbSimLoop *kb_sim_loop_new (GError **error);
void kb_sim_loop_free (KbSimLoop *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimLoop, kb_sim_loop_free)

KbSimWatch *kb_sim_loop_add (
    KbSimLoop *self, int fd, KbSimWatchFunc callback, gpointer user_data, GDestroyNotify destroy);
void kb_sim_watch_set_events (KbSimWatch *self, guint32 events);
void kb_sim_watch_set_due (KbSimWatch *self, gint64 due_us);
void kb_sim_watch_remove (KbSimWatch *self);

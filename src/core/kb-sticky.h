// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Which member of a group a session is bound to (rule 8). Bindings nobody used for a while are
 * forgotten, and of too many those that were not used for the longest. Times are milliseconds
 * on one clock.
 */

#define KB_STICKY_TTL_MS 3600000
#define KB_STICKY_MOST 10000

typedef struct _KbSticky KbSticky;

typedef void (*KbStickyFunc) (
    const char *group, const char *session, const char *member, gint64 used_ms, gpointer user_data);

typedef gboolean (*KbStickyFilter) (const char *group, const char *member, gpointer user_data);

KbSticky *kb_sticky_new (void);
KbSticky *kb_sticky_copy (const KbSticky *self);
void kb_sticky_free (KbSticky *self);
void kb_sticky_set_limits (KbSticky *self, gint64 ttl_ms, guint most, gint64 now_ms);
const char *kb_sticky_find (KbSticky *self, const char *group, const char *session, gint64 now_ms);
void kb_sticky_bind (
    KbSticky *self, const char *group, const char *session, const char *member, gint64 now_ms);
guint kb_sticky_count (KbSticky *self, const char *group, const char *member, gint64 now_ms);
guint kb_sticky_get_n_bindings (KbSticky *self);
void kb_sticky_keep (KbSticky *self, KbStickyFilter filter, gpointer user_data);
void kb_sticky_foreach (KbSticky *self, KbStickyFunc func, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSticky, kb_sticky_free)

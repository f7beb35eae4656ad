// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"
#include "store/kb-health-store.h"
#include "tray/kb-tray-bus.h"
#include "watch-fixture.h"

/* What the tests of the tray share: a home with three channels, and a watcher of our own. */

#define NOW G_GINT64_CONSTANT (1796040000000)

typedef struct
{
  char *home;
  KbClock *clock;
  KbMonitor *monitor;
} TestHome;

void test_home_init (TestHome *self);
void test_home_clear (TestHome *self);
void test_home_save (TestHome *self, const char *id, KbChannelState state, gint64 until_ms);

/* A watcher that owns the name on a connection of its own, as a panel does. */
typedef struct
{
  GDBusConnection *connection;
  KbTrayBusWatcher *skeleton;
  guint owner_id;
  gboolean owned;
  GPtrArray *items; /* names that registered, in order */
} TestWatcher;

TestWatcher *test_watcher_new (gboolean has_host);
void test_watcher_free (TestWatcher *self);
void test_watcher_set_host (TestWatcher *self, gboolean has_host);
GDBusConnection *test_connect (void);
GVariant *test_call (GDBusConnection *connection,
                     const char *name,
                     const char *path,
                     const char *interface,
                     const char *method,
                     GVariant *arguments);
GVariant *test_get (GDBusConnection *connection, const char *name, const char *property);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestWatcher, test_watcher_free)

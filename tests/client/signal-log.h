// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * Writes down every emission of the signals it listens to, so that a test can say exactly
 * which ones there were: each expectation takes the oldest one, and nothing may be left.
 */

typedef struct
{
  GPtrArray *lines; /* text of one emission each, in order */
} SignalLog;

static inline void
signal_log_items_changed_cb (
    GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  SignalLog *log = data;

  g_ptr_array_add (log->lines, g_strdup_printf ("items %u -%u +%u", position, removed, added));
}

static inline void
signal_log_notify_cb (GObject *object, GParamSpec *pspec, gpointer data)
{
  SignalLog *log = data;

  g_ptr_array_add (log->lines, g_strdup_printf ("notify %s", pspec->name));
}

static inline SignalLog *
signal_log_new (void)
{
  SignalLog *log = g_new0 (SignalLog, 1);

  log->lines = g_ptr_array_new_with_free_func (g_free);
  return log;
}

static inline void
signal_log_add (SignalLog *log, const char *text)
{
  g_ptr_array_add (log->lines, g_strdup (text));
}

/* Both disconnect themselves only with the object: keep the log longer than it. */
static inline void
signal_log_listen_items (SignalLog *log, gpointer model)
{
  g_signal_connect (model, "items-changed", G_CALLBACK (signal_log_items_changed_cb), log);
}

static inline void
signal_log_listen_notify (SignalLog *log, gpointer object)
{
  g_signal_connect (object, "notify", G_CALLBACK (signal_log_notify_cb), log);
}

static inline void
signal_log_expect (SignalLog *log, const char *text)
{
  g_assert_cmpuint (log->lines->len, >, 0);
  g_assert_cmpstr (log->lines->pdata[0], ==, text);
  g_ptr_array_remove_index (log->lines, 0);
}

static inline void
signal_log_expect_none (SignalLog *log)
{
  if (log->lines->len > 0)
    g_test_message ("left over: %s", (const char *) log->lines->pdata[0]);
  g_assert_cmpuint (log->lines->len, ==, 0);
}

static inline void
signal_log_free (SignalLog *log)
{
  signal_log_expect_none (log);
  g_ptr_array_unref (log->lines);
  g_free (log);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SignalLog, signal_log_free)

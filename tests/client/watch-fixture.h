// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "../support/folder.h"

/* What tests with real files and a main loop share. */

#define WAIT_LIMIT_US (20 * G_USEC_PER_SEC)

/* Iterates the main context until the condition holds; 20 s without it is a failure. */
#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_limit_us = g_get_monotonic_time () + WAIT_LIMIT_US;                                \
    guint wait_id = g_timeout_add (50, wait_wake_cb, NULL);                                        \
    while (!(condition))                                                                           \
      {                                                                                            \
        if (g_get_monotonic_time () > wait_limit_us)                                               \
          g_assertion_message (G_LOG_DOMAIN, __FILE__, __LINE__, G_STRFUNC,                        \
                               "waited in vain for: " #condition);                                 \
        g_main_context_iteration (NULL, TRUE);                                                     \
      }                                                                                            \
    g_source_remove (wait_id);                                                                     \
  }                                                                                                \
  G_STMT_END

static inline gboolean
wait_wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Iterates for a while, so that what should not come has had its chance. */
static inline void
iterate_for (guint milliseconds)
{
  gint64 end_us = g_get_monotonic_time () + milliseconds * 1000;
  guint id = g_timeout_add (10, wait_wake_cb, NULL);

  while (g_get_monotonic_time () < end_us)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (id);
}

/* When the main loop would wake up by itself: -1 = never. @n_fds: descriptors it waits on. */
static inline int
next_wake_up_ms (int *n_fds)
{
  GPollFD fds[64];
  int timeout_ms = 0, priority = 0, n;

  g_assert_true (g_main_context_acquire (NULL));
  g_main_context_prepare (NULL, &priority);
  n = g_main_context_query (NULL, G_MAXINT, &timeout_ms, fds, G_N_ELEMENTS (fds));
  g_main_context_release (NULL);
  if (n_fds != NULL)
    *n_fds = n;
  return timeout_ms;
}

static inline void
run_shell (const char *folder, const char *command)
{
  const char *argv[] = { "/bin/sh", "-ec", command, NULL };
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
}

static inline char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("koboshi-test-XXXXXX", &error);

  g_assert_no_error (error);
  return g_steal_pointer (&folder);
}

static inline void
remove_folder (const char *folder)
{
  remove_tree (folder);
}

static inline void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

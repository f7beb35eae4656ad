// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-session-bus.h"

/**
 * kb_session_bus_exists:
 *
 * A bus is where the environment says, or at its place in the runtime folder. Where neither
 * is, GDBus would launch one; who only looks must not.
 *
 * Returns: whether there is one
 */
gboolean
kb_session_bus_exists (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  g_autofree char *socket = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);

  return (address != NULL && *address != '\0') || g_file_test (socket, G_FILE_TEST_EXISTS);
}

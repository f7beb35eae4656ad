// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-port-holder.h"

#include <gio/gio.h>
#include <unistd.h>

static void
test_ours (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree char *holder = kb_port_holder_find (port);
  g_autofree char *pid = g_strdup_printf ("(%d)", (int) getpid ());

  g_assert_cmpint (port, >, 0);
  g_assert_nonnull (holder);
  g_assert_true (g_str_has_suffix (holder, pid));
  g_socket_listener_close (listener);
  g_clear_pointer (&holder, g_free);
  holder = kb_port_holder_find (port);
  g_assert_null (holder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gateway/port-holder/ours", test_ours);
  return g_test_run ();
}

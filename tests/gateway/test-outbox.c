// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-outbox.h"

#include <sys/socket.h>
#include <unistd.h>

/* Pieces of every size through a socket that takes little, in order and without a loss. */
static void
test_order (void)
{
  KbOutbox outbox;
  g_autoptr (GByteArray) wanted = g_byte_array_new ();
  g_autoptr (GByteArray) got = g_byte_array_new ();
  g_autoptr (GRand) dice = g_rand_new_with_seed (7);
  int pair[2], small = 4096;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), ==, 0);
  setsockopt (pair[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  kb_outbox_init (&outbox);
  for (guint i = 0; i < 300 || outbox.length > 0; i++)
    {
      guint8 bytes[8192];
      gsize length = (gsize) 1 << g_rand_int_range (dice, 0, 17);
      g_autofree guint8 *piece = g_malloc (length);
      gssize n;

      for (gsize k = 0; k < length; k++)
        piece[k] = (guint8) g_rand_int (dice);
      if (i < 300)
        {
          g_autoptr (GBytes) whole = g_bytes_new (piece, length);

          g_byte_array_append (wanted, piece, (guint) length);
          kb_outbox_add (&outbox, whole);
        }
      g_assert_true (kb_outbox_send (&outbox, pair[0]));
      n = read (pair[1], bytes, sizeof bytes);
      if (n > 0)
        g_byte_array_append (got, bytes, (guint) n);
      g_assert_cmpuint (outbox.length, <=, wanted->len - got->len);
    }
  close (pair[0]);
  for (guint8 byte; read (pair[1], &byte, 1) == 1;)
    g_byte_array_append (got, &byte, 1);
  g_assert_cmpmem (got->data, got->len, wanted->data, wanted->len);
  close (pair[1]);
  kb_outbox_clear (&outbox);
}

static void
test_nobody_reads (void)
{
  KbOutbox outbox;
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  kb_outbox_init (&outbox);
  kb_outbox_add_text (&outbox, "x", 1);
  close (pair[1]);
  g_assert_false (kb_outbox_send (&outbox, pair[0]));
  close (pair[0]);
  kb_outbox_clear (&outbox);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/outbox/order", test_order);
  g_test_add_func ("/outbox/nobody-reads", test_nobody_reads);
  return g_test_run ();
}

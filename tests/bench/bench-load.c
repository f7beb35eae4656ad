// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * koboshi-bench-load PORT CONNECTIONS SECONDS: sends the request on standard input over and over
 * on kept connections of the loopback, and prints how many answers came and how long the median
 * one took. What has begun is read to its end. Anything but a whole 200 is a failure.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <glib.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

typedef struct
{
  int fd; /* -1 = done */
  gint64 begun_us;
  GString *answer;
} Link;

typedef struct
{
  GString *request;
  GArray *took_us; /* gint64 */
  gint64 until_us;
  int epoll_fd;
  guint n_open;
} Load;

static void
fail (const char *what)
{
  g_printerr ("load: %s: %s\n", what, g_strerror (errno));
  exit (1);
}

static int
connect_to (guint16 port)
{
  struct sockaddr_in place = { .sin_family = AF_INET,
                               .sin_port = htons (port),
                               .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

  if (fd < 0 || connect (fd, (struct sockaddr *) &place, sizeof place) != 0)
    fail ("cannot connect");
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

static void
ask (Load *load, Link *connection)
{
  connection->begun_us = g_get_monotonic_time ();
  g_string_truncate (connection->answer, 0);
  if (write (connection->fd, load->request->str, load->request->len) != (gssize) load->request->len)
    fail ("cannot send");
}

/* By Content-Length, or by the last chunk. */
static gboolean
is_whole (const GString *answer)
{
  const char *end = strstr (answer->str, "\r\n\r\n");
  g_autofree char *head = NULL;
  const char *length;

  if (end == NULL)
    return FALSE;
  head = g_ascii_strdown (answer->str, end - answer->str + 2);
  length = strstr (head, "\r\ncontent-length:");
  if (length == NULL)
    return g_str_has_suffix (answer->str, "\r\n0\r\n\r\n");
  return answer->len >= (gsize) (end - answer->str) + 4 + strtoul (length + 17, NULL, 10);
}

static void
finish (Load *load, Link *connection)
{
  gint64 now_us = g_get_monotonic_time (), took_us = now_us - connection->begun_us;

  if (!g_str_has_prefix (connection->answer->str, "HTTP/1.1 200"))
    {
      g_printerr ("load: %s\n", connection->answer->str);
      exit (1);
    }
  g_array_append_val (load->took_us, took_us);
  if (now_us < load->until_us)
    {
      ask (load, connection);
      return;
    }
  close (connection->fd);
  load->n_open--;
}

static void
take (Load *load, Link *connection)
{
  char bytes[65536];
  gssize n = read (connection->fd, bytes, sizeof bytes);

  if (n <= 0)
    fail ("the connection broke off");
  g_string_append_len (connection->answer, bytes, n);
  if (is_whole (connection->answer))
    finish (load, connection);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

static void
open_link (Load *load, Link *connection, guint16 port)
{
  struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };

  connection->fd = connect_to (port);
  connection->answer = g_string_new (NULL);
  if (epoll_ctl (load->epoll_fd, EPOLL_CTL_ADD, connection->fd, &event) != 0)
    fail ("cannot watch");
  load->n_open++;
}

static void
run (Load *load)
{
  struct epoll_event events[64];

  while (load->n_open > 0)
    {
      int n = epoll_wait (load->epoll_fd, events, G_N_ELEMENTS (events), -1);

      for (int i = 0; i < n; i++)
        take (load, events[i].data.ptr);
    }
}

static GString *
read_request (void)
{
  GString *request = g_string_new (NULL);
  char bytes[4096];
  gssize n;

  while ((n = read (STDIN_FILENO, bytes, sizeof bytes)) > 0)
    g_string_append_len (request, bytes, n);
  return request;
}

int
main (int argc, char **argv)
{
  Load load = { .request = read_request (),
                .took_us = g_array_new (FALSE, FALSE, sizeof (gint64)),
                .epoll_fd = epoll_create1 (EPOLL_CLOEXEC) };
  guint n = argc == 4 ? (guint) atoi (argv[2]) : 0;
  g_autofree Link *links = g_new0 (Link, n);
  gint64 begun_us;

  if (n == 0)
    {
      g_printerr ("usage: koboshi-bench-load PORT CONNECTIONS SECONDS <REQUEST\n");
      return 2;
    }
  for (guint i = 0; i < n; i++)
    open_link (&load, &links[i], (guint16) atoi (argv[1]));
  begun_us = g_get_monotonic_time ();
  load.until_us = begun_us + (gint64) (g_ascii_strtod (argv[3], NULL) * G_USEC_PER_SEC);
  for (guint i = 0; i < n; i++)
    ask (&load, &links[i]);
  run (&load);
  g_array_sort (load.took_us, compare);
  printf ("{\"answers\": %u, \"seconds\": %.6f, \"median_us\": %" G_GINT64_FORMAT "}\n",
          load.took_us->len, (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC,
          g_array_index (load.took_us, gint64, load.took_us->len / 2));
  return 0;
}

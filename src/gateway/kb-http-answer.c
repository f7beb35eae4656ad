// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-http-answer"

#include "gateway/kb-http-link-private.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* What may wait for a slow client before the provider has to wait, and when it may go on. The
 * kernel's buffers come on top; together they stay below a mebibyte. */
#define MOST_UNSENT (256 * 1024)
#define FEW_UNSENT (64 * 1024)

/* How long a client may take to read the error before the connection is cut under it. */
#define CUT_PATIENCE_MS 10000

/* Whoever answers; called from then on. */
void
kb_http_link_take (KbHttpLink *self, const KbHttpAnswerFuncs *funcs, gpointer user_data)
{
  self->answer = *funcs;
  self->answer_data = user_data;
}

/* They are not called any more. */
void
kb_http_link_release (KbHttpLink *self)
{
  self->answer = (KbHttpAnswerFuncs) { 0 };
}

/* Before the answer is given or opened, once for each name. */
void
kb_http_link_set_header (KbHttpLink *self, const char *name, const char *value)
{
  g_return_if_fail (strpbrk (value, "\r\n") == NULL);

  g_string_append (self->headers, name);
  g_string_append (self->headers, ": ");
  g_string_append (self->headers, value);
  g_string_append (self->headers, "\r\n");
}

/* This answer is the last one. */
void
kb_http_link_close_after (KbHttpLink *self)
{
  self->keeps = FALSE;
}

/* The same for all answers of a second. */
static const char *
get_date (void)
{
  static char text[40];
  static time_t at;
  time_t now = time (NULL);
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *shown = NULL;

  if (now == at && *text != '\0')
    return text;
  at = now;
  date = g_date_time_new_from_unix_utc (now);
  shown = soup_date_time_to_string (date, SOUP_DATE_HTTP);
  g_strlcpy (text, shown, sizeof text);
  return text;
}

static void
add_head (KbHttpLink *self, int status, const char *content_type)
{
  g_autofree char *line = g_strdup_printf ("HTTP/1.1 %d %s\r\nserver: koboshi\r\ndate: ", status,
                                           soup_status_get_phrase ((guint) status));

  kb_outbox_add_text (&self->out, line, strlen (line));
  kb_outbox_add_text (&self->out, get_date (), strlen (get_date ()));
  kb_outbox_add_text (&self->out, "\r\n", 2);
  if (!self->keeps)
    kb_http_link_set_header (self, "connection", "close");
  kb_http_link_set_header (self, "content-type", content_type);
  g_string_append (self->headers, "\r\n");
  kb_outbox_add_text (&self->out, self->headers->str, self->headers->len);
  g_string_truncate (self->headers, 0);
}

static void
end (KbHttpLink *self)
{
  self->is_ended = TRUE;
  kb_poller_queue (self->poller, &self->flush);
  self->funcs.waits (self, self->user_data);
}

static gboolean
is_printable (const char *text)
{
  while (*text != '\0' && !g_ascii_iscntrl (*text))
    text++;
  return *text == '\0';
}

/* A whole answer. */
void
kb_http_link_answer (KbHttpLink *self, int status, const char *content_type, GBytes *body)
{
  char length[24];

  if (self->is_ended)
    return;
  g_snprintf (length, sizeof length, "%" G_GSIZE_FORMAT, g_bytes_get_size (body));
  kb_http_link_set_header (self, "content-length", length);
  add_head (self, status, is_printable (content_type) ? content_type : "application/json");
  if (g_strcmp0 (self->head.method, "HEAD") != 0)
    kb_outbox_add (&self->out, body);
  end (self);
}

/* Begins a stream of events, with status 200. HTTP/1.0 has no chunks: its end is the
 * connection's, and only a reset is none. */
void
kb_http_link_open (KbHttpLink *self)
{
  if (self->is_ended || self->is_open)
    return;
  self->is_open = TRUE;
  kb_http_link_set_header (self, "cache-control", "no-cache");
  if (!self->head.is_http_1_0)
    kb_http_link_set_header (self, "transfer-encoding", "chunked");
  add_head (self, 200, "text/event-stream");
  kb_poller_queue (self->poller, &self->flush);
}

gboolean
kb_http_link_is_open (KbHttpLink *self)
{
  return self->is_open;
}

void
kb_http_link_append (KbHttpLink *self, GBytes *bytes)
{
  gsize length = g_bytes_get_size (bytes);
  char size[24];

  if (self->is_ended || !self->is_open || length == 0)
    return;
  if (!self->head.is_http_1_0)
    {
      int n = g_snprintf (size, sizeof size, "%" G_GSIZE_MODIFIER "x\r\n", length);

      kb_outbox_add_text (&self->out, size, (gsize) n);
    }
  kb_outbox_add (&self->out, bytes);
  if (!self->head.is_http_1_0)
    kb_outbox_add_text (&self->out, "\r\n", 2);
  if (self->out.length > MOST_UNSENT)
    self->is_full = TRUE;
  kb_poller_queue (self->poller, &self->flush);
}

/* The stream is whole. */
void
kb_http_link_complete (KbHttpLink *self)
{
  if (self->is_ended)
    return;
  if (!self->head.is_http_1_0)
    kb_outbox_add_text (&self->out, "0\r\n\r\n", 5);
  end (self);
}

static gboolean
on_cut_patience (gpointer user_data)
{
  KbHttpLink *self = user_data;

  self->cut_id = 0;
  kb_http_link_close (self);
  return G_SOURCE_REMOVE;
}

/* Cuts the connection, behind what was appended: the client cannot take it for the end. */
void
kb_http_link_cut (KbHttpLink *self)
{
  if (self->is_cut || self->state == KB_HTTP_LINK_CLOSED)
    return;
  self->is_cut = TRUE;
  self->keeps = FALSE;
  self->cut_id = g_timeout_add (CUT_PATIENCE_MS, on_cut_patience, self);
  g_source_set_name_by_id (self->cut_id, "kb-http-answer cut");
  if (!self->is_ended)
    end (self);
}

/* Whether the provider should wait for the client. */
gboolean
kb_http_link_is_full (KbHttpLink *self)
{
  return self->is_full;
}

/* A chunked body without its last chunk is no whole one; one of HTTP/1.0 needs a reset. */
static void
finish (KbHttpLink *self)
{
  KbHttpAnswerFuncs answer = self->answer;
  struct linger reset = { .l_onoff = 1, .l_linger = 0 };

  if (self->is_cut)
    {
      if (self->head.is_http_1_0)
        setsockopt (self->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
      kb_http_link_close (self);
      return;
    }
  self->answer = (KbHttpAnswerFuncs) { 0 };
  if (answer.finished != NULL)
    answer.finished (self->answer_data);
  kb_http_link_next (self);
}

/* Writes what the socket takes. */
void
kb_http_link_flush (gpointer link)
{
  KbHttpLink *self = link;
  gboolean was_stuck = self->is_stuck;

  if (!kb_outbox_send (&self->out, self->fd))
    {
      kb_http_link_close (self);
      return;
    }
  self->is_stuck = self->out.length > 0;
  if (self->is_stuck != was_stuck)
    kb_http_link_watch (self);
  if (self->is_ended && self->is_stuck)
    self->funcs.waits (self, self->user_data);
  if (self->is_ended && !self->is_stuck && self->state == KB_HTTP_LINK_ANSWER)
    {
      finish (self);
      return;
    }
  if (!self->is_full || self->out.length > FEW_UNSENT)
    return;
  self->is_full = FALSE;
  if (!self->is_ended && self->answer.drained != NULL)
    self->answer.drained (self->answer_data);
}

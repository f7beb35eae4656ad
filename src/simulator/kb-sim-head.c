// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-head.h"

#include "simulator/kb-sim-error.h"

#include <math.h>

#define HUGE_LINE_BYTES 1000

static void
append_date (GString *out, const char *name, gint64 time_s)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (time_s);
  /* By hand: strftime's names follow the locale, HTTP's do not. */
  static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
  static const char *const months[]
      = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

  if (time == NULL)
    return;
  g_string_append_printf (
      out, "%s: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n", name,
      days[g_date_time_get_day_of_week (time) - 1], g_date_time_get_day_of_month (time),
      months[g_date_time_get_month (time) - 1], g_date_time_get_year (time),
      g_date_time_get_hour (time), g_date_time_get_minute (time), g_date_time_get_second (time));
}

static gint64
to_seconds (const KbSimHead *self, gint64 ms)
{
  return (gint64) ceil ((double) ms * self->scale / 1000);
}

/*
 * The two forms of RFC 9110 know whole seconds only. Where all waits are scaled, a scaled one
 * is also told in ms, so that a client that understands it waits as little as everybody else.
 */
static void
append_retry (const KbSimHead *self, const KbSimFault *fault, gint64 date_s, GString *out)
{
  gint64 ms = fault->retry_header_ms;

  if (fault->retry_after_ms >= 0)
    {
      g_string_append_printf (out, "Retry-After: %" G_GINT64_FORMAT "\r\n",
                              to_seconds (self, fault->retry_after_ms));
      if (ms < 0 && self->scale < 1)
        ms = fault->retry_after_ms;
    }
  if (fault->retry_date_ms >= 0)
    append_date (out, "Retry-After", date_s + to_seconds (self, fault->retry_date_ms));
  if (ms >= 0)
    g_string_append_printf (out, "retry-after-ms: %" G_GINT64_FORMAT "\r\n",
                            (gint64) ((double) ms * self->scale + 0.5));
}

static void
append_huge (const KbSimFault *fault, GString *out)
{
  for (gint64 left = fault->huge_head_bytes, line = 0; left > 0; left -= HUGE_LINE_BYTES, line++)
    {
      g_string_append_printf (out, "X-Huge-%" G_GINT64_FORMAT ": ", line);
      for (gint64 i = 0; i < MIN (left, HUGE_LINE_BYTES); i++)
        g_string_append_c (out, 'x');
      g_string_append (out, "\r\n");
    }
}

static void
append_framing (const KbSimHead *self, const KbSimFault *fault, GString *out)
{
  if (fault->gzip)
    g_string_append (out, "Content-Encoding: gzip\r\n");
  if (self->chunked)
    g_string_append (out, "Transfer-Encoding: chunked\r\n");
  if (self->length >= 0)
    g_string_append_printf (out, "Content-Length: %" G_GINT64_FORMAT "\r\n", self->length);
  g_string_append (out, self->close ? "Connection: close\r\n" : "Connection: keep-alive\r\n");
}

/* Returns: (transfer full): the status line and the headers, with the empty line */
GString *
kb_sim_head_write (const KbSimHead *self, const KbSimFault *fault)
{
  GString *out = g_string_new (NULL);
  gint64 date_s = self->time_s + fault->clock_skew_ms / 1000;

  g_string_append_printf (out, "HTTP/1.%d %u %s\r\n", self->http10 ? 0 : 1, self->status,
                          kb_sim_error_get_reason (self->status));
  append_date (out, "Date", date_s);
  g_string_append_printf (out, "Server: koboshi-simulator\r\nContent-Type: %s\r\n", self->type);
  g_string_append (out, "Cache-Control: no-cache\r\n");
  g_string_append_printf (out, "x-request-id: req_sim%012" G_GINT64_MODIFIER "x\r\n",
                          self->request);
  if (fault->redirect != NULL)
    g_string_append_printf (out, "Location: %s\r\n", fault->redirect);
  append_retry (self, fault, date_s, out);
  append_huge (fault, out);
  append_framing (self, fault, out);
  g_string_append (out, "\r\n");
  return out;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-retry-after.h"

#include <string.h>

/* More than a year is nothing anybody waits for; it keeps sums far from overflow. */
#define MOST_MS (366 * 24 * 60 * 60 * G_GINT64_CONSTANT (1000))

/* Times above this are milliseconds since 1970, below it seconds: it is the year 2286 in
 * seconds and 1970 in milliseconds. */
#define SECONDS_BELOW 1e10

static gint64
to_ms (double ms)
{
  if (!(ms >= 0))
    return KB_RETRY_AFTER_NONE;
  return ms >= (double) MOST_MS ? MOST_MS : (gint64) (ms + 0.5);
}

/* A number without sign, exponent or anything around it but blanks, up to @end. */
static gboolean
read_number (const char **at, double *value)
{
  const char *start = *at;
  char *end = NULL;
  gsize length = strspn (start, "0123456789.");

  if (length == 0 || !g_ascii_isdigit (*start))
    return FALSE;
  *value = g_ascii_strtod (start, &end);
  if (end > start + length)
    return FALSE;
  *at = end;
  return TRUE;
}

/* Where a header was sent twice its values come as a list: the longest is meant. */
static gint64
read_list (const char *text, double unit_ms)
{
  gint64 longest = KB_RETRY_AFTER_NONE;
  const char *at = text;

  for (;;)
    {
      double value;

      at += strspn (at, " \t");
      if (!read_number (&at, &value))
        return KB_RETRY_AFTER_NONE;
      longest = MAX (longest, to_ms (value * unit_ms));
      at += strspn (at, " \t");
      if (*at == '\0')
        return longest;
      if (*at++ != ',')
        return KB_RETRY_AFTER_NONE;
    }
}

/* The server's own clock wrote the date, so its own clock is the one to count from. */
static gint64
read_date (const KbRetryAfterHeaders *headers, gint64 wall_now_ms)
{
  g_autofree char *text = g_strstrip (g_strdup (headers->retry_after));
  gint64 then, sent = wall_now_ms;

  if (!kb_http_date_parse (text, wall_now_ms, &then))
    return KB_RETRY_AFTER_NONE;
  if (headers->date != NULL)
    {
      g_autofree char *date = g_strstrip (g_strdup (headers->date));

      kb_http_date_parse (date, wall_now_ms, &sent);
    }
  return then >= sent ? to_ms ((double) (then - sent)) : KB_RETRY_AFTER_NONE;
}

/**
 * kb_retry_after_from_headers:
 * @headers: what an answer carries
 * @wall_now_ms: the present wall clock in milliseconds since 1970
 *
 * Reads `retry-after-ms`, which is finer, else `Retry-After` in both forms of RFC 9110. A date
 * is measured against the `Date` of the same answer, so that a wrong clock on this side does
 * not matter.
 *
 * Returns: milliseconds, or KB_RETRY_AFTER_NONE
 */
gint64
kb_retry_after_from_headers (const KbRetryAfterHeaders *headers, gint64 wall_now_ms)
{
  gint64 wait = KB_RETRY_AFTER_NONE;

  g_return_val_if_fail (headers != NULL, KB_RETRY_AFTER_NONE);

  if (headers->retry_after_ms != NULL)
    wait = read_list (headers->retry_after_ms, 1);
  if (wait == KB_RETRY_AFTER_NONE && headers->retry_after != NULL)
    wait = read_list (headers->retry_after, 1000);
  if (wait == KB_RETRY_AFTER_NONE && headers->retry_after != NULL)
    wait = read_date (headers, wall_now_ms);
  return wait;
}

static const struct
{
  const char *unit;
  double ms;
} units[] = {
  { "milliseconds", 1 }, { "millisecond", 1 }, { "msecs", 1 },  { "ms", 1 },   { "seconds", 1000 },
  { "second", 1000 },    { "secs", 1000 },     { "sec", 1000 }, { "s", 1000 }, { "minutes", 6e4 },
  { "minute", 6e4 },     { "mins", 6e4 },      { "min", 6e4 },  { "m", 6e4 },  { "hours", 36e5 },
  { "hour", 36e5 },      { "hrs", 36e5 },      { "hr", 36e5 },  { "h", 36e5 }, { "days", 864e5 },
  { "day", 864e5 },      { "d", 864e5 },
};

static double
read_unit (const char **at)
{
  gsize length = 0;

  while (g_ascii_isalpha ((*at)[length]))
    length++;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      if (strlen (units[i].unit) == length && g_ascii_strncasecmp (units[i].unit, *at, length) == 0)
        {
          *at += length;
          return units[i].ms;
        }
    }
  return 0;
}

/* "1m2.5s", "6 minutes 12 seconds"; stops at the first thing that is no part of it. */
static gint64
read_duration (const char **at)
{
  double total = 0;
  gboolean any = FALSE;

  for (;;)
    {
      const char *part = *at + strspn (*at, " ");
      double value, unit;

      if (!read_number (&part, &value))
        break;
      part += strspn (part, " ");
      unit = read_unit (&part);
      if (unit == 0)
        break;
      total += value * unit;
      any = TRUE;
      *at = part;
    }
  return any ? to_ms (total) : KB_RETRY_AFTER_NONE;
}

/**
 * kb_retry_after_from_duration:
 * @text: a duration in a structured field, as in google.rpc.RetryInfo ("434702s", "1m2.5s")
 *
 * Returns: milliseconds, or KB_RETRY_AFTER_NONE where @text is anything else
 */
gint64
kb_retry_after_from_duration (const char *text)
{
  const char *at = text;
  gint64 wait;

  g_return_val_if_fail (text != NULL, KB_RETRY_AFTER_NONE);

  wait = read_duration (&at);
  return at[strspn (at, " ")] == '\0' ? wait : KB_RETRY_AFTER_NONE;
}

/* The words before a duration that make it a time to wait, in small letters. */
static const char *const openings[] = {
  "try again in ", "retry in ",     "retry after ",     "retry again in ",
  "reset in ",     "resets in ",    "reset after ",     "resets after ",
  "wait ",         "available in ", "try again after ",
};

/**
 * kb_retry_after_from_message:
 * @message: the text of an error
 *
 * Finds "Please try again in 1m2.5s" and its like: the last resort, where neither a header
 * nor a field says how long.
 *
 * Returns: milliseconds, or KB_RETRY_AFTER_NONE
 */
gint64
kb_retry_after_from_message (const char *message)
{
  g_autofree char *small = NULL;

  g_return_val_if_fail (message != NULL, KB_RETRY_AFTER_NONE);

  small = g_ascii_strdown (message, -1);
  for (guint i = 0; i < G_N_ELEMENTS (openings); i++)
    {
      const char *found = strstr (small, openings[i]);
      gint64 wait = KB_RETRY_AFTER_NONE;

      while (found != NULL && wait == KB_RETRY_AFTER_NONE)
        {
          const char *at = found + strlen (openings[i]);

          wait = read_duration (&at);
          found = strstr (found + 1, openings[i]);
        }
      if (wait != KB_RETRY_AFTER_NONE)
        return wait;
    }
  return KB_RETRY_AFTER_NONE;
}

/**
 * kb_retry_after_from_time:
 * @time: when a limit is lifted, in seconds or milliseconds since 1970 (`resets_at`)
 * @wall_now_ms: the present wall clock in milliseconds since 1970
 *
 * Returns: milliseconds from now until then, or KB_RETRY_AFTER_NONE where it is past
 */
gint64
kb_retry_after_from_time (double time, gint64 wall_now_ms)
{
  double ms = time < SECONDS_BELOW ? time * 1000 : time;

  return to_ms (ms - (double) wall_now_ms);
}

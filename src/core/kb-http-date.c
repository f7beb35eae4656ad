// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-retry-after.h"

#include <string.h>

/*
 * The three forms of an HTTP date (RFC 9110, section 5.6.7). Written by hand: strptime()
 * reads the locale, and GDateTime knows none of the three.
 */

typedef struct
{
  const char *at;
  gboolean failed;
} Cursor;

typedef struct
{
  int year, month, day, hour, minute, second;
} Moment;

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

static void
expect (Cursor *cursor, const char *text)
{
  gsize length = strlen (text);

  if (cursor->failed || strncmp (cursor->at, text, length) != 0)
    cursor->failed = TRUE;
  else
    cursor->at += length;
}

static int
read_digits (Cursor *cursor, int n_digits)
{
  int value = 0;

  for (int i = 0; i < n_digits; i++)
    {
      if (cursor->failed || !g_ascii_isdigit (*cursor->at))
        {
          cursor->failed = TRUE;
          return 0;
        }
      value = value * 10 + g_ascii_digit_value (*cursor->at++);
    }
  return value;
}

static int
read_month (Cursor *cursor)
{
  for (int i = 0; !cursor->failed && i < 12; i++)
    {
      if (strncmp (cursor->at, months + 3 * i, 3) == 0)
        {
          cursor->at += 3;
          return i + 1;
        }
    }
  cursor->failed = TRUE;
  return 0;
}

static void
skip_letters (Cursor *cursor)
{
  while (g_ascii_isalpha (*cursor->at))
    cursor->at++;
}

static void
read_time (Cursor *cursor, Moment *moment)
{
  moment->hour = read_digits (cursor, 2);
  expect (cursor, ":");
  moment->minute = read_digits (cursor, 2);
  expect (cursor, ":");
  moment->second = read_digits (cursor, 2);
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static void
read_fixdate (Cursor *cursor, Moment *moment)
{
  expect (cursor, ", ");
  moment->day = read_digits (cursor, 2);
  expect (cursor, " ");
  moment->month = read_month (cursor);
  expect (cursor, " ");
  moment->year = read_digits (cursor, 4);
  expect (cursor, " ");
  read_time (cursor, moment);
  expect (cursor, " GMT");
}

/* "Sunday, 06-Nov-94 08:49:37 GMT": a year more than 50 years ahead is one of the past. */
static void
read_rfc850 (Cursor *cursor, Moment *moment, int this_year)
{
  expect (cursor, ", ");
  moment->day = read_digits (cursor, 2);
  expect (cursor, "-");
  moment->month = read_month (cursor);
  expect (cursor, "-");
  moment->year = this_year / 100 * 100 + read_digits (cursor, 2);
  if (moment->year > this_year + 50)
    moment->year -= 100;
  expect (cursor, " ");
  read_time (cursor, moment);
  expect (cursor, " GMT");
}

/* "Sun Nov  6 08:49:37 1994" */
static void
read_asctime (Cursor *cursor, Moment *moment)
{
  expect (cursor, " ");
  moment->month = read_month (cursor);
  expect (cursor, " ");
  if (*cursor->at == ' ')
    {
      cursor->at++;
      moment->day = read_digits (cursor, 1);
    }
  else
    moment->day = read_digits (cursor, 2);
  expect (cursor, " ");
  read_time (cursor, moment);
  expect (cursor, " ");
  moment->year = read_digits (cursor, 4);
}

/* Days from 1970-01-01 on, by the proleptic Gregorian calendar; years begin in March here, so
 * that the leap day is their last. */
static gint64
days_of (int year, int month, int day)
{
  int y = month <= 2 ? year - 1 : year;
  int era = y / 400;
  int year_of_era = y - era * 400;
  int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

  return (gint64) era * 146097 + day_of_era - 719468;
}

static int
year_of (gint64 wall_ms)
{
  return 1970 + (int) (CLAMP (wall_ms / 1000, 0, G_MAXINT32) / 31556952);
}

static gboolean
is_moment (const Moment *moment)
{
  return g_date_valid_dmy ((GDateDay) moment->day, (GDateMonth) moment->month,
                           (GDateYear) moment->year)
         && moment->hour < 24 && moment->minute < 60 && moment->second <= 60;
}

/**
 * kb_http_date_parse:
 * @text: a date as HTTP writes it
 * @wall_now_ms: the present wall clock, which gives a year of two digits its century
 * @wall_ms: (out): the date in milliseconds since 1970, left alone if @text is none
 *
 * Reads all three forms that a recipient must accept (RFC 9110).
 *
 * Returns: whether @text is a date
 */
gboolean
kb_http_date_parse (const char *text, gint64 wall_now_ms, gint64 *wall_ms)
{
  Cursor cursor = { .at = text };
  Moment moment = { 0 };

  g_return_val_if_fail (text != NULL && wall_ms != NULL, FALSE);

  skip_letters (&cursor);
  if (cursor.at == text + 3 && *cursor.at == ' ')
    read_asctime (&cursor, &moment);
  else if (cursor.at == text + 3)
    read_fixdate (&cursor, &moment);
  else
    read_rfc850 (&cursor, &moment, year_of (wall_now_ms));
  if (cursor.failed || *cursor.at != '\0' || !is_moment (&moment))
    return FALSE;
  *wall_ms = (days_of (moment.year, moment.month, moment.day) * 86400 + moment.hour * 3600
              + moment.minute * 60 + moment.second)
             * 1000;
  return TRUE;
}

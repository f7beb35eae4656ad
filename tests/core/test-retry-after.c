// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-retry-after.h"

#define NONE KB_RETRY_AFTER_NONE
#define YEAR_MS (366 * 24 * 60 * 60 * G_GINT64_CONSTANT (1000))

/* Wed, 21 Oct 2015 07:28:00 GMT */
#define NOW_MS G_GINT64_CONSTANT (1445412480000)

typedef struct
{
  const char *text;
  gint64 ms;
} DateCase;

static const DateCase dates[] = {
  { "Thu, 01 Jan 1970 00:00:00 GMT", 0 },
  { "Wed, 21 Oct 2015 07:28:00 GMT", NOW_MS },
  { "Wednesday, 21-Oct-15 07:28:00 GMT", NOW_MS },
  { "Wed Oct 21 07:28:00 2015", NOW_MS },
  { "Sun Nov  6 08:49:37 1994", G_GINT64_CONSTANT (784111777000) },
  { "Sunday, 06-Nov-94 08:49:37 GMT", G_GINT64_CONSTANT (784111777000) },
  { "Sun, 06 Nov 1994 08:49:37 GMT", G_GINT64_CONSTANT (784111777000) },
  { "Sat, 29 Feb 2020 23:59:60 GMT", G_GINT64_CONSTANT (1583020800000) },
  { "Fri, 31 Dec 9999 23:59:59 GMT", G_GINT64_CONSTANT (253402300799000) },
  { "Monday, 01-Jan-65 00:00:00 GMT", G_GINT64_CONSTANT (2997993600000) },
};

static const char *const no_dates[] = {
  "",
  "soon",
  "120",
  "Wed, 21 Oct 2015",
  "Wed, 21 Oct 2015 07:28:00",
  "Wed, 21 Oct 2015 07:28:00 UTC",
  "Wed, 21 Oct 2015 07:28:00 GMT+1",
  "Wed, 32 Oct 2015 07:28:00 GMT",
  "Wed, 00 Oct 2015 07:28:00 GMT",
  "Sun, 29 Feb 2015 07:28:00 GMT",
  "Wed, 21 Okt 2015 07:28:00 GMT",
  "Wed, 21 Oct 2015 24:00:00 GMT",
  "Wed, 21 Oct 2015 07:60:00 GMT",
  "Wed, 21 Oct 2015 07:28:61 GMT",
  "Wed, 21 Oct 0000 07:28:00 GMT",
  "Wed, -1 Oct 2015 07:28:00 GMT",
  "Wednesday, 21 Oct 2015 07:28:00 GMT",
  "Wed Oct 21 07:28:00",
  "Wed, 21 Oct 2015 7:28:00 GMT",
};

static void
test_dates (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (dates); i++)
    {
      gint64 ms = -7;

      g_test_message ("%s", dates[i].text);
      g_assert_true (kb_http_date_parse (dates[i].text, NOW_MS, &ms));
      g_assert_cmpint (ms, ==, dates[i].ms);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (no_dates); i++)
    {
      gint64 ms = -7;

      g_test_message ("%s", no_dates[i]);
      g_assert_false (kb_http_date_parse (no_dates[i], NOW_MS, &ms));
      g_assert_cmpint (ms, ==, -7);
    }
}

/* Two digits are never more than 50 years ahead, whatever the century now is. */
static void
test_two_digit_years (void)
{
  gint64 ms;
  gint64 in_2049 = G_GINT64_CONSTANT (2493072000000);

  g_assert_true (kb_http_date_parse ("Monday, 01-Jan-66 00:00:00 GMT", NOW_MS, &ms));
  g_assert_cmpint (ms, ==, G_GINT64_CONSTANT (-126230400000));
  g_assert_true (kb_http_date_parse ("Monday, 01-Jan-66 00:00:00 GMT", in_2049, &ms));
  g_assert_cmpint (ms, ==, G_GINT64_CONSTANT (3029529600000));
}

typedef struct
{
  KbRetryAfterHeaders headers;
  gint64 ms;
} HeaderCase;

static const HeaderCase header_cases[] = {
  { { .retry_after = "120" }, 120000 },
  { { .retry_after = "1.5" }, 1500 },
  { { .retry_after = " 2 " }, 2000 },
  { { .retry_after = "0" }, 0 },
  { { .retry_after = "-1" }, NONE },
  { { .retry_after = "" }, NONE },
  { { .retry_after = "soon" }, NONE },
  { { .retry_after = "12s" }, NONE },
  { { .retry_after = "1e3" }, NONE },
  { { .retry_after = "0x10" }, NONE },
  { { .retry_after = "inf" }, NONE },
  { { .retry_after = "nan" }, NONE },
  { { .retry_after = "1.2.3" }, NONE },
  { { .retry_after = "." }, NONE },
  { { .retry_after = "99999999999999999999" }, YEAR_MS },
  { { .retry_after = "120, 60" }, 120000 }, /* sent twice: the longer is meant */
  { { .retry_after = "60,120" }, 120000 },
  { { .retry_after = "60, soon" }, NONE },
  { { .retry_after = "60," }, NONE },
  { { .retry_after = "Wed, 21 Oct 2015 07:28:30 GMT" }, 30000 },
  { { .retry_after = "Wednesday, 21-Oct-15 07:29:00 GMT" }, 60000 },
  { { .retry_after = " Wed Oct 21 07:28:07 2015 " }, 7000 },
  { { .retry_after = "Wed, 21 Oct 2015 07:27:59 GMT" }, NONE }, /* past */
  { { .retry_after = "Wed, 21 Oct 2015 07:28:00 GMT" }, 0 },
  /* The server's clock is ten minutes ahead of ours: its own Date tells. */
  { { .retry_after = "Wed, 21 Oct 2015 07:38:30 GMT", .date = "Wed, 21 Oct 2015 07:38:00 GMT" },
    30000 },
  { { .retry_after = "Wed, 21 Oct 2015 07:18:30 GMT", .date = "Wed, 21 Oct 2015 07:18:00 GMT" },
    30000 },
  { { .retry_after = "Wed, 21 Oct 2015 07:28:30 GMT", .date = "yesterday" }, 30000 },
  { { .retry_after = "30", .date = "Wed, 21 Oct 2015 07:18:00 GMT" }, 30000 },
  { { .retry_after_ms = "250" }, 250 },
  { { .retry_after_ms = "250.4" }, 250 },
  { { .retry_after = "1", .retry_after_ms = "250" }, 250 },
  { { .retry_after = "1", .retry_after_ms = "bad" }, 1000 },
  { { .retry_after_ms = "-250" }, NONE },
  { { .date = "Wed, 21 Oct 2015 07:18:00 GMT" }, NONE },
  { { NULL }, NONE },
};

static void
test_headers (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (header_cases); i++)
    {
      const HeaderCase *c = &header_cases[i];

      g_test_message ("%s | %s | %s", c->headers.retry_after, c->headers.retry_after_ms,
                      c->headers.date);
      g_assert_cmpint (kb_retry_after_from_headers (&c->headers, NOW_MS), ==, c->ms);
    }
}

static const DateCase durations[] = {
  { "434702s", 434702000 },
  { "20s", 20000 },
  { "0s", 0 },
  { "1m2.5s", 62500 },
  { "6m0s", 360000 },
  { "250ms", 250 },
  { "1h30m", 5400000 },
  { "2d", 172800000 },
  { "3 minutes 12 seconds", 192000 },
  { "99999999999d", YEAR_MS },
  { "", NONE },
  { "20", NONE },
  { "20x", NONE },
  { "s20", NONE },
  { "20s later", NONE },
  { "-20s", NONE },
};

static const DateCase messages[] = {
  { "Rate limit reached for m in org o on tokens per min. Please try again in 1m2.5s. Visit",
    62500 },
  { "Please try again in 20s.", 20000 },
  { "Please retry in 36.7s", 36700 },
  { "retry after 5 seconds", 5000 },
  { "Too many requests; please wait 2 minutes before the next", 120000 },
  { "TRY AGAIN IN 250MS", 250 },
  { "Your limit resets in 3 hours.", 10800000 },
  { "wait for it, then wait 3s", 3000 },
  { "Please try again later", NONE },
  { "try again in a while", NONE },
  { "try again in 20 tokens", NONE },
  { "20s", NONE },
  { "", NONE },
};

static void
test_durations (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (durations); i++)
    {
      g_test_message ("%s", durations[i].text);
      g_assert_cmpint (kb_retry_after_from_duration (durations[i].text), ==, durations[i].ms);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_test_message ("%s", messages[i].text);
      g_assert_cmpint (kb_retry_after_from_message (messages[i].text), ==, messages[i].ms);
    }
}

static void
test_times (void)
{
  g_assert_cmpint (kb_retry_after_from_time (1445412480, NOW_MS), ==, 0);
  g_assert_cmpint (kb_retry_after_from_time (1445412490.5, NOW_MS), ==, 10500);
  g_assert_cmpint (kb_retry_after_from_time (1445412481000., NOW_MS), ==, 1000);
  g_assert_cmpint (kb_retry_after_from_time (1445412479, NOW_MS), ==, NONE);
  g_assert_cmpint (kb_retry_after_from_time (-1, NOW_MS), ==, NONE);
  g_assert_cmpint (kb_retry_after_from_time (1e300, NOW_MS), ==, YEAR_MS);
  g_assert_cmpint (kb_retry_after_from_time (__builtin_nan (""), NOW_MS), ==, NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/retry-after/dates", test_dates);
  g_test_add_func ("/core/retry-after/two-digit-years", test_two_digit_years);
  g_test_add_func ("/core/retry-after/headers", test_headers);
  g_test_add_func ("/core/retry-after/durations", test_durations);
  g_test_add_func ("/core/retry-after/times", test_times);
  return g_test_run ();
}

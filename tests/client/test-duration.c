// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-duration.h"

static const struct
{
  double ms;
  const char *text;
} formats[] = {
  { 0, "0 s" },
  { 0.5, "0.5 ms" },
  { 1, "1 ms" },
  { 150, "150 ms" },
  { 999, "999 ms" },
  { 1000, "1 s" },
  { 1500, "1.5 s" },
  { 1234, "1234 ms" },
  { 45000, "45 s" },
  { 60000, "1 min" },
  { 90000, "1.5 min" },
  { 100000, "100 s" },
  { 300000, "5 min" },
  { 3600000, "1 h" },
  { 5400000, "1.5 h" },
  { 86400000, "1 d" },
  { 129600000, "1.5 d" },
  { 2147483647, "2147483647 ms" },
  { 9007199254740991, "9007199254740991 ms" },
};

/* Whatever is shown means the same number again. */
static void
test_format (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *text = kb_duration_format (formats[i].ms);
      double ms;

      g_assert_cmpstr (text, ==, formats[i].text);
      g_assert_true (kb_duration_parse (text, 0, &ms));
      g_assert_cmpfloat (ms, ==, formats[i].ms);
    }
}

static void
test_parse (void)
{
  static const struct
  {
    const char *text;
    double present;
    double ms; /* -1: refused */
  } rows[] = {
    { "30 s", 0, 30000 },
    { "30s", 0, 30000 },
    { " 2 m ", 0, 120000 },
    { "2min", 0, 120000 },
    { "1.5 h", 0, 5400000 },
    { "1,5 h", 0, 5400000 },
    { "0.1 s", 0, 100 },
    { "250ms", 0, 250 },
    { "2 D", 0, 172800000 },
    { "45", 30000, 45000 },
    { "45", 60000, 2700000 },
    { "45", 150, 45 },
    { "45", 0, 45000 },
    { "", 0, -1 },
    { "s", 0, -1 },
    { "-5 s", 0, -1 },
    { "5 apples", 0, -1 },
    { "1e999", 0, -1 },
    { "inf", 0, -1 },
    { "nan", 0, -1 },
    { "0x10 s", 0, -1 },
    { "3 s 4", 0, -1 },
    { "1 days", 0, 86400000 },
    { "1.0005 s", 0, 1000.5 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double ms = -1;
      gboolean taken = kb_duration_parse (rows[i].text, rows[i].present, &ms);

      g_test_message ("“%s”", rows[i].text);
      g_assert_cmpint (taken, ==, rows[i].ms >= 0);
      if (taken)
        g_assert_cmpfloat (ms, ==, rows[i].ms);
    }
}

static void
test_step (void)
{
  double last = 0;

  for (double ms = 1; ms < 1e9; ms *= 1.7)
    {
      double step = kb_duration_get_step (ms);

      g_assert_cmpfloat (step, >=, last);
      g_assert_cmpfloat (step, >, 0);
      last = step;
    }
  g_assert_cmpfloat (kb_duration_get_step (30000), ==, 5000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/client/duration/format", test_format);
  g_test_add_func ("/client/duration/parse", test_parse);
  g_test_add_func ("/client/duration/step", test_step);

  return g_test_run ();
}

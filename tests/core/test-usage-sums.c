// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-usage-sums.h"

static void
add (KbUsageSums *sums, guint32 day, const char *channel, gint64 input)
{
  kb_usage_sums_add (
      sums, day, channel,
      &(KbUsageSum) { .answers = 1, .input = input, .cached = input / 2, .output = 7 });
}

static void
test_sums (void)
{
  g_autoptr (KbUsageSums) sums = kb_usage_sums_new ();
  KbUsageSum sum;

  add (sums, 100, "a::x", 10);
  add (sums, 100, "b::y", 1);
  add (sums, 102, "a::x", 20);
  add (sums, 101, "a::x", 40); /* the clock went back */
  add (sums, 102, "a::x", 80);

  kb_usage_sums_get (sums, 102, 102, "a::x", &sum);
  g_assert_cmpint (sum.answers, ==, 2);
  g_assert_cmpint (sum.input, ==, 100);
  g_assert_cmpint (sum.cached, ==, 50);
  g_assert_cmpint (sum.output, ==, 14);
  kb_usage_sums_get (sums, 100, 101, NULL, &sum);
  g_assert_cmpint (sum.input, ==, 51);
  kb_usage_sums_get (sums, 103, 200, NULL, &sum);
  g_assert_cmpint (sum.answers, ==, 0);
  g_assert_cmpuint (kb_usage_sums_get_n_days (sums), ==, 3);
}

static void
look (guint32 day, const char *channel, const KbUsageSum *sum, gpointer user_data)
{
  g_string_append_printf (user_data, "%u %s %d;", day, channel, (int) sum->input);
}

static void
test_order (void)
{
  g_autoptr (KbUsageSums) sums = kb_usage_sums_new ();
  g_autoptr (GString) seen = g_string_new (NULL);

  add (sums, 7, "b", 1);
  add (sums, 5, "a", 2);
  add (sums, 7, "a", 3);
  kb_usage_sums_foreach (sums, look, seen);
  g_assert_cmpstr (seen->str, ==, "5 a 2;7 b 1;7 a 3;");
}

/* However long it runs and whatever is asked for, so much is kept and no more. */
static void
test_bounds (void)
{
  g_autoptr (KbUsageSums) sums = kb_usage_sums_new ();
  KbUsageSum sum;

  for (guint32 day = 1; day <= 1000; day++)
    add (sums, day, "a", 1);
  g_assert_cmpuint (kb_usage_sums_get_n_days (sums), ==, KB_USAGE_MOST_DAYS);
  kb_usage_sums_get (sums, 1, 1000, NULL, &sum);
  g_assert_cmpint (sum.answers, ==, KB_USAGE_MOST_DAYS);
  add (sums, 3, "a", 1); /* older than all that is kept */
  kb_usage_sums_get (sums, 3, 3, NULL, &sum);
  g_assert_cmpint (sum.answers, ==, 0);
  for (guint i = 0; i < 2 * KB_USAGE_MOST_CHANNELS; i++)
    {
      g_autofree char *channel = g_strdup_printf ("c%u", i);

      add (sums, 1000, channel, 1);
    }
  kb_usage_sums_get (sums, 1000, 1000, NULL, &sum);
  g_assert_cmpint (sum.answers, ==, KB_USAGE_MOST_CHANNELS);
}

static void
test_odd_numbers (void)
{
  g_autoptr (KbUsageSums) sums = kb_usage_sums_new ();
  KbUsageSum sum;

  add (sums, 1, "a", -5);
  add (sums, 1, "a", G_MAXINT64);
  add (sums, 1, "a", G_MAXINT64);
  kb_usage_sums_get (sums, 1, 1, "a", &sum);
  g_assert_cmpint (sum.input, ==, G_MAXINT64);
  g_assert_cmpint (sum.answers, ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/usage-sums/sums", test_sums);
  g_test_add_func ("/core/usage-sums/order", test_order);
  g_test_add_func ("/core/usage-sums/bounds", test_bounds);
  g_test_add_func ("/core/usage-sums/odd-numbers", test_odd_numbers);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-usage-codec.h"

#include <string.h>

static guint32
day_of (GDateDay day, GDateMonth month, GDateYear year)
{
  GDate date;

  g_date_set_dmy (&date, day, month, year);
  return g_date_get_julian (&date);
}

static const char written[] = "{\n"
                              "  \"version\": 1,\n"
                              "  \"days\": {\n"
                              "    \"2026-11-30\": {\n"
                              "      \"a::x\": { \"answers\": 1, \"input\": 10, \"cached\": 4, "
                              "\"output\": 3 },\n"
                              "      \"b::\\\"\": { \"answers\": 2, \"input\": 9007199254740991, "
                              "\"cached\": 0, \"output\": 0 }\n"
                              "    },\n"
                              "    \"2026-12-01\": {\n"
                              "      \"a::x\": { \"answers\": 1, \"input\": 1, \"cached\": 0, "
                              "\"output\": 1 }\n"
                              "    }\n"
                              "  }\n"
                              "}\n";

static void
test_both_ways (void)
{
  g_autoptr (KbUsageSums) sums = kb_usage_sums_new ();
  guint32 first = day_of (30, G_DATE_NOVEMBER, 2026);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;
  g_autoptr (KbUsageSums) read = NULL;

  kb_usage_sums_add (sums, first, "a::x", &(KbUsageSum) { 1, 10, 4, 3 });
  kb_usage_sums_add (sums, first, "b::\"", &(KbUsageSum) { 2, 9007199254740991, 0, 0 });
  kb_usage_sums_add (sums, first + 1, "a::x", &(KbUsageSum) { 1, 1, 0, 1 });
  bytes = kb_usage_encode (sums);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), written,
                   strlen (written));
  read = kb_usage_decode (bytes);
  again = kb_usage_encode (read);
  g_assert_true (g_bytes_equal (bytes, again));
}

static void
test_nothing (void)
{
  g_autoptr (KbUsageSums) sums = kb_usage_sums_new ();
  g_autoptr (GBytes) bytes = kb_usage_encode (sums);
  g_autoptr (KbUsageSums) read = kb_usage_decode (bytes);

  g_assert_cmpuint (kb_usage_sums_get_n_days (read), ==, 0);
}

static const struct
{
  const char *text;
  gboolean is_file;
  gint64 input;
} odd[] = {
  { "", FALSE, 0 },
  { "[]", FALSE, 0 },
  { "{\"days\":[]}", FALSE, 0 },
  { "{\"days\":{\"2026-12-01\":", FALSE, 0 },
  { "{\"days\":{}}", TRUE, 0 },
  { "{\"days\":{\"2026-12-01\":5,\"tomorrowish\":{\"a\":{\"input\":3}},\"2026-12-02\":{\"a\":7,"
    "\"b\":{\"input\":\"x\",\"output\":-4},\"c\":{\"input\":5,\"more\":1}}}}",
    TRUE, 5 },
};

static void
test_odd_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (odd[i].text, strlen (odd[i].text));
      g_autoptr (KbUsageSums) sums = kb_usage_decode (bytes);
      KbUsageSum sum;

      g_assert_cmpint (sums != NULL, ==, odd[i].is_file);
      if (sums == NULL)
        continue;
      kb_usage_sums_get (sums, 0, G_MAXUINT32, NULL, &sum);
      g_assert_cmpint (sum.input, ==, odd[i].input);
      g_assert_cmpint (sum.output, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/usage-codec/both-ways", test_both_ways);
  g_test_add_func ("/store/usage-codec/nothing", test_nothing);
  g_test_add_func ("/store/usage-codec/odd-files", test_odd_files);
  return g_test_run ();
}

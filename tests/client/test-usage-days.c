// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-usage-days.h"

#include <glib/gstdio.h>

#include "../support/folder.h"

/* 2026-12-01T12:00:00Z */
#define NOW G_GINT64_CONSTANT (1796126400000)

static const char file[]
    = "{\"version\":1,\"days\":{"
      "\"2026-11-17\":{\"a::x\":{\"answers\":9,\"input\":99999,\"cached\":0,\"output\":9}},"
      "\"2026-11-18\":{\"a::x\":{\"answers\":1,\"input\":10,\"cached\":4,\"output\":3}},"
      "\"2026-12-01\":{\"b::y\":{\"answers\":2,\"input\":4000000,\"cached\":1000000,\"output\":"
      "1500},"
      "\"a::x\":{\"answers\":1,\"input\":1,\"cached\":0,\"output\":1}},"
      "\"2026-12-02\":{\"a::x\":{\"answers\":7,\"input\":7,\"cached\":0,\"output\":7}}}}";

static void
test_days (void)
{
  g_autofree char *dir = g_dir_make_tmp ("koboshi-usage-XXXXXX", NULL);
  g_autofree char *path = kb_usage_days_get_path (dir);
  g_autoptr (KbUsageDays) days = NULL;
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  g_autofree char *sentence = NULL;

  g_assert_true (g_file_set_contents (path, file, -1, NULL));
  days = kb_usage_days_load (dir, 14, NOW);
  g_assert_cmpuint (days->n_days, ==, 14);
  g_assert_cmpint (days->days[0].input, ==, 10);
  g_assert_cmpint (days->days[0].cached, ==, 4);
  g_assert_cmpint (days->days[13].input, ==, 4000001);
  g_assert_cmpint (days->all.answers, ==, 4);
  g_assert_cmpint (days->all.input, ==, 4000011);
  g_assert_cmpuint (days->channels->len, ==, 2);
  g_assert_cmpstr (((KbUsageShare *) days->channels->pdata[0])->channel, ==, "b::y");
  g_assert_cmpint (((KbUsageShare *) days->channels->pdata[1])->sum.input, ==, 11);
  first = kb_usage_days_format_date (days, 0);
  last = kb_usage_days_format_date (days, 13);
  g_assert_cmpstr (first, ==, "18 Nov");
  g_assert_cmpstr (last, ==, "1 Dec");
  sentence = kb_usage_days_describe (days);
  g_assert_cmpstr (sentence, ==,
                   "Tokens of the last 14 days: 4.0 M in, 1.0 M of them cached, 1.5 k out.");
  remove_tree (dir);
}

/* No file, and one that is none, tell of nothing. */
static void
test_nothing (void)
{
  static const char *const texts[] = { NULL, "", "[]", "{\"days\":" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *dir = g_dir_make_tmp ("koboshi-usage-XXXXXX", NULL);
      g_autofree char *path = kb_usage_days_get_path (dir);
      g_autoptr (KbUsageDays) days = NULL;

      if (texts[i] != NULL)
        g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      days = kb_usage_days_load (dir, 7, NOW);
      g_assert_cmpuint (days->n_days, ==, 7);
      g_assert_cmpint (days->all.answers, ==, 0);
      g_assert_cmpuint (days->channels->len, ==, 0);
      remove_tree (dir);
    }
}

static const struct
{
  gint64 tokens;
  const char *text;
} tokens[] = {
  { 0, "0" },           { 999, "999" },        { 1000, "1.0 k" },
  { 12345, "12.3 k" },  { 999949, "999.9 k" }, { 999950, "1.0 M" },
  { 4500000, "4.5 M" }, { -3, "0" },
};

static void
test_tokens (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      g_autofree char *text = kb_format_tokens (tokens[i].tokens);

      g_assert_cmpstr (text, ==, tokens[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/usage-days/days", test_days);
  g_test_add_func ("/client/usage-days/nothing", test_nothing);
  g_test_add_func ("/client/usage-days/tokens", test_tokens);
  return g_test_run ();
}

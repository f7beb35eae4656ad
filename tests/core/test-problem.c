// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-problem.h"

static void
test_place (void)
{
  static const struct
  {
    const char *file;
    guint line, column;
    const char *place;
  } cases[] = {
    { "/h/x.yml", 5, 9, "/h/x.yml:5:9" },
    { "/h/x.yml", 5, 0, "/h/x.yml:5" },
    { "/h/x.yml", 0, 0, "/h/x.yml" },
    { NULL, 5, 9, "-" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbProblem) problem = kb_problem_new (KB_SEVERITY_WARNING, "c", cases[i].file,
                                                      cases[i].line, cases[i].column, "m", NULL);
      g_autofree char *place = kb_problem_describe_place (problem);

      g_assert_cmpstr (place, ==, cases[i].place);
    }
}

static void
test_equal (void)
{
  g_autoptr (KbProblem) a = kb_problem_new (KB_SEVERITY_ERROR, "bad-number", "/f", 1, 2, "m", "h");
  g_autoptr (KbProblem) same = kb_problem_copy (a);
  g_autoptr (KbProblem) elsewhere
      = kb_problem_new (KB_SEVERITY_ERROR, "bad-number", "/f", 1, 3, "m", "h");
  g_autoptr (KbProblem) no_hint
      = kb_problem_new (KB_SEVERITY_ERROR, "bad-number", "/f", 1, 2, "m", NULL);

  g_assert_true (kb_problem_equal (a, same));
  g_assert_false (kb_problem_equal (a, elsewhere));
  g_assert_false (kb_problem_equal (a, no_hint));
}

static void
test_severity_words (void)
{
  g_assert_cmpstr (kb_severity_to_string (KB_SEVERITY_INFO), ==, "info");
  g_assert_cmpstr (kb_severity_to_string (KB_SEVERITY_WARNING), ==, "warning");
  g_assert_cmpstr (kb_severity_to_string (KB_SEVERITY_ERROR), ==, "error");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/problem/place", test_place);
  g_test_add_func ("/core/problem/equal", test_equal);
  g_test_add_func ("/core/problem/severity-words", test_severity_words);
  return g_test_run ();
}

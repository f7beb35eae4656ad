// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-application.h"

static int
run (const char *option, const char *value)
{
  g_autoptr (KbApplication) application = kb_application_new ();
  const char *argv[] = { "koboshi", option, value, NULL };

  return g_application_run (G_APPLICATION (application), value != NULL ? 3 : 2, (char **) argv);
}

/* Answered by the program that was typed, whatever runs already. */
static void
test_options (void)
{
  g_assert_cmpint (run ("--version", NULL), ==, 0);
  g_assert_cmpint (run ("--home", ""), ==, 2);
  g_assert_cmpint (run ("--home", " "), ==, 2);
  g_assert_cmpint (run ("--profile", ""), ==, 2);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  g_test_add_func ("/app/application/options", test_options);

  return g_test_run ();
}

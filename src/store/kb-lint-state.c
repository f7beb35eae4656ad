// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Whose channel health is in a state file. Several profiles on the default file are normal;
 * a profile for tests among them spoils what the others know, and a path into the folder of
 * another profile is a slip of copying.
 */

#include "config.h"

#include "store/kb-lint-state.h"

#include <glib/gi18n-lib.h>

#include "store/kb-yaml-file.h"

static gboolean
is_test_word (const char *word)
{
  static const char *const words[]
      = { "test", "tests", "testing", "mock", "mocks", "e2e", "fake", "sandbox", "drill", "dummy" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (words[i], word) == 0)
      return TRUE;
  return FALSE;
}

/* "my-test_2" is one, "latest" and "contest" are none. */
static gboolean
is_test_name (const char *name)
{
  g_auto (GStrv) words = g_strsplit_set (name, "-_. 0123456789", -1);

  if (is_test_word (name))
    return TRUE;
  for (gsize i = 0; words[i] != NULL; i++)
    if (is_test_word (words[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_only_test_channels (const KbDarumaConfig *daruma)
{
  for (guint i = 0; i < daruma->channels->len; i++)
    if (!is_test_name (((const KbChannelRef *) daruma->channels->pdata[i])->provider))
      return FALSE;
  return daruma->channels->len > 0;
}

static gboolean
is_for_tests (const KbLintProfile *profile)
{
  return is_test_name (profile->name) || has_only_test_channels (profile->daruma);
}

static gboolean
writes (const KbDarumaConfig *daruma)
{
  return daruma->configured && !daruma->disabled && daruma->channels->len > 0;
}

static void
report (const KbLintProfile *tests, const KbLintProfile *other, GPtrArray *problems)
{
  const KbProvenance *row = &tests->daruma->row;
  g_autofree char *message = g_strdup_printf (
      _ ("the profile “%s” looks like one for tests and writes its failures into the state file "
         "of “%s”"),
      tests->name, other->name);
  g_autofree char *hint = g_strdup_printf (
      _ ("Give it a file of its own, for example “stateFile: %s/channel-health.json”; its log "
         "follows."),
      tests->dir);

  if (row->file != NULL)
    kb_yaml_file_add_problem (problems,
                              kb_problem_new (KB_SEVERITY_WARNING, "shared-state", row->file,
                                              row->line, row->column, message, hint));
}

static gboolean
lies_in (const char *path, const char *dir)
{
  g_autofree char *folder = g_strconcat (dir, "/", NULL);

  return g_str_has_prefix (path, folder);
}

static void
report_foreign (const KbLintProfile *profile, const KbLintProfile *owner, GPtrArray *problems)
{
  const KbProvenance *row = &profile->daruma->row;
  g_autofree char *message
      = g_strdup_printf (_ ("the state file lies in the folder of the profile “%s”"), owner->name);
  g_autofree char *hint = g_strdup_printf (
      _ ("Write a path in “%s”, or remove “stateFile” for the common one."), profile->dir);

  if (row->file != NULL)
    kb_yaml_file_add_problem (problems,
                              kb_problem_new (KB_SEVERITY_WARNING, "shared-state", row->file,
                                              row->line, row->column, message, hint));
}

/**
 * kb_lint_shared_state:
 * @profile: a profile
 * @other: another one of the same home
 * @problems: (element-type KbProblem): where findings go
 *
 * Says whether one of the two spoils the state of the other. What a row of the home gives to
 * all profiles is said to none.
 */
void
kb_lint_shared_state (const KbLintProfile *profile, const KbLintProfile *other, GPtrArray *problems)
{
  g_return_if_fail (profile != NULL && other != NULL && problems != NULL);

  if (!writes (profile->daruma) || profile->daruma->row.origin == KB_ORIGIN_HOME)
    return;
  if (lies_in (profile->daruma->state_file, other->dir))
    report_foreign (profile, other, problems);
  else if (writes (other->daruma)
           && g_str_equal (profile->daruma->state_file, other->daruma->state_file)
           && is_for_tests (profile) != is_for_tests (other))
    report (is_for_tests (profile) ? profile : other, is_for_tests (profile) ? other : profile,
            problems);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "core/kb-problem.h"
#include "store/kb-edit-op.h"
#include "store/kb-profile.h"

/* Numbers of lines move with an edit; the problem stays the same. */
static char *
get_fingerprint (const KbProblem *problem)
{
  g_autofree char *message = g_strdup (problem->message);

  for (char *c = message; *c != '\0'; c++)
    if (g_ascii_isdigit (*c))
      *c = '0';
  return g_strdup_printf ("%d %s %s %s", problem->severity, problem->code, problem->file, message);
}

static GHashTable *
count_problems (const GPtrArray *problems)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      char *key = get_fingerprint (problems->pdata[i]);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key));

      g_hash_table_replace (counts, key, GUINT_TO_POINTER (count + 1));
    }
  return counts;
}

static gboolean
was_there (GHashTable *counts, const KbProblem *problem)
{
  g_autofree char *key = get_fingerprint (problem);
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key));

  if (count == 0)
    return FALSE;
  g_hash_table_replace (counts, g_steal_pointer (&key), GUINT_TO_POINTER (count - 1));
  return TRUE;
}

static gboolean
fail_rejected (GError **error, const KbProblem *problem)
{
  g_autofree char *place = kb_problem_describe_place (problem);

  g_set_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_REJECTED,
               /* Translators: a place in a file, a problem, its code, what to do about it */
               _ ("The host would not take this: %s: %s [%s] %s Nothing was saved."), place,
               problem->message, problem->code, problem->hint != NULL ? problem->hint : "");
  return FALSE;
}

/**
 * kb_edit_check_config:
 * @config: the files, with the edit in them
 * @file: the one that was changed
 * @warnings: (element-type KbProblem): emptied; then what is new and only a warning
 * @error: return location for KB_EDIT_ERROR_REJECTED
 *
 * Compares the problems of the profile as it is with those it would have.
 *
 * Returns: whether no error is new
 */
gboolean
kb_edit_check_config (const KbConfig *config,
                      KbConfigFile file,
                      GPtrArray *warnings,
                      GError **error)
{
  const char *path = kb_config_get_file (config, file)->path;
  const char *home = kb_config_get_home (config);
  const char *profile = kb_config_get_profile (config);
  g_autoptr (KbProfile) before = kb_profile_load (home, profile, error);
  g_autoptr (KbProfile) after = NULL;
  g_autoptr (GHashTable) known = NULL;
  const GPtrArray *problems;
  const KbProblem *worst = NULL;

  if (before == NULL)
    return FALSE;
  after = kb_profile_load_preview (home, profile, path, kb_config_get_bytes (config, file), error);
  if (after == NULL)
    return FALSE;
  known = count_problems (kb_profile_get_problems (before));
  problems = kb_profile_get_problems (after);
  g_ptr_array_set_size (warnings, 0);
  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];

      if (was_there (known, problem))
        continue;
      if (problem->severity == KB_SEVERITY_ERROR && worst == NULL)
        worst = problem;
      else if (problem->severity == KB_SEVERITY_WARNING)
        g_ptr_array_add (warnings, kb_problem_copy (problem));
    }
  return worst == NULL || fail_rejected (error, worst);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "core/kb-problem.h"
#include "store/kb-edit-op.h"
#include "store/kb-lint.h"

static gboolean
fail_rejected (GError **error, KbConfigFile file, const KbProblem *problem)
{
  g_autofree char *place = kb_problem_describe_place (problem);

  g_set_error (error, KB_EDIT_ERROR, KB_EDIT_ERROR_REJECTED,
               /* Translators: a place in a file, a problem, its code, what to do about it */
               file == KB_CONFIG_KOBOSHI
                   ? _ ("The gateway would not take this: %s: %s [%s] %s Nothing was saved.")
                   : _ ("The host would not take this: %s: %s [%s] %s Nothing was saved."),
               place, problem->message, problem->code, problem->hint != NULL ? problem->hint : "");
  return FALSE;
}

static gboolean
has_trouble (const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    if (((const KbProblem *) problems->pdata[i])->severity != KB_SEVERITY_INFO)
      return TRUE;
  return FALSE;
}

/*
 * An error that was there already does not forbid to work on the file, perhaps to mend it. But
 * as long as it is there the host takes nothing of what is saved, which must be said.
 */
static void
add_old_error (GPtrArray *warnings, const GPtrArray *problems, const char *path)
{
  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];

      if (problem->severity != KB_SEVERITY_ERROR || g_strcmp0 (problem->file, path) != 0)
        continue;
      g_ptr_array_insert (warnings, 0, kb_problem_copy (problem));
      return;
    }
}

/**
 * kb_edit_check_config:
 * @config: the files, with the edit in them
 * @file: the one that was changed
 * @warnings: (element-type KbProblem): emptied; then the first error the file has anyway, and
 *   what is new and only a warning
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
  g_autoptr (KbProfile) before = NULL;
  g_autoptr (KbProfile) after = NULL;
  g_autoptr (GPtrArray) added = NULL;
  const KbProblem *worst = NULL;
  const char *home;
  const char *name;

  g_return_val_if_fail (config != NULL && warnings != NULL, FALSE);

  home = kb_config_get_home (config);
  name = kb_config_get_profile (config);
  g_ptr_array_set_size (warnings, 0);
  after = kb_profile_load_with (home, name, kb_config_get_file (config, file)->path,
                                kb_config_get_bytes (config, file), error);
  if (after == NULL)
    return FALSE;
  if (!has_trouble (kb_profile_get_problems (after)))
    return TRUE; /* so none is new */
  before = kb_profile_load (home, name, error);
  if (before == NULL)
    return FALSE;
  added = kb_lint_list_added (kb_profile_get_problems (before), kb_profile_get_problems (after));
  for (guint i = 0; i < added->len; i++)
    {
      const KbProblem *problem = added->pdata[i];

      if (problem->severity == KB_SEVERITY_ERROR && worst == NULL)
        worst = problem;
      else if (problem->severity == KB_SEVERITY_WARNING)
        g_ptr_array_add (warnings, kb_problem_copy (problem));
    }
  if (worst != NULL)
    return fail_rejected (error, file, worst);
  add_old_error (warnings, kb_profile_get_problems (after),
                 kb_config_get_file (config, file)->path);
  return TRUE;
}

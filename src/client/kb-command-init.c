// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-own-home.h"
#include "client/kb-text.h"
#include "store/kb-paths.h"

static char *
find_place (KbInvocation *invocation)
{
  KbPathsFacts facts = { 0 };

  if (invocation->globals.home == NULL)
    return kb_own_home_get_path ();
  kb_paths_facts_from_process (&facts);
  return kb_paths_expand (&facts, invocation->globals.home);
}

static KbExit
print_json (
    KbInvocation *invocation, const char *home, const char *profile, const char *did, GStrv missing)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *shown = g_utf8_make_valid (home, -1);
  g_autofree char *json = NULL;
  gboolean dry = kb_invocation_has (invocation, "dry-run");

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "did");
  json_builder_add_string_value (builder, did);
  json_builder_set_member_name (builder, "changed");
  json_builder_add_boolean_value (builder, missing[0] != NULL && !dry);
  json_builder_set_member_name (builder, "dryRun");
  json_builder_add_boolean_value (builder, dry);
  json_builder_set_member_name (builder, "home");
  json_builder_add_string_value (builder, shown);
  json_builder_set_member_name (builder, "profile");
  json_builder_add_string_value (builder, profile);
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (char **path = missing; *path != NULL; path++)
    {
      g_autofree char *valid = g_utf8_make_valid (*path, -1);

      json_builder_add_string_value (builder, valid);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return kb_invocation_print_line (invocation, json) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

static KbExit
print_text (KbInvocation *invocation, const char *did, GStrv missing)
{
  g_autofree char *shown = kb_text_make_printable (did);

  if (!kb_invocation_print_line (invocation, shown))
    return KB_EXIT_FAILED;
  for (char **path = missing; *path != NULL; path++)
    {
      g_autofree char *name = kb_text_make_printable (*path);
      g_autofree char *line = g_strconcat ("  ", name, NULL);

      if (!kb_invocation_print_line (invocation, line))
        return KB_EXIT_FAILED;
    }
  return KB_EXIT_DONE;
}

/* A home that others outrank is easily made and then not found. */
static void
warn_if_outranked (KbInvocation *invocation, const char *home)
{
  KbPathsFacts facts = { 0 };
  g_autofree char *used = NULL;
  g_autofree char *shown = NULL;

  kb_paths_facts_from_process (&facts);
  used = kb_paths_resolve_home (&facts, NULL);
  if (g_str_equal (used, home) || invocation->globals.quiet)
    return;
  shown = kb_text_make_printable (used);
  kb_invocation_complain (invocation,
                          _ ("note: without --home, %s is used; choose the new home in the panel "
                             "or name it with --home"),
                          shown);
}

static char *
describe (KbInvocation *invocation, const char *home, const char *profile, GStrv missing)
{
  if (missing[0] == NULL)
    return g_strdup_printf (_ ("Nothing to do: %1$s has the profile “%2$s” already"), home,
                            profile);
  if (kb_invocation_has (invocation, "dry-run"))
    return g_strdup_printf (_ ("Would make the home %1$s with the profile “%2$s”"), home, profile);
  return g_strdup_printf (_ ("Made the home %1$s with the profile “%2$s”"), home, profile);
}

/**
 * kb_command_init:
 * @invocation: the verb `init`
 *
 * Makes Koboshi's own home, or one at the place that --home names.
 *
 * Returns: the exit status
 */
KbExit
kb_command_init (KbInvocation *invocation)
{
  g_autofree char *home = NULL;
  g_autofree char *did = NULL;
  g_auto (GStrv) missing = NULL;
  g_autoptr (GError) error = NULL;
  const char *profile;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  profile = invocation->globals.profile != NULL ? invocation->globals.profile : KB_OWN_HOME_PROFILE;
  home = find_place (invocation);
  if (!kb_own_home_check (home, profile, &error))
    {
      kb_command_fail (invocation, error);
      return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS) ? KB_EXIT_REFUSED
                                                                    : KB_EXIT_USAGE;
    }
  missing = kb_own_home_list_missing (home, profile);
  if (!kb_invocation_has (invocation, "dry-run") && !kb_own_home_make (home, profile, &error))
    return kb_command_fail (invocation, error);
  did = describe (invocation, home, profile, missing);
  result = invocation->globals.json ? print_json (invocation, home, profile, did, missing)
                                    : print_text (invocation, did, missing);
  warn_if_outranked (invocation, home);
  return result;
}

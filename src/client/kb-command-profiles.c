// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "client/kb-invocation.h"
#include "client/kb-text.h"
#include "store/kb-paths.h"

static gboolean
print_json (KbInvocation *invocation, const char *home, const char *const *names)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *shown = g_utf8_make_valid (home, -1);
  g_autofree char *json = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "home");
  json_builder_add_string_value (builder, shown);
  json_builder_set_member_name (builder, "profiles");
  json_builder_begin_array (builder);
  for (; *names != NULL; names++)
    {
      g_autofree char *name = g_utf8_make_valid (*names, -1);

      json_builder_add_string_value (builder, name);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, TRUE);
  return kb_invocation_print_line (invocation, json);
}

static gboolean
print_text (KbInvocation *invocation, const char *const *names)
{
  for (; *names != NULL; names++)
    {
      g_autofree char *name = kb_text_make_printable (*names);

      if (!kb_invocation_print_line (invocation, name))
        return FALSE;
    }
  return TRUE;
}

/**
 * kb_command_profiles:
 * @invocation: the verb `profiles`
 *
 * Prints the names of the home's profiles, one a line.
 *
 * Returns: the exit status
 */
KbExit
kb_command_profiles (KbInvocation *invocation)
{
  g_autofree char *home = NULL;
  g_auto (GStrv) names = NULL;
  gboolean written;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  result = kb_invocation_open_home (invocation, &home, NULL);
  if (result != KB_EXIT_DONE)
    return result;
  names = kb_paths_list_profiles (home);
  if (invocation->globals.json)
    written = print_json (invocation, home, (const char *const *) names);
  else
    written = print_text (invocation, (const char *const *) names);
  return written ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

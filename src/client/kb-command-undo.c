// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-edit-home.h"
#include "client/kb-text.h"
#include "store/kb-diff.h"

static char *
make_diff (const KbUndo *undo, const char *home)
{
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  gsize length = strlen (home);
  gboolean inside = g_str_has_prefix (undo->path, home) && undo->path[length] == '/';
  const char *label = inside ? undo->path + length + 1 : undo->path + 1;

  return kb_diff_unified (label, undo->result != NULL ? label : NULL, undo->present,
                          undo->result != NULL ? undo->result : nothing);
}

static gboolean
print_json (KbInvocation *invocation, const KbUndo *undo, const char *did, const char *diff)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *path = g_utf8_make_valid (undo->path, -1);
  g_autofree char *shown = g_utf8_make_valid (diff, -1);
  g_autofree char *json = NULL;
  gboolean dry = kb_invocation_has (invocation, "dry-run");

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "did");
  json_builder_add_string_value (builder, did);
  json_builder_set_member_name (builder, "changed");
  json_builder_add_boolean_value (builder, !dry);
  json_builder_set_member_name (builder, "dryRun");
  json_builder_add_boolean_value (builder, dry);
  json_builder_set_member_name (builder, "file");
  json_builder_add_string_value (builder, path);
  json_builder_set_member_name (builder, "merged");
  json_builder_add_boolean_value (builder, undo->merged);
  json_builder_set_member_name (builder, "diff");
  json_builder_add_string_value (builder, shown);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return kb_invocation_print_line (invocation, json);
}

static KbExit
report (KbInvocation *invocation, const KbUndo *undo, const char *home)
{
  g_autofree char *diff = make_diff (undo, home);
  g_autofree char *raw
      = undo->result != NULL
            ? g_strdup_printf (_ ("Took back “%s” in %s"), undo->description, undo->path)
            : g_strdup_printf (_ ("Took back “%s”: %s is gone again"), undo->description,
                               undo->path);
  g_autofree char *did = kb_text_make_printable (raw);
  gboolean written;

  if (invocation->globals.json)
    written = print_json (invocation, undo, did, diff);
  else if (kb_invocation_has (invocation, "dry-run"))
    written = kb_invocation_print (invocation, diff);
  else
    written
        = kb_invocation_print_line (invocation, did)
          && (!undo->merged
              || kb_invocation_print_line (
                  invocation, _ ("note: what was changed elsewhere in the file since is kept")));
  return written ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

/**
 * kb_command_undo:
 * @invocation: the verb `undo`
 *
 * Takes back the newest edit of the home that Koboshi made.
 *
 * Returns: the exit status
 */
KbExit
kb_command_undo (KbInvocation *invocation)
{
  g_autofree char *home = NULL;
  g_autofree char *state_dir = NULL;
  g_autoptr (KbUndo) undo = NULL;
  g_autoptr (GError) error = NULL;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  result = kb_invocation_open_home (invocation, &home, NULL);
  if (result != KB_EXIT_DONE)
    return result;
  state_dir = kb_edit_home_get_state_dir (home);
  undo = kb_edit_home_undo (state_dir, NULL, kb_invocation_has (invocation, "dry-run"), &error);
  if (undo == NULL)
    return kb_command_fail (invocation, error);
  return report (invocation, undo, home);
}

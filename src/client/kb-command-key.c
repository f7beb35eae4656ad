// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "client/kb-key-input.h"
#include "client/kb-keys.h"
#include "client/kb-text.h"

/* What scripts read; never translated. */
static const char *const place_words[KB_KEY_N_PLACES]
    = { "environment", "keyring", "credentials", "dotenv" };

typedef struct
{
  GMainLoop *loop;
  GAsyncResult *result; /* owned */
} Wait;

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Wait *wait = user_data;

  wait->result = g_object_ref (result);
  g_main_loop_quit (wait->loop);
}

static GAsyncResult *
wait_for (Wait *wait)
{
  if (wait->result == NULL)
    g_main_loop_run (wait->loop);
  g_main_loop_unref (wait->loop);
  return wait->result;
}

/* The desktop may open a dialog only for somebody who sits there. */
static KbKeyringManner
get_manner (void)
{
  return isatty (STDIN_FILENO) || isatty (STDERR_FILENO) ? KB_KEYRING_ASK : KB_KEYRING_SILENT;
}

static KbExit
fail (KbInvocation *invocation, const GError *error)
{
  g_autofree char *message = kb_text_make_printable (error->message);

  kb_invocation_complain (invocation, "%s", message);
  return g_error_matches (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID) ? KB_EXIT_REFUSED
                                                                     : KB_EXIT_FAILED;
}

/* What was given is not repeated: it may be the key. */
static KbExit
refuse_words (KbInvocation *invocation)
{
  kb_invocation_complain (invocation,
                          _ ("usage: koboshictl key set NAME, key forget NAME, key check "
                             "[NAME]. A name is a word such as OPENAI_API_KEY; the key itself is "
                             "read from the standard input, never from an argument"));
  return KB_EXIT_USAGE;
}

static KbExit
report (KbInvocation *invocation, const char *name, const char *did, gboolean changed)
{
  gboolean dry = kb_invocation_has (invocation, "dry-run");
  g_autoptr (JsonBuilder) builder = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  if (!invocation->globals.json)
    return kb_invocation_print_line (invocation, did) ? KB_EXIT_DONE : KB_EXIT_FAILED;
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "did");
  json_builder_add_string_value (builder, did);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, name);
  json_builder_set_member_name (builder, "changed");
  json_builder_add_boolean_value (builder, changed && !dry);
  json_builder_set_member_name (builder, "dryRun");
  json_builder_add_boolean_value (builder, dry);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return kb_invocation_print_line (invocation, json) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

static void
warn_of_environment (KbInvocation *invocation, const char *name)
{
  const char *value = g_getenv (name);

  if (value == NULL || *value == '\0' || invocation->globals.quiet)
    return;
  kb_invocation_complain (invocation,
                          _ ("note: the environment has %s too, and what is there counts before "
                             "the keyring"),
                          name);
}

static KbExit
set (KbInvocation *invocation, KbKeys *keys, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSecret) key = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *prompt = NULL;
  g_autofree char *did = NULL;
  Wait wait = { NULL };

  /* Translators: asks for a key in a terminal; what is typed does not appear */
  prompt = g_strdup_printf (_ ("Key for %s (it is not shown): "), name);
  key = kb_key_input_read (STDIN_FILENO, prompt, invocation->errors, &error);
  if (key == NULL)
    return fail (invocation, error);
  if (kb_invocation_has (invocation, "dry-run"))
    {
      did = g_strdup_printf (_ ("Would put the key %s into the keyring"), name);
      return report (invocation, name, did, FALSE);
    }
  wait.loop = g_main_loop_new (NULL, FALSE);
  kb_keys_set_async (keys, name, kb_secret_get_text (key), get_manner (), NULL, done_cb, &wait);
  result = wait_for (&wait);
  if (!kb_keys_set_finish (keys, result, &error))
    return fail (invocation, error);
  did = g_strdup_printf (_ ("Put the key %s into the keyring"), name);
  warn_of_environment (invocation, name);
  return report (invocation, name, did, TRUE);
}

static const KbKeyInfo *
check (KbKeys *keys, const char *name, GPtrArray **infos, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  Wait wait = { g_main_loop_new (NULL, FALSE), NULL };

  kb_keys_check_async (keys, name, NULL, done_cb, &wait);
  result = wait_for (&wait);
  *infos = kb_keys_check_finish (keys, result, error);
  return *infos != NULL && (*infos)->len > 0 ? (*infos)->pdata[0] : NULL;
}

static KbExit
preview_forget (KbInvocation *invocation, KbKeys *keys, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) infos = NULL;
  const KbKeyInfo *info = check (keys, name, &infos, &error);
  g_autofree char *did = NULL;

  if (info == NULL)
    return fail (invocation, error);
  did = g_strdup_printf (info->report->places[KB_KEY_PLACE_KEYRING].found
                             ? _ ("Would take the key %s out of the keyring")
                             : _ ("The keyring has no key %s"),
                         name);
  return report (invocation, name, did, FALSE);
}

static KbExit
forget (KbInvocation *invocation, KbKeys *keys, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *did = NULL;
  gboolean was_there = FALSE;
  Wait wait = { NULL };

  if (kb_invocation_has (invocation, "dry-run"))
    return preview_forget (invocation, keys, name);
  wait.loop = g_main_loop_new (NULL, FALSE);
  kb_keys_forget_async (keys, name, get_manner (), NULL, done_cb, &wait);
  result = wait_for (&wait);
  if (!kb_keys_forget_finish (keys, result, &was_there, &error))
    return fail (invocation, error);
  did = g_strdup_printf (
      was_there ? _ ("Took the key %s out of the keyring") : _ ("The keyring has no key %s"), name);
  return report (invocation, name, did, was_there);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  json_builder_set_member_name (builder, name);
  if (valid != NULL)
    json_builder_add_string_value (builder, valid);
  else
    json_builder_add_null_value (builder);
}

static void
add_info (JsonBuilder *builder, const KbKeyInfo *info)
{
  const KbKeyReport *known = info->report;

  json_builder_begin_object (builder);
  add_text (builder, "name", known->name);
  json_builder_set_member_name (builder, "found");
  json_builder_add_boolean_value (builder, known->found);
  add_text (builder, "from", known->found ? place_words[known->from] : NULL);
  json_builder_set_member_name (builder, "usedBy");
  json_builder_begin_array (builder);
  for (char **user = info->users; *user != NULL; user++)
    json_builder_add_string_value (builder, *user);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "places");
  json_builder_begin_array (builder);
  for (guint i = 0; i < KB_KEY_N_PLACES; i++)
    {
      json_builder_begin_object (builder);
      add_text (builder, "place", place_words[i]);
      json_builder_set_member_name (builder, "found");
      json_builder_add_boolean_value (builder, known->places[i].found);
      add_text (builder, "problem", known->places[i].problem);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static gboolean
print_json (KbInvocation *invocation, const char *home, const GPtrArray *infos)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  json_builder_begin_object (builder);
  add_text (builder, "home", home);
  json_builder_set_member_name (builder, "keys");
  json_builder_begin_array (builder);
  for (guint i = 0; i < infos->len; i++)
    add_info (builder, infos->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return kb_invocation_print_line (invocation, json);
}

static char *
describe (const KbKeyInfo *info)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const KbKeyReport *known = info->report;
  g_autofree char *where
      = known->found || known->locked ? kb_key_info_describe (info) : g_strdup (_ ("Not found"));
  g_autofree char *users = g_strjoinv (", ", info->users);

  g_string_append_printf (text, "%s: %s", info->report->name, where);
  g_string_append (text, "\n  ");
  if (*users != '\0')
    /* Translators: the providers that name a key */
    g_string_append_printf (text, _ ("used by: %s"), users);
  else
    g_string_append (text, _ ("used by no provider of this profile"));
  for (guint i = 0; i < KB_KEY_N_PLACES; i++)
    {
      const KbKeySighting *sighting = &info->report->places[i];
      g_autofree char *place = kb_keys_describe_place ((KbKeyPlace) i);

      g_string_append_printf (text, "\n  %s %s", sighting->found ? "✓" : "–", place);
      if (sighting->problem != NULL)
        g_string_append_printf (text, ": %s", sighting->problem);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static gboolean
print_text (KbInvocation *invocation, const GPtrArray *infos)
{
  if (infos->len == 0)
    return kb_invocation_print_line (invocation, _ ("No provider names a key"));
  for (guint i = 0; i < infos->len; i++)
    {
      g_autofree char *text = describe (infos->pdata[i]);
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

      for (char **line = lines; *line != NULL; line++)
        {
          g_autofree char *shown = kb_text_make_printable (*line);

          if (!kb_invocation_print_line (invocation, shown))
            return FALSE;
        }
    }
  return TRUE;
}

static KbExit
run_check (KbInvocation *invocation, const char *name)
{
  g_autofree char *home = NULL;
  g_autofree char *profile = NULL;
  g_autoptr (KbKeys) keys = NULL;
  g_autoptr (GPtrArray) infos = NULL;
  g_autoptr (GError) error = NULL;
  KbExit result = kb_invocation_open_home (invocation, &home, &profile);

  if (result != KB_EXIT_DONE)
    return result;
  keys = kb_keys_new (home, profile);
  check (keys, name, &infos, &error);
  if (infos == NULL)
    return fail (invocation, error);
  if (!(invocation->globals.json ? print_json (invocation, home, infos)
                                 : print_text (invocation, infos)))
    return KB_EXIT_FAILED;
  for (guint i = 0; i < infos->len; i++)
    if (!((const KbKeyInfo *) infos->pdata[i])->report->found)
      result = KB_EXIT_FAILED;
  return result;
}

/**
 * kb_command_key:
 * @invocation: the verb `key`
 *
 * Puts keys into the keyring, takes them out, and says where keys are. No key is ever
 * printed, and none is taken from an argument.
 *
 * Returns: the exit status; of a check, whether every key is found somewhere
 */
KbExit
kb_command_key (KbInvocation *invocation)
{
  g_autoptr (KbKeys) keys = NULL;
  char **words;
  guint n_words;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  words = invocation->arguments;
  n_words = g_strv_length (words);
  if (n_words == 0 || n_words > 2 || (n_words == 2 && !kb_keys_is_name (words[1])))
    return refuse_words (invocation);
  if (g_str_equal (words[0], "check"))
    return run_check (invocation, n_words == 2 ? words[1] : NULL);
  if (n_words != 2)
    return refuse_words (invocation);
  /* The keyring belongs to the user, not to a home: none is needed to fill it. */
  keys = kb_keys_new ("", NULL);
  if (g_str_equal (words[0], "set"))
    return set (invocation, keys, words[1]);
  if (g_str_equal (words[0], "forget"))
    return forget (invocation, keys, words[1]);
  return refuse_words (invocation);
}

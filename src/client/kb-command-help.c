// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-invocation.h"
#include "client/kb-text.h"

static void
append_row (GString *text, const char *left, const char *right)
{
  g_autofree char *padded = kb_text_pad (left, 22);

  g_string_append_printf (text, "  %s  %s\n", padded, right);
}

static char *
write_option (const KbOption *option)
{
  g_autofree char *letter = option->letter != 0 ? g_strdup_printf ("-%c, ", option->letter) : NULL;

  return g_strconcat (letter != NULL ? letter : "", "--", option->name,
                      option->value_name != NULL ? " " : "",
                      option->value_name != NULL ? option->value_name : "", NULL);
}

static void
append_options (GString *text, const char *title, const KbOption *options)
{
  if (options == NULL)
    return;
  g_string_append_printf (text, "\n%s\n", title);
  for (; options->name != NULL; options++)
    {
      g_autofree char *left = write_option (options);

      append_row (text, left, _ (options->summary));
    }
}

/**
 * kb_commands_help:
 *
 * Returns: (transfer full): what the program can do, translated
 */
char *
kb_commands_help (void)
{
  GString *text = g_string_new (NULL);
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  g_string_append (text, _ ("usage: koboshictl [OPTIONS] VERB [ARGUMENTS]"));
  g_string_append_printf (text, "\n\n%s\n", _ ("Verbs:"));
  for (gsize i = 0; i < n_commands; i++)
    append_row (text, commands[i].name, _ (commands[i].summary));
  append_options (text, _ ("Options, before or after the verb:"), kb_commands_get_globals ());
  g_string_append_printf (text, "\n%s\n", _ ("“koboshictl help VERB” says more about a verb."));
  return g_string_free_and_steal (text);
}

/**
 * kb_commands_help_verb:
 * @command: a verb
 *
 * Returns: (transfer full): what it does and its options, translated
 */
char *
kb_commands_help_verb (const KbCommand *command)
{
  g_autofree char *sentence = NULL;
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (command != NULL, g_string_free_and_steal (text));

  /* Translators: a verb and what it takes, as in "usage: koboshictl lint [FILE...]" */
  g_string_append_printf (text, _ ("usage: koboshictl %1$s %2$s"), command->name,
                          command->synopsis);
  /* Translators: the full stop of a sentence that stands without one elsewhere */
  sentence = g_strdup_printf (_ ("%s."), _ (command->summary));
  g_string_append_printf (text, "\n\n%s\n\n%s\n", sentence, _ (command->description));
  append_options (text, _ ("Options:"), command->options);
  append_options (text, _ ("Options of every verb:"), kb_commands_get_globals ());
  return g_string_free_and_steal (text);
}

static KbExit
print_completion (KbInvocation *invocation, const char *shell)
{
  g_autofree char *text = kb_commands_to_completion (shell);

  if (text == NULL)
    {
      kb_invocation_complain (invocation, _ ("there are completions for bash, zsh and fish"));
      return KB_EXIT_USAGE;
    }
  return kb_invocation_print (invocation, text) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

/**
 * kb_command_help:
 * @invocation: the verb `help`
 *
 * Prints help, the manual page or a completion script.
 *
 * Returns: the exit status
 */
KbExit
kb_command_help (KbInvocation *invocation)
{
  const KbCommand *command = NULL;
  const char *shell;
  g_autofree char *text = NULL;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  shell = kb_invocation_get (invocation, "completion");
  if (shell != NULL)
    return print_completion (invocation, shell);
  if (invocation->arguments[0] != NULL)
    {
      command = kb_commands_lookup (invocation->arguments[0]);
      if (command == NULL)
        {
          g_autofree char *word = kb_text_make_printable (invocation->arguments[0]);

          kb_invocation_complain (invocation, _ ("there is no verb “%s”; see “koboshictl help”"),
                                  word);
          return KB_EXIT_USAGE;
        }
    }
  if (kb_invocation_has (invocation, "man"))
    text = kb_commands_to_man ();
  else
    text = command != NULL ? kb_commands_help_verb (command) : kb_commands_help ();
  return kb_invocation_print (invocation, text) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

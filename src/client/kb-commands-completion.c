// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-commands.h"

/* Words a completion offers. The set of kinds is open; these are the usual ones. */
#define KINDS "boot failover give-up gap damaged"
#define SHELLS "bash zsh fish"
#define LICENCE "# SPDX-License-Identifier: GPL-3.0-or-later\n"

static char *
join_verbs (const char *separator)
{
  GString *names = g_string_new (NULL);
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  for (gsize i = 0; i < n_commands; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? separator : "", commands[i].name);
  return g_string_free_and_steal (names);
}

/* For single quotes and brackets of the shells. */
static char *
quote (const char *summary)
{
  g_auto (GStrv) parts = g_strsplit_set (summary, "'[]", -1);

  return g_strjoinv ("", parts);
}

static void
append_bash_words (GString *script, const KbOption *options)
{
  for (; options != NULL && options->name != NULL; options++)
    g_string_append_printf (script, " --%s", options->name);
}

static void
append_bash_value (GString *script, const KbOption *option)
{
  switch (option->argument)
    {
    case KB_ARGUMENT_DIRECTORY:
      g_string_append_printf (script,
                              "    --%s) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\");"
                              " return ;;\n",
                              option->name);
      break;
    case KB_ARGUMENT_PROFILE:
      g_string_append_printf (script, "    --%s) words=$(koboshictl profiles 2>/dev/null) ;;\n",
                              option->name);
      break;
    case KB_ARGUMENT_KIND:
      g_string_append_printf (script, "    --%s) words='" KINDS "' ;;\n", option->name);
      break;
    case KB_ARGUMENT_SHELL:
      g_string_append_printf (script, "    --%s) words='" SHELLS "' ;;\n", option->name);
      break;
    case KB_ARGUMENT_TEXT:
    case KB_ARGUMENT_NUMBER:
      g_string_append_printf (script, "    --%s) return ;;\n", option->name);
      break;
    case KB_ARGUMENT_NONE:
    case KB_ARGUMENT_FILE:
    case KB_ARGUMENT_VERB:
    default:
      break;
    }
}

static void
append_bash_values (GString *script, const KbOption *options)
{
  for (; options != NULL && options->name != NULL; options++)
    append_bash_value (script, options);
}

static char *
make_bash (void)
{
  GString *script = g_string_new (LICENCE);
  g_autofree char *alternatives = join_verbs (" | ");
  g_autofree char *verbs = join_verbs (" ");
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  g_string_append (script,
                   "_koboshictl () {\n"
                   "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                   "  local verb= word words=\n"
                   "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                   "    case $word in\n");
  g_string_append_printf (script, "      %s) verb=$word; break ;;\n", alternatives);
  g_string_append (script, "    esac\n  done\n  case $prev in\n");
  append_bash_values (script, kb_commands_get_globals ());
  for (gsize i = 0; i < n_commands; i++)
    append_bash_values (script, commands[i].options);
  g_string_append (script, "  esac\n  if [[ -z $words ]]; then\n    words='");
  append_bash_words (script, kb_commands_get_globals ());
  g_string_append (script, "'\n    case $verb in\n");
  g_string_append_printf (script, "      '') words+=' %s' ;;\n", verbs);
  for (gsize i = 0; i < n_commands; i++)
    {
      g_string_append_printf (script, "      %s) words+='", commands[i].name);
      append_bash_words (script, commands[i].options);
      g_string_append_printf (script, "%s%s' ;;\n",
                              commands[i].operand == KB_ARGUMENT_VERB ? " " : "",
                              commands[i].operand == KB_ARGUMENT_VERB ? verbs : "");
    }
  g_string_append (script, "    esac\n  fi\n"
                           "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                           "}\n"
                           "complete -o default -F _koboshictl koboshictl\n");
  return g_string_free_and_steal (script);
}

static const char *
zsh_action (KbArgument argument)
{
  switch (argument)
    {
    case KB_ARGUMENT_DIRECTORY:
      return "_directories";
    case KB_ARGUMENT_FILE:
      return "_files";
    case KB_ARGUMENT_PROFILE:
      return "($(koboshictl profiles 2>/dev/null))";
    case KB_ARGUMENT_KIND:
      return "(" KINDS ")";
    case KB_ARGUMENT_SHELL:
      return "(" SHELLS ")";
    case KB_ARGUMENT_VERB:
      return "{_describe verb verbs}";
    case KB_ARGUMENT_NONE:
    case KB_ARGUMENT_TEXT:
    case KB_ARGUMENT_NUMBER:
    default:
      return "";
    }
}

static void
append_zsh_option (GString *script, const KbOption *option, const char *written)
{
  g_autofree char *summary = quote (option->summary);

  g_string_append_printf (script, " \\\n    '%s[%s]", written, summary);
  if (option->value_name != NULL)
    g_string_append_printf (script, ":%s:%s", option->value_name, zsh_action (option->argument));
  g_string_append_c (script, '\'');
}

static void
append_zsh_options (GString *script, const KbOption *options)
{
  for (; options != NULL && options->name != NULL; options++)
    {
      const char *sign = options->value_name != NULL ? "=" : "";
      g_autofree char *name = g_strdup_printf ("--%s%s", options->name, sign);
      char letter[] = { '-', options->letter, '\0' };

      append_zsh_option (script, options, name);
      if (options->letter != 0)
        append_zsh_option (script, options, letter);
    }
}

static char *
make_zsh (void)
{
  GString *script = g_string_new ("#compdef koboshictl\n" LICENCE "_koboshictl () {\n");
  g_autofree char *alternatives = join_verbs ("|");
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  g_string_append (script, "  local verb\n  local -a verbs globals before\n  verbs=(");
  for (gsize i = 0; i < n_commands; i++)
    {
      g_autofree char *summary = quote (commands[i].summary);
      g_auto (GStrv) parts = g_strsplit (summary, ":", -1);
      g_autofree char *plain = g_strjoinv (",", parts);

      g_string_append_printf (script, " \\\n    '%s:%s'", commands[i].name, plain);
    }
  g_string_append (script, ")\n  globals=(");
  append_zsh_options (script, kb_commands_get_globals ());
  g_string_append_printf (
      script, ")\n  before=(${words[2,CURRENT-1]})\n  verb=${before[(r)(%s)]}\n  case $verb in\n",
      alternatives);
  for (gsize i = 0; i < n_commands; i++)
    {
      g_string_append_printf (script, "  %s) _arguments $globals '1:verb:'", commands[i].name);
      append_zsh_options (script, commands[i].options);
      if (commands[i].operand != KB_ARGUMENT_NONE)
        g_string_append_printf (script, " \\\n    '*:argument:%s'",
                                zsh_action (commands[i].operand));
      g_string_append (script, " ;;\n");
    }
  g_string_append (script, "  *) _arguments $globals '1:verb:{_describe verb verbs}' ;;\n"
                           "  esac\n}\n_koboshictl \"$@\"\n");
  return g_string_free_and_steal (script);
}

static const char *
fish_action (KbArgument argument)
{
  switch (argument)
    {
    case KB_ARGUMENT_DIRECTORY:
      return " -x -a '(__fish_complete_directories)'";
    case KB_ARGUMENT_PROFILE:
      return " -x -a '(koboshictl profiles 2>/dev/null)'";
    case KB_ARGUMENT_KIND:
      return " -x -a '" KINDS "'";
    case KB_ARGUMENT_SHELL:
      return " -x -a '" SHELLS "'";
    case KB_ARGUMENT_TEXT:
    case KB_ARGUMENT_NUMBER:
      return " -x";
    case KB_ARGUMENT_FILE:
      return " -F";
    case KB_ARGUMENT_NONE:
    case KB_ARGUMENT_VERB:
    default:
      return "";
    }
}

static void
append_fish_options (GString *script, const char *condition, const KbOption *options)
{
  for (; options != NULL && options->name != NULL; options++)
    {
      g_autofree char *summary = quote (options->summary);

      g_string_append_printf (script, "complete -c koboshictl%s -l %s", condition, options->name);
      if (options->letter != 0)
        g_string_append_printf (script, " -s %c", options->letter);
      g_string_append_printf (script, "%s -d '%s'\n", fish_action (options->argument), summary);
    }
}

static char *
make_fish (void)
{
  GString *script = g_string_new (LICENCE "complete -c koboshictl -f\n");
  g_autofree char *verbs = join_verbs (" ");
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  append_fish_options (script, "", kb_commands_get_globals ());
  for (gsize i = 0; i < n_commands; i++)
    {
      g_autofree char *summary = quote (commands[i].summary);
      g_autofree char *condition
          = g_strdup_printf (" -n '__fish_seen_subcommand_from %s'", commands[i].name);

      g_string_append_printf (script,
                              "complete -c koboshictl -n 'not __fish_seen_subcommand_from %s' -a %s"
                              " -d '%s'\n",
                              verbs, commands[i].name, summary);
      append_fish_options (script, condition, commands[i].options);
      if (commands[i].operand == KB_ARGUMENT_FILE)
        g_string_append_printf (script, "complete -c koboshictl%s -F\n", condition);
      if (commands[i].operand == KB_ARGUMENT_VERB)
        g_string_append_printf (script, "complete -c koboshictl%s -a '%s'\n", condition, verbs);
    }
  return g_string_free_and_steal (script);
}

/**
 * kb_commands_to_completion:
 * @shell: "bash", "zsh" or "fish"
 *
 * Returns: (transfer full) (nullable): a completion script for koboshictl; %NULL for another
 *   shell
 */
char *
kb_commands_to_completion (const char *shell)
{
  g_return_val_if_fail (shell != NULL, NULL);

  if (g_str_equal (shell, "bash"))
    return make_bash ();
  if (g_str_equal (shell, "zsh"))
    return make_zsh ();
  if (g_str_equal (shell, "fish"))
    return make_fish ();
  return NULL;
}

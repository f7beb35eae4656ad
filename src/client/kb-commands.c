// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-commands.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-invocation.h"
#include "client/kb-session.h"
#include "client/kb-text.h"

static const KbOption global_options[] = {
  { "home", 0, KB_ARGUMENT_DIRECTORY, "DIR", N_ ("the home to look at") },
  { "profile", 0, KB_ARGUMENT_PROFILE, "NAME", N_ ("the profile of that home") },
  { "json", 0, KB_ARGUMENT_NONE, NULL, N_ ("print JSON, for scripts") },
  { "quiet", 0, KB_ARGUMENT_NONE, NULL, N_ ("print nothing but errors") },
  { "version", 0, KB_ARGUMENT_NONE, NULL, N_ ("print the version and leave") },
  { "help", 'h', KB_ARGUMENT_NONE, NULL, N_ ("print help and leave") },
  { NULL },
};

static const KbOption status_options[] = {
  { "watch", 0, KB_ARGUMENT_NONE, NULL, N_ ("print it again whenever something changes") },
  { NULL },
};

static const KbOption log_options[] = {
  { "lines", 'n', KB_ARGUMENT_NUMBER, "N", N_ ("how many of the newest entries; 0 for all") },
  { "follow", 'f', KB_ARGUMENT_NONE, NULL, N_ ("go on with new entries as they come") },
  { "kind", 0, KB_ARGUMENT_KIND, "KIND", N_ ("only entries of this kind") },
  { "channel", 0, KB_ARGUMENT_TEXT, "CHANNEL", N_ ("only entries about this channel") },
  { "source", 0, KB_ARGUMENT_TEXT, "SOURCE", N_ ("only entries of this source") },
  { NULL },
};

#define DRY_RUN                                                                                    \
  { "dry-run", 0, KB_ARGUMENT_NONE, NULL, N_ ("print the change as a diff and write nothing") }
#define REPLACE_EXPRESSION                                                                         \
  { "replace-expression", 0, KB_ARGUMENT_NONE, NULL,                                               \
    N_ ("allow the change to take the place of a !!js expression") }

static const KbOption edit_options[] = { DRY_RUN, REPLACE_EXPRESSION, { NULL } };

static const KbOption chain_options[] = {
  { "of", 0, KB_ARGUMENT_TEXT, "LIST",
    N_ ("which list: dsh-daruma, llm-fallback, a group or a pool") },
  { "at", 0, KB_ARGUMENT_NUMBER, "N", N_ ("the position of the new channel, from 1 on") },
  DRY_RUN,
  REPLACE_EXPRESSION,
  { NULL },
};

static const KbOption provider_options[] = {
  { "api", 0, KB_ARGUMENT_TEXT, "API",
    N_ ("openai-completions, openai-responses or anthropic-messages") },
  { "base-url", 0, KB_ARGUMENT_TEXT, "URL", N_ ("where the provider answers") },
  { "key-name", 0, KB_ARGUMENT_TEXT, "NAME", N_ ("the name of its key, never the key itself") },
  { "display-name", 0, KB_ARGUMENT_TEXT, "NAME", N_ ("what people see") },
  { "models", 0, KB_ARGUMENT_TEXT, "IDS", N_ ("the ids of its models, with commas between") },
  { "rename", 0, KB_ARGUMENT_TEXT, "NAME", N_ ("give it another name, if nothing refers to it") },
  DRY_RUN,
  REPLACE_EXPRESSION,
  { NULL },
};

static const KbOption undo_options[] = { DRY_RUN, { NULL } };

static const KbOption dry_options[] = {
  { "dry-run", 0, KB_ARGUMENT_NONE, NULL, N_ ("say what would be done and do nothing") },
  { NULL },
};

static const KbOption drill_options[] = {
  { "fast", 0, KB_ARGUMENT_NONE, NULL, N_ ("all waits and limits at a tenth of their length") },
  { "set", 0, KB_ARGUMENT_TEXT, "KEY=VALUE",
    N_ ("a value of koboshi.yaml for the gateway of the drill; may be given many times") },
  { "dialect", 0, KB_ARGUMENT_TEXT, "NAME",
    N_ ("what client and provider speak: chat, messages or responses") },
  { NULL },
};

static const KbOption help_options[] = {
  { "man", 0, KB_ARGUMENT_NONE, NULL, N_ ("print the manual page") },
  { "completion", 0, KB_ARGUMENT_SHELL, "SHELL", N_ ("print a completion script") },
  { NULL },
};

static const KbCommand commands[] = {
  { "status", "[--watch]", N_ ("Show every channel: its state, why, and when it is back"),
    N_ ("Prints the overall state, the gateway, one line for each channel of the failover chain "
        "and for each channel with a record outside it, and what is wrong with the files. Where a "
        "gateway runs for the profile, a channel is as the gateway judges it. With --watch it "
        "prints again whenever something changes; a countdown that only gets smaller is no "
        "change. Where the file that records the states cannot be read, a channel keeps the state "
        "last read; if there is none, it is shown as unknown, and with --json its “state” is "
        "null."),
    status_options, KB_ARGUMENT_NONE, kb_command_status },
  { "log", "[-n N] [--follow] [--kind KIND] [--channel CHANNEL] [--source SOURCE]",
    N_ ("Show what happened, oldest first"),
    N_ ("Prints the newest entries of the history, 50 unless told otherwise. Message texts lose "
        "what looks like a key and are cut at 300 characters. Kinds are boot, failover, give-up, "
        "gap and damaged; a channel is written as provider::model."),
    log_options, KB_ARGUMENT_NONE, kb_command_log },
  { "lint", "[FILE...]", N_ ("Find mistakes in the configuration"),
    N_ ("Prints every problem with its file, line and column, a stable code and what to do about "
        "it: of the files of the profile, or of the files named. The exit status is 3 if one of "
        "them is an error."),
    NULL, KB_ARGUMENT_FILE, kb_command_lint },
  { "init", "", N_ ("Make Koboshi's own home"),
    N_ ("For who has no DeepSeek Harness: makes a home of the same layout in ~/.config/koboshi, "
        "or at the place that --home names, with the profile “default” or the one that --profile "
        "names. What is there already stays as it is. A home of a DeepSeek Harness gets no "
        "profile this way: the host makes its own."),
    dry_options, KB_ARGUMENT_NONE, kb_command_init },
  { "profiles", "", N_ ("List the profiles of the home"),
    N_ ("Prints the names of the profiles, one a line."), NULL, KB_ARGUMENT_NONE,
    kb_command_profiles },
  { "chain", "[--of LIST] [list | add CHANNEL [--at N] | remove CHANNEL | move CHANNEL N]",
    N_ ("Show or change an ordered list of channels"),
    N_ ("Works on the failover chain of daruma, or on the list named with --of: llm-fallback, the "
        "id of a group of dsh-route-resilience, the id of a pool of dsh-llm-pool. A channel is "
        "written as provider::model, a member of a pool as the name of a provider; positions "
        "count from 1. A moved or removed entry takes its comments along."),
    chain_options, KB_ARGUMENT_TEXT, kb_command_chain, 3 },
  { "backup", "[show | set CHANNEL | clear]",
    N_ ("Show or change the channel daruma tries first when the head fails"),
    N_ ("The backup stands in the settings of the home as daruma.backup. It need not be in the "
        "chain."),
    edit_options, KB_ARGUMENT_TEXT, kb_command_backup, 2 },
  { "get", "PATH", N_ ("Print a value of the configuration"),
    N_ ("Prints what is written at the path and counts, on one line of YAML, or the default that "
        "holds without it. A path begins with dsh-daruma, daruma, dsh-route-resilience, llm-pool, "
        "llm-fallback, camel, llm-pi-ai, llm-deepseek, agent-default-model or koboshi, as in "
        "dsh-daruma.cooldownMs or llm-pool.providers[\"pool.a\"].models[0].id; here positions "
        "count from 0. With --json it says in which file and line the value stands."),
    NULL, KB_ARGUMENT_TEXT, kb_command_get },
  { "set", "PATH VALUE", N_ ("Change a value of the configuration"),
    N_ ("Changes the value where it counts: in the row of the layer that outranks the others, in "
        "the settings, or in a row that is added. Only the bytes of that value change. The value "
        "is YAML; for a key that ends in Ms also a duration such as 90s, 10m or 2h. What the host "
        "would reject is not saved (exit status 3)."),
    edit_options, KB_ARGUMENT_TEXT, kb_command_set, 2 },
  { "unset", "PATH", N_ ("Take a value out of the configuration"),
    N_ ("Removes what is written at the path, with its own comments, so that the default holds."),
    edit_options, KB_ARGUMENT_TEXT, kb_command_unset },
  { "preset", "recover | adaptive | bounded", N_ ("Apply one of camel's presets"),
    N_ ("Lays a preset over the defaults of camel: recover waits out rate limits without end, "
        "adaptive also learns quotas, bounded tries five times. What else is set stays."),
    edit_options, KB_ARGUMENT_TEXT, kb_command_preset },
  { "provider", "[list | add NAME OPTIONS | edit NAME OPTIONS | remove NAME]",
    N_ ("Show or change the providers of the home"),
    N_ ("Works on llm-pi-ai.providers. With “edit”, an empty value takes a field out. Everything "
        "else of a provider is changed with “set”, as in “set "
        "llm-pi-ai.providers.NAME.retryPolicy.mode normal”. A provider that a chain, a group, a "
        "pool or another list refers to is neither removed nor renamed."),
    provider_options, KB_ARGUMENT_TEXT, kb_command_provider, 2 },
  { "key", "[check [NAME] | set NAME | forget NAME]",
    N_ ("Put keys into the keyring, and see where keys are found"),
    N_ ("With “set” the key is read from the standard input, in a terminal without showing it, "
        "and goes into the keyring of the desktop; never give a key as an argument. “check” says "
        "for each key that a provider names which places have it: the environment (here that of "
        "the terminal), the keyring, .credentials.yaml and .env of the home, in the order in "
        "which they count; its exit status is 1 if a key is nowhere. The gateway reads keys from "
        "all of them, a DeepSeek Harness host not from the keyring. No key is ever printed."),
    dry_options, KB_ARGUMENT_TEXT, kb_command_key, G_MAXUINT },
  { "undo", "", N_ ("Take back the last edit"),
    N_ ("Takes back the newest of the last 50 edits that Koboshi made in this home, from the "
        "panel or the terminal. If the file was changed since, only what was edited is taken "
        "back, and only if it can be found without doubt."),
    undo_options, KB_ARGUMENT_NONE, kb_command_undo },
  { "enable", "CHANNEL", N_ ("Gateway: use a channel again"),
    N_ ("Takes back “disable”, and what disabled the provider of the channel, such as a key that "
        "was refused."),
    NULL, KB_ARGUMENT_TEXT, kb_command_gateway, 1 },
  { "disable", "CHANNEL", N_ ("Gateway: send nothing to a channel"),
    N_ ("No request of the gateway goes to the channel until “enable”, over restarts, too."), NULL,
    KB_ARGUMENT_TEXT, kb_command_gateway, 1 },
  { "retry", "CHANNEL", N_ ("Gateway: forget the failures of a channel"),
    N_ ("The channel counts as healthy, whatever its deadline was."), NULL, KB_ARGUMENT_TEXT,
    kb_command_gateway, 1 },
  { "test", "CHANNEL", N_ ("Gateway: send one tiny real request to a channel"),
    N_ ("Asks this channel and no other, and says how long it took or what went wrong; the exit "
        "status is 1 if it failed. The request is real and may be billed. The outcome counts like "
        "that of any request: a channel that answers is well again."),
    NULL, KB_ARGUMENT_TEXT, kb_command_gateway, 1 },
  { "pin", "CHANNEL [DURATION]", N_ ("Gateway: put a channel first"),
    N_ ("The channel comes before the head of the chain for the duration, such as 90s, 10m or 2h; "
        "without one, until “unpin”."),
    NULL, KB_ARGUMENT_TEXT, kb_command_gateway, 2 },
  { "unpin", "", N_ ("Gateway: take back a pin"), N_ ("The order of the chain counts again."), NULL,
    KB_ARGUMENT_NONE, kb_command_gateway },
  { "pause", "[DURATION]", N_ ("Gateway: pause throttling"),
    N_ ("For the duration, such as 90s, 10m, 2h or forever, nothing is paced and no rate-limited "
        "request waits to try again; requests in line go at once. Circuit breakers still work. "
        "Without a duration it is 10m; a restart of the gateway does not end it."),
    NULL, KB_ARGUMENT_TEXT, kb_command_gateway, 1 },
  { "resume", "", N_ ("Gateway: take back a pause"), N_ ("Requests are paced again."), NULL,
    KB_ARGUMENT_NONE, kb_command_gateway },
  { "reload", "", N_ ("Gateway: read the configuration and the keys again"),
    N_ ("What stays keeps its health. A configuration that cannot be read changes nothing."), NULL,
    KB_ARGUMENT_NONE, kb_command_gateway },
  { "explain", "CHANNEL", N_ ("Gateway: say why a channel is as it is"),
    N_ ("One paragraph: the state of the channel and what led to it, how its requests are paced, "
        "what was learned of its rate limit, and who waits. It starts no gateway."),
    NULL, KB_ARGUMENT_TEXT, kb_command_gateway, 1 },
  { "what-if", "CHANNEL CODE", N_ ("Gateway: say who would serve if a channel failed"),
    N_ ("Plays a failure, such as RATE_LIMIT, through on a copy of what the gateway knows: who "
        "would serve, after how long, and what would become of the channel. Nothing changes."),
    NULL, KB_ARGUMENT_TEXT, kb_command_gateway, 2 },
  { "drill", "[--fast] [--set KEY=VALUE]... [--dialect NAME]",
    N_ ("Play sixteen faults through a private gateway"),
    N_ ("Plays the faults of the public failover benchmark against a gateway of its own and a "
        "simulated provider, and prints a scorecard: pass (a whole answer and good conduct), "
        "partial (a whole answer with a fault on the way), safe (no answer, but a clean error in "
        "time) or fail (no end, or a part presented as the whole), with the attempts at the first "
        "and the second channel. The verdicts come from what a client saw and the provider was "
        "asked, not from what the gateway says. The home, its keys and a running gateway are not "
        "touched. It takes about a minute and a half, with --fast a tenth of that; the exit "
        "status is 1 if a verdict is fail."),
    drill_options, KB_ARGUMENT_NONE, kb_command_drill },
  { "help", "[VERB]", N_ ("Explain a verb"),
    N_ ("Prints what a verb does and its options; without one, all verbs."), help_options,
    KB_ARGUMENT_VERB, kb_command_help },
};

/**
 * kb_commands_get:
 * @n_commands: (out): how many there are
 *
 * Returns: (transfer none) (array length=n_commands): the table of verbs
 */
const KbCommand *
kb_commands_get (gsize *n_commands)
{
  g_return_val_if_fail (n_commands != NULL, NULL);
  *n_commands = G_N_ELEMENTS (commands);
  return commands;
}

/**
 * kb_commands_get_globals:
 *
 * Returns: (transfer none): the options every verb takes, ended by one without a name
 */
const KbOption *
kb_commands_get_globals (void)
{
  return global_options;
}

/**
 * kb_commands_lookup:
 * @name: a word
 *
 * Returns: (transfer none) (nullable): the verb of that name
 */
const KbCommand *
kb_commands_lookup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (g_str_equal (commands[i].name, name))
        return &commands[i];
    }
  return NULL;
}

/* A command line taken apart: global options may stand before and behind the verb. */
typedef struct
{
  KbGlobalOptions globals; /* owned strings */
  gboolean version;
  gboolean help;
  const char *verb;     /* borrowed */
  GPtrArray *arguments; /* owned; borrowed strings, the verb's first */
  const char *missing;  /* option without its value */
} Parts;

static void
parts_clear (Parts *parts)
{
  g_free (parts->globals.home);
  g_free (parts->globals.profile);
  g_ptr_array_unref (parts->arguments);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

/* Returns whether *arg is the option, and its value: behind "=", or the next argument. */
static gboolean
take_value (Parts *parts, const char *const **arg, const char *option, char **value)
{
  gsize length = strlen (option);
  const char *text = **arg;

  if (strncmp (text, option, length) != 0)
    return FALSE;
  if (text[length] == '=')
    {
      g_set_str (value, text + length + 1);
      return TRUE;
    }
  if (text[length] != '\0')
    return FALSE;
  if ((*arg)[1] == NULL)
    {
      parts->missing = option;
      return TRUE;
    }
  (*arg)++;
  g_set_str (value, **arg);
  return TRUE;
}

static gboolean
take_flag (Parts *parts, const char *text)
{
  const struct
  {
    const char *name;
    gboolean *flag;
  } flags[] = {
    { "--json", &parts->globals.json },
    { "--quiet", &parts->globals.quiet },
    { "--version", &parts->version },
    { "--help", &parts->help },
    { "-h", &parts->help },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      if (!g_str_equal (flags[i].name, text))
        continue;
      *flags[i].flag = TRUE;
      return TRUE;
    }
  return FALSE;
}

static void
take_word (Parts *parts, const char *word, gboolean literal)
{
  if (parts->verb == NULL && (literal || *word != '-'))
    parts->verb = word;
  else
    g_ptr_array_add (parts->arguments, (gpointer) word);
}

static void
take_apart (Parts *parts, const char *const *arg)
{
  for (; *arg != NULL; arg++)
    {
      if (g_str_equal (*arg, "--"))
        break;
      if (take_value (parts, &arg, "--home", &parts->globals.home)
          || take_value (parts, &arg, "--profile", &parts->globals.profile)
          || take_flag (parts, *arg))
        continue;
      take_word (parts, *arg, FALSE);
    }
  if (*arg == NULL)
    return;
  /* The verb's own parser must see where its options end. */
  if (parts->verb == NULL && arg[1] != NULL)
    parts->verb = *++arg;
  g_ptr_array_add (parts->arguments, (gpointer) "--");
  for (arg++; *arg != NULL; arg++)
    take_word (parts, *arg, TRUE);
}

static const KbOption *
find_option (const KbOption *options, const char *written)
{
  g_assert (options != NULL);

  for (const KbOption *option = options; option->name != NULL; option++)
    {
      gboolean by_letter = written[0] == '-' && written[1] == option->letter && written[2] == '\0';

      if (by_letter || g_str_equal (written + strspn (written, "-"), option->name))
        return option;
    }
  return NULL;
}

static gboolean
keep_option_cb (const char *written, const char *value, gpointer user_data, GError **error)
{
  KbInvocation *invocation = user_data;
  const KbOption *option = find_option (invocation->command->options, written);

  g_assert (option != NULL);

  g_hash_table_insert (invocation->options, (gpointer) option->name,
                       g_strdup (value != NULL ? value : ""));
  g_ptr_array_add (invocation->given, g_strdup (option->name));
  g_ptr_array_add (invocation->given, g_strdup (value != NULL ? value : ""));
  return TRUE;
}

static GArray *
make_entries (KbInvocation *invocation)
{
  GArray *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  const KbOption *options = invocation->command->options;
  GOptionEntry rest = { G_OPTION_REMAINING,     0,    0,   G_OPTION_ARG_FILENAME_ARRAY,
                        &invocation->arguments, NULL, NULL };

  for (const KbOption *option = options; option != NULL && option->name != NULL; option++)
    {
      GOptionEntry entry = { .long_name = option->name, .short_name = option->letter };

      entry.arg = G_OPTION_ARG_CALLBACK;
      entry.arg_data = (gpointer) keep_option_cb;
      /* As bytes: a channel is compared with files, whatever the locale is. */
      entry.flags
          = option->argument == KB_ARGUMENT_NONE ? G_OPTION_FLAG_NO_ARG : G_OPTION_FLAG_FILENAME;
      g_array_append_val (entries, entry);
    }
  g_array_append_val (entries, rest);
  return entries;
}

static gboolean
parse_arguments (KbInvocation *invocation, const GPtrArray *arguments, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GArray) entries = make_entries (invocation);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) strv = NULL;
  GOptionGroup *group = g_option_group_new ("verb", "", "", invocation, NULL);

  g_option_group_add_entries (group, (const GOptionEntry *) (gconstpointer) entries->data);
  g_option_context_set_main_group (context, group);
  g_option_context_set_help_enabled (context, FALSE);
  g_strv_builder_add (builder, invocation->command->name);
  for (guint i = 0; i < arguments->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (arguments, i));
  strv = g_strv_builder_end (builder);
  if (!g_option_context_parse_strv (context, &strv, error))
    return FALSE;
  if (invocation->arguments == NULL)
    invocation->arguments = g_new0 (char *, 1);
  return TRUE;
}

static guint
count_operands_allowed (const KbCommand *command)
{
  if (command->most_operands > 0)
    return command->most_operands;
  switch (command->operand)
    {
    case KB_ARGUMENT_NONE:
      return 0;
    case KB_ARGUMENT_FILE:
      return G_MAXUINT;
    case KB_ARGUMENT_TEXT:
    case KB_ARGUMENT_NUMBER:
    case KB_ARGUMENT_KIND:
    case KB_ARGUMENT_SHELL:
    case KB_ARGUMENT_DIRECTORY:
    case KB_ARGUMENT_PROFILE:
    case KB_ARGUMENT_VERB:
    default:
      return 1;
    }
}

static KbExit
check_operands (KbInvocation *invocation)
{
  const KbCommand *command = invocation->command;
  guint most = count_operands_allowed (command);
  g_autofree char *word = NULL;

  if (g_strv_length (invocation->arguments) <= most)
    return KB_EXIT_DONE;
  word = kb_text_make_printable (invocation->arguments[most]);
  /* Translators: a verb, what was given to it, the verb again */
  kb_invocation_complain (invocation, _ ("%1$s takes no “%2$s”; see “koboshictl help %3$s”"),
                          command->name, word, command->name);
  return KB_EXIT_USAGE;
}

static KbExit
run_verb (KbInvocation *invocation, const Parts *parts)
{
  g_autoptr (GError) error = NULL;
  KbExit result;

  if (parts->help)
    {
      g_autofree char *help = kb_commands_help_verb (invocation->command);

      return kb_invocation_print (invocation, help) ? KB_EXIT_DONE : KB_EXIT_FAILED;
    }
  if (!parse_arguments (invocation, parts->arguments, &error))
    {
      g_autofree char *message = kb_text_make_printable (error->message);

      kb_invocation_complain (invocation, _ ("%s; see “koboshictl help %s”"), message,
                              invocation->command->name);
      return KB_EXIT_USAGE;
    }
  result = check_operands (invocation);
  return result == KB_EXIT_DONE ? invocation->command->run (invocation) : result;
}

static KbExit
complain_about_verb (KbInvocation *invocation, const char *verb)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *word = kb_text_make_printable (verb);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", commands[i].name);
  kb_invocation_complain (invocation, _ ("there is no verb “%s”; there are: %s"), word, names->str);
  return KB_EXIT_USAGE;
}

static KbExit
run_without_verb (KbInvocation *invocation, const Parts *parts)
{
  g_autofree char *help = NULL;

  if (parts->version)
    return kb_invocation_print (invocation, "koboshictl " KB_VERSION "\n") ? KB_EXIT_DONE
                                                                           : KB_EXIT_FAILED;
  help = kb_commands_help ();
  if (parts->help)
    return kb_invocation_print (invocation, help) ? KB_EXIT_DONE : KB_EXIT_FAILED;
  if (parts->arguments->len > 0)
    {
      g_autofree char *word = kb_text_make_printable (g_ptr_array_index (parts->arguments, 0));

      kb_invocation_complain (invocation, _ ("“%s” needs a verb before it; see “koboshictl help”"),
                              word);
      return KB_EXIT_USAGE;
    }
  fputs (help, invocation->errors);
  return KB_EXIT_USAGE;
}

static KbExit
run_parts (KbInvocation *invocation, const Parts *parts)
{
  const char *trouble;

  if (parts->missing != NULL)
    {
      kb_invocation_complain (invocation, _ ("%s needs a value"), parts->missing);
      return KB_EXIT_USAGE;
    }
  trouble = kb_session_check_options (parts->globals.home, parts->globals.profile);
  if (trouble != NULL)
    {
      kb_invocation_complain (invocation, "%s", trouble);
      return KB_EXIT_USAGE;
    }
  if (parts->verb == NULL || parts->version)
    return run_without_verb (invocation, parts);
  invocation->command = kb_commands_lookup (parts->verb);
  if (invocation->command == NULL)
    return complain_about_verb (invocation, parts->verb);
  return run_verb (invocation, parts);
}

/**
 * kb_commands_main:
 * @argc: how many arguments there are, the program's name included
 * @argv: the arguments, as bytes
 * @output: where results go
 * @errors: where complaints go
 *
 * Runs the command line of koboshictl. Nothing here needs a display or a session bus.
 *
 * Returns: the exit status
 */
KbExit
kb_commands_main (int argc, const char *const *argv, FILE *output, FILE *errors)
{
  g_auto (Parts) parts = { .arguments = g_ptr_array_new () };
  g_autoptr (GHashTable) options = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) given = g_ptr_array_new_with_free_func (g_free);
  KbInvocation invocation
      = { .options = options, .given = given, .output = output, .errors = errors };
  KbExit result;

  g_return_val_if_fail (argv != NULL, KB_EXIT_USAGE);
  g_return_val_if_fail (output != NULL && errors != NULL, KB_EXIT_FAILED);

  if (argc > 1)
    take_apart (&parts, argv + 1);
  invocation.globals = parts.globals;
  result = run_parts (&invocation, &parts);
  g_strfreev (invocation.arguments);
  return result;
}

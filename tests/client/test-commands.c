// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-commands.h"

#include <string.h>

typedef struct
{
  KbExit status;
  char *output;
  char *errors;
} Result;

static void
result_clear (Result *result)
{
  free (result->output);
  free (result->errors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static Result
run (const char *line)
{
  g_auto (GStrv) argv = NULL;
  gsize output_length, errors_length;
  Result result = { 0 };
  FILE *output = open_memstream (&result.output, &output_length);
  FILE *errors = open_memstream (&result.errors, &errors_length);
  int argc;

  g_assert_true (g_shell_parse_argv (line, &argc, &argv, NULL));
  result.status = kb_commands_main (argc, (const char *const *) argv, output, errors);
  fclose (output);
  fclose (errors);
  return result;
}

static void
test_usage (void)
{
  static const struct
  {
    const char *line;
    const char *complaint;
  } rows[] = {
    { "koboshictl", "usage: koboshictl" },
    { "koboshictl frobnicate", "no verb “frobnicate”" },
    { "koboshictl --frobnicate", "“--frobnicate” needs a verb" },
    { "koboshictl status --frobnicate", "frobnicate" },
    { "koboshictl status extra", "status takes no “extra”" },
    { "koboshictl status -- --watch", "status takes no “--watch”" },
    { "koboshictl -- --watch", "no verb “--watch”" },
    { "koboshictl log -n", "-n" },
    { "koboshictl log -n many", "-n needs a number" },
    { "koboshictl log -n -3", "-n needs a number" },
    { "koboshictl log --lines 99999999999", "-n needs a number" },
    { "koboshictl status --home", "--home needs a value" },
    { "koboshictl --profile", "--profile needs a value" },
    { "koboshictl status --home=", "--home is empty" },
    { "koboshictl --profile= status", "--profile is empty" },
    { "koboshictl help frobnicate", "no verb “frobnicate”" },
    { "koboshictl help log status", "help takes no “status”" },
    { "koboshictl help --completion tcsh", "bash, zsh and fish" },
    { "koboshictl \"x\033[2J\"", "“x\ufffd[2J”" },
    { "koboshictl --home /nowhere/at/all status", "/nowhere/at/all" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Result) result = run (rows[i].line);

      g_test_message ("%s", rows[i].line);
      g_assert_cmpint (result.status, ==, KB_EXIT_USAGE);
      g_assert_cmpstr (result.output, ==, "");
      g_assert_nonnull (strstr (result.errors, rows[i].complaint));
    }
}

static void
test_help (void)
{
  static const char *const lines[]
      = { "koboshictl help", "koboshictl --help", "koboshictl -h", "koboshictl --home x help" };
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Result) result = run (lines[i]);

      g_assert_cmpint (result.status, ==, KB_EXIT_DONE);
      g_assert_cmpstr (result.errors, ==, "");
      for (gsize j = 0; j < n_commands; j++)
        g_assert_nonnull (strstr (result.output, commands[j].summary));
    }
}

static void
test_help_verb (void)
{
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  for (gsize i = 0; i < n_commands; i++)
    {
      g_autofree char *line = g_strdup_printf ("koboshictl help %s", commands[i].name);
      g_autofree char *option = g_strdup_printf ("koboshictl %s --help", commands[i].name);
      g_auto (Result) a = run (line);
      g_auto (Result) b = run (option);

      g_assert_cmpint (a.status, ==, KB_EXIT_DONE);
      g_assert_cmpint (b.status, ==, KB_EXIT_DONE);
      g_assert_cmpstr (a.output, ==, b.output);
      g_assert_nonnull (strstr (a.output, commands[i].description));
      g_assert_true (kb_commands_lookup (commands[i].name) == &commands[i]);
      for (const KbOption *o = commands[i].options; o != NULL && o->name != NULL; o++)
        g_assert_nonnull (strstr (a.output, o->summary));
    }
  g_assert_null (kb_commands_lookup ("frobnicate"));
}

static void
test_version (void)
{
  g_auto (Result) result = run ("koboshictl --version");

  g_assert_cmpint (result.status, ==, KB_EXIT_DONE);
  g_assert_true (g_str_has_prefix (result.output, "koboshictl "));
  g_assert_true (g_str_has_suffix (result.output, "\n"));
}

/* Every option and every verb of the table is in every document. */
static void
test_documents (void)
{
  static const char *const shells[] = { "bash", "zsh", "fish" };
  g_autofree char *page = kb_commands_to_man ();
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  for (gsize i = 0; i < n_commands; i++)
    {
      g_autoptr (GString) title = g_string_new (commands[i].name);

      g_string_replace (title, "-", "\\-", 0);
      g_string_prepend (title, ".SS \"");
      g_assert_nonnull (strstr (page, title->str));
      for (gsize j = 0; j < G_N_ELEMENTS (shells); j++)
        {
          g_autofree char *script = kb_commands_to_completion (shells[j]);

          g_assert_nonnull (strstr (script, commands[i].name));
          for (const KbOption *o = commands[i].options; o != NULL && o->name != NULL; o++)
            g_assert_nonnull (strstr (script, o->name));
        }
    }
  g_assert_null (kb_commands_to_completion ("tcsh"));
}

/* No line of the page begins with a request by accident, or has a hyphen that a pager may
 * turn into something that cannot be copied. */
static void
test_man_page (void)
{
  g_autofree char *page = kb_commands_to_man ();
  g_auto (GStrv) lines = g_strsplit (page, "\n", -1);

  g_assert_true (g_utf8_validate (page, -1, NULL));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *option = strstr (lines[i], "--");

      g_assert_null (option);
      if (lines[i][0] == '.')
        g_assert_true (g_ascii_isalpha (lines[i][1]) || lines[i][1] == '\\');
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/commands/usage", test_usage);
  g_test_add_func ("/client/commands/help", test_help);
  g_test_add_func ("/client/commands/help/verb", test_help_verb);
  g_test_add_func ("/client/commands/version", test_version);
  g_test_add_func ("/client/commands/documents", test_documents);
  g_test_add_func ("/client/commands/man-page", test_man_page);
  return g_test_run ();
}

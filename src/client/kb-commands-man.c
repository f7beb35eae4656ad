// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-commands.h"

#include <string.h>

/* The manual page is English: these sentences are not marked for translation. */

static const char head[] = ".SH NAME\n"
                           "koboshictl \\- watch the failover channels of AI sessions\n"
                           ".SH SYNOPSIS\n"
                           ".B koboshictl\n"
                           "[\\fIOPTIONS\\fR] \\fIVERB\\fR [\\fIARGUMENTS\\fR]\n"
                           ".SH DESCRIPTION\n"
                           "Reads the files of a DeepSeek Harness home and says which model\n"
                           "channels are healthy, cooling down, ready for a try or disabled, why,\n"
                           "and when they are back. It changes nothing, and needs neither a\n"
                           "display nor a session bus.\n";

static const char tail[]
    = ".SH EXIT STATUS\n"
      ".TP\n.B 0\ndone\n"
      ".TP\n.B 1\nfailed, for example because there is no home; for \\fBdrill\\fR: a verdict is "
      "fail\n"
      ".TP\n.B 2\na mistake in the command line, or a choice is missing\n"
      ".TP\n.B 3\nrefused; for \\fBlint\\fR: a problem is an error\n"
      ".TP\n.B 4\nthe gateway could not be reached\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.B DSH_HOME\nthe home, unless \\fB\\-\\-home\\fR names one\n"
      ".TP\n.B NO_COLOR\nno colours if it is set and not empty\n"
      ".SH FILES\n"
      ".TP\n.I ~/.dsh\nthe home, if nothing else names one\n"
      ".TP\n.I $XDG_CONFIG_HOME/koboshi/selection\nthe home and profile chosen in the panel\n"
      ".SH EXAMPLES\n"
      ".TP\nThe channels that are cooling down, for a script:\n"
      ".nf\nkoboshictl status \\-\\-json | jq \\(aq.channels[] | "
      "select(.state == \"COOLDOWN\").id\\(aq\n.fi\n"
      ".TP\nEvery give-up, as it comes:\n"
      ".nf\nkoboshictl log \\-\\-follow \\-\\-kind give\\-up\n.fi\n";

/* Hyphens of options must be copied as they are typed; a dot at the start is a request. */
static void
append_text (GString *page, const char *text)
{
  g_assert (text != NULL);

  if (*text == '.' || *text == '\'')
    g_string_append (page, "\\&");
  for (; *text != '\0'; text++)
    {
      if (*text == '-')
        g_string_append (page, "\\-");
      else if (*text == '\\')
        g_string_append (page, "\\e");
      else
        g_string_append_c (page, *text);
    }
}

static void
append_options (GString *page, const KbOption *options)
{
  for (; options != NULL && options->name != NULL; options++)
    {
      g_string_append (page, ".TP\n");
      if (options->letter != 0)
        g_string_append_printf (page, "\\fB\\-%c\\fR, ", options->letter);
      g_string_append (page, "\\fB\\-\\-");
      append_text (page, options->name);
      g_string_append (page, "\\fR");
      if (options->value_name != NULL)
        g_string_append_printf (page, " \\fI%s\\fR", options->value_name);
      g_string_append_c (page, '\n');
      append_text (page, options->summary);
      g_string_append_c (page, '\n');
    }
}

/**
 * kb_commands_to_man:
 *
 * Returns: (transfer full): the manual page koboshictl(1)
 */
char *
kb_commands_to_man (void)
{
  GString *page = g_string_new (NULL);
  const KbCommand *commands;
  gsize n_commands;

  commands = kb_commands_get (&n_commands);
  g_string_append (page, ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n");
  g_string_append (page, ".TH KOBOSHICTL 1 \"\" \"Koboshi " KB_VERSION "\" \"User Commands\"\n");
  g_string_append (page, head);
  g_string_append (page, ".SH OPTIONS\nThey may stand before or after the verb.\n");
  append_options (page, kb_commands_get_globals ());
  g_string_append (page, ".SH VERBS\n");
  for (gsize i = 0; i < n_commands; i++)
    {
      g_string_append (page, ".SS \"");
      append_text (page, commands[i].name);
      g_string_append_c (page, ' ');
      append_text (page, commands[i].synopsis);
      g_string_append (page, "\"\n");
      append_text (page, commands[i].description);
      g_string_append_c (page, '\n');
      append_options (page, commands[i].options);
    }
  g_string_append (page, tail);
  return g_string_free_and_steal (page);
}

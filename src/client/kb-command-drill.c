// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-drill.h"
#include "client/kb-invocation.h"
#include "client/kb-text.h"
#include "store/kb-json.h"

typedef struct
{
  KbInvocation *invocation; /* not owned */
  KbCommandLoop *loop;      /* not owned */
  KbDrillOptions options;
  const KbDrillResult **results; /* owned array of borrowed: by scenario, NULL = not over */
  gsize n_results;
  gsize n_over;
  gsize n_printed;
  char *trouble; /* (nullable) owned: why a scenario could not be played */
} Card;

static guint
count (const Card *card, KbDrillVerdict verdict)
{
  guint n = 0;

  for (gsize i = 0; i < card->n_results; i++)
    n += card->results[i] != NULL && card->results[i]->verdict == verdict;
  return n;
}

/* ---- text ---- */

static const char *
translate_verdict (KbDrillVerdict verdict)
{
  switch (verdict)
    {
    case KB_DRILL_PASS:
      return C_ ("verdict of a drill", "pass");
    case KB_DRILL_PARTIAL:
      return C_ ("verdict of a drill", "partial");
    case KB_DRILL_SAFE:
      return C_ ("verdict of a drill", "safe");
    case KB_DRILL_FAIL:
    default:
      return C_ ("verdict of a drill", "fail");
    }
}

static const char *
get_colour (KbDrillVerdict verdict)
{
  static const char *const colours[] = { "\033[32m", "\033[33m", "\033[36m", "\033[31m" };

  return colours[verdict];
}

/* S08  Stream cut after 40 of 60 tokens   safe   0.6 s  1+0  The client was told … */
static char *
format_result (const KbDrillResult *result, gboolean has_colour)
{
  g_autofree char *title = kb_text_pad (_ (result->scenario->title), 52);
  g_autofree char *verdict = kb_text_pad (translate_verdict (result->verdict), 8);
  g_autofree char *why = kb_text_make_printable (result->why);

  return g_strdup_printf ("%s  %s  %s%s%s  %5.1f s  %2u + %2u  %s", result->scenario->id, title,
                          has_colour ? get_colour (result->verdict) : "", verdict,
                          has_colour ? "\033[0m" : "", result->seconds, result->n_primary,
                          result->n_fallback, why);
}

/* In the order of the scenarios, as soon as those before are over. */
static void
print_ready (Card *card)
{
  gboolean has_colour = kb_invocation_has_colour (card->invocation);

  while (card->n_printed < card->n_results && card->results[card->n_printed] != NULL)
    {
      g_autofree char *line = format_result (card->results[card->n_printed++], has_colour);

      if (!kb_invocation_print_line (card->invocation, line))
        kb_command_loop_quit (card->loop);
    }
}

static gboolean
print_sum (const Card *card)
{
  g_autofree char *sum = g_strdup_printf (
      _ ("%u pass, %u partial, %u safe, %u fail"), count (card, KB_DRILL_PASS),
      count (card, KB_DRILL_PARTIAL), count (card, KB_DRILL_SAFE), count (card, KB_DRILL_FAIL));

  return kb_invocation_print_line (card->invocation, sum);
}

/* ---- JSON ---- */

static void
add_result (JsonBuilder *builder, const KbDrillResult *result)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "id");
  json_builder_add_string_value (builder, result->scenario->id);
  json_builder_set_member_name (builder, "verdict");
  json_builder_add_string_value (builder, kb_drill_verdict_to_string (result->verdict));
  json_builder_set_member_name (builder, "seconds");
  json_builder_add_double_value (builder, result->seconds);
  json_builder_set_member_name (builder, "attempts");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "primary");
  json_builder_add_int_value (builder, result->n_primary);
  json_builder_set_member_name (builder, "fallback");
  json_builder_add_int_value (builder, result->n_fallback);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "why");
  json_builder_add_string_value (builder, result->why);
  json_builder_end_object (builder);
}

static void
add_options (JsonBuilder *builder, const KbDrillOptions *options)
{
  json_builder_set_member_name (builder, "options");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "fast");
  json_builder_add_boolean_value (builder, options->scale < 1);
  json_builder_set_member_name (builder, "dialect");
  json_builder_add_string_value (builder, kb_dialect_kind_to_string (options->dialect));
  for (const char *const *pair = options->set; pair != NULL && *pair != NULL; pair++)
    {
      const char *equals = strchr (*pair, '=');
      g_autofree char *key = g_strndup (*pair, (gsize) (equals - *pair));

      json_builder_set_member_name (builder, key);
      json_builder_add_string_value (builder, equals + 1);
    }
  json_builder_end_object (builder);
}

static gboolean
print_json (const Card *card)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) json = g_string_new (NULL);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "scenarios");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < card->n_results; i++)
    add_result (builder, card->results[i]);
  json_builder_end_array (builder);
  add_options (builder, &card->options);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  kb_json_append_node (json, root, 0);
  return kb_invocation_print_line (card->invocation, json->str);
}

/* ---- the verb ---- */

static void
drill_result_cb (const KbDrillResult *result, const GError *error, gpointer user_data)
{
  Card *card = user_data;
  gsize n;

  if (error != NULL)
    {
      g_set_str (&card->trouble, error->message);
      kb_command_loop_quit (card->loop);
      return;
    }
  card->results[result->scenario - kb_drill_scenarios (&n)] = result;
  card->n_over++;
  if (!card->invocation->globals.json)
    print_ready (card);
  if (card->n_over == card->n_results)
    kb_command_loop_quit (card->loop);
}

static KbExit
finish (const Card *card)
{
  gboolean written;

  if (card->trouble != NULL)
    {
      kb_invocation_complain (card->invocation, "%s", card->trouble);
      return KB_EXIT_FAILED;
    }
  if (card->n_over < card->n_results)
    {
      kb_invocation_complain (card->invocation, _ ("the drill was broken off"));
      return KB_EXIT_FAILED;
    }
  written = card->invocation->globals.json ? print_json (card) : print_sum (card);
  return written && count (card, KB_DRILL_FAIL) == 0 ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

static KbExit
run (Card *card)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbCommandLoop) loop = kb_command_loop_new (card->invocation);
  g_autoptr (KbDrill) drill = kb_drill_new (&card->options, &error);
  g_autofree const KbDrillResult **results = NULL;
  KbExit exit;

  if (drill == NULL)
    {
      kb_invocation_complain (card->invocation, "%s", error->message);
      return g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE) ? KB_EXIT_USAGE
                                                                               : KB_EXIT_FAILED;
    }
  kb_drill_scenarios (&card->n_results);
  results = g_new0 (const KbDrillResult *, card->n_results);
  card->results = results;
  card->loop = loop;
  kb_drill_start (drill, drill_result_cb, card);
  kb_command_loop_run (loop);
  exit = finish (card);
  g_free (card->trouble);
  return exit;
}

static gboolean
read_dialect (KbInvocation *invocation, KbDialectKind *dialect)
{
  const char *name = kb_invocation_get (invocation, "dialect");

  *dialect = KB_DIALECT_KIND_CHAT;
  for (int kind = 0; name != NULL && kind < KB_N_DIALECT_KINDS; kind++)
    if (g_str_equal (name, kb_dialect_kind_to_string ((KbDialectKind) kind)))
      {
        *dialect = (KbDialectKind) kind;
        return TRUE;
      }
  if (name != NULL)
    kb_invocation_complain (invocation,
                            _ ("“%s” is no dialect; there are chat, messages and responses"), name);
  return name == NULL;
}

/**
 * kb_command_drill:
 * @invocation: the verb `drill`
 *
 * Plays the faults of the public failover benchmark through private gateways, and prints a
 * scorecard. Neither the home nor a running gateway is touched.
 *
 * Returns: the exit status: %KB_EXIT_FAILED if a verdict is “fail”
 */
KbExit
kb_command_drill (KbInvocation *invocation)
{
  g_auto (GStrv) set = NULL;
  Card card = { .invocation = invocation };

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  if (!read_dialect (invocation, &card.options.dialect))
    return KB_EXIT_USAGE;
  set = kb_invocation_list (invocation, "set");
  card.options.set = (const char *const *) set;
  card.options.scale = kb_invocation_has (invocation, "fast") ? KB_DRILL_FAST_SCALE : 1;
  return run (&card);
}

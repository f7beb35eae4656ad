// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-status.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-format.h"
#include "client/kb-text.h"

#define COLOUR_RED "31"
#define COLOUR_GREEN "32"
#define COLOUR_YELLOW "33"
#define COLOUR_CYAN "36"
#define BOLD "1"
#define DIM "2"

/* The texts of one channel's line, before they are aligned. */
typedef struct
{
  char *place;
  char *id;
  const char *state;  /* static */
  const char *colour; /* static */
  char *back;
  char *reason;
} Line;

static void
line_free (gpointer data)
{
  Line *line = data;

  g_free (line->place);
  g_free (line->id);
  g_free (line->back);
  g_free (line->reason);
  g_free (line);
}

static char *
paint (const char *text, const char *code, gboolean colour)
{
  g_assert (text != NULL && code != NULL);
  return colour ? g_strdup_printf ("\033[%sm%s\033[0m", code, text) : g_strdup (text);
}

static const char *
colour_of_state (KbChannelState state)
{
  switch (state)
    {
    case KB_CHANNEL_STATE_COOLDOWN:
      return COLOUR_YELLOW;
    case KB_CHANNEL_STATE_PROBE:
      return COLOUR_CYAN;
    case KB_CHANNEL_STATE_DISABLED:
      return COLOUR_RED;
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return COLOUR_GREEN;
    }
}

static Line *
line_new (KbChannel *channel, gint64 now_ms)
{
  KbBreaker breaker = kb_channel_get_breaker (channel);
  KbChannelState state = kb_breaker_get_state_at (breaker, now_ms);
  gboolean unknown = kb_channel_get_unreadable (channel);
  g_autofree char *id = kb_text_make_printable (
      kb_channel_get_expression (channel) ? kb_format_expression () : kb_channel_get_id (channel));
  g_autofree char *reason = kb_format_channel_reason (channel, now_ms);
  Line *line = g_new0 (Line, 1);

  line->place = kb_channel_get_in_chain (channel)
                    ? g_strdup_printf ("%u", kb_channel_get_position (channel))
                    : g_strdup ("-");
  /* Translators: %s is the channel that is tried first when the head fails */
  line->id = kb_channel_get_is_backup (channel) ? g_strdup_printf (_ ("%s (backup)"), id)
                                                : g_steal_pointer (&id);
  line->state = unknown ? kb_format_state_unknown () : kb_format_state (state);
  line->colour = unknown ? DIM : colour_of_state (state);
  line->back = state == KB_CHANNEL_STATE_COOLDOWN
                   ? kb_format_countdown (kb_breaker_get_remaining_ms (breaker, now_ms))
                   : g_strdup ("");
  line->reason = kb_text_make_printable (reason);
  return line;
}

static GPtrArray *
collect_lines (KbMonitor *monitor, gint64 now_ms)
{
  GListModel *channels = kb_monitor_get_channels (monitor);
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      g_ptr_array_add (lines, line_new (channel, now_ms));
    }
  return lines;
}

typedef struct
{
  guint place;
  guint id;
  guint state;
  guint back;
} Widths;

static Widths
measure (const GPtrArray *lines)
{
  Widths widths = { 0 };

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);

      widths.place = MAX (widths.place, kb_text_get_width (line->place));
      widths.id = MAX (widths.id, kb_text_get_width (line->id));
      widths.state = MAX (widths.state, kb_text_get_width (line->state));
      widths.back = MAX (widths.back, kb_text_get_width (line->back));
    }
  return widths;
}

static void
append_channels (GString *text, KbMonitor *monitor, gint64 now_ms, gboolean colour)
{
  g_autoptr (GPtrArray) lines = collect_lines (monitor, now_ms);
  Widths widths = measure (lines);

  if (lines->len > 0)
    g_string_append_c (text, '\n');
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);
      g_autofree char *place = kb_text_pad (line->place, widths.place);
      g_autofree char *id = kb_text_pad (line->id, widths.id);
      g_autofree char *state = kb_text_pad (line->state, widths.state);
      g_autofree char *painted = paint (state, line->colour, colour);
      g_autofree char *back = kb_text_pad (line->back, widths.back);

      g_string_append_printf (text, "  %s  %s  %s  %s%s%s\n", place, id, painted, back,
                              widths.back > 0 ? "  " : "", line->reason);
    }
}

static void
append_header (GString *text, KbMonitor *monitor, gint64 now_ms, gboolean colour)
{
  g_autofree char *overall = kb_format_overall (monitor);
  g_autofree char *title = paint (overall, BOLD, colour);
  g_autofree char *home = kb_text_make_printable (kb_monitor_get_home (monitor));
  g_autofree char *profile = kb_text_make_printable (kb_monitor_get_profile (monitor));
  KbEvent *event = kb_monitor_get_last_switch (monitor);
  g_autofree char *gateway = kb_format_gateway (monitor);
  g_autofree char *address = kb_text_make_printable (gateway);
  g_autofree char *serving = kb_format_serving (monitor);

  g_string_append_printf (text, "%s\n", title);
  /* Translators: the home folder and the profile a status is about */
  g_string_append_printf (text, _ ("%1$s, profile %2$s"), home, profile);
  g_string_append_c (text, '\n');
  /* Translators: how it stands with the gateway, as in "Running at http://127.0.0.1:7878" */
  g_string_append_printf (text, _ ("Gateway: %s"), address);
  g_string_append_c (text, '\n');
  if (serving != NULL)
    {
      g_autofree char *printable = kb_text_make_printable (serving);

      g_string_append_printf (text, "%s\n", printable);
    }
  else if (event != NULL)
    {
      g_autofree char *sentence = kb_format_last_switch (event, now_ms);
      g_autofree char *printable = kb_text_make_printable (sentence);

      g_string_append_printf (text, "%s\n", printable);
    }
}

/**
 * kb_status_to_text:
 * @monitor: a started monitor
 * @colour: whether the text is for a terminal that shows colours
 *
 * The overall sentence, the home and profile in use, the gateway, one aligned line a channel,
 * then the problems of the files. Texts of the files are made harmless for a terminal.
 *
 * Returns: (transfer full): lines, the last one ended, translated
 */
char *
kb_status_to_text (KbMonitor *monitor, gboolean colour)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GPtrArray *problems;
  gint64 now_ms;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (monitor));
  append_header (text, monitor, now_ms, colour);
  append_channels (text, monitor, now_ms, colour);
  problems = kb_monitor_get_problems (monitor);
  if (problems != NULL && problems->len > 0)
    g_string_append_c (text, '\n');
  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      g_autofree char *line = kb_problem_to_text (g_ptr_array_index (problems, i),
                                                  kb_monitor_get_home (monitor), colour);

      g_string_append (text, line);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static char *
describe_severity (KbSeverity severity, gboolean colour)
{
  switch (severity)
    {
    case KB_SEVERITY_ERROR:
      return paint (_ ("error"), COLOUR_RED, colour);
    case KB_SEVERITY_WARNING:
      return paint (_ ("warning"), COLOUR_YELLOW, colour);
    case KB_SEVERITY_INFO:
    default:
      return paint (_ ("note"), COLOUR_CYAN, colour);
    }
}

static char *
describe_place (const KbProblem *problem, const char *home)
{
  g_autofree char *place = kb_problem_describe_place (problem);
  gsize length = home != NULL ? strlen (home) : 0;

  if (place == NULL)
    return NULL;
  if (length > 0 && strncmp (place, home, length) == 0 && place[length] == '/')
    return kb_text_make_printable (place + length + 1);
  return kb_text_make_printable (place);
}

/**
 * kb_problem_to_text:
 * @problem: a problem
 * @home: (nullable): the home; files inside it are named from there
 * @colour: whether the text is for a terminal that shows colours
 *
 * Returns: (transfer full): "file:line:column: severity: message [code]" and a line with the
 *   hint, each ended
 */
char *
kb_problem_to_text (const KbProblem *problem, const char *home, gboolean colour)
{
  g_autofree char *place = NULL;
  g_autofree char *severity = NULL;
  g_autofree char *message = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (problem != NULL, NULL);

  place = describe_place (problem, home);
  severity = describe_severity (problem->severity, colour);
  message = kb_text_make_printable (problem->message);
  if (place != NULL)
    g_string_append_printf (text, "%s: ", place);
  g_string_append_printf (text, "%s: %s [%s]\n", severity, message, problem->code);
  if (problem->hint != NULL)
    {
      g_autofree char *hint = kb_text_make_printable (problem->hint);

      g_string_append_printf (text, "  %s\n", hint);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/**
 * kb_event_to_text_line:
 * @event: an entry of a history
 * @now_ms: the present time, ms since 1970
 *
 * Returns: (transfer full): time, what happened and why, in one line without its end
 */
char *
kb_event_to_text_line (KbEvent *event, gint64 now_ms)
{
  g_autofree char *time = NULL;
  g_autofree char *title = NULL;
  g_autofree char *detail = NULL;
  g_autofree char *what = NULL;
  g_autofree char *line = NULL;
  g_autofree char *redacted = NULL;

  g_return_val_if_fail (event != NULL, NULL);

  time = kb_format_time_absolute (kb_event_get_fields (event)->time_ms, now_ms);
  title = kb_format_event_title (event);
  detail = kb_format_event_detail (event);
  if (detail != NULL)
    redacted = kb_text_redact (detail);
  /* Translators: what happened, then why, as in "Gave up: Rate limited" */
  what = redacted != NULL ? g_strdup_printf (_ ("%1$s: %2$s"), title, redacted) : NULL;
  line = g_strdup_printf ("%s  %s", time, what != NULL ? what : title);
  return kb_text_make_printable (line);
}

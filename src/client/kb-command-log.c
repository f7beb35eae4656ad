// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-invocation.h"
#include "client/kb-status.h"
#include "client/kb-text.h"

#define LINES_DEFAULT 50

typedef struct
{
  KbInvocation *invocation; /* not owned */
  KbMonitor *monitor;       /* not owned */
  KbCommandLoop *loop;      /* not owned; NULL without --follow */
  guint n_lines;            /* 0 = all */
  const char *kind;         /* (nullable) */
  const char *channel;      /* (nullable) */
  const char *source;       /* (nullable) */
  gboolean live;            /* the past is printed */
  gboolean again;           /* the history was emptied and is read again */
  gint64 newest_ms;         /* of what was printed */
} Log;

static const char *
kind_of (const KbEventFields *fields)
{
  switch (fields->kind)
    {
    case KB_EVENT_GAP:
      return "gap";
    case KB_EVENT_DAMAGED:
      return "damaged";
    case KB_EVENT_BOOT:
    case KB_EVENT_FAILOVER:
    case KB_EVENT_GIVE_UP:
    case KB_EVENT_OTHER:
    default:
      return fields->kind_name != NULL ? fields->kind_name : "";
    }
}

static gboolean
is_wanted (const Log *log, KbEvent *event)
{
  const KbEventFields *fields = kb_event_get_fields (event);

  return (log->kind == NULL || g_str_equal (log->kind, kind_of (fields)))
         && (log->source == NULL || g_strcmp0 (log->source, fields->source) == 0)
         && (log->channel == NULL || kb_event_concerns (event, log->channel));
}

/* Of the newest @n_looked_at entries the newest @n_most wanted ones, newest first. */
static GPtrArray *
pick (Log *log, guint n_looked_at, guint n_most)
{
  GListModel *history = G_LIST_MODEL (kb_monitor_get_history (log->monitor));
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  for (guint i = 0; i < n_looked_at && (n_most == 0 || events->len < n_most); i++)
    {
      g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (history, i);
      KbEvent *event = kb_history_entry_get_event (entry);

      if (is_wanted (log, event))
        g_ptr_array_add (events, kb_event_ref (event));
    }
  return events;
}

static gboolean
print_event (Log *log, KbEvent *event)
{
  g_autofree char *line = NULL;

  if (log->invocation->globals.json)
    line = kb_event_to_json_line (event);
  else
    line = kb_event_to_text_line (event, kb_clock_get_now_ms (kb_monitor_get_clock (log->monitor)));
  return kb_invocation_print_line (log->invocation, line);
}

static gboolean
print_events (Log *log, const GPtrArray *events)
{
  gint64 after_ms = log->again ? log->newest_ms : G_MININT64;

  for (guint i = events->len; i > 0; i--)
    {
      KbEvent *event = g_ptr_array_index (events, i - 1);
      gint64 time_ms = kb_event_get_fields (event)->time_ms;

      if (time_ms <= after_ms)
        continue;
      if (!print_event (log, event))
        return FALSE;
      log->newest_ms = MAX (log->newest_ms, time_ms);
    }
  return TRUE;
}

static gboolean
print_past (Log *log)
{
  GListModel *history = G_LIST_MODEL (kb_monitor_get_history (log->monitor));
  g_autoptr (GPtrArray) events = pick (log, g_list_model_get_n_items (history), log->n_lines);

  return print_events (log, events);
}

static void
log_monitor_changed_cb (KbMonitor *monitor, gpointer user_data)
{
  Log *log = user_data;

  if (log->live || !kb_monitor_get_log_loaded (monitor))
    return;
  log->live = TRUE;
  if (!print_past (log))
    kb_command_loop_quit (log->loop);
}

static void
log_history_items_changed_cb (
    GListModel *history, guint position, guint removed, guint added, gpointer user_data)
{
  Log *log = user_data;
  g_autoptr (GPtrArray) events = NULL;

  if (!log->live || position != 0)
    return;
  log->again = removed > 0 || log->again;
  if (added == 0)
    return;
  events = pick (log, added, 0);
  if (!print_events (log, events))
    kb_command_loop_quit (log->loop);
  log->again = FALSE;
}

static KbExit
follow (Log *log)
{
  g_autoptr (KbCommandLoop) loop = kb_command_loop_new (log->invocation);
  KbHistory *history = kb_monitor_get_history (log->monitor);
  gulong changed_id
      = g_signal_connect (log->monitor, "changed", G_CALLBACK (log_monitor_changed_cb), log);
  gulong items_id
      = g_signal_connect (history, "items-changed", G_CALLBACK (log_history_items_changed_cb), log);

  log->loop = loop;
  kb_monitor_start (log->monitor);
  kb_monitor_set_visible (log->monitor, TRUE);
  log_monitor_changed_cb (log->monitor, log);
  kb_command_loop_run (loop);
  g_signal_handler_disconnect (log->monitor, changed_id);
  g_signal_handler_disconnect (history, items_id);
  log->loop = NULL;
  return KB_EXIT_DONE;
}

static gboolean
read_lines (KbInvocation *invocation, guint *n_lines)
{
  const char *text = kb_invocation_get (invocation, "lines");
  guint64 number;

  *n_lines = LINES_DEFAULT;
  if (text == NULL)
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &number, NULL))
    {
      kb_invocation_complain (invocation, _ ("-n needs a number, 0 for all entries"));
      return FALSE;
    }
  *n_lines = (guint) number;
  return TRUE;
}

/* A log that cannot be read is not an empty one. */
static gboolean
complain_unreadable (Log *log)
{
  const GPtrArray *problems = kb_monitor_get_problems (log->monitor);

  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];
      g_autofree char *message = NULL;

      if (!g_str_equal (problem->code, "log-unreadable"))
        continue;
      message = kb_text_make_printable (problem->message);
      kb_invocation_complain (log->invocation, "%s", message);
      fprintf (log->invocation->errors, "  %s\n", problem->hint);
      return TRUE;
    }
  return FALSE;
}

/**
 * kb_command_log:
 * @invocation: the verb `log`
 *
 * Prints the history, oldest first, and with --follow what comes after.
 *
 * Returns: the exit status
 */
KbExit
kb_command_log (KbInvocation *invocation)
{
  g_autoptr (KbMonitor) monitor = NULL;
  Log log = { .invocation = invocation };
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  if (!read_lines (invocation, &log.n_lines))
    return KB_EXIT_USAGE;
  monitor = kb_invocation_new_monitor (invocation, &result);
  if (monitor == NULL)
    return result;
  log.monitor = monitor;
  log.kind = kb_invocation_get (invocation, "kind");
  log.channel = kb_invocation_get (invocation, "channel");
  log.source = kb_invocation_get (invocation, "source");
  if (kb_invocation_has (invocation, "follow"))
    return follow (&log);
  kb_monitor_start_sync (monitor);
  if (!print_past (&log))
    return KB_EXIT_FAILED;
  return complain_unreadable (&log) ? KB_EXIT_FAILED : KB_EXIT_DONE;
}

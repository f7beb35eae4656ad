// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-invocation.h"
#include "client/kb-status.h"

typedef struct
{
  KbInvocation *invocation; /* not owned */
  KbMonitor *monitor;       /* not owned */
  KbCommandLoop *loop;      /* not owned */
  char *shown;              /* owned, nullable: fingerprint of what was printed last */
} Watch;

static gboolean
print_status (KbInvocation *invocation, KbMonitor *monitor, gboolean pretty)
{
  g_autofree char *text = NULL;

  if (!invocation->globals.json)
    {
      text = kb_status_to_text (monitor, kb_invocation_has_colour (invocation));
      return kb_invocation_print (invocation, text);
    }
  text = kb_status_to_json (monitor, pretty);
  return kb_invocation_print_line (invocation, text);
}

static void
look (Watch *watch)
{
  g_autofree char *fingerprint = NULL;

  g_assert (watch != NULL);

  if (!kb_monitor_get_log_loaded (watch->monitor))
    return;
  fingerprint = kb_status_to_fingerprint (watch->monitor);
  if (g_strcmp0 (fingerprint, watch->shown) == 0)
    return;
  if (watch->shown != NULL && !watch->invocation->globals.json)
    kb_invocation_print_line (watch->invocation, "");
  if (!print_status (watch->invocation, watch->monitor, FALSE))
    kb_command_loop_quit (watch->loop);
  g_free (watch->shown);
  watch->shown = g_steal_pointer (&fingerprint);
}

static void
watch_monitor_changed_cb (KbMonitor *monitor, gpointer user_data)
{
  look (user_data);
}

static KbExit
watch_status (KbInvocation *invocation, KbMonitor *monitor)
{
  g_autoptr (KbCommandLoop) loop = kb_command_loop_new (invocation);
  Watch watch = { .invocation = invocation, .monitor = monitor, .loop = loop };
  gulong changed_id
      = g_signal_connect (monitor, "changed", G_CALLBACK (watch_monitor_changed_cb), &watch);

  kb_monitor_start (monitor);
  /* Seen: a deadline that passes changes a state though no file does. */
  kb_monitor_set_visible (monitor, TRUE);
  look (&watch);
  kb_command_loop_run (loop);
  g_signal_handler_disconnect (monitor, changed_id);
  g_free (watch.shown);
  return KB_EXIT_DONE;
}

/**
 * kb_command_status:
 * @invocation: the verb `status`
 *
 * Prints what the monitor sees, once or whenever it changes.
 *
 * Returns: the exit status
 */
KbExit
kb_command_status (KbInvocation *invocation)
{
  g_autoptr (KbMonitor) monitor = NULL;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  monitor = kb_invocation_new_monitor (invocation, &result);
  if (monitor == NULL)
    return result;
  if (kb_invocation_has (invocation, "watch"))
    return watch_status (invocation, monitor);
  kb_monitor_start_sync (monitor);
  return print_status (invocation, monitor, TRUE) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-commands.h"
#include "client/kb-monitor.h"

/* What the verbs share: their options, their streams, the home they work on. */

gboolean kb_invocation_has (KbInvocation *self, const char *option);
const char *kb_invocation_get (KbInvocation *self, const char *option); /* (nullable) */
GStrv kb_invocation_list (KbInvocation *self, const char *option);
gboolean kb_invocation_has_colour (KbInvocation *self);
gboolean kb_invocation_print (KbInvocation *self, const char *text);
gboolean kb_invocation_print_line (KbInvocation *self, const char *text);
void kb_invocation_complain (KbInvocation *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
KbExit kb_invocation_open_home (KbInvocation *self, char **home, char **profile);
KbMonitor *kb_invocation_new_monitor (KbInvocation *self, KbExit *result); /* (nullable) */

/* A main loop that ends with a signal, or as soon as nobody reads the output any more. */
typedef struct _KbCommandLoop KbCommandLoop;

KbCommandLoop *kb_command_loop_new (KbInvocation *invocation);
void kb_command_loop_free (KbCommandLoop *self);
void kb_command_loop_quit (KbCommandLoop *self);
void kb_command_loop_run (KbCommandLoop *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbCommandLoop, kb_command_loop_free)

KbExit kb_command_backup (KbInvocation *invocation);
KbExit kb_command_chain (KbInvocation *invocation);
KbExit kb_command_drill (KbInvocation *invocation);
KbExit kb_command_gateway (KbInvocation *invocation);
KbExit kb_command_get (KbInvocation *invocation);
KbExit kb_command_help (KbInvocation *invocation);
KbExit kb_command_init (KbInvocation *invocation);
KbExit kb_command_key (KbInvocation *invocation);
KbExit kb_command_lint (KbInvocation *invocation);
KbExit kb_command_log (KbInvocation *invocation);
KbExit kb_command_preset (KbInvocation *invocation);
KbExit kb_command_profiles (KbInvocation *invocation);
KbExit kb_command_provider (KbInvocation *invocation);
KbExit kb_command_set (KbInvocation *invocation);
KbExit kb_command_status (KbInvocation *invocation);
KbExit kb_command_undo (KbInvocation *invocation);
KbExit kb_command_unset (KbInvocation *invocation);

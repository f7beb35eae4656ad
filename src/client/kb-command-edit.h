// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

#include "client/kb-invocation.h"
#include "core/kb-channel-ref.h"
#include "store/kb-edit.h"

/* What the verbs that change files share. */

KbEdit *kb_command_open_edit (KbInvocation *invocation, KbExit *result); /* (nullable) */
KbExit kb_command_finish_edit (KbInvocation *invocation, KbEdit *edit, const char *did);
KbExit kb_command_report_unchanged (KbInvocation *invocation, KbEdit *edit, const char *why);
KbExit kb_command_fail (KbInvocation *invocation, const GError *error);
KbExit kb_command_refuse_words (KbInvocation *invocation);
char *kb_command_tree_to_text (const KbYamlTree *tree);
void kb_command_add_tree (JsonBuilder *builder, const KbYamlTree *tree);
KbYamlPath *kb_command_path (const char *text, ...) G_GNUC_NULL_TERMINATED;
KbChannelRef *kb_command_read_channel (KbInvocation *invocation, KbEdit *edit, const char *word);

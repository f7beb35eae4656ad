// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-dialect-kind.h"
#include "core/kb-transcript.h"

/*
 * A stream that several channels give, one after the other (rule 9). The first one goes through
 * unchanged and is written down; what the others send is compared with that, and only what is
 * new reaches the client, as events of the stream that it began to read.
 */

typedef struct _KbContinuation KbContinuation;

KbContinuation *kb_continuation_new (KbDialectKind dialect);
void kb_continuation_free (KbContinuation *self);
gboolean kb_continuation_is_possible (KbContinuation *self);
void kb_continuation_begin_again (KbContinuation *self, const char *channel);
GBytes *kb_continuation_begin_behind (KbContinuation *self, const char *channel, GBytes *body);
gboolean kb_continuation_feed (KbContinuation *self, GBytes *bytes, GBytes **out);
gboolean kb_continuation_end (KbContinuation *self, GBytes **out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbContinuation, kb_continuation_free)

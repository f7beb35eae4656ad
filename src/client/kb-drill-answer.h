// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * An HTTP/1.1 answer as it came over a socket. A client library hides how a body ended, and
 * that is what a drill has to know: whether it was whole by its framing, or broke off.
 */

typedef struct
{
  int status;         /* 0 = there is no whole head */
  char *content_type; /* (nullable) owned */
  GString *body;      /* owned: without the framing */
  gboolean is_whole;  /* the body ended as its framing says, or the head says it has none */
  gboolean is_broken; /* this is no HTTP */
} KbDrillAnswer;

void
kb_drill_answer_read (KbDrillAnswer *self, const char *bytes, gsize length, gboolean is_closed);
void kb_drill_answer_clear (KbDrillAnswer *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KbDrillAnswer, kb_drill_answer_clear)

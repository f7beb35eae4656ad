// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Bytes on their way into a socket. Small pieces are put together, so that what was added in one
 * turn goes out in one call; large ones are kept as they are.
 */

typedef struct
{
  GQueue pieces; /* GBytes, before what is in tail */
  GString *tail;
  gsize sent; /* of the first piece */
  gsize length;
} KbOutbox;

void kb_outbox_init (KbOutbox *self);
void kb_outbox_clear (KbOutbox *self);
void kb_outbox_add_text (KbOutbox *self, const char *text, gsize length);
void kb_outbox_add (KbOutbox *self, GBytes *bytes);
gboolean kb_outbox_send (KbOutbox *self, int fd);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-answer.h"

void
kb_answer_clear (KbAnswer *self)
{
  self->status = 0;
  g_clear_pointer (&self->content_type, g_free);
  g_clear_pointer (&self->body, g_bytes_unref);
}

void
kb_answer_move (KbAnswer *to, KbAnswer *from)
{
  kb_answer_clear (to);
  *to = *from;
  *from = (KbAnswer) { 0 };
}

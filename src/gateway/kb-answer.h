// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* A whole answer of a provider, kept to be handed on. */
typedef struct
{
  int status; /* 0 = none came */
  char *content_type;
  GBytes *body;
} KbAnswer;

void kb_answer_clear (KbAnswer *self);
void kb_answer_move (KbAnswer *to, KbAnswer *from);

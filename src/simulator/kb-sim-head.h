// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-fault.h"

/* What the head of an answer says. */
typedef struct
{
  guint status;
  const char *type;
  gint64 length; /* -1: none */
  gboolean chunked;
  gboolean http10;
  gboolean close;
  guint64 request;
  gint64 time_s; /* wall */
  double scale;  /* of the times it tells */
} KbSimHead;

GString *kb_sim_head_write (const KbSimHead *self, const KbSimFault *fault);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "client/kb-drill-answer.h"

/* One HTTP request to a port of the loopback, on a connection of its own. It blocks. */

typedef struct
{
  guint16 port;
  const char *path;
  const char *body; /* (nullable) JSON to post; NULL = get */
  gint64 patience_ms;
} KbDrillRequest;

typedef enum
{
  KB_DRILL_CALL_ENDED, /* well or badly: the answer says */
  KB_DRILL_CALL_HUNG,
  KB_DRILL_CALL_CANCELLED,
} KbDrillCallEnd;

KbDrillCallEnd
kb_drill_call (const KbDrillRequest *request, GCancellable *cancellable, KbDrillAnswer *answer);

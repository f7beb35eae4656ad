// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway.h"

/*
 * One tiny real request to one channel, on a person's wish. It is told to the engine like any
 * other attempt, so a channel that answers is well again, and one that fails is counted.
 */

typedef struct
{
  gboolean ok;
  gint64 took_ms;
  int status;       /* of HTTP, 0 = none came */
  const char *code; /* (nullable) static: a failure code, where not ok */
} KbChannelTest;

void kb_channel_test_async (KbGateway *gateway,
                            const char *channel,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean kb_channel_test_finish (GAsyncResult *result, KbChannelTest *test, GError **error);

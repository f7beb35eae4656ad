// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <libsoup/soup.h>

/* The body of a request while it comes in: its size is limited, and so is the time it takes. */

#define KB_INBOUND_PATIENCE_MS (120 * 1000)

void kb_inbound_watch_time (SoupServerMessage *message);
void kb_inbound_limit_body (SoupServerMessage *message, gsize limit);
GBytes *kb_inbound_take_body (SoupServerMessage *message, gsize limit, int *status);

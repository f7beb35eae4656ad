// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* The body of a request as it was meant, where it came compressed. */

GBytes *kb_inbound_decode (GBytes *body, const char *encoding, gsize limit, int *status);

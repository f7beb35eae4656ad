// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Whether there is a session bus to look at. Asking GDBus for one may start one. */

gboolean kb_session_bus_exists (void);

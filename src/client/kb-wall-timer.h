// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * A one-shot source on the wall clock: it fires when the time has come, also right after a
 * suspend that outlasted it, and at once when somebody sets the clock. Until then it wakes
 * nothing.
 */

guint
kb_wall_timer_add (const char *name, gint64 delay_ms, GSourceFunc callback, gpointer user_data);

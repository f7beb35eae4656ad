// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * The two clocks of the gateway in milliseconds: boot time for waiting, which goes on while the
 * machine sleeps, and wall time for files and headers. Tests set their own.
 */
typedef struct
{
  gint64 (*get_boot_ms) (gpointer user_data);
  gint64 (*get_wall_ms) (gpointer user_data);
  gpointer user_data;
} KbGatewayClock;

/* A clock that stands still until it is moved: user_data of kb_gateway_clock_manual(). */
typedef struct
{
  gint64 boot_ms;
  gint64 wall_ms;
} KbManualTime;

KbGatewayClock kb_gateway_clock_system (void);
KbGatewayClock kb_gateway_clock_manual (KbManualTime *time);
gint64 kb_gateway_clock_get_boot_ms (const KbGatewayClock *self);
gint64 kb_gateway_clock_get_wall_ms (const KbGatewayClock *self);

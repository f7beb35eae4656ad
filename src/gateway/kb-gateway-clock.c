// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-gateway-clock.h"

#include <time.h>

static gint64
system_boot_ms (gpointer user_data)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return (gint64) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static gint64
system_wall_ms (gpointer user_data)
{
  return g_get_real_time () / 1000;
}

static gint64
manual_boot_ms (gpointer user_data)
{
  return ((KbManualTime *) user_data)->boot_ms;
}

static gint64
manual_wall_ms (gpointer user_data)
{
  return ((KbManualTime *) user_data)->wall_ms;
}

/* The clocks of this machine. */
KbGatewayClock
kb_gateway_clock_system (void)
{
  return (KbGatewayClock) { .get_boot_ms = system_boot_ms, .get_wall_ms = system_wall_ms };
}

/* Clocks that read @time, which must outlive them. */
KbGatewayClock
kb_gateway_clock_manual (KbManualTime *time)
{
  return (KbGatewayClock) { .get_boot_ms = manual_boot_ms,
                            .get_wall_ms = manual_wall_ms,
                            .user_data = time };
}

gint64
kb_gateway_clock_get_boot_ms (const KbGatewayClock *self)
{
  return self->get_boot_ms (self->user_data);
}

gint64
kb_gateway_clock_get_wall_ms (const KbGatewayClock *self)
{
  return self->get_wall_ms (self->user_data);
}

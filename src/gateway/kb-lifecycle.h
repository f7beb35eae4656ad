// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway.h"

/*
 * The life of the daemon: which home it serves, its name on the bus, its port, and its end.
 */

typedef struct
{
  char *home;      /* (nullable) --home */
  char *profile;   /* (nullable) --profile */
  char *state_dir; /* (nullable) instead of the usual one */
  char *bus_name;  /* (nullable) instead of the usual one */
  gboolean replace;
  gboolean no_bus;
} KbLifecycleOptions;

/* Exit statuses, the same as those of koboshictl. */
typedef enum
{
  KB_LIFE_DONE = 0,
  KB_LIFE_FAILED = 1,
  KB_LIFE_USAGE = 2,
  KB_LIFE_REFUSED = 3, /* a gateway serves another home or profile */
} KbLifeEnd;

KbLifeEnd kb_lifecycle_run (const KbLifecycleOptions *options, GError **error);

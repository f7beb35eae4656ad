// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* The folder of the demo: made, found and removed again. */

#define KB_DEMO_PROFILE "demo"
#define KB_DEMO_N_CHANNELS 4
#define KB_DEMO_BACKUP 1 /* index of the manual backup */
#define KB_DEMO_FAILURE_BUDGET 3
#define KB_DEMO_COOLDOWN_MS 12000
#define KB_DEMO_GIVE_UP_BUDGET 8

char *kb_demo_home_make (GError **error);
void kb_demo_home_remove (const char *home);
const char *const *kb_demo_home_get_channels (void); /* ids, NULL-terminated */
char *kb_demo_home_get_health (const char *home);
char *kb_demo_home_get_log (const char *home);

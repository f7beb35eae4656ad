// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* What a gateway serves, and where it keeps its state: found out once, when it begins. */

typedef struct
{
  char *home;
  char *profile;
  char *state_dir;
} KbServedPlace;

gboolean kb_served_place_resolve (KbServedPlace *self,
                                  const char *home,
                                  const char *profile,
                                  const char *state_dir,
                                  GError **error);
void kb_served_place_clear (KbServedPlace *self);

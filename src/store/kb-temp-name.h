// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* The names of temporary files beside their targets: whose they are can be told from them. */

char *kb_temp_name_new (const char *target);
void kb_temp_name_sweep (const char *target);

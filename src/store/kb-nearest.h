// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Which known word somebody meant. */

const char *kb_nearest_find (const char *word, const char *const *known);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Files hold names of keys, never keys. */

gboolean kb_key_name_is_valid (const char *text);
gboolean kb_key_name_looks_like_key (const char *text);

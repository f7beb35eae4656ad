// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* A number of bytes as people write it: "20 MiB". */

char *kb_size_format (double bytes);
gboolean kb_size_parse (const char *text, double present, double *bytes);
double kb_size_get_step (double bytes);

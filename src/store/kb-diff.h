// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-splices.h"

/* What differs between two texts: for people and patch(1) by lines, for an undo by bytes. */

char *kb_diff_unified (const char *old_name, const char *new_name, GBytes *before, GBytes *after);
KbSplices *kb_diff_to_splices (GBytes *before, GBytes *after);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-daruma-config.h"

typedef struct
{
  const char *name;
  const char *dir;
  const KbDarumaConfig *daruma;
} KbLintProfile;

void kb_lint_shared_state (const KbLintProfile *profile,
                           const KbLintProfile *other,
                           GPtrArray *problems);

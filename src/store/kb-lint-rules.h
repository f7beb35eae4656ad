// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-patch.h"

/* The rules of kb-lint, by what they look at. Findings go to the files' own lists. */

void kb_lint_yaml (KbYamlFile *file);
void kb_lint_entries (KbYamlFile *file);
void kb_lint_rows (const GPtrArray *rows, const char *const *bundles);
void kb_lint_channels (const KbDarumaConfig *daruma,
                       const GPtrArray *providers,
                       GHashTable *virtual_names,
                       GPtrArray *problems);

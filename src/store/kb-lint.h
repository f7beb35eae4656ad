// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-index.h"

/*
 * Finds what a host would reject, silently ignore or misread in a configuration. Every
 * finding is a KbProblem with file, line, column, a stable code and a hint.
 */

/* (transfer full) KbProblem; a patch file or settings by its content */
GPtrArray *kb_lint_file (const char *path);
void kb_lint_sort (GPtrArray *problems);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-profile.h"

/*
 * Finds what a host would reject, silently ignore or misread in a configuration. Every
 * finding is a KbProblem with file, line, column, a stable code and a hint.
 */

/* (transfer full) KbProblem; a patch file, settings or koboshi.yaml, by name or content */
GPtrArray *kb_lint_file (const char *path);
/* What an edit would add to the problems; the check before a save. */
GPtrArray *kb_lint_edit (KbProfile *profile, const char *path, GBytes *bytes, GError **error);
GPtrArray *kb_lint_list_added (const GPtrArray *before, const GPtrArray *after);
gboolean kb_lint_has_error (const GPtrArray *problems);
void kb_lint_sort (GPtrArray *problems);

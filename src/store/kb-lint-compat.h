// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-schema.h"

/* The `compat` of a provider or one of its models. */

extern const KbSchema kb_lint_compat_fields[];

gboolean kb_lint_compat_takes (const char *api, const char *key);
void kb_lint_check_compat (KbSchemaWalk *walk, const KbYamlNode *map, const char *api);

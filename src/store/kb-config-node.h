// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-file.h"
#include "store/kb-yaml-path.h"

/* Steps through nodes, as the host sees them: through aliases. */

const KbYamlNode *kb_config_resolve_alias (KbYamlFile *file, const KbYamlNode *node);
const KbYamlNode *
kb_config_get_child (KbYamlFile *file, const KbYamlNode *node, const KbYamlStep *step);
gboolean kb_config_is_null (const KbYamlNode *node);
gboolean kb_config_is_mapping (const KbYamlNode *node);
KbYamlPath *kb_config_find_path (const KbYamlNode *root, const KbYamlNode *target);
void kb_config_add_step (KbYamlPath *path, const KbYamlStep *step);

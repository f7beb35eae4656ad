// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-config-path.h"

/*
 * What switches a row off: its own `disabled`, or that of a group around it. A path to it is
 * disabled["dsh-daruma"], with the name of a system.
 */

KbYamlPath *kb_config_switch_make_path (const char *system);
gboolean kb_config_switch_is_path (const KbYamlPath *path);
gboolean kb_config_switch_is_off (const KbConfig *config, const char *system);
KbConfigPlace *
kb_config_switch_resolve (const KbConfig *config, const KbYamlPath *path, GError **error);

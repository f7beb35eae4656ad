// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-file.h"

/*
 * The plugin's own rules for its config, applied to nodes: what is good goes into a
 * KbDarumaConfig, what is not is reported and leaves the default.
 */

void
kb_daruma_reader_read_config (KbYamlFile *file, const KbYamlNode *node, KbDarumaConfig *config);
gboolean kb_daruma_reader_read_disabled (KbYamlFile *file, const KbYamlNode *node);
void
kb_daruma_reader_read_backup (KbYamlFile *file, const KbYamlNode *settings, KbDarumaConfig *config);

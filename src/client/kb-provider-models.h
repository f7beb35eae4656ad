// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-edit.h"

/* The models of a provider, given by their ids alone: what else is said of one stays. */

KbYamlTree *kb_provider_models_parse (const char *ids);
gboolean
kb_provider_models_set (KbEdit *edit, const KbYamlPath *path, const char *ids, GError **error);

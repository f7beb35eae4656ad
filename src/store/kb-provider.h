// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-patch.h"
#include "store/kb-profile.h"

/* The providers a home configures, and the names a channel may use besides those. */

#define KB_PROVIDER_BUILT_IN "deepseek-official"
#define KB_PROVIDER_BUILT_IN_KEY "DEEPSEEK_API_KEY"

GPtrArray *kb_provider_list (const GPtrArray *rows, KbYamlFile *settings);
gboolean kb_provider_is_list_complete (const GPtrArray *rows);
GHashTable *kb_provider_list_virtual (const GPtrArray *rows, KbYamlFile *settings);
gboolean kb_provider_is_catalog (const char *name);
const KbProvider *kb_provider_find (const GPtrArray *providers, const char *name);
void kb_provider_free (KbProvider *self);

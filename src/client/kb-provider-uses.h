// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-config-path.h"

/* Which places of a home name a provider: they lead nowhere when it goes or is renamed. */

char *kb_provider_uses_describe (const KbConfig *config, const char *provider);

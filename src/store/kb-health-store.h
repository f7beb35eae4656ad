// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-health-codec.h"

/* A channel-health.json on disk: read it whole, replace it whole. */

KbHealthDocument *kb_health_store_load (const char *path, GError **error);
gboolean kb_health_store_save (const char *path, KbHealthDocument *document, GError **error);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* The package.json of a profile: which bundles the host composes it from. */

GStrv kb_manifest_load_bundles (const char *path, GPtrArray *problems, GError **error);

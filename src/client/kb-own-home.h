// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * Koboshi's own home, for who has no DeepSeek Harness: the same layout, so that the panel, the
 * command line and the gateway find everything where they do in a home of the host.
 */

#define KB_OWN_HOME_PROFILE "default"

char *kb_own_home_get_path (void);
GStrv kb_own_home_list_missing (const char *home, const char *profile);
gboolean kb_own_home_check (const char *home, const char *profile, GError **error);
gboolean kb_own_home_make (const char *home, const char *profile, GError **error);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-key-value.h"

/*
 * The two files of a home that may hold keys: the host's .credentials.yaml, in the layouts of
 * both its versions, and .env. They are only ever read.
 */

char *kb_credentials_get_path (const char *home);
KbSecret *kb_credentials_find (const char *home, const char *name, GError **error);
char *kb_dotenv_get_path (const char *home);
KbSecret *kb_dotenv_find (const char *home, const char *name, GError **error);
gboolean kb_dotenv_is_open_to_others (const char *home);
GBytes *kb_credentials_read_file (const char *path, gboolean only_private, GError **error);

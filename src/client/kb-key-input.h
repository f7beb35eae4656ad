// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-invocation.h"
#include "store/kb-key-value.h"

/* A key on its way from the standard input: never an argument, never shown. */

KbSecret *kb_key_input_read (int fd, const char *prompt, FILE *screen, GError **error);

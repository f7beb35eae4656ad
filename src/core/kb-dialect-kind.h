// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * The language a client and a provider speak over HTTP.
 */
typedef enum
{
  KB_DIALECT_KIND_CHAT,      /* OpenAI chat completions */
  KB_DIALECT_KIND_MESSAGES,  /* Anthropic messages */
  KB_DIALECT_KIND_RESPONSES, /* OpenAI responses */
} KbDialectKind;

#define KB_N_DIALECT_KINDS (KB_DIALECT_KIND_RESPONSES + 1)
#define KB_ALL_DIALECT_KINDS ((1u << KB_N_DIALECT_KINDS) - 1)

const char *kb_dialect_kind_to_string (KbDialectKind kind);
gboolean kb_dialect_kind_parse_api (const char *api, KbDialectKind *kind);

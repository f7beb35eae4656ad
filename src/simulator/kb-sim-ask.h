// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

typedef enum
{
  KB_SIM_DIALECT_CHAT,      /* OpenAI chat completions */
  KB_SIM_DIALECT_MESSAGES,  /* Anthropic messages */
  KB_SIM_DIALECT_RESPONSES, /* OpenAI responses */
} KbSimDialect;

/* What a request asks for. */
typedef struct
{
  KbSimDialect dialect;
  char *model; /* owned */
  gboolean stream;
  gboolean include_usage;
  gint64 max_tokens;    /* -1: no limit */
  guint input_tokens;   /* about */
  char *prefill;        /* owned, nullable: the text of a last message of the assistant */
  char *tool;           /* owned, nullable: one of the tools it brings */
  char *tool_arguments; /* owned, nullable: JSON that fits the tool */
  gboolean tool_wanted;
} KbSimAsk;

KbSimAsk *kb_sim_ask_parse (KbSimDialect dialect, const char *body, gsize length, GError **error);
void kb_sim_ask_free (KbSimAsk *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimAsk, kb_sim_ask_free)

const char *kb_sim_dialect_to_string (KbSimDialect dialect);

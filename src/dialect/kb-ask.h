// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

#include "dialect/kb-part.h"

/*
 * What a request asks for, in no dialect's own words. The reader of a dialect makes one of a
 * body, and refuses what cannot be held here; the writer of another makes a body of it, and
 * refuses what it cannot say.
 */

typedef enum
{
  KB_ROLE_SYSTEM,
  KB_ROLE_USER, /* the results of tools too */
  KB_ROLE_ASSISTANT,
} KbRole;

typedef struct
{
  KbRole role;
  GPtrArray *parts; /* owned: KbPart */
} KbTurn;

typedef struct
{
  char *name;        /* owned */
  char *description; /* (nullable) owned */
  JsonNode *schema;  /* (nullable) owned */
  gboolean is_strict;
} KbTool;

typedef enum
{
  KB_TOOL_CHOICE_UNSET,
  KB_TOOL_CHOICE_AUTO,
  KB_TOOL_CHOICE_NONE,
  KB_TOOL_CHOICE_ANY, /* one of them must be called */
  KB_TOOL_CHOICE_ONE, /* this one must be called */
} KbToolChoice;

typedef enum
{
  KB_EFFORT_UNSET,
  KB_EFFORT_OFF,
  KB_EFFORT_MINIMAL,
  KB_EFFORT_LOW,
  KB_EFFORT_MEDIUM,
  KB_EFFORT_HIGH,
  KB_EFFORT_MAX,
} KbEffort;

typedef enum
{
  KB_FORMAT_TEXT,
  KB_FORMAT_JSON,   /* any JSON */
  KB_FORMAT_SCHEMA, /* what fits a schema */
} KbFormat;

typedef struct
{
  char *model; /* (nullable) owned */
  gboolean is_stream;
  gboolean wants_usage; /* in a stream */
  GPtrArray *turns;     /* owned: KbTurn */
  GPtrArray *tools;     /* owned: KbTool */
  KbToolChoice tool_choice;
  char *tool_name;    /* (nullable) owned: of KB_TOOL_CHOICE_ONE */
  gboolean one_call;  /* no several calls in one turn */
  gint64 max_tokens;  /* 0 = as the provider likes */
  double temperature; /* NAN = as the provider likes */
  double top_p;       /* NAN = as the provider likes */
  gint64 top_k;       /* 0 = as the provider likes */
  GPtrArray *stops;   /* owned: char * */
  KbEffort effort;
  KbFormat format;
  char *format_name;       /* (nullable) owned */
  JsonNode *format_schema; /* (nullable) owned */
  gboolean format_is_strict;
  char *user; /* (nullable) owned */
} KbAsk;

KbAsk *kb_ask_new (void);
void kb_ask_free (KbAsk *self);
GPtrArray *kb_ask_open_turn (KbAsk *self, KbRole role);
KbTool *kb_ask_add_tool (KbAsk *self, const char *name, const char *description);
gboolean kb_ask_ends_with_result (const KbAsk *self);
KbEffort kb_effort_parse (const char *word);
const char *kb_effort_to_string (KbEffort effort);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbAsk, kb_ask_free)

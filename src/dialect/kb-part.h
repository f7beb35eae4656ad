// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * One piece of what is said in a conversation, in no dialect's own words.
 */

typedef enum
{
  KB_PART_TEXT,     /* text */
  KB_PART_THINKING, /* text */
  KB_PART_IMAGE,    /* text: base64 of it, or its URL */
  KB_PART_FILE,     /* text: base64 of it; name may be NULL */
  KB_PART_CALL,     /* of a tool; text: its arguments, an object in JSON */
  KB_PART_RESULT,   /* of a tool; parts */
} KbPartKind;

typedef struct
{
  KbPartKind kind;
  char *text;       /* (nullable) owned */
  char *media_type; /* (nullable) owned: of IMAGE and FILE that are no URL */
  char *id;         /* (nullable) owned: of CALL and RESULT */
  char *name;       /* (nullable) owned: of CALL and FILE */
  GPtrArray *parts; /* (nullable) owned: KbPart, of RESULT */
  gboolean is_url;
  gboolean is_error; /* of RESULT: the tool failed */
} KbPart;

KbPart *kb_part_new (KbPartKind kind, const char *text);
KbPart *kb_part_new_data (KbPartKind kind, const char *url);
KbPart *kb_part_new_call (const char *id, const char *name, const char *arguments);
KbPart *kb_part_new_result (const char *id);
void kb_part_free (KbPart *self);
GPtrArray *kb_parts_new (void);
char *kb_parts_join_texts (GPtrArray *parts, const char *separator);
char *kb_part_make_data_url (const KbPart *self);
gboolean kb_parts_are_texts (GPtrArray *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPart, kb_part_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-dialect-kind.h"
#include "gateway/kb-json-peek.h"

/*
 * What the gateway must know of a dialect: which pieces of an answer are content, which say that
 * it is whole, which are errors; and how an error of our own is written.
 */

typedef enum
{
  KB_FRAME_CONTENT = 1 << 0,
  KB_FRAME_FINISH = 1 << 1,  /* the model is done: nothing of the answer is missing */
  KB_FRAME_ERROR = 1 << 2,   /* the stream failed */
  KB_FRAME_REFUSED = 1 << 3, /* ended by a content policy */
  KB_FRAME_LAST = 1 << 4,    /* nothing at all comes after it */
} KbFrame;

typedef struct
{
  const char *path;
  KbFrame (*read_frame) (KbJsonSlice type, KbJsonSlice data);
  KbFrame (*read_answer) (KbJsonSlice body);
  void (*write_error) (GString *json, int status, const char *code, const char *message);
  const char *error_event; /* (nullable) the event that carries an error within a stream */
} KbDialect;

extern const KbDialect kb_dialect_chat;
extern const KbDialect kb_dialect_messages;
extern const KbDialect kb_dialect_responses;

const KbDialect *kb_dialect_get (KbDialectKind kind);
KbJsonSlice kb_dialect_name_event (KbJsonSlice type, KbJsonSlice data);
GBytes *
kb_dialect_make_error (KbDialectKind kind, int status, const char *code, const char *message);
GBytes *
kb_dialect_make_error_event (KbDialectKind kind, int status, const char *code, const char *message);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * What a client was given of an answer so far, and whether another answer goes on from there
 * (rule 9). An answer consists of parts: a text, a thought, a call of a tool. The same answer
 * again is compared from its start; what the client has is skipped, and nothing new is let
 * through before all of that was met again, byte for byte.
 */

typedef enum
{
  KB_PIECE_TEXT,
  KB_PIECE_THINKING,
  KB_PIECE_TOOL,
  KB_PIECE_OTHER,
} KbPieceKind;

/* A piece of a part, in the order of the stream. */
typedef struct
{
  KbPieceKind kind;
  guint slot;        /* which part: the caller's number */
  const char *label; /* (nullable) what names the part, such as the call of a tool; a piece with
                        one begins its part and need not have text */
  const char *text;
  gsize length;
} KbPiece;

typedef enum
{
  KB_JOIN_SKIP,   /* the client has it */
  KB_JOIN_PASS,   /* it is new */
  KB_JOIN_BROKEN, /* it is another answer */
} KbJoin;

typedef struct _KbTranscript KbTranscript;

KbTranscript *kb_transcript_new (gsize most_bytes);
void kb_transcript_free (KbTranscript *self);
KbJoin kb_transcript_add (KbTranscript *self, const KbPiece *piece, gsize *offset);
KbJoin kb_transcript_close (KbTranscript *self, guint slot);
void kb_transcript_lose (KbTranscript *self);
gboolean kb_transcript_is_known (KbTranscript *self);
gboolean kb_transcript_is_met (KbTranscript *self);
char *kb_transcript_dup_prefill (KbTranscript *self);
void kb_transcript_begin_again (KbTranscript *self);
void kb_transcript_go_on (KbTranscript *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTranscript, kb_transcript_free)

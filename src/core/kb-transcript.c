// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-transcript.h"

#include <string.h>

typedef struct
{
  KbPieceKind kind;
  guint slot;
  char *label; /* (nullable) */
  GString *text;
  gsize met; /* bytes that the answer under way has said again */
  gboolean is_seen;
  gboolean is_closed;
} Part;

struct _KbTranscript
{
  GPtrArray *parts; /* Part, in the order in which they began */
  gsize most_bytes;
  gsize n_bytes;
  gboolean is_lost;
};

static void
part_free (gpointer data)
{
  Part *part = data;

  g_free (part->label);
  g_string_free (part->text, TRUE);
  g_free (part);
}

static Part *
get_part (KbTranscript *self, guint index)
{
  return g_ptr_array_index (self->parts, index);
}

static Part *
find_part (KbTranscript *self, guint slot)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (get_part (self, i)->slot == slot)
      return get_part (self, i);
  return NULL;
}

static gboolean
is_part_met (const Part *part)
{
  return part->is_seen && part->met == part->text->len;
}

/**
 * kb_transcript_new:
 * @most_bytes: how much it may hold; a longer answer is not kept
 *
 * Returns: (transfer full): a transcript of nothing
 */
KbTranscript *
kb_transcript_new (gsize most_bytes)
{
  KbTranscript *self = g_new0 (KbTranscript, 1);

  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->most_bytes = most_bytes;
  return self;
}

/**
 * kb_transcript_free:
 * @self: (transfer full) (nullable): a transcript
 *
 * Frees it.
 */
void
kb_transcript_free (KbTranscript *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->parts);
  g_free (self);
}

/**
 * kb_transcript_lose:
 * @self: a transcript
 *
 * The client was given something that cannot be compared: from now on nothing joins.
 */
void
kb_transcript_lose (KbTranscript *self)
{
  g_return_if_fail (self != NULL);

  self->is_lost = TRUE;
  g_ptr_array_set_size (self->parts, 0);
  self->n_bytes = 0;
}

/**
 * kb_transcript_is_known:
 * @self: a transcript
 *
 * Returns: whether it holds all that the client was given, and that is something
 */
gboolean
kb_transcript_is_known (KbTranscript *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return !self->is_lost && self->parts->len > 0;
}

/**
 * kb_transcript_is_met:
 * @self: a transcript
 *
 * Returns: whether the answer under way has said all that the client has
 */
gboolean
kb_transcript_is_met (KbTranscript *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  for (guint i = 0; i < self->parts->len; i++)
    if (!is_part_met (get_part (self, i)))
      return FALSE;
  return !self->is_lost;
}

/* Appends what is new, from @offset on. */
static KbJoin
pass (KbTranscript *self, Part *part, const KbPiece *piece, gsize offset)
{
  gsize length = piece->length - offset;

  g_string_append_len (part->text, piece->text + offset, (gssize) length);
  part->met = part->text->len;
  self->n_bytes += length;
  if (self->n_bytes > self->most_bytes)
    kb_transcript_lose (self);
  return KB_JOIN_PASS;
}

static KbJoin
begin_part (KbTranscript *self, const KbPiece *piece)
{
  Part *part;

  if (piece->length == 0 && piece->label == NULL)
    return KB_JOIN_SKIP;
  if (!kb_transcript_is_met (self))
    return KB_JOIN_BROKEN;
  part = g_new0 (Part, 1);
  part->kind = piece->kind;
  part->slot = piece->slot;
  part->label = g_strdup (piece->label);
  part->text = g_string_new (NULL);
  part->is_seen = TRUE;
  g_ptr_array_add (self->parts, part);
  return pass (self, part, piece, 0);
}

/* Parts begin again in the order in which they began, and by their names. */
static gboolean
see (KbTranscript *self, Part *part, const KbPiece *piece)
{
  guint i = 0;

  if (part->is_seen)
    return TRUE;
  if (part->label != NULL && piece->label == NULL)
    return FALSE;
  while (get_part (self, i)->is_seen)
    i++;
  part->is_seen = get_part (self, i) == part;
  return part->is_seen;
}

static gboolean
is_boundary (const KbPiece *piece, gsize offset)
{
  return offset >= piece->length || ((unsigned char) piece->text[offset] & 0xc0) != 0x80;
}

static KbJoin
meet (KbTranscript *self, Part *part, const KbPiece *piece, gsize *offset)
{
  gsize known = MIN (piece->length, part->text->len - part->met);

  if (known > 0 && memcmp (part->text->str + part->met, piece->text, known) != 0)
    return KB_JOIN_BROKEN;
  part->met += known;
  if (known == piece->length)
    return KB_JOIN_SKIP;
  if (part->is_closed || !kb_transcript_is_met (self) || !is_boundary (piece, known))
    return KB_JOIN_BROKEN;
  *offset = known;
  return pass (self, part, piece, known);
}

/**
 * kb_transcript_add:
 * @self: a transcript
 * @piece: the next piece of the answer under way
 * @offset: (out): with %KB_JOIN_PASS, where in the text of @piece what is new begins
 *
 * Takes in a piece. What is new is kept as given to the client.
 *
 * Returns: what to do with it
 */
KbJoin
kb_transcript_add (KbTranscript *self, const KbPiece *piece, gsize *offset)
{
  Part *part;

  g_return_val_if_fail (self != NULL && piece != NULL && offset != NULL, KB_JOIN_BROKEN);

  *offset = 0;
  if (self->is_lost)
    return KB_JOIN_BROKEN;
  part = find_part (self, piece->slot);
  if (part == NULL)
    return begin_part (self, piece);
  if (part->kind != piece->kind
      || (piece->label != NULL && g_strcmp0 (piece->label, part->label) != 0))
    return KB_JOIN_BROKEN;
  if (piece->length == 0 && piece->label == NULL)
    return KB_JOIN_SKIP;
  return see (self, part, piece) ? meet (self, part, piece, offset) : KB_JOIN_BROKEN;
}

/**
 * kb_transcript_close:
 * @self: a transcript
 * @slot: which part
 *
 * The answer under way says that the part has ended.
 *
 * Returns: what to do with that
 */
KbJoin
kb_transcript_close (KbTranscript *self, guint slot)
{
  Part *part;

  g_return_val_if_fail (self != NULL, KB_JOIN_BROKEN);

  if (self->is_lost)
    return KB_JOIN_BROKEN;
  part = find_part (self, slot);
  if (part != NULL && !is_part_met (part))
    return KB_JOIN_BROKEN;
  if (part != NULL && part->is_closed)
    return KB_JOIN_SKIP;
  if (!kb_transcript_is_met (self))
    return KB_JOIN_BROKEN;
  if (part != NULL)
    part->is_closed = TRUE;
  return KB_JOIN_PASS;
}

/* Some providers refuse one that ends in white space, and begin what follows with it. */
static gsize
measure_prefill (const Part *part)
{
  gsize length = part->text->len;

  while (length > 0 && g_ascii_isspace (part->text->str[length - 1]))
    length--;
  return length;
}

/**
 * kb_transcript_dup_prefill:
 * @self: a transcript
 *
 * What to give a provider that goes on from a message of the assistant: the text so far without
 * the white space at its end. There is none where the client has more than a text, or where
 * that text has ended.
 *
 * Returns: (transfer full) (nullable): the text
 */
char *
kb_transcript_dup_prefill (KbTranscript *self)
{
  const Part *part;
  gsize length;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->is_lost || self->parts->len != 1)
    return NULL;
  part = get_part (self, 0);
  length = measure_prefill (part);
  if (part->kind != KB_PIECE_TEXT || part->is_closed || length == 0)
    return NULL;
  return g_strndup (part->text->str, length);
}

/**
 * kb_transcript_begin_again:
 * @self: a transcript
 *
 * Another answer is under way, from its start.
 */
void
kb_transcript_begin_again (KbTranscript *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->parts->len; i++)
    {
      get_part (self, i)->met = 0;
      get_part (self, i)->is_seen = FALSE;
    }
}

/**
 * kb_transcript_go_on:
 * @self: a transcript that has a prefill
 *
 * Another answer is under way that goes on behind the prefill: it begins with the white space
 * that the prefill lacks.
 */
void
kb_transcript_go_on (KbTranscript *self)
{
  Part *part;

  g_return_if_fail (self != NULL);
  g_return_if_fail (self->parts->len == 1);

  part = get_part (self, 0);
  part->met = measure_prefill (part);
  part->is_seen = TRUE;
}

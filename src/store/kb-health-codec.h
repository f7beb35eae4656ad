// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-breaker.h"

/*
 * Bytes of a channel-health.json <-> values. Decoding is tolerant: a bad record is dropped
 * with its reason and the rest is read. Encoding keeps what it does not know: unknown keys,
 * records of other channels and the order of everything.
 */

typedef struct _KbHealthDocument KbHealthDocument;

typedef struct
{
  char *channel;
  KbBreaker breaker; /* fractions of a millisecond cut off, huge times clamped */
  char *reason;      /* (nullable) failure code: only in files of Koboshi's own gateway */
} KbHealthRecord;

typedef struct
{
  char *channel; /* the key of the record */
  char *why;     /* for people, translated */
  guint line;    /* of the key, 1-based; 0 in those beyond KB_HEALTH_PLACES_MAX */
  guint column;
} KbHealthDrop;

#define KB_HEALTH_ERROR (kb_health_error_quark ())
GQuark kb_health_error_quark (void);

/* The place in the file, 1-based; both 0 if it is not about one place. */
void kb_health_error_get_place (const GError *error, guint *line, guint *column);

typedef enum
{
  KB_HEALTH_ERROR_TOO_LARGE,
  KB_HEALTH_ERROR_SYNTAX,
  KB_HEALTH_ERROR_SHAPE, /* JSON, but not a health file */
} KbHealthError;

/* Whoever has more bad records than this needs no more places to begin with. */
#define KB_HEALTH_PLACES_MAX 32

/* A file larger than this is refused unread: real ones have a few kilobytes. */
#define KB_HEALTH_MAX_BYTES (8 * 1024 * 1024)

KbHealthDocument *kb_health_document_new (void);
KbHealthDocument *kb_health_document_decode (GBytes *bytes, GError **error);
GBytes *kb_health_document_encode (KbHealthDocument *self);
void kb_health_document_free (KbHealthDocument *self);
/* KbHealthRecord, file order */
const GPtrArray *kb_health_document_get_records (KbHealthDocument *self);
/* KbHealthDrop */
const GPtrArray *kb_health_document_get_drops (KbHealthDocument *self);
const KbHealthRecord *kb_health_document_lookup (KbHealthDocument *self, const char *channel);
void kb_health_document_set (KbHealthDocument *self, const char *channel, KbBreaker breaker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbHealthDocument, kb_health_document_free)

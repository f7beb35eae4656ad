// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-dialect-kind.h"
#include "dialect/kb-dialect-error.h"
#include "dialect/kb-say.h"

/*
 * One exchange between a client and a provider that speak different dialects: the request goes
 * into the provider's words, its answer, whole or as a stream, into the client's. No clock, no
 * file, no network: what comes out depends on what goes in.
 */

typedef struct
{
  KbDialectKind client;
  KbDialectKind provider;
  const char *model; /* what the provider calls it */
  gint64 time_s;     /* wall: for dialects that tell when an answer was made */
} KbTranslationSpec;

typedef struct _KbTranslation KbTranslation;

KbTranslation *kb_translation_new (const KbTranslationSpec *spec, GBytes *request, GError **error);
void kb_translation_free (KbTranslation *self);
GBytes *kb_translation_get_request (const KbTranslation *self);

GBytes *kb_translation_translate_answer (KbTranslation *self, GBytes *answer, GError **error);

gboolean kb_translation_feed (
    KbTranslation *self, const char *data, gsize length, GString *out, GError **error);
void kb_translation_finish (KbTranslation *self, GString *out);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTranslation, kb_translation_free)

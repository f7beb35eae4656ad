// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-translation.h"
#include "dialect/kb-usage.h"
#include "gateway/kb-dialect.h"

/*
 * Between a provider's stream and the client: holds bytes back until content was seen, then
 * hands them on unchanged, up to the end of the last whole event, so that an error can always
 * be put behind them. An event that is an error is not handed on. Where the two speak different
 * dialects, what is held back and handed on is the translation, event by event.
 */

typedef struct _KbPump KbPump;

KbPump *kb_pump_new (KbDialectKind kind, KbTranslation *translation);
void kb_pump_free (KbPump *self);
gboolean kb_pump_feed (KbPump *self, const char *bytes, gsize length, GBytes **out);
gboolean kb_pump_finish (KbPump *self, GBytes **out);
KbFrame kb_pump_get_seen (KbPump *self);
const KbUsage *kb_pump_get_usage (KbPump *self);
gboolean kb_pump_is_garbled (KbPump *self);
GBytes *kb_pump_get_error (KbPump *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbPump, kb_pump_free)

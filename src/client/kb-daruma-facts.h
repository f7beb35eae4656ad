// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-channel.h"
#include "client/kb-history.h"
#include "store/kb-daruma-config.h"
#include "store/kb-health-codec.h"

/* What a daruma chain's configuration, health file and log say together about each channel. */

typedef struct _KbDarumaFacts KbDarumaFacts;

KbDarumaFacts *kb_daruma_facts_new (const KbDarumaConfig *config,
                                    KbHealthDocument *health,
                                    gboolean known,
                                    KbHistory *history);
void kb_daruma_facts_free (KbDarumaFacts *self);
const KbChannelFacts *kb_daruma_facts_get (KbDarumaFacts *self, guint *n_facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbDarumaFacts, kb_daruma_facts_free)

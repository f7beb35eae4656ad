// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-channel.h"
#include "client/kb-history.h"
#include "core/kb-problem.h"
#include "store/kb-profile.h"

/*
 * One (home, profile) seen through daruma's files: the profile that configures the chain,
 * its health file and its log. Signal "changed": something was read anew.
 */

#define KB_TYPE_SOURCE_DARUMA (kb_source_daruma_get_type ())
G_DECLARE_FINAL_TYPE (KbSourceDaruma, kb_source_daruma, KB, SOURCE_DARUMA, GObject)

KbSourceDaruma *kb_source_daruma_new (const char *home, const char *profile);
void kb_source_daruma_start (KbSourceDaruma *self);
void kb_source_daruma_start_sync (KbSourceDaruma *self);
void kb_source_daruma_refresh (KbSourceDaruma *self);
void kb_source_daruma_set_visible (KbSourceDaruma *self, gboolean visible);
KbProfile *kb_source_daruma_get_view (KbSourceDaruma *self);    /* (transfer none) (nullable) */
KbHistory *kb_source_daruma_get_history (KbSourceDaruma *self); /* (transfer none) */
const GPtrArray *kb_source_daruma_get_problems (KbSourceDaruma *self); /* KbProblem */
const KbChannelFacts *kb_source_daruma_get_facts (KbSourceDaruma *self, guint *n_facts);
gboolean kb_source_daruma_is_active (KbSourceDaruma *self); /* its row is not disabled */
gboolean kb_source_daruma_is_log_loaded (KbSourceDaruma *self);
gboolean kb_source_daruma_take_news (KbSourceDaruma *self); /* beside the facts something differs */

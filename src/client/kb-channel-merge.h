// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-channel.h"

/*
 * What several sources say about the same channels, as one list. Where a gateway runs it is
 * what really decides, so it judges; what daruma's file says about the same channel is kept
 * beside that.
 */

typedef struct _KbChannelMerge KbChannelMerge;

KbChannelMerge *
kb_channel_merge_new (const KbChannelFacts *files, guint n_files, KbGatewayReport *report);
void kb_channel_merge_free (KbChannelMerge *self);
const KbChannelFacts *kb_channel_merge_get (KbChannelMerge *self, guint *n_facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbChannelMerge, kb_channel_merge_free)

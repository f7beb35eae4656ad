// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Names one channel: a provider and a model of it. The id is "provider::model", or the bare
 * provider where the model is empty. Provider and model are kept apart because a name may
 * itself contain "::"; only kb_channel_ref_parse() splits an id, and only when nothing
 * better is known.
 */
typedef struct
{
  char *provider;
  char *model;
  char *id;
} KbChannelRef;

KbChannelRef *kb_channel_ref_new (const char *provider, const char *model);
KbChannelRef *kb_channel_ref_parse (const char *id, const GPtrArray *known);
KbChannelRef *kb_channel_ref_copy (const KbChannelRef *self);
void kb_channel_ref_free (KbChannelRef *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbChannelRef, kb_channel_ref_free)

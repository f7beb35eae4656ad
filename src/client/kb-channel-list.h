// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "client/kb-channel.h"

/*
 * A GListModel of KbChannel: the chain in order, then the channels outside it by id. An
 * update changes the objects in place and emits the smallest items-changed; a channel keeps
 * its object as long as its id is there.
 */

#define KB_TYPE_CHANNEL_LIST (kb_channel_list_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelList, kb_channel_list, KB, CHANNEL_LIST, GObject)

KbChannelList *kb_channel_list_new (void);
gboolean kb_channel_list_update (KbChannelList *self,
                                 const KbChannelFacts *facts,
                                 guint n_facts,
                                 gint64 now_ms);
/* (transfer none) (nullable) */
KbChannel *kb_channel_list_lookup (KbChannelList *self, const char *id);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "client/kb-snapshot.h"
#include "core/kb-channel-ref.h"
#include "store/kb-profile.h"

/*
 * What a person can choose from where a channel is asked for: every model of every provider
 * of the home, and the providers whose models only the host knows.
 */

#define KB_TYPE_CHANNEL_CHOICE (kb_channel_choice_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelChoice, kb_channel_choice, KB, CHANNEL_CHOICE, GObject)

const KbChannelRef *kb_channel_choice_get_ref (KbChannelChoice *self);
const char *kb_channel_choice_get_provider_name (KbChannelChoice *self); /* for people */
gboolean kb_channel_choice_is_complete (KbChannelChoice *self);          /* FALSE: no model yet */
guint kb_channel_choice_get_position (KbChannelChoice *self); /* in the chain, 0 = not in it */
gboolean kb_channel_choice_matches (KbChannelChoice *self, const char *folded_words);

GListModel *kb_channel_choice_list (KbProfile *profile); /* KbChannelChoice */
KbChannelRef *kb_channel_choice_parse (KbProfile *profile, const char *text);
char *kb_channel_choice_warn (KbProfile *profile, const KbSnapshot *files, const KbChannelRef *ref);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-changes.h"
#include "core/kb-channel-ref.h"

/*
 * What a person does to the failover chain and its backup, as changes: channels are named by
 * their ids and looked up in the files as they are then, so several may be made in a row
 * without waiting for the page to catch up.
 */

KbChanges *kb_chain_changes_add (const KbChannelRef *channel);
KbChanges *kb_chain_changes_remove (const KbChannelRef *channel);
KbChanges *kb_chain_changes_move_by (const KbChannelRef *channel, int delta);
KbChanges *kb_chain_changes_move_to_top (const KbChannelRef *channel);
KbChanges *kb_chain_changes_move_beside (const KbChannelRef *channel,
                                         const KbChannelRef *other,
                                         gboolean after);
KbChanges *kb_chain_changes_set_backup (const KbChannelRef *channel);
KbChanges *kb_chain_changes_clear_backup (void);
KbChanges *kb_chain_changes_switch_on (void);

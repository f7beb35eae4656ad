// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-channel-choice.h"

/*
 * Lets a person choose a channel: from the models of the home, searched as they type, or by
 * its name. Signal "chosen" (a #KbChannelRef, borrowed); the dialog closes then.
 */

typedef enum
{
  KB_CHANNEL_DIALOG_ADD,    /* to the chain: what is in it cannot be chosen */
  KB_CHANNEL_DIALOG_BACKUP, /* as the backup */
} KbChannelDialogPurpose;

#define KB_TYPE_CHANNEL_DIALOG (kb_channel_dialog_get_type ())
G_DECLARE_FINAL_TYPE (KbChannelDialog, kb_channel_dialog, KB, CHANNEL_DIALOG, AdwDialog)

AdwDialog *kb_channel_dialog_new (KbProfile *profile,
                                  KbSnapshot *files, /* (nullable) */
                                  KbChannelDialogPurpose purpose);

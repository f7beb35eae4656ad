// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-channel.h"

/*
 * The state of a channel as a shape, a word and a colour. Property "state" (int,
 * KbChannelState, or KB_STATUS_BADGE_UNKNOWN where none is known). The word carries the
 * meaning: the icon is presentation only, and the accessible name of the badge is the word.
 */

#define KB_STATUS_BADGE_UNKNOWN ((KbChannelState) (KB_CHANNEL_STATE_DISABLED + 1))

#define KB_TYPE_STATUS_BADGE (kb_status_badge_get_type ())
G_DECLARE_FINAL_TYPE (KbStatusBadge, kb_status_badge, KB, STATUS_BADGE, GtkWidget)

GtkWidget *kb_status_badge_new (void);
void kb_status_badge_set_state (KbStatusBadge *self, KbChannelState state);
KbChannelState kb_status_badge_get_state (KbStatusBadge *self);
const char *kb_status_badge_get_icon (KbChannelState state);
const char *kb_status_badge_get_class (KbChannelState state);

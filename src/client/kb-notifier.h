// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-notice.h"

/*
 * Decides what a person is told, and when: one notice a channel from its first failure until
 * it is healthy again, brought up to date in place, and not more often than once a minute
 * unless it gets worse. What was so before it began to look is not told.
 *
 * Property "level". Signals "send" (a #KbNotice, which replaces the one before of its
 * channel) and "withdraw" (the channel's id).
 */

typedef enum
{
  KB_NOTIFIER_OFF,
  KB_NOTIFIER_IMPORTANT,
  KB_NOTIFIER_ALL,
} KbNotifierLevel;

/* Between two notices of one channel, ms. */
#define KB_NOTIFIER_FLOOR_MS (60 * 1000)

#define KB_TYPE_NOTIFIER (kb_notifier_get_type ())
G_DECLARE_FINAL_TYPE (KbNotifier, kb_notifier, KB, NOTIFIER, GObject)

KbNotifier *kb_notifier_new (KbMonitor *monitor, KbNotifierLevel level);
void kb_notifier_set_level (KbNotifier *self, KbNotifierLevel level);
KbNotifierLevel kb_notifier_get_level (KbNotifier *self);

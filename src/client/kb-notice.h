// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"

/* What a person is told about one channel while something is wrong with it. */

/* In the order of their weight. */
typedef enum
{
  KB_NOTICE_NONE,
  KB_NOTICE_COOLDOWN,
  KB_NOTICE_FAILOVER,
  KB_NOTICE_GIVE_UP,  /* important */
  KB_NOTICE_DISABLED, /* important: a person must act */
} KbNoticeKind;

typedef struct
{
  KbNoticeKind kind;
  char *channel; /* owned: id */
  char *target;  /* owned, nullable: id of the channel that was switched to */
  char *title;   /* owned */
  char *body;    /* owned */
} KbNotice;

KbNotice *kb_notice_new (KbMonitor *monitor, KbChannel *channel, gint64 since_ms);
void kb_notice_free (KbNotice *self);
gboolean kb_notice_equal (const KbNotice *a, const KbNotice *b);
gboolean kb_notice_is_important (const KbNotice *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbNotice, kb_notice_free)

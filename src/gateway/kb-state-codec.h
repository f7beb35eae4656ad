// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

#include "core/kb-engine-snapshot.h"

/*
 * The text of the health file <-> records of the engine. The format is the one of the daruma
 * plugin, with members of our own beside its own; @offset_ms is wall time minus boot time.
 */

/* What camel has learned of the rate limit of a channel. */
typedef struct
{
  char *channel;
  KbQuota quota; /* boot time */
} KbKeptQuota;

typedef struct
{
  GPtrArray *quotas;      /* (nullable) KbKeptQuota */
  GPtrArray *records;     /* KbKeptHealth, boot time */
  char *pin;              /* (nullable) channel id */
  gint64 pin_until_ms;    /* boot time, 0 = for good */
  gint64 paused_until_ms; /* boot time, 0 = not paused, G_MAXINT64 = for good */
} KbStateValues;

void kb_kept_quota_free (KbKeptQuota *self);
void kb_state_values_add_quota (KbStateValues *values, const char *channel, const KbQuota *quota);
GBytes *kb_state_values_encode (const KbStateValues *values, gint64 offset_ms);
gboolean kb_state_values_decode (GBytes *bytes, gint64 offset_ms, KbStateValues *values);
void kb_state_values_clear (KbStateValues *values);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KbStateValues, kb_state_values_clear)

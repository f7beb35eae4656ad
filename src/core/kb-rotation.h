// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Round robin with quarantine, as route-resilience does it: a group of targets takes turns,
 * targets whose provider is in quarantine are passed over, and the quarantine of a provider
 * grows with every rate limit in a row. Times are milliseconds on one clock.
 */

typedef enum
{
  KB_QUARANTINE_ACTIVE,
  KB_QUARANTINE_WAITING,  /* until a deadline */
  KB_QUARANTINE_DISABLED, /* until a person or a new configuration acts */
} KbQuarantineState;

/* The health of one provider. */
typedef struct
{
  KbQuarantineState state;
  gint64 until_ms;
  gint64 errors; /* rate limits in a row */
} KbQuarantine;

typedef struct
{
  double base_ms; /* >= 1: of the first rate limit */
  double most_ms; /* >= base_ms: doubling ends here */
} KbQuarantinePolicy;

#define KB_QUARANTINE_POLICY_INIT { .base_ms = 60000, .most_ms = 300000 }

/* How a target was found. */
typedef enum
{
  KB_TURN_NEXT,    /* the next one that is well */
  KB_TURN_REVIVED, /* the next one, whose deadline has come */
  KB_TURN_WOKEN,   /* none is well: the first to recover */
  KB_TURN_FIRST,   /* all are disabled: the first, so that the real error surfaces */
} KbTurnKind;

typedef struct
{
  guint target;
  guint pointer; /* where the next turn begins */
  KbTurnKind kind;
} KbTurn;

KbTurn kb_rotation_take_turn (const KbQuarantine *const *targets,
                              guint n_targets,
                              guint pointer,
                              gint64 now_ms);
gboolean kb_rotation_find_next (
    const KbQuarantine *const *targets, guint n_targets, guint failed, gint64 now_ms, guint *next);
gint64 kb_quarantine_take_rate_limit (KbQuarantine *self,
                                      const KbQuarantinePolicy *policy,
                                      gint64 retry_after_ms,
                                      gint64 retry_after_cap_ms,
                                      gint64 now_ms);
void kb_quarantine_disable (KbQuarantine *self);
void kb_quarantine_revive (KbQuarantine *self);
gboolean kb_quarantine_is_well (const KbQuarantine *self, gint64 now_ms);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-channel-ref.h"
#include "core/kb-dialect-kind.h"
#include "core/kb-retry-schedule.h"

/* A channel that can be asked for: one model of one provider, and what is stated of it. */

typedef enum
{
  KB_ABILITY_UNKNOWN, /* nobody says, so it is tried */
  KB_ABILITY_YES,
  KB_ABILITY_NO,
} KbAbility;

typedef struct
{
  const char *provider;
  const char *model;
  KbDialectKind dialect;
  gint64 context_window; /* tokens; 0 = unknown */
  gint64 max_output;     /* tokens; 0 = unknown */
  KbAbility images;
  KbAbility tools;
  const char *const *efforts; /* (nullable) reasoning efforts it takes; NULL = unknown */
  gboolean is_loopback;       /* served from this machine, so it works offline */
  gboolean never_automatic;   /* only when picked by hand */
  gboolean takes_prefill;     /* goes on from a message of the assistant (rule 9) */
  KbRetryPolicy retry;        /* of the provider */
  guint64 provider_revision;  /* a hash over the provider's address, key and headers: when it
                                 changes, what is known about the provider's health is void */
} KbChannelSpec;

typedef struct
{
  KbChannelRef *ref;
  KbChannelSpec spec; /* its strings are owned */
  guint index;        /* in the table */
} KbRouteChannel;

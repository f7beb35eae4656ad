// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway.h"
#include "gateway/kb-outcomes.h"
#include "gateway/kb-state.h"

/* The parts of a gateway, for the files that make it up. */

struct _KbGateway
{
  char *home;    /* owned */
  char *profile; /* owned */
  KbGatewayClock clock;
  KbEngine *engine;          /* owned */
  KbGatewayPlan *plan;       /* owned, nullable: nothing was loaded yet */
  GHashTable *keys;          /* owned: name -> KbSecret */
  KbState *state;            /* owned */
  KbOutcomes *outcomes;      /* owned */
  GCancellable *cancellable; /* owned: cancelled when this goes */
  guint generation;          /* of the newest reload */
  gint64 started_ms;         /* wall time */
  char *address;             /* owned, nullable */
  char *serving;             /* owned, nullable */
  guint n_in_flight;
  char *save_problem; /* owned, nullable: why the state could not be written */
  char *load_problem; /* owned, nullable: what was wrong with the state at the start */
  guint save_source;
  gint64 saved_ms;  /* boot time of the last save */
  gint64 looked_ms; /* boot time of the last look for a missing key */
  guint notify_source;
  KbGatewayChanged changed; /* (nullable) */
  gpointer changed_data;
};

gint64 kb_gateway_now (KbGateway *self);
gint64 kb_gateway_to_wall (KbGateway *self, gint64 boot_ms);
void kb_gateway_note_change (KbGateway *self);

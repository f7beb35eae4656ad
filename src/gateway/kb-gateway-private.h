// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway.h"
#include "gateway/kb-outcomes.h"
#include "gateway/kb-routes.h"
#include "gateway/kb-state.h"
#include "gateway/kb-usage-ledger.h"
#include "keyring/kb-keyring-watch.h"
#include "store/kb-file-watch.h"

/* The parts of a gateway, for the files that make it up. */

typedef struct
{
  char *from;       /* owned, nullable: none yet */
  char *to;         /* owned */
  const char *code; /* (nullable) static */
  gint64 at_ms;     /* wall time */
} KbLastSwitch;

struct _KbGateway
{
  char *home;    /* owned */
  char *profile; /* owned */
  KbGatewayClock clock;
  gint64 offset_ms;          /* from boot time to wall time, as last shown */
  KbEngine *engine;          /* owned */
  KbGatewayPlan *plan;       /* owned, nullable: nothing was loaded yet */
  GHashTable *keys;          /* owned: name -> KbSecret */
  KbState *state;            /* owned, nullable: nothing is kept */
  KbOutcomes *outcomes;      /* owned */
  KbUsageLedger *ledger;     /* owned, nullable like state */
  GCancellable *cancellable; /* owned: cancelled when this goes */
  guint generation;          /* of the newest reload */
  guint failed_generation;   /* the newest when a reload failed */
  gboolean is_plan_stale;    /* the newest plan is not in use yet */
  KbFileWatch *watch;        /* owned, nullable: files are not watched */
  KbKeyringWatch *key_watch; /* owned, nullable: the keyring is not watched */
  GStrv watched;             /* owned, nullable: the paths */
  gint64 started_ms;         /* wall time */
  char *address;             /* owned, nullable */
  char *serving;             /* owned, nullable */
  gint64 serving_since_ms;   /* wall time */
  KbLastSwitch last_switch;
  KbRoutes *routes;         /* owned */
  KbGatewayTraffic traffic; /* (nullable) tells what is in flight */
  gpointer traffic_data;
  char *save_problem;   /* owned, nullable: why the state could not be written */
  char *load_problem;   /* owned, nullable: what was wrong with the state at the start */
  char *reload_problem; /* owned, nullable: why the newest configuration does not count */
  char *listen_problem; /* owned, nullable */
  GStrv key_problems;   /* owned, nullable: places of keys that could not be asked */
  guint save_source;
  guint bindings_source; /* bindings are to be written */
  gint64 saved_ms;       /* boot time of the last save */
  gint64 looked_ms;      /* boot time of the last look for a missing key */
  guint64 n_notes;       /* changes that the engine does not count */
  guint notify_source;
  guint wake_source;      /* requests that wait are to ask again */
  KbGatewayChanged woken; /* (nullable) */
  gpointer woken_data;
  KbGatewayChanged changed; /* (nullable) */
  gpointer changed_data;
  KbGatewayChanged configured; /* (nullable) */
  gpointer configured_data;
};

gint64 kb_gateway_now (KbGateway *self);
gint64 kb_gateway_to_wall (KbGateway *self, gint64 boot_ms);
void kb_gateway_note_change (KbGateway *self);
void kb_gateway_save_soon (KbGateway *self);
void kb_gateway_load_state (KbGateway *self);
void kb_gateway_look_again (KbGateway *self);
void kb_gateway_stop_watching (KbGateway *self);

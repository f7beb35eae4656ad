// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine.h"
#include "core/kb-engine-snapshot.h"

/*
 * A small world for the tests of the engine: channels a/x, b/y, c/z, ... of providers of
 * their own, a chain, and a request that is played attempt by attempt.
 */

typedef struct
{
  KbEngine *engine;
  KbRouteTable *table;
  KbPolicy policy;
  KbPolicy group_policy;
  const char *const *groups; /* (nullable) "pool/m sticky a/x b/y", "g round-robin a/x b/y";
                                a "?" behind the strategy: members are judged by abilities */
  KbEngineOptions options;
  GString *events; /* "state a::x HEALTHY>COOLDOWN; failover a::x>b::y SERVER; ..." */
} KbTestWorld;

/* Channels in a compact form: "a/x", and after that any of "@" (loopback), "#" (never
 * automatic), "!" (messages dialect), "=N" (context window), "+" (five retries), "%i" (no images),
 * "%t" (no tools). */
KbTestWorld *kb_test_world_new (const char *const *channels);
void kb_test_world_free (KbTestWorld *world);
void kb_test_world_configure (KbTestWorld *world,
                              const char *const *channels,
                              const char *const *chain,
                              const char *backup,
                              const char *const *fallbacks);
KbRun *kb_test_world_ask (KbTestWorld *world, const char *name, gint64 now_ms);
KbRun *
kb_test_world_ask_as (KbTestWorld *world, const char *name, const char *session, gint64 now_ms);
KbPick kb_test_world_next (KbTestWorld *world, KbRun *run, gint64 now_ms);
KbStep kb_test_world_fail (KbTestWorld *world, KbRun *run, const char *code, int status, gint64 at);
KbStep kb_test_world_fail_after (
    KbTestWorld *world, KbRun *run, const char *code, gint64 retry_after_ms, gint64 at);
KbStep kb_test_world_succeed (KbTestWorld *world, KbRun *run, gint64 now_ms);
char *kb_test_world_play (KbTestWorld *world, const char *name, const char *codes, gint64 now_ms);
void kb_test_world_cool (KbTestWorld *world, const char *id, gint64 ms, gint64 now_ms);
KbChannelStatus kb_test_world_status (KbTestWorld *world, const char *channel_id, gint64 now_ms);
const char *kb_test_pick_id (const KbPick *pick);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTestWorld, kb_test_world_free)

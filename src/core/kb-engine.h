// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-circuit.h"
#include "core/kb-route.h"
#include "core/kb-sticky.h"

/*
 * The engine of the gateway: the one owner of what is known about channels, of manual
 * disables, of the pin and of probes under way. It decides, it does not act: it has no clock,
 * no timer and no network, so everything takes the present boot time.
 *
 * A request is one run:
 *
 *     begin → next → PICK → (attempt) → report → SAME_AGAIN / NEXT → next → … → free
 *
 * One thread owns it. Listener functions must not call back into it.
 */

typedef struct
{
  gint64 in_request_wait_ms;       /* the longest Retry-After a request waits for */
  gint64 retry_before_failover_ms; /* for the same channel, while another is routable */
  gint64 retry_after_cap_ms;       /* the longest Retry-After a circuit believes */
  gint64 total_timeout_ms;         /* of a request with all its attempts */
  gboolean refused_content_fails_over;
  gint64 sticky_ttl_ms; /* a binding nobody used for so long is forgotten */
  gint64 sticky_most;   /* bindings */
} KbEngineOptions;

#define KB_ENGINE_OPTIONS_INIT                                                                     \
  { .in_request_wait_ms = 60000,                                                                   \
    .retry_before_failover_ms = 3000,                                                              \
    .retry_after_cap_ms = 3600000,                                                                 \
    .total_timeout_ms = 1800000,                                                                   \
    .sticky_ttl_ms = KB_STICKY_TTL_MS,                                                             \
    .sticky_most = KB_STICKY_MOST }

typedef struct
{
  KbDialectKind dialect;
  guint other_dialects;      /* bits, 1 << KbDialectKind: it may be translated into these */
  gint64 approximate_tokens; /* of the conversation; 0 = unknown */
  gint64 max_output;         /* tokens it asks for at most; 0 = unknown */
  gboolean has_images;
  gboolean has_tools;
  KbPacingLayer *pacing; /* (nullable) what it states for its own session; kept */
  const char *session;   /* (nullable) what stickiness goes by (rule 8); copied */
  const char *label;     /* (nullable) names the request in events; copied */
} KbRequestFacts;

/* Why a channel was taken or passed over. Wording is made elsewhere. */
typedef enum
{
  KB_REASON_TAKEN,              /* first in order that is well */
  KB_REASON_TAKEN_AGAIN,        /* same channel, within its retry policy */
  KB_REASON_TAKEN_PROBE,        /* its deadline has passed: this request tries it */
  KB_REASON_TAKEN_EARLIEST,     /* all are cooling: the first to recover (rule 4) */
  KB_REASON_TAKEN_ALONE,        /* there is no other (rule 4) */
  KB_REASON_TAKEN_ALL_DISABLED, /* so that the real error surfaces (rule 4) */
  KB_REASON_TAKEN_RESTING,      /* its server wants a rest, but nobody else is well */
  KB_REASON_TAKEN_ROOMIEST,     /* all seem too small: the largest window */
  KB_REASON_TRIED,              /* failed in this request already */
  KB_REASON_DISABLED_BY_HAND,
  KB_REASON_DISABLED,
  KB_REASON_COOLING,         /* value: milliseconds until its deadline */
  KB_REASON_PROBED,          /* another request is trying it */
  KB_REASON_OFFLINE,         /* it is not on this machine, and there is no network */
  KB_REASON_OTHER_DIALECT,   /* value: its KbDialectKind */
  KB_REASON_NEVER_AUTOMATIC, /* `neverAutomatic`, and nobody picked it by hand */
  KB_REASON_WINDOW,          /* its context window is no larger; value: the window */
  KB_REASON_NO_IMAGES,       /* it takes no images, and the request has some */
  KB_REASON_NO_TOOLS,        /* it takes no tools, and the request has some */
  KB_REASON_RESTING,         /* its server was asked too much; value: milliseconds */
  KB_REASON_OUTPUT,          /* it writes no answers so long; value: its most tokens */
} KbReasonKind;

typedef struct
{
  KbReasonKind kind;
  const KbRouteChannel *channel; /* borrowed from the run's route */
  gint64 value;
} KbReason;

typedef enum
{
  KB_PICK_CHANNEL,
  KB_PICK_WAIT,   /* ask again at until_ms */
  KB_PICK_REFUSE, /* the request is over */
} KbPickKind;

typedef enum
{
  KB_REFUSAL_NONE,
  KB_REFUSAL_EXHAUSTED,     /* every candidate failed; hand the last error on */
  KB_REFUSAL_BUDGET,        /* no more changes of channel; hand the last error on */
  KB_REFUSAL_DEADLINE,      /* the total time is over */
  KB_REFUSAL_COOLING,       /* all are cooling, and rule 4 has woken one already */
  KB_REFUSAL_BY_HAND,       /* a person has disabled what there is */
  KB_REFUSAL_OFFLINE,       /* no network, and nothing on this machine */
  KB_REFUSAL_DIALECT,       /* no candidate speaks the dialect of the request */
  KB_REFUSAL_NOT_AUTOMATIC, /* only channels that are never picked automatically */
  KB_REFUSAL_PACED,         /* its place in line comes after the total time */
  KB_REFUSAL_UNABLE,        /* no member of the pool can serve such a request */
} KbRefusal;

typedef struct
{
  KbPickKind kind;

  /* KB_PICK_CHANNEL */
  const KbRouteChannel *channel; /* borrowed from the run's route */
  const KbPolicy *policy;        /* what named it */
  const KbGroupTarget *target;   /* (nullable) its place in a group; borrowed like channel */
  gboolean is_probe;
  guint attempt; /* number in this request, from 1 on */

  /* KB_PICK_WAIT */
  gint64 until_ms;

  /* KB_PICK_REFUSE */
  KbRefusal refusal;
  KbFailureClass klass;  /* of the last failure, or of what stands in the way */
  int status;            /* HTTP status to answer with */
  gint64 retry_after_ms; /* > 0 where the status is 429 or 503 */

  /* Of every kind: in the order of the candidates, valid until the run is used again. */
  const KbReason *reasons;
  guint n_reasons;
} KbPick;

typedef struct
{
  gboolean ok;
  KbFailureClass klass;         /* where not ok */
  const char *code;             /* where not ok: "RATE_LIMIT", "HTTP_418", ... */
  int status;                   /* HTTP status, 0 = none came */
  gint64 retry_after_ms;        /* as asked for, before any cap; 0 = nothing */
  gboolean after_first_content; /* the client has seen content: nothing is retried (rule 7) */
  gboolean can_go_on;           /* but another channel may continue what the client has (rule 9) */
} KbAttemptResult;

typedef enum
{
  KB_STEP_DONE,         /* it went well */
  KB_STEP_SAME_AGAIN,   /* wait delay_ms, then ask for the next pick */
  KB_STEP_NEXT,         /* ask for the next pick */
  KB_STEP_PASS_THROUGH, /* hand the provider's own answer on */
  KB_STEP_END,          /* after content, or nobody waits: end it (rule 7) */
} KbStepKind;

typedef struct
{
  KbStepKind kind;
  gint64 delay_ms; /* KB_STEP_SAME_AGAIN */
} KbStep;

typedef enum
{
  KB_ENGINE_EVENT_CONFIGURED,
  KB_ENGINE_EVENT_STATE,    /* what is known about a channel or provider changed */
  KB_ENGINE_EVENT_OUTCOME,  /* an attempt ended */
  KB_ENGINE_EVENT_FAILOVER, /* a request moved from channel to to */
  KB_ENGINE_EVENT_GIVE_UP,  /* a request was refused after at least one attempt */
  KB_ENGINE_EVENT_PIN,
  KB_ENGINE_EVENT_ONLINE,
  KB_ENGINE_EVENT_PAUSE,
  KB_ENGINE_EVENT_QUEUE, /* a request stands in line for channel until then, or leaves the line */
  KB_ENGINE_EVENT_QUOTA, /* something was learned of the rate limit of channel */
  KB_ENGINE_EVENT_TURN,  /* a group's turn or a binding: channel serves the group in to */
} KbEngineEventKind;

typedef struct
{
  KbEngineEventKind kind;
  gint64 at_ms;
  const char *label;            /* (nullable) of the request */
  const char *channel;          /* (nullable) channel id, or a provider where scope says so */
  const char *to;               /* (nullable) FAILOVER: where it moved */
  KbHealthScope scope;          /* STATE */
  KbChannelState before, after; /* STATE */
  gint64 until_ms;              /* STATE: deadline; PIN and PAUSE: end, 0 = none; QUEUE: when
                                   it may go; QUOTA: the end of the rest */
  gboolean ok;                  /* OUTCOME; ONLINE: whether there is a network */
  KbFailureClass klass;
  const char *code; /* (nullable) */
  int status;
  gint64 retry_after_ms;
  gint64 took_ms;               /* OUTCOME */
  gboolean after_first_content; /* OUTCOME: a stream that was cut */
  gint64 failover_count;        /* FAILOVER, GIVE_UP: changes of channel so far */
  gint64 give_up_budget;        /* FAILOVER, GIVE_UP */
  gboolean retry_exhausted;     /* FAILOVER */
  KbRefusal refusal;            /* GIVE_UP */
} KbEngineEvent;

typedef void (*KbQuotaFunc) (const char *channel_id, const KbQuota *quota, gpointer user_data);
typedef void (*KbEngineListener) (const KbEngineEvent *event, gpointer user_data);

typedef struct _KbEngine KbEngine;
typedef struct _KbRun KbRun;

KbEngine *kb_engine_new (gint64 now_ms);
KbEngine *kb_engine_ref (KbEngine *self);
void kb_engine_unref (KbEngine *self);
KbEngine *kb_engine_copy (KbEngine *self);
void kb_engine_set_listener (KbEngine *self, KbEngineListener listener, gpointer user_data);
void kb_engine_configure (KbEngine *self,
                          KbRouteTable *table,
                          const KbEngineOptions *options,
                          gint64 now_ms);
KbRouteTable *kb_engine_get_table (KbEngine *self);
guint64 kb_engine_get_serial (KbEngine *self);

/* requests */
KbRun *kb_engine_begin (KbEngine *self, KbRoute *route, const KbRequestFacts *facts, gint64 now_ms);
void kb_engine_next (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick);
void kb_engine_peek (KbEngine *self, KbRun *run, gint64 now_ms, KbPick *pick);
KbStep kb_engine_report (
    KbEngine *self, KbRun *run, const KbAttemptResult *result, gint64 now_ms, double random);
void kb_engine_abandon (KbEngine *self, KbRun *run);
void kb_run_free (KbRun *run);
gint64 kb_run_get_deadline (KbRun *run);
guint kb_run_get_other_dialects (KbRun *run);
void kb_run_rule_out_dialect (KbRun *run, KbDialectKind dialect);
guint kb_run_get_n_attempts (KbRun *run);

/* what people do */
gboolean
kb_engine_set_disabled (KbEngine *self, const char *channel_id, gboolean disabled, gint64 now_ms);
gboolean kb_engine_retry (KbEngine *self, const char *channel_id, gint64 now_ms);
void kb_engine_forgive_provider (KbEngine *self, const char *provider, gint64 now_ms);
gboolean kb_engine_pin (KbEngine *self, const char *channel_id, gint64 until_ms, gint64 now_ms);
void kb_engine_unpin (KbEngine *self, gint64 now_ms);
const char *kb_engine_get_pin (KbEngine *self, gint64 now_ms, gint64 *until_ms);
void kb_engine_pause (KbEngine *self, gint64 until_ms, gint64 now_ms);
gint64 kb_engine_get_paused_until (KbEngine *self, gint64 now_ms);
void kb_engine_set_online (KbEngine *self, gboolean online, gint64 now_ms);
gboolean kb_engine_is_online (KbEngine *self);

gboolean kb_engine_event_wakes (const KbEngineEvent *event);

/* what groups and camel know */
guint kb_engine_get_turn (KbEngine *self, const KbGroup *group);
KbSticky *kb_engine_get_sticky (KbEngine *self);
void kb_engine_foreach_quota (KbEngine *self, KbQuotaFunc func, gpointer user_data);
void kb_engine_restore_quota (KbEngine *self,
                              const char *channel_id,
                              const KbQuota *kept,
                              gint64 now_ms);

const char *kb_refusal_to_string (KbRefusal refusal);
const char *kb_reason_kind_to_string (KbReasonKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEngine, kb_engine_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbRun, kb_run_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-breaker.h"

/*
 * What the gateway tells of itself, as plain values: the daemon fills it in, front ends read
 * it and share it by reference. Times are wall-clock milliseconds, 0 = none.
 */

/* How many attempts of one minute ended how. */
typedef struct
{
  guint32 n_ok;
  guint32 n_failed; /* without those that were cut */
  guint32 n_cut;    /* content had gone out, and the end did not follow */
} KbChannelMinute;

/* How far back the minutes of a channel go. */
#define KB_CHANNEL_N_MINUTES 60

typedef struct
{
  char *id;
  char *provider;
  char *model;
  gint64 position; /* in the chain, from 1 on; 0 = not in it */
  gboolean is_backup;
  gboolean is_pinned;
  gboolean is_probing;
  gboolean by_hand;         /* a person disabled it */
  gboolean never_automatic; /* used only when it is picked by hand */
  KbChannelState state;
  char *scope; /* "pair" or "provider" */
  gint64 since_ms;
  gint64 until_ms;
  gint64 updated_ms;
  gint64 failures;
  char *reason; /* (nullable) failure code */
  gint64 status;
  gint64 retry_after_ms;
  gint64 n_ok;
  gint64 n_failed;
  gint64 n_cut;
  gint64 tokens_in; /* today, with those read from a cache */
  gint64 tokens_cached;
  gint64 tokens_out;
  gint64 p50_ms; /* of whole answers; -1 = unknown */
  gint64 p95_ms;
  GArray *minutes;   /* KbChannelMinute: of the last hour, the present one last */
  char *url;         /* (nullable) */
  char *missing_key; /* (nullable) its name */
  char *pacing;      /* "none", "fixed" or "adaptive" */
  char *pace_scope;  /* (nullable) of a fixed one: "global", "provider", "route", "task-route" */
  gint64 pace_limit; /* requests that go into a window now */
  gint64 pace_window_ms;
  gint64 pace_used;     /* requests within the window */
  gint64 queued;        /* requests in line for it */
  gint64 free_at_ms;    /* when a request that came now could go; 0 = at once */
  gint64 learned;       /* requests in a window, before the margin */
  gint64 learned_least; /* its bounds */
  gint64 learned_most;
  gint64 clean_windows;
  gint64 rests_until_ms;    /* its server was asked too much */
  gint64 most_retries;      /* of a rate-limited request; -1 = as often as it takes */
  gint64 waiting;           /* rate-limited requests that wait and try again */
  gint64 waits_until_ms;    /* when the newest of them does */
  gboolean retries;         /* a rate-limited request waits and tries again */
  gboolean is_rate_limited; /* in the present window */

  /* of the newest attempt; all (nullable) */
  char *address;      /* numeric: of the provider, or of its proxy */
  char *family;       /* of the address: "IPv4" or "IPv6" */
  char *proxy;        /* without a password; NULL = none */
  char *proxy_reason; /* why this one, or none */
  char *tls_error;    /* why no trust was found */
} KbChannelReport;

/* A request that is under way. */
typedef struct
{
  char *id;
  char *model;   /* as it was asked for */
  char *channel; /* (nullable) of the newest attempt */
  char *dialect;
  gboolean is_stream;
  gint64 since_ms;
  gint64 attempts;
  gint64 pid;    /* of who asks; 0 = unknown */
  char *program; /* (nullable) its name */
} KbExchangeReport;

/* One target of a group. */
typedef struct
{
  char *channel;
  gint64 bound; /* sessions */
} KbMemberReport;

/* A group of route-resilience, or a model of a pool. */
typedef struct
{
  char *id;
  char *system; /* "route-resilience" or "llm-pool" */
  char *pool;   /* (nullable) */
  char *title;  /* (nullable) for people */
  char *strategy;
  char *next; /* (nullable) the channel whose turn is next */
  gboolean is_active;
  gboolean takes_images;
  gint64 context_window; /* 0 = unknown */
  gint64 max_output;     /* 0 = unknown */
  gint64 quarantine_base_ms;
  gint64 quarantine_most_ms;
  GStrv efforts;
  GPtrArray *members; /* KbMemberReport, in order */
} KbGroupReport;

typedef struct
{
  gint64 serial;
  gint64 time_ms;
  gint64 started_ms;
  char *version;
  char *home;
  char *profile;
  char *address;
  gboolean online;
  gboolean paused;
  gint64 paused_until_ms; /* 0 while paused = for good */
  char *pin;              /* (nullable) */
  gint64 pin_until_ms;
  char *serving;           /* (nullable) who answered last */
  gint64 serving_since_ms; /* since when without anybody else in between */
  char *switch_from;       /* (nullable) the newest change of channel within a request */
  char *switch_to;
  char *switch_reason; /* (nullable) failure code */
  gint64 switch_ms;
  gint64 in_flight;     /* requests */
  gint64 queued;        /* requests in line, of all channels and sessions */
  gint64 bindings;      /* sessions that are bound to a member of a pool */
  GPtrArray *channels;  /* KbChannelReport */
  GPtrArray *groups;    /* KbGroupReport */
  GPtrArray *exchanges; /* KbExchangeReport: some, where there are very many */
  GStrv problems;       /* sentences */
} KbGatewayReport;

KbGatewayReport *kb_gateway_report_new (void);
KbGatewayReport *kb_gateway_report_ref (KbGatewayReport *self);
void kb_gateway_report_unref (KbGatewayReport *self);
KbChannelReport *kb_gateway_report_add_channel (KbGatewayReport *self, const char *id);
const KbChannelReport *kb_gateway_report_find_channel (const KbGatewayReport *self, const char *id);
KbGroupReport *kb_gateway_report_add_group (KbGatewayReport *self, const char *id);
const KbGroupReport *kb_gateway_report_find_group (const KbGatewayReport *self, const char *id);
KbExchangeReport *kb_gateway_report_add_exchange (KbGatewayReport *self, const char *id);
void kb_group_report_add_member (KbGroupReport *self, const char *channel, gint64 bound);
GVariant *kb_channel_report_to_variant (const KbChannelReport *channel);
gboolean kb_channel_report_equal (const KbChannelReport *a, const KbChannelReport *b);
GVariant *kb_gateway_report_to_variant (const KbGatewayReport *self);
KbGatewayReport *kb_gateway_report_from_variant (GVariant *variant);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbGatewayReport, kb_gateway_report_unref)

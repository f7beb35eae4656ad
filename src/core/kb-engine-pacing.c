// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine-private.h"

/*
 * camel's part of a decision: a request waits for its place in the window of the route that was
 * chosen for it, in the order of arrival; what a route can take is learned from every rate
 * limit and every success; and a rate-limited request that has nowhere else to go waits and
 * tries again.
 */

/* Buckets of sessions pile up; idle ones are looked for once in so many requests. */
#define TIDY_AFTER 512

struct _KbPaceTicket
{
  char *bucket;
  GSequenceIter *place; /* in the bucket's line */
};

static gboolean
is_paused (KbEngine *self, gint64 now_ms)
{
  return self->paused_until_ms > now_ms;
}

static void
resolve (KbEngine *self, const KbRun *run, const KbRouteChannel *channel, KbPacing *pacing)
{
  kb_pacing_resolve (kb_route_table_get_pacing (self->table), run->pacing, channel->ref->provider,
                     channel->ref->model, pacing);
}

/* (transfer full): whose window it is. What is learned counts in windows of its own. */
static char *
bucket_of (const KbPacing *pacing, const KbChannelRef *ref, const char *session)
{
  if (pacing->adapts)
    return g_strconcat ("adaptive:", ref->id, NULL);
  return kb_throttle_bucket_name (pacing->scope, session != NULL ? session : "", ref->provider,
                                  ref->model);
}

static KbQuota *
find_quota (KbEngine *self, const char *channel_id)
{
  return g_hash_table_lookup (self->quotas, channel_id);
}

static KbQuota *
get_quota (KbEngine *self, const char *channel_id)
{
  KbQuota *quota = find_quota (self, channel_id);

  if (quota == NULL)
    {
      quota = g_new0 (KbQuota, 1);
      g_hash_table_insert (self->quotas, g_strdup (channel_id), quota);
    }
  return quota;
}

static KbQuota
view_quota (KbEngine *self, const char *channel_id, const KbQuotaPolicy *policy, gint64 now_ms)
{
  static const KbQuota nothing = { 0 };
  const KbQuota *quota = find_quota (self, channel_id);

  return kb_quota_view (quota != NULL ? quota : &nothing, policy, now_ms);
}

static KbThrottleLimits
limits_of (KbEngine *self, const KbPacing *pacing, const char *channel_id, gint64 now_ms)
{
  static const KbQuota nothing = { 0 };
  const KbQuota *quota = find_quota (self, channel_id);

  if (!pacing->adapts)
    return pacing->limits;
  return (KbThrottleLimits) {
    kb_quota_get_limit (quota != NULL ? quota : &nothing, &pacing->quota, now_ms),
    pacing->quota.window_ms,
  };
}

/* ---- the line ---- */

static GSequence *
find_line (KbEngine *self, const char *bucket)
{
  return g_hash_table_lookup (self->lines, bucket);
}

static guint
count_ahead (KbEngine *self, const KbRun *run, const char *bucket)
{
  GSequence *line = find_line (self, bucket);

  if (line == NULL)
    return 0;
  if (run->ticket != NULL && g_str_equal (run->ticket->bucket, bucket))
    return (guint) g_sequence_iter_get_position (run->ticket->place);
  return (guint) g_sequence_get_length (line);
}

/* Those behind move up. */
static void
drop_ticket (KbEngine *self, KbRun *run)
{
  KbPaceTicket *ticket = g_steal_pointer (&run->ticket);

  if (ticket == NULL)
    return;
  g_sequence_remove (ticket->place);
  if (g_sequence_is_empty (find_line (self, ticket->bucket)))
    g_hash_table_remove (self->lines, ticket->bucket);
  self->n_queued--;
  g_free (ticket->bucket);
  g_free (ticket);
}

static void
take_ticket (KbEngine *self, KbRun *run, const char *bucket)
{
  GSequence *line;

  if (run->ticket != NULL && g_str_equal (run->ticket->bucket, bucket))
    return;
  drop_ticket (self, run);
  line = find_line (self, bucket);
  if (line == NULL)
    {
      line = g_sequence_new (NULL);
      g_hash_table_insert (self->lines, g_strdup (bucket), line);
    }
  run->ticket = g_new0 (KbPaceTicket, 1);
  run->ticket->bucket = g_strdup (bucket);
  run->ticket->place = g_sequence_append (line, run);
  self->n_queued++;
}

static void
emit_queue (KbEngine *self, const KbRun *run, const char *channel, gint64 until_ms, gint64 now_ms)
{
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_QUEUE,
                            .at_ms = now_ms,
                            .label = run->label,
                            .channel = channel,
                            .until_ms = until_ms,
                        });
}

/**
 * kb_engine_leave_line:
 * @self: an engine
 * @run: a request that no longer waits for a place in a window
 *
 * Gives its place up, and tells that others may move up.
 */
void
kb_engine_leave_line (KbEngine *self, KbRun *run)
{
  if (run->ticket == NULL)
    return;
  drop_ticket (self, run);
  emit_queue (self, run, NULL, 0, 0);
}

/**
 * kb_engine_get_pace_rest:
 * @self: an engine
 * @run: a request
 * @channel: a channel
 * @now_ms: the present time
 *
 * Returns: for how many milliseconds a server that was asked too much wants to be left alone,
 *   as camel has learned; 0 where it does not
 */
gint64
kb_engine_get_pace_rest (KbEngine *self,
                         const KbRun *run,
                         const KbRouteChannel *channel,
                         gint64 now_ms)
{
  const KbQuota *quota
      = g_hash_table_size (self->quotas) > 0 ? find_quota (self, channel->ref->id) : NULL;
  KbPacing pacing;

  if (quota == NULL || quota->cooldown_until_ms <= now_ms || is_paused (self, now_ms))
    return 0;
  resolve (self, run, channel, &pacing);
  if (!pacing.adapts)
    return 0;
  return MAX (0, kb_quota_view (quota, &pacing.quota, now_ms).cooldown_until_ms - now_ms);
}

static gboolean
is_paced (KbEngine *self, const KbRun *run, const KbRouteChannel *channel, KbPacing *pacing)
{
  if (run->pacing == NULL && kb_route_table_get_pacing (self->table) == NULL)
    return FALSE;
  resolve (self, run, channel, pacing);
  return pacing->adapts || pacing->throttles;
}

/**
 * kb_engine_get_slot:
 * @self: an engine
 * @run: a request
 * @channel: where it is to go
 * @now_ms: the present time
 *
 * Returns: when it may go there; @now_ms = at once
 */
gint64
kb_engine_get_slot (KbEngine *self, const KbRun *run, const KbRouteChannel *channel, gint64 now_ms)
{
  g_autofree char *bucket = NULL;
  gint64 from_ms;
  KbPacing pacing;

  if (is_paused (self, now_ms) || !is_paced (self, run, channel, &pacing))
    return now_ms;
  bucket = bucket_of (&pacing, channel->ref, run->session);
  from_ms = now_ms + kb_engine_get_pace_rest (self, run, channel, now_ms);
  return from_ms
         + kb_throttle_foresee (self->throttle, bucket,
                                limits_of (self, &pacing, channel->ref->id, now_ms),
                                count_ahead (self, run, bucket), from_ms);
}

/**
 * kb_engine_take_slot:
 * @self: an engine
 * @run: a request
 * @channel: where it goes now
 * @now_ms: the present time
 *
 * Counts it in the window of the route, and takes it out of the line.
 */
void
kb_engine_take_slot (KbEngine *self, KbRun *run, const KbRouteChannel *channel, gint64 now_ms)
{
  g_autofree char *bucket = NULL;
  KbPacing pacing;

  drop_ticket (self, run);
  if (is_paused (self, now_ms) || !is_paced (self, run, channel, &pacing))
    return;
  bucket = bucket_of (&pacing, channel->ref, run->session);
  kb_throttle_admit (self->throttle, bucket, limits_of (self, &pacing, channel->ref->id, now_ms),
                     now_ms);
  if (++self->n_paced % TIDY_AFTER == 0)
    kb_throttle_forget_idle (self->throttle, now_ms);
}

/**
 * kb_engine_stand_in_line:
 * @self: an engine
 * @run: a request
 * @channel: where it is to go
 * @until_ms: when it may, as things are
 * @now_ms: the present time
 *
 * Gives it a place in line, behind those that came before.
 */
void
kb_engine_stand_in_line (
    KbEngine *self, KbRun *run, const KbRouteChannel *channel, gint64 until_ms, gint64 now_ms)
{
  g_autofree char *bucket = NULL;
  gboolean is_news;
  KbPacing pacing;

  resolve (self, run, channel, &pacing);
  bucket = bucket_of (&pacing, channel->ref, run->session);
  is_news = run->ticket == NULL || !g_str_equal (run->ticket->bucket, bucket);
  take_ticket (self, run, bucket);
  if (is_news)
    emit_queue (self, run, channel->ref->id, until_ms, now_ms);
}

/* ---- learning ---- */

static void
emit_quota (KbEngine *self, const KbRun *run, const KbQuota *quota, gint64 now_ms)
{
  kb_engine_emit (self, &(KbEngineEvent) {
                            .kind = KB_ENGINE_EVENT_QUOTA,
                            .at_ms = now_ms,
                            .label = run->label,
                            .channel = run->current->pair->id,
                            .until_ms = quota->cooldown_until_ms,
                        });
}

/**
 * kb_engine_learn_success:
 * @self: an engine
 * @run: a request whose last attempt went well
 * @now_ms: the present time
 *
 * Tells what is known of the route's rate limit.
 */
void
kb_engine_learn_success (KbEngine *self, KbRun *run, gint64 now_ms)
{
  const KbRouteChannel *channel = run->current->candidate.channel;
  KbPacing pacing;

  if (!is_paced (self, run, channel, &pacing) || !pacing.adapts)
    return;
  if (kb_quota_take_success (get_quota (self, channel->ref->id), &pacing.quota, now_ms))
    emit_quota (self, run, find_quota (self, channel->ref->id), now_ms);
}

/**
 * kb_engine_learn_rate_limit:
 * @self: an engine
 * @run: a request whose last attempt met a rate limit
 * @wait_ms: how long the request itself waits now, 0 = it does not
 * @now_ms: the present time
 *
 * Tells what is known of the route's rate limit. Every one teaches, also where the request goes
 * elsewhere: then the route rests for as long as its server asked.
 */
void
kb_engine_learn_rate_limit (KbEngine *self, KbRun *run, gint64 wait_ms, gint64 now_ms)
{
  const KbRouteChannel *channel = run->current->candidate.channel;
  gint64 asked = CLAMP (run->last.retry_after_ms, 0, self->options.retry_after_cap_ms);
  KbPacing pacing;

  if (!is_paced (self, run, channel, &pacing) || !pacing.adapts)
    return;
  if (!pacing.wait.respects_retry_after)
    asked = 0;
  if (kb_quota_take_rate_limit (get_quota (self, channel->ref->id), &pacing.quota,
                                wait_ms > 0 ? wait_ms : asked, now_ms))
    emit_quota (self, run, find_quota (self, channel->ref->id), now_ms);
}

/**
 * kb_engine_get_camel_delay:
 * @self: an engine
 * @run: a request whose last attempt failed, and that has nowhere else to go
 * @now_ms: the present time
 *
 * Plugin facts 6.5. A wait that would outlast the request is none.
 *
 * Returns: how long to wait before trying the same channel again; -1 = it does not
 */
gint64
kb_engine_get_camel_delay (KbEngine *self, const KbRun *run, gint64 now_ms)
{
  gint64 retry = run->current->n_waits + 1;
  KbPacing pacing;
  gint64 delay;

  if (is_paused (self, now_ms)
      || (run->pacing == NULL && kb_route_table_get_pacing (self->table) == NULL))
    return -1;
  resolve (self, run, run->current->candidate.channel, &pacing);
  if (!pacing.retries || !kb_failure_policy_lists (pacing.codes, run->last.code, run->last.status))
    return -1;
  if (pacing.is_bounded && retry > pacing.max_retries)
    return -1;
  delay = kb_wait_policy_get_delay (&pacing.wait, retry, run->last.retry_after_ms);
  return now_ms + delay < run->deadline_ms ? delay : -1;
}

/* ---- over restarts, and to be shown ---- */

/**
 * kb_engine_fill_pace:
 * @self: an engine
 * @channel: a channel
 * @now_ms: the present time
 * @status: (out): how requests for it are paced, as the configuration has it
 *
 * Tells what is known, for a snapshot.
 */
void
kb_engine_fill_pace (KbEngine *self,
                     const KbRouteChannel *channel,
                     gint64 now_ms,
                     KbPaceStatus *status)
{
  g_autofree char *bucket = NULL;
  GSequence *line;
  KbPacing pacing;
  KbQuota quota;

  *status = (KbPaceStatus) { 0 };
  kb_pacing_resolve (kb_route_table_get_pacing (self->table), NULL, channel->ref->provider,
                     channel->ref->model, &pacing);
  status->kind = pacing.adapts ? KB_PACE_ADAPTIVE : pacing.throttles ? KB_PACE_FIXED : KB_PACE_NONE;
  status->scope = pacing.scope;
  status->retries = pacing.retries;
  status->most_retries = pacing.is_bounded ? pacing.max_retries : -1;
  if (status->kind == KB_PACE_NONE)
    return;
  status->limits = limits_of (self, &pacing, channel->ref->id, now_ms);
  bucket = bucket_of (&pacing, channel->ref, NULL);
  status->n_in_window
      = kb_throttle_count (self->throttle, bucket, status->limits.window_ms, now_ms);
  line = find_line (self, bucket);
  status->n_queued = line != NULL ? (guint) g_sequence_get_length (line) : 0;
  quota = view_quota (self, channel->ref->id, &pacing.quota, now_ms);
  status->rests_until_ms
      = pacing.adapts && quota.cooldown_until_ms > now_ms ? quota.cooldown_until_ms : 0;
  status->free_at_ms = MAX (now_ms, status->rests_until_ms);
  status->free_at_ms += kb_throttle_foresee (self->throttle, bucket, status->limits,
                                             status->n_queued, status->free_at_ms);
  if (!pacing.adapts)
    return;
  status->learned = quota.learned;
  status->learned_least = pacing.quota.min_requests;
  status->learned_most = pacing.quota.max_requests;
  status->clean_windows = quota.clean_windows;
  status->is_rate_limited = quota.is_rate_limited;
}

/**
 * kb_engine_foreach_quota:
 * @self: an engine
 * @func: (scope call): called with the id of a channel and what is known of its rate limit
 * @user_data: for @func
 *
 * Visits what was learned, to keep it.
 */
void
kb_engine_foreach_quota (KbEngine *self, KbQuotaFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer id, quota;

  g_return_if_fail (self != NULL && func != NULL);

  g_hash_table_iter_init (&iter, self->quotas);
  while (g_hash_table_iter_next (&iter, &id, &quota))
    func (id, quota, user_data);
}

/**
 * kb_engine_restore_quota:
 * @self: an engine that is configured
 * @channel_id: a channel; an unknown one is ignored
 * @kept: what was known, in boot time
 * @now_ms: the present time
 *
 * Takes over what was learned before a restart. A rest further away than the longest
 * Retry-After comes from a clock that was wrong, and is clamped (rule 6).
 */
void
kb_engine_restore_quota (KbEngine *self, const char *channel_id, const KbQuota *kept, gint64 now_ms)
{
  const KbRouteChannel *channel;
  KbPacing pacing;
  KbQuota clamped;

  g_return_if_fail (self != NULL && channel_id != NULL && kept != NULL);

  channel = kb_route_table_find_channel (self->table, channel_id);
  if (channel == NULL)
    return;
  kb_pacing_resolve (kb_route_table_get_pacing (self->table), NULL, channel->ref->provider,
                     channel->ref->model, &pacing);
  clamped = *kept;
  clamped.updated_ms = MIN (kept->updated_ms, now_ms);
  clamped.window_started_ms = MIN (kept->window_started_ms, now_ms);
  clamped.cooldown_until_ms
      = MIN (kept->cooldown_until_ms, now_ms + self->options.retry_after_cap_ms);
  kb_quota_restore (get_quota (self, channel_id), &pacing.quota, &clamped, now_ms);
}

static gboolean
is_gone (gpointer id, gpointer value, gpointer user_data)
{
  KbEngine *self = user_data;

  return kb_route_table_find_channel (self->table, id) == NULL;
}

/**
 * kb_engine_configure_pacing:
 * @self: an engine with a new table
 *
 * Forgets what was learned of channels that are gone.
 */
void
kb_engine_configure_pacing (KbEngine *self)
{
  g_hash_table_foreach_remove (self->quotas, is_gone, self);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-exchange"

#include "gateway/kb-exchange-private.h"

#include "dialect/kb-thought-mark.h"
#include "gateway/kb-plan-pacing.h"
#include "gateway/kb-request-facts.h"

static void try_next (KbExchange *self);
static void ask_again_from_start (KbExchange *self);

static gint64
now_of (KbExchange *self)
{
  return kb_gateway_clock_get_boot_ms (self->world->clock);
}

/* ---- the client ---- */

static void
on_drained (gpointer user_data)
{
  KbExchange *self = user_data;

  if (self->attempt != NULL)
    kb_attempt_resume (self->attempt);
}

/* What it took counts, also where nobody waits for the rest. */
static void
tell_usage (KbExchange *self, KbAttempt *attempt)
{
  const KbGatewayHooks *hooks = self->world->hooks;
  const KbUsage *usage = kb_attempt_get_usage (attempt);

  if (usage != NULL && self->channel != NULL && hooks->usage_told != NULL)
    hooks->usage_told (self->channel->ref->id, usage, hooks->user_data);
}

static void
drop_attempt (KbExchange *self)
{
  if (self->attempt == NULL)
    return;
  tell_usage (self, self->attempt);
  g_clear_pointer (&self->attempt, kb_attempt_free);
}

static void
on_finished (gpointer user_data)
{
  KbExchange *self = user_data;

  if (!self->is_over)
    {
      drop_attempt (self);
      if (self->run != NULL)
        kb_engine_abandon (self->world->engine, self->run);
      kb_exchange_end (self, 0, FALSE, FALSE);
    }
  self->gone (self, self->user_data);
}

static const KbHttpAnswerFuncs answer_funcs = { on_drained, on_finished };

static gboolean
on_comment_due (gpointer user_data)
{
  KbExchange *self = user_data;
  static const char comment[] = ": still working\n\n";
  gint64 after_ms = self->world->options->comment_after_ms;
  gint64 due_ms = self->last_write_ms + after_ms - now_of (self);

  if (due_ms <= 0)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (comment, sizeof comment - 1);

      if (!kb_http_link_is_open (self->link))
        {
          kb_http_link_set_header (self->link, "x-koboshi-id", self->id);
          kb_http_link_open (self->link);
        }
      if (!kb_http_link_is_full (self->link))
        kb_http_link_append (self->link, bytes);
      self->last_write_ms = now_of (self);
      due_ms = after_ms;
    }
  self->comment_id = g_timeout_add ((guint) due_ms, on_comment_due, self);
  g_source_set_name_by_id (self->comment_id, "kb-exchange comment");
  return G_SOURCE_REMOVE;
}

/* ---- attempts ---- */

static gboolean
on_is_full (gpointer user_data)
{
  KbExchange *self = user_data;

  return kb_http_link_is_full (self->link);
}

static gboolean
on_is_open (gpointer user_data)
{
  KbExchange *self = user_data;

  return kb_http_link_is_open (self->link);
}

static void
on_route (const KbTransferRoute *route, gpointer user_data)
{
  KbExchange *self = user_data;
  const KbGatewayHooks *hooks = self->world->hooks;

  if (hooks->route_taken != NULL)
    hooks->route_taken (self->channel->ref->id, route, hooks->user_data);
}

/* Nothing of another answer reaches the client: what it has broke off, and that is told. */
static void
go_astray (KbExchange *self)
{
  g_debug ("%s: the answer of %s does not join", self->id, self->channel->ref->id);
  g_clear_handle_id (&self->astray_id, g_source_remove);
  drop_attempt (self);
  kb_engine_abandon (self->world->engine, self->run);
  kb_exchange_hand_on_error (self, 502, 0);
}

static gboolean
on_astray (gpointer user_data)
{
  KbExchange *self = user_data;

  self->astray_id = 0;
  go_astray (self);
  return G_SOURCE_REMOVE;
}

/* An attempt cannot be ended from within its own call. */
static void
plan_astray (KbExchange *self)
{
  self->is_astray = TRUE;
  self->astray_id = g_idle_add_full (G_PRIORITY_DEFAULT, on_astray, self, NULL);
  g_source_set_name_by_id (self->astray_id, "kb-exchange astray");
}

static void
on_content (GBytes *bytes, gpointer user_data)
{
  KbExchange *self = user_data;
  g_autoptr (GBytes) joined = NULL;

  if (self->is_astray)
    return;
  if (self->continuation == NULL)
    joined = g_bytes_ref (bytes);
  else if (!kb_continuation_feed (self->continuation, bytes, &joined))
    plan_astray (self);
  if (joined == NULL)
    return;
  self->last_write_ms = now_of (self);
  if (self->first_content_ms < 0)
    {
      self->first_content_ms = self->last_write_ms - self->begun_ms;
      kb_exchange_name_channel (self);
      kb_http_link_open (self->link);
    }
  kb_http_link_append (self->link, joined);
}

static void
answer_well (KbExchange *self, KbAnswer *answer)
{
  if (self->first_content_ms >= 0)
    {
      g_autoptr (GBytes) rest = NULL;

      if (self->continuation != NULL && !kb_continuation_end (self->continuation, &rest))
        {
          kb_exchange_hand_on_error (self, 502, 0);
          return;
        }
      if (rest != NULL)
        kb_http_link_append (self->link, rest);
      kb_exchange_end (self, 200, TRUE, FALSE);
      kb_http_link_complete (self->link);
      return;
    }
  kb_exchange_name_channel (self);
  self->first_content_ms = now_of (self) - self->begun_ms;
  kb_exchange_end (self, answer->status, TRUE, FALSE);
  kb_http_link_answer (self->link, answer->status, answer->content_type, answer->body);
}

static gboolean
on_wait_over (gpointer user_data)
{
  KbExchange *self = user_data;

  self->wait_id = 0;
  try_next (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for (KbExchange *self, gint64 delay_ms)
{
  self->wait_id = g_timeout_add ((guint) CLAMP (delay_ms, 0, G_MAXINT), on_wait_over, self);
  g_source_set_name_by_id (self->wait_id, "kb-exchange wait");
}

static int
status_of_failure (KbFailureClass klass)
{
  switch ((int) klass)
    {
    case KB_FAILURE_SILENT:
      return 504;
    case KB_FAILURE_NO_KEY:
      return 401;
    case KB_FAILURE_CONTENT_REFUSED:
      return 400;
    case KB_FAILURE_RATE_LIMIT:
      return 429;
    default:
      return 502;
    }
}

static void
follow (KbExchange *self, KbStep step, KbAttemptEnd *end)
{
  switch (step.kind)
    {
    case KB_STEP_DONE:
      answer_well (self, end->answer);
      break;
    case KB_STEP_SAME_AGAIN:
      wait_for (self, step.delay_ms);
      break;
    case KB_STEP_NEXT:
      try_next (self);
      break;
    case KB_STEP_PASS_THROUGH:
    case KB_STEP_END:
    default:
      kb_exchange_hand_on_error (self, status_of_failure (self->last_class.klass),
                                 end->result.retry_after_ms);
      break;
    }
}

static void
keep_failure (KbExchange *self, KbAttemptEnd *end)
{
  self->last_class = (KbErrorClass) { end->result.klass, end->result.code };
  g_set_str (&self->last_message, end->message);
  kb_answer_move (&self->last, end->answer);
  g_debug ("%s: attempt at %s failed: %s, status %d", self->id, self->channel->ref->id,
           end->result.code, end->result.status);
}

/* The first cut is what the client is told of if nobody goes on. */
static void
keep_cut (KbExchange *self, KbAttemptEnd *end)
{
  if (self->continuation == NULL || !kb_continuation_is_possible (self->continuation))
    return;
  end->result.can_go_on = TRUE;
  if (self->cut_message != NULL)
    return;
  self->cut_class = (KbErrorClass) { end->result.klass, end->result.code };
  self->cut_message = g_strdup_printf ("%s: %s", self->channel->ref->id,
                                       end->message != NULL ? end->message : "it broke off");
}

/* A provider that does not want a message of the assistant at the end is asked without it. */
static gboolean
refuses_prefill (KbExchange *self, const KbAttemptEnd *end)
{
  return self->plain != NULL && !end->result.ok && !end->result.after_first_content
         && end->result.klass == KB_FAILURE_CALLER;
}

static void
on_attempt_end (KbAttemptEnd *end, gpointer user_data)
{
  KbExchange *self = user_data;
  g_autoptr (KbAttempt) attempt = g_steal_pointer (&self->attempt);
  KbStep step;

  if (attempt != NULL)
    tell_usage (self, attempt);
  if (self->is_astray)
    {
      go_astray (self);
      return;
    }
  if (refuses_prefill (self, end))
    {
      ask_again_from_start (self);
      return;
    }
  if (!end->result.ok)
    keep_failure (self, end);
  if (!end->result.ok && end->result.after_first_content)
    keep_cut (self, end);
  step = kb_engine_report (self->world->engine, self->run, &end->result, now_of (self),
                           g_random_double ());
  follow (self, step, end);
}

static const KbAttemptFuncs attempt_funcs
    = { on_is_full, on_is_open, on_route, on_content, on_attempt_end };

/* No attempt can be made: what the engine hears is the same. */
static void
fail_at_once (KbExchange *self, KbTransportError error, const char *message)
{
  KbAnswer none = { 0 };
  KbErrorClass class = kb_error_class_of_transport (error);
  KbAttemptEnd end = { .result = { .klass = class.klass, .code = class.code },
                       .message = message,
                       .answer = &none };

  on_attempt_end (&end, self);
}

/* What the channel is sent to go on with the answer, or to give it first. */
static GBytes *
make_longer_body (KbExchange *self, GBytes *plain)
{
  const KbRouteChannel *channel = self->channel;
  GBytes *longer = NULL;

  g_clear_pointer (&self->plain, g_bytes_unref);
  if (self->cut_message == NULL)
    return g_bytes_ref (plain);
  if (channel->spec.takes_prefill)
    longer = kb_continuation_begin_behind (self->continuation, channel->ref->id, plain);
  if (longer == NULL)
    {
      kb_continuation_begin_again (self->continuation, channel->ref->id);
      return g_bytes_ref (plain);
    }
  self->plain = g_bytes_ref (plain);
  return longer;
}

static void
attempt (KbExchange *self, const KbTarget *target, GBytes *body)
{
  KbDialectKind dialect = self->channel->spec.dialect;
  g_auto (GStrv) headers = kb_exchange_make_headers (self, dialect);
  KbAttemptRequest request = {
    .transfer = { .target = target,
                  .path_suffix = self->path_suffix,
                  .headers = (const char *const *) headers,
                  .body = body,
                  .connect_timeout_ms = self->world->options->connect_timeout_ms },
    .dialect = dialect,
    .client = self->dialect,
    .translation = self->translation,
    .is_stream = self->request.is_stream,
    .is_generation = self->path_suffix == NULL,
    .deadline_ms = kb_run_get_deadline (self->run),
  };

  self->attempt = kb_attempt_start (self->world->upstream, &request, self->world->options,
                                    self->world->clock, &attempt_funcs, self);
}

static void
try_channel (KbExchange *self, const KbPick *pick)
{
  const KbGatewayHooks *hooks = self->world->hooks;
  g_autoptr (KbTarget) target = hooks->find_target (pick->channel, hooks->user_data);

  self->channel = pick->channel;
  if (target == NULL)
    fail_at_once (self, KB_TRANSPORT_NO_ROUTE, "the channel has no address");
  else if (target->key_kind == KB_TARGET_KEY_MISSING)
    fail_at_once (self, KB_TRANSPORT_NO_KEY, "the key of the provider was not found");
  else
    {
      g_autoptr (GBytes) plain = kb_exchange_make_body (self, pick);
      g_autoptr (GBytes) body = make_longer_body (self, plain);

      attempt (self, target, body);
    }
}

/* It is the same attempt to the engine: the provider only found fault with how it was asked. */
static void
ask_again_from_start (KbExchange *self)
{
  const KbGatewayHooks *hooks = self->world->hooks;
  g_autoptr (KbTarget) target = hooks->find_target (self->channel, hooks->user_data);
  g_autoptr (GBytes) plain = g_steal_pointer (&self->plain);

  if (target == NULL)
    {
      fail_at_once (self, KB_TRANSPORT_NO_ROUTE, "the channel has no address");
      return;
    }
  kb_continuation_begin_again (self->continuation, self->channel->ref->id);
  attempt (self, target, plain);
}

static void
refuse (KbExchange *self, const KbPick *pick)
{
  if (kb_run_get_n_attempts (self->run) > 0)
    kb_exchange_hand_on_error (self, pick->status, pick->retry_after_ms);
  else if (pick->refusal == KB_REFUSAL_DIALECT && self->untranslatable != NULL)
    kb_exchange_refuse (self, 400, "untranslatable", self->untranslatable, 0);
  else
    kb_exchange_refuse (self, pick->status, kb_refusal_to_string (pick->refusal),
                        kb_exchange_describe_refusal (pick->refusal), pick->retry_after_ms);
}

static void
try_next (KbExchange *self)
{
  gint64 now_ms = now_of (self);
  KbPick pick;

  kb_exchange_prepare (self, now_ms);
  kb_engine_next (self->world->engine, self->run, now_ms, &pick);
  switch (pick.kind)
    {
    case KB_PICK_CHANNEL:
      try_channel (self, &pick);
      break;
    case KB_PICK_WAIT:
      wait_for (self, pick.until_ms - now_ms);
      break;
    case KB_PICK_REFUSE:
    default:
      refuse (self, &pick);
      break;
    }
}

/* ---- the request ---- */

static gboolean
goes_along (const char *name)
{
  return g_ascii_strcasecmp (name, "anthropic-version") == 0
         || g_ascii_strcasecmp (name, "anthropic-beta") == 0
         || g_ascii_strncasecmp (name, "openai-", 7) == 0
         || g_ascii_strcasecmp (name, "x-request-id") == 0;
}

static char **
list_headers (SoupMessageHeaders *headers)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  SoupMessageHeadersIter iter;
  const char *name, *value;

  soup_message_headers_iter_init (&iter, headers);
  while (soup_message_headers_iter_next (&iter, &name, &value))
    {
      if (goes_along (name))
        g_strv_builder_take (lines, g_strconcat (name, ": ", value, NULL));
    }
  return g_strv_builder_end (lines);
}

KbExchange *
kb_exchange_new (const KbExchangeWorld *world,
                 const KbExchangeRequest *request,
                 KbExchangeFunc gone,
                 gpointer user_data)
{
  KbExchange *self = g_new0 (KbExchange, 1);
  SoupMessageHeaders *headers = kb_http_link_get_head (request->link)->headers;

  self->world = world;
  self->gone = gone;
  self->user_data = user_data;
  self->dialect = request->dialect;
  self->path_suffix = request->path_suffix;
  self->body = g_bytes_ref (request->body);
  self->headers = list_headers (headers);
  self->session_header = g_strdup (soup_message_headers_get_one (headers, "x-session-id"));
  self->pacing_header = g_strdup (soup_message_headers_get_one (headers, "x-koboshi-camel"));
  self->begun_ms = self->last_write_ms = now_of (self);
  self->first_content_ms = -1;
  g_snprintf (self->id, sizeof self->id, "x-%" G_GUINT64_FORMAT, request->number);
  self->link = request->link;
  kb_http_link_take (self->link, &answer_funcs, self);
  return self;
}

void
kb_exchange_free (KbExchange *self)
{
  g_clear_pointer (&self->attempt, kb_attempt_free);
  g_clear_handle_id (&self->wait_id, g_source_remove);
  g_clear_handle_id (&self->astray_id, g_source_remove);
  g_clear_pointer (&self->continuation, kb_continuation_free);
  g_clear_pointer (&self->plain, g_bytes_unref);
  g_free (self->cut_message);
  g_clear_handle_id (&self->comment_id, g_source_remove);
  if (self->run != NULL && !self->is_over)
    kb_engine_abandon (self->world->engine, self->run);
  g_clear_pointer (&self->run, kb_run_free);
  g_clear_pointer (&self->route, kb_route_unref);
  kb_http_link_release (self->link);
  g_clear_pointer (&self->translation, kb_translation_free);
  g_free (self->untranslatable);
  kb_request_body_clear (&self->request);
  kb_answer_clear (&self->last);
  g_bytes_unref (self->body);
  g_strfreev (self->headers);
  g_free (self->session_header);
  g_free (self->pacing_header);
  g_free (self->last_message);
  g_free (self);
}

static void
refuse_model (KbExchange *self)
{
  KbRouteTable *table = kb_engine_get_table (self->world->engine);
  g_auto (GStrv) names = table != NULL ? kb_route_table_list_names (table) : g_new0 (char *, 1);
  g_autofree char *list = g_strjoinv (", ", names);
  g_autofree char *message
      = g_strdup_printf ("the model '%s' is not known; known are: %s", self->request.model, list);

  kb_exchange_refuse (self, 404, "model_not_found", message, 0);
}

/* What groups, pools and throttling go by, where one of them has a say. FALSE: it is answered. */
static gboolean
begin_run (KbExchange *self)
{
  const KbExchangeWorld *world = self->world;
  KbRequestFacts facts = { .dialect = self->dialect, .label = self->id };
  g_autoptr (KbPacingLayer) pacing = NULL;
  g_autofree char *session = NULL;
  g_autofree char *complaint = NULL;

  if (self->pacing_header != NULL)
    {
      pacing = kb_plan_pacing_parse (self->pacing_header, &complaint);
      if (pacing == NULL)
        {
          kb_exchange_refuse (self, 400, "invalid_request", complaint, 0);
          return FALSE;
        }
    }
  /* the count of tokens is a provider's own */
  if (self->path_suffix == NULL)
    facts.other_dialects = KB_ALL_DIALECT_KINDS;
  kb_request_facts_read (&self->request, &facts);
  if (pacing != NULL || kb_route_get_group (self->route) != NULL
      || kb_route_table_get_pacing (kb_route_get_table (self->route)) != NULL)
    facts.session = session = kb_request_facts_make_session (&self->request, self->session_header);
  facts.pacing = pacing;
  self->run = kb_engine_begin (world->engine, self->route, &facts, self->begun_ms);
  return TRUE;
}

/* Thoughts that a provider of another dialect had are not shown to who checks signatures. */
static gboolean
read_body (KbExchange *self, const char **complaint)
{
  g_autoptr (GBytes) body = NULL;

  if (!kb_request_body_read (&self->request, self->body, complaint))
    return FALSE;
  if (self->dialect != KB_DIALECT_KIND_MESSAGES)
    return TRUE;
  body = kb_thought_mark_strip (self->body);
  if (body == self->body)
    return TRUE;
  kb_request_body_clear (&self->request);
  g_bytes_unref (self->body);
  self->body = g_steal_pointer (&body);
  return kb_request_body_read (&self->request, self->body, complaint);
}

/* Answers, or makes the first attempt. */
void
kb_exchange_start (KbExchange *self)
{
  const KbExchangeWorld *world = self->world;
  KbRouteTable *table = kb_engine_get_table (world->engine);
  const char *complaint;

  if (!read_body (self, &complaint))
    {
      kb_exchange_refuse (self, 400, "invalid_request", complaint, 0);
      return;
    }
  if (self->path_suffix != NULL)
    self->request.is_stream = FALSE;
  if (table != NULL)
    self->route = kb_route_table_resolve (table, self->request.model);
  if (self->route == NULL)
    {
      refuse_model (self);
      return;
    }
  if (!begin_run (self))
    return;
  if (self->request.is_stream && world->options->goes_on)
    self->continuation = kb_continuation_new (self->dialect);
  if (self->request.is_stream && world->options->comment_after_ms > 0)
    {
      self->comment_id
          = g_timeout_add ((guint) world->options->comment_after_ms, on_comment_due, self);
      g_source_set_name_by_id (self->comment_id, "kb-exchange comment");
    }
  try_next (self);
}

/* Something changed that it may be waiting for. */
void
kb_exchange_wake (KbExchange *self)
{
  if (self->is_over || self->wait_id == 0)
    return;
  g_clear_handle_id (&self->wait_id, g_source_remove);
  try_next (self);
}

/* The gateway ends: a stream that content was sent of breaks off, others are told to come back. */
void
kb_exchange_cut (KbExchange *self)
{
  if (self->is_over)
    return;
  drop_attempt (self);
  if (self->run != NULL)
    kb_engine_abandon (self->world->engine, self->run);
  kb_exchange_refuse (self, 503, "shutting_down", "the gateway is shutting down", 1000);
}

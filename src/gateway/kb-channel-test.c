// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "gateway/kb-channel-test.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "gateway/kb-attempt.h"
#include "gateway/kb-dialect.h"
#include "ipc/kb-gateway-error.h"

/* Small enough to cost next to nothing, large enough for every provider's lower limit. */
#define TOKENS "16"

/* In the place of MODEL comes its name, in quotes. */
static const char *const bodies[] = {
  [KB_DIALECT_KIND_CHAT] = "{\"model\":MODEL,\"max_tokens\":" TOKENS
                           ",\"messages\":[{\"role\":\"user\",\"content\":\"Say ok.\"}]}",
  [KB_DIALECT_KIND_MESSAGES] = "{\"model\":MODEL,\"max_tokens\":" TOKENS
                               ",\"messages\":[{\"role\":\"user\",\"content\":\"Say ok.\"}]}",
  [KB_DIALECT_KIND_RESPONSES]
  = "{\"model\":MODEL,\"max_output_tokens\":" TOKENS ",\"input\":\"Say ok.\"}",
};

static const char *const messages_headers[] = { "anthropic-version: 2023-06-01", NULL };

typedef struct
{
  KbEngine *engine;     /* owned */
  KbGatewayClock clock; /* a copy: the gateway may go first */
  KbPoller *poller;     /* owned */
  KbUpstream *upstream; /* owned */
  KbRoute *route;       /* owned */
  KbRun *run;           /* owned */
  KbAttempt *attempt;   /* owned, nullable */
  KbDialectKind dialect;
  gint64 begun_ms;
  KbChannelTest test;
} Work;

static gint64
now_of (Work *work)
{
  return kb_gateway_clock_get_boot_ms (&work->clock);
}

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_pointer (&work->attempt, kb_attempt_free);
  if (work->run != NULL)
    kb_engine_abandon (work->engine, work->run);
  g_clear_pointer (&work->run, kb_run_free);
  g_clear_pointer (&work->route, kb_route_unref);
  g_clear_pointer (&work->upstream, kb_upstream_free);
  g_clear_pointer (&work->poller, kb_poller_free);
  kb_engine_unref (work->engine);
  g_free (work);
}

static gboolean
never (gpointer user_data)
{
  return FALSE;
}

static void
take_content (GBytes *bytes, gpointer user_data)
{
}

/* The gateway may be gone by now. */
static void
take_route (const KbTransferRoute *route, gpointer user_data)
{
}

/* So few tokens may all go into thinking: the model is done, and only the text is missing. */
static gboolean
is_done (const Work *work, const KbAnswer *answer)
{
  gsize length;
  const char *text;
  KbFrame frame;

  if (answer == NULL || answer->status != 200 || answer->body == NULL)
    return FALSE;
  text = g_bytes_get_data (answer->body, &length);
  frame = kb_dialect_get (work->dialect)->read_answer ((KbJsonSlice) { text, length });
  return (frame & KB_FRAME_FINISH) && !(frame & (KB_FRAME_ERROR | KB_FRAME_REFUSED));
}

/* Not from within the transfer, which goes along with the task. */
static gboolean
return_cb (gpointer user_data)
{
  g_task_return_boolean (user_data, TRUE);
  return G_SOURCE_REMOVE;
}

static void
end_cb (KbAttemptEnd *end, gpointer user_data)
{
  GTask *task = user_data;
  Work *work = g_task_get_task_data (task);
  guint source;

  if (!end->result.ok && end->result.klass == KB_FAILURE_EMPTY && is_done (work, end->answer))
    end->result = (KbAttemptResult) { .ok = TRUE };
  work->test.ok = end->result.ok;
  work->test.took_ms = now_of (work) - work->begun_ms;
  work->test.status
      = end->result.ok && end->answer != NULL ? end->answer->status : end->result.status;
  work->test.code = end->result.ok ? NULL : g_intern_string (end->result.code);
  kb_engine_report (work->engine, work->run, &end->result, now_of (work), g_random_double ());
  source = g_idle_add_full (G_PRIORITY_DEFAULT, return_cb, task, g_object_unref);
  g_source_set_name_by_id (source, "kb-channel-test end");
}

static const KbAttemptFuncs attempt_funcs = {
  .is_full = never, .is_open = never, .route = take_route, .content = take_content, .end = end_cb
};

static GBytes *
make_body (KbDialectKind dialect, const char *model)
{
  g_autoptr (JsonNode) name = json_node_init_string (json_node_alloc (), model);
  g_autofree char *quoted = json_to_string (name, FALSE);
  g_autoptr (GString) body = g_string_new (bodies[dialect]);

  g_string_replace (body, "MODEL", quoted, 1);
  return g_string_free_to_bytes (g_steal_pointer (&body));
}

static void
fill_options (KbGateway *gateway, KbGatewayOptions *options)
{
  const KbKoboshiOptions *koboshi = kb_gateway_get_plan (gateway)->options;

  options->connect_timeout_ms = koboshi->connect_timeout_ms;
  options->header_timeout_ms = koboshi->header_timeout_ms;
  options->first_token_timeout_ms = koboshi->first_token_timeout_ms;
  options->idle_timeout_ms = koboshi->idle_timeout_ms;
}

static void
attempt (GTask *task, KbGateway *gateway, const KbRouteChannel *channel, const KbTarget *target)
{
  Work *work = g_task_get_task_data (task);
  KbDialectKind dialect = channel->spec.dialect;
  g_autoptr (GBytes) body = make_body (dialect, target->model);
  KbGatewayOptions options = KB_GATEWAY_OPTIONS_INIT;
  KbAttemptRequest request = {
    .transfer = { .target = target,
                  .headers = dialect == KB_DIALECT_KIND_MESSAGES ? messages_headers : NULL,
                  .body = body },
    .dialect = dialect,
    .client = dialect,
    .is_generation = TRUE,
    .deadline_ms = kb_run_get_deadline (work->run),
  };

  fill_options (gateway, &options);
  request.transfer.connect_timeout_ms = options.connect_timeout_ms;
  work->attempt = kb_attempt_start (work->upstream, &request, &options, &work->clock,
                                    &attempt_funcs, g_object_ref (task));
}

/* What stands in the way of an attempt is a failure of the channel, too. */
static void
fail (GTask *task, KbTransportError transport)
{
  KbErrorClass klass = kb_error_class_of_transport (transport);
  KbAttemptEnd end = { .result = { .klass = klass.klass, .code = klass.code } };

  end_cb (&end, g_object_ref (task));
}

static void
begin (GTask *task, KbGateway *gateway, const KbPick *pick)
{
  g_autoptr (KbTarget) target = kb_gateway_find_target (gateway, pick->channel);

  if (target == NULL)
    fail (task, KB_TRANSPORT_NO_ROUTE);
  else if (target->key_kind == KB_TARGET_KEY_MISSING)
    fail (task, KB_TRANSPORT_NO_KEY);
  else
    attempt (task, gateway, pick->channel, target);
}

static Work *
work_new (KbGateway *gateway, const KbRouteChannel *channel)
{
  Work *work = g_new0 (Work, 1);
  KbRequestFacts facts = { .dialect = channel->spec.dialect, .label = "test" };

  work->engine = kb_engine_ref (kb_gateway_get_engine (gateway));
  work->clock = *kb_gateway_get_clock (gateway);
  work->dialect = channel->spec.dialect;
  work->poller = kb_poller_new ();
  work->upstream = kb_upstream_new (work->poller);
  kb_upstream_set_own_port (work->upstream, kb_gateway_get_port (gateway));
  work->route = kb_route_table_resolve_only (kb_engine_get_table (work->engine), channel->ref->id);
  work->begun_ms = now_of (work);
  work->run = kb_engine_begin (work->engine, work->route, &facts, work->begun_ms);
  return work;
}

/**
 * kb_channel_test_async:
 * @gateway: a gateway that has loaded its configuration
 * @channel: the id of a channel
 * @callback: called when it is over
 * @user_data: for @callback
 *
 * Sends one tiny request to that channel and to no other. A channel that a person disabled is
 * not asked.
 */
void
kb_channel_test_async (KbGateway *gateway,
                       const char *channel,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  KbRouteTable *table;
  const KbRouteChannel *entry;
  Work *work;
  KbPick pick;

  g_return_if_fail (gateway != NULL && channel != NULL);

  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, kb_channel_test_async);
  table = kb_engine_get_table (kb_gateway_get_engine (gateway));
  entry = table != NULL ? kb_route_table_find_channel (table, channel) : NULL;
  if (entry == NULL)
    {
      g_task_return_new_error (task, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL,
                               _ ("The gateway has no channel “%s”."), channel);
      return;
    }
  work = work_new (gateway, entry);
  g_task_set_task_data (task, work, work_free);
  kb_engine_next (work->engine, work->run, work->begun_ms, &pick);
  if (pick.kind == KB_PICK_CHANNEL)
    begin (task, gateway, &pick);
  else if (pick.kind == KB_PICK_REFUSE && pick.refusal == KB_REFUSAL_BY_HAND)
    g_task_return_new_error (task, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_ARGUMENT,
                             _ ("“%s” is disabled. Enable it first."), channel);
  else
    g_task_return_new_error (task, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_FAILED,
                             _ ("“%s” cannot be asked now; the network is gone, or another "
                                "request is trying it."),
                             channel);
}

/**
 * kb_channel_test_finish:
 * @result: the result
 * @test: (out): how it went
 * @error: return location: no request was sent
 *
 * Returns: whether the channel was tried, well or not
 */
gboolean
kb_channel_test_finish (GAsyncResult *result, KbChannelTest *test, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result) && test != NULL, FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  *test = ((Work *) g_task_get_task_data (G_TASK (result)))->test;
  return TRUE;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-attempt"

#include "gateway/kb-attempt.h"

#include "core/kb-retry-after.h"
#include "gateway/kb-dialect.h"
#include "gateway/kb-provider-error.h"
#include "gateway/kb-pump.h"
#include "gateway/kb-redact.h"
#include "store/kb-json.h"

#define MOST_BODY (64 * 1024 * 1024)

struct _KbAttempt
{
  KbTransfer *transfer; /* NULL = ended */
  KbAttemptFuncs funcs;
  gpointer user_data;
  const KbGatewayClock *clock; /* borrowed */
  KbGatewayOptions options;
  KbAttemptRequest request;
  KbTarget *target; /* owned */
  KbAnswer answer;
  GByteArray *body; /* of an answer that is no stream */
  KbPump *pump;     /* of one that is */
  KbUsage usage;    /* of an answer that is no stream */
  gboolean has_usage;
  KbRetryAfterHeaders waits;
  char *retry_after, *retry_after_ms, *date; /* what waits points to */
  gint64 begun_ms;
  gint64 last_byte_ms;
  gboolean is_over_limit;
  gboolean has_content; /* was handed on */
  gboolean is_paused;
  guint timer_id;
};

static gint64
now_of (KbAttempt *self)
{
  return kb_gateway_clock_get_boot_ms (self->clock);
}

/* (transfer full) (nullable): what may be told of a failure. */
static char *
redact (KbAttempt *self, const char *message)
{
  g_autoptr (GBytes) body = g_steal_pointer (&self->answer.body);

  if (body != NULL)
    self->answer.body = kb_redact_bytes (self->target, body);
  return message != NULL ? kb_redact_text (self->target, message) : NULL;
}

static void
end (KbAttempt *self, KbErrorClass class, const char *message, gint64 retry_after_ms, gboolean ok)
{
  g_autofree char *clean = ok ? NULL : redact (self, message);
  KbAttemptEnd told = {
    .result = { .ok = ok,
                .klass = class.klass,
                .code = class.code,
                .status = self->answer.status,
                .retry_after_ms = MAX (retry_after_ms, 0),
                .after_first_content = self->has_content },
    .message = clean,
    .answer = &self->answer,
  };

  g_clear_pointer (&self->transfer, kb_transfer_cancel);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  self->funcs.end (&told, self->user_data);
}

static void
end_well (KbAttempt *self)
{
  end (self, (KbErrorClass) { 0 }, NULL, 0, TRUE);
}

static void
end_by_transport (KbAttempt *self, KbTransportError error, const char *message)
{
  end (self, kb_error_class_of_transport (error), message, 0, FALSE);
}

static gint64
wait_of (KbAttempt *self, const KbProviderError *error)
{
  gint64 wall_now_ms = kb_gateway_clock_get_wall_ms (self->clock);
  gint64 wait = kb_retry_after_from_headers (&self->waits, wall_now_ms);

  return wait != KB_RETRY_AFTER_NONE ? wait : error->retry_after_ms;
}

/* Clients look for these words, each in its dialect. */
static const char *
word_of (KbFailureClass klass, const char *code)
{
  if (klass == KB_FAILURE_CONTEXT)
    return "context_length_exceeded";
  return klass == KB_FAILURE_CONTENT_REFUSED ? "content_policy_violation" : code;
}

/* An error answer in the words of the client. */
static void
translate_error (KbAttempt *self, KbFailureClass klass, const KbProviderError *error)
{
  const char *code = error->code != NULL ? error->code : error->type;
  const char *message = error->message != NULL ? error->message : "the provider gave no reason";
  g_autofree char *told = g_strdup (message);

  if (klass == KB_FAILURE_CONTEXT && self->request.client == KB_DIALECT_KIND_MESSAGES)
    {
      g_free (told);
      told = g_strdup_printf ("prompt is too long: %s", message);
    }
  g_clear_pointer (&self->answer.body, g_bytes_unref);
  g_set_str (&self->answer.content_type, "application/json");
  self->answer.body = kb_dialect_make_error (self->request.client, self->answer.status,
                                             word_of (klass, code != NULL ? code : "error"), told);
}

/* An error answer, or an error within an answer that began well. */
static void
end_by_error (KbAttempt *self, const char *text, gsize length)
{
  KbProviderError error;
  KbErrorFacts facts = { .status = self->answer.status };
  KbErrorClass class;
  gint64 wait;
  g_autofree char *message = NULL;

  kb_provider_error_read (&error, text, length, kb_gateway_clock_get_wall_ms (self->clock));
  facts.code = error.code;
  facts.type = error.type;
  facts.message = error.message;
  class = kb_error_class_of_answer (&facts);
  if (class.klass == KB_FAILURE_UNKNOWN)
    class = (KbErrorClass) { KB_FAILURE_SERVER, "SERVER" };
  wait = wait_of (self, &error);
  if (self->request.translation != NULL && self->answer.body != NULL)
    translate_error (self, class.klass, &error);
  message = g_steal_pointer (&error.message);
  kb_provider_error_clear (&error);
  end (self, class, message, wait, FALSE);
}

/* ---- streams ---- */

static void
hand_on (KbAttempt *self, GBytes *bytes)
{
  if (bytes == NULL)
    return;
  self->has_content = TRUE;
  self->funcs.content (bytes, self->user_data);
}

static void
end_by_error_frame (KbAttempt *self)
{
  gsize length;
  const char *text = g_bytes_get_data (kb_pump_get_error (self->pump), &length);

  end_by_error (self, text, length);
}

static void
end_by_pump (KbAttempt *self)
{
  if (kb_pump_is_garbled (self->pump))
    end_by_transport (self, KB_TRANSPORT_PROTOCOL, "an event of the stream was not understood");
  else
    end_by_transport (self, KB_TRANSPORT_TOO_LARGE, "the stream is beyond all limits");
}

static void
end_without_content (KbAttempt *self, KbFrame seen)
{
  if (seen & KB_FRAME_REFUSED)
    end (self, (KbErrorClass) { KB_FAILURE_CONTENT_REFUSED, "CONTENT_REFUSED" },
         "the provider's content policy refused it", 0, FALSE);
  else if (seen & (KB_FRAME_FINISH | KB_FRAME_LAST))
    end_by_transport (self, KB_TRANSPORT_EMPTY, "the answer has no content");
  else
    end_by_transport (self, KB_TRANSPORT_CUT, "the stream ended before its content");
}

/* The verdict over a stream: whole only where the model said that it is done. A stream that
 * announced its very last event is whole however the connection ended. */
static void
judge_stream (KbAttempt *self, const KbTransferEnd *transfer)
{
  g_autoptr (GBytes) rest = NULL;
  KbFrame seen;

  if (transfer->ok && !kb_pump_finish (self->pump, &rest))
    {
      end_by_pump (self);
      return;
    }
  seen = kb_pump_get_seen (self->pump);
  if (!(seen & KB_FRAME_ERROR) && !transfer->ok && !(seen & KB_FRAME_LAST))
    {
      end_by_transport (self, transfer->error, transfer->message);
      return;
    }
  hand_on (self, rest);
  if (seen & KB_FRAME_ERROR)
    end_by_error_frame (self);
  else if (!(seen & KB_FRAME_CONTENT))
    end_without_content (self, seen);
  else if (seen & KB_FRAME_FINISH)
    end_well (self);
  else
    end_by_transport (self, KB_TRANSPORT_CUT, "the stream ended before its end was said");
}

static void
feed_stream (KbAttempt *self, const char *bytes, gsize length)
{
  g_autoptr (GBytes) out = NULL;

  if (!kb_pump_feed (self->pump, bytes, length, &out))
    {
      end_by_pump (self);
      return;
    }
  hand_on (self, out);
  if (kb_pump_get_seen (self->pump) & KB_FRAME_ERROR)
    end_by_error_frame (self);
}

/* ---- whole answers ---- */

static gboolean
is_whole_json (const char *text, gsize length)
{
  gsize stop = 0;

  if (length == 0 || kb_json_scan (text, length, G_MAXUINT, &stop) != KB_JSON_FINE)
    return FALSE;
  while (stop < length && g_ascii_isspace (text[stop]))
    stop++;
  return stop == length;
}

/* What cannot be put into the words of the client is no answer to it. */
static void
end_translated (KbAttempt *self)
{
  g_autoptr (GError) error = NULL;
  GBytes *body
      = kb_translation_translate_answer (self->request.translation, self->answer.body, &error);

  if (body == NULL)
    {
      end_by_transport (self, KB_TRANSPORT_PROTOCOL, error->message);
      return;
    }
  g_bytes_unref (self->answer.body);
  self->answer.body = body;
  g_set_str (&self->answer.content_type, "application/json");
  end_well (self);
}

static void
note_usage (KbAttempt *self, KbJsonSlice body)
{
  self->has_usage = kb_json_peek_any_full (body, "\"usage\"")
                    && kb_usage_read (&self->usage, self->request.dialect, body.text, body.length);
}

static void
judge_generation (KbAttempt *self, const char *text, gsize length)
{
  KbJsonSlice body = { text, length };
  KbFrame frame = kb_dialect_get (self->request.dialect)->read_answer (body);

  note_usage (self, body);
  if (frame & KB_FRAME_ERROR)
    end_by_error (self, text, length);
  else if ((frame & KB_FRAME_CONTENT) && self->request.translation != NULL)
    end_translated (self);
  else if (frame & KB_FRAME_CONTENT)
    end_well (self);
  else
    end_without_content (self, frame | KB_FRAME_FINISH);
}

static void
judge_body (KbAttempt *self, const KbTransferEnd *transfer)
{
  gsize length;
  const char *text;

  self->answer.body = g_byte_array_free_to_bytes (g_steal_pointer (&self->body));
  text = g_bytes_get_data (self->answer.body, &length);
  if (self->answer.status >= 300)
    end_by_error (self, text != NULL ? text : "", length);
  else if (length == 0)
    end_by_transport (self, KB_TRANSPORT_EMPTY, "the answer is empty");
  else if (!is_whole_json (text, length))
    end_by_transport (self, KB_TRANSPORT_PROTOCOL, "the answer is not a whole JSON text");
  else if (self->funcs.is_open (self->user_data))
    end_by_transport (self, KB_TRANSPORT_PROTOCOL, "a stream was answered with a whole text");
  else if (self->request.is_generation)
    judge_generation (self, text, length);
  else
    end_well (self);
}

static void
feed_body (KbAttempt *self, const char *bytes, gsize length)
{
  if (self->body->len + length > MOST_BODY)
    {
      end_by_transport (self, KB_TRANSPORT_TOO_LARGE, "the answer is beyond all limits");
      return;
    }
  g_byte_array_append (self->body, (const guint8 *) bytes, length);
}

/* ---- deadlines ---- */

/* A plain request hears nothing before the model is done: its head takes as long as a first
 * token does. */
static gint64
get_deadline (KbAttempt *self, KbTransportError *error)
{
  const KbGatewayOptions *options = &self->options;
  gint64 idle_ms = self->last_byte_ms + options->idle_timeout_ms;
  gint64 token_ms = self->begun_ms + options->first_token_timeout_ms;

  if (self->answer.status == 0)
    {
      *error = KB_TRANSPORT_HEADER_TIMEOUT;
      return self->request.is_stream ? self->begun_ms + options->header_timeout_ms
                                     : MAX (token_ms, self->begun_ms + options->header_timeout_ms);
    }
  *error = KB_TRANSPORT_IDLE_TIMEOUT;
  if (self->pump == NULL || (kb_pump_get_seen (self->pump) & KB_FRAME_CONTENT)
      || idle_ms < token_ms)
    return idle_ms;
  *error = KB_TRANSPORT_TOKEN_TIMEOUT;
  return token_ms;
}

static const char *
describe_timeout (KbTransportError error)
{
  switch ((int) error)
    {
    case KB_TRANSPORT_HEADER_TIMEOUT:
      return "no answer began in time";
    case KB_TRANSPORT_TOKEN_TIMEOUT:
      return "no first token came in time";
    default:
      return "nothing more came in time";
    }
}

static void
end_by_timeout (KbAttempt *self, KbTransportError error)
{
  if (self->pump != NULL && (kb_pump_get_seen (self->pump) & KB_FRAME_LAST))
    judge_stream (self, &(KbTransferEnd) { .ok = TRUE });
  else
    end_by_transport (self, error, describe_timeout (error));
}

static gboolean on_timer (gpointer user_data);

static void
arm (KbAttempt *self, gint64 delay_ms)
{
  self->timer_id = g_timeout_add ((guint) CLAMP (delay_ms, 1, G_MAXINT), on_timer, self);
  g_source_set_name_by_id (self->timer_id, "kb-attempt deadline");
}

/* Bytes do not move the timer; it looks when it goes off, and sleeps on. Only the head may bring
 * the deadline nearer. */
static gboolean
on_timer (gpointer user_data)
{
  KbAttempt *self = user_data;
  gint64 now_ms = now_of (self), deadline_ms;
  KbTransportError error;

  self->timer_id = 0;
  if (self->is_paused)
    self->last_byte_ms = now_ms;
  deadline_ms = get_deadline (self, &error);
  if (now_ms >= deadline_ms || now_ms >= self->request.deadline_ms)
    end_by_timeout (self, error);
  else
    arm (self, MIN (deadline_ms, self->request.deadline_ms) - now_ms);
  return G_SOURCE_REMOVE;
}

static void
arm_for_body (KbAttempt *self)
{
  KbTransportError error;
  gint64 deadline_ms = get_deadline (self, &error);

  g_clear_handle_id (&self->timer_id, g_source_remove);
  arm (self, MIN (deadline_ms, self->request.deadline_ms) - now_of (self));
}

/* ---- the transfer ---- */

static gboolean
is_event_stream (KbAttempt *self, const char *content_type)
{
  if (!self->request.is_stream || self->answer.status >= 300)
    return FALSE;
  return content_type == NULL || g_ascii_strncasecmp (content_type, "application/json", 16) != 0;
}

static void
on_head (int status, SoupMessageHeaders *headers, gpointer user_data)
{
  KbAttempt *self = user_data;
  const char *type = soup_message_headers_get_one (headers, "content-type");
  const char *ms = soup_message_headers_get_one (headers, "retry-after-ms");

  self->answer.status = status;
  self->answer.content_type = g_strdup (type != NULL ? type : "application/json");
  self->last_byte_ms = now_of (self);
  if (status >= 300)
    {
      if (ms == NULL)
        ms = soup_message_headers_get_one (headers, "x-ms-retry-after-ms");
      self->retry_after = g_strdup (soup_message_headers_get_list (headers, "retry-after"));
      self->retry_after_ms = g_strdup (ms);
      self->date = g_strdup (soup_message_headers_get_one (headers, "date"));
      self->waits = (KbRetryAfterHeaders) { self->retry_after, self->retry_after_ms, self->date };
    }
  if (is_event_stream (self, type))
    self->pump = kb_pump_new (self->request.dialect, self->request.translation);
  else
    self->body = g_byte_array_new ();
  arm_for_body (self);
}

static gboolean
on_data (const char *bytes, gsize length, gpointer user_data)
{
  KbAttempt *self = user_data;

  if (self->funcs.is_full (self->user_data))
    {
      self->is_paused = TRUE;
      return FALSE;
    }
  self->last_byte_ms = now_of (self);
  if (self->pump != NULL)
    feed_stream (self, bytes, length);
  else
    feed_body (self, bytes, length);
  return TRUE;
}

static void
on_route (const KbTransferRoute *route, gpointer user_data)
{
  KbAttempt *self = user_data;

  self->funcs.route (route, self->user_data);
}

static void
on_end (const KbTransferEnd *transfer, gpointer user_data)
{
  KbAttempt *self = user_data;

  self->transfer = NULL;
  if (self->pump != NULL)
    judge_stream (self, transfer);
  else if (!transfer->ok || self->body == NULL)
    end_by_transport (self, transfer->error, transfer->message);
  else
    judge_body (self, transfer);
}

static const KbTransferFuncs transfer_funcs = { on_head, on_data, on_route, on_end };

/**
 * kb_attempt_start:
 * @upstream: what transfers it
 * @request: what to send, and when to give up
 * @options: its deadlines; copied
 * @clock: must outlive the attempt
 * @funcs: what to call; never from within this call
 * @user_data: for @funcs
 *
 * Returns: (transfer full): an attempt under way; freeing it ends it, and tells nobody
 */
KbAttempt *
kb_attempt_start (KbUpstream *upstream,
                  const KbAttemptRequest *request,
                  const KbGatewayOptions *options,
                  const KbGatewayClock *clock,
                  const KbAttemptFuncs *funcs,
                  gpointer user_data)
{
  KbAttempt *self = g_new0 (KbAttempt, 1);
  KbTransportError error;

  self->funcs = *funcs;
  self->user_data = user_data;
  self->clock = clock;
  self->options = *options;
  self->request = *request;
  self->target = kb_target_ref ((KbTarget *) request->transfer.target);
  self->begun_ms = self->last_byte_ms = now_of (self);
  self->transfer = kb_upstream_start (upstream, &request->transfer, &transfer_funcs, self);
  arm (self, MIN (get_deadline (self, &error), request->deadline_ms) - self->begun_ms);
  return self;
}

void
kb_attempt_free (KbAttempt *self)
{
  g_clear_pointer (&self->transfer, kb_transfer_cancel);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_pointer (&self->pump, kb_pump_free);
  g_clear_pointer (&self->body, g_byte_array_unref);
  kb_answer_clear (&self->answer);
  kb_target_unref (self->target);
  g_free (self->retry_after);
  g_free (self->retry_after_ms);
  g_free (self->date);
  g_free (self);
}

/* The client has room again. */
void
kb_attempt_resume (KbAttempt *self)
{
  if (!self->is_paused || self->transfer == NULL)
    return;
  self->is_paused = FALSE;
  self->last_byte_ms = now_of (self);
  kb_transfer_resume (self->transfer);
}

/* (transfer none) (nullable): the tokens that its answer told of so far */
const KbUsage *
kb_attempt_get_usage (KbAttempt *self)
{
  if (self->pump != NULL)
    return kb_pump_get_usage (self->pump);
  return self->has_usage ? &self->usage : NULL;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-answer.h"

#include "simulator/kb-sim-error.h"
#include "simulator/kb-sim-frame.h"
#include "simulator/kb-sim-head.h"
#include "simulator/kb-sim-writer.h"

#include <string.h>

/*
 * An answer is asked for its next move again and again, and makes up what it sends as it
 * goes: a thousand long streams cost no more than their next tokens.
 */

typedef enum
{
  PHASE_SILENCE,
  PHASE_HEAD,
  PHASE_START, /* events before the first token */
  PHASE_PIECES,
  PHASE_BODY,   /* an answer of one piece */
  PHASE_CUT,    /* silence, then it breaks off */
  PHASE_FINISH, /* the events and the chunk that close a stream */
  PHASE_OVER,
} Phase;

#define SLOW_HEAD_PARTS 10

struct _KbSimAnswer
{
  KbSimAsk *ask;     /* owned, nullable for an answer about ourselves */
  KbSimFault *fault; /* owned */
  KbSimCase circumstances;
  KbSimReply *reply; /* owned, nullable like ask */
  GRand *rand;       /* owned */
  KbSimFrame *frame; /* owned */
  GString *head;     /* owned: what of it is not sent */
  gsize head_bytes;  /* of all of it */
  GString *body;     /* owned, nullable: of an answer of one piece */
  const KbSimWriter *writer;
  Phase phase;
  gboolean waited; /* in this phase, for this piece */
  guint index;     /* of the next piece */
  gboolean broken_sent;
  gboolean whole;
  guint status;
};

static gboolean
is_stream (const KbSimAnswer *self)
{
  return self->body == NULL;
}

static gboolean
answers_with_error (const KbSimAnswer *self)
{
  return self->status >= 300 || (self->fault->error_frame >= 0 && !self->ask->stream);
}

static void
set_phase (KbSimAnswer *self, Phase phase)
{
  self->phase = phase;
  self->waited = FALSE;
}

static gint64
stretch (KbSimAnswer *self, gint64 wait_ms)
{
  gint64 jitter_ms = self->fault->jitter_ms;

  if (jitter_ms > 0)
    wait_ms += (gint64) (g_rand_double (self->rand) * (double) jitter_ms);
  return (gint64) ((double) wait_ms * self->circumstances.scale + 0.5);
}

/* TRUE if something is to be waited for before this phase goes on. */
static gboolean
wait_first (KbSimAnswer *self, gint64 due_ms, gint64 *wait_ms)
{
  if (self->waited)
    return FALSE;
  self->waited = TRUE;
  *wait_ms = due_ms > 0 || self->fault->jitter_ms > 0 ? stretch (self, due_ms) : 0;
  return *wait_ms > 0;
}

static KbSimAction
break_off (KbSimAnswer *self)
{
  set_phase (self, PHASE_OVER);
  return self->fault->end == KB_SIM_END_RESET ? KB_SIM_ACTION_RESET : KB_SIM_ACTION_CLOSE;
}

static KbSimAction
fail (KbSimAnswer *self, GString *out)
{
  gboolean reset = self->fault->fail == KB_SIM_FAIL_RESET;

  if (self->fault->reuse_reset && self->circumstances.reused)
    reset = TRUE;
  else if (self->fault->fail == KB_SIM_FAIL_PARTIAL)
    g_string_append (out, "HTTP/1.1 2");
  set_phase (self, PHASE_OVER);
  return reset ? KB_SIM_ACTION_RESET : KB_SIM_ACTION_CLOSE;
}

static KbSimAction
do_silence (KbSimAnswer *self, GString *out, gint64 *wait_ms)
{
  if (wait_first (self, self->fault->wait_ms, wait_ms))
    return KB_SIM_ACTION_WAIT;
  if (self->fault->fail != KB_SIM_FAIL_NO
      || (self->fault->reuse_reset && self->circumstances.reused))
    return fail (self, out);
  set_phase (self, PHASE_HEAD);
  return KB_SIM_ACTION_SEND;
}

static KbSimAction
do_head (KbSimAnswer *self, GString *out, gint64 *wait_ms)
{
  gint64 slow_ms = self->fault->slow_head_ms;
  gsize part = self->head->len;

  if (slow_ms > 0)
    {
      if (wait_first (self, slow_ms / SLOW_HEAD_PARTS, wait_ms))
        return KB_SIM_ACTION_WAIT;
      self->waited = FALSE;
      part = MIN (part, self->head_bytes / SLOW_HEAD_PARTS + 1);
    }
  g_string_append_len (out, self->head->str, (gssize) part);
  g_string_erase (self->head, 0, (gssize) part);
  if (self->head->len == 0)
    set_phase (self, is_stream (self) ? PHASE_START : PHASE_BODY);
  return KB_SIM_ACTION_SEND;
}

static KbSimAction
do_start (KbSimAnswer *self, GString *out)
{
  g_autoptr (GString) events = g_string_new (self->fault->bom ? "\xef\xbb\xbf" : NULL);

  if (self->fault->body == KB_SIM_BODY_EMPTY)
    {
      set_phase (self, PHASE_FINISH);
      return KB_SIM_ACTION_SEND;
    }
  self->writer->write_start (self->reply, events);
  kb_sim_frame_append (self->frame, events->str, events->len, out);
  set_phase (self, PHASE_PIECES);
  return KB_SIM_ACTION_SEND;
}

static KbSimAction
send_error_event (KbSimAnswer *self, GString *out)
{
  g_autoptr (GString) events = g_string_new (NULL);

  self->writer->write_error_event (self->reply, self->status, events);
  kb_sim_frame_append (self->frame, events->str, events->len, out);
  kb_sim_frame_finish (self->frame, out);
  set_phase (self, PHASE_OVER);
  return KB_SIM_ACTION_SEND;
}

static void
send_piece (KbSimAnswer *self, GString *out)
{
  g_autoptr (GString) events = g_string_new (NULL);

  if (self->index == self->fault->malformed && !self->broken_sent)
    {
      self->broken_sent = TRUE;
      self->writer->write_broken (self->reply, events);
    }
  self->writer->write_piece (self->reply, self->index, events);
  kb_sim_frame_append (self->frame, events->str, events->len, out);
  self->index++;
  self->reply->n_written = self->index;
  self->waited = FALSE;
}

/* Whether what is to happen after @count tokens happens now: at the latest at the end. */
static gboolean
is_at (const KbSimAnswer *self, gint64 count)
{
  return count >= 0 && self->index >= MIN (count, kb_sim_reply_get_length (self->reply));
}

static KbSimAction
do_pieces (KbSimAnswer *self, GString *out, gint64 *wait_ms)
{
  gint64 due_ms = self->index == 0 ? self->fault->first_token_ms : self->fault->token_ms;

  if (is_at (self, self->fault->cut))
    {
      set_phase (self, PHASE_CUT);
      return KB_SIM_ACTION_SEND;
    }
  if (wait_first (self, due_ms, wait_ms))
    return KB_SIM_ACTION_WAIT;
  if (is_at (self, self->fault->error_frame))
    return send_error_event (self, out);
  if (self->index >= kb_sim_reply_get_length (self->reply))
    set_phase (self, PHASE_FINISH);
  else
    send_piece (self, out);
  return KB_SIM_ACTION_SEND;
}

static KbSimAction
do_cut (KbSimAnswer *self, GString *out, gint64 *wait_ms)
{
  if (wait_first (self, self->fault->silent_ms, wait_ms))
    return KB_SIM_ACTION_WAIT;
  if (self->fault->end != KB_SIM_END_CLEAN)
    return break_off (self);
  kb_sim_frame_finish (self->frame, out);
  set_phase (self, PHASE_OVER);
  return KB_SIM_ACTION_SEND;
}

/* The whole takes as long as its tokens would. */
static gint64
get_body_wait (const KbSimAnswer *self)
{
  if (self->reply == NULL)
    return 0;
  return self->fault->first_token_ms
         + self->fault->token_ms * kb_sim_reply_get_length (self->reply);
}

static gsize
get_cut_bytes (const KbSimAnswer *self)
{
  guint length = self->reply != NULL ? MAX (kb_sim_reply_get_length (self->reply), 1) : 1;

  return (gsize) MIN ((guint64) self->body->len,
                      (guint64) self->body->len * (guint64) self->fault->cut / length);
}

static KbSimAction
do_body (KbSimAnswer *self, GString *out, gint64 *wait_ms)
{
  if (wait_first (self, get_body_wait (self), wait_ms))
    return KB_SIM_ACTION_WAIT;
  if (self->fault->cut >= 0 && self->reply != NULL)
    {
      kb_sim_frame_append (self->frame, self->body->str, get_cut_bytes (self), out);
      set_phase (self, PHASE_CUT);
      return KB_SIM_ACTION_SEND;
    }
  kb_sim_frame_append (self->frame, self->body->str, self->body->len, out);
  kb_sim_frame_finish (self->frame, out);
  if (self->reply != NULL && !answers_with_error (self))
    self->index = kb_sim_reply_get_length (self->reply);
  self->whole = TRUE;
  set_phase (self, PHASE_OVER);
  return KB_SIM_ACTION_SEND;
}

static void
drop_last_blank (const KbSimAnswer *self, GString *events)
{
  gsize end = self->fault->eol == KB_SIM_EOL_CRLF ? 2 : 1;

  if (!self->fault->last_blank && events->len >= end)
    g_string_truncate (events, events->len - end);
}

static KbSimAction
do_finish (KbSimAnswer *self, GString *out)
{
  g_autoptr (GString) events = g_string_new (NULL);

  if (self->fault->body != KB_SIM_BODY_EMPTY)
    self->writer->write_end (self->reply, events);
  drop_last_blank (self, events);
  kb_sim_frame_append (self->frame, events->str, events->len, out);
  kb_sim_frame_finish (self->frame, out);
  self->whole = TRUE;
  set_phase (self, PHASE_OVER);
  return KB_SIM_ACTION_SEND;
}

static KbSimAction
do_over (KbSimAnswer *self)
{
  gboolean keep = self->circumstances.keep && self->fault->keep == KB_SIM_KEEP_YES;

  return keep && !kb_sim_frame_needs_close (self->frame) ? KB_SIM_ACTION_KEEP : KB_SIM_ACTION_CLOSE;
}

/*
 * Appends what is to be sent now to @out, or says how long to wait; 0 of both is no end. CLOSE
 * and RESET may come with bytes: RESET drops them.
 */
KbSimAction
kb_sim_answer_next (KbSimAnswer *self, GString *out, gint64 *wait_ms)
{
  g_return_val_if_fail (self != NULL, KB_SIM_ACTION_CLOSE);

  switch (self->phase)
    {
    case PHASE_SILENCE:
      return do_silence (self, out, wait_ms);
    case PHASE_HEAD:
      return do_head (self, out, wait_ms);
    case PHASE_START:
      return do_start (self, out);
    case PHASE_PIECES:
      return do_pieces (self, out, wait_ms);
    case PHASE_BODY:
      return do_body (self, out, wait_ms);
    case PHASE_CUT:
      return do_cut (self, out, wait_ms);
    case PHASE_FINISH:
      return do_finish (self, out);
    case PHASE_OVER:
    default:
      return do_over (self);
    }
}

/* NULL for a stream. */
static GString *
make_body (KbSimAnswer *self)
{
  g_autoptr (GString) body = g_string_new (NULL);
  gboolean error = answers_with_error (self);
  gboolean page = self->fault->body == KB_SIM_BODY_HTML || self->fault->body == KB_SIM_BODY_TEXT;

  if (!error && self->ask->stream && !page)
    return NULL;
  if (self->fault->body != KB_SIM_BODY_JSON)
    kb_sim_error_write_page (self->fault, self->status, body);
  else if (error)
    kb_sim_error_write (self->ask->dialect, self->fault, self->status, body);
  else
    self->writer->write_whole (self->reply, body);
  return g_steal_pointer (&body);
}

static const char *
get_type (const KbSimAnswer *self)
{
  if (self->fault->type != NULL)
    return self->fault->type;
  if (self->fault->body == KB_SIM_BODY_HTML)
    return "text/html; charset=utf-8";
  if (self->fault->body == KB_SIM_BODY_TEXT)
    return "text/plain; charset=utf-8";
  return is_stream (self) ? "text/event-stream; charset=utf-8" : "application/json";
}

static void
make_head (KbSimAnswer *self)
{
  gboolean http10 = self->fault->http10 || self->circumstances.http10;
  gboolean chunked = (is_stream (self) || self->fault->chunked || self->fault->gzip) && !http10;
  KbSimHead head = { 0 };

  self->frame = kb_sim_frame_new (self->fault, chunked, is_stream (self) || self->fault->gzip);
  head.status = self->status;
  head.type = get_type (self);
  head.length = chunked || is_stream (self) || self->fault->gzip ? -1 : (gint64) self->body->len;
  head.chunked = chunked;
  head.http10 = http10;
  head.close = !self->circumstances.keep || self->fault->keep == KB_SIM_KEEP_CLOSE
               || kb_sim_frame_needs_close (self->frame);
  head.request = self->circumstances.number;
  head.time_s = self->circumstances.time_s;
  head.scale = self->circumstances.scale;
  self->head = kb_sim_head_write (&head, self->fault);
  self->head_bytes = self->head->len;
}

static KbSimAnswer *
answer_new (const KbSimFault *fault, const KbSimCase *circumstances)
{
  KbSimAnswer *self = g_new0 (KbSimAnswer, 1);

  self->fault = kb_sim_fault_copy (fault);
  self->circumstances = *circumstances;
  self->rand = g_rand_new_with_seed (circumstances->seed);
  self->status = (guint) fault->status;
  if (fault->redirect != NULL && self->status < 300)
    self->status = 307;
  return self;
}

/*
 * The answer of a model. @ask is taken over.
 *
 * Returns: (transfer full): an answer that has not begun
 */
KbSimAnswer *
kb_sim_answer_new (KbSimAsk *ask, const KbSimFault *fault, const KbSimCase *circumstances)
{
  KbSimAnswer *self;

  g_return_val_if_fail (ask != NULL, NULL);
  g_return_val_if_fail (fault != NULL, NULL);

  self = answer_new (fault, circumstances);
  self->ask = ask;
  self->writer = kb_sim_writer_get (ask->dialect);
  self->reply = kb_sim_reply_new (ask, self->fault, circumstances->number, circumstances->time_s);
  self->body = make_body (self);
  make_head (self);
  return self;
}

/* An answer about ourselves, in JSON and at once. @body is taken over. */
KbSimAnswer *
kb_sim_answer_new_plain (guint status, GString *body, const KbSimCase *circumstances)
{
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();
  KbSimAnswer *self;

  g_return_val_if_fail (body != NULL, NULL);

  fault->status = status;
  self = answer_new (fault, circumstances);
  self->body = body;
  make_head (self);
  return self;
}

void
kb_sim_answer_free (KbSimAnswer *self)
{
  if (self == NULL)
    return;
  kb_sim_reply_free (self->reply);
  kb_sim_ask_free (self->ask);
  kb_sim_fault_free (self->fault);
  kb_sim_frame_free (self->frame);
  g_rand_free (self->rand);
  g_string_free (self->head, TRUE);
  if (self->body != NULL)
    g_string_free (self->body, TRUE);
  g_free (self);
}

guint
kb_sim_answer_get_status (KbSimAnswer *self)
{
  return self->status;
}

/* Pieces so far, the reasoning included. */
guint
kb_sim_answer_get_written (KbSimAnswer *self)
{
  return self->index;
}

/* Whether it said everything it had to say, an error included. */
gboolean
kb_sim_answer_is_whole (KbSimAnswer *self)
{
  return self->whole;
}

const KbSimFault *
kb_sim_answer_get_fault (KbSimAnswer *self)
{
  return self->fault;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-exchange-private.h"

#include "gateway/kb-dialect.h"
#include "gateway/kb-process.h"

/* What the client is told. */

/* Header values are ASCII; names of channels need not be. */
void
kb_exchange_name_channel (KbExchange *self)
{
  char attempts[16];

  if (kb_http_link_is_open (self->link) || self->run == NULL)
    return;
  g_snprintf (attempts, sizeof attempts, "%u", kb_run_get_n_attempts (self->run));
  kb_http_link_set_header (self->link, "x-koboshi-attempts", attempts);
  if (self->channel != NULL)
    {
      g_autofree char *id = g_uri_escape_string (self->channel->ref->id, ":/@+,;=!$&'()*[]", FALSE);

      kb_http_link_set_header (self->link, "x-koboshi-channel", id);
    }
}

/* Tells those who count, once. */
void
kb_exchange_end (KbExchange *self, int status, gboolean ok, gboolean is_cut)
{
  const KbGatewayHooks *hooks = self->world->hooks;
  KbExchangeFacts facts = {
    .id = self->id,
    .channel = self->channel != NULL ? self->channel->ref->id : NULL,
    .dialect = self->dialect,
    .is_stream = self->request.is_stream,
    .is_ok = ok,
    .is_cut = is_cut,
    .is_client_gone = status == 0,
    .status = status,
    .attempts = self->run != NULL ? kb_run_get_n_attempts (self->run) : 0,
    .took_ms = kb_gateway_clock_get_boot_ms (self->world->clock) - self->begun_ms,
    .first_content_ms = self->first_content_ms,
  };

  if (self->is_over)
    return;
  self->is_over = TRUE;
  g_clear_handle_id (&self->wait_id, g_source_remove);
  g_clear_handle_id (&self->astray_id, g_source_remove);
  g_clear_handle_id (&self->comment_id, g_source_remove);
  if (hooks->exchange_ended != NULL)
    hooks->exchange_ended (&facts, hooks->user_data);
}

static void
set_retry_after (KbExchange *self, int status, gint64 retry_after_ms)
{
  char seconds[24];

  if (status != 429 && status != 503)
    return;
  g_snprintf (seconds, sizeof seconds, "%" G_GINT64_FORMAT, MAX ((retry_after_ms + 999) / 1000, 1));
  kb_http_link_set_header (self->link, "retry-after", seconds);
}

/* Once a stream is open its errors are events of it, and its end is no clean one (rule 7). */
static void
break_off (KbExchange *self, int status, const char *code, const char *message)
{
  g_autoptr (GBytes) event = kb_dialect_make_error_event (self->dialect, status, code, message);

  kb_exchange_end (self, status, FALSE, self->first_content_ms >= 0);
  kb_http_link_append (self->link, event);
  kb_http_link_cut (self->link);
}

/* An error of our own making, in the form of the dialect. */
void
kb_exchange_refuse (
    KbExchange *self, int status, const char *code, const char *message, gint64 retry_after_ms)
{
  g_autoptr (GBytes) body = NULL;

  if (self->is_over)
    return;
  if (kb_http_link_is_open (self->link))
    {
      break_off (self, status, code, message);
      return;
    }
  body = kb_dialect_make_error (self->dialect, status, code, message);
  kb_exchange_name_channel (self);
  set_retry_after (self, status, retry_after_ms);
  kb_exchange_end (self, status, FALSE, FALSE);
  kb_http_link_answer (self->link, status, "application/json", body);
}

static gboolean
has_error_answer (KbExchange *self)
{
  return self->last.status >= 400 && self->last.body != NULL
         && g_bytes_get_size (self->last.body) > 0;
}

/* The provider's own error, as it is; where none came, ours. */
void
kb_exchange_hand_on_error (KbExchange *self, int status, gint64 retry_after_ms)
{
  g_autofree char *message = NULL;

  if (self->is_over)
    return;
  if (has_error_answer (self) && !kb_http_link_is_open (self->link))
    {
      kb_exchange_name_channel (self);
      set_retry_after (self, self->last.status, retry_after_ms);
      kb_exchange_end (self, self->last.status, FALSE, FALSE);
      kb_http_link_answer (self->link, self->last.status, self->last.content_type, self->last.body);
      return;
    }
  /* What came of the attempts to go on is not what happened to the answer. */
  if (self->cut_message != NULL)
    {
      kb_exchange_refuse (self, 502, self->cut_class.code, self->cut_message, 0);
      return;
    }
  if (self->last_message != NULL && self->channel != NULL)
    message = g_strdup_printf ("%s: %s", self->channel->ref->id, self->last_message);
  kb_exchange_refuse (self, status,
                      self->last_class.code != NULL ? self->last_class.code : "SERVER",
                      message != NULL ? message : "every channel failed", retry_after_ms);
}

static guint
find_asker (KbPeer *peer, GHashTable **sockets)
{
  if (!peer->is_sought && peer->inode != 0)
    {
      if (*sockets == NULL)
        *sockets = kb_process_map_sockets ();
      peer->pid = kb_process_find (*sockets, peer->inode);
    }
  peer->is_sought = TRUE;
  return peer->pid;
}

/* @sockets: (inout) (nullable): from kb_process_map_sockets(), made when it is needed first; each
 * connection is sought once, and only programs of this machine are known. */
void
kb_exchange_add_to_report (KbExchange *self, GHashTable **sockets, KbGatewayReport *report)
{
  KbExchangeReport *entry = kb_gateway_report_add_exchange (report, self->id);
  gint64 age_ms = kb_gateway_clock_get_boot_ms (self->world->clock) - self->begun_ms;

  entry->model = g_strdup (self->request.model);
  entry->channel = self->channel != NULL ? g_strdup (self->channel->ref->id) : NULL;
  entry->dialect = g_strdup (kb_dialect_kind_to_string (self->dialect));
  entry->is_stream = self->request.is_stream;
  entry->attempts = self->run != NULL ? kb_run_get_n_attempts (self->run) : 0;
  entry->since_ms = kb_gateway_clock_get_wall_ms (self->world->clock) - age_ms;
  entry->pid = find_asker (kb_http_link_get_peer (self->link), sockets);
  entry->program = entry->pid != 0 ? kb_process_get_name ((guint) entry->pid) : NULL;
}

const char *
kb_exchange_describe_refusal (KbRefusal refusal)
{
  switch (refusal)
    {
    case KB_REFUSAL_DEADLINE:
      return "the time allowed for the request is over";
    case KB_REFUSAL_COOLING:
      return "every channel is cooling down";
    case KB_REFUSAL_BY_HAND:
      return "every channel was disabled by hand";
    case KB_REFUSAL_OFFLINE:
      return "there is no network";
    case KB_REFUSAL_DIALECT:
      return "no channel of this model speaks the dialect of the request";
    case KB_REFUSAL_NOT_AUTOMATIC:
      return "the channels of this model are only used when picked by hand";
    case KB_REFUSAL_PACED:
      return "the line for this channel is longer than the time allowed for the request";
    case KB_REFUSAL_UNABLE:
      return "no member of this pool can serve such a request";
    case KB_REFUSAL_NONE:
    case KB_REFUSAL_EXHAUSTED:
    case KB_REFUSAL_BUDGET:
    default:
      return "every channel failed";
    }
}

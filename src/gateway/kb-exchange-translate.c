// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-exchange"

#include "gateway/kb-exchange-private.h"

/* The request as a channel is to have it, in the channel's dialect. */

/* The version of the dialect that translations speak. */
#define MESSAGES_VERSION "anthropic-version: 2023-06-01"

/* (transfer full): in the words of the client */
static GBytes *
make_own_body (KbExchange *self, const KbPick *pick)
{
  g_autofree char *effort
      = pick->target != NULL ? kb_request_body_get_effort (&self->request) : NULL;

  return kb_request_body_splice (&self->request, self->body, pick->channel->ref->model,
                                 effort != NULL ? kb_group_target_map_effort (pick->target, effort)
                                                : NULL);
}

static gboolean
translate (KbExchange *self, const KbPick *pick, GError **error)
{
  g_autoptr (GBytes) body = make_own_body (self, pick);
  KbTranslationSpec spec = {
    .client = self->dialect,
    .provider = pick->channel->spec.dialect,
    .model = pick->channel->ref->model,
    .time_s = kb_gateway_clock_get_wall_ms (self->world->clock) / 1000,
  };

  self->translation = kb_translation_new (&spec, body, error);
  return self->translation != NULL;
}

/**
 * kb_exchange_prepare:
 * @self: an exchange without an attempt under way
 * @now_ms: the present boot time
 *
 * To be called before the engine is asked for the next channel. Where that will be one of another
 * dialect, the request is translated for it; what cannot be is told to the engine, which then
 * passes over the channels of that dialect. Whoever never leaves its own dialect pays nothing.
 */
void
kb_exchange_prepare (KbExchange *self, gint64 now_ms)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      KbPick pick;

      g_clear_pointer (&self->translation, kb_translation_free);
      if (kb_run_get_other_dialects (self->run) == 0)
        return;
      kb_engine_peek (self->world->engine, self->run, now_ms, &pick);
      if (pick.kind != KB_PICK_CHANNEL || pick.channel->spec.dialect == self->dialect
          || translate (self, &pick, &error))
        return;
      g_debug ("%s: %s is passed over: %s", self->id, pick.channel->ref->id, error->message);
      g_free (self->untranslatable);
      self->untranslatable = g_strdup_printf ("%s: %s", pick.channel->ref->id, error->message);
      kb_run_rule_out_dialect (self->run, pick.channel->spec.dialect);
    }
}

/**
 * kb_exchange_make_body:
 * @self: an exchange that was prepared
 * @pick: the channel
 *
 * Returns: (transfer full): the body for that channel
 */
GBytes *
kb_exchange_make_body (KbExchange *self, const KbPick *pick)
{
  if (self->translation != NULL)
    return g_bytes_ref (kb_translation_get_request (self->translation));
  return make_own_body (self, pick);
}

/**
 * kb_exchange_make_headers:
 * @self: an exchange that was prepared
 * @dialect: of the channel
 *
 * What a client says of its own dialect means nothing in another.
 *
 * Returns: (transfer full): the lines that go along
 */
GStrv
kb_exchange_make_headers (KbExchange *self, KbDialectKind dialect)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  if (dialect == self->dialect)
    return g_strdupv (self->headers);
  for (guint i = 0; self->headers[i] != NULL; i++)
    {
      if (g_ascii_strncasecmp (self->headers[i], "anthropic-", 10) != 0
          && g_ascii_strncasecmp (self->headers[i], "openai-", 7) != 0)
        g_strv_builder_add (lines, self->headers[i]);
    }
  if (dialect == KB_DIALECT_KIND_MESSAGES)
    g_strv_builder_add (lines, MESSAGES_VERSION);
  return g_strv_builder_end (lines);
}

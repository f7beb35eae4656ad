// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-translation.h"

#include <string.h>

#include "dialect/kb-ask-dialect.h"
#include "dialect/kb-hear.h"
#include "dialect/kb-json-take.h"
#include "dialect/kb-tell.h"
#include "store/kb-json.h"

typedef struct
{
  gboolean (*read) (KbAsk *self, JsonObject *body, GError **error);
  gboolean (*write) (const KbAsk *self, GString *out, GError **error);
  const KbHearer *hearer;
  const KbTeller *teller;
} Dialect;

static const Dialect dialects[KB_N_DIALECT_KINDS] = {
  [KB_DIALECT_KIND_CHAT] = { kb_ask_read_chat, kb_ask_write_chat, &kb_hear_chat, &kb_tell_chat },
  [KB_DIALECT_KIND_MESSAGES]
  = { kb_ask_read_messages, kb_ask_write_messages, &kb_hear_messages, &kb_tell_messages },
  [KB_DIALECT_KIND_RESPONSES]
  = { kb_ask_read_responses, kb_ask_write_responses, &kb_hear_responses, &kb_tell_responses },
};

struct _KbTranslation
{
  KbDialectKind client;
  const Dialect *from; /* the client's */
  const Dialect *to;   /* the provider's */
  GBytes *request;
  KbSpeech speech;
  KbTold told;
  GString *out; /* borrowed: where a stream goes, while it is fed */
};

static void
on_say (const KbSay *say, gpointer user_data)
{
  KbTranslation *self = user_data;

  /* A part must be there before it is told, and its text until its end was. */
  if (say->kind != KB_SAY_PART_END)
    kb_told_take_in (&self->told, say);
  if (self->out != NULL)
    self->from->teller->event (&self->told, say, self->out);
  if (say->kind == KB_SAY_PART_END)
    kb_told_take_in (&self->told, say);
}

/* The model goes on where a last turn of the assistant ends, in some dialects and with some
 * providers; elsewhere it answers to it. */
static gboolean
check_last_turn (const KbAsk *ask, GError **error)
{
  const KbTurn *last = ask->turns->len > 0 ? ask->turns->pdata[ask->turns->len - 1] : NULL;

  if (last != NULL && last->role != KB_ROLE_ASSISTANT)
    return TRUE;
  return last == NULL ? kb_dialect_reject (error, "an empty conversation")
                      : kb_dialect_refuse (error, "a last turn of the assistant");
}

static GBytes *
translate_request (const Dialect *from,
                   const Dialect *to,
                   const char *model,
                   GBytes *request,
                   gboolean *wants_usage,
                   GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (request, &length);
  g_autoptr (JsonNode) root = kb_json_parse (text, length);
  g_autoptr (KbAsk) ask = kb_ask_new ();
  g_autoptr (GString) out = NULL;

  if (kb_json_object_of (root) == NULL)
    {
      kb_dialect_reject (error, "the body");
      return NULL;
    }
  if (!from->read (ask, json_node_get_object (root), error) || !check_last_turn (ask, error))
    return NULL;
  g_set_str (&ask->model, model);
  out = g_string_sized_new (length + 256);
  if (!to->write (ask, out, error))
    return NULL;
  *wants_usage = ask->wants_usage;
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

/**
 * kb_translation_new:
 * @spec: between whom
 * @request: of the client; checked JSON
 * @error: (out) (optional): of %KB_DIALECT_ERROR: what has no equivalent, by its name
 *
 * Returns: (transfer full) (nullable): a translation, whose request is made
 */
KbTranslation *
kb_translation_new (const KbTranslationSpec *spec, GBytes *request, GError **error)
{
  const Dialect *from, *to;
  KbTranslation *self;
  gboolean wants_usage = FALSE;
  GBytes *translated;

  g_return_val_if_fail (spec != NULL && request != NULL, NULL);
  g_return_val_if_fail ((guint) spec->client < KB_N_DIALECT_KINDS, NULL);
  g_return_val_if_fail ((guint) spec->provider < KB_N_DIALECT_KINDS, NULL);

  from = &dialects[spec->client];
  to = &dialects[spec->provider];
  translated = translate_request (from, to, spec->model, request, &wants_usage, error);
  if (translated == NULL)
    return NULL;
  self = g_new0 (KbTranslation, 1);
  self->client = spec->client;
  self->from = from;
  self->to = to;
  self->request = translated;
  kb_speech_init (&self->speech, on_say, self);
  kb_told_init (&self->told, wants_usage, spec->time_s);
  return self;
}

/**
 * kb_translation_free:
 * @self: (transfer full) (nullable): a translation
 *
 * Frees it.
 */
void
kb_translation_free (KbTranslation *self)
{
  if (self == NULL)
    return;
  g_bytes_unref (self->request);
  kb_speech_clear (&self->speech);
  kb_told_clear (&self->told);
  g_free (self);
}

/**
 * kb_translation_get_request:
 * @self: a translation
 *
 * Returns: (transfer none): the request in the words of the provider
 */
GBytes *
kb_translation_get_request (const KbTranslation *self)
{
  return self->request;
}

/* A whole answer of Anthropic messages holds the arguments of a call as an object; what a model
 * wrote need not be one. */
static gboolean
check_calls (const KbTranslation *self, GError **error)
{
  if (self->client != KB_DIALECT_KIND_MESSAGES)
    return TRUE;
  for (guint i = 0; i < self->told.parts->len; i++)
    {
      const KbPart *part = self->told.parts->pdata[i];

      if (part->kind == KB_PART_CALL && !kb_json_is_object (part->text))
        return kb_dialect_refuse (error, "arguments of the tool %s that are no JSON object",
                                  part->name);
    }
  return TRUE;
}

/**
 * kb_translation_translate_answer:
 * @self: a translation of which nothing was fed
 * @answer: a whole answer of the provider; checked JSON
 * @error: (out) (optional): what is wrong with it
 *
 * Returns: (transfer full) (nullable): it in the words of the client
 */
GBytes *
kb_translation_translate_answer (KbTranslation *self, GBytes *answer, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (answer, &length);
  g_autoptr (JsonNode) root = kb_json_parse (text, length);
  GString *out;

  if (kb_json_object_of (root) == NULL)
    {
      kb_dialect_reject (error, "the answer");
      return NULL;
    }
  if (!self->to->hearer->whole (&self->speech, json_node_get_object (root), error)
      || !check_calls (self, error))
    return NULL;
  out = g_string_sized_new (length + 256);
  self->from->teller->whole (&self->told, out);
  return g_string_free_to_bytes (out);
}

/**
 * kb_translation_feed:
 * @self: a translation
 * @data: of the next event of the provider's stream
 * @length: of @data in bytes
 * @out: where the events for the client go; may be none or several
 * @error: (out) (optional): what is wrong with the event
 *
 * Returns: whether the event was understood
 */
gboolean
kb_translation_feed (
    KbTranslation *self, const char *data, gsize length, GString *out, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  gsize end = 0;
  gboolean ok;

  if (length == 0 || self->speech.has_ended)
    return TRUE;
  self->out = out;
  if (length == 6 && memcmp (data, "[DONE]", 6) == 0)
    {
      kb_speech_end (&self->speech);
      self->out = NULL;
      return TRUE;
    }
  if (g_utf8_validate_len (data, length, NULL)
      && kb_json_scan (data, length, G_MAXUINT, &end) == KB_JSON_FINE)
    root = kb_json_parse (data, end);
  ok = kb_json_object_of (root) != NULL
           ? self->to->hearer->event (&self->speech, json_node_get_object (root), error)
           : kb_dialect_reject (error, "an event of the stream");
  self->out = NULL;
  return ok;
}

/**
 * kb_translation_finish:
 * @self: a translation
 * @out: where the last events for the client go
 *
 * To be called where the model said that it is done, and the stream ended without its last
 * event. A stream that broke off is not finished.
 */
void
kb_translation_finish (KbTranslation *self, GString *out)
{
  self->out = out;
  kb_speech_end (&self->speech);
  self->out = NULL;
}

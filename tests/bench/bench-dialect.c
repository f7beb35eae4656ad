// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * What a chunk of a stream costs the gateway: handed on as it is, and translated into another
 * dialect. One chunk, one event, as providers send them. Medians of alternating runs.
 */

#include "gateway/kb-pump.h"

#include <stdlib.h>
#include <string.h>

#define N_CHUNKS 20000
#define N_RUNS 7

static const char *const requests[KB_N_DIALECT_KINDS] = {
  [KB_DIALECT_KIND_CHAT]
  = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
  [KB_DIALECT_KIND_MESSAGES]
  = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
  [KB_DIALECT_KIND_RESPONSES] = "{\"model\":\"m\",\"input\":\"hi\"}",
};

static const char chat_chunk[]
    = "data: {\"id\":\"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG\",\"object\":\"chat.completion."
      "chunk\",\"created\":1796118083,\"model\":\"gpt-5.2\",\"choices\":[{\"index\":0,\"delta\":{"
      "\"content\":\" word\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n";
static const char messages_chunk[]
    = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{"
      "\"type\":\"text_delta\",\"text\":\" word\"}}\n\n";
static const char messages_start[]
    = "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
      "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";

/* Microseconds a chunk. */
static double
play (KbDialectKind provider, KbTranslation *translation, const char *start, const char *chunk)
{
  g_autoptr (KbPump) pump = kb_pump_new (provider, translation);
  gsize length = strlen (chunk);
  GBytes *out = NULL;
  gint64 begun;

  if (start != NULL)
    g_assert_true (kb_pump_feed (pump, start, strlen (start), &out));
  g_clear_pointer (&out, g_bytes_unref);
  begun = g_get_monotonic_time ();
  for (guint i = 0; i < N_CHUNKS; i++)
    {
      g_assert_true (kb_pump_feed (pump, chunk, length, &out));
      g_assert_nonnull (out);
      g_clear_pointer (&out, g_bytes_unref);
    }
  return (double) (g_get_monotonic_time () - begun) / N_CHUNKS;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return (*(const double *) a > *(const double *) b) - (*(const double *) a < *(const double *) b);
}

static void
measure (KbDialectKind provider, KbDialectKind client, const char *start, const char *chunk)
{
  g_autoptr (GBytes) body = g_bytes_new_static (requests[client], strlen (requests[client]));
  double passed[N_RUNS], translated[N_RUNS];
  g_autofree char *name = g_strdup_printf ("%s-to-%s", kb_dialect_kind_to_string (provider),
                                           kb_dialect_kind_to_string (client));

  for (guint i = 0; i < N_RUNS; i++)
    {
      KbTranslationSpec spec = { client, provider, "m", 0 };
      g_autoptr (KbTranslation) translation = kb_translation_new (&spec, body, NULL);

      g_assert_nonnull (translation);
      passed[i] = play (provider, NULL, start, chunk);
      translated[i] = play (provider, translation, start, chunk);
    }
  qsort (passed, N_RUNS, sizeof passed[0], compare);
  qsort (translated, N_RUNS, sizeof translated[0], compare);
  g_print ("figure translated-chunk-%s %.2f us\n", name, translated[N_RUNS / 2]);
  g_print ("ratio translated-chunk-%s %.1f (%.2f us / %.2f us)\n", name,
           translated[N_RUNS / 2] / passed[N_RUNS / 2], translated[N_RUNS / 2], passed[N_RUNS / 2]);
}

int
main (void)
{
  measure (KB_DIALECT_KIND_CHAT, KB_DIALECT_KIND_MESSAGES, NULL, chat_chunk);
  measure (KB_DIALECT_KIND_CHAT, KB_DIALECT_KIND_RESPONSES, NULL, chat_chunk);
  measure (KB_DIALECT_KIND_MESSAGES, KB_DIALECT_KIND_CHAT, messages_start, messages_chunk);
  return 0;
}

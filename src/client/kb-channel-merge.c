// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-channel-merge.h"

struct _KbChannelMerge
{
  GArray *facts;   /* KbChannelFacts */
  GPtrArray *refs; /* KbChannelRef, owned: of channels that only the gateway has */
};

static void
judge_by_gateway (KbChannelFacts *facts, KbGatewayReport *report, const KbChannelReport *live)
{
  facts->source = "gateway";
  facts->origin = "bus";
  facts->written = facts->breaker;
  facts->live = live;
  facts->report = report;
  facts->known = TRUE;
  facts->unreadable = FALSE;
  facts->reason = live->reason;
  facts->breaker = (KbBreaker) { .state = live->state,
                                 .failures = live->failures,
                                 .until_ms = live->until_ms,
                                 .updated_ms = live->updated_ms };
}

/* Every model of every provider is a channel of the gateway; most were never used. */
static gboolean
is_worth_showing (const KbChannelReport *live)
{
  return live->position > 0 || live->is_backup || live->is_pinned || live->by_hand
         || live->never_automatic || live->state != KB_CHANNEL_STATE_HEALTHY
         || live->n_ok + live->n_failed > 0;
}

static void
add_from_gateway (KbChannelMerge *self, KbGatewayReport *report, const KbChannelReport *live)
{
  KbChannelRef *ref = kb_channel_ref_new (live->provider, live->model);
  KbChannelFacts facts = {
    .ref = ref,
    .position = (guint) CLAMP (live->position, 0, G_MAXINT),
    .is_backup = live->is_backup,
  };

  g_ptr_array_add (self->refs, ref);
  judge_by_gateway (&facts, report, live);
  g_array_append_val (self->facts, facts);
}

/* The chain is as the files have it: the gateway may still serve by the one before. */
static void
add_others (KbChannelMerge *self, KbGatewayReport *report)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->facts->len; i++)
    g_hash_table_add (ids, g_array_index (self->facts, KbChannelFacts, i).ref->id);
  for (guint i = 0; i < report->channels->len; i++)
    {
      const KbChannelReport *live = report->channels->pdata[i];

      if (live->provider != NULL && live->model != NULL && !g_hash_table_contains (ids, live->id)
          && is_worth_showing (live))
        add_from_gateway (self, report, live);
    }
}

/**
 * kb_channel_merge_new:
 * @files: (array length=n_files): what the files say; the strings must outlive the result
 * @n_files: how many
 * @report: (nullable): what a gateway for the same home and profile says; it must outlive the
 *   result
 *
 * Returns: (transfer full): both as one list
 */
KbChannelMerge *
kb_channel_merge_new (const KbChannelFacts *files, guint n_files, KbGatewayReport *report)
{
  KbChannelMerge *self;

  g_return_val_if_fail (files != NULL || n_files == 0, NULL);

  self = g_new0 (KbChannelMerge, 1);
  self->facts = g_array_sized_new (FALSE, FALSE, sizeof (KbChannelFacts), n_files);
  self->refs = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  for (guint i = 0; i < n_files; i++)
    {
      KbChannelFacts facts = files[i];
      const KbChannelReport *live = NULL;

      if (report != NULL && !facts.expression)
        live = kb_gateway_report_find_channel (report, facts.ref->id);
      if (live != NULL)
        judge_by_gateway (&facts, report, live);
      g_array_append_val (self->facts, facts);
    }
  if (report != NULL)
    add_others (self, report);
  return self;
}

/**
 * kb_channel_merge_free:
 * @self: (transfer full) (nullable): a merged list
 *
 * Frees it.
 */
void
kb_channel_merge_free (KbChannelMerge *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  g_ptr_array_unref (self->refs);
  g_free (self);
}

/**
 * kb_channel_merge_get:
 * @self: a merged list
 * @n_facts: (out): how many
 *
 * Returns: (transfer none) (array length=n_facts): one entry a channel, valid as long as @self
 */
const KbChannelFacts *
kb_channel_merge_get (KbChannelMerge *self, guint *n_facts)
{
  g_return_val_if_fail (self != NULL && n_facts != NULL, NULL);

  *n_facts = self->facts->len;
  return (const KbChannelFacts *) (gconstpointer) self->facts->data;
}

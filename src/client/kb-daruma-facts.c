// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-daruma-facts.h"

/* The plugin stamps the record first and writes the log line afterwards; the line may even
 * carry the earlier time. */
#define SAME_TROUBLE_MS 2000

struct _KbDarumaFacts
{
  GArray *facts;            /* KbChannelFacts; their strings live in the fields below */
  GPtrArray *refs;          /* KbChannelRef, owned */
  GHashTable *ids;          /* ids taken, borrowed from the refs */
  GHashTable *reasons;      /* set of owned strings */
  KbHealthDocument *health; /* not owned, nullable */
  KbHistory *history;       /* not owned */
  gboolean unreadable;
};

/* The code of a channel's trouble: what the record itself says (only Koboshi writes that),
 * else what the newest line of the log about it says. That line must be at least as new as
 * the record: an older one is about a trouble that a success has ended, since a failure below
 * the budget is not logged. */
static const char *
find_reason (KbDarumaFacts *self, const char *channel, const KbHealthRecord *record)
{
  const KbEventFields *fields;
  KbEvent *event;
  gint64 earliest_ms;

  if (record == NULL || record->breaker.failures <= 0)
    return NULL;
  if (record->reason != NULL)
    return record->reason;
  event = kb_history_find_newest_trouble (self->history, channel);
  if (event == NULL)
    return NULL;
  fields = kb_event_get_fields (event);
  if (__builtin_sub_overflow (record->breaker.updated_ms, SAME_TROUBLE_MS, &earliest_ms))
    earliest_ms = G_MININT64;
  return fields->time_ms >= earliest_ms ? fields->reason : NULL;
}

static const char *
keep_reason (KbDarumaFacts *self, const char *reason)
{
  const char *kept = NULL;

  if (reason == NULL)
    return NULL;
  kept = g_hash_table_lookup (self->reasons, reason);
  if (kept == NULL)
    {
      char *copy = g_strdup (reason);

      g_hash_table_add (self->reasons, copy);
      kept = copy;
    }
  return kept;
}

static const KbHealthRecord *
look_up (KbDarumaFacts *self, const char *channel)
{
  return self->health != NULL ? kb_health_document_lookup (self->health, channel) : NULL;
}

/* Takes the reference over. The first with an id wins. */
static void
add_channel (KbDarumaFacts *self, KbChannelRef *ref, guint position, gboolean is_backup)
{
  const KbHealthRecord *record;
  KbChannelFacts facts = {
    .ref = ref,
    .source = "daruma",
    .origin = "file",
    .position = position,
    .is_backup = is_backup,
    .unreadable = self->unreadable,
    .breaker = kb_breaker_new_healthy (0),
  };

  g_ptr_array_add (self->refs, ref);
  if (!g_hash_table_add (self->ids, ref->id))
    return;
  record = look_up (self, ref->id);
  facts.known = record != NULL;
  if (record != NULL)
    facts.breaker = record->breaker;
  facts.reason = keep_reason (self, find_reason (self, ref->id, record));
  g_array_append_val (self->facts, facts);
}

/* An entry that only the host can read keeps its place; "!!js" begins no name of a provider
 * that could be written without quotes. */
static void
add_expression (KbDarumaFacts *self, guint position)
{
  g_autofree char *id = g_strdup_printf ("!!js#%u", position);
  KbChannelFacts facts = {
    .ref = kb_channel_ref_new (id, ""),
    .source = "daruma",
    .origin = "file",
    .position = position,
    .unreadable = TRUE,
    .expression = TRUE,
    .breaker = kb_breaker_new_healthy (0),
  };

  g_ptr_array_add (self->refs, (gpointer) facts.ref);
  if (g_hash_table_add (self->ids, facts.ref->id))
    g_array_append_val (self->facts, facts);
}

/* Adds the expressions that stand at @position; returns the first that is free. */
static guint
pass_expressions (KbDarumaFacts *self, const KbDarumaConfig *config, guint position, guint *next)
{
  while (*next < config->expressions->len
         && g_array_index (config->expressions, guint, *next) == position)
    {
      add_expression (self, position++);
      (*next)++;
    }
  return position;
}

static void
add_chain (KbDarumaFacts *self, const KbDarumaConfig *config)
{
  guint position = 1;
  guint next = 0;

  for (guint i = 0; i < config->channels->len; i++)
    {
      const KbChannelRef *ref = config->channels->pdata[i];
      gboolean is_backup = config->backup != NULL && g_str_equal (config->backup->id, ref->id);

      position = pass_expressions (self, config, position, &next);
      add_channel (self, kb_channel_ref_copy (ref), position++, is_backup);
    }
  pass_expressions (self, config, position, &next);
  if (config->backup != NULL)
    add_channel (self, kb_channel_ref_copy (config->backup), 0, TRUE);
}

/* Records of channels that nothing configures any more stay in the file for ever. */
static void
add_orphans (KbDarumaFacts *self, const KbDarumaConfig *config)
{
  const GPtrArray *records
      = self->health != NULL ? kb_health_document_get_records (self->health) : NULL;

  for (guint i = 0; records != NULL && i < records->len; i++)
    {
      const KbHealthRecord *record = records->pdata[i];

      if (!g_hash_table_contains (self->ids, record->channel))
        add_channel (self, kb_channel_ref_parse (record->channel, config->channels), 0, FALSE);
    }
}

/**
 * kb_daruma_facts_new:
 * @config: the chain as it governs
 * @health: (nullable): the health file; without one every channel is fresh
 * @known: whether that is all there is; else there is a file which was never readable
 * @history: what the log says
 *
 * Puts the three together: the chain in order from position 1 on, the manual backup where it
 * is outside the chain, then the records of other channels, both with position 0. Of a file
 * that was never readable nothing follows, least of all that all is well.
 *
 * Returns: (transfer full): new facts, which keep nothing of what was passed
 */
KbDarumaFacts *
kb_daruma_facts_new (const KbDarumaConfig *config,
                     KbHealthDocument *health,
                     gboolean known,
                     KbHistory *history)
{
  KbDarumaFacts *self;

  g_return_val_if_fail (config != NULL, NULL);
  g_return_val_if_fail (KB_IS_HISTORY (history), NULL);

  self = g_new0 (KbDarumaFacts, 1);
  self->facts = g_array_new (FALSE, FALSE, sizeof (KbChannelFacts));
  self->refs = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  self->ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->health = health;
  self->unreadable = !known;
  self->history = history;
  add_chain (self, config);
  add_orphans (self, config);
  self->health = NULL;
  self->history = NULL;
  return self;
}

/**
 * kb_daruma_facts_free:
 * @self: (transfer full) (nullable): facts
 *
 * Frees them.
 */
void
kb_daruma_facts_free (KbDarumaFacts *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  g_hash_table_unref (self->ids);
  g_hash_table_unref (self->reasons);
  g_ptr_array_unref (self->refs);
  g_free (self);
}

/**
 * kb_daruma_facts_get:
 * @self: facts
 * @n_facts: (out): how many
 *
 * Returns: (transfer none) (array length=n_facts): one entry a channel, valid as long as @self
 */
const KbChannelFacts *
kb_daruma_facts_get (KbDarumaFacts *self, guint *n_facts)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (n_facts != NULL, NULL);

  *n_facts = self->facts->len;
  return (const KbChannelFacts *) (gconstpointer) self->facts->data;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-throttle.h"

/* When requests of one bucket were let through, oldest first. */
typedef struct
{
  GQueue admitted;  /* of gint64, owned */
  gint64 window_ms; /* the longest it was asked with */
} Bucket;

struct _KbThrottle
{
  GHashTable *buckets; /* name → Bucket */
};

static void
bucket_free (gpointer data)
{
  Bucket *bucket = data;

  g_queue_clear_full (&bucket->admitted, g_free);
  g_free (bucket);
}

static Bucket *
get_bucket (KbThrottle *self, const char *name)
{
  Bucket *bucket = g_hash_table_lookup (self->buckets, name);

  if (bucket == NULL)
    {
      bucket = g_new0 (Bucket, 1);
      g_queue_init (&bucket->admitted);
      g_hash_table_insert (self->buckets, g_strdup (name), bucket);
    }
  return bucket;
}

/* An entry is out of the window when the window has passed to the millisecond. */
static void
forget_old (Bucket *bucket, gint64 window_ms, gint64 now_ms)
{
  gint64 *oldest;

  while ((oldest = g_queue_peek_head (&bucket->admitted)) != NULL && now_ms - *oldest >= window_ms)
    g_free (g_queue_pop_head (&bucket->admitted));
}

/* Mostly all of them; fewer where the window is narrower than the one it was last asked with. */
static guint
count_live (const Bucket *bucket, gint64 window_ms, gint64 now_ms)
{
  const gint64 *oldest = g_queue_peek_head ((GQueue *) &bucket->admitted);
  guint n = 0;

  if (oldest == NULL || now_ms - *oldest < window_ms)
    return bucket->admitted.length;
  for (const GList *link = bucket->admitted.tail; link != NULL; link = link->prev, n++)
    if (now_ms - *(const gint64 *) link->data >= window_ms)
      break;
  return n;
}

/**
 * kb_throttle_new:
 *
 * Returns: (transfer full): a throttle that has let nothing through yet
 */
KbThrottle *
kb_throttle_new (void)
{
  KbThrottle *self = g_new0 (KbThrottle, 1);

  self->buckets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, bucket_free);
  return self;
}

/**
 * kb_throttle_free:
 * @self: (transfer full) (nullable): a throttle
 *
 * Frees it.
 */
void
kb_throttle_free (KbThrottle *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->buckets);
  g_free (self);
}

/**
 * kb_throttle_admit:
 * @self: a throttle
 * @bucket: whose window it is (kb_throttle_bucket_name())
 * @limits: how many in which time
 * @now_ms: the present time
 *
 * Lets a request through, and remembers it, or says how long to wait before asking again: then
 * nothing is remembered.
 *
 * Returns: 0 where the request may go, else milliseconds to wait
 */
gint64
kb_throttle_admit (KbThrottle *self, const char *bucket, KbThrottleLimits limits, gint64 now_ms)
{
  Bucket *found;
  const gint64 *oldest;

  g_return_val_if_fail (self != NULL && bucket != NULL, 0);
  g_return_val_if_fail (limits.most_requests >= 1 && limits.window_ms > 0, 0);

  found = get_bucket (self, bucket);
  found->window_ms = limits.window_ms;
  forget_old (found, limits.window_ms, now_ms);
  oldest = g_queue_peek_head (&found->admitted);
  if (oldest != NULL && (gint64) found->admitted.length >= limits.most_requests)
    return *oldest + limits.window_ms - now_ms;
  g_queue_push_tail (&found->admitted, g_memdup2 (&now_ms, sizeof now_ms));
  return 0;
}

/**
 * kb_throttle_foresee:
 * @self: a throttle
 * @bucket: whose window it is
 * @limits: how many in which time
 * @ahead: how many wait for the same window and go first
 * @now_ms: the present time
 *
 * Tells when a request can go, if all of those before it go as soon as they can. Nothing is
 * remembered.
 *
 * Returns: milliseconds from now, 0 = at once
 */
gint64
kb_throttle_foresee (
    KbThrottle *self, const char *bucket, KbThrottleLimits limits, guint ahead, gint64 now_ms)
{
  Bucket *found;
  gint64 n_admitted, place, rounds = 0;
  gint64 go_ms = now_ms;

  g_return_val_if_fail (self != NULL && bucket != NULL, 0);
  g_return_val_if_fail (limits.most_requests >= 1 && limits.window_ms > 0, 0);

  found = g_hash_table_lookup (self->buckets, bucket);
  if (found != NULL)
    forget_old (found, MAX (limits.window_ms, found->window_ms), now_ms);
  n_admitted = found != NULL ? count_live (found, limits.window_ms, now_ms) : 0;
  place = n_admitted + ahead - limits.most_requests; /* whose window must be over */
  if (place >= n_admitted)
    {
      rounds = (place - n_admitted) / limits.most_requests + 1;
      place -= rounds * limits.most_requests;
    }
  if (place >= 0)
    {
      guint index = found->admitted.length - (guint) (n_admitted - place);

      go_ms = *(const gint64 *) g_queue_peek_nth (&found->admitted, index) + limits.window_ms;
    }
  return go_ms - now_ms + rounds * limits.window_ms;
}

/**
 * kb_throttle_count:
 * @self: a throttle
 * @bucket: whose window it is
 * @window_ms: how long the window is
 * @now_ms: the present time
 *
 * Returns: how many requests went within the window
 */
guint
kb_throttle_count (KbThrottle *self, const char *bucket, gint64 window_ms, gint64 now_ms)
{
  const Bucket *found;

  g_return_val_if_fail (self != NULL && bucket != NULL, 0);

  found = g_hash_table_lookup (self->buckets, bucket);
  return found != NULL ? count_live (found, window_ms, now_ms) : 0;
}

/**
 * kb_throttle_get_n_buckets:
 * @self: a throttle
 *
 * Returns: how many buckets it remembers
 */
guint
kb_throttle_get_n_buckets (KbThrottle *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return g_hash_table_size (self->buckets);
}

static gboolean
is_idle (gpointer name, gpointer value, gpointer user_data)
{
  Bucket *bucket = value;

  forget_old (bucket, bucket->window_ms, *(const gint64 *) user_data);
  return bucket->admitted.length == 0;
}

/**
 * kb_throttle_forget_idle:
 * @self: a throttle
 * @now_ms: the present time
 *
 * Forgets buckets whose windows are empty: those of tasks would pile up otherwise.
 */
void
kb_throttle_forget_idle (KbThrottle *self, gint64 now_ms)
{
  g_return_if_fail (self != NULL);
  g_hash_table_foreach_remove (self->buckets, is_idle, &now_ms);
}

/**
 * kb_throttle_bucket_name:
 * @scope: what shares a window
 * @task: the task or session
 * @provider: the provider
 * @model: the model
 *
 * Names the bucket of a request, as camel does.
 *
 * Returns: (transfer full): the name
 */
char *
kb_throttle_bucket_name (KbThrottleScope scope,
                         const char *task,
                         const char *provider,
                         const char *model)
{
  g_return_val_if_fail (task != NULL && provider != NULL && model != NULL, NULL);

  switch (scope)
    {
    case KB_THROTTLE_PROVIDER:
      return g_strconcat ("provider:", provider, NULL);
    case KB_THROTTLE_ROUTE:
      return g_strconcat ("route:", provider, ":", model, NULL);
    case KB_THROTTLE_TASK_ROUTE:
      return g_strconcat ("task-route:", task, ":", provider, ":", model, NULL);
    case KB_THROTTLE_GLOBAL:
    default:
      return g_strdup ("global");
    }
}

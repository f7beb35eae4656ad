// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-pacing.h"

/* What one place states of the keys; the rest is not set. */
typedef struct
{
  double values[KB_PACING_N_KEYS];
  guint32 is_set; /* by key */
} Values;

typedef struct
{
  char *provider;
  char *model;
  Values values;
} Route;

struct _KbPacingLayer
{
  grefcount refs;
  Values values;
  char **codes;      /* (nullable) */
  GPtrArray *routes; /* (element-type Route) */
};

#define MOST_TIMER G_MAXINT32

static const char *const flags[] = { "false", "true", NULL };
static const char *const modes[] = { "unlimited", "bounded", NULL };
static const char *const scopes[] = { "global", "provider", "route", "task-route", NULL };

/* Plugin facts 6.1. */
static const KbPacingKeyInfo keys[KB_PACING_N_KEYS] = {
  [KB_PACING_THROTTLE_ENABLED] = { "throttle", "enabled", 0, 0, 1, flags },
  [KB_PACING_THROTTLE_MAX_REQUESTS] = { "throttle", "maxRequests", 20, 1, G_MAXINT, NULL },
  [KB_PACING_THROTTLE_WINDOW] = { "throttle", "windowMs", 60000, 1, 1e15, NULL },
  [KB_PACING_THROTTLE_SCOPE] = { "throttle", "scope", KB_THROTTLE_ROUTE, 0, 3, scopes },
  [KB_PACING_RETRY_ENABLED] = { "retry", "enabled", 0, 0, 1, flags },
  [KB_PACING_RETRY_MODE] = { "retry", "mode", 0, 0, 1, modes },
  [KB_PACING_RETRY_MAX_RETRIES] = { "retry", "maxRetries", 0, 1, G_MAXINT, NULL },
  [KB_PACING_RETRY_FALLBACK_DELAY] = { "retry", "fallbackDelayMs", 60000, 1, MOST_TIMER, NULL },
  [KB_PACING_RETRY_INITIAL_DELAY] = { "retry", "initialDelayMs", 60000, 1, MOST_TIMER, NULL },
  [KB_PACING_RETRY_MULTIPLIER] = { "retry", "multiplier", 2, 1, 1e6, NULL },
  [KB_PACING_RETRY_MAX_LOCAL_DELAY] = { "retry", "maxLocalDelayMs", 300000, 1, MOST_TIMER, NULL },
  [KB_PACING_RETRY_RESPECT_RETRY_AFTER] = { "retry", "respectRetryAfter", 1, 0, 1, flags },
  [KB_PACING_ADAPTIVE_ENABLED] = { "adaptive", "enabled", 0, 0, 1, flags },
  [KB_PACING_ADAPTIVE_INITIAL] = { "adaptive", "initialRequests", 10, 1, G_MAXINT, NULL },
  [KB_PACING_ADAPTIVE_MIN] = { "adaptive", "minRequests", 1, 1, G_MAXINT, NULL },
  [KB_PACING_ADAPTIVE_MAX] = { "adaptive", "maxRequests", 20, 1, G_MAXINT, NULL },
  [KB_PACING_ADAPTIVE_WINDOW] = { "adaptive", "windowMs", 60000, 1, MOST_TIMER, NULL },
  [KB_PACING_ADAPTIVE_SAFETY] = { "adaptive", "safetyRatio", 0.85, 1e-9, 1, NULL },
  [KB_PACING_ADAPTIVE_DECREASE] = { "adaptive", "decreaseRatio", 0.7, 1e-9, 1, NULL },
  [KB_PACING_ADAPTIVE_INCREASE_AFTER]
  = { "adaptive", "increaseAfterWindows", 3, 1, G_MAXINT, NULL },
  [KB_PACING_ADAPTIVE_TTL] = { "adaptive", "stateTtlMs", 86400000, 1, MOST_TIMER, NULL },
};

static const char *const standard_codes[] = { "RATE_LIMIT", NULL };

static void
route_free (gpointer data)
{
  Route *route = data;

  g_free (route->provider);
  g_free (route->model);
  g_free (route);
}

static gboolean
set (Values *values, KbPacingKey key, double value)
{
  if (!(value >= keys[key].least && value <= keys[key].most))
    return FALSE;
  values->values[key] = value;
  values->is_set |= (guint32) 1 << key;
  return TRUE;
}

static void
apply (Values *values, const Values *over)
{
  for (guint i = 0; i < KB_PACING_N_KEYS; i++)
    if ((over->is_set & ((guint32) 1 << i)) != 0)
      set (values, i, over->values[i]);
}

static Route *
find_route (const KbPacingLayer *self, const char *provider, const char *model)
{
  for (guint i = 0; i < self->routes->len; i++)
    {
      Route *route = self->routes->pdata[i];

      if (g_str_equal (route->provider, provider) && g_str_equal (route->model, model))
        return route;
    }
  return NULL;
}

/**
 * kb_pacing_key_get_info:
 * @key: a key
 *
 * Returns: (transfer none): where it stands in a configuration, and what it may be
 */
const KbPacingKeyInfo *
kb_pacing_key_get_info (KbPacingKey key)
{
  g_return_val_if_fail ((guint) key < KB_PACING_N_KEYS, &keys[0]);
  return &keys[key];
}

/**
 * kb_pacing_layer_new:
 *
 * Returns: (transfer full): a layer that states nothing
 */
KbPacingLayer *
kb_pacing_layer_new (void)
{
  KbPacingLayer *self = g_new0 (KbPacingLayer, 1);

  g_ref_count_init (&self->refs);
  self->routes = g_ptr_array_new_with_free_func (route_free);
  return self;
}

/**
 * kb_pacing_layer_new_preset:
 * @name: "recover", "adaptive", "bounded" or "off"
 *
 * Returns: (transfer full) (nullable): what camel's preset of that name states
 */
KbPacingLayer *
kb_pacing_layer_new_preset (const char *name)
{
  gboolean is_off, is_bounded;
  KbPacingLayer *self;

  g_return_val_if_fail (name != NULL, NULL);

  is_off = g_str_equal (name, "off");
  is_bounded = g_str_equal (name, "bounded");
  if (!is_off && !is_bounded && !g_str_equal (name, "recover") && !g_str_equal (name, "adaptive"))
    return NULL;
  self = kb_pacing_layer_new ();
  set (&self->values, KB_PACING_THROTTLE_ENABLED, 0);
  set (&self->values, KB_PACING_RETRY_ENABLED, !is_off);
  set (&self->values, KB_PACING_ADAPTIVE_ENABLED, g_str_equal (name, "adaptive"));
  if (!is_off)
    set (&self->values, KB_PACING_RETRY_MODE, is_bounded);
  if (is_bounded)
    set (&self->values, KB_PACING_RETRY_MAX_RETRIES, 5);
  return self;
}

/**
 * kb_pacing_layer_ref:
 * @self: a layer
 *
 * Returns: (transfer full): @self
 */
KbPacingLayer *
kb_pacing_layer_ref (KbPacingLayer *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_ref_count_inc (&self->refs);
  return self;
}

/**
 * kb_pacing_layer_unref:
 * @self: (transfer full): a layer
 *
 * Gives a reference back.
 */
void
kb_pacing_layer_unref (KbPacingLayer *self)
{
  g_return_if_fail (self != NULL);
  if (!g_ref_count_dec (&self->refs))
    return;
  g_strfreev (self->codes);
  g_ptr_array_unref (self->routes);
  g_free (self);
}

/**
 * kb_pacing_layer_set:
 * @self: a layer that is being filled
 * @key: a key
 * @value: its value; a flag is 0 or 1, a word its number
 *
 * States a value.
 *
 * Returns: whether it can be one; else nothing is stated
 */
gboolean
kb_pacing_layer_set (KbPacingLayer *self, KbPacingKey key, double value)
{
  g_return_val_if_fail (self != NULL && (guint) key < KB_PACING_N_KEYS, FALSE);
  return set (&self->values, key, value);
}

/**
 * kb_pacing_layer_set_codes:
 * @self: a layer that is being filled
 * @codes: NULL-terminated failure codes, at least one
 *
 * States which failures wait and try again. Codes are replaced as a whole.
 */
void
kb_pacing_layer_set_codes (KbPacingLayer *self, const char *const *codes)
{
  g_return_if_fail (self != NULL && codes != NULL && codes[0] != NULL);

  g_strfreev (self->codes);
  self->codes = g_strdupv ((char **) codes);
}

/**
 * kb_pacing_layer_set_route:
 * @self: a layer that is being filled
 * @provider: a provider
 * @model: its model, exactly
 * @key: one of the adaptive keys
 * @value: its value
 *
 * States a value for one route.
 *
 * Returns: whether it can be one; else nothing is stated
 */
gboolean
kb_pacing_layer_set_route (
    KbPacingLayer *self, const char *provider, const char *model, KbPacingKey key, double value)
{
  Route *route;

  g_return_val_if_fail (self != NULL && provider != NULL && model != NULL, FALSE);
  g_return_val_if_fail (key >= KB_PACING_ADAPTIVE_ENABLED && key < KB_PACING_N_KEYS, FALSE);

  route = find_route (self, provider, model);
  if (route == NULL)
    {
      route = g_new0 (Route, 1);
      route->provider = g_strdup (provider);
      route->model = g_strdup (model);
      g_ptr_array_add (self->routes, route);
    }
  return set (&route->values, key, value);
}

static gboolean
is_on (const Values *values, KbPacingKey key)
{
  return (values->is_set & ((guint32) 1 << key)) != 0 && values->values[key] > 0;
}

/**
 * kb_pacing_layer_is_active:
 * @self: (nullable): a layer
 *
 * Returns: whether it switches anything on, for some route at least
 */
gboolean
kb_pacing_layer_is_active (const KbPacingLayer *self)
{
  if (self == NULL)
    return FALSE;
  if (is_on (&self->values, KB_PACING_THROTTLE_ENABLED)
      || is_on (&self->values, KB_PACING_RETRY_ENABLED)
      || is_on (&self->values, KB_PACING_ADAPTIVE_ENABLED))
    return TRUE;
  for (guint i = 0; i < self->routes->len; i++)
    if (is_on (&((const Route *) self->routes->pdata[i])->values, KB_PACING_ADAPTIVE_ENABLED))
      return TRUE;
  return FALSE;
}

static void
apply_layer (Values *values,
             const char *const **codes,
             const KbPacingLayer *layer,
             const char *provider,
             const char *model)
{
  const Route *route;

  if (layer == NULL)
    return;
  apply (values, &layer->values);
  route = find_route (layer, provider, model);
  if (route != NULL)
    apply (values, &route->values);
  if (layer->codes != NULL)
    *codes = (const char *const *) layer->codes;
}

static KbQuotaPolicy
make_quota (const double *values)
{
  KbQuotaPolicy quota = {
    .initial_requests = (gint64) values[KB_PACING_ADAPTIVE_INITIAL],
    .min_requests = (gint64) values[KB_PACING_ADAPTIVE_MIN],
    .max_requests = (gint64) values[KB_PACING_ADAPTIVE_MAX],
    .window_ms = (gint64) values[KB_PACING_ADAPTIVE_WINDOW],
    .safety_ratio = values[KB_PACING_ADAPTIVE_SAFETY],
    .decrease_ratio = values[KB_PACING_ADAPTIVE_DECREASE],
    .increase_after_windows = (gint64) values[KB_PACING_ADAPTIVE_INCREASE_AFTER],
    .state_ttl_ms = (gint64) values[KB_PACING_ADAPTIVE_TTL],
  };

  /* What nobody stated fits itself between the bounds; lint says so where somebody did. */
  quota.max_requests = MAX (quota.max_requests, quota.min_requests);
  quota.initial_requests = CLAMP (quota.initial_requests, quota.min_requests, quota.max_requests);
  return quota;
}

static KbWaitPolicy
make_wait (const double *values)
{
  return (KbWaitPolicy) {
    .fallback_delay_ms = values[KB_PACING_RETRY_FALLBACK_DELAY],
    .initial_delay_ms = values[KB_PACING_RETRY_INITIAL_DELAY],
    .multiplier = values[KB_PACING_RETRY_MULTIPLIER],
    .most_local_delay_ms = values[KB_PACING_RETRY_MAX_LOCAL_DELAY],
    .respects_retry_after = values[KB_PACING_RETRY_RESPECT_RETRY_AFTER] > 0,
  };
}

/**
 * kb_pacing_resolve:
 * @base: (nullable): what the configuration states
 * @own: (nullable): what the request states for its session
 * @provider: the provider of the route
 * @model: its model
 * @pacing: (out caller-allocates): what holds; its codes go with the layers
 *
 * Plugin facts 6.2: built in, then @base, then the route in @base, then @own, then the route
 * in @own. A bounded retry that states no number is not bounded by one, so it does not retry.
 */
void
kb_pacing_resolve (const KbPacingLayer *base,
                   const KbPacingLayer *own,
                   const char *provider,
                   const char *model,
                   KbPacing *pacing)
{
  Values all = { 0 };
  const double *values = all.values;

  g_return_if_fail (provider != NULL && model != NULL && pacing != NULL);

  for (guint i = 0; i < KB_PACING_N_KEYS; i++)
    all.values[i] = keys[i].built_in;
  *pacing = (KbPacing) { .codes = standard_codes };
  apply_layer (&all, &pacing->codes, base, provider, model);
  apply_layer (&all, &pacing->codes, own, provider, model);
  pacing->throttles = values[KB_PACING_THROTTLE_ENABLED] > 0;
  pacing->limits = (KbThrottleLimits) { (gint64) values[KB_PACING_THROTTLE_MAX_REQUESTS],
                                        (gint64) values[KB_PACING_THROTTLE_WINDOW] };
  pacing->scope = (KbThrottleScope) values[KB_PACING_THROTTLE_SCOPE];
  pacing->retries = values[KB_PACING_RETRY_ENABLED] > 0;
  pacing->is_bounded = values[KB_PACING_RETRY_MODE] > 0;
  pacing->max_retries = (gint64) values[KB_PACING_RETRY_MAX_RETRIES];
  pacing->wait = make_wait (values);
  pacing->adapts = values[KB_PACING_ADAPTIVE_ENABLED] > 0;
  pacing->quota = make_quota (values);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-config-systems.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "store/kb-nearest.h"

#define RESTARTS N_ ("A running host restarts the plugin.")
#define ROUTES N_ ("A running host resets the health of all routes: disabled ones are tried again.")

static const KbSystem systems[] = {
  { "dsh-daruma", KB_SYSTEM_ROW, "dsh-daruma", "dsh-daruma", NULL, RESTARTS, NULL },
  { "daruma", KB_SYSTEM_SETTINGS, NULL, NULL, "daruma", NULL, NULL },
  { "dsh-route-resilience", KB_SYSTEM_SETTINGS_OVER_ROW, "route-resilience", "dsh-route-resilience",
    "dsh-route-resilience", ROUTES, ROUTES },
  { "route-resilience", KB_SYSTEM_SETTINGS_OVER_ROW, "route-resilience", "dsh-route-resilience",
    "dsh-route-resilience", ROUTES, ROUTES },
  { "llm-pool", KB_SYSTEM_ROW, "llm-pool", "dsh-llm-pool", NULL,
    N_ ("A running host restarts the plugin, which forgets its bindings and cooldowns."), NULL },
  { "llm-fallback", KB_SYSTEM_ROW, "llm-fallback", "@visol-456/dsh-llm-fallback", NULL,
    N_ ("A running host restarts the plugin, which forgets its counts and cooldowns."), NULL },
  { "camel", KB_SYSTEM_ROW, "camel", "dsh-camel", NULL,
    N_ ("A running host restarts the plugin, which loses its learned quotas."), NULL },
  { "llm-pi-ai", KB_SYSTEM_SETTINGS_OVER_ROW, "llm-pi-ai", NULL, "llm-pi-ai", RESTARTS, NULL },
  { "llm-deepseek", KB_SYSTEM_SETTINGS_OVER_ROW, "llm-deepseek", NULL, "llm-deepseek", RESTARTS,
    NULL },
  { "agent-default-model", KB_SYSTEM_SETTINGS_OVER_ROW, "agent-default-model", NULL,
    "agent-default-model", RESTARTS, NULL },
  { "koboshi", KB_SYSTEM_KOBOSHI, NULL, NULL, NULL, NULL, NULL },
};

/* The plugins' sheet, config tables of chapters 2, 3, 5 and 6; koboshi.yaml: the product. */
static const KbSystemDefault defaults[] = {
  { "dsh-daruma.channels", "[]" },
  { "dsh-daruma.failureBudget", "3" },
  { "dsh-daruma.cooldownMs", "30000" },
  { "dsh-daruma.giveUpBudget", "8" },
  { "dsh-daruma.tripOnRetryExhausted", "true" },
  { "dsh-route-resilience.groups", "[]" },
  { "llm-fallback.switchCodes",
    "[EMPTY_RESPONSE, RATE_LIMIT, SERVER, UNKNOWN_MODEL, TIMEOUT, TRANSPORT]" },
  { "llm-fallback.failureThreshold", "1" },
  { "llm-fallback.cooldownMs", "0" },
  { "camel.defaults.throttle.enabled", "false" },
  { "camel.defaults.throttle.maxRequests", "20" },
  { "camel.defaults.throttle.windowMs", "60000" },
  { "camel.defaults.throttle.scope", "route" },
  { "camel.defaults.retry.enabled", "false" },
  { "camel.defaults.retry.codes", "[RATE_LIMIT]" },
  { "camel.defaults.retry.mode", "unlimited" },
  { "camel.defaults.retry.fallbackDelayMs", "60000" },
  { "camel.defaults.retry.initialDelayMs", "60000" },
  { "camel.defaults.retry.multiplier", "2" },
  { "camel.defaults.retry.maxLocalDelayMs", "300000" },
  { "camel.defaults.retry.respectRetryAfter", "true" },
  { "camel.defaults.adaptive.enabled", "false" },
  { "camel.defaults.adaptive.initialRequests", "10" },
  { "camel.defaults.adaptive.minRequests", "1" },
  { "camel.defaults.adaptive.maxRequests", "20" },
  { "camel.defaults.adaptive.windowMs", "60000" },
  { "camel.defaults.adaptive.safetyRatio", "0.85" },
  { "camel.defaults.adaptive.decreaseRatio", "0.7" },
  { "camel.defaults.adaptive.increaseAfterWindows", "3" },
  { "camel.defaults.adaptive.stateTtlMs", "86400000" },
  { "camel.defaults.adaptive.routes", "[]" },
  { "agent-default-model.provider", "deepseek-official" },
  { "agent-default-model.model", "deepseek-v4-flash" },
  { "koboshi.listen", "127.0.0.1:7878" },
  { "koboshi.connectTimeoutMs", "10000" },
  { "koboshi.headerTimeoutMs", "60000" },
  { "koboshi.firstTokenTimeoutMs", "120000" },
  { "koboshi.idleTimeoutMs", "120000" },
  { "koboshi.totalTimeoutMs", "1800000" },
  { "koboshi.inRequestWaitMs", "60000" },
  { "koboshi.retryBeforeFailoverMs", "3000" },
  { "koboshi.retryAfterCapMs", "3600000" },
  { "koboshi.bodyLimitMiB", "64" },
  { "koboshi.midStream", "error" },
  { "koboshi.contentRefused", "pass" },
  { "koboshi.unknownModel", "refuse" },
  { "koboshi.modelAliases", "{}" },
  { "koboshi.stickyTtlMs", "3600000" },
  { "koboshi.stickyMax", "10000" },
  { "koboshi.stickyPersist", "false" },
  { "koboshi.neverAutomatic", "[]" },
  { "koboshi.channels", "{}" },
};

/**
 * kb_system_lookup:
 * @name: the first step of a path
 *
 * Returns: (transfer none) (nullable): the system of that name
 */
const KbSystem *
kb_system_lookup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (systems); i++)
    if (g_str_equal (systems[i].name, name))
      return &systems[i];
  return NULL;
}

/**
 * kb_system_find_similar:
 * @name: a word that is no system
 *
 * Returns: (transfer none) (nullable): what was probably meant
 */
const char *
kb_system_find_similar (const char *name)
{
  const char *names[G_N_ELEMENTS (systems) + 1] = { NULL };

  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (systems); i++)
    {
      names[i] = systems[i].name;
      if (g_strcmp0 (systems[i].module, name) == 0)
        return systems[i].name;
    }
  return kb_nearest_find (name, names);
}

/**
 * kb_system_list_names:
 *
 * Returns: (transfer full): the names, with commas between
 */
char *
kb_system_list_names (void)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (systems); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", systems[i].name);
  return g_string_free_and_steal (text);
}

/**
 * kb_system_get_default:
 * @path: a path, as kb_yaml_path_to_string() writes it
 *
 * Returns: (transfer none) (nullable): what holds where nothing is written, as YAML
 */
const char *
kb_system_get_default (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (defaults); i++)
    if (g_str_equal (defaults[i].path, path))
      return defaults[i].value;
  return NULL;
}

static const char *
get_base_name (const char *package)
{
  const char *slash = strrchr (package, '/');

  return slash != NULL ? slash + 1 : package;
}

/**
 * kb_system_find_bundle:
 * @self: a system with a row
 * @bundles: (nullable): the bundles of a profile
 *
 * Whoever publishes it: "@somebody/dsh-camel" mounts the row of dsh-camel too.
 *
 * Returns: (transfer full) (nullable): the bundle that mounts its row
 */
char *
kb_system_find_bundle (const KbSystem *self, const char *const *bundles)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->module == NULL)
    return g_strdup ("@deepseek-ai/dsh-base");
  for (; bundles != NULL && *bundles != NULL; bundles++)
    if (g_str_equal (get_base_name (*bundles), get_base_name (self->module)))
      return g_strdup (*bundles);
  return NULL;
}

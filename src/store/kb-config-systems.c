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
  /* Where versions 0.1 of the plugin keep it, and hosts that read that. */
  { "llm-fallback-settings", KB_SYSTEM_SETTINGS, NULL, NULL, "llm-fallback", NULL,
    N_ ("Version 0.1 of the plugin forgets its counts and cooldowns; later ones ignore it.") },
  { "camel", KB_SYSTEM_ROW, "camel", "dsh-camel", NULL,
    N_ ("A running host restarts the plugin, which loses its learned quotas."), NULL },
  { "llm-pi-ai", KB_SYSTEM_SETTINGS_OVER_ROW, "llm-pi-ai", NULL, "llm-pi-ai", RESTARTS, NULL },
  { "llm-deepseek", KB_SYSTEM_SETTINGS_OVER_ROW, "llm-deepseek", NULL, "llm-deepseek", RESTARTS,
    NULL },
  { "agent-default-model", KB_SYSTEM_SETTINGS_OVER_ROW, "agent-default-model", NULL,
    "agent-default-model", RESTARTS, NULL },
  { "koboshi", KB_SYSTEM_KOBOSHI, NULL, NULL, NULL, NULL, NULL },
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

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-provider-uses.h"

#include <glib/gi18n-lib.h>

/* Places of a home that name a provider. */
static const struct
{
  const char *path;
  const char *what; /* untranslated */
} users[] = {
  { "dsh-daruma.channels", N_ ("the failover chain") },
  { "daruma.backup", N_ ("the backup") },
  { "llm-fallback.fallbacks", N_ ("the fallbacks") },
  { "dsh-route-resilience.groups", N_ ("a group of dsh-route-resilience") },
  { "llm-pool.providers", N_ ("a pool of dsh-llm-pool") },
  { "camel.defaults.adaptive.routes", N_ ("the adaptive routes of camel") },
  { "agent-default-model", N_ ("the default model") },
  { "koboshi", N_ ("koboshi.yaml") },
};

static gboolean
names (const KbYamlTree *tree, const char *provider)
{
  if (tree->kind == KB_YAML_SCALAR)
    {
      g_autofree char *prefix = g_strconcat (provider, "::", NULL);

      return g_strcmp0 (tree->text, provider) == 0
             || (tree->text != NULL && g_str_has_prefix (tree->text, prefix));
    }
  for (guint i = 0; tree->children != NULL && i < tree->children->len; i++)
    if (names (tree->children->pdata[i], provider))
      return TRUE;
  return FALSE;
}

static char *
describe_user (const KbConfig *config, guint index)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_parse (users[index].path, NULL);
  g_autoptr (KbConfigPlace) place = kb_config_path_resolve (config, path, NULL);
  const KbYamlNode *node = place != NULL ? kb_config_place_find (place, config) : NULL;

  if (node == NULL)
    return g_strdup (_ (users[index].what));
  return g_strdup_printf ("%s (%s:%u)", _ (users[index].what),
                          kb_config_get_file (config, place->file)->path,
                          kb_yaml_node_get_span (node)->line);
}

/**
 * kb_provider_uses_describe:
 * @config: the files of a profile
 * @provider: the name of a provider
 *
 * Returns: (transfer full): what would lead nowhere without it, with file and line; empty if
 *   nothing does
 */
char *
kb_provider_uses_describe (const KbConfig *config, const char *provider)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (config != NULL && provider != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (users); i++)
    {
      g_autoptr (KbYamlPath) path = kb_yaml_path_parse (users[i].path, NULL);
      g_autoptr (KbYamlTree) tree = kb_config_path_get (config, path, NULL);
      g_autofree char *place = NULL;

      if (tree == NULL || !names (tree, provider))
        continue;
      place = describe_user (config, i);
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", place);
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

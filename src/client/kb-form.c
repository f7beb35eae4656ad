// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-form.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "client/kb-form-private.h"
#include "store/kb-atomic-file.h"
#include "store/kb-config-node.h"
#include "store/kb-config-systems.h"
#include "store/kb-lint-compat.h"
#include "store/kb-provider.h"

/**
 * kb_form_new:
 * @snapshot: the configuration of a profile
 *
 * Returns: (transfer full): what a form can show of it
 */
KbForm *
kb_form_new (KbSnapshot *snapshot)
{
  KbForm *self;

  g_return_val_if_fail (snapshot != NULL, NULL);

  self = g_rc_box_new0 (KbForm);
  self->snapshot = kb_snapshot_ref (snapshot);
  self->config = kb_snapshot_get_config (snapshot);
  self->providers = kb_provider_list (kb_config_get_rows (self->config),
                                      kb_config_get_file (self->config, KB_CONFIG_SETTINGS));
  return self;
}

/**
 * kb_form_load:
 * @home: the home, absolute
 * @profile: a profile of it
 * @error: as for kb_config_load()
 *
 * Reads the files of a profile.
 *
 * Returns: (transfer full) (nullable): what a form can show of them
 */
KbForm *
kb_form_load (const char *home, const char *profile, GError **error)
{
  g_autoptr (KbSnapshot) snapshot = kb_snapshot_load (home, profile, error);

  return snapshot != NULL ? kb_form_new (snapshot) : NULL;
}

/**
 * kb_form_get_snapshot:
 * @self: a form
 *
 * Returns: (transfer none): what it shows: changes are made from that
 */
KbSnapshot *
kb_form_get_snapshot (KbForm *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->snapshot;
}

/**
 * kb_form_ref:
 * @self: a form
 *
 * Returns: (transfer full): the same
 */
KbForm *
kb_form_ref (KbForm *self)
{
  return g_rc_box_acquire (self);
}

static void
form_clear (gpointer data)
{
  KbForm *self = data;

  kb_snapshot_unref (self->snapshot);
  g_ptr_array_unref (self->providers);
}

/**
 * kb_form_unref:
 * @self: (transfer full): a form
 *
 * Lets go of it.
 */
void
kb_form_unref (KbForm *self)
{
  g_rc_box_release_full (self, form_clear);
}

static gboolean
is_mounted (KbForm *self, const KbSystem *system)
{
  g_autofree char *bundle = kb_system_find_bundle (system, kb_config_get_bundles (self->config));

  return bundle != NULL
         || kb_patch_resolve (kb_config_get_rows (self->config), system->row, system->module, NULL)
                .mounted;
}

static char *
describe_unmounted (const KbSystem *system)
{
  /* Translators: a package, twice */
  return g_strdup_printf (_ ("This profile does not have the plugin %1$s. What is set here is "
                             "written into the profile, and a host uses it only once “dsh plugin "
                             "add %2$s” was run there."),
                          system->module, system->module);
}

/**
 * kb_form_get_state:
 * @self: a form
 * @system: the name of a system
 * @reason: (out) (optional) (nullable): why it is not ready, translated
 *
 * Returns: whether the configuration of that system can be changed, and does anything
 */
KbFormState
kb_form_get_state (KbForm *self, const char *system, char **reason)
{
  const KbSystem *known = kb_system_lookup (system);
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  g_autoptr (KbConfigPlace) place = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const KbYamlNode *node;
  KbFormState state = KB_FORM_READY;

  g_return_val_if_fail (self != NULL && known != NULL, KB_FORM_UNUSABLE);

  kb_yaml_path_add_key (path, system);
  place = kb_config_path_resolve (self->config, path, &error);
  node = place != NULL ? kb_form_find_node (place, self->config) : NULL;
  if (place == NULL)
    {
      state = KB_FORM_UNUSABLE;
      text = g_strdup (error->message);
    }
  else if (node != NULL && kb_yaml_node_get_type (node) == KB_YAML_TYPE_EXPRESSION)
    {
      state = KB_FORM_LOCKED;
      text = g_strdup (_ ("The whole configuration is an expression that only the host can "
                          "evaluate. Change it in the file."));
    }
  else if (!kb_atomic_file_check_writable (kb_config_get_file (self->config, place->file)->path,
                                           &error))
    {
      state = KB_FORM_LOCKED;
      text = g_strdup (error->message);
    }
  else if (known->row != NULL && known->module != NULL && !is_mounted (self, known))
    {
      state = KB_FORM_UNMOUNTED;
      text = describe_unmounted (known);
    }
  if (reason != NULL)
    *reason = g_steal_pointer (&text);
  return state;
}

/**
 * kb_form_is_configured:
 * @self: a form
 * @system: the name of a system
 *
 * Returns: whether anything is written for it
 */
gboolean
kb_form_is_configured (KbForm *self, const char *system)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  g_autoptr (KbConfigPlace) place = NULL;
  const KbYamlNode *node;

  g_return_val_if_fail (self != NULL && system != NULL, FALSE);

  kb_yaml_path_add_key (path, system);
  place = kb_config_path_resolve (self->config, path, NULL);
  node = place != NULL ? kb_form_find_node (place, self->config) : NULL;
  return node != NULL && !kb_config_is_null (node);
}

/* What is no item of anything can be filled in where it is not there yet. */
static KbYamlPath *
copy_to_item (const KbYamlPath *path)
{
  KbYamlPath *item = kb_yaml_path_new ();
  guint length = kb_yaml_path_get_length (path);

  for (; length > 1; length--)
    {
      g_autoptr (KbYamlPath) part = kb_yaml_path_new ();
      const KbSchema *schema;

      for (guint i = 0; i < length; i++)
        kb_config_add_step (part, kb_yaml_path_get_step (path, i));
      schema = kb_config_path_get_schema (part);
      if (schema == NULL || schema->key == NULL)
        break;
    }
  for (guint i = 0; i < length; i++)
    kb_config_add_step (item, kb_yaml_path_get_step (path, i));
  return item;
}

/**
 * kb_form_exists:
 * @self: a form
 * @path: a path that begins with a system
 *
 * Returns: whether the item is there that the path is of, in the files or in the bundle
 */
gboolean
kb_form_exists (KbForm *self, const char *path)
{
  g_autoptr (KbYamlPath) steps = NULL;
  g_autoptr (KbYamlPath) item = NULL;
  g_autoptr (KbYamlTree) tree = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, FALSE);

  steps = kb_yaml_path_parse (path, NULL);
  if (steps == NULL)
    return FALSE;
  item = copy_to_item (steps);
  tree = kb_form_read_tree (self, item);
  return tree != NULL;
}

/* "llm-pi-ai.providers.lumen" of anything in it. */
static char *
get_provider (const char *path)
{
  g_autoptr (KbYamlPath) steps = kb_yaml_path_parse (path, NULL);
  g_autoptr (KbYamlPath) provider = kb_yaml_path_new ();

  if (steps == NULL || kb_yaml_path_get_length (steps) < 4
      || g_strcmp0 (kb_yaml_path_get_step (steps, 0)->key, "llm-pi-ai") != 0)
    return NULL;
  for (guint i = 0; i < 3; i++)
    kb_config_add_step (provider, kb_yaml_path_get_step (steps, i));
  return kb_yaml_path_to_string (provider);
}

static gboolean
is_switch (const char *path)
{
  g_autofree char *parent = kb_form_path_get_parent (path);
  g_autofree char *last = kb_form_path_get_last (parent);

  return g_str_equal (last, "compat");
}

/**
 * kb_form_is_pertinent:
 * @self: a form
 * @field: a field
 *
 * Returns: whether it means anything beside what else is set there: what the protocol of a
 *   provider has no use for is shown only where it has to be taken away
 */
gboolean
kb_form_is_pertinent (KbForm *self, const KbField *field)
{
  g_autofree char *provider = NULL;
  g_autofree char *path = NULL;
  g_autoptr (KbField) other = NULL;

  g_return_val_if_fail (self != NULL && field != NULL, FALSE);

  provider = field->is_set ? NULL : get_provider (field->path);
  if (provider == NULL)
    return TRUE;
  if (is_switch (field->path))
    {
      path = kb_form_path_add (provider, "api");
      other = kb_form_get_field (self, path);
      return other->text == NULL || kb_lint_compat_takes (other->text, field->name);
    }
  if (!g_str_equal (field->name, "modelOverrides"))
    return TRUE;
  path = kb_form_path_add (provider, "models");
  other = kb_form_get_field (self, path);
  return other->items->len == 0;
}

/**
 * kb_form_list_providers:
 * @self: a form
 *
 * Returns: (transfer full): the names of the home's providers
 */
GStrv
kb_form_list_providers (KbForm *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->providers->len; i++)
    g_strv_builder_add (builder, ((KbProvider *) self->providers->pdata[i])->name);
  return g_strv_builder_end (builder);
}

/**
 * kb_form_list_models:
 * @self: a form
 * @provider: the name of a provider
 *
 * Returns: (transfer full): the models it is known to serve
 */
GStrv
kb_form_list_models (KbForm *self, const char *provider)
{
  const KbProvider *found;

  g_return_val_if_fail (self != NULL && provider != NULL, NULL);

  found = kb_provider_find (self->providers, provider);
  return found != NULL ? g_strdupv (found->models) : g_new0 (char *, 1);
}

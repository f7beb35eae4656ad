// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-plan-value.h"

KbPlanValue
kb_plan_value_step (KbPlanValue self, const char *key)
{
  KbPlanValue result = { self.file, NULL };

  if (self.node != NULL && kb_yaml_node_get_kind (self.node) == KB_YAML_MAPPING)
    result.node = kb_yaml_file_lookup (self.file, self.node, key);
  return result;
}

/* (nullable): a text that is not empty */
const char *
kb_plan_value_get_text (KbPlanValue self)
{
  const char *text = self.node != NULL ? kb_yaml_file_get_string (self.file, self.node) : NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

gboolean
kb_plan_value_get_flag (KbPlanValue self, gboolean standard)
{
  gboolean flag;

  return self.node != NULL && kb_yaml_node_get_boolean (self.node, &flag) ? flag : standard;
}

gint64
kb_plan_value_get_number (KbPlanValue self, gint64 least, gint64 standard)
{
  double number;

  return self.node != NULL && kb_yaml_node_get_number (self.node, &number)
                 && number >= (double) least && number <= G_MAXINT
             ? (gint64) number
             : standard;
}

/* Of a list; anything else has no items. */
guint
kb_plan_value_get_length (KbPlanValue self)
{
  return self.node != NULL && kb_yaml_node_get_kind (self.node) == KB_YAML_SEQUENCE
             ? kb_yaml_node_get_length (self.node)
             : 0;
}

KbPlanValue
kb_plan_value_get_item (KbPlanValue self, guint index)
{
  return (KbPlanValue) { self.file, kb_yaml_file_get_item (self.file, self.node, index) };
}

/* Of a mapping; anything else has no pairs. */
guint
kb_plan_value_get_n_pairs (KbPlanValue self)
{
  return self.node != NULL && kb_yaml_node_get_kind (self.node) == KB_YAML_MAPPING
             ? kb_yaml_node_get_length (self.node)
             : 0;
}

/* (nullable): the key of a pair that is a text */
const char *
kb_plan_value_get_key (KbPlanValue self, guint index, KbPlanValue *value)
{
  const KbYamlNode *key = kb_yaml_node_get_key (self.node, index);

  value->file = self.file;
  value->node
      = kb_yaml_document_resolve (self.file->document, kb_yaml_node_get_value (self.node, index));
  if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR || *kb_yaml_node_get_text (key) == '\0')
    return NULL;
  return kb_yaml_node_get_text (key);
}

/* (transfer full): the texts of a list that are not empty */
GStrv
kb_plan_value_get_texts (KbPlanValue self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < kb_plan_value_get_length (self); i++)
    {
      const char *text = kb_plan_value_get_text (kb_plan_value_get_item (self, i));

      if (text != NULL)
        g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

KbPlanValue
kb_plan_open_settings (const KbGatewayPlan *plan, const char *name)
{
  KbYamlFile *file = kb_config_get_file (plan->config, KB_CONFIG_SETTINGS);

  return kb_plan_value_step ((KbPlanValue) { file, kb_yaml_file_get_root (file) }, name);
}

/* The config of a row; none where it is disabled. A row without a module is the host's own. */
KbPlanValue
kb_plan_open_row (const KbGatewayPlan *plan, const char *id, const char *module)
{
  const char *bundle = module != NULL
                           ? kb_patch_find_bundle (kb_config_get_bundles (plan->config), module)
                           : KB_PATCH_HOST_BUNDLE;
  KbPatchState state = kb_patch_resolve (kb_config_get_rows (plan->config), id, module, bundle);

  if (state.config == NULL
      || (state.disabled != NULL
          && kb_patch_is_truthy (kb_patch_row_lookup (state.disabled, "disabled"))))
    return (KbPlanValue) { NULL, NULL };
  return (KbPlanValue) { state.config->file, kb_patch_row_lookup (state.config, "config") };
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-plan-pacing.h"

#include <string.h>

#include "gateway/kb-plan-value.h"
#include "store/kb-json.h"
#include "store/kb-lint-schemas.h"

#define CAMEL_ROW "camel"
#define CAMEL_MODULE "dsh-camel"

static gboolean
read_value (KbPlanValue value, const KbPacingKeyInfo *info, double *number)
{
  const char *text;
  gboolean flag;

  if (value.node == NULL)
    return FALSE;
  if (kb_yaml_node_get_boolean (value.node, &flag))
    {
      *number = flag;
      return info->words != NULL && g_str_equal (info->words[0], "false");
    }
  if (info->words == NULL)
    return kb_yaml_node_get_number (value.node, number);
  text = kb_plan_value_get_text (value);
  for (guint i = 0; text != NULL && info->words[i] != NULL; i++)
    if (g_str_equal (info->words[i], text))
      {
        *number = i;
        return TRUE;
      }
  return FALSE;
}

static void
read_route (KbPlanValue route, KbPacingLayer *layer)
{
  const char *provider = kb_plan_value_get_text (kb_plan_value_step (route, "provider"));
  const char *model = kb_plan_value_get_text (kb_plan_value_step (route, "model"));

  for (guint key = KB_PACING_ADAPTIVE_ENABLED; key < KB_PACING_N_KEYS; key++)
    {
      const KbPacingKeyInfo *info = kb_pacing_key_get_info (key);
      double number;

      if (provider != NULL && model != NULL
          && read_value (kb_plan_value_step (route, info->name), info, &number))
        kb_pacing_layer_set_route (layer, provider, model, key, number);
    }
}

/* What lint refuses is not stated. */
static KbPacingLayer *
read_layer (KbPlanValue defaults)
{
  KbPacingLayer *layer = kb_pacing_layer_new ();
  g_auto (GStrv) codes = kb_plan_value_get_texts (
      kb_plan_value_step (kb_plan_value_step (defaults, "retry"), "codes"));
  KbPlanValue routes = kb_plan_value_step (kb_plan_value_step (defaults, "adaptive"), "routes");

  for (guint key = 0; key < KB_PACING_N_KEYS; key++)
    {
      const KbPacingKeyInfo *info = kb_pacing_key_get_info (key);
      double number;

      if (read_value (kb_plan_value_step (kb_plan_value_step (defaults, info->section), info->name),
                      info, &number))
        kb_pacing_layer_set (layer, key, number);
    }
  if (codes[0] != NULL)
    kb_pacing_layer_set_codes (layer, (const char *const *) codes);
  for (guint i = 0; i < kb_plan_value_get_length (routes); i++)
    read_route (kb_plan_value_get_item (routes, i), layer);
  return layer;
}

/**
 * kb_plan_pacing_read:
 * @plan: a plan
 *
 * Returns: (transfer full): what the row of camel states
 */
KbPacingLayer *
kb_plan_pacing_read (const KbGatewayPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);

  return read_layer (
      kb_plan_value_step (kb_plan_open_row (plan, CAMEL_ROW, CAMEL_MODULE), "defaults"));
}

static char *
describe_first_error (const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];

      if (problem->severity == KB_SEVERITY_ERROR)
        return g_strdup (problem->message);
    }
  return NULL;
}

static KbPacingLayer *
parse_object (const char *text, char **complaint)
{
  g_autoptr (GPtrArray) problems
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (KbYamlFile) file = kb_yaml_file_new ("x-koboshi-camel", KB_YAML_FILE_PATCH,
                                                  KB_ORIGIN_PROFILE, bytes, problems);
  const KbYamlNode *root = kb_yaml_file_get_root (file);

  kb_schema_check (&kb_lint_camel_schema.fields[0], file, root, NULL, KB_SEVERITY_ERROR);
  *complaint = describe_first_error (problems);
  return *complaint == NULL ? read_layer ((KbPlanValue) { file, root }) : NULL;
}

/**
 * kb_plan_pacing_parse:
 * @text: the value of the header `x-koboshi-camel`: the name of a preset, "off", or JSON as
 *   `/camel set` takes it
 * @complaint: (out): what is wrong with it
 *
 * Fails closed: a part that is wrong makes the whole wrong, as in camel.
 *
 * Returns: (transfer full) (nullable): what the request states for its session
 */
KbPacingLayer *
kb_plan_pacing_parse (const char *text, char **complaint)
{
  KbPacingLayer *layer;
  gsize end;

  g_return_val_if_fail (text != NULL && complaint != NULL, NULL);

  *complaint = NULL;
  layer = kb_pacing_layer_new_preset (text);
  if (layer != NULL)
    return layer;
  if (*text == '{' && kb_json_scan (text, strlen (text), 1000, &end) == KB_JSON_FINE
      && text[end] == '\0')
    return parse_object (text, complaint);
  *complaint = g_strdup ("x-koboshi-camel is none of recover, adaptive, bounded and off, nor JSON");
  return NULL;
}

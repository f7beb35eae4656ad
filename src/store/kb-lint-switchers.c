// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Plugins that answer the same failures, and providers that never fail: plugin facts 10.4. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"

typedef struct
{
  const char *id;
  KbLintValue place; /* what makes it switch */
  guint order;       /* of mounting; G_MAXUINT: not known */
} Switcher;

typedef struct
{
  Switcher list[3];
  guint length;
} Switchers;

/* Bundles come first, in the order of package.json; rows that are inserted follow. */
static guint
get_order (const KbLintScope *scope, const char *id, const char *package)
{
  guint count = 0;

  if (scope->bundles == NULL)
    return G_MAXUINT;
  for (; scope->bundles[count] != NULL; count++)
    if (kb_patch_is_package (scope->bundles[count], package))
      return count;
  for (guint i = 0; i < scope->rows->len; i++)
    {
      const KbPatchRow *row = scope->rows->pdata[i];

      if (row->inserted && g_strcmp0 (row->id, id) == 0)
        return count + i;
    }
  return G_MAXUINT;
}

static void
add (Switchers *self,
     const KbLintScope *scope,
     const char *id,
     const char *package,
     KbLintValue place)
{
  self->list[self->length++] = (Switcher) { id, place, get_order (scope, id, package) };
}

static gboolean
is_active (const KbLintPart *part)
{
  return part->mounted && !part->disabled && !part->uncertain;
}

static gboolean
has_items (KbLintValue value)
{
  const KbYamlNode *list = kb_lint_value_list (value);

  return list != NULL && kb_yaml_node_get_length (list) > 0;
}

static void
list_switchers (const KbLintScope *scope, Switchers *self)
{
  KbLintPart daruma = kb_lint_scope_open (scope, "dsh-daruma", "dsh-daruma", NULL);
  KbLintPart fallback = kb_lint_scope_open (scope, "llm-fallback", "dsh-llm-fallback", NULL);
  KbLintPart routes = kb_lint_scope_open (scope, "route-resilience", "dsh-route-resilience",
                                          "dsh-route-resilience");
  KbLintValue channels = kb_lint_part_get (&daruma, "channels");
  KbLintValue fallbacks = kb_lint_part_get (&fallback, "fallbacks");
  KbLintValue active = kb_lint_part_get (&routes, "activeGroup");

  if (is_active (&daruma) && has_items (channels))
    add (self, scope, "dsh-daruma", "dsh-daruma", channels);
  if (is_active (&fallback) && has_items (fallbacks))
    add (self, scope, "llm-fallback", "dsh-llm-fallback", fallbacks);
  if (is_active (&routes) && active.node != NULL
      && kb_yaml_file_get_string (active.file, active.node) != NULL)
    add (self, scope, "route-resilience", "dsh-route-resilience", active);
}

static void
report_both (const Switcher *first, const Switcher *second)
{
  const char *hint = _ ("Keep one of the two: remove the list of the other, or give its row "
                        "“disabled: true”.");

  if (first->order == G_MAXUINT || second->order == G_MAXUINT)
    kb_yaml_file_report (second->place.file, KB_SEVERITY_WARNING, "two-switchers",
                         second->place.node, hint,
                         _ ("“%s” and “%s” both answer failed requests; whichever is mounted first "
                            "does, the other sees only what it declines"),
                         first->id, second->id);
  else
    kb_yaml_file_report (
        second->place.file, KB_SEVERITY_WARNING, "two-switchers", second->place.node, hint,
        _ ("“%s” and “%s” both answer failed requests; the first of them is mounted "
           "earlier and wins, the other sees only what it declines"),
        first->id, second->id);
}

/* Requests go where the active group says; of failures it gets what the others leave. */
static void
report_group (const Switcher *other, const Switcher *group)
{
  kb_yaml_file_report (group->place.file, KB_SEVERITY_WARNING, "two-switchers", group->place.node,
                       _ ("Keep one of the two: remove “activeGroup”, or give the row of the other "
                          "“disabled: true”."),
                       _ ("the active group routes every request, and “%s” switches away from it: "
                          "“%s” answers failed requests first, the group only what is left"),
                       other->id, other->id);
}

static void
lint_pairs (const Switchers *self)
{
  for (guint i = 0; i < self->length; i++)
    for (guint j = i + 1; j < self->length; j++)
      {
        const Switcher *first = &self->list[i];
        const Switcher *second = &self->list[j];

        if (g_str_equal (second->id, "route-resilience"))
          report_group (first, second);
        else if (second->order < first->order)
          report_both (second, first);
        else
          report_both (first, second);
      }
}

static void
lint_policy (KbLintValue policy, const char *switcher)
{
  const KbYamlNode *mode = NULL;

  if (policy.node != NULL)
    mode = kb_yaml_file_lookup (policy.file, policy.node, "mode");
  if (mode == NULL || g_strcmp0 (kb_yaml_file_get_string (policy.file, mode), "always") != 0)
    return;
  kb_yaml_file_report (
      policy.file, KB_SEVERITY_WARNING, "hidden-failures", mode,
      _ ("Write “mode: normal”: after its retries the failure reaches the plugin."),
      _ ("this provider is retried for ever, so a failure that “%s” does not switch on, such as a "
         "refused key, never comes to light and the request never ends"),
      switcher);
}

static KbLintValue
get_key (KbLintValue value, const char *key)
{
  KbLintPart part = { .row = value };

  return kb_lint_part_get (&part, key);
}

static void
lint_policies (KbLintValue providers, const char *switcher)
{
  const KbYamlNode *map = providers.node != NULL
                              ? kb_yaml_document_resolve (providers.file->document, providers.node)
                              : NULL;

  if (map == NULL || kb_yaml_node_get_kind (map) != KB_YAML_MAPPING)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      KbLintValue provider = { providers.file, kb_yaml_node_get_value (map, i) };

      lint_policy (get_key (provider, "retryPolicy"), switcher);
    }
}

static void
lint_hidden (const KbLintScope *scope, const char *switcher)
{
  KbLintPart routes = kb_lint_scope_open (scope, "llm-pi-ai", NULL, "llm-pi-ai");
  KbLintPart built_in = kb_lint_scope_open (scope, "llm-deepseek", NULL, "llm-deepseek");
  KbLintPart pool = kb_lint_scope_open (scope, "llm-pool", "dsh-llm-pool", NULL);

  lint_policies (get_key (routes.settings, "providers"), switcher);
  lint_policies (get_key (routes.row, "providers"), switcher);
  lint_policy (kb_lint_part_get (&built_in, "retryPolicy"), switcher);
  if (is_active (&pool))
    lint_policy (kb_lint_part_get (&pool, "retryPolicy"), switcher);
}

/**
 * kb_lint_switchers:
 * @scope: what is looked at
 *
 * Finds plugins that get in each other's way, and providers whose failures reach none.
 */
void
kb_lint_switchers (const KbLintScope *scope)
{
  Switchers switchers = { 0 };

  g_return_if_fail (scope != NULL);

  list_switchers (scope, &switchers);
  lint_pairs (&switchers);
  if (switchers.length > 0)
    lint_hidden (scope, switchers.list[0].id);
}

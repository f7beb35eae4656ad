// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-route-private.h"

/* The groups and pools of a table. */

static gboolean
has_target (const KbGroup *group, const KbRouteChannel *channel)
{
  for (guint i = 0; i < group->targets->len; i++)
    if (kb_group_get_target (group, i)->channel == channel)
      return TRUE;
  return FALSE;
}

static void
add_target (KbRouteTable *self, KbGroup *group, const KbGroupTargetSpec *spec)
{
  KbGroupTarget target = { .channel = kb_route_table_find_channel (self, spec->channel) };

  if (target.channel == NULL || has_target (group, target.channel))
    return;
  target.effort_map = g_strdupv ((char **) spec->effort_map);
  g_array_append_val (group->targets, target);
}

/**
 * kb_route_table_add_group:
 * @self: a table that is being filled
 * @spec: the group; copied
 *
 * Adds a group. A group whose name is taken, or none of whose targets is listed, is left out.
 *
 * Returns: whether it was added
 */
gboolean
kb_route_table_add_group (KbRouteTable *self, const KbGroupSpec *spec)
{
  KbGroup *group;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (spec != NULL && spec->id != NULL && spec->policy != NULL, FALSE);

  if (kb_route_table_find_group (self, spec->id) != NULL)
    return FALSE;
  group = g_new0 (KbGroup, 1);
  group->id = g_strdup (spec->id);
  group->pool = g_strdup (spec->pool);
  group->title = g_strdup (spec->title);
  group->strategy = spec->strategy;
  group->filters = spec->filters;
  group->context_window = spec->context_window;
  group->max_output = spec->max_output;
  group->policy = kb_policy_copy (spec->policy);
  group->targets = g_array_new (FALSE, FALSE, sizeof (KbGroupTarget));
  for (guint i = 0; i < spec->n_targets; i++)
    add_target (self, group, &spec->targets[i]);
  if (group->targets->len == 0)
    {
      kb_group_free (group);
      return FALSE;
    }
  g_ptr_array_add (self->groups, group);
  return TRUE;
}

/**
 * kb_route_table_set_active_group:
 * @self: a table that is being filled
 * @id: (nullable): a group; an unknown one is none
 *
 * Sets what serves `auto` where there is no chain.
 */
void
kb_route_table_set_active_group (KbRouteTable *self, const char *id)
{
  g_return_if_fail (self != NULL);
  self->active_group = id != NULL ? kb_route_table_find_group (self, id) : NULL;
}

/**
 * kb_route_table_get_active_group:
 * @self: a table
 *
 * Returns: (transfer none) (nullable): the id of the group that is the active one
 */
const char *
kb_route_table_get_active_group (KbRouteTable *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->active_group != NULL ? self->active_group->id : NULL;
}

/**
 * kb_route_table_get_n_groups:
 * @self: a table
 *
 * Returns: how many groups it has
 */
guint
kb_route_table_get_n_groups (KbRouteTable *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->groups->len;
}

/**
 * kb_route_table_get_group:
 * @self: a table
 * @index: below kb_route_table_get_n_groups()
 *
 * Returns: (transfer none): that group
 */
const KbGroup *
kb_route_table_get_group (KbRouteTable *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->groups->len, NULL);
  return self->groups->pdata[index];
}

/**
 * kb_route_table_find_group:
 * @self: a table
 * @id: an id
 *
 * Returns: (transfer none) (nullable): the group with exactly this id
 */
const KbGroup *
kb_route_table_find_group (KbRouteTable *self, const char *id)
{
  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  for (guint i = 0; i < self->groups->len; i++)
    {
      const KbGroup *group = self->groups->pdata[i];

      if (g_str_equal (group->id, id))
        return group;
    }
  return NULL;
}

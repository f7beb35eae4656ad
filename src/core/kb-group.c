// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-group.h"

static gint64
least_of (gint64 known, gint64 other)
{
  if (known == 0 || other == 0)
    return MAX (known, other);
  return MIN (known, other);
}

/* Whether the channel takes the group's word; a channel that states no words takes any. */
static gboolean
takes_effort (const KbGroupTarget *target, const char *effort)
{
  const char *const *efforts = target->channel->spec.efforts;

  return efforts == NULL || g_strv_contains (efforts, kb_group_target_map_effort (target, effort));
}

static gboolean
all_take_effort (const GPtrArray *targets, const char *effort)
{
  for (guint i = 0; i < targets->len; i++)
    if (!takes_effort (targets->pdata[i], effort))
      return FALSE;
  return TRUE;
}

static void
add_effort (const GPtrArray *targets, GPtrArray *efforts, const char *effort)
{
  if (!g_ptr_array_find_with_equal_func (efforts, effort, g_str_equal, NULL)
      && all_take_effort (targets, effort))
    g_ptr_array_add (efforts, g_strdup (effort));
}

/* The words of the channels themselves in their order, then those that only the map has. */
static GStrv
merge_efforts (const GPtrArray *targets)
{
  g_autoptr (GPtrArray) efforts = g_ptr_array_new ();

  for (guint i = 0; i < targets->len; i++)
    {
      const KbGroupTarget *target = targets->pdata[i];

      for (guint k = 0;
           target->channel->spec.efforts != NULL && target->channel->spec.efforts[k] != NULL; k++)
        add_effort (targets, efforts, target->channel->spec.efforts[k]);
    }
  for (guint i = 0; i < targets->len; i++)
    {
      const KbGroupTarget *target = targets->pdata[i];

      for (guint k = 0; target->effort_map != NULL && target->effort_map[k] != NULL; k += 2)
        add_effort (targets, efforts, target->effort_map[k]);
    }
  g_ptr_array_add (efforts, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&efforts), FALSE);
}

/**
 * kb_group_get_target:
 * @self: a group
 * @index: below the number of its targets
 *
 * Returns: (transfer none): that target
 */
const KbGroupTarget *
kb_group_get_target (const KbGroup *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->targets->len, NULL);
  return &g_array_index (self->targets, KbGroupTarget, index);
}

/**
 * kb_group_target_map_effort:
 * @self: a target
 * @effort: a reasoning effort as the group calls it
 *
 * Returns: (transfer none): what the channel calls it
 */
const char *
kb_group_target_map_effort (const KbGroupTarget *self, const char *effort)
{
  g_return_val_if_fail (self != NULL && effort != NULL, effort);

  for (guint i = 0; self->effort_map != NULL && self->effort_map[i] != NULL; i += 2)
    if (g_str_equal (self->effort_map[i], effort))
      return self->effort_map[i + 1];
  return effort;
}

/**
 * kb_group_names_model:
 * @self: a group
 * @model: the name of a model
 *
 * Returns: whether one of its targets is of that model
 */
gboolean
kb_group_names_model (const KbGroup *self, const char *model)
{
  g_return_val_if_fail (self != NULL && model != NULL, FALSE);

  for (guint i = 0; i < self->targets->len; i++)
    if (g_str_equal (kb_group_get_target (self, i)->channel->ref->model, model))
      return TRUE;
  return FALSE;
}

/**
 * kb_group_merge:
 * @self: a group
 * @counts: (nullable) (scope call): whether a channel is available; %NULL = all are
 * @user_data: for @counts
 * @abilities: (out): to be cleared
 *
 * Merges what its members can do: the least of windows and outputs, unless the whole states
 * its own; the efforts all of them take, under the words of the map, too; images where one of
 * them takes some, since the others are passed over then.
 */
void
kb_group_merge (const KbGroup *self,
                KbGroupFilter counts,
                gpointer user_data,
                KbGroupAbilities *abilities)
{
  g_autoptr (GPtrArray) targets = g_ptr_array_new ();

  g_return_if_fail (self != NULL && abilities != NULL);

  *abilities = (KbGroupAbilities) { 0 };
  for (guint i = 0; i < self->targets->len; i++)
    {
      const KbGroupTarget *target = kb_group_get_target (self, i);
      const KbChannelSpec *spec = &target->channel->spec;

      if (counts != NULL && !counts (target->channel, user_data))
        continue;
      g_ptr_array_add (targets, (gpointer) target);
      abilities->context_window = least_of (abilities->context_window, spec->context_window);
      abilities->max_output = least_of (abilities->max_output, spec->max_output);
      abilities->takes_images |= spec->images == KB_ABILITY_YES;
    }
  if (self->context_window > 0)
    abilities->context_window = self->context_window;
  if (self->max_output > 0)
    abilities->max_output = self->max_output;
  abilities->efforts = merge_efforts (targets);
}

/**
 * kb_group_abilities_clear:
 * @self: abilities
 *
 * Frees what they hold.
 */
void
kb_group_abilities_clear (KbGroupAbilities *self)
{
  g_clear_pointer (&self->efforts, g_strfreev);
}

/**
 * kb_group_free:
 * @self: (transfer full) (nullable): a group
 *
 * Frees it.
 */
void
kb_group_free (KbGroup *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->targets->len; i++)
    g_strfreev (g_array_index (self->targets, KbGroupTarget, i).effort_map);
  g_array_unref (self->targets);
  kb_policy_free (self->policy);
  g_free (self->id);
  g_free (self->pool);
  g_free (self->title);
  g_free (self);
}

/**
 * kb_strategy_to_string:
 * @strategy: a strategy
 *
 * Returns: (transfer none): its name in the configuration of a pool
 */
const char *
kb_strategy_to_string (KbStrategy strategy)
{
  switch (strategy)
    {
    case KB_STRATEGY_STICKY:
      return "sticky";
    case KB_STRATEGY_ROUND_ROBIN:
      return "round-robin";
    case KB_STRATEGY_FAILOVER:
    default:
      return "failover";
    }
}

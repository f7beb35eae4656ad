// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-chain-changes.h"

#include <glib/gi18n-lib.h>

#include "client/kb-chain-edit.h"
#include "store/kb-config-switch.h"

#define CHAIN "dsh-daruma"
#define BACKUP "daruma.backup"

/* What a step needs to know. */
typedef struct
{
  KbChannelRef *channel; /* owned */
  KbChannelRef *other;   /* owned, nullable */
  int delta;
  gboolean after;
} Plan;

static Plan *
plan_new (const KbChannelRef *channel)
{
  Plan *plan = g_new0 (Plan, 1);

  plan->channel = kb_channel_ref_copy (channel);
  return plan;
}

static void
plan_free (gpointer data)
{
  Plan *plan = data;

  kb_channel_ref_free (plan->channel);
  kb_channel_ref_free (plan->other);
  g_free (plan);
}

/* The model says enough to a person; two providers may offer the same. */
static const char *
get_name (const KbChannelRef *channel)
{
  return *channel->model != '\0' ? channel->model : channel->provider;
}

static KbChanges *
start (char *description, KbChangeStep step, Plan *plan)
{
  KbChanges *changes = kb_changes_new (description, NULL);

  kb_changes_add_step (changes, step, plan, plan_free);
  g_free (description);
  return changes;
}

static gboolean
add_step (KbEdit *edit, gpointer data, GError **error)
{
  const Plan *plan = data;
  g_autoptr (KbChainEdit) chain = kb_chain_edit_new (edit, CHAIN, error);

  return chain != NULL
         && kb_chain_edit_add (chain, plan->channel, kb_chain_edit_get_items (chain)->len, error);
}

static gboolean
remove_step (KbEdit *edit, gpointer data, GError **error)
{
  const Plan *plan = data;
  g_autoptr (KbChainEdit) chain = kb_chain_edit_new (edit, CHAIN, error);
  guint index;

  return chain != NULL && kb_chain_edit_find (chain, plan->channel->id, &index, error)
         && kb_chain_edit_remove (chain, index, error);
}

/* Entries that are neither channels nor expressions are not on the page: a move goes past
 * them. */
static gboolean
is_shown (const GPtrArray *items, guint index)
{
  const KbChannelRef *item = items->pdata[index];

  return *item->model != '\0' || g_str_has_prefix (item->provider, "!!js");
}

static guint
find_target (const GPtrArray *items, guint index, int delta)
{
  guint target = index;
  int direction = delta < 0 ? -1 : 1;

  for (guint i = index; delta != 0; delta -= direction)
    {
      do
        {
          if ((direction < 0 && i == 0) || (direction > 0 && i + 1 >= items->len))
            return target;
          i = direction < 0 ? i - 1 : i + 1;
        }
      while (!is_shown (items, i));
      target = i;
    }
  return target;
}

static gboolean
move_by_step (KbEdit *edit, gpointer data, GError **error)
{
  const Plan *plan = data;
  g_autoptr (KbChainEdit) chain = kb_chain_edit_new (edit, CHAIN, error);
  guint index;

  if (chain == NULL || !kb_chain_edit_find (chain, plan->channel->id, &index, error))
    return FALSE;
  return kb_chain_edit_move (
      chain, index, find_target (kb_chain_edit_get_items (chain), index, plan->delta), error);
}

static gboolean
move_to_top_step (KbEdit *edit, gpointer data, GError **error)
{
  const Plan *plan = data;
  g_autoptr (KbChainEdit) chain = kb_chain_edit_new (edit, CHAIN, error);
  guint index;

  return chain != NULL && kb_chain_edit_find (chain, plan->channel->id, &index, error)
         && kb_chain_edit_move (chain, index, 0, error);
}

static gboolean
move_beside_step (KbEdit *edit, gpointer data, GError **error)
{
  const Plan *plan = data;
  g_autoptr (KbChainEdit) chain = kb_chain_edit_new (edit, CHAIN, error);
  guint index, other, target;

  if (chain == NULL || !kb_chain_edit_find (chain, plan->channel->id, &index, error)
      || !kb_chain_edit_find (chain, plan->other->id, &other, error))
    return FALSE;
  target = other + (plan->after ? 1 : 0);
  if (index < target)
    target--; /* what is behind moves up first */
  return kb_chain_edit_move (chain, index, target, error);
}

/**
 * kb_chain_changes_add:
 * @channel: a channel
 *
 * Returns: (transfer full): the changes that put it at the end of the chain
 */
KbChanges *
kb_chain_changes_add (const KbChannelRef *channel)
{
  g_return_val_if_fail (channel != NULL, NULL);
  /* Translators: %s is a model */
  return start (g_strdup_printf (_ ("Added %s"), get_name (channel)), add_step, plan_new (channel));
}

/**
 * kb_chain_changes_remove:
 * @channel: a channel of the chain
 *
 * Returns: (transfer full): the changes that take it out
 */
KbChanges *
kb_chain_changes_remove (const KbChannelRef *channel)
{
  g_return_val_if_fail (channel != NULL, NULL);
  /* Translators: %s is a model */
  return start (g_strdup_printf (_ ("Removed %s"), get_name (channel)), remove_step,
                plan_new (channel));
}

/**
 * kb_chain_changes_move_by:
 * @channel: a channel of the chain
 * @delta: how many channels down, negative: up
 *
 * Returns: (transfer full): the changes that move it; at an end they change nothing
 */
KbChanges *
kb_chain_changes_move_by (const KbChannelRef *channel, int delta)
{
  Plan *plan;

  g_return_val_if_fail (channel != NULL && delta != 0, NULL);

  plan = plan_new (channel);
  plan->delta = delta;
  /* Translators: %s is a model */
  return start (
      g_strdup_printf (delta < 0 ? _ ("Moved %s up") : _ ("Moved %s down"), get_name (channel)),
      move_by_step, plan);
}

/**
 * kb_chain_changes_move_to_top:
 * @channel: a channel of the chain
 *
 * Returns: (transfer full): the changes that make it the head
 */
KbChanges *
kb_chain_changes_move_to_top (const KbChannelRef *channel)
{
  g_return_val_if_fail (channel != NULL, NULL);
  /* Translators: %s is a model */
  return start (g_strdup_printf (_ ("Moved %s to the top"), get_name (channel)), move_to_top_step,
                plan_new (channel));
}

/**
 * kb_chain_changes_move_beside:
 * @channel: a channel of the chain
 * @other: another one
 * @after: whether it is to stand behind it rather than in front
 *
 * Returns: (transfer full): the changes that move it there
 */
KbChanges *
kb_chain_changes_move_beside (const KbChannelRef *channel,
                              const KbChannelRef *other,
                              gboolean after)
{
  Plan *plan;

  g_return_val_if_fail (channel != NULL && other != NULL, NULL);

  plan = plan_new (channel);
  plan->other = kb_channel_ref_copy (other);
  plan->after = after;
  /* Translators: %s is a model */
  return start (g_strdup_printf (_ ("Moved %s"), get_name (channel)), move_beside_step, plan);
}

/**
 * kb_chain_changes_set_backup:
 * @channel: a channel
 *
 * Returns: (transfer full): the changes that make it the backup
 */
KbChanges *
kb_chain_changes_set_backup (const KbChannelRef *channel)
{
  KbYamlTree *value = kb_yaml_tree_new_mapping ();
  g_autofree char *description = NULL;
  KbChanges *changes;

  g_return_val_if_fail (channel != NULL, NULL);

  kb_yaml_tree_put (value, "provider", kb_yaml_tree_new_string (channel->provider));
  kb_yaml_tree_put (value, "model", kb_yaml_tree_new_string (channel->model));
  description = g_strdup_printf (_ ("Made %s the backup"), get_name (channel));
  changes = kb_changes_new (description, NULL);
  kb_changes_set (changes, BACKUP, value);
  return changes;
}

/**
 * kb_chain_changes_clear_backup:
 *
 * Returns: (transfer full): the changes after which there is no backup
 */
KbChanges *
kb_chain_changes_clear_backup (void)
{
  KbChanges *changes = kb_changes_new (_ ("Cleared the backup"), NULL);

  kb_changes_unset (changes, BACKUP);
  return changes;
}

/* A row and the groups around it: each may say so. */
#define MAX_SWITCHES 16

static gboolean
switch_on_step (KbEdit *edit, gpointer data, GError **error)
{
  g_autoptr (KbYamlPath) path = kb_config_switch_make_path (CHAIN);
  g_autoptr (KbYamlTree) off = kb_yaml_tree_new_boolean (FALSE);

  for (guint i = 0; i < MAX_SWITCHES && kb_config_switch_is_off (kb_edit_get_config (edit), CHAIN);
       i++)
    if (!kb_edit_set (edit, path, off, error))
      return FALSE;
  return TRUE;
}

/**
 * kb_chain_changes_switch_on:
 *
 * Returns: (transfer full): lets a chain count whose row, or a group around it, is switched off
 */
KbChanges *
kb_chain_changes_switch_on (void)
{
  KbChanges *changes = kb_changes_new (_ ("Switched the failover chain on"), NULL);

  kb_changes_add_step (changes, switch_on_step, NULL, NULL);
  return changes;
}

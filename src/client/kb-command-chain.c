// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-text.h"
#include "core/kb-channel-ref.h"
#include "store/kb-profile.h"

/* An ordered list that a person names with --of. */
typedef struct
{
  KbInvocation *invocation;
  KbEdit *edit;
  KbYamlPath *path;  /* owned */
  gboolean members;  /* names of providers instead of channels */
  GPtrArray *items;  /* owned: KbChannelRef in order */
  const char *owner; /* borrowed: what --of says */
} Chain;

static void
chain_clear (Chain *self)
{
  kb_yaml_path_free (self->path);
  g_clear_pointer (&self->items, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chain, chain_clear)

static const char *
get_text (const KbYamlTree *tree, const char *key)
{
  int index
      = tree != NULL && tree->kind == KB_YAML_MAPPING ? kb_yaml_tree_find_key (tree, key) : -1;
  const KbYamlTree *value = index >= 0 ? tree->children->pdata[2 * index + 1] : NULL;

  return value != NULL && value->kind == KB_YAML_SCALAR && value->text != NULL ? value->text : NULL;
}

/* An entry that is no channel keeps its place in the count. */
static KbChannelRef *
read_item (const KbYamlTree *tree)
{
  g_autofree char *written = tree->kind == KB_YAML_SCALAR ? kb_command_tree_to_text (tree) : NULL;
  gboolean plain = tree->kind == KB_YAML_SCALAR && tree->type == KB_YAML_TYPE_STRING;
  const char *provider = plain ? tree->text : get_text (tree, "provider");
  const char *model = get_text (tree, "model");

  if (written != NULL && !plain)
    provider = written;
  return kb_channel_ref_new (provider != NULL ? provider : "?", model != NULL ? model : "");
}

static gboolean
read_items (Chain *self, GError **error)
{
  g_autoptr (KbYamlTree) list
      = kb_config_path_get (kb_edit_get_config (self->edit), self->path, error);

  if (list == NULL && *error != NULL)
    return FALSE;
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  for (guint i = 0; list != NULL && list->kind == KB_YAML_SEQUENCE && i < list->children->len; i++)
    g_ptr_array_add (self->items, read_item (list->children->pdata[i]));
  return TRUE;
}

static KbYamlTree *
get_tree (Chain *self, const char *system, const char *key)
{
  g_autoptr (KbYamlPath) path = kb_command_path (system, key, NULL);

  return kb_config_path_get (kb_edit_get_config (self->edit), path, NULL);
}

static KbYamlPath *
find_group (Chain *self, const char *id)
{
  g_autoptr (KbYamlTree) groups = get_tree (self, "dsh-route-resilience", "groups");

  for (guint i = 0; groups != NULL && groups->kind == KB_YAML_SEQUENCE && i < groups->children->len;
       i++)
    {
      KbYamlPath *path;

      if (g_strcmp0 (get_text (groups->children->pdata[i], "id"), id) != 0)
        continue;
      path = kb_command_path ("dsh-route-resilience", "groups", NULL);
      kb_yaml_path_add_index (path, i);
      kb_yaml_path_add_key (path, "targets");
      return path;
    }
  return NULL;
}

static KbYamlPath *
find_pool (Chain *self, const char *id)
{
  g_autoptr (KbYamlTree) pools = get_tree (self, "llm-pool", "providers");

  if (pools == NULL || kb_yaml_tree_find_key (pools, id) < 0)
    return NULL;
  return kb_command_path ("llm-pool", "providers", id, "members", NULL);
}

static KbExit
refuse_owner (Chain *self, gboolean twice)
{
  g_autofree char *word = kb_text_make_printable (self->owner);

  if (twice)
    kb_invocation_complain (self->invocation,
                            _ ("“%s” is both a group and a pool; use “set” and “unset” with its "
                               "path"),
                            word);
  else
    kb_invocation_complain (self->invocation,
                            _ ("“%s” is neither dsh-daruma nor llm-fallback, and there is no group "
                               "and no pool of that name"),
                            word);
  return KB_EXIT_USAGE;
}

static KbExit
find_chain (Chain *self)
{
  g_autoptr (KbYamlPath) group = NULL;
  g_autoptr (KbYamlPath) pool = NULL;

  if (self->owner == NULL)
    self->owner = "dsh-daruma";
  if (g_str_equal (self->owner, "dsh-daruma") || g_str_equal (self->owner, "daruma"))
    {
      self->path = kb_command_path ("dsh-daruma", "channels", NULL);
      return KB_EXIT_DONE;
    }
  if (g_str_equal (self->owner, "llm-fallback"))
    {
      self->path = kb_command_path ("llm-fallback", "fallbacks", NULL);
      return KB_EXIT_DONE;
    }
  group = find_group (self, self->owner);
  pool = find_pool (self, self->owner);
  if ((group != NULL) == (pool != NULL))
    return refuse_owner (self, group != NULL);
  self->members = pool != NULL;
  self->path = pool != NULL ? g_steal_pointer (&pool) : g_steal_pointer (&group);
  return KB_EXIT_DONE;
}

static char *
make_json (Chain *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "of");
  json_builder_add_string_value (builder, self->owner);
  json_builder_set_member_name (builder, "channels");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->items->len; i++)
    {
      const KbChannelRef *item = self->items->pdata[i];

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "position");
      json_builder_add_int_value (builder, i + 1);
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, item->id);
      json_builder_set_member_name (builder, "provider");
      json_builder_add_string_value (builder, item->provider);
      json_builder_set_member_name (builder, "model");
      json_builder_add_string_value (builder, item->model);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static KbExit
list_chain (Chain *self)
{
  if (self->invocation->globals.json)
    {
      g_autofree char *json = make_json (self);

      return kb_invocation_print_line (self->invocation, json) ? KB_EXIT_DONE : KB_EXIT_FAILED;
    }
  for (guint i = 0; i < self->items->len; i++)
    {
      const KbChannelRef *item = self->items->pdata[i];
      g_autofree char *id = kb_text_make_printable (item->id);
      g_autofree char *line = g_strdup_printf ("%u  %s", i + 1, id);

      if (!kb_invocation_print_line (self->invocation, line))
        return KB_EXIT_FAILED;
    }
  return KB_EXIT_DONE;
}

static int
find_item (Chain *self, const char *word)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const KbChannelRef *item = self->items->pdata[i];

      if (g_str_equal (item->id, word))
        return (int) i;
    }
  return -1;
}

static KbExit
refuse_missing (Chain *self, const char *word)
{
  g_autofree char *shown = kb_text_make_printable (word);

  kb_invocation_complain (self->invocation,
                          _ ("“%s” is not in the list; see “koboshictl chain "
                             "list”"),
                          shown);
  return KB_EXIT_REFUSED;
}

/* A position as a person counts: from 1 to @most. */
static gboolean
read_position (Chain *self, const char *text, guint most, guint *position)
{
  guint64 value;

  if (text != NULL && most > 0 && g_ascii_string_to_unsigned (text, 10, 1, most, &value, NULL))
    {
      *position = (guint) value - 1;
      return TRUE;
    }
  kb_invocation_complain (self->invocation, _ ("a position is a number from 1 to %u"),
                          MAX (most, 1));
  return FALSE;
}

static KbYamlPath *
get_item_path (Chain *self, guint index)
{
  KbYamlPath *path = kb_yaml_path_copy (self->path);

  kb_yaml_path_add_index (path, index);
  return path;
}

static KbYamlTree *
make_item (Chain *self, const KbChannelRef *channel)
{
  KbYamlTree *item;

  if (self->members)
    return kb_yaml_tree_new_string (channel->provider);
  item = kb_yaml_tree_new_mapping ();
  kb_yaml_tree_put (item, "provider", kb_yaml_tree_new_string (channel->provider));
  kb_yaml_tree_put (item, "model", kb_yaml_tree_new_string (channel->model));
  return item;
}

static KbChannelRef *
read_channel (Chain *self, const char *word)
{
  g_autoptr (KbChannelRef) channel = NULL;

  if (self->members)
    return *word != '\0' ? kb_channel_ref_new (word, "") : NULL;
  channel = kb_command_read_channel (self->invocation, self->edit, word);
  return g_steal_pointer (&channel);
}

static KbExit
add_channel (Chain *self, const char *word)
{
  g_autoptr (KbChannelRef) channel = read_channel (self, word);
  g_autoptr (KbYamlTree) item = NULL;
  g_autoptr (KbYamlPath) path = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;
  const char *at = kb_invocation_get (self->invocation, "at");
  guint position = self->items->len;
  int there;

  if (channel == NULL)
    return KB_EXIT_USAGE;
  if (at != NULL && !read_position (self, at, self->items->len + 1, &position))
    return KB_EXIT_USAGE;
  there = find_item (self, channel->id);
  if (there >= 0)
    {
      kb_invocation_complain (self->invocation, _ ("%s is in the list already, at position %d"),
                              channel->id, there + 1);
      return KB_EXIT_REFUSED;
    }
  item = make_item (self, channel);
  path = get_item_path (self, position);
  if (!kb_edit_insert (self->edit, path, item, &error))
    return kb_command_fail (self->invocation, error);
  /* Translators: a channel, the list it is in, a position */
  did = g_strdup_printf (_ ("Added %s to %s at position %u"), channel->id, self->owner,
                         position + 1);
  return kb_command_finish_edit (self->invocation, self->edit, did);
}

static KbExit
remove_channel (Chain *self, const char *word)
{
  int index = find_item (self, word);
  g_autoptr (KbYamlPath) path = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;

  if (index < 0)
    return refuse_missing (self, word);
  path = get_item_path (self, (guint) index);
  if (!kb_edit_unset (self->edit, path, &error))
    return kb_command_fail (self->invocation, error);
  /* Translators: a channel, the list it was in, its position */
  did = g_strdup_printf (_ ("Removed %s from %s (it was at position %d)"), word, self->owner,
                         index + 1);
  return kb_command_finish_edit (self->invocation, self->edit, did);
}

static KbExit
move_channel (Chain *self, const char *word, const char *to)
{
  int index = find_item (self, word);
  g_autoptr (KbYamlPath) path = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;
  guint position;

  if (index < 0)
    return refuse_missing (self, word);
  if (!read_position (self, to, self->items->len, &position))
    return KB_EXIT_USAGE;
  path = get_item_path (self, (guint) index);
  if (!kb_edit_move (self->edit, path, position, &error))
    return kb_command_fail (self->invocation, error);
  /* Translators: a channel, two positions, the list it is in */
  did = g_strdup_printf (_ ("Moved %s from position %d to %u of %s"), word, index + 1, position + 1,
                         self->owner);
  return kb_command_finish_edit (self->invocation, self->edit, did);
}

static KbExit
run (Chain *self)
{
  char **words = self->invocation->arguments;
  guint n_words = g_strv_length (words);
  const char *verb = n_words > 0 ? words[0] : "list";

  if (kb_invocation_has (self->invocation, "at") && !g_str_equal (verb, "add"))
    return kb_command_refuse_words (self->invocation);
  if (g_str_equal (verb, "list") && n_words <= 1)
    return list_chain (self);
  if (g_str_equal (verb, "add") && n_words == 2)
    return add_channel (self, words[1]);
  if (g_str_equal (verb, "remove") && n_words == 2)
    return remove_channel (self, words[1]);
  if (g_str_equal (verb, "move") && n_words == 3)
    return move_channel (self, words[1], words[2]);
  return kb_command_refuse_words (self->invocation);
}

/**
 * kb_command_chain:
 * @invocation: the verb `chain`
 *
 * Prints or changes an ordered list: daruma's chain, the fallbacks, a group, a pool.
 *
 * Returns: the exit status
 */
KbExit
kb_command_chain (KbInvocation *invocation)
{
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Chain) self = { .invocation = invocation };
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  edit = kb_command_open_edit (invocation, &result);
  if (edit == NULL)
    return result;
  self.edit = edit;
  self.owner = kb_invocation_get (invocation, "of");
  result = find_chain (&self);
  if (result != KB_EXIT_DONE)
    return result;
  if (!read_items (&self, &error))
    return kb_command_fail (invocation, error);
  return run (&self);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-chain-edit.h"
#include "client/kb-command-edit.h"
#include "client/kb-text.h"

/* An ordered list that a person names with --of. */
typedef struct
{
  KbInvocation *invocation;
  KbEdit *edit;
  KbChainEdit *list;      /* owned */
  const char *owner;      /* borrowed: what --of says */
  const GPtrArray *items; /* borrowed: KbChannelRef in order */
} Chain;

static void
chain_clear (Chain *self)
{
  kb_chain_edit_free (self->list);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chain, chain_clear)

static char *
make_json (const KbChainEdit *chain)
{
  const GPtrArray *items = kb_chain_edit_get_items (chain);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "of");
  json_builder_add_string_value (builder, kb_chain_edit_get_owner (chain));
  json_builder_set_member_name (builder, "channels");
  json_builder_begin_array (builder);
  for (guint i = 0; i < items->len; i++)
    {
      const KbChannelRef *item = items->pdata[i];

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
      g_autofree char *json = make_json (self->list);

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

static KbChannelRef *
read_channel (Chain *self, const char *word)
{
  if (kb_chain_edit_takes_members (self->list))
    return *word != '\0' ? kb_channel_ref_new (word, "") : NULL;
  return kb_command_read_channel (self->invocation, self->edit, word);
}

static KbExit
add_channel (Chain *self, const char *word)
{
  g_autoptr (KbChannelRef) channel = read_channel (self, word);
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;
  const char *at = kb_invocation_get (self->invocation, "at");
  guint position = self->items->len;

  if (channel == NULL)
    return KB_EXIT_USAGE;
  if (at != NULL && !read_position (self, at, self->items->len + 1, &position))
    return KB_EXIT_USAGE;
  if (!kb_chain_edit_add (self->list, channel, position, &error))
    return kb_command_fail (self->invocation, error);
  /* Translators: a channel, the list it is in, a position */
  did = g_strdup_printf (_ ("Added %s to %s at position %u"), channel->id, self->owner,
                         position + 1);
  return kb_command_finish_edit (self->invocation, self->edit, did);
}

static KbExit
remove_channel (Chain *self, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;
  guint index;

  if (!kb_chain_edit_find (self->list, word, &index, NULL))
    return refuse_missing (self, word);
  if (!kb_chain_edit_remove (self->list, index, &error))
    return kb_command_fail (self->invocation, error);
  /* Translators: a channel, the list it was in, its position */
  did = g_strdup_printf (_ ("Removed %s from %s (it was at position %d)"), word, self->owner,
                         (int) index + 1);
  return kb_command_finish_edit (self->invocation, self->edit, did);
}

static KbExit
move_channel (Chain *self, const char *word, const char *to)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;
  guint index;
  guint position;

  if (!kb_chain_edit_find (self->list, word, &index, NULL))
    return refuse_missing (self, word);
  if (!read_position (self, to, self->items->len, &position))
    return KB_EXIT_USAGE;
  if (!kb_chain_edit_move (self->list, index, position, &error))
    return kb_command_fail (self->invocation, error);
  /* Translators: a channel, two positions, the list it is in */
  did = g_strdup_printf (_ ("Moved %s from position %d to %u of %s"), word, (int) index + 1,
                         position + 1, self->owner);
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
  if (self.owner == NULL)
    self.owner = "dsh-daruma";
  self.list = kb_chain_edit_new (edit, self.owner, &error);
  if (self.list == NULL)
    return kb_command_fail (invocation, error);
  self.items = kb_chain_edit_get_items (self.list);
  return run (&self);
}

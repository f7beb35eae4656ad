// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What becomes of the items of a list: moved, removed, renamed. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/kb-ask.h"
#include "app/kb-list-group-private.h"

static char *
get_item_path (KbListGroup *self, guint index)
{
  if (self->field->kind == KB_FIELD_ENTRIES || self->field->kind == KB_FIELD_PAIRS)
    return kb_form_path_add (self->path, _kb_list_group_get_item (self, index)->name);
  return kb_form_path_add_index (self->path, index);
}

static const char *
get_title (KbListGroup *self, guint index)
{
  const KbFieldItem *item = _kb_list_group_get_item (self, index);

  return item->model != NULL ? item->model : item->name;
}

/* What no file of ours holds as a list cannot be changed in part: the whole is written. */
static void
write_whole (KbListGroup *self, KbChanges *changes, const guint *order, guint length)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  g_autofree char *value = NULL;

  for (guint i = 0; i < length; i++)
    g_ptr_array_add (parts, g_strdup (_kb_list_group_get_item (self, order[i])->value));
  g_ptr_array_add (parts, NULL);
  joined = g_strjoinv (", ", (char **) parts->pdata);
  value = g_strdup_printf ("[%s]", joined);
  kb_form_change (kb_form_model_get_form (self->model), changes, self->path, value);
}

static gboolean
is_whole (KbListGroup *self)
{
  gboolean is_list = self->field->kind < KB_FIELD_PAIRS || self->field->kind == KB_FIELD_ITEMS;

  return is_list && (self->field->file == NULL || self->field->single);
}

/* The positions that items have before, in the order they are to have. */
static guint *
make_order (guint length, guint index, guint position)
{
  guint *order = g_new (guint, length);

  for (guint i = 0; i < length; i++)
    {
      if (i == position)
        order[i] = index;
      else if (i >= MIN (index, position) && i <= MAX (index, position))
        order[i] = index < position ? i + 1 : i - 1;
      else
        order[i] = i;
    }
  return order;
}

static char *
join_items (KbListGroup *self, guint skip, const char *instead, const char *last)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autofree char *joined = NULL;

  for (guint i = 0; i < self->field->items->len; i++)
    g_ptr_array_add (parts,
                     i == skip ? (gpointer) instead : _kb_list_group_get_item (self, i)->value);
  if (last != NULL)
    g_ptr_array_add (parts, (gpointer) last);
  g_ptr_array_add (parts, NULL);
  joined = g_strjoinv (", ", (char **) parts->pdata);
  return g_strdup_printf ("[%s]", joined);
}

/* The list as YAML, with @value at its end. */
char *
_kb_list_group_append_to (KbListGroup *self, const char *value)
{
  return join_items (self, G_MAXUINT, NULL, value);
}

/* The list as YAML, with @value in the place of an item. */
char *
_kb_list_group_replace_in (KbListGroup *self, guint index, const char *value)
{
  return join_items (self, index, value, NULL);
}

static void
announce_move (KbListGroup *self, const char *title, guint position)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autofree char *sentence = g_strdup_printf (_ ("%1$s, position %2$u of %3$u"), title,
                                               position + 1, self->field->items->len);

  if (GTK_IS_WINDOW (root) && gtk_window_is_active (GTK_WINDOW (root)))
    gtk_accessible_announce (GTK_ACCESSIBLE (self), sentence,
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

void
_kb_list_group_move (KbListGroup *self, guint index, guint position)
{
  g_autofree char *title = g_strdup (get_title (self, index));
  g_autofree char *description = g_strdup_printf (_ ("Moved %s"), title);
  g_autofree char *path = get_item_path (self, index);
  g_autoptr (KbChanges) changes = kb_form_model_create_changes (self->model, description);
  guint length = self->field->items->len;

  if (is_whole (self))
    {
      g_autofree guint *order = make_order (length, index, position);

      write_whole (self, changes, order, length);
    }
  else
    kb_changes_move (changes, path, position);
  self->focus_index = (int) position;
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
  announce_move (self, title, position);
}

/* A group that goes is active no longer, in the same save. */
static void
forget_active (KbListGroup *self, KbChanges *changes, const char *id, const char *new_id)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autoptr (KbField) active = NULL;
  g_autofree char *value = NULL;

  if (form == NULL || !_kb_list_group_is (self, "dsh-route", "groups"))
    return;
  active = kb_form_get_field (form, "dsh-route-resilience.activeGroup");
  if (active == NULL || !active->is_set || g_strcmp0 (active->text, id) != 0)
    return;
  value = new_id != NULL ? kb_form_quote (new_id) : NULL;
  if (value != NULL)
    kb_changes_set_text (changes, active->path, value);
  else
    kb_changes_unset (changes, active->path);
}

static gboolean
refuse_used (KbListGroup *self, const char *name)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *uses = NULL;
  g_autofree char *body = NULL;

  if (form == NULL || !_kb_list_group_is (self, "llm-pi-ai", "providers"))
    return FALSE;
  uses = kb_form_describe_provider_uses (form, name);
  if (*uses == '\0')
    return FALSE;
  /* Translators: %s is a list of places in files */
  body = g_strdup_printf (_ ("Change these first: %s"), uses);
  kb_ask_tell (GTK_WIDGET (self), _ ("The Provider Is in Use"), body);
  return TRUE;
}

void
_kb_list_group_remove (KbListGroup *self, guint index)
{
  g_autofree char *title = g_strdup (get_title (self, index));
  g_autofree char *description = g_strdup_printf (_ ("Removed %s"), title);
  g_autofree char *path = get_item_path (self, index);
  g_autoptr (KbChanges) changes = NULL;
  guint length = self->field->items->len;

  if (refuse_used (self, title))
    return;
  changes = kb_form_model_create_changes (self->model, description);
  forget_active (self, changes, title, NULL);
  if (is_whole (self) && (length > 1 || self->field->file == NULL))
    {
      g_autofree guint *order = g_new (guint, length);
      guint n = 0;

      for (guint i = 0; i < length; i++)
        if (i != index)
          order[n++] = i;
      write_whole (self, changes, order, n);
    }
  else if (length == 1 && !self->field->required)
    kb_changes_unset (changes, self->path);
  else
    kb_changes_unset (changes, path);
  self->focus_index = (int) index;
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

static void
change_name (KbListGroup *self, KbChanges *changes, guint index, const char *name)
{
  g_autofree char *path = get_item_path (self, index);
  g_autofree char *value = kb_form_quote (name);
  g_autofree char *whole = _kb_list_group_replace_in (self, index, value);

  if (is_whole (self) && self->field->items->len == 1)
    kb_changes_set_text (changes, self->path, value); /* it stays as single as it was */
  else if (is_whole (self))
    kb_changes_set_text (changes, self->path, whole);
  else
    kb_changes_set_text (changes, path, value);
}

static void
renamed_cb (KbAskAnswer *answer, gpointer user_data)
{
  KbListGroup *self = KB_LIST_GROUP (user_data);
  guint index = answer->index;
  const char *name = kb_ask_answer_get (answer, "name");
  g_autofree char *old = NULL;
  g_autofree char *path = NULL;
  g_autofree char *description = NULL;
  g_autoptr (KbChanges) changes = NULL;

  if (self->field == NULL || index >= self->field->items->len)
    return;
  old = g_strdup (get_title (self, index));
  if (g_strcmp0 (old, name) == 0 || refuse_used (self, old))
    return;
  path = get_item_path (self, index);
  description = g_strdup_printf (_ ("Renamed %1$s to %2$s"), old, name);
  changes = kb_form_model_create_changes (self->model, description);
  if (self->field->kind == KB_FIELD_ENTRIES)
    kb_changes_rename (changes, path, name);
  else if (self->field->kind == KB_FIELD_NAMES)
    change_name (self, changes, index, name);
  else
    {
      g_autofree char *id = kb_form_path_add (path, "id");
      g_autofree char *value = kb_form_quote (name);

      kb_changes_set_text (changes, id, value);
      forget_active (self, changes, old, name);
    }
  self->focus_index = (int) index;
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

/* Also what the list as a whole must not be: an address twice, or open without a token. */
char *
_kb_list_group_check_text (KbListGroup *self, guint index, const char *text)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *value = kb_form_quote (text);
  g_autofree char *whole = NULL;

  if (*text == '\0')
    return g_strdup (_ ("Must not be empty"));
  whole = index < self->field->items->len ? _kb_list_group_replace_in (self, index, value)
                                          : _kb_list_group_append_to (self, value);
  return form != NULL ? kb_form_check (form, self->path, whole) : NULL;
}

static char *
check_changed (const char *text, guint index, gpointer group)
{
  return _kb_list_group_check_text (KB_LIST_GROUP (group), index, text);
}

void
_kb_list_group_rename (KbListGroup *self, guint index)
{
  g_autoptr (KbAsk) ask = NULL;
  const char *name = get_title (self, index);

  if (refuse_used (self, name))
    return;
  if (self->field->kind == KB_FIELD_NAMES)
    {
      ask = kb_ask_new (_ ("Change the Address"), _ ("_Change"));
      kb_ask_add_checked (ask, "name", _ ("Address and Port"), name, check_changed, index, self);
      kb_ask_present (ask, GTK_WIDGET (self), index, renamed_cb);
      return;
    }
  ask = kb_ask_new (_ ("Rename"), _ ("_Rename"));
  kb_ask_add_name (ask, "name", _ ("Name"), name, self->model, self->path);
  kb_ask_present (ask, GTK_WIDGET (self), index, renamed_cb);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/kb-choices.h"

typedef struct
{
  char *value; /* owned, nullable */
  char *label; /* owned */
} Choice;

struct _KbChoices
{
  GObject parent_instance;

  GPtrArray *choices; /* owned: Choice */
  GHashTable *values; /* owned: borrowed value -> Choice */
};

static GType
kb_choices_get_item_type (GListModel *model)
{
  return GTK_TYPE_STRING_OBJECT;
}

static guint
kb_choices_get_n_items (GListModel *model)
{
  return KB_CHOICES (model)->choices->len;
}

static gpointer
kb_choices_get_item (GListModel *model, guint position)
{
  KbChoices *self = KB_CHOICES (model);
  const Choice *choice;

  if (position >= self->choices->len)
    return NULL;
  choice = g_ptr_array_index (self->choices, position);
  return gtk_string_object_new (choice->label);
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = kb_choices_get_item_type;
  iface->get_n_items = kb_choices_get_n_items;
  iface->get_item = kb_choices_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (KbChoices,
                               kb_choices,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_free (choice->value);
  g_free (choice->label);
  g_free (choice);
}

static void
kb_choices_finalize (GObject *object)
{
  KbChoices *self = KB_CHOICES (object);

  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->choices);

  G_OBJECT_CLASS (kb_choices_parent_class)->finalize (object);
}

static void
kb_choices_class_init (KbChoicesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_choices_finalize;
}

static void
kb_choices_init (KbChoices *self)
{
  self->choices = g_ptr_array_new_with_free_func (choice_free);
  self->values = g_hash_table_new (g_str_hash, g_str_equal);
}

KbChoices *
kb_choices_new (const char *all_label)
{
  KbChoices *self;
  Choice *choice;

  g_return_val_if_fail (all_label != NULL, NULL);

  self = g_object_new (KB_TYPE_CHOICES, NULL);
  choice = g_new0 (Choice, 1);
  choice->label = g_strdup (all_label);
  g_ptr_array_add (self->choices, choice);
  return self;
}

static guint
find_place (KbChoices *self, const char *label)
{
  for (guint i = 1; i < self->choices->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->choices, i);

      if (g_utf8_collate (label, choice->label) < 0)
        return i;
    }
  return self->choices->len;
}

gboolean
kb_choices_add (KbChoices *self, const char *value, const char *label)
{
  Choice *choice;
  guint place;

  g_return_val_if_fail (KB_IS_CHOICES (self), FALSE);
  g_return_val_if_fail (value != NULL && label != NULL, FALSE);

  if (g_hash_table_contains (self->values, value))
    return FALSE;
  choice = g_new0 (Choice, 1);
  choice->value = g_strdup (value);
  choice->label = g_strdup (label);
  place = find_place (self, label);
  g_ptr_array_insert (self->choices, (int) place, choice);
  g_hash_table_insert (self->values, choice->value, choice);
  g_list_model_items_changed (G_LIST_MODEL (self), place, 0, 1);
  return TRUE;
}

gboolean
kb_choices_contains (KbChoices *self, const char *value)
{
  g_return_val_if_fail (KB_IS_CHOICES (self), FALSE);
  g_return_val_if_fail (value != NULL, FALSE);
  return g_hash_table_contains (self->values, value);
}

void
kb_choices_clear (KbChoices *self)
{
  guint n_removed;

  g_return_if_fail (KB_IS_CHOICES (self));

  n_removed = self->choices->len - 1;
  if (n_removed == 0)
    return;
  g_hash_table_remove_all (self->values);
  g_ptr_array_set_size (self->choices, 1);
  g_list_model_items_changed (G_LIST_MODEL (self), 1, n_removed, 0);
}

const char *
kb_choices_get_value (KbChoices *self, guint position)
{
  const Choice *choice;

  g_return_val_if_fail (KB_IS_CHOICES (self), NULL);

  if (position >= self->choices->len)
    return NULL;
  choice = g_ptr_array_index (self->choices, position);
  return choice->value;
}

guint
kb_choices_find (KbChoices *self, const char *value)
{
  g_return_val_if_fail (KB_IS_CHOICES (self), GTK_INVALID_LIST_POSITION);

  if (value == NULL)
    return 0;
  for (guint i = 1; i < self->choices->len; i++)
    {
      const Choice *choice = g_ptr_array_index (self->choices, i);

      if (g_str_equal (choice->value, value))
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

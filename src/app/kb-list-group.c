// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-list-group-private.h"

#include <glib/gi18n-lib.h>

#include "app/kb-field-binding.h"
#include "app/kb-form-page.h"
#include "app/kb-popup-menu.h"
#include "app/kb-row-group.h"

G_DEFINE_FINAL_TYPE (KbListGroup, kb_list_group, ADW_TYPE_PREFERENCES_GROUP)

gboolean
_kb_list_group_is (KbListGroup *self, const char *system, const char *last)
{
  g_autofree char *key = kb_form_path_get_last (self->path);

  return g_str_has_prefix (self->path, system) && g_str_equal (key, last);
}

const KbFieldItem *
_kb_list_group_get_item (KbListGroup *self, guint index)
{
  g_return_val_if_fail (self->field != NULL && index < self->field->items->len, NULL);
  return self->field->items->pdata[index];
}

static guint
get_index (GtkWidget *row)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "kb-index"));
}

static gboolean
is_ordered (const KbField *field)
{
  return field->kind == KB_FIELD_NAMES || field->kind == KB_FIELD_CHANNELS
         || field->kind == KB_FIELD_ITEMS;
}

static gboolean
is_form (const KbField *field)
{
  return field->kind == KB_FIELD_ITEMS || field->kind == KB_FIELD_ENTRIES;
}

static gboolean
is_pairs (const KbField *field)
{
  return field->kind == KB_FIELD_PAIRS || field->kind == KB_FIELD_DURATIONS;
}

static gboolean
can_rename (KbListGroup *self)
{
  return self->field->kind == KB_FIELD_ENTRIES || _kb_list_group_is (self, "dsh-route", "groups")
         || _kb_list_group_is (self, "koboshi", "listen");
}

static void
item_action_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWidget *row = user_data;
  GtkWidget *group = gtk_widget_get_ancestor (row, KB_TYPE_LIST_GROUP);
  const char *name = g_action_get_name (G_ACTION (action));
  guint index = get_index (row);

  if (group == NULL || kb_form_model_is_saving (KB_LIST_GROUP (group)->model))
    return;
  if (g_str_equal (name, "up"))
    _kb_list_group_move (KB_LIST_GROUP (group), index, index - 1);
  else if (g_str_equal (name, "down"))
    _kb_list_group_move (KB_LIST_GROUP (group), index, index + 1);
  else if (g_str_equal (name, "top"))
    _kb_list_group_move (KB_LIST_GROUP (group), index, 0);
  else if (g_str_equal (name, "rename"))
    _kb_list_group_rename (KB_LIST_GROUP (group), index);
  else
    _kb_list_group_remove (KB_LIST_GROUP (group), index);
}

static void
add_shortcut (GtkEventController *controller, const char *trigger, const char *action)
{
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string (trigger),
                        gtk_named_action_new (action)));
}

static void
add_row_actions (KbListGroup *self, GtkWidget *row)
{
  static const GActionEntry entries[] = {
    { "up", item_action_cb },     { "down", item_action_cb },   { "top", item_action_cb },
    { "rename", item_action_cb }, { "remove", item_action_cb },
  };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), row);
  gtk_widget_insert_action_group (row, "item", G_ACTION_GROUP (actions));
  g_object_set_data_full (G_OBJECT (row), "kb-actions", g_object_ref (actions), g_object_unref);
  add_shortcut (shortcuts, "<Alt>Up", "item.up");
  add_shortcut (shortcuts, "<Alt>Down", "item.down");
  add_shortcut (shortcuts, "<Alt>Home", "item.top");
  add_shortcut (shortcuts, "Delete", "item.remove");
  gtk_widget_add_controller (row, shortcuts);
}

static GMenu *
create_menu (gpointer owner)
{
  KbListGroup *self = owner;
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) moves = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();

  if (is_ordered (self->field))
    {
      g_menu_append (moves, _ ("Move _Up"), "item.up");
      g_menu_append (moves, _ ("Move _Down"), "item.down");
      g_menu_append (moves, _ ("Move to _Top"), "item.top");
    }
  if (can_rename (self))
    g_menu_append (others, self->field->kind == KB_FIELD_NAMES ? _ ("_Change…") : _ ("Re_name…"),
                   "item.rename");
  g_menu_append (others, _ ("_Remove"), "item.remove");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (moves));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  return menu;
}

static void
row_activated_cb (AdwActionRow *row, KbListGroup *self)
{
  guint index = get_index (GTK_WIDGET (row));
  g_autofree char *path
      = self->field->kind == KB_FIELD_ITEMS
            ? kb_form_path_add_index (self->path, index)
            : kb_form_path_add (self->path, _kb_list_group_get_item (self, index)->name);

  kb_form_page_push (GTK_WIDGET (self), self->model, path);
}

static void
add_chevron (KbListGroup *self, GtkWidget *row)
{
  GtkWidget *image = gtk_image_new_from_icon_name ("go-next-symbolic");

  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), image);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_signal_connect_object (row, "activated", G_CALLBACK (row_activated_cb), self, 0);
}

/* One that leads on opens a page of its own. */
GtkWidget *
_kb_list_group_create_item_row (KbListGroup *self, gboolean leads_on)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_menu_button_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 3);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  kb_popup_menu_attach (GTK_MENU_BUTTON (button), create_menu, self);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("More"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  g_object_set_data (G_OBJECT (row), "kb-button", button);
  add_row_actions (self, row);
  if (leads_on)
    add_chevron (self, row);
  return row;
}

static void
enable (GtkWidget *row, const char *name, gboolean enabled)
{
  GActionMap *actions = g_object_get_data (G_OBJECT (row), "kb-actions");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (actions, name)),
                               enabled);
}

void
_kb_list_group_show_item (KbListGroup *self, GtkWidget *row, guint index)
{
  const KbFieldItem *item = _kb_list_group_get_item (self, index);
  gboolean channel = self->field->kind == KB_FIELD_CHANNELS;
  const char *title = channel && item->model != NULL ? item->model
                      : self->field->kind == KB_FIELD_PAIRS
                          ? kb_field_get_word_label (self->field, item->name)
                          : item->name;
  const char *subtitle = channel ? item->name : item->text;
  gboolean editable = !self->locked && self->field->lock == KB_FIELD_EDITABLE;
  guint n_items = self->field->items->len;
  GtkWidget *button = g_object_get_data (G_OBJECT (row), "kb-button");
  /* Translators: for a screen reader: the menu of a row */
  g_autofree char *spoken = g_strdup_printf (_ ("More about %s"), title);
  gboolean removable = editable && (n_items > 1 || !self->field->required)
                       && self->field->origin != KB_FIELD_FROM_DEFAULT;

  g_object_set_data (G_OBJECT (row), "kb-index", GUINT_TO_POINTER (index));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle != NULL ? subtitle : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_POS_IN_SET,
                                  (int) index + 1, GTK_ACCESSIBLE_RELATION_SET_SIZE, (int) n_items,
                                  -1);
  enable (row, "up", editable && is_ordered (self->field) && index > 0);
  enable (row, "top", editable && is_ordered (self->field) && index > 0);
  enable (row, "down", editable && is_ordered (self->field) && index + 1 < n_items);
  enable (row, "rename", editable && can_rename (self));
  enable (row, "remove", removable);
  gtk_widget_set_visible (button, editable);
}

void
_kb_list_group_add_row (KbListGroup *self, GtkWidget *row)
{
  g_ptr_array_add (self->rows, row);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
}

void
_kb_list_group_remove_rows_from (KbListGroup *self, guint length)
{
  while (self->rows->len > length)
    {
      GtkWidget *row = self->rows->pdata[self->rows->len - 1];

      g_ptr_array_set_size (self->rows, (int) self->rows->len - 1);
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
    }
}

static void
show_items (KbListGroup *self)
{
  _kb_list_group_remove_rows_from (self, self->field->items->len);
  for (guint i = 0; i < self->field->items->len; i++)
    {
      if (i >= self->rows->len)
        _kb_list_group_add_row (self, _kb_list_group_create_item_row (self, is_form (self->field)));
      _kb_list_group_show_item (self, self->rows->pdata[i], i);
    }
}

static const char *
get_empty_text (KbListGroup *self)
{
  return self->field->can_be_no ? _ ("As is known of the model") : _ ("None yet");
}

static void
show_empty (KbListGroup *self)
{
  g_autofree char *origin = kb_field_describe_origin (self->field);
  gboolean editable = self->field->lock == KB_FIELD_EDITABLE;
  gboolean empty = (self->field->items->len == 0 || !editable) && !self->field->is_no;

  if (empty && self->empty_row == NULL)
    {
      self->empty_row = adw_action_row_new ();
      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->empty_row), FALSE);
      gtk_widget_add_css_class (self->empty_row, "dim-label");
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), self->empty_row);
    }
  if (!empty && self->empty_row != NULL)
    {
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), self->empty_row);
      self->empty_row = NULL;
    }
  if (self->empty_row != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->empty_row),
                                   editable ? get_empty_text (self) : origin);
}

static void
restore_focus (KbListGroup *self)
{
  int index = MIN (self->focus_index, (int) self->field->items->len - 1);

  self->focus_index = -1;
  if (index >= 0)
    gtk_widget_grab_focus (is_pairs (self->field) ? _kb_list_group_find_pair (self, (guint) index)
                                                  : GTK_WIDGET (self->rows->pdata[index]));
}

static void
kb_list_group_dispose (GObject *object)
{
  KbListGroup *self = KB_LIST_GROUP (object);

  g_clear_object (&self->model);
  g_clear_pointer (&self->field, kb_field_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->rows, g_ptr_array_unref);

  G_OBJECT_CLASS (kb_list_group_parent_class)->dispose (object);
}

static void
kb_list_group_class_init (KbListGroupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_list_group_dispose;
  GTK_WIDGET_CLASS (klass)->focus = kb_row_group_walk;
}

static void
kb_list_group_init (KbListGroup *self)
{
  self->rows = g_ptr_array_new ();
  self->focus_index = -1;
  kb_row_group_follow_arrows (GTK_WIDGET (self));
}

GtkWidget *
kb_list_group_new (KbFormModel *model, const char *path, const char *title, const char *description)
{
  KbListGroup *self;
  const char *label;

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (KB_TYPE_LIST_GROUP, "title", title, "description", description, NULL);
  self->model = g_object_ref (model);
  self->path = g_strdup (path);
  label = _kb_list_group_get_add_label (self);
  self->add_button = gtk_button_new_from_icon_name ("list-add-symbolic");
  gtk_widget_add_css_class (self->add_button, "flat");
  gtk_widget_set_tooltip_text (self->add_button, label);
  gtk_widget_set_valign (self->add_button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->add_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  g_signal_connect_swapped (self->add_button, "clicked", G_CALLBACK (_kb_list_group_add), self);
  adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (self), self->add_button);
  kb_list_group_update (self, FALSE);
  return GTK_WIDGET (self);
}

/* Which members a pool has is said elsewhere. */
static gboolean
can_add (KbListGroup *self)
{
  return !self->locked && self->field->lock == KB_FIELD_EDITABLE && !self->field->is_no
         && !(self->field->kind == KB_FIELD_PAIRS && g_str_equal (self->field->name, "targets"));
}

/* Rows stay as they are as far as they fit: what has the focus keeps it. */
void
kb_list_group_update (KbListGroup *self, gboolean locked)
{
  KbForm *form;
  KbField *field;

  g_return_if_fail (KB_IS_LIST_GROUP (self));

  form = kb_form_model_get_form (self->model);
  field = form != NULL ? kb_form_get_field (form, self->path) : NULL;
  if (field == NULL)
    return;
  g_clear_pointer (&self->field, kb_field_unref);
  self->field = field;
  self->locked = locked;
  _kb_list_group_show_switch (self);
  if (is_pairs (field))
    _kb_list_group_show_pairs (self);
  else
    show_items (self);
  show_empty (self);
  gtk_widget_set_visible (self->add_button, can_add (self));
  restore_focus (self);
}

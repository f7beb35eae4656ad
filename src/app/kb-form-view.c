// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-form-view.h"

#include <glib/gi18n-lib.h>

#include "app/kb-field-binding.h"
#include "app/kb-form-page.h"
#include "app/kb-key-binding.h"
#include "app/kb-list-group.h"
#include "app/kb-row-group.h"
#include "app/kb-words-row.h"
#include "client/kb-presets.h"

/* One part of the page that is shown anew when the files differ. */
typedef struct
{
  char *path;              /* owned */
  GtkWidget *widget;       /* not owned: what shows the path */
  KbFieldBinding *binding; /* not owned, nullable: the row owns it */
  KbKeyBinding *key;       /* the same: of the row below, for the key of that name */
} Part;

/* What there is to say about a system. */
typedef struct
{
  char *system;      /* owned */
  GtkWidget *group;  /* not owned */
  AdwActionRow *row; /* not owned */
  gboolean locked;
} Notice;

struct _KbFormView
{
  AdwPreferencesPage parent_instance;

  KbFormModel *model;  /* owned */
  GPtrArray *parts;    /* owned: Part */
  GPtrArray *notices;  /* owned: Notice */
  AdwComboRow *preset; /* nullable */
  gboolean showing;
  gboolean outdated;
};

G_DEFINE_FINAL_TYPE (KbFormView, kb_form_view, ADW_TYPE_PREFERENCES_PAGE)

static void
part_free (gpointer data)
{
  Part *part = data;

  g_free (part->path);
  g_free (part);
}

static void
notice_free (gpointer data)
{
  Notice *notice = data;

  g_free (notice->system);
  g_free (notice);
}

static Part *
add_part (KbFormView *self, const char *path, GtkWidget *widget)
{
  Part *part = g_new0 (Part, 1);

  part->path = g_strdup (path);
  part->widget = widget;
  g_ptr_array_add (self->parts, part);
  return part;
}

static char *
get_system (const char *path)
{
  return g_strndup (path, strcspn (path, ".["));
}

static gboolean
is_locked (KbFormView *self, const char *path)
{
  g_autofree char *system = get_system (path);

  for (guint i = 0; i < self->notices->len; i++)
    {
      Notice *notice = self->notices->pdata[i];

      if (g_str_equal (notice->system, system))
        return notice->locked;
    }
  return FALSE;
}

static void
update_notice (KbForm *form, Notice *notice)
{
  g_autofree char *reason = NULL;
  KbFormState state = kb_form_get_state (form, notice->system, &reason);
  GtkWidget *icon = g_object_get_data (G_OBJECT (notice->row), "kb-icon");

  notice->locked = state == KB_FORM_LOCKED || state == KB_FORM_UNUSABLE;
  gtk_widget_set_visible (notice->group, reason != NULL);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (notice->row), reason != NULL ? reason : "");
  gtk_image_set_from_icon_name (GTK_IMAGE (icon), notice->locked ? "changes-prevent-symbolic"
                                                                 : "dialog-information-symbolic");
}

static char *
describe_form (const KbField *field)
{
  g_autofree char *count = NULL;

  if (field->lock != KB_FIELD_EDITABLE)
    return kb_field_describe_origin (field);
  if (field->items->len == 0)
    return g_strdup (field->description);
  count = g_strdup_printf (
      /* Translators: how many fields of a further page are filled in */
      g_dngettext (GETTEXT_PACKAGE, "%u set", "%u set", field->items->len), field->items->len);
  return g_strdup_printf (_ ("%1$s · %2$s"), field->description, count);
}

static void
update_part (KbFormView *self, KbForm *form, Part *part)
{
  gboolean locked = is_locked (self, part->path);
  g_autoptr (KbField) field = NULL;

  if (KB_IS_LIST_GROUP (part->widget))
    {
      kb_list_group_update (KB_LIST_GROUP (part->widget), locked);
      return;
    }
  field = kb_form_get_field (form, part->path);
  if (field == NULL)
    return;
  if (field->kind == KB_FIELD_FORM)
    {
      g_autofree char *subtitle = describe_form (field);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (part->widget), subtitle);
      return;
    }
  if (part->binding != NULL)
    {
      kb_field_binding_set_field (part->binding, field);
      kb_field_binding_set_locked (part->binding, locked);
      if (part->key != NULL)
        kb_key_binding_set_name (part->key, field->text);
      return;
    }
  kb_words_row_set_field (KB_WORDS_ROW (part->widget), field);
  kb_words_row_set_locked (KB_WORDS_ROW (part->widget), locked);
}

static const char *
describe_preset (const char *preset)
{
  if (preset == NULL)
    return _ ("Numbers and switches of your own");
  if (g_str_equal (preset, "recover"))
    return _ ("Waits out rate limits, as long as it takes");
  if (g_str_equal (preset, "adaptive"))
    return _ ("Waits out rate limits, and learns how many requests are taken");
  return _ ("Waits out rate limits, a limited number of times");
}

static void
update_preset (KbFormView *self, KbForm *form)
{
  const char *preset = kb_presets_find (form);
  const char *const *names = kb_presets_list ();
  guint selected = 0;

  self->showing = TRUE;
  for (guint i = 0; names[i] != NULL; i++)
    if (g_strcmp0 (names[i], preset) == 0)
      selected = i + 1;
  adw_combo_row_set_selected (self->preset, selected);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->preset), describe_preset (preset));
  gtk_widget_set_sensitive (GTK_WIDGET (self->preset), !is_locked (self, "camel"));
  self->showing = FALSE;
}

void
kb_form_view_update (KbFormView *self)
{
  KbForm *form;

  g_return_if_fail (KB_IS_FORM_VIEW (self));

  self->outdated = FALSE;
  form = kb_form_model_get_form (self->model);
  if (form == NULL)
    return;
  for (guint i = 0; i < self->notices->len; i++)
    update_notice (form, self->notices->pdata[i]);
  for (guint i = 0; i < self->parts->len; i++)
    update_part (self, form, self->parts->pdata[i]);
  if (self->preset != NULL)
    update_preset (self, form);
}

static void
model_changed_cb (KbFormView *self)
{
  g_assert (KB_IS_FORM_VIEW (self));

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    kb_form_view_update (self);
  else
    self->outdated = TRUE;
}

static void
kb_form_view_map (GtkWidget *widget)
{
  KbFormView *self = KB_FORM_VIEW (widget);

  if (self->outdated)
    kb_form_view_update (self);
  GTK_WIDGET_CLASS (kb_form_view_parent_class)->map (widget);
}

static void
kb_form_view_dispose (GObject *object)
{
  KbFormView *self = KB_FORM_VIEW (object);

  g_clear_object (&self->model);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_clear_pointer (&self->notices, g_ptr_array_unref);

  G_OBJECT_CLASS (kb_form_view_parent_class)->dispose (object);
}

static void
kb_form_view_class_init (KbFormViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_form_view_dispose;
  widget_class->map = kb_form_view_map;
}

static void
kb_form_view_init (KbFormView *self)
{
  self->parts = g_ptr_array_new_with_free_func (part_free);
  self->notices = g_ptr_array_new_with_free_func (notice_free);
}

GtkWidget *
kb_form_view_new (KbFormModel *model)
{
  KbFormView *self;

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);

  self = g_object_new (KB_TYPE_FORM_VIEW, NULL);
  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

KbFormModel *
kb_form_view_get_model (KbFormView *self)
{
  g_return_val_if_fail (KB_IS_FORM_VIEW (self), NULL);
  return self->model;
}

static void
add_group (KbFormView *self, GtkWidget *group)
{
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self), ADW_PREFERENCES_GROUP (group));
}

void
kb_form_view_add_notice (KbFormView *self, const char *system)
{
  Notice *notice = g_new0 (Notice, 1);
  GtkWidget *icon = gtk_image_new ();
  KbForm *form = kb_form_model_get_form (self->model);

  notice->system = g_strdup (system);
  notice->group = kb_row_group_new ();
  notice->row = ADW_ACTION_ROW (adw_action_row_new ());
  gtk_accessible_update_state (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (notice->row), FALSE);
  adw_action_row_set_title_lines (notice->row, 0);
  adw_action_row_add_prefix (notice->row, icon);
  g_object_set_data (G_OBJECT (notice->row), "kb-icon", icon);
  gtk_widget_add_css_class (GTK_WIDGET (notice->row), "notice-row");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (notice->group), GTK_WIDGET (notice->row));
  add_group (self, notice->group);
  g_ptr_array_add (self->notices, notice);
  if (form != NULL)
    update_notice (form, notice);
}

static void
link_activated_cb (AdwActionRow *row, KbFormView *self)
{
  kb_form_page_push (GTK_WIDGET (row), self->model, g_object_get_data (G_OBJECT (row), "kb-path"));
}

static GtkWidget *
create_link (KbFormView *self, const char *path, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *image = gtk_image_new_from_icon_name ("go-next-symbolic");

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), image);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "kb-path", g_strdup (path), g_free);
  g_signal_connect_object (row, "activated", G_CALLBACK (link_activated_cb), self, 0);
  return row;
}

static void
add_form_link (KbFormView *self, GtkWidget *group, const KbField *field)
{
  g_autofree char *subtitle = describe_form (field);
  GtkWidget *row = create_link (self, field->path, field->label, subtitle);

  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  add_part (self, field->path, row);
}

static KbKeyBinding *
add_key (KbFormView *self, GtkWidget *group, const KbField *field)
{
  KbKeyBinding *binding = kb_key_binding_new (kb_form_model_get_keys (self->model));

  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), kb_key_binding_get_row (binding));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), kb_key_binding_get_message (binding));
  kb_key_binding_set_name (binding, field->lock == KB_FIELD_EDITABLE ? field->text : NULL);
  return binding;
}

static void
add_field (KbFormView *self, GtkWidget *group, KbField *field)
{
  KbFieldBinding *binding;
  GtkWidget *row;
  Part *part;
  gboolean locked = is_locked (self, field->path);

  if (field->kind == KB_FIELD_FORM)
    {
      add_form_link (self, group, field);
      return;
    }
  if (field->kind == KB_FIELD_WORDS)
    {
      row = kb_words_row_new (self->model, field);
      kb_words_row_set_locked (KB_WORDS_ROW (row), locked);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
      add_part (self, field->path, row);
      return;
    }
  binding = kb_field_binding_new (self->model, field);
  kb_field_binding_set_locked (binding, locked);
  row = kb_field_binding_get_row (binding);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  if (kb_field_binding_get_message (binding) != NULL)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                               kb_field_binding_get_message (binding));
  part = add_part (self, field->path, row);
  part->binding = binding;
  if (field->kind == KB_FIELD_KEY)
    part->key = add_key (self, group, field);
}

static void
add_section (KbFormView *self, const KbFormSection *section)
{
  GtkWidget *group = NULL;

  for (guint i = 0; i < section->fields->len; i++)
    {
      KbField *field = section->fields->pdata[i];

      if (field->kind > KB_FIELD_WORDS && field->kind != KB_FIELD_FORM)
        {
          kb_form_view_add_list (self, field->path, i == 0 ? section->title : field->label,
                                 i == 0 ? section->description : field->description);
          group = NULL;
          continue;
        }
      if (group == NULL)
        {
          group = kb_row_group_new ();
          if (i == 0)
            g_object_set (group, "title", section->title, "description", section->description,
                          NULL);
          add_group (self, group);
        }
      add_field (self, group, field);
    }
}

void
kb_form_view_add_form (KbFormView *self, const char *path)
{
  KbForm *form;
  g_autoptr (GPtrArray) sections = NULL;

  g_return_if_fail (KB_IS_FORM_VIEW (self));
  g_return_if_fail (path != NULL);

  form = kb_form_model_get_form (self->model);
  if (form == NULL)
    return;
  sections = kb_form_list_sections (form, path);
  for (guint i = 0; i < sections->len; i++)
    add_section (self, sections->pdata[i]);
}

void
kb_form_view_add_list (KbFormView *self,
                       const char *path,
                       const char *title,
                       const char *description)
{
  GtkWidget *group;

  g_return_if_fail (KB_IS_FORM_VIEW (self));

  group = kb_list_group_new (self->model, path, title, description);
  kb_list_group_update (KB_LIST_GROUP (group), is_locked (self, path));
  add_group (self, group);
  add_part (self, path, group);
}

/* Returns the group, for further rows. */
GtkWidget *
kb_form_view_add_link (
    KbFormView *self, GtkWidget *group, const char *path, const char *title, const char *subtitle)
{
  g_return_val_if_fail (KB_IS_FORM_VIEW (self), NULL);

  if (group == NULL)
    {
      group = kb_row_group_new ();
      add_group (self, group);
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                             create_link (self, path, title, subtitle));
  return group;
}

static void
preset_notify_cb (KbFormView *self)
{
  guint selected = adw_combo_row_get_selected (self->preset);
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *description = NULL;
  g_autoptr (KbChanges) changes = NULL;
  const char *preset;

  if (self->showing || form == NULL)
    return;
  if (selected == 0 || selected == GTK_INVALID_LIST_POSITION)
    {
      update_preset (self, form);
      return;
    }
  preset = kb_presets_list ()[selected - 1];
  description = g_strdup_printf (_ ("Applied the preset “%s” of camel"), preset);
  changes = kb_form_model_create_changes (self->model, description);
  kb_presets_add (preset, form, changes);
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

void
kb_form_view_add_preset (KbFormView *self)
{
  const char *labels[] = { C_ ("preset", "Custom"), C_ ("preset", "Recover"),
                           C_ ("preset", "Adaptive"), C_ ("preset", "Bounded"), NULL };
  GtkWidget *group = kb_row_group_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (labels);
  KbForm *form = kb_form_model_get_form (self->model);

  self->preset = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->preset), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->preset), _ ("Preset"));
  adw_combo_row_set_model (self->preset, G_LIST_MODEL (list));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (self->preset));
  add_group (self, group);
  if (form != NULL)
    update_preset (self, form);
  g_signal_connect_swapped (self->preset, "notify::selected", G_CALLBACK (preset_notify_cb), self);
}

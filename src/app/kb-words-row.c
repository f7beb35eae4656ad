// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-words-row.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

struct _KbWordsRow
{
  AdwExpanderRow parent_instance;

  KbFormModel *model;  /* owned */
  KbField *field;      /* owned, nullable */
  GPtrArray *switches; /* owned: AdwSwitchRow, not owned */
  GtkWidget *reset;
  gboolean showing;
  gboolean locked;
};

G_DEFINE_FINAL_TYPE (KbWordsRow, kb_words_row, ADW_TYPE_EXPANDER_ROW)

static char *
get_label (KbWordsRow *self, const char *word)
{
  const char *label = kb_field_get_word_label (self->field, word);

  return label != word ? g_strdup (label) : kb_format_failure (word);
}

static gboolean
has_word (const KbField *field, const char *word)
{
  for (guint i = 0; i < field->items->len; i++)
    if (g_str_equal (((KbFieldItem *) field->items->pdata[i])->name, word))
      return TRUE;
  return FALSE;
}

static const char *
get_word (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "kb-word");
}

static GtkWidget *
find_switch (KbWordsRow *self, const char *word)
{
  for (guint i = 0; i < self->switches->len; i++)
    if (g_str_equal (get_word (self->switches->pdata[i]), word))
      return self->switches->pdata[i];
  return NULL;
}

/* What is on now: what was before in its order, what was switched on just now last. */
static GStrv
list_words (KbWordsRow *self, GtkWidget *changed)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->field->items->len; i++)
    {
      const KbFieldItem *item = self->field->items->pdata[i];

      if (find_switch (self, item->name) != changed)
        g_strv_builder_add (builder, item->name);
    }
  if (adw_switch_row_get_active (ADW_SWITCH_ROW (changed)))
    g_strv_builder_add (builder, get_word (changed));
  return g_strv_builder_end (builder);
}

/* A list that is written keeps its other items, and their comments, as they are. */
static void
add_change (
    KbWordsRow *self, KbForm *form, KbChanges *changes, GtkWidget *changed, const char *value)
{
  const char *word = get_word (changed);
  g_autofree char *quoted = kb_form_quote (word);
  g_autofree char *path = NULL;

  if (self->field->file == NULL || self->field->items->len == 0)
    {
      kb_form_change (form, changes, self->field->path, value);
      return;
    }
  for (guint i = 0; i < self->field->items->len; i++)
    if (g_str_equal (((KbFieldItem *) self->field->items->pdata[i])->name, word))
      {
        path = kb_form_path_add_index (self->field->path, i);
        kb_changes_unset (changes, path);
        return;
      }
  path = kb_form_path_add_index (self->field->path, self->field->items->len);
  kb_form_insert (changes, path, quoted);
}

static void show_field (KbWordsRow *self);

static void
switch_notify_cb (GtkWidget *row, GParamSpec *pspec, KbWordsRow *self)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_auto (GStrv) words = NULL;
  g_autofree char *value = NULL;
  g_autofree char *sentence = NULL;
  g_autofree char *description = NULL;
  g_autoptr (KbChanges) changes = NULL;

  if (self->showing || form == NULL)
    return;
  if (kb_form_model_is_saving (self->model))
    {
      show_field (self);
      return;
    }
  words = list_words (self, row);
  value = kb_form_make_list ((const char *const *) words);
  sentence = kb_form_check (form, self->field->path, value);
  if (sentence != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", sentence);
      show_field (self);
      return;
    }
  description
      = g_strdup_printf (adw_switch_row_get_active (ADW_SWITCH_ROW (row)) ? _ ("Switched “%s” on")
                                                                          : _ ("Switched “%s” off"),
                         adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
  changes = kb_form_model_create_changes (self->model, description);
  add_change (self, form, changes, row, value);
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

static void
reset_clicked_cb (KbWordsRow *self)
{
  g_autofree char *description = g_strdup_printf (_ ("Reset “%s”"), self->field->label);
  g_autoptr (KbChanges) changes = kb_form_model_create_changes (self->model, description);

  kb_changes_unset (changes, self->field->path);
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

static void
add_switch (KbWordsRow *self, const char *word)
{
  GtkWidget *row;
  g_autofree char *label = NULL;

  if (find_switch (self, word) != NULL)
    return;
  row = adw_switch_row_new ();
  label = get_label (self, word);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), label);
  if (!g_str_equal (label, word) && g_ascii_isupper (*word))
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), word);
  g_object_set_data_full (G_OBJECT (row), "kb-word", g_strdup (word), g_free);
  g_signal_connect (row, "notify::active", G_CALLBACK (switch_notify_cb), self);
  g_ptr_array_add (self->switches, row);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
}

static char *
summarize (KbWordsRow *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *origin = kb_field_describe_origin (self->field);
  g_autofree char *joined = NULL;
  g_auto (GStrv) labels = NULL;

  for (guint i = 0; i < self->field->items->len; i++)
    g_strv_builder_take (builder,
                         get_label (self, ((KbFieldItem *) self->field->items->pdata[i])->name));
  labels = g_strv_builder_end (builder);
  if (self->locked && self->field->lock == KB_FIELD_IS_EXPRESSION)
    return g_strdup ("");
  if (labels[0] == NULL || self->field->lock != KB_FIELD_EDITABLE)
    return g_steal_pointer (&origin);
  joined = g_strjoinv (", ", labels);
  return g_strdup_printf (_ ("%1$s · %2$s"), joined, origin);
}

static void
show_field (KbWordsRow *self)
{
  g_autofree char *summary = summarize (self);
  gboolean editable = self->field->lock == KB_FIELD_EDITABLE && !self->locked;

  self->showing = TRUE;
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), summary);
  for (guint i = 0; i < self->field->items->len; i++)
    add_switch (self, ((KbFieldItem *) self->field->items->pdata[i])->name);
  for (guint i = 0; i < self->switches->len; i++)
    {
      GtkWidget *row = self->switches->pdata[i];

      adw_switch_row_set_active (ADW_SWITCH_ROW (row), has_word (self->field, get_word (row)));
      gtk_widget_set_sensitive (row, editable);
    }
  gtk_widget_set_visible (self->reset, editable && self->field->is_set);
  self->showing = FALSE;
}

static void
kb_words_row_dispose (GObject *object)
{
  KbWordsRow *self = KB_WORDS_ROW (object);

  g_clear_object (&self->model);
  g_clear_pointer (&self->field, kb_field_unref);
  g_clear_pointer (&self->switches, g_ptr_array_unref);

  G_OBJECT_CLASS (kb_words_row_parent_class)->dispose (object);
}

static void
kb_words_row_class_init (KbWordsRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_words_row_dispose;
}

static void
kb_words_row_init (KbWordsRow *self)
{
  self->switches = g_ptr_array_new ();
  self->reset = gtk_button_new_from_icon_name ("edit-undo-symbolic");
  gtk_widget_set_valign (self->reset, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->reset, "flat");
  gtk_widget_set_tooltip_text (self->reset, _ ("Reset to the Default"));
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (reset_clicked_cb), self);
  adw_expander_row_add_suffix (ADW_EXPANDER_ROW (self), self->reset);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
}

GtkWidget *
kb_words_row_new (KbFormModel *model, KbField *field)
{
  KbWordsRow *self;
  g_autofree char *spoken = NULL;

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);
  g_return_val_if_fail (field != NULL && field->kind == KB_FIELD_WORDS, NULL);

  self = g_object_new (KB_TYPE_WORDS_ROW, NULL);
  self->model = g_object_ref (model);
  self->field = kb_field_ref (field);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), field->label);
  spoken = g_strdup_printf (_ ("Reset “%s” to the default"), field->label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spoken, -1);
  for (guint i = 0; field->words != NULL && field->words[i] != NULL; i++)
    add_switch (self, field->words[i]);
  show_field (self);
  return GTK_WIDGET (self);
}

void
kb_words_row_set_field (KbWordsRow *self, KbField *field)
{
  g_return_if_fail (KB_IS_WORDS_ROW (self));
  g_return_if_fail (field != NULL);

  kb_field_ref (field);
  kb_field_unref (self->field);
  self->field = field;
  show_field (self);
}

void
kb_words_row_set_locked (KbWordsRow *self, gboolean locked)
{
  g_return_if_fail (KB_IS_WORDS_ROW (self));

  if (self->locked == locked)
    return;
  self->locked = locked;
  show_field (self);
}

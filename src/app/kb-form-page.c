// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-form-page.h"

#include <glib/gi18n-lib.h>

#include "app/kb-form-view.h"

struct _KbFormPage
{
  AdwNavigationPage parent_instance;

  KbFormModel *model; /* owned */
  char *path;         /* owned */
  gboolean is_part;   /* of a list or mapping, from which it may be taken away */
};

G_DEFINE_FINAL_TYPE (KbFormPage, kb_form_page, ADW_TYPE_NAVIGATION_PAGE)

static void
leave (KbFormPage *self)
{
  GtkWidget *view = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_NAVIGATION_VIEW);

  if (view != NULL
      && adw_navigation_view_get_visible_page (ADW_NAVIGATION_VIEW (view))
             == ADW_NAVIGATION_PAGE (self))
    adw_navigation_view_pop (ADW_NAVIGATION_VIEW (view));
}

static char *
describe (KbFormPage *self, KbForm *form)
{
  static const struct
  {
    const char *path;
    const char *title;
  } titles[] = {
    { "llm-pool", N_ ("Retries of Pools") },
    { "llm-fallback", N_ ("Fallback") },
    { "llm-fallback-settings", N_ ("Fallback in the Settings") },
    { "dsh-daruma", N_ ("Limits") },
  };
  static const char *const keys[] = { "id", "model" };
  g_autoptr (KbField) own = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (titles[i].path, self->path))
      return g_strdup (_ (titles[i].title));
  own = kb_form_get_field (form, self->path);
  if (own != NULL && own->kind == KB_FIELD_FORM)
    return g_strdup (own->label);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *path = kb_form_path_add (self->path, keys[i]);
      g_autoptr (KbField) field = kb_form_get_field (form, path);

      if (field != NULL && field->text != NULL)
        return g_strdup (field->text);
    }
  return kb_form_path_get_last (self->path);
}

/* Somebody may have taken away what the page is about. */
static void
model_changed_cb (KbFormPage *self)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *title = NULL;

  if (form == NULL || (self->is_part && !kb_form_exists (form, self->path)))
    {
      leave (self);
      return;
    }
  title = describe (self, form);
  adw_navigation_page_set_title (ADW_NAVIGATION_PAGE (self), title);
}

static void
kb_form_page_dispose (GObject *object)
{
  KbFormPage *self = KB_FORM_PAGE (object);

  g_clear_object (&self->model);

  G_OBJECT_CLASS (kb_form_page_parent_class)->dispose (object);
}

static void
kb_form_page_finalize (GObject *object)
{
  g_free (KB_FORM_PAGE (object)->path);

  G_OBJECT_CLASS (kb_form_page_parent_class)->finalize (object);
}

static void
kb_form_page_class_init (KbFormPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_form_page_dispose;
  object_class->finalize = kb_form_page_finalize;
}

static void
kb_form_page_init (KbFormPage *self)
{
}

AdwNavigationPage *
kb_form_page_new (KbFormModel *model, const char *path)
{
  KbFormPage *self;
  GtkWidget *toolbar = adw_toolbar_view_new ();
  GtkWidget *view;
  g_autofree char *system = NULL;

  g_return_val_if_fail (KB_IS_FORM_MODEL (model), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (KB_TYPE_FORM_PAGE, "title", path, NULL);
  self->model = g_object_ref (model);
  self->path = g_strdup (path);
  self->is_part = strpbrk (path, ".[") != NULL;
  system = g_strndup (path, strcspn (path, ".["));
  view = kb_form_view_new (model);
  kb_form_view_add_notice (KB_FORM_VIEW (view), system);
  kb_form_view_add_form (KB_FORM_VIEW (view), path);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbar), adw_header_bar_new ());
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (toolbar), view);
  adw_navigation_page_set_child (ADW_NAVIGATION_PAGE (self), toolbar);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  model_changed_cb (self);
  return ADW_NAVIGATION_PAGE (self);
}

const char *
kb_form_page_get_path (KbFormPage *self)
{
  g_return_val_if_fail (KB_IS_FORM_PAGE (self), NULL);
  return self->path;
}

void
kb_form_page_push (GtkWidget *from, KbFormModel *model, const char *path)
{
  GtkWidget *dialog;
  GtkWidget *view;

  g_return_if_fail (GTK_IS_WIDGET (from));

  dialog = gtk_widget_get_ancestor (from, ADW_TYPE_PREFERENCES_DIALOG);
  view = gtk_widget_get_ancestor (from, ADW_TYPE_NAVIGATION_VIEW);
  if (dialog != NULL)
    adw_preferences_dialog_push_subpage (ADW_PREFERENCES_DIALOG (dialog),
                                         kb_form_page_new (model, path));
  else if (view != NULL)
    adw_navigation_view_push (ADW_NAVIGATION_VIEW (view), kb_form_page_new (model, path));
}

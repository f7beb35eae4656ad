// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-form-model"

#include "app/kb-form-model.h"

struct _KbFormModel
{
  GObject parent_instance;

  KbMonitor *monitor; /* owned */
  KbEditFlow *flow;   /* owned */
  KbKeys *keys;       /* owned, nullable: nobody has asked */
  KbForm *form;       /* owned, nullable: not read yet, or out of date */
  guint n_saving;     /* saves on their way */
  KbProfile *seen;    /* not owned: the view that the form is as new as; only compared */
};

G_DEFINE_FINAL_TYPE (KbFormModel, kb_form_model, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
outdate (KbFormModel *self)
{
  g_clear_pointer (&self->form, kb_form_unref);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* The monitor speaks of everything; a new view means that one of the files is another one. */
static void
monitor_changed_cb (KbFormModel *self)
{
  KbProfile *view = kb_monitor_get_view (self->monitor);

  g_assert (KB_IS_FORM_MODEL (self));

  if (view == self->seen)
    return;
  self->seen = view;
  outdate (self);
}

static void
kb_form_model_dispose (GObject *object)
{
  KbFormModel *self = KB_FORM_MODEL (object);

  if (self->monitor != NULL)
    g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_clear_object (&self->monitor);
  g_clear_object (&self->flow);
  g_clear_object (&self->keys);
  g_clear_pointer (&self->form, kb_form_unref);

  G_OBJECT_CLASS (kb_form_model_parent_class)->dispose (object);
}

static void
kb_form_model_class_init (KbFormModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_form_model_dispose;

  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
kb_form_model_init (KbFormModel *self)
{
}

KbFormModel *
kb_form_model_new (KbMonitor *monitor, KbEditFlow *flow)
{
  KbFormModel *self;
  KbEditor *editor;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);
  g_return_val_if_fail (KB_IS_EDIT_FLOW (flow), NULL);

  self = g_object_new (KB_TYPE_FORM_MODEL, NULL);
  self->monitor = g_object_ref (monitor);
  self->flow = g_object_ref (flow);
  self->seen = kb_monitor_get_view (monitor);
  editor = kb_edit_flow_get_editor (flow);
  g_signal_connect_swapped (monitor, "changed", G_CALLBACK (monitor_changed_cb), self);
  g_signal_connect_object (editor, "undone", G_CALLBACK (outdate), self, G_CONNECT_SWAPPED);
  return self;
}

KbForm *
kb_form_model_get_form (KbFormModel *self)
{
  g_autoptr (KbSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (KB_IS_FORM_MODEL (self), NULL);

  if (self->form != NULL)
    return self->form;
  snapshot = kb_editor_load (kb_edit_flow_get_editor (self->flow), &error);
  if (snapshot != NULL)
    self->form = kb_form_new (snapshot);
  else
    g_debug ("no configuration: %s", error->message);
  return self->form;
}

KbKeys *
kb_form_model_get_keys (KbFormModel *self)
{
  g_return_val_if_fail (KB_IS_FORM_MODEL (self), NULL);

  if (self->keys == NULL)
    self->keys
        = kb_keys_new (kb_monitor_get_home (self->monitor), kb_monitor_get_profile (self->monitor));
  return self->keys;
}

KbChanges *
kb_form_model_create_changes (KbFormModel *self, const char *description)
{
  KbForm *form;

  g_return_val_if_fail (KB_IS_FORM_MODEL (self), NULL);
  g_return_val_if_fail (description != NULL, NULL);

  /* Behind a save of our own, what is shown is out of date: that is no conflict. */
  form = self->n_saving == 0 ? kb_form_model_get_form (self) : NULL;
  return kb_changes_new (description, form != NULL ? kb_form_get_snapshot (form) : NULL);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbFormModel) self = user_data;

  kb_edit_flow_save_finish (KB_EDIT_FLOW (source), result);
  self->n_saving--;
  if (self->flow != NULL)
    outdate (self);
}

/* Positions that are shown may not be those of the files by then. */
gboolean
kb_form_model_is_saving (KbFormModel *self)
{
  g_return_val_if_fail (KB_IS_FORM_MODEL (self), FALSE);
  return self->n_saving > 0;
}

void
kb_form_model_save (KbFormModel *self, GtkWidget *parent, KbChanges *changes)
{
  g_return_if_fail (KB_IS_FORM_MODEL (self));
  g_return_if_fail (GTK_IS_WIDGET (parent));
  g_return_if_fail (changes != NULL);

  self->n_saving++;
  kb_edit_flow_save_async (self->flow, parent, changes, saved_cb, g_object_ref (self));
}

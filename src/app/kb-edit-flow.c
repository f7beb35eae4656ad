// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-edit-flow"

#include "config.h"

#include "app/kb-edit-flow.h"

#include <glib/gi18n-lib.h>

#include "app/kb-edit-questions.h"
#include "app/kb-review-dialog.h"

struct _KbEditFlow
{
  GObject parent_instance;

  KbEditor *editor;          /* owned */
  AdwToastOverlay *toasts;   /* weak, nullable */
  GQueue *waiting;           /* owned: Request */
  GCancellable *cancellable; /* owned */
  AdwToast *toast;           /* weak, nullable: of the newest save */
  gboolean busy;
  gboolean review_always;
};

typedef enum
{
  PROP_REVIEW_ALWAYS = 1,
} KbEditFlowProperty;

static GParamSpec *properties[PROP_REVIEW_ALWAYS + 1];

G_DEFINE_FINAL_TYPE (KbEditFlow, kb_edit_flow, G_TYPE_OBJECT)

/* One save on its way; it belongs to the task that it ends with. */
typedef struct
{
  KbEditFlow *flow;     /* borrowed: the task's source */
  GtkWidget *parent;    /* owned */
  KbChanges *changes;   /* owned */
  KbProposal *proposal; /* owned, nullable */
  GTask *task;          /* owned until it is returned */
} Request;

static void take_proposal (Request *request);
static void propose (Request *request);
static void start_next (KbEditFlow *self);

static void
request_free (gpointer data)
{
  Request *request = data;

  g_clear_object (&request->parent);
  kb_changes_unref (request->changes);
  g_clear_object (&request->proposal);
  g_free (request);
}

static void
finish (Request *request, gboolean saved)
{
  g_autoptr (GTask) task = g_steal_pointer (&request->task);
  g_autoptr (KbEditFlow) self = g_object_ref (request->flow);

  self->busy = FALSE;
  g_task_return_boolean (task, saved);
  start_next (self);
}

/* The form that asked may be gone by now; the window is not. */
static GtkWidget *
get_parent (KbEditFlow *self, GtkWidget *parent)
{
  return gtk_widget_get_root (parent) != NULL ? parent : GTK_WIDGET (self->toasts);
}

static void
present (KbEditFlow *self, AdwDialog *dialog, GtkWidget *parent)
{
  adw_dialog_present (dialog, get_parent (self, parent));
}

/* A window that is closed takes its dialogs along, and they do not answer then. */
static void
question_destroy_cb (GtkWidget *dialog, gpointer user_data)
{
  g_signal_handlers_disconnect_by_data (dialog, user_data);
  finish (user_data, FALSE);
}

static void
ask (Request *request, AdwDialog *dialog, GCallback response_cb)
{
  g_signal_connect (dialog, "response", response_cb, request);
  g_signal_connect (dialog, "destroy", G_CALLBACK (question_destroy_cb), request);
  present (request->flow, dialog, request->parent);
}

static void
show_failure (KbEditFlow *self, GtkWidget *parent, const GError *error)
{
  g_debug ("not saved: %s", g_quark_to_string (error->domain));
  if (kb_editor_classify (error) != KB_EDITOR_FAILURE_CANCELLED && self->toasts != NULL)
    present (self, ADW_DIALOG (kb_edit_question_new_failure (error)), parent);
}

static void
undo_clicked_cb (KbEditFlow *self)
{
  g_assert (KB_IS_EDIT_FLOW (self));
  kb_edit_flow_undo (self, GTK_WIDGET (self->toasts));
}

/* A toast of the window would be hidden behind a dialog that has its own. */
static AdwToastOverlay *
find_overlay (KbEditFlow *self, GtkWidget *parent)
{
  GtkWidget *overlay
      = parent != NULL ? gtk_widget_get_ancestor (parent, ADW_TYPE_TOAST_OVERLAY) : NULL;

  return overlay != NULL ? ADW_TOAST_OVERLAY (overlay) : self->toasts;
}

static void
show_toast (KbEditFlow *self, GtkWidget *parent, const char *text, gboolean can_undo)
{
  AdwToastOverlay *overlay = find_overlay (self, parent);
  AdwToast *toast;

  if (self->toast != NULL)
    adw_toast_dismiss (self->toast);
  if (overlay == NULL)
    return;
  toast = adw_toast_new (text);
  adw_toast_set_use_markup (toast, FALSE);
  if (can_undo)
    {
      adw_toast_set_button_label (toast, _ ("_Undo"));
      g_signal_connect_object (toast, "button-clicked", G_CALLBACK (undo_clicked_cb), self,
                               G_CONNECT_SWAPPED);
    }
  g_set_weak_pointer (&self->toast, toast);
  adw_toast_overlay_add_toast (overlay, toast);
}

static void conflict_response_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data);

static void
ask_about_conflict (Request *request)
{
  const KbEditConflict *conflict = kb_proposal_get_conflict (request->proposal);

  ask (request, ADW_DIALOG (kb_edit_question_new_conflict (conflict)),
       G_CALLBACK (conflict_response_cb));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *request = user_data;
  KbEditFlow *self = request->flow;
  g_autoptr (GError) error = NULL;

  if (kb_editor_save_finish (KB_EDITOR (source), result, &error))
    {
      show_toast (self, request->parent, kb_proposal_get_description (request->proposal),
                  kb_editor_get_can_undo (self->editor));
      finish (request, TRUE);
    }
  else if (kb_proposal_get_conflict (request->proposal) != NULL && self->toasts != NULL)
    ask_about_conflict (request);
  else
    {
      show_failure (self, request->parent, error);
      finish (request, FALSE);
    }
}

static void
save (Request *request)
{
  kb_editor_save_async (request->flow->editor, request->proposal, request->flow->cancellable,
                        saved_cb, request);
}

static void
review_response_cb (KbReviewDialog *dialog, gboolean wanted, gpointer user_data)
{
  Request *request = user_data;

  g_signal_handlers_disconnect_by_data (dialog, request);
  if (wanted)
    save (request);
  else
    finish (request, FALSE);
}

static void
review (Request *request)
{
  ask (request, kb_review_dialog_new (request->proposal), G_CALLBACK (review_response_cb));
}

static void
overruled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (KbProposal) proposal = kb_editor_overrule_finish (KB_EDITOR (source), result, &error);

  if (proposal != NULL)
    take_proposal (request);
  else
    {
      show_failure (request->flow, request->parent, error);
      finish (request, FALSE);
    }
}

static void
conflict_response_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  Request *request = user_data;

  g_signal_handlers_disconnect_by_data (dialog, request);
  if (g_str_equal (response, "mine"))
    kb_editor_overrule_async (request->flow->editor, request->proposal, request->flow->cancellable,
                              overruled_cb, request);
  else
    finish (request, FALSE);
}

static void
take_proposal (Request *request)
{
  KbEditFlow *self = request->flow;

  if (self->toasts == NULL)
    finish (request, FALSE); /* the window is gone */
  else if (kb_proposal_get_conflict (request->proposal) != NULL)
    ask_about_conflict (request);
  else if (kb_proposal_is_empty (request->proposal))
    finish (request, TRUE); /* it is so already */
  else if (self->review_always || kb_proposal_get_needs_review (request->proposal))
    review (request);
  else
    save (request);
}

static void
expression_response_cb (AdwAlertDialog *dialog, const char *response, gpointer user_data)
{
  Request *request = user_data;

  g_signal_handlers_disconnect_by_data (dialog, request);
  if (!g_str_equal (response, "replace"))
    {
      finish (request, FALSE);
      return;
    }
  kb_changes_allow_expressions (request->changes);
  propose (request);
}

static void
ask_about_expression (Request *request, const GError *error)
{
  ask (request, ADW_DIALOG (kb_edit_question_new_expression (error)),
       G_CALLBACK (expression_response_cb));
}

static void
proposed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *request = user_data;
  g_autoptr (GError) error = NULL;

  request->proposal = kb_editor_propose_finish (KB_EDITOR (source), result, &error);
  if (request->proposal != NULL)
    take_proposal (request);
  else if (kb_editor_classify (error) == KB_EDITOR_FAILURE_EXPRESSION
           && request->flow->toasts != NULL)
    ask_about_expression (request, error);
  else
    {
      show_failure (request->flow, request->parent, error);
      finish (request, FALSE);
    }
}

static void
propose (Request *request)
{
  g_clear_object (&request->proposal);
  kb_editor_propose_async (request->flow->editor, request->changes, request->flow->cancellable,
                           proposed_cb, request);
}

static void
start_next (KbEditFlow *self)
{
  Request *request = self->busy ? NULL : g_queue_pop_head (self->waiting);

  if (request == NULL)
    return;
  self->busy = TRUE;
  propose (request);
}

static void
kb_edit_flow_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch ((KbEditFlowProperty) id)
    {
    case PROP_REVIEW_ALWAYS:
      g_value_set_boolean (value, KB_EDIT_FLOW (object)->review_always);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_edit_flow_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch ((KbEditFlowProperty) id)
    {
    case PROP_REVIEW_ALWAYS:
      kb_edit_flow_set_review_always (KB_EDIT_FLOW (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_edit_flow_dispose (GObject *object)
{
  KbEditFlow *self = KB_EDIT_FLOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_weak_pointer (&self->toasts);
  g_clear_weak_pointer (&self->toast);
  g_clear_object (&self->editor);

  G_OBJECT_CLASS (kb_edit_flow_parent_class)->dispose (object);
}

static void
kb_edit_flow_finalize (GObject *object)
{
  KbEditFlow *self = KB_EDIT_FLOW (object);

  g_queue_free (self->waiting);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (kb_edit_flow_parent_class)->finalize (object);
}

static void
kb_edit_flow_class_init (KbEditFlowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = kb_edit_flow_get_property;
  object_class->set_property = kb_edit_flow_set_property;
  object_class->dispose = kb_edit_flow_dispose;
  object_class->finalize = kb_edit_flow_finalize;

  properties[PROP_REVIEW_ALWAYS]
      = g_param_spec_boolean ("review-always", NULL, NULL, FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
kb_edit_flow_init (KbEditFlow *self)
{
  self->waiting = g_queue_new ();
  self->cancellable = g_cancellable_new ();
}

KbEditFlow *
kb_edit_flow_new (KbEditor *editor, AdwToastOverlay *toasts)
{
  KbEditFlow *self;

  g_return_val_if_fail (KB_IS_EDITOR (editor), NULL);
  g_return_val_if_fail (ADW_IS_TOAST_OVERLAY (toasts), NULL);

  self = g_object_new (KB_TYPE_EDIT_FLOW, NULL);
  self->editor = g_object_ref (editor);
  g_set_weak_pointer (&self->toasts, toasts);
  return self;
}

KbEditor *
kb_edit_flow_get_editor (KbEditFlow *self)
{
  g_return_val_if_fail (KB_IS_EDIT_FLOW (self), NULL);
  return self->editor;
}

void
kb_edit_flow_save_async (KbEditFlow *self,
                         GtkWidget *parent,
                         KbChanges *changes,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Request *request;

  g_return_if_fail (KB_IS_EDIT_FLOW (self));
  g_return_if_fail (GTK_IS_WIDGET (parent));
  g_return_if_fail (changes != NULL);

  request = g_new0 (Request, 1);
  request->flow = self;
  request->parent = g_object_ref (parent);
  request->changes = kb_changes_ref (changes);
  request->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (request->task, kb_edit_flow_save_async);
  g_task_set_task_data (request->task, request, request_free);
  g_queue_push_tail (self->waiting, request);
  start_next (self);
}

gboolean
kb_edit_flow_save_finish (KbEditFlow *self, GAsyncResult *result)
{
  g_return_val_if_fail (KB_IS_EDIT_FLOW (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), NULL);
}

/* An undo on its way. */
typedef struct
{
  KbEditFlow *flow;  /* owned */
  GtkWidget *parent; /* owned */
} Undoing;

static void
undone_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Undoing *undoing = user_data;
  g_autoptr (KbEditFlow) self = undoing->flow;
  g_autoptr (GtkWidget) parent = undoing->parent;
  g_autoptr (GError) error = NULL;
  g_autofree char *description = kb_editor_undo_finish (KB_EDITOR (source), result, &error);

  g_free (undoing);
  self->busy = FALSE;
  if (description != NULL)
    {
      /* Translators: %s is what was done, as in "Moved glm-5.3 up" */
      g_autofree char *text = g_strdup_printf (_ ("Took back “%s”"), description);

      show_toast (self, parent, text, FALSE);
    }
  else
    show_failure (self, parent, error);
  start_next (self);
}

void
kb_edit_flow_undo (KbEditFlow *self, GtkWidget *parent)
{
  Undoing *undoing;

  g_return_if_fail (KB_IS_EDIT_FLOW (self));
  g_return_if_fail (GTK_IS_WIDGET (parent));

  if (self->busy || !kb_editor_get_can_undo (self->editor))
    return;
  self->busy = TRUE;
  undoing = g_new0 (Undoing, 1);
  undoing->flow = g_object_ref (self);
  undoing->parent = g_object_ref (parent);
  kb_editor_undo_async (self->editor, self->cancellable, undone_cb, undoing);
}

gboolean
kb_edit_flow_get_busy (KbEditFlow *self)
{
  g_return_val_if_fail (KB_IS_EDIT_FLOW (self), FALSE);
  return self->busy;
}

gboolean
kb_edit_flow_get_review_always (KbEditFlow *self)
{
  g_return_val_if_fail (KB_IS_EDIT_FLOW (self), FALSE);
  return self->review_always;
}

void
kb_edit_flow_set_review_always (KbEditFlow *self, gboolean review_always)
{
  g_return_if_fail (KB_IS_EDIT_FLOW (self));

  if (self->review_always == review_always)
    return;
  self->review_always = review_always;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REVIEW_ALWAYS]);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-review-dialog.h"

#include <glib/gi18n-lib.h>

/* How strongly a changed line is tinted: its sign and its text must stay legible. */
#define TINT 0.16f

#define HANG 24

struct _KbReviewDialog
{
  AdwDialog parent_instance;

  AdwActionRow *file_row;
  GtkListBox *notes;
  GtkLabel *added;
  GtkLabel *removed;
  GtkTextView *diff;

  KbProposal *proposal; /* owned */
  gulong dark_handler;
  gboolean answered;
};

G_DEFINE_FINAL_TYPE (KbReviewDialog, kb_review_dialog, ADW_TYPE_DIALOG)

enum
{
  SIGNAL_RESPONSE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
answer (KbReviewDialog *self, gboolean save)
{
  if (self->answered)
    return;
  self->answered = TRUE;
  g_signal_emit (self, signals[SIGNAL_RESPONSE], 0, save);
}

static void
save_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  KbReviewDialog *self = KB_REVIEW_DIALOG (widget);

  answer (self, TRUE);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
cancel_cb (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  adw_dialog_close (ADW_DIALOG (widget));
}

static void
closed_cb (KbReviewDialog *self)
{
  g_assert (KB_IS_REVIEW_DIALOG (self));
  answer (self, FALSE);
}

static void
tint (KbReviewDialog *self, const char *name, GtkLabel *model)
{
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (gtk_text_view_get_buffer (self->diff));
  GtkTextTag *tag = gtk_text_tag_table_lookup (table, name);
  GdkRGBA colour;

  gtk_widget_get_color (GTK_WIDGET (model), &colour);
  colour.alpha = TINT;
  g_object_set (tag, "paragraph-background-rgba", &colour, NULL);
}

static void
update_tints (KbReviewDialog *self)
{
  tint (self, "added", self->added);
  tint (self, "removed", self->removed);
}

static void
append_line (GtkTextBuffer *buffer, const char *line, gsize length, const char *tag)
{
  GtkTextIter end;
  g_autofree char *valid = g_utf8_make_valid (line, (gssize) length);

  gtk_text_buffer_get_end_iter (buffer, &end);
  if (tag != NULL)
    gtk_text_buffer_insert_with_tags_by_name (buffer, &end, valid, -1, tag, NULL);
  else
    gtk_text_buffer_insert (buffer, &end, valid, -1);
}

static const char *
get_tag (char sign)
{
  switch (sign)
    {
    case '+':
      return "added";
    case '-':
      return "removed";
    case '@':
    case '\\':
      return "aside";
    default:
      return NULL;
    }
}

/* The names of the two versions are no news: the file is named above. */
static const char *
skip_names (const char *diff)
{
  for (guint i = 0; i < 2 && (g_str_has_prefix (diff, "--- ") || g_str_has_prefix (diff, "+++ "));
       i++)
    diff = strchr (diff, '\n') != NULL ? strchr (diff, '\n') + 1 : "";
  return diff;
}

static void
count_lines (KbReviewDialog *self, guint n_added, guint n_removed)
{
  g_autofree char *added = g_strdup_printf (
      /* Translators: how many lines a change adds to a file */
      g_dngettext (GETTEXT_PACKAGE, "+ %u line added", "+ %u lines added", n_added), n_added);
  g_autofree char *removed = g_strdup_printf (
      /* Translators: how many lines a change takes out of a file */
      g_dngettext (GETTEXT_PACKAGE, "− %u line removed", "− %u lines removed", n_removed),
      n_removed);

  gtk_label_set_label (self->added, added);
  gtk_label_set_label (self->removed, removed);
}

static void
show_diff (KbReviewDialog *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->diff);
  const char *line = skip_names (kb_proposal_get_diff (self->proposal));
  guint n_added = 0, n_removed = 0;

  /* What a long line goes on with stands behind its sign. */
  gtk_text_view_set_indent (self->diff, -HANG);
  gtk_text_view_set_left_margin (self->diff, HANG / 2);
  gtk_text_buffer_create_tag (buffer, "added", NULL);
  gtk_text_buffer_create_tag (buffer, "removed", NULL);
  gtk_text_buffer_create_tag (buffer, "aside", "style", PANGO_STYLE_ITALIC, NULL);
  while (*line != '\0')
    {
      const char *end = strchr (line, '\n');
      gsize length = end != NULL ? (gsize) (end - line) + 1 : strlen (line);
      gboolean last = line[length] == '\0';

      n_added += *line == '+';
      n_removed += *line == '-';
      append_line (buffer, line, last && end != NULL ? length - 1 : length, get_tag (*line));
      line += length;
    }
  count_lines (self, n_added, n_removed);
}

static void
add_note (KbReviewDialog *self, const char *icon, const char *text, const char *more)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *image = gtk_image_new_from_icon_name (icon);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), text);
  if (more != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), more);
  gtk_widget_set_valign (image, GTK_ALIGN_CENTER);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), image);
  gtk_list_box_append (self->notes, row);
}

static void
show_notes (KbReviewDialog *self)
{
  const GPtrArray *notes = kb_proposal_get_notes (self->proposal);
  const GPtrArray *warnings = kb_proposal_get_warnings (self->proposal);

  for (guint i = 0; i < warnings->len; i++)
    {
      const KbProblem *problem = warnings->pdata[i];

      add_note (self, "dialog-warning-symbolic", problem->message, problem->hint);
    }
  for (guint i = 0; i < notes->len; i++)
    add_note (self, "dialog-information-symbolic", notes->pdata[i], NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->notes), notes->len + warnings->len > 0);
}

static void
kb_review_dialog_dispose (GObject *object)
{
  KbReviewDialog *self = KB_REVIEW_DIALOG (object);

  g_clear_signal_handler (&self->dark_handler, adw_style_manager_get_default ());
  g_clear_object (&self->proposal);
  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_REVIEW_DIALOG);

  G_OBJECT_CLASS (kb_review_dialog_parent_class)->dispose (object);
}

static void
kb_review_dialog_class_init (KbReviewDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_review_dialog_dispose;

  signals[SIGNAL_RESPONSE] = g_signal_new ("response", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-review-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, KbReviewDialog, file_row);
  gtk_widget_class_bind_template_child (widget_class, KbReviewDialog, notes);
  gtk_widget_class_bind_template_child (widget_class, KbReviewDialog, added);
  gtk_widget_class_bind_template_child (widget_class, KbReviewDialog, removed);
  gtk_widget_class_bind_template_child (widget_class, KbReviewDialog, diff);
  gtk_widget_class_bind_template_callback (widget_class, closed_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_tints);
  gtk_widget_class_install_action (widget_class, "review.save", NULL, save_cb);
  gtk_widget_class_install_action (widget_class, "review.cancel", NULL, cancel_cb);
}

static void
kb_review_dialog_init (KbReviewDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwDialog *
kb_review_dialog_new (KbProposal *proposal)
{
  KbReviewDialog *self;

  g_return_val_if_fail (KB_IS_PROPOSAL (proposal), NULL);

  self = g_object_new (KB_TYPE_REVIEW_DIALOG, NULL);
  self->proposal = g_object_ref (proposal);
  adw_action_row_set_subtitle (self->file_row, kb_proposal_get_path (proposal));
  show_diff (self);
  show_notes (self);
  update_tints (self);
  self->dark_handler = g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                                                G_CALLBACK (update_tints), self, G_CONNECT_SWAPPED);
  return ADW_DIALOG (self);
}

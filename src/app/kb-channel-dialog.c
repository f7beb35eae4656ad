// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-channel-dialog.h"

#include <glib/gi18n-lib.h>

struct _KbChannelDialog
{
  AdwDialog parent_instance;

  GtkSearchEntry *search;
  GtkListBox *typed_list;
  AdwActionRow *typed_row;
  GtkImage *typed_icon;
  GtkStack *stack;
  GtkListView *list;
  AdwStatusPage *nothing;

  KbProfile *profile; /* owned */
  KbSnapshot *files;  /* owned, nullable */
  KbChannelDialogPurpose purpose;
  GListModel *choices; /* owned */
  GtkFilter *filter;   /* owned */
  char *words;         /* owned: casefolded */
  KbChannelRef *typed; /* owned, nullable: the name in the entry */
};

G_DEFINE_FINAL_TYPE (KbChannelDialog, kb_channel_dialog, ADW_TYPE_DIALOG)

enum
{
  SIGNAL_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
is_taken (KbChannelDialog *self, guint position)
{
  return self->purpose == KB_CHANNEL_DIALOG_ADD && position > 0;
}

static gboolean
can_choose (KbChannelDialog *self, KbChannelChoice *choice)
{
  return !is_taken (self, kb_channel_choice_get_position (choice));
}

static void
choose_ref (KbChannelDialog *self, const KbChannelRef *ref)
{
  g_autoptr (KbChannelRef) copy = kb_channel_ref_copy (ref);

  adw_dialog_close (ADW_DIALOG (self));
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, copy);
}

/* Of a provider whose models only the host knows, the model is left to be typed. */
static void
begin_name (KbChannelDialog *self, const KbChannelRef *ref)
{
  g_autofree char *text = g_strconcat (ref->provider, "::", NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->search), text);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  gtk_editable_set_position (GTK_EDITABLE (self->search), -1);
}

static void
choose (KbChannelDialog *self, KbChannelChoice *choice)
{
  if (!can_choose (self, choice))
    return;
  if (kb_channel_choice_is_complete (choice))
    choose_ref (self, kb_channel_choice_get_ref (choice));
  else
    begin_name (self, kb_channel_choice_get_ref (choice));
}

static void
list_activate_cb (KbChannelDialog *self, guint position)
{
  g_autoptr (KbChannelChoice) choice
      = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (self->list)), position);

  g_assert (KB_IS_CHANNEL_DIALOG (self));
  if (choice != NULL)
    choose (self, choice);
}

static void
typed_activated_cb (KbChannelDialog *self)
{
  g_assert (KB_IS_CHANNEL_DIALOG (self));
  if (self->typed != NULL)
    choose_ref (self, self->typed);
}

static KbChannelChoice *
find_choice (KbChannelDialog *self, const KbChannelRef *ref)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->choices); i++)
    {
      g_autoptr (KbChannelChoice) choice = g_list_model_get_item (self->choices, i);

      if (g_str_equal (kb_channel_choice_get_ref (choice)->id, ref->id))
        return choice; /* the list keeps it */
    }
  return NULL;
}

static char *
describe_taken (guint position)
{
  return g_strdup_printf (_ ("Already in the chain, at position %u"), position);
}

/* What is typed is offered as it is, unless the list below has it. */
static void
update_typed (KbChannelDialog *self)
{
  KbChannelChoice *known = self->typed != NULL ? find_choice (self, self->typed) : NULL;
  guint position = known != NULL ? kb_channel_choice_get_position (known) : 0;
  gboolean taken = is_taken (self, position);
  g_autofree char *title = NULL;
  g_autofree char *subtitle = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->typed_list),
                          self->typed != NULL && (known == NULL || taken));
  if (self->typed == NULL)
    return;
  title = g_strdup_printf (self->purpose == KB_CHANNEL_DIALOG_ADD ? _ ("Add “%s”") : _ ("Use “%s”"),
                           self->typed->id);
  subtitle = taken ? describe_taken (position)
                   : kb_channel_choice_warn (self->profile, self->files, self->typed);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->typed_row), title);
  adw_action_row_set_subtitle (self->typed_row, subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (GTK_WIDGET (self->typed_icon), subtitle != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->typed_row), !taken);
}

static void
update_stack (KbChannelDialog *self)
{
  guint n_shown = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (self->list)));
  gboolean none = g_list_model_get_n_items (self->choices) == 0;

  adw_status_page_set_title (self->nothing, none ? _ ("No Models Yet") : _ ("No Results Found"));
  gtk_stack_set_visible_child_name (self->stack,
                                    n_shown > 0 || self->typed != NULL ? "list" : "nothing");
}

static void
search_changed_cb (KbChannelDialog *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  g_assert (KB_IS_CHANNEL_DIALOG (self));

  g_free (self->words);
  self->words = g_utf8_casefold (text, -1);
  g_clear_pointer (&self->typed, kb_channel_ref_free);
  self->typed = kb_channel_choice_parse (self->profile, text);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  update_typed (self);
  update_stack (self);
}

static KbChannelChoice *
find_first (KbChannelDialog *self)
{
  GListModel *shown = G_LIST_MODEL (gtk_list_view_get_model (self->list));

  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (KbChannelChoice) choice = g_list_model_get_item (shown, i);

      if (can_choose (self, choice))
        return g_steal_pointer (&choice);
    }
  return NULL;
}

/* Enter takes what is typed in full, else the first that matches. */
static void
search_activate_cb (KbChannelDialog *self)
{
  KbChannelChoice *known = self->typed != NULL ? find_choice (self, self->typed) : NULL;
  g_autoptr (KbChannelChoice) first = NULL;

  g_assert (KB_IS_CHANNEL_DIALOG (self));

  if (known != NULL)
    choose (self, known);
  else if (self->typed != NULL)
    choose_ref (self, self->typed);
  else if ((first = find_first (self)) != NULL)
    choose (self, first);
}

static gboolean
search_key_cb (KbChannelDialog *self, guint key, guint code, GdkModifierType modifiers)
{
  if (key != GDK_KEY_Down || (modifiers & GDK_MODIFIER_MASK) != 0)
    return GDK_EVENT_PROPAGATE;
  if (gtk_widget_get_visible (GTK_WIDGET (self->typed_list))
      && gtk_widget_get_sensitive (GTK_WIDGET (self->typed_row)))
    gtk_widget_grab_focus (GTK_WIDGET (self->typed_row));
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->list));
  return GDK_EVENT_STOP;
}

static void
search_stop_cb (KbChannelDialog *self)
{
  g_assert (KB_IS_CHANNEL_DIALOG (self));
  adw_dialog_close (ADW_DIALOG (self));
}

static gboolean
match_choice (gpointer item, gpointer user_data)
{
  KbChannelDialog *self = KB_CHANNEL_DIALOG (user_data);

  return kb_channel_choice_matches (KB_CHANNEL_CHOICE (item),
                                    self->words != NULL ? self->words : "");
}

static GtkWidget *
create_label (gboolean caption)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  if (caption)
    {
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (label, "dim-label");
    }
  return label;
}

static void
item_setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_widget_add_css_class (box, "choice");
  gtk_box_append (GTK_BOX (box), create_label (FALSE));
  gtk_box_append (GTK_BOX (box), create_label (TRUE));
  gtk_list_item_set_child (item, box);
}

static char *
describe_choice (KbChannelDialog *self, KbChannelChoice *choice)
{
  const char *provider = kb_channel_choice_get_provider_name (choice);
  guint position = kb_channel_choice_get_position (choice);
  g_autofree char *taken = NULL;

  if (!kb_channel_choice_is_complete (choice))
    return g_strdup (_ ("Type its name"));
  if (!is_taken (self, position))
    return g_strdup (provider);
  taken = describe_taken (position);
  /* Translators: a provider, then "Already in the chain, at position 2" */
  return g_strdup_printf (_ ("%1$s · %2$s"), provider, taken);
}

static char *
get_title (KbChannelChoice *choice)
{
  if (kb_channel_choice_is_complete (choice))
    return g_strdup (kb_channel_choice_get_ref (choice)->model);
  /* Translators: %s is a provider whose models are not all listed in the files */
  return g_strdup_printf (_ ("Another model of %s"), kb_channel_choice_get_provider_name (choice));
}

static void
item_bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  KbChannelDialog *self = KB_CHANNEL_DIALOG (user_data);
  KbChannelChoice *choice = gtk_list_item_get_item (item);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *title = gtk_widget_get_first_child (box);
  GtkWidget *subtitle = gtk_widget_get_last_child (box);
  gboolean possible = can_choose (self, choice);
  g_autofree char *name = get_title (choice);
  g_autofree char *text = describe_choice (self, choice);

  gtk_label_set_label (GTK_LABEL (title), name);
  gtk_label_set_label (GTK_LABEL (subtitle), text);
  gtk_widget_set_sensitive (box, possible);
  gtk_list_item_set_activatable (item, possible);
  gtk_list_item_set_accessible_label (item, name);
  gtk_list_item_set_accessible_description (item, text);
}

static void
kb_channel_dialog_dispose (GObject *object)
{
  KbChannelDialog *self = KB_CHANNEL_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), KB_TYPE_CHANNEL_DIALOG);
  g_clear_object (&self->choices);
  g_clear_object (&self->filter);

  G_OBJECT_CLASS (kb_channel_dialog_parent_class)->dispose (object);
}

static void
kb_channel_dialog_finalize (GObject *object)
{
  KbChannelDialog *self = KB_CHANNEL_DIALOG (object);

  kb_profile_unref (self->profile);
  kb_snapshot_unref (self->files);
  kb_channel_ref_free (self->typed);
  g_free (self->words);

  G_OBJECT_CLASS (kb_channel_dialog_parent_class)->finalize (object);
}

static void
kb_channel_dialog_class_init (KbChannelDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = kb_channel_dialog_dispose;
  object_class->finalize = kb_channel_dialog_finalize;

  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-channel-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, search);
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, typed_list);
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, typed_row);
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, typed_icon);
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, list);
  gtk_widget_class_bind_template_child (widget_class, KbChannelDialog, nothing);
  gtk_widget_class_bind_template_callback (widget_class, list_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, typed_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activate_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_key_cb);
}

static void
kb_channel_dialog_init (KbChannelDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* What can be chosen comes first; as a backup, what is in the chain does. */
static int
compare_choices (gconstpointer a, gconstpointer b, gpointer user_data)
{
  KbChannelDialog *self = KB_CHANNEL_DIALOG (user_data);
  guint first = kb_channel_choice_get_position ((KbChannelChoice *) a);
  guint second = kb_channel_choice_get_position ((KbChannelChoice *) b);
  int order = self->purpose == KB_CHANNEL_DIALOG_ADD ? 1 : -1;

  if ((first > 0) != (second > 0))
    return first > 0 ? order : -order;
  return first < second ? -1 : first > second;
}

static void
set_up_list (KbChannelDialog *self)
{
  GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare_choices, self, NULL));
  GtkSortListModel *sorted = gtk_sort_list_model_new (g_object_ref (self->choices), sorter);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkFilterListModel *shown;
  GtkNoSelection *selection;

  self->filter = GTK_FILTER (gtk_custom_filter_new (match_choice, self, NULL));
  shown = gtk_filter_list_model_new (G_LIST_MODEL (sorted), g_object_ref (self->filter));
  selection = gtk_no_selection_new (G_LIST_MODEL (shown));
  g_signal_connect_object (factory, "setup", G_CALLBACK (item_setup_cb), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (item_bind_cb), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
}

AdwDialog *
kb_channel_dialog_new (KbProfile *profile, KbSnapshot *files, KbChannelDialogPurpose purpose)
{
  KbChannelDialog *self;

  g_return_val_if_fail (profile != NULL, NULL);

  self = g_object_new (KB_TYPE_CHANNEL_DIALOG, NULL);
  self->profile = kb_profile_ref (profile);
  self->files = files != NULL ? kb_snapshot_ref (files) : NULL;
  self->purpose = purpose;
  self->choices = kb_channel_choice_list (profile);
  adw_dialog_set_title (ADW_DIALOG (self),
                        purpose == KB_CHANNEL_DIALOG_ADD ? _ ("Add Channel") : _ ("Choose Backup"));
  set_up_list (self);
  update_stack (self);
  return ADW_DIALOG (self);
}

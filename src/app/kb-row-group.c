// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-row-group.h"

struct _KbRowGroup
{
  AdwPreferencesGroup parent_instance;
};

G_DEFINE_FINAL_TYPE (KbRowGroup, kb_row_group, ADW_TYPE_PREFERENCES_GROUP)

static GtkWidget *
find_list (GtkWidget *widget)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LIST_BOX (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_list (child);
  return found;
}

static gboolean
is_back (GtkDirectionType direction)
{
  return direction == GTK_DIR_TAB_BACKWARD || direction == GTK_DIR_UP;
}

static GtkWidget *
get_next (GtkWidget *row, GtkDirectionType direction)
{
  return is_back (direction) ? gtk_widget_get_prev_sibling (row)
                             : gtk_widget_get_next_sibling (row);
}

/* The tab key also stops at what else there is in a row. */
static gboolean
enter (GtkWidget *row, GtkDirectionType direction)
{
  if (direction == GTK_DIR_UP || direction == GTK_DIR_DOWN)
    return gtk_widget_get_mapped (row) && gtk_widget_grab_focus (row);
  return gtk_widget_child_focus (row, direction);
}

/* Into the list, or on from the row that has the focus. */
static gboolean
walk (GtkWidget *list, GtkDirectionType direction)
{
  GtkWidget *row = gtk_widget_get_focus_child (list);

  if (row == NULL)
    row = is_back (direction) ? gtk_widget_get_last_child (list)
                              : gtk_widget_get_first_child (list);
  else if (direction == GTK_DIR_UP || direction == GTK_DIR_DOWN)
    row = get_next (row, direction);
  while (row != NULL && !enter (row, direction))
    row = get_next (row, direction);
  return row != NULL;
}

/* Above the list there may be a button: the way back leads to it after the rows. */
gboolean
kb_row_group_walk (GtkWidget *widget, GtkDirectionType direction)
{
  GtkWidget *list = find_list (widget);
  gboolean vertical = direction != GTK_DIR_LEFT && direction != GTK_DIR_RIGHT;
  gboolean rows_first = gtk_widget_get_focus_child (list) != NULL
                        || (is_back (direction) && gtk_widget_get_focus_child (widget) == NULL);

  if (vertical && rows_first && walk (list, direction))
    return TRUE;
  if (GTK_WIDGET_CLASS (kb_row_group_parent_class)->focus (widget, direction)) /* any group's */
    return TRUE;
  return vertical && !rows_first && !is_back (direction) && walk (list, direction);
}

/* The arrow keys. */
static void
move_cursor_cb (GtkWidget *list, GtkMovementStep step, int count, gboolean extend, gboolean modify)
{
  GtkDirectionType direction = count < 0 ? GTK_DIR_UP : GTK_DIR_DOWN;

  if (step != GTK_MOVEMENT_DISPLAY_LINES || extend || modify)
    return;
  g_signal_stop_emission_by_name (list, "move-cursor");
  if (!walk (list, direction))
    gtk_widget_keynav_failed (list, direction);
}

void
kb_row_group_follow_arrows (GtkWidget *group)
{
  g_signal_connect (find_list (group), "move-cursor", G_CALLBACK (move_cursor_cb), NULL);
}

static void
kb_row_group_class_init (KbRowGroupClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = kb_row_group_walk;
}

static void
kb_row_group_init (KbRowGroup *self)
{
  kb_row_group_follow_arrows (GTK_WIDGET (self));
}

GtkWidget *
kb_row_group_new (void)
{
  return g_object_new (KB_TYPE_ROW_GROUP, NULL);
}

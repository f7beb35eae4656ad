// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ui/find-widget.h"

#include "app/kb-channel-row.h"

typedef gboolean (*Match) (GtkWidget *widget, gconstpointer wanted);

static GtkWidget *
find (GtkWidget *widget, Match match, gconstpointer wanted)
{
  if (match (widget, wanted))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, match, wanted);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_type (GtkWidget *widget, gconstpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, *(const GType *) type);
}

static gboolean
shows_channel (GtkWidget *widget, gconstpointer id)
{
  KbChannel *channel;

  if (!KB_IS_CHANNEL_ROW (widget))
    return FALSE;
  channel = kb_channel_row_get_channel (KB_CHANNEL_ROW (widget));
  return g_str_equal (kb_channel_get_id (channel), id);
}

GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  return find (widget, has_type, &type);
}

GtkWidget *
find_channel_row (GtkWidget *widget, const char *id)
{
  return find (widget, shows_channel, id);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/alive.h"

#include "app/app-fixture.h"
#include "app/kb-window-private.h"

struct _Alive
{
  GHashTable *names; /* owned: of the types, by object */
};

Alive *
alive_new (void)
{
  Alive *alive = g_new (Alive, 1);

  alive->names = g_hash_table_new (NULL, NULL);
  return alive;
}

static void
gone_cb (gpointer user_data, GObject *object)
{
  Alive *alive = user_data;

  g_hash_table_remove (alive->names, object);
}

void
alive_free (Alive *alive)
{
  GHashTableIter iter;
  gpointer object;

  g_hash_table_iter_init (&iter, alive->names);
  while (g_hash_table_iter_next (&iter, &object, NULL))
    g_object_weak_unref (object, gone_cb, alive);
  g_hash_table_unref (alive->names);
  g_free (alive);
}

void
alive_follow (Alive *alive, gpointer object)
{
  const char *name = object != NULL ? G_OBJECT_TYPE_NAME (object) : "";

  if (!g_str_has_prefix (name, "Kb") || g_hash_table_contains (alive->names, object))
    return;
  g_hash_table_insert (alive->names, object, (gpointer) name);
  g_object_weak_ref (object, gone_cb, alive);
}

void
alive_follow_widgets (Alive *alive, GtkWidget *widget)
{
  alive_follow (alive, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    alive_follow_widgets (alive, child);
}

static void
follow_items (Alive *alive, GListModel *list)
{
  alive_follow (alive, list);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (list, i);

      alive_follow (alive, item);
    }
}

void
alive_follow_window (Alive *alive, KbWindow *window)
{
  alive_follow_widgets (alive, GTK_WIDGET (window));
  alive_follow (alive, window->ticker);
  alive_follow (alive, window->announcer);
  alive_follow (alive, window->flow);
  alive_follow (alive, window->forms);
  alive_follow (alive, window->monitor);
  if (window->monitor == NULL)
    return;
  follow_items (alive, kb_monitor_get_channels (window->monitor));
  follow_items (alive, G_LIST_MODEL (kb_monitor_get_history (window->monitor)));
}

gboolean
alive_has (Alive *alive, GType type)
{
  GHashTableIter iter;
  gpointer object;

  g_hash_table_iter_init (&iter, alive->names);
  while (g_hash_table_iter_next (&iter, &object, NULL))
    {
      if (G_TYPE_CHECK_INSTANCE_TYPE (object, type))
        return TRUE;
    }
  return FALSE;
}

static gboolean
all_gone (gpointer user_data)
{
  Alive *alive = user_data;

  return g_hash_table_size (alive->names) == 0;
}

void
alive_wait_gone (Alive *alive)
{
  GHashTableIter iter;
  gpointer name;

  drain ();
  g_hash_table_iter_init (&iter, alive->names);
  while (g_hash_table_iter_next (&iter, NULL, &name))
    g_test_message ("still there at first: %s", (const char *) name);
  wait_for (all_gone, alive);
}

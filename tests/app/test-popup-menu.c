// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-popup-menu.h"

typedef struct
{
  guint n_made;
  GMenu *section; /* of the latest menu, owned */
} Owner;

static GMenu *
create_menu (gpointer user_data)
{
  Owner *owner = user_data;
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  g_menu_append (section, "One", "win.one");
  g_menu_append (section, "Two", "win.two");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_set_object (&owner->section, section);
  owner->n_made++;
  return menu;
}

static void
open_menu (GtkMenuButton *button)
{
  gtk_menu_button_popup (button);
  wait_mapped (GTK_WIDGET (gtk_menu_button_get_popover (button)), TRUE);
}

static void
close_menu (GtkMenuButton *button)
{
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));

  gtk_menu_button_popdown (button);
  wait_mapped (popover, FALSE);
}

static guint
count_items (GMenu *menu)
{
  return (guint) g_menu_model_get_n_items (G_MENU_MODEL (menu));
}

static gboolean
is_empty (gpointer user_data)
{
  return count_items (user_data) == 0;
}

static void
test_lifetime (void)
{
  Owner owner = { 0 };
  GtkWidget *button = gtk_menu_button_new ();
  GtkWindow *window;
  g_autoptr (GMenu) first = NULL;

  kb_popup_menu_attach (GTK_MENU_BUTTON (button), create_menu, &owner);
  window = show_widget (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_assert_cmpuint (owner.n_made, ==, 0);

  open_menu (GTK_MENU_BUTTON (button));
  g_assert_cmpuint (owner.n_made, ==, 1);
  first = g_object_ref (owner.section);
  g_assert_cmpuint (count_items (first), ==, 2);
  close_menu (GTK_MENU_BUTTON (button));

  /* The old one gives back what it held when a new one takes its place. */
  open_menu (GTK_MENU_BUTTON (button));
  g_assert_cmpuint (owner.n_made, ==, 2);
  wait_for (is_empty, first);
  g_assert_cmpuint (count_items (owner.section), ==, 2);
  close_menu (GTK_MENU_BUTTON (button));

  gtk_window_destroy (window);
  wait_for (is_empty, owner.section);
  g_object_unref (owner.section);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  g_test_add_func ("/app/popup-menu/lifetime", test_lifetime);

  return g_test_run ();
}

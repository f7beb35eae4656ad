// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-popup-menu"

#include "config.h"

#include "app/kb-popup-menu.h"

/*
 * Most menus of a window are never opened, so none is built before. And GTK (seen in 4.18) never
 * gives back its reference to a section of a menu that it has shown: what a section holds is
 * taken out of it when the popover goes, and only an empty shell stays.
 */

typedef struct
{
  KbPopupMenuCreate create;
  gpointer owner; /* not owned: the button is a part of it */
} Maker;

static void
empty (GMenuModel *menu)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

      if (section != NULL)
        empty (section);
    }
  g_menu_remove_all (G_MENU (menu));
}

static void
popover_gone_cb (gpointer user_data, GObject *popover)
{
  g_autoptr (GMenuModel) menu = user_data;

  empty (menu);
}

static void
create_popup_cb (GtkMenuButton *button, gpointer user_data)
{
  const Maker *maker = user_data;
  GMenu *menu = maker->create (maker->owner);
  GtkWidget *popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));

  g_object_weak_ref (G_OBJECT (popover), popover_gone_cb, menu);
  gtk_menu_button_set_popover (button, popover);
}

/* @create: (transfer full): is given the owner, whenever the menu opens
 * @owner: lives at least as long as the button */
void
kb_popup_menu_attach (GtkMenuButton *button, KbPopupMenuCreate create, gpointer owner)
{
  Maker *maker;

  g_return_if_fail (GTK_IS_MENU_BUTTON (button));
  g_return_if_fail (create != NULL);

  maker = g_new (Maker, 1);
  maker->create = create;
  maker->owner = owner;
  gtk_menu_button_set_create_popup_func (button, create_popup_cb, maker, g_free);
}

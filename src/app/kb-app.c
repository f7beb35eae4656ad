// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-app.h"

#include <locale.h>

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "kb-resources.h"

#define RESOURCE_PATH "/io/github/koboshi/Koboshi"

void
kb_app_init (void)
{
  const char *localedir = g_getenv ("KOBOSHI_LOCALEDIR");

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, localedir != NULL ? localedir : KB_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  /* A static library is not sure to keep the constructor that would register it. */
  kb_register_resource ();
  g_set_application_name (_ ("Koboshi"));
}

void
kb_app_init_display (void)
{
  GdkDisplay *display = gdk_display_get_default ();
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display),
                                    RESOURCE_PATH "/icons");
  gtk_css_provider_load_from_resource (provider, RESOURCE_PATH "/style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

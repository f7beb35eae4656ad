// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-tray-link.h"

#include "tray/kb-tray.h"

struct _KbTrayLink
{
  GObject parent_instance;

  KbWindow *window;    /* not owned, nullable: it is gone */
  GSettings *settings; /* owned */
  KbTray *tray;        /* owned, nullable */
};

G_DEFINE_FINAL_TYPE (KbTrayLink, kb_tray_link, G_TYPE_OBJECT)

static void
drop_tray (KbTrayLink *self)
{
  if (self->tray != NULL)
    kb_tray_close (self->tray);
  g_clear_object (&self->tray);
}

static void
monitor_cb (KbTrayLink *self)
{
  if (self->tray != NULL && self->window != NULL)
    kb_tray_set_monitor (self->tray, kb_window_get_monitor (self->window));
}

static void
settings_cb (KbTrayLink *self)
{
  gboolean wanted = self->window != NULL && g_settings_get_boolean (self->settings, "tray-icon");

  if (!wanted)
    drop_tray (self);
  else if (self->tray == NULL)
    {
      GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self->window));

      self->tray = kb_tray_new (G_ACTION_GROUP (application));
      monitor_cb (self);
    }
}

/* A hidden window without an icon would be lost. */
static gboolean
close_request_cb (KbTrayLink *self)
{
  if (!g_settings_get_boolean (self->settings, "hide-to-tray")
      || !kb_tray_link_get_available (self))
    return GDK_EVENT_PROPAGATE;
  gtk_widget_set_visible (GTK_WIDGET (self->window), FALSE);
  return GDK_EVENT_STOP;
}

static void
window_gone_cb (gpointer user_data, GObject *window)
{
  KbTrayLink *self = KB_TRAY_LINK (user_data);

  self->window = NULL;
  drop_tray (self);
}

static void
kb_tray_link_dispose (GObject *object)
{
  KbTrayLink *self = KB_TRAY_LINK (object);

  drop_tray (self);
  if (self->window != NULL)
    g_object_weak_unref (G_OBJECT (self->window), window_gone_cb, self);
  self->window = NULL;
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (kb_tray_link_parent_class)->dispose (object);
}

static void
kb_tray_link_class_init (KbTrayLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kb_tray_link_dispose;
}

static void
kb_tray_link_init (KbTrayLink *self)
{
  self->settings = g_settings_new (KB_APPLICATION_ID);
  g_signal_connect_swapped (self->settings, "changed::tray-icon", G_CALLBACK (settings_cb), self);
}

/* @window: a window of an application, whose actions the menu offers */
KbTrayLink *
kb_tray_link_new (KbWindow *window)
{
  KbTrayLink *self;

  g_return_val_if_fail (KB_IS_WINDOW (window), NULL);

  self = g_object_new (KB_TYPE_TRAY_LINK, NULL);
  self->window = window;
  g_object_weak_ref (G_OBJECT (window), window_gone_cb, self);
  g_signal_connect_object (window, "notify::monitor", G_CALLBACK (monitor_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "close-request", G_CALLBACK (close_request_cb), self,
                           G_CONNECT_SWAPPED);
  settings_cb (self);
  return self;
}

gboolean
kb_tray_link_get_available (KbTrayLink *self)
{
  g_return_val_if_fail (KB_IS_TRAY_LINK (self), FALSE);

  return self->tray != NULL && kb_tray_get_available (self->tray);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-tray-icon"

#include "config.h"

#include "tray/kb-tray-icon.h"

#include <glib/gi18n-lib.h>

#include "tray/kb-tray-bus.h"

struct _KbTrayIcon
{
  GObject parent_instance;

  KbTrayBusItem *skeleton; /* owned */
  KbTrayLook *look;        /* owned, nullable */
  char *token;             /* owned, nullable: for the next activation */
};

G_DEFINE_FINAL_TYPE (KbTrayIcon, kb_tray_icon, G_TYPE_OBJECT)

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GVariant *
build_tooltip (const KbTrayLook *look)
{
  return g_variant_new ("(sa(iiay)ss)", "", NULL, look->sentence,
                        look->detail != NULL ? look->detail : "");
}

/* The attention icon is the same: the pose already says what is wrong. */
static void
set_picture (KbTrayIcon *self, const KbTrayLook *look)
{
  g_autoptr (GVariant) pixmap = kb_tray_pixmap_draw (look->pose);
  const char *name = kb_tray_look_get_icon_name (look);

  kb_tray_bus_item_set_icon_name (self->skeleton, name);
  kb_tray_bus_item_set_icon_pixmap (self->skeleton, pixmap);
  kb_tray_bus_item_set_attention_icon_name (self->skeleton, name);
  kb_tray_bus_item_set_attention_icon_pixmap (self->skeleton, pixmap);
  kb_tray_bus_item_emit_new_icon (self->skeleton);
  kb_tray_bus_item_emit_new_attention_icon (self->skeleton);
}

static void
set_words (KbTrayIcon *self, const KbTrayLook *look)
{
  kb_tray_bus_item_set_icon_accessible_desc (self->skeleton, look->sentence);
  kb_tray_bus_item_set_attention_accessible_desc (self->skeleton, look->sentence);
  kb_tray_bus_item_set_tool_tip (self->skeleton, build_tooltip (look));
  kb_tray_bus_item_emit_new_tool_tip (self->skeleton);
}

static void
set_status (KbTrayIcon *self, const KbTrayLook *look)
{
  const char *status = look->attention ? "NeedsAttention" : "Active";

  kb_tray_bus_item_set_status (self->skeleton, status);
  kb_tray_bus_item_emit_new_status (self->skeleton, status);
}

static void
activate (KbTrayIcon *self)
{
  g_autofree char *token = g_steal_pointer (&self->token);

  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0, token);
}

static gboolean
handle_activate_cb (KbTrayIcon *self, GDBusMethodInvocation *invocation, int x, int y)
{
  kb_tray_bus_item_complete_activate (self->skeleton, invocation);
  activate (self);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_secondary_activate_cb (KbTrayIcon *self, GDBusMethodInvocation *invocation, int x, int y)
{
  kb_tray_bus_item_complete_secondary_activate (self->skeleton, invocation);
  activate (self);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* Everything in the menu is in the window too. */
static gboolean
handle_context_menu_cb (KbTrayIcon *self, GDBusMethodInvocation *invocation, int x, int y)
{
  kb_tray_bus_item_complete_context_menu (self->skeleton, invocation);
  activate (self);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_scroll_cb (KbTrayIcon *self,
                  GDBusMethodInvocation *invocation,
                  int delta,
                  const char *orientation)
{
  kb_tray_bus_item_complete_scroll (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_token_cb (KbTrayIcon *self, GDBusMethodInvocation *invocation, const char *token)
{
  g_set_str (&self->token, token);
  kb_tray_bus_item_complete_provide_xdg_activation_token (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
kb_tray_icon_dispose (GObject *object)
{
  KbTrayIcon *self = KB_TRAY_ICON (object);

  kb_tray_icon_unexport (self);
  g_signal_handlers_disconnect_by_data (self->skeleton, self);

  G_OBJECT_CLASS (kb_tray_icon_parent_class)->dispose (object);
}

static void
kb_tray_icon_finalize (GObject *object)
{
  KbTrayIcon *self = KB_TRAY_ICON (object);

  g_clear_object (&self->skeleton);
  g_clear_pointer (&self->look, kb_tray_look_free);
  g_clear_pointer (&self->token, g_free);

  G_OBJECT_CLASS (kb_tray_icon_parent_class)->finalize (object);
}

static void
kb_tray_icon_class_init (KbTrayIconClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_tray_icon_dispose;
  object_class->finalize = kb_tray_icon_finalize;

  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated", KB_TYPE_TRAY_ICON, G_SIGNAL_RUN_LAST, 0,
                                            NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
set_constants (KbTrayBusItem *skeleton)
{
  g_autoptr (GVariant) none = kb_tray_pixmap_empty ();

  kb_tray_bus_item_set_category (skeleton, "ApplicationStatus");
  kb_tray_bus_item_set_id (skeleton, KB_APPLICATION_ID);
  kb_tray_bus_item_set_title (skeleton, _ ("Koboshi"));
  kb_tray_bus_item_set_icon_theme_path (skeleton, "");
  kb_tray_bus_item_set_overlay_icon_name (skeleton, "");
  kb_tray_bus_item_set_overlay_icon_pixmap (skeleton, none);
  kb_tray_bus_item_set_attention_movie_name (skeleton, "");
  kb_tray_bus_item_set_item_is_menu (skeleton, FALSE);
  kb_tray_bus_item_set_window_id (skeleton, 0);
}

static void
kb_tray_icon_init (KbTrayIcon *self)
{
  static const struct
  {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "handle-activate", G_CALLBACK (handle_activate_cb) },
    { "handle-secondary-activate", G_CALLBACK (handle_secondary_activate_cb) },
    { "handle-context-menu", G_CALLBACK (handle_context_menu_cb) },
    { "handle-scroll", G_CALLBACK (handle_scroll_cb) },
    { "handle-provide-xdg-activation-token", G_CALLBACK (handle_token_cb) },
  };

  self->skeleton = kb_tray_bus_item_skeleton_new ();
  set_constants (self->skeleton);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_swapped (self->skeleton, handlers[i].signal, handlers[i].handler, self);
}

/* @menu_path: the object that exports the menu */
KbTrayIcon *
kb_tray_icon_new (const char *menu_path)
{
  KbTrayIcon *self;

  g_return_val_if_fail (g_variant_is_object_path (menu_path), NULL);

  self = g_object_new (KB_TYPE_TRAY_ICON, NULL);
  kb_tray_bus_item_set_menu (self->skeleton, menu_path);
  return self;
}

/**
 * kb_tray_icon_set_look:
 * @look: (transfer full): how it looks from now on
 */
void
kb_tray_icon_set_look (KbTrayIcon *self, KbTrayLook *look)
{
  g_autoptr (KbTrayLook) old = NULL;

  g_return_if_fail (KB_IS_TRAY_ICON (self));
  g_return_if_fail (look != NULL);

  old = g_steal_pointer (&self->look);
  self->look = look;
  if (old == NULL || old->pose != look->pose)
    set_picture (self, look);
  if (old == NULL || !g_str_equal (old->sentence, look->sentence)
      || g_strcmp0 (old->detail, look->detail) != 0)
    set_words (self, look);
  if (old == NULL || old->attention != look->attention)
    set_status (self, look);
}

/* A look must have been set: hosts read it at once. */
gboolean
kb_tray_icon_export (KbTrayIcon *self, GDBusConnection *connection, GError **error)
{
  g_return_val_if_fail (KB_IS_TRAY_ICON (self), FALSE);
  g_return_val_if_fail (self->look != NULL, FALSE);

  return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), connection,
                                           KB_TRAY_ICON_PATH, error);
}

void
kb_tray_icon_unexport (KbTrayIcon *self)
{
  GDBusInterfaceSkeleton *skeleton;

  g_return_if_fail (KB_IS_TRAY_ICON (self));

  skeleton = G_DBUS_INTERFACE_SKELETON (self->skeleton);
  if (g_dbus_interface_skeleton_get_connection (skeleton) != NULL)
    g_dbus_interface_skeleton_unexport (skeleton);
}

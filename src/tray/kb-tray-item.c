// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "tray/kb-tray-item.h"

/* (transfer full): an item that can only be read */
KbTrayItem *
kb_tray_item_new (const char *key, const char *label)
{
  KbTrayItem *self;

  g_return_val_if_fail (key != NULL, NULL);

  self = g_new0 (KbTrayItem, 1);
  self->key = g_strdup (key);
  self->label = g_strdup (label);
  self->children = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_tray_item_free);
  return self;
}

/* (transfer full): an item that does something; a floating @target is taken */
KbTrayItem *
kb_tray_item_new_action (const char *key, const char *label, const char *action, GVariant *target)
{
  KbTrayItem *self = kb_tray_item_new (key, label);

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (action != NULL, self);

  self->enabled = TRUE;
  self->action = g_strdup (action);
  if (target != NULL)
    self->target = g_variant_ref_sink (target);
  return self;
}

/* (transfer full) */
KbTrayItem *
kb_tray_item_new_separator (const char *key)
{
  KbTrayItem *self = kb_tray_item_new (key, NULL);

  g_return_val_if_fail (self != NULL, NULL);

  self->kind = KB_TRAY_ITEM_SEPARATOR;
  return self;
}

void
kb_tray_item_free (KbTrayItem *self)
{
  if (self == NULL)
    return;
  g_free (self->key);
  g_free (self->label);
  g_free (self->action);
  g_clear_pointer (&self->target, g_variant_unref);
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self);
}

/* @child: (transfer full). Returns: (transfer none): the child, which makes a submenu of self */
KbTrayItem *
kb_tray_item_add (KbTrayItem *self, KbTrayItem *child)
{
  g_return_val_if_fail (self != NULL && child != NULL, NULL);

  self->enabled = TRUE;
  g_ptr_array_add (self->children, child);
  return child;
}

/* (transfer full): a name as part of a label, where an underscore would mark a key */
char *
kb_tray_item_escape (const char *text)
{
  g_autoptr (GString) escaped = g_string_new (text);

  g_return_val_if_fail (text != NULL, NULL);

  g_string_replace (escaped, "_", "__", 0);
  return g_string_free_and_steal (g_steal_pointer (&escaped));
}

static void
add_toggle (const KbTrayItem *self, GVariantDict *properties)
{
  static const char *const types[] = {
    [KB_TRAY_ITEM_PLAIN] = "",
    [KB_TRAY_ITEM_SEPARATOR] = "",
    [KB_TRAY_ITEM_CHECK] = "checkmark",
    [KB_TRAY_ITEM_RADIO] = "radio",
  };
  gboolean toggles = self->kind == KB_TRAY_ITEM_CHECK || self->kind == KB_TRAY_ITEM_RADIO;

  g_variant_dict_insert (properties, "toggle-type", "s", types[self->kind]);
  g_variant_dict_insert (properties, "toggle-state", "i", !toggles ? -1 : self->toggled ? 1 : 0);
}

/*
 * (transfer full): "a{sv}" as com.canonical.dbusmenu has them. Each is given although many
 * have a default: KDE's host keeps what an item of that number had before.
 */
GVariant *
kb_tray_item_to_properties (const KbTrayItem *self)
{
  GVariantDict properties = G_VARIANT_DICT_INIT (NULL);

  g_return_val_if_fail (self != NULL, NULL);

  g_variant_dict_insert (&properties, "type", "s",
                         self->kind == KB_TRAY_ITEM_SEPARATOR ? "separator" : "standard");
  g_variant_dict_insert (&properties, "label", "s", self->label != NULL ? self->label : "");
  g_variant_dict_insert (&properties, "enabled", "b", self->enabled);
  g_variant_dict_insert (&properties, "visible", "b", TRUE);
  add_toggle (self, &properties);
  g_variant_dict_insert (&properties, "children-display", "s",
                         self->children->len > 0 ? "submenu" : "");
  return g_variant_ref_sink (g_variant_dict_end (&properties));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * One item of the tray's menu as a plain value, and with its children the menu itself. An
 * item is known by its key, which stays the same from one menu to the next: that is what
 * lets a host keep an open menu open.
 */

typedef enum
{
  KB_TRAY_ITEM_PLAIN,
  KB_TRAY_ITEM_SEPARATOR,
  KB_TRAY_ITEM_CHECK,
  KB_TRAY_ITEM_RADIO,
} KbTrayItemKind;

typedef struct
{
  char *key;   /* owned, unique in its menu */
  char *label; /* owned, nullable; with mnemonics */
  KbTrayItemKind kind;
  gboolean enabled;
  gboolean toggled;
  char *action;        /* owned, nullable: in the program's action group */
  GVariant *target;    /* owned, nullable */
  GPtrArray *children; /* owned: KbTrayItem */
} KbTrayItem;

KbTrayItem *kb_tray_item_new (const char *key, const char *label);
KbTrayItem *
kb_tray_item_new_action (const char *key, const char *label, const char *action, GVariant *target);
KbTrayItem *kb_tray_item_new_separator (const char *key);
void kb_tray_item_free (KbTrayItem *self);
KbTrayItem *kb_tray_item_add (KbTrayItem *self, KbTrayItem *child);
char *kb_tray_item_escape (const char *text);
GVariant *kb_tray_item_to_properties (const KbTrayItem *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTrayItem, kb_tray_item_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gunixfdlist.h>

#include "gateway/kb-gateway.h"

/* The server of a gateway at the addresses of its configuration. */

typedef struct _KbListener KbListener;

KbListener *kb_listener_new (KbGateway *gateway, GUnixFDList *inherited, GError **error);
void kb_listener_free (KbListener *self);
const char *kb_listener_get_address (KbListener *self);
guint kb_listener_get_n_exchanges (KbListener *self);
void kb_listener_update (KbListener *self);
GUnixFDList *kb_listener_hand_over (KbListener *self);
void kb_listener_drain (KbListener *self);
void kb_listener_cut (KbListener *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbListener, kb_listener_free)

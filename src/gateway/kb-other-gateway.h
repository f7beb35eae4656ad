// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#define KB_OTHER_GATEWAY_INTERFACE "io.github.koboshi.Koboshi.Gateway1"

/*
 * A gateway that was there before us: what it serves and where, as it says of itself on the
 * bus or at its address. Asking blocks, for a moment: nothing is served yet.
 */

typedef struct
{
  char *home;
  char *profile;
  char *address; /* empty: it does not listen yet */
} KbOtherGateway;

KbOtherGateway *
kb_other_gateway_find_on_bus (GDBusConnection *bus, const char *bus_name, GError **error);
KbOtherGateway *kb_other_gateway_find_at (const char *listen);
gboolean
kb_other_gateway_serves (const KbOtherGateway *self, const char *home, const char *profile);
GError *kb_other_gateway_make_refusal (const KbOtherGateway *self);
void kb_other_gateway_free (KbOtherGateway *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbOtherGateway, kb_other_gateway_free)

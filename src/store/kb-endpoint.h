// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-dialect-kind.h"
#include "store/kb-profile.h"

/*
 * Where a provider is reached: what the home says of it, and beneath it what is known of the
 * providers that the host's library describes by itself.
 */

typedef struct
{
  char *provider;
  KbDialectKind dialect;
  char *base_url;
  char *key_name; /* (nullable): it asks for no key */
} KbEndpoint;

KbEndpoint *kb_endpoint_new (const KbProvider *provider);
char *kb_endpoint_make_url (const KbEndpoint *self);
gboolean kb_endpoint_is_loopback (const KbEndpoint *self);
guint64 kb_endpoint_get_revision (const KbEndpoint *self,
                                  const char *const *headers,
                                  const char *key,
                                  gsize key_length);
void kb_endpoint_free (KbEndpoint *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEndpoint, kb_endpoint_free)

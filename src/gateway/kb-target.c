// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-target.h"

#include <gio/gio.h>

/* By its spelling; names that merely lead here are not known before they are resolved. */
static gboolean
is_loopback_url (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  g_autoptr (GInetAddress) address = NULL;
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;

  if (host == NULL)
    return FALSE;
  if (g_ascii_strcasecmp (host, "localhost") == 0 || g_str_has_suffix (host, ".localhost"))
    return TRUE;
  address = g_inet_address_new_from_string (host);
  return address != NULL && g_inet_address_get_is_loopback (address);
}

KbTarget *
kb_target_new (const KbTargetSpec *spec)
{
  KbTarget *self = g_new0 (KbTarget, 1);

  g_atomic_ref_count_init (&self->refs);
  self->url = g_strdup (spec->url);
  self->model = g_strdup (spec->model);
  self->key_kind = spec->key_kind;
  self->key = spec->key != NULL ? kb_secret_ref (spec->key) : NULL;
  self->headers = g_strdupv ((char **) spec->headers);
  self->proxy = g_strdup (spec->proxy);
  self->is_loopback = is_loopback_url (spec->url);
  return self;
}

KbTarget *
kb_target_ref (KbTarget *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
kb_target_unref (KbTarget *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->url);
  g_free (self->model);
  g_clear_pointer (&self->key, kb_secret_unref);
  g_strfreev (self->headers);
  g_free (self->proxy);
  g_free (self);
}

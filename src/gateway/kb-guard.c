// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-guard.h"

#include <gio/gio.h>
#include <string.h>

static gboolean
is_loopback_host (const char *host)
{
  g_autoptr (GInetAddress) address = NULL;

  if (g_ascii_strcasecmp (host, "localhost") == 0 || g_str_has_suffix (host, ".localhost"))
    return TRUE;
  address = g_inet_address_new_from_string (host);
  return address != NULL && g_inet_address_get_is_loopback (address);
}

/* A name that leads here from a page elsewhere (DNS rebinding) is not one of ours. GLib would
 * decode it, and put letters of other scripts into the plain ones they look like. */
static gboolean
is_loopback_authority (const char *authority)
{
  g_autofree char *url = g_strconcat ("http://", authority, "/", NULL);
  g_autoptr (GUri) uri = NULL;

  if (strpbrk (authority, "/@?#\\% ") != NULL || !g_str_is_ascii (authority))
    return FALSE;
  uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  return uri != NULL && g_uri_get_host (uri) != NULL && is_loopback_host (g_uri_get_host (uri));
}

/* A scheme and a place, nothing else. */
static gboolean
is_loopback_origin (const char *origin)
{
  const char *place = strstr (origin, "://");

  return place != NULL && place > origin && is_loopback_authority (place + 3);
}

/* Takes as long for a wrong token as for the right one. */
static gboolean
is_same (const char *given, const char *token)
{
  gsize length = strlen (token);
  guint8 difference = strlen (given) != length;

  for (gsize i = 0; i < length && given[i] != '\0'; i++)
    difference |= (guint8) (given[i] ^ token[i]);
  return difference == 0;
}

static gboolean
shows_token (SoupMessageHeaders *headers, const char *token)
{
  const char *bearer = soup_message_headers_get_one (headers, "authorization");
  const char *key = soup_message_headers_get_one (headers, "x-api-key");

  if (bearer != NULL && g_ascii_strncasecmp (bearer, "bearer ", 7) == 0
      && is_same (bearer + 7, token))
    return TRUE;
  return key != NULL && is_same (key, token);
}

static KbGuardVerdict
forbid (const char *code, const char *message)
{
  return (KbGuardVerdict) { .status = 403, .code = code, .message = message };
}

/**
 * kb_guard_check:
 * @link: a connection whose request's head was read
 * @token: (nullable): what clients on other machines must show
 *
 * Returns: whether the request is let in, and else why not
 */
KbGuardVerdict
kb_guard_check (KbHttpLink *link, const char *token)
{
  SoupMessageHeaders *headers = kb_http_link_get_head (link)->headers;
  const char *origin = soup_message_headers_get_list (headers, "origin");
  const char *host = soup_message_headers_get_list (headers, "host");

  if (origin != NULL && !is_loopback_origin (origin))
    return forbid ("origin_not_allowed", "requests of web pages are not allowed");
  if (!kb_http_link_is_loopback (link))
    {
      if (token == NULL || !shows_token (headers, token))
        return (KbGuardVerdict) { .status = 401,
                                  .code = "token_required",
                                  .message = "requests from elsewhere need the gateway's token" };
      return (KbGuardVerdict) { 0 };
    }
  if (host == NULL || !is_loopback_authority (host))
    return forbid ("host_not_allowed", "the name of the host is not one of this machine");
  if (kb_http_link_get_peer (link)->owner != KB_OWNER_SELF)
    return forbid ("other_user", "the connection belongs to another user");
  return (KbGuardVerdict) { 0 };
}

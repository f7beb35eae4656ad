// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-proxy.h"

#include <gio/gio.h>

static const char *
get_either (const char *lower, const char *upper)
{
  const char *value = g_getenv (lower);

  if (value == NULL || *value == '\0')
    value = g_getenv (upper);
  return value != NULL && *value != '\0' ? value : NULL;
}

/* `.host` and `*.host` and `host` are one thing in no_proxy; addresses may be CIDR blocks. */
static char **
list_direct_hosts (void)
{
  const char *text = get_either ("no_proxy", "NO_PROXY");
  g_auto (GStrv) parts = g_strsplit_set (text != NULL ? text : "", ", ", -1);
  g_autoptr (GStrvBuilder) hosts = g_strv_builder_new ();

  for (char **part = parts; *part != NULL; part++)
    {
      if (**part == '\0' || g_str_equal (*part, "*"))
        continue;
      g_strv_builder_add (hosts, *part);
      if (**part != '*' && **part != '.' && g_hostname_is_ip_address (*part) == FALSE
          && strchr (*part, '/') == NULL && strchr (*part, ':') == NULL)
        g_strv_builder_take (hosts, g_strconcat ("*.", *part, NULL));
    }
  return g_strv_builder_end (hosts);
}

static gboolean
is_all_direct (void)
{
  return g_strcmp0 (get_either ("no_proxy", "NO_PROXY"), "*") == 0;
}

static const char *
find_in_environment (const char *url)
{
  const char *proxy = g_str_has_prefix (url, "https:") ? get_either ("https_proxy", "HTTPS_PROXY")
                                                       : g_getenv ("http_proxy");

  return proxy != NULL && *proxy != '\0' ? proxy : get_either ("all_proxy", "ALL_PROXY");
}

static char *
ask (GProxyResolver *resolver, const char *url)
{
  g_auto (GStrv) proxies = g_proxy_resolver_lookup (resolver, url, NULL, NULL);

  if (proxies == NULL || proxies[0] == NULL || g_str_has_prefix (proxies[0], "direct:"))
    return NULL;
  return g_strdup (proxies[0]);
}

/**
 * kb_proxy_find:
 * @target: where a request goes
 *
 * Returns: (transfer full) (nullable): the URL of the proxy; %NULL = none
 */
char *
kb_proxy_find (const KbTarget *target)
{
  const char *proxy = target->proxy;

  if (target->is_loopback || g_strcmp0 (proxy, "direct") == 0)
    return NULL;
  if (proxy != NULL)
    return g_strdup (proxy);
  if (is_all_direct ())
    return NULL;
  proxy = find_in_environment (target->url);
  if (proxy != NULL)
    {
      g_auto (GStrv) direct = list_direct_hosts ();
      g_autoptr (GProxyResolver) resolver = g_simple_proxy_resolver_new (proxy, direct);

      return ask (resolver, target->url);
    }
  return ask (g_proxy_resolver_get_default (), target->url);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-proxy"

#include "gateway/kb-proxy.h"

#include <gio/gio.h>
#include <string.h>

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

struct _KbProxyLookup
{
  GCancellable *cancellable;
  KbProxyFunc func; /* NULL = nobody wants to know any more */
  gpointer user_data;
};

/* Some settings know only "socks"; names are then the proxy's to resolve. */
static char *
take_first (const GStrv proxies)
{
  const char *first = proxies != NULL ? proxies[0] : NULL;

  if (first == NULL || g_str_has_prefix (first, "direct:"))
    return NULL;
  if (g_str_has_prefix (first, "socks://"))
    return g_strconcat ("socks5h", first + strlen ("socks"), NULL);
  return g_strdup (first);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  KbProxyLookup *self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) proxies
      = g_proxy_resolver_lookup_finish (G_PROXY_RESOLVER (source), result, &error);
  g_autofree char *url = take_first (proxies);
  KbProxyFunc func = self->func;
  gpointer data = self->user_data;

  g_object_unref (self->cancellable);
  g_free (self);
  if (func == NULL)
    return;
  if (error != NULL)
    g_debug ("the desktop does not tell its proxy: %s", error->message);
  func (url, KB_PROXY_DESKTOP, data);
}

static KbProxyLookup *
ask_desktop (const char *url, KbProxyFunc func, gpointer user_data)
{
  KbProxyLookup *self = g_new0 (KbProxyLookup, 1);

  self->cancellable = g_cancellable_new ();
  self->func = func;
  self->user_data = user_data;
  g_proxy_resolver_lookup_async (g_proxy_resolver_get_default (), url, self->cancellable, on_found,
                                 self);
  return self;
}

/* GLib's reading of the list of exceptions; it asks nobody. */
static void
tell_environment (const char *url, const char *proxy, KbProxyFunc func, gpointer user_data)
{
  g_auto (GStrv) direct = list_direct_hosts ();
  g_autoptr (GProxyResolver) resolver = g_simple_proxy_resolver_new (proxy, direct);
  g_auto (GStrv) proxies = g_proxy_resolver_lookup (resolver, url, NULL, NULL);
  g_autofree char *found = take_first (proxies);

  func (found, found != NULL ? KB_PROXY_ENVIRONMENT : KB_PROXY_NO_PROXY, user_data);
}

/**
 * kb_proxy_find:
 * @target: where a request goes
 * @func: what to call with the answer, once: from within this call where the answer is at hand
 * @user_data: for @func
 *
 * Returns: (transfer none) (nullable): a lookup that may be cancelled until @func is called;
 *   %NULL if it was
 */
KbProxyLookup *
kb_proxy_find (const KbTarget *target, KbProxyFunc func, gpointer user_data)
{
  const char *proxy = target->proxy;

  if (target->is_loopback)
    func (NULL, KB_PROXY_LOOPBACK, user_data);
  else if (proxy != NULL)
    func (g_str_equal (proxy, "direct") ? NULL : proxy, KB_PROXY_CHANNEL, user_data);
  else if (is_all_direct ())
    func (NULL, KB_PROXY_NO_PROXY, user_data);
  else if ((proxy = find_in_environment (target->url)) != NULL)
    tell_environment (target->url, proxy, func, user_data);
  else
    return ask_desktop (target->url, func, user_data);
  return NULL;
}

/* Its function is not called any more. */
void
kb_proxy_lookup_cancel (KbProxyLookup *self)
{
  self->func = NULL;
  g_cancellable_cancel (self->cancellable);
}

const char *
kb_proxy_reason_to_string (KbProxyReason reason)
{
  static const char *const names[]
      = { "loopback", "channel", "environment", "no_proxy", "desktop" };

  return names[reason];
}

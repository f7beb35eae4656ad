// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-endpoint.h"

#include <string.h>

#include "store/kb-provider.h"

/*
 * Addresses are public facts of the providers; the names of the keys are the ones their own
 * documentation uses. A provider whose address holds an account or a region is not here: the
 * home has to say it.
 */
static const struct
{
  const char *name;
  const char *api;
  const char *base_url;
  const char *key_name;
} catalog[] = {
  { KB_PROVIDER_BUILT_IN, "openai-completions", "https://api.deepseek.com",
    KB_PROVIDER_BUILT_IN_KEY },
  { "anthropic", "anthropic-messages", "https://api.anthropic.com", "ANTHROPIC_API_KEY" },
  { "cerebras", "openai-completions", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY" },
  { "deepseek", "openai-completions", "https://api.deepseek.com", "DEEPSEEK_API_KEY" },
  { "groq", "openai-completions", "https://api.groq.com/openai/v1", "GROQ_API_KEY" },
  { "huggingface", "openai-completions", "https://router.huggingface.co/v1", "HF_TOKEN" },
  { "minimax", "anthropic-messages", "https://api.minimax.io/anthropic", "MINIMAX_API_KEY" },
  { "minimax-cn", "anthropic-messages", "https://api.minimaxi.com/anthropic",
    "MINIMAX_CN_API_KEY" },
  { "moonshotai", "openai-completions", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY" },
  { "moonshotai-cn", "openai-completions", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY" },
  { "nvidia", "openai-completions", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY" },
  { "openai", "openai-responses", "https://api.openai.com/v1", "OPENAI_API_KEY" },
  { "openrouter", "openai-completions", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY" },
  { "together", "openai-completions", "https://api.together.xyz/v1", "TOGETHER_API_KEY" },
  { "xai", "openai-completions", "https://api.x.ai/v1", "XAI_API_KEY" },
  { "zai", "openai-completions", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY" },
};

static const char *const paths[KB_N_DIALECT_KINDS] = {
  [KB_DIALECT_KIND_CHAT] = "/chat/completions",
  [KB_DIALECT_KIND_MESSAGES] = "/v1/messages",
  [KB_DIALECT_KIND_RESPONSES] = "/responses",
};

static const char *
pick (const char *stated, const char *known)
{
  return stated != NULL ? stated : known;
}

static gboolean
is_http (const char *url)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);
  const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : NULL;

  return scheme != NULL && (g_str_equal (scheme, "http") || g_str_equal (scheme, "https"))
         && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0';
}

/**
 * kb_endpoint_new:
 * @provider: a provider of the home
 *
 * A route of the host's catalog takes what the home does not say from the catalog (host facts
 * 3.2). A route that names no key is asked without one, unless the catalog knows its key.
 *
 * Returns: (transfer full) (nullable): its endpoint; %NULL if its dialect or address is not
 *   known
 */
KbEndpoint *
kb_endpoint_new (const KbProvider *provider)
{
  const char *api;
  const char *url;
  const char *key;
  KbDialectKind dialect;
  KbEndpoint *self;
  gsize at = 0;

  g_return_val_if_fail (provider != NULL, NULL);

  while (at < G_N_ELEMENTS (catalog) && !g_str_equal (catalog[at].name, provider->name))
    at++;
  api = pick (provider->api, at < G_N_ELEMENTS (catalog) ? catalog[at].api : NULL);
  url = pick (provider->base_url, at < G_N_ELEMENTS (catalog) ? catalog[at].base_url : NULL);
  key = pick (provider->api_key_env, at < G_N_ELEMENTS (catalog) ? catalog[at].key_name : NULL);
  if (api == NULL || url == NULL || !kb_dialect_kind_parse_api (api, &dialect) || !is_http (url))
    return NULL;
  self = g_new0 (KbEndpoint, 1);
  self->provider = g_strdup (provider->name);
  self->dialect = dialect;
  self->base_url = g_strdup (url);
  self->key_name = g_strdup (key);
  return self;
}

/**
 * kb_endpoint_make_url:
 * @self: an endpoint
 *
 * Returns: (transfer full): the address of its dialect's own path, joined as the clients of
 *   the dialects do: below "/v1" of the messages dialect, below the address itself of the others
 */
char *
kb_endpoint_make_url (const KbEndpoint *self)
{
  gsize length;

  g_return_val_if_fail (self != NULL, NULL);

  length = strlen (self->base_url);
  while (length > 0 && self->base_url[length - 1] == '/')
    length--;
  return g_strdup_printf ("%.*s%s", (int) length, self->base_url, paths[self->dialect]);
}

/**
 * kb_endpoint_is_loopback:
 * @self: an endpoint
 *
 * Returns: whether it is on this machine by its spelling, so that it works offline
 */
gboolean
kb_endpoint_is_loopback (const KbEndpoint *self)
{
  g_autoptr (GUri) uri = NULL;
  g_autoptr (GInetAddress) address = NULL;
  const char *host;

  g_return_val_if_fail (self != NULL, FALSE);

  uri = g_uri_parse (self->base_url, G_URI_FLAGS_NONE, NULL);
  host = uri != NULL ? g_uri_get_host (uri) : NULL;
  if (host == NULL)
    return FALSE;
  address = g_inet_address_new_from_string (host);
  return address != NULL
             ? g_inet_address_get_is_loopback (address)
             : g_ascii_strcasecmp (host, "localhost") == 0 || g_str_has_suffix (host, ".localhost");
}

static void
digest (GChecksum *sum, const char *data, gsize length)
{
  const guint64 size = length;

  g_checksum_update (sum, (const unsigned char *) &size, sizeof size);
  g_checksum_update (sum, (const unsigned char *) data, (gssize) length);
}

/**
 * kb_endpoint_get_revision:
 * @self: an endpoint
 * @headers: (nullable): the headers the home adds
 * @key: (nullable): the key
 * @key_length: its length
 *
 * Returns: a number that differs when address, dialect, headers or key differ; what was
 *   learned with another one is void. Never 0.
 */
guint64
kb_endpoint_get_revision (const KbEndpoint *self,
                          const char *const *headers,
                          const char *key,
                          gsize key_length)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 bytes[32];
  gsize size = sizeof bytes;
  guint64 revision = 0;

  g_return_val_if_fail (self != NULL, 1);

  digest (sum, self->base_url, strlen (self->base_url));
  digest (sum, paths[self->dialect], strlen (paths[self->dialect]));
  for (gsize i = 0; headers != NULL && headers[i] != NULL; i++)
    digest (sum, headers[i], strlen (headers[i]));
  digest (sum, key != NULL ? key : "", key != NULL ? key_length : 0);
  g_checksum_get_digest (sum, bytes, &size);
  memcpy (&revision, bytes, sizeof revision);
  return MAX (revision, 1);
}

/**
 * kb_endpoint_free:
 * @self: (transfer full) (nullable): an endpoint
 *
 * Frees it.
 */
void
kb_endpoint_free (KbEndpoint *self)
{
  if (self == NULL)
    return;
  g_free (self->provider);
  g_free (self->base_url);
  g_free (self->key_name);
  g_free (self);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Our own koboshi.yaml. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "store/kb-lint-schemas.h"

/* The address in "127.0.0.1:7878" or "[::1]:7878"; without a port the whole. */
static char *
get_host (const char *listen)
{
  const char *bracket = *listen == '[' ? strchr (listen, ']') : NULL;
  const char *colon = strchr (listen, ':');

  if (bracket != NULL)
    return g_strndup (listen + 1, (gsize) (bracket - listen - 1));
  if (colon != NULL && strchr (colon + 1, ':') == NULL)
    return g_strndup (listen, (gsize) (colon - listen));
  return g_strdup (listen);
}

static gboolean
is_loopback (const char *listen)
{
  g_autofree char *host = get_host (listen);
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);

  return g_str_equal (host, "localhost")
         || (address != NULL && g_inet_address_get_is_loopback (address));
}

/* Port 0 is any that is free; koboshid prints which one it took. */
static gboolean
is_address (const char *listen)
{
  g_autofree char *host = get_host (listen);
  const char *colon = strrchr (listen, ':');
  guint64 port;

  return colon != NULL && g_ascii_string_to_unsigned (colon + 1, 10, 0, 65535, &port, NULL)
         && (g_str_equal (host, "localhost") || g_hostname_is_ip_address (host));
}

static void
check_listen (KbSchemaWalk *walk, const KbYamlNode *map, const KbYamlNode *node)
{
  const char *listen = kb_yaml_file_get_string (walk->file, node);

  if (listen == NULL)
    kb_schema_report (walk, "bad-type", node, _ ("Write it as “127.0.0.1:7878”."),
                      _ ("“%s” must be an address with a port"), "listen");
  else if (!is_address (listen))
    kb_schema_report (walk, "bad-address", node, _ ("Write it as “127.0.0.1:7878”."),
                      _ ("“%s” must be an address with a port"), "listen");
  else if (!is_loopback (listen) && kb_yaml_node_lookup (map, "token") == NULL)
    kb_schema_report (walk, "token-required", node,
                      _ ("Add “token:” with the name of a key, or listen on 127.0.0.1 only."),
                      _ ("others on the network could use this address without a token"));
}

static void
check_root (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *listen = kb_yaml_file_lookup (walk->file, map, "listen");

  if (listen == NULL)
    return;
  if (kb_yaml_node_get_kind (listen) == KB_YAML_SCALAR)
    check_listen (walk, map, kb_yaml_node_lookup (map, "listen"));
  else if (kb_yaml_node_get_kind (listen) == KB_YAML_SEQUENCE)
    for (guint i = 0; i < kb_yaml_node_get_length (listen); i++)
      check_listen (walk, map, kb_yaml_node_get_item (listen, i));
}

static const char *const mid_stream[] = { "error", "resume", NULL };
static const char *const content_refused[] = { "pass", "failover", NULL };
static const char *const unknown_model[] = { "refuse", "auto", NULL };

#define COUNT .type = KB_SCHEMA_INTEGER, .minimum = 1
#define NATURAL .type = KB_SCHEMA_INTEGER, .minimum = 0

static const KbSchema name = { .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_INKED };
static const KbSchema address = { .type = KB_SCHEMA_ANY }; /* check_listen() says it better */

static const KbSchema channel_fields[] = {
  { .key = "prefill", .type = KB_SCHEMA_BOOLEAN, .standard = "false" },
  { .key = "tools", .type = KB_SCHEMA_BOOLEAN },
  { .key = "contextWindow", COUNT },
  { .key = "proxy", .type = KB_SCHEMA_STRING },
  { NULL },
};

static const KbSchema channel
    = { .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE, .fields = channel_fields };

static const KbSchema root_fields[] = {
  { .key = "listen",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_OR_ITEM | KB_SCHEMA_FILLED | KB_SCHEMA_UNIQUE,
    .item = &address,
    .standard = "127.0.0.1:7878" },
  { .key = "token", .type = KB_SCHEMA_KEY_NAME },
  { .key = "connectTimeoutMs", COUNT, .standard = "10000" },
  { .key = "headerTimeoutMs", COUNT, .standard = "60000" },
  { .key = "firstTokenTimeoutMs", COUNT, .standard = "120000" },
  { .key = "idleTimeoutMs", COUNT, .standard = "120000" },
  { .key = "totalTimeoutMs", COUNT, .standard = "1800000" },
  { .key = "inRequestWaitMs", NATURAL, .standard = "60000" },
  { .key = "retryBeforeFailoverMs", NATURAL, .standard = "3000" },
  { .key = "retryAfterCapMs", COUNT, .standard = "3600000" },
  { .key = "bodyLimitMiB", COUNT, .standard = "64" },
  { .key = "midStream", .type = KB_SCHEMA_WORD, .words = mid_stream, .standard = "error" },
  { .key = "contentRefused", .type = KB_SCHEMA_WORD, .words = content_refused, .standard = "pass" },
  { .key = "unknownModel", .type = KB_SCHEMA_WORD, .words = unknown_model, .standard = "refuse" },
  { .key = "modelAliases",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED,
    .item = &name,
    .standard = "{}" },
  { .key = "stickyTtlMs", COUNT, .standard = "3600000" },
  { .key = "stickyMax", COUNT, .standard = "10000" },
  { .key = "stickyPersist", .type = KB_SCHEMA_BOOLEAN, .standard = "false" },
  { .key = "neverAutomatic",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .item = &name,
    .standard = "[]" },
  { .key = "channels",
    .type = KB_SCHEMA_DICTIONARY,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED,
    .item = &channel,
    .standard = "{}" },
  { NULL },
};

const KbSchema kb_lint_koboshi_schema = { .key = "koboshi.yaml",
                                          .type = KB_SCHEMA_MAPPING,
                                          .flags = KB_SCHEMA_NULLABLE,
                                          .fields = root_fields,
                                          .check = check_root };

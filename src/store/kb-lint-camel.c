// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The config of dsh-camel 0.2.2: plugin facts 6.1 and 6.2. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-schemas.h"

#define MIN_REQUESTS 1
#define INITIAL_REQUESTS 10
#define MAX_REQUESTS 20
#define MAX_DELAY 2147483647
#define DELAY .type = KB_SCHEMA_NUMBER, .minimum = 1, .maximum = MAX_DELAY
#define RATIO .type = KB_SCHEMA_NUMBER, .flags = KB_SCHEMA_ABOVE, .minimum = 0, .maximum = 1
#define COUNT .type = KB_SCHEMA_INTEGER, .minimum = 1
#define FLAG .type = KB_SCHEMA_BOOLEAN

/* Both the whole and its routes have these. */
#define ADAPTIVE_FIELDS                                                                            \
  { .key = "enabled", FLAG, .standard = "false" },                                                 \
      { .key = "initialRequests", COUNT, .standard = G_STRINGIFY (INITIAL_REQUESTS) },             \
      { .key = "minRequests", COUNT, .standard = G_STRINGIFY (MIN_REQUESTS) },                     \
      { .key = "maxRequests", COUNT, .standard = G_STRINGIFY (MAX_REQUESTS) },                     \
      { .key = "windowMs", DELAY, .standard = "60000" },                                           \
      { .key = "safetyRatio", RATIO, .standard = "0.85" },                                         \
      { .key = "decreaseRatio", RATIO, .standard = "0.7" },                                        \
      { .key = "increaseAfterWindows", COUNT, .standard = "3" },                                   \
      { .key = "stateTtlMs", DELAY, .standard = "86400000" }

typedef struct
{
  double low;
  double first;
  double high;
} Requests;

static const Requests built_in = { MIN_REQUESTS, INITIAL_REQUESTS, MAX_REQUESTS };

/* FALSE if one of them is not known. */
static gboolean
read_requests (KbSchemaWalk *walk, const KbYamlNode *map, Requests *requests)
{
  return kb_schema_get_number (walk, map, "minRequests", &requests->low)
         && kb_schema_get_number (walk, map, "initialRequests", &requests->first)
         && kb_schema_get_number (walk, map, "maxRequests", &requests->high);
}

static void
check_requests (KbSchemaWalk *walk, const KbYamlNode *map, const Requests *requests)
{
  static const char *const keys[] = { "initialRequests", "minRequests", "maxRequests" };
  const KbYamlNode *place = NULL;

  if (requests->low <= requests->first && requests->first <= requests->high)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (keys) && place == NULL; i++)
    place = kb_yaml_node_lookup (map, keys[i]);
  kb_schema_report (walk, "bad-order", place != NULL ? place : map,
                    _ ("Change one of the three; where one is not given its default counts."),
                    _ ("minRequests (%.15g) must not be above initialRequests (%.15g), nor that "
                       "above maxRequests (%.15g)"),
                    requests->low, requests->first, requests->high);
}

/* Unless somebody said how many a route begins with, that is fitted between the bounds. */
static void
check_route (KbSchemaWalk *walk,
             const KbYamlNode *route,
             const Requests *base,
             gboolean is_first_given)
{
  Requests requests = *base;

  if (route == NULL || kb_yaml_node_get_kind (route) != KB_YAML_MAPPING
      || !read_requests (walk, route, &requests))
    return;
  if (!is_first_given && kb_yaml_node_lookup (route, "initialRequests") == NULL)
    requests.first = MIN (requests.high, MAX (requests.low, requests.first));
  check_requests (walk, route, &requests);
}

static void
check_adaptive (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *routes = kb_yaml_file_lookup (walk->file, map, "routes");
  gboolean is_first_given = kb_yaml_node_lookup (map, "initialRequests") != NULL;
  Requests requests = built_in;

  if (!read_requests (walk, map, &requests))
    return;
  check_requests (walk, map, &requests);
  if (routes == NULL || kb_yaml_node_get_kind (routes) != KB_YAML_SEQUENCE)
    return;
  for (guint i = 0; i < kb_yaml_node_get_length (routes); i++)
    check_route (walk, kb_yaml_file_get_item (walk->file, routes, i), &requests, is_first_given);
}

static void
check_retry (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *mode = kb_yaml_node_lookup (map, "mode");
  const char *text = kb_yaml_file_get_string (walk->file, mode);

  if (g_strcmp0 (text, "bounded") == 0 && kb_yaml_node_lookup (map, "maxRetries") == NULL)
    kb_schema_report (walk, "missing-field", mode,
                      _ ("Add “maxRetries: 5” beside it, or write “unlimited”."),
                      _ ("the mode “bounded” needs “maxRetries”"));
}

static const char *const scopes[] = { "global", "provider", "route", "task-route", NULL };
static const char *const modes[] = { "unlimited", "bounded", NULL };
static const char *const pair[] = { "provider", "model", NULL };

static const KbSchema code = { .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_INKED };

static const KbSchema throttle_fields[] = {
  { .key = "enabled", FLAG, .standard = "false" },
  { .key = "maxRequests", COUNT, .standard = "20" },
  { .key = "windowMs", .type = KB_SCHEMA_NUMBER, .minimum = 1, .standard = "60000" },
  { .key = "scope", .type = KB_SCHEMA_WORD, .words = scopes, .standard = "route" },
  { NULL },
};

static const KbSchema retry_fields[] = {
  { .key = "enabled", FLAG, .standard = "false" },
  { .key = "codes",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED | KB_SCHEMA_UNIQUE,
    .item = &code,
    .standard = "[RATE_LIMIT]" },
  { .key = "mode", .type = KB_SCHEMA_WORD, .words = modes, .standard = "unlimited" },
  { .key = "maxRetries", COUNT },
  { .key = "fallbackDelayMs", DELAY, .standard = "60000" },
  { .key = "initialDelayMs", DELAY, .standard = "60000" },
  { .key = "multiplier", .type = KB_SCHEMA_NUMBER, .minimum = 1, .standard = "2" },
  { .key = "maxLocalDelayMs", DELAY, .standard = "300000" },
  { .key = "respectRetryAfter", FLAG, .standard = "true" },
  { NULL },
};

static const KbSchema route_fields[] = {
  { .key = "provider", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_INKED },
  { .key = "model", .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_INKED },
  ADAPTIVE_FIELDS,
  { NULL },
};

static const KbSchema route
    = { .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_STRICT, .fields = route_fields };

static const KbSchema adaptive_fields[] = {
  ADAPTIVE_FIELDS,
  { .key = "routes",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .identity = pair,
    .item = &route,
    .standard = "[]" },
  { NULL },
};

#define PART .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_STRICT

static const KbSchema defaults_fields[] = {
  { .key = "throttle", PART, .fields = throttle_fields },
  { .key = "retry", PART, .fields = retry_fields, .check = check_retry },
  { .key = "adaptive", PART, .fields = adaptive_fields, .check = check_adaptive },
  { NULL },
};

static const KbSchema config_fields[] = {
  { .key = "defaults", PART, .fields = defaults_fields },
  { NULL },
};

const KbSchema kb_lint_camel_schema = { .key = "config", PART, .fields = config_fields };

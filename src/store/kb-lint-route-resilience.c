// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The config of dsh-route-resilience 0.2.0: plugin facts 3.1. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-schemas.h"

#define DEFAULT_BASE 60000
#define DEFAULT_CAP 300000

static void
check_group (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *place = kb_yaml_node_lookup (map, "quarantineCapMs");
  double base = DEFAULT_BASE;
  double cap = DEFAULT_CAP;

  if (!kb_schema_get_number (walk, map, "quarantineBaseMs", &base)
      || !kb_schema_get_number (walk, map, "quarantineCapMs", &cap) || cap >= base)
    return;
  if (place == NULL)
    place = kb_yaml_node_lookup (map, "quarantineBaseMs");
  kb_schema_report (walk, "bad-order", place,
                    _ ("Raise “quarantineCapMs” or lower “quarantineBaseMs”; where one is not "
                       "given its default counts."),
                    _ ("the longest quarantine (%.15g ms) is shorter than the first (%.15g ms)"),
                    cap, base);
}

static const char *const pair[] = { "provider", "model", NULL };
static const char *const id[] = { "id", NULL };

#define NAME .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED

static const KbSchema code = { .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED };

static const KbSchema target_fields[] = {
  { .key = "provider", NAME },
  { .key = "model", NAME },
  { NULL },
};

static const KbSchema target = { .type = KB_SCHEMA_MAPPING, .fields = target_fields };

static const KbSchema group_fields[] = {
  { .key = "id", NAME },
  { .key = "targets",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_REQUIRED | KB_SCHEMA_FILLED | KB_SCHEMA_UNIQUE,
    .identity = pair,
    .item = &target },
  { .key = "retryableCodes",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .item = &code,
    .standard = "[EMPTY_RESPONSE, RATE_LIMIT, SERVER, TIMEOUT, TRANSPORT]" },
  { .key = "quarantineBaseMs",
    .type = KB_SCHEMA_NUMBER,
    .flags = KB_SCHEMA_NULLABLE,
    .minimum = 1,
    .standard = G_STRINGIFY (DEFAULT_BASE) },
  { .key = "quarantineCapMs",
    .type = KB_SCHEMA_NUMBER,
    .flags = KB_SCHEMA_NULLABLE,
    .minimum = 1,
    .standard = G_STRINGIFY (DEFAULT_CAP) },
  { NULL },
};

static const KbSchema group
    = { .type = KB_SCHEMA_MAPPING, .fields = group_fields, .check = check_group };

static const KbSchema config_fields[] = {
  { .key = "groups",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_UNIQUE,
    .identity = id,
    .item = &group,
    .standard = "[]" },
  { .key = "activeGroup", .type = KB_SCHEMA_STRING },
  { NULL },
};

const KbSchema kb_lint_route_resilience_schema = {
  .key = "config", .type = KB_SCHEMA_MAPPING, .flags = KB_SCHEMA_NULLABLE, .fields = config_fields
};

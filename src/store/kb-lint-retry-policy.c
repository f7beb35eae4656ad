// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The retryPolicy of a provider: host facts 4.3. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-schemas.h"

#define DEFAULT_INITIAL 500
#define DEFAULT_MAXIMUM 10000
#define MAX_DELAY 2147483647

static void
check_backoff (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const KbYamlNode *place = kb_yaml_node_lookup (map, "initialDelayMs");
  double initial = DEFAULT_INITIAL;
  double maximum = DEFAULT_MAXIMUM;

  if (!kb_schema_get_number (walk, map, "initialDelayMs", &initial)
      || !kb_schema_get_number (walk, map, "maxDelayMs", &maximum) || initial <= maximum)
    return;
  if (place == NULL)
    place = kb_yaml_node_lookup (map, "maxDelayMs");
  kb_schema_report (walk, "bad-order", place,
                    _ ("Lower “initialDelayMs” or raise “maxDelayMs”; where one is not given its "
                       "default counts."),
                    _ ("the first delay (%.15g ms) is longer than the longest (%.15g ms)"), initial,
                    maximum);
}

static const char *const modes[] = { "normal", "always", NULL };

#define DELAY                                                                                      \
  .type = KB_SCHEMA_NUMBER, .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_ABOVE, .minimum = 0,           \
  .maximum = MAX_DELAY

static const KbSchema backoff_fields[] = {
  { .key = "initialDelayMs", DELAY, .standard = G_STRINGIFY (DEFAULT_INITIAL) },
  { .key = "maxDelayMs", DELAY, .standard = G_STRINGIFY (DEFAULT_MAXIMUM) },
  { .key = "jitterRatio",
    .type = KB_SCHEMA_NUMBER,
    .flags = KB_SCHEMA_NULLABLE,
    .minimum = 0,
    .maximum = 1,
    .standard = "0.1" },
  { NULL },
};

static const KbSchema code = { .type = KB_SCHEMA_STRING, .flags = KB_SCHEMA_FILLED };

const KbSchema kb_lint_retry_policy_fields[] = {
  { .key = "mode",
    .type = KB_SCHEMA_WORD,
    .flags = KB_SCHEMA_REQUIRED,
    .words = modes,
    .standard = "normal" },
  { .key = "maxRetries",
    .type = KB_SCHEMA_INTEGER,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_DEFERRED,
    .minimum = 0,
    .standard = "5" },
  { .key = "retryableCodes",
    .type = KB_SCHEMA_LIST,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_FILLED | KB_SCHEMA_UNIQUE | KB_SCHEMA_DEFERRED,
    .item = &code,
    .standard = "[EMPTY_RESPONSE, RATE_LIMIT, SERVER, TIMEOUT, TRANSPORT]" },
  { .key = "backoff",
    .type = KB_SCHEMA_MAPPING,
    .flags = KB_SCHEMA_NULLABLE | KB_SCHEMA_STRICT,
    .fields = backoff_fields,
    .check = check_backoff },
  { NULL },
};

/**
 * kb_lint_check_retry_policy:
 * @walk: a walk
 * @map: a policy
 *
 * How often and for which codes only matters in the mode “normal”; in “always” the host does
 * not look at them.
 */
void
kb_lint_check_retry_policy (KbSchemaWalk *walk, const KbYamlNode *map)
{
  const char *mode;

  g_return_if_fail (walk != NULL && map != NULL);

  mode = kb_yaml_file_get_string (walk->file, kb_yaml_node_lookup (map, "mode"));
  if (g_strcmp0 (mode, "always") == 0)
    return;
  for (const KbSchema *field = kb_lint_retry_policy_fields; field->key != NULL; field++)
    if ((field->flags & KB_SCHEMA_DEFERRED) != 0)
      kb_schema_check_part (walk, field, kb_yaml_node_lookup (map, field->key));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-schema.h"

/* What the configurations of the systems look like, one table per file. */

extern const KbSchema kb_lint_camel_schema;
extern const KbSchema kb_lint_llm_fallback_schema;
extern const KbSchema kb_lint_llm_pool_schema;
extern const KbSchema kb_lint_route_resilience_schema;
extern const KbSchema kb_lint_pi_ai_schema;
extern const KbSchema kb_lint_deepseek_schema;
extern const KbSchema kb_lint_default_model_schema;
extern const KbSchema kb_lint_retry_policy_fields[];
extern const KbSchema kb_lint_koboshi_schema;

void kb_lint_check_retry_policy (KbSchemaWalk *walk, const KbYamlNode *map);

/* Whatever answers as a provider can have one. */
#define KB_LINT_RETRY_POLICY_FIELD                                                                 \
  { .key = "retryPolicy",                                                                          \
    .type = KB_SCHEMA_MAPPING,                                                                     \
    .flags = KB_SCHEMA_STRICT,                                                                     \
    .fields = kb_lint_retry_policy_fields,                                                         \
    .check = kb_lint_check_retry_policy }

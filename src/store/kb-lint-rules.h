// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-patch.h"

/* The rules of kb-lint, by what they look at. Findings go to the files' own lists. */

/* What is looked at together: a whole profile, or one file as if it were alone. */
typedef struct
{
  const GPtrArray *rows;        /* KbPatchRow */
  KbYamlFile *settings;         /* an absent one if there is none */
  const char *const *bundles;   /* (nullable): not known */
  const KbDarumaConfig *daruma; /* (nullable) */
  const GPtrArray *providers;   /* (nullable) KbProvider; NULL: not known */
  GHashTable *virtual_names;    /* (nullable) */
  GPtrArray *problems;          /* KbProblem */
} KbLintScope;

/* A value with the file it stands in. */
typedef struct
{
  KbYamlFile *file;       /* (nullable) */
  const KbYamlNode *node; /* (nullable) as written: perhaps an alias */
} KbLintValue;

typedef struct
{
  KbLintValue row;      /* the governing `config` */
  KbLintValue settings; /* the part of the settings that is merged over it */
  gboolean mounted;
  gboolean disabled; /* for sure: an expression may be anything */
  gboolean uncertain;
} KbLintPart;

KbLintPart kb_lint_scope_open (const KbLintScope *scope,
                               const char *row_id,
                               const char *package,
                               const char *namespace_name);
KbLintValue kb_lint_part_get (const KbLintPart *part, const char *key);
const KbYamlNode *kb_lint_value_list (KbLintValue value);

void kb_lint_yaml (KbYamlFile *file);
void kb_lint_entries (KbYamlFile *file);
void kb_lint_rows (const GPtrArray *rows, const char *const *bundles);
void kb_lint_systems (const KbLintScope *scope);
void kb_lint_channels (const KbLintScope *scope);
void kb_lint_switchers (const KbLintScope *scope);
void kb_lint_koboshi (KbYamlFile *file);

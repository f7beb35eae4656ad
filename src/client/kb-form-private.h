// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-form.h"
#include "store/kb-config-path.h"

/* What the parts of a form share. */

struct _KbForm
{
  KbSnapshot *snapshot;   /* owned */
  const KbConfig *config; /* the snapshot's */
  GPtrArray *providers;   /* owned: KbProvider */
};

/* The key of an entry that is about the pattern of the page itself. */
#define KB_FORM_SELF "."

/* One line of the tables of labels: a field, or the heading of those below it. */
typedef struct
{
  const char *key;         /* (nullable) below the pattern of the page; NULL: a heading */
  const char *label;       /* (nullable) untranslated */
  const char *description; /* (nullable) untranslated */
} KbFormEntry;

const KbFormEntry *kb_form_table_find_page (const KbYamlPath *path);
const KbFormEntry *kb_form_table_find_field (const KbYamlPath *path);
const char *kb_form_table_get_word (const char *key, const char *word);
const char *kb_form_table_get_unit (const char *key);

const KbYamlNode *kb_form_find_node (const KbConfigPlace *place, const KbConfig *config);
gboolean kb_form_is_pertinent (KbForm *self, const KbField *field);
char *kb_form_emit (const KbYamlTree *tree);
KbYamlTree *kb_form_read_tree (KbForm *self, const KbYamlPath *path);
KbFieldItem *kb_field_add_item (
    KbField *self, const char *name, const char *model, const char *text, double number);
void kb_form_read_items (KbForm *self, KbField *field, const KbYamlPath *path, KbYamlTree *tree);

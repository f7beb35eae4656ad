// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-file.h"
#include "store/kb-yaml-path.h"

/*
 * What a part of a configuration may look like, as a table, and the walk that compares a
 * document with it. A schema is data; only rules that tie several keys together are code.
 */

typedef struct _KbSchema KbSchema;
typedef struct _KbSchemaWalk KbSchemaWalk;

typedef enum
{
  KB_SCHEMA_ANY,
  KB_SCHEMA_BOOLEAN,
  KB_SCHEMA_NUMBER,
  KB_SCHEMA_INTEGER,
  KB_SCHEMA_STRING,
  KB_SCHEMA_WORD,       /* one of `words` */
  KB_SCHEMA_KEY_NAME,   /* the name of a key, which is never shown: it may be the key */
  KB_SCHEMA_LIST,       /* of `item` */
  KB_SCHEMA_MAPPING,    /* with `fields` */
  KB_SCHEMA_DICTIONARY, /* from any text to `item` */
  KB_SCHEMA_REMOVED,    /* a key that earlier versions had */
} KbSchemaType;

typedef enum
{
  KB_SCHEMA_REQUIRED = 1 << 0,
  KB_SCHEMA_NULLABLE = 1 << 1, /* nothing is as good as absent */
  KB_SCHEMA_FILLED = 1 << 2,   /* a text or list that is not empty */
  KB_SCHEMA_INKED = 1 << 3,    /* a text that is not just white space */
  KB_SCHEMA_UNIQUE = 1 << 4,   /* the items of a list differ, by `identity` if they are mappings */
  KB_SCHEMA_ABOVE = 1 << 5,    /* a number greater than its minimum */
  KB_SCHEMA_STRICT = 1 << 6,   /* the host refuses other keys; else it ignores them */
  KB_SCHEMA_OR_FALSE = 1 << 7,
  KB_SCHEMA_DEFERRED = 1 << 8, /* only a rule of the mapping says whether it is looked at */
  KB_SCHEMA_OR_ITEM = 1 << 9,  /* one item alone stands for a list of it */
} KbSchemaFlags;

struct _KbSchema
{
  const char *key; /* (nullable) in a mapping; NULL ends a list of fields */
  KbSchemaType type;
  guint flags; /* KbSchemaFlags */
  double minimum;
  double maximum;           /* 0: none */
  const char *const *words; /* of a dictionary: the names that mean something */
  const char *const *identity;
  const KbSchema *fields;
  const KbSchema *item; /* of ANY: what is in it, where it is a mapping */
  const char *remedy;   /* (nullable) of a removed key, to be translated */
  const char *standard; /* (nullable) YAML: what holds where nothing is written */
  void (*check) (KbSchemaWalk *walk, const KbYamlNode *node); /* (nullable) after its parts */
};

struct _KbSchemaWalk
{
  KbYamlFile *file;
  const char *consequence; /* (nullable) of an error, a translated sentence */
  KbSeverity worst;        /* what an error counts as */
  guint budget;            /* nodes left; aliases multiply */
};

void kb_schema_check (const KbSchema *schema,
                      KbYamlFile *file,
                      const KbYamlNode *node,
                      const char *consequence,
                      KbSeverity worst);
void kb_schema_check_part (KbSchemaWalk *walk, const KbSchema *schema, const KbYamlNode *node);
void kb_schema_report (KbSchemaWalk *walk,
                       const char *code,
                       const KbYamlNode *node,
                       const char *hint,
                       const char *format,
                       ...) G_GNUC_PRINTF (5, 6);
gboolean
kb_schema_get_number (KbSchemaWalk *walk, const KbYamlNode *map, const char *key, double *value);
const KbSchema *kb_schema_find (const KbSchema *self, const KbYamlPath *path, guint from);
gboolean kb_schema_is_in_range (const KbSchema *self, double number);

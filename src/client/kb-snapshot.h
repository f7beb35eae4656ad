// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-config-path.h"

/*
 * The configuration of a profile at one moment, as a form or a page shows it: each value with
 * where it comes from. Changes that are made from a snapshot are compared with what the files
 * have become meanwhile. It never changes; any thread may hold it.
 */

typedef struct _KbSnapshot KbSnapshot;

typedef enum
{
  KB_VALUE_DEFAULT,  /* nothing is written: what the plugin does by itself */
  KB_VALUE_BUNDLE,   /* nothing is written: what an installed bundle says */
  KB_VALUE_PROFILE,  /* profiles/<p>/cordis.patch.yml */
  KB_VALUE_HOME,     /* <home>/cordis.patch.yml */
  KB_VALUE_SETTINGS, /* settings.yaml */
  KB_VALUE_KOBOSHI,  /* profiles/<p>/koboshi.yaml */
} KbValueOrigin;

/* A value and where it stands. */
typedef struct
{
  KbYamlTree *tree; /* owned, nullable: what counts, the default included; NULL: no value */
  KbValueOrigin origin;
  char *file; /* owned, nullable: absolute; where it is written or would be written */
  guint line; /* 1-based; 0 where nothing is written */
  gboolean written;
  gboolean expression; /* written as !!js, which is never evaluated */
} KbValue;

KbSnapshot *kb_snapshot_load (const char *home, const char *profile, GError **error);
KbSnapshot *kb_snapshot_ref (KbSnapshot *self);
void kb_snapshot_unref (KbSnapshot *self);
const KbConfig *kb_snapshot_get_config (const KbSnapshot *self);
gboolean kb_snapshot_is_same (const KbSnapshot *self, const KbSnapshot *other);
KbValue *kb_snapshot_get (const KbSnapshot *self, const char *path, GError **error);
char *kb_snapshot_explain_locked (const KbSnapshot *self, const char *path); /* (nullable) */
void kb_value_free (KbValue *self);
char *kb_value_describe_origin (const KbValue *self);
gboolean kb_value_get_int (const KbValue *self, gint64 *number);
gboolean kb_value_get_number (const KbValue *self, double *number);
gboolean kb_value_get_boolean (const KbValue *self, gboolean *truth);
const char *kb_value_get_string (const KbValue *self); /* (nullable) */
char *kb_value_to_text (const KbValue *self);

/* "llm-pool", "providers", "pool.a", NULL -> llm-pool.providers["pool.a"] */
char *kb_path_build (const char *first, ...) G_GNUC_NULL_TERMINATED;
char *kb_path_add_index (const char *path, guint index);
char *kb_path_add_key (const char *path, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSnapshot, kb_snapshot_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbValue, kb_value_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-atomic-file.h"
#include "store/kb-patch.h"
#include "store/kb-yaml-tree.h"

/*
 * The files of one profile that an editor may change, as they were read, and what becomes of
 * them in memory before anything is saved.
 */

typedef enum
{
  KB_CONFIG_PROFILE,  /* profiles/<p>/cordis.patch.yml */
  KB_CONFIG_HOME,     /* <home>/cordis.patch.yml, which outranks it */
  KB_CONFIG_SETTINGS, /* settings.yaml, or where the settings row sends the host */
  KB_CONFIG_KOBOSHI,  /* profiles/<p>/koboshi.yaml */
  KB_CONFIG_N_FILES,
} KbConfigFile;

#define KB_CONFIG_ERROR (kb_config_error_quark ())
GQuark kb_config_error_quark (void);

typedef enum
{
  KB_CONFIG_ERROR_UNKNOWN,    /* no system has that name */
  KB_CONFIG_ERROR_NOT_FOUND,  /* nothing stands at the path */
  KB_CONFIG_ERROR_AMBIGUOUS,  /* the row is given twice */
  KB_CONFIG_ERROR_UNREADABLE, /* the file cannot be read, or is not YAML */
  KB_CONFIG_ERROR_SHAPE,      /* something else stands where the path leads through */
} KbConfigError;

typedef struct _KbConfig KbConfig;

KbConfig *kb_config_load (const char *home, const char *profile, GError **error);
KbConfig *kb_config_copy (const KbConfig *self);
void kb_config_free (KbConfig *self);
const char *kb_config_get_home (const KbConfig *self);
const char *kb_config_get_profile (const KbConfig *self);
const char *const *kb_config_get_bundles (const KbConfig *self); /* (nullable): not known */
const GPtrArray *kb_config_get_rows (const KbConfig *self);      /* KbPatchRow */
KbYamlFile *kb_config_get_file (const KbConfig *self, KbConfigFile file);
gboolean kb_config_check_file (const KbConfig *self, KbConfigFile file, GError **error);
GBytes *kb_config_get_bytes (const KbConfig *self, KbConfigFile file);
GBytes *kb_config_get_base (const KbConfig *self, KbConfigFile file);
const KbRevision *kb_config_get_revision (const KbConfig *self, KbConfigFile file);
char *kb_config_get_label (const KbConfig *self, KbConfigFile file);
void kb_config_replace (KbConfig *self, KbConfigFile file, KbYamlDocument *document);
KbYamlTree *kb_config_load_bundle_row (const KbConfig *self, const char *bundle, const char *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbConfig, kb_config_free)

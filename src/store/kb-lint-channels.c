// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Channels against the providers of the home. Warnings only: a host may know more. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"
#include "store/kb-provider.h"

typedef struct
{
  GHashTable *providers; /* name -> KbProvider, both borrowed */
  GHashTable *models;    /* a set of channel ids: what the providers list */
  GHashTable *virtual_names;
  GPtrArray *problems;
} Linter;

static void
report (Linter *self,
        const char *code,
        const KbProvenance *place,
        const char *message,
        const char *hint)
{
  kb_yaml_file_add_problem (self->problems,
                            kb_problem_new (KB_SEVERITY_WARNING, code, place->file, place->line,
                                            place->column, message, hint));
}

static void
report_provider (Linter *self, const KbChannelRef *ref, const KbProvenance *place)
{
  g_autofree char *message = g_strdup_printf (
      _ ("no provider “%s” is configured; a request that falls over to it fails"), ref->provider);

  report (self, "missing-provider", place, message,
          _ ("Add it below “llm-pi-ai: providers:” in the settings, or correct its name here."));
}

static void
report_model (Linter *self, const KbChannelRef *ref, const KbProvenance *place)
{
  g_autofree char *message = g_strdup_printf (_ ("the provider “%s” does not list a model “%s”"),
                                              ref->provider, ref->model);

  report (self, "missing-model", place, message,
          _ ("Add it to the “models” of the provider, or correct its name here."));
}

static void
lint_channel (Linter *self, const KbChannelRef *ref, const KbProvenance *place)
{
  const KbProvider *provider = g_hash_table_lookup (self->providers, ref->provider);

  if (provider != NULL)
    {
      if (!provider->open_ended && !g_hash_table_contains (self->models, ref->id))
        report_model (self, ref, place);
      return;
    }
  if (!g_hash_table_contains (self->virtual_names, ref->provider)
      && !kb_provider_is_catalog (ref->provider))
    report_provider (self, ref, place);
}

static void
add_provider (Linter *self, const KbProvider *provider)
{
  g_hash_table_insert (self->providers, provider->name, (gpointer) provider);
  for (gsize i = 0; provider->models[i] != NULL; i++)
    g_hash_table_add (self->models, g_strconcat (provider->name, "::", provider->models[i], NULL));
}

/**
 * kb_lint_channels:
 * @daruma: the chain and the backup
 * @providers: (element-type KbProvider): the providers of the home
 * @virtual_names: a set of names that answer as providers do
 * @problems: (element-type KbProblem): where findings go
 *
 * Finds channels whose provider or model is not configured.
 */
void
kb_lint_channels (const KbDarumaConfig *daruma,
                  const GPtrArray *providers,
                  GHashTable *virtual_names,
                  GPtrArray *problems)
{
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) models = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Linter self = { by_name, models, virtual_names, problems };

  g_return_if_fail (daruma != NULL && providers != NULL);
  g_return_if_fail (virtual_names != NULL && problems != NULL);

  for (guint i = 0; i < providers->len; i++)
    add_provider (&self, providers->pdata[i]);
  for (guint i = 0; i < daruma->channels->len; i++)
    lint_channel (&self, daruma->channels->pdata[i],
                  &g_array_index (daruma->places, KbProvenance, i));
  if (daruma->backup != NULL)
    lint_channel (&self, daruma->backup, &daruma->backup_place);
}

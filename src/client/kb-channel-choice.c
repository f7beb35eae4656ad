// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-channel-choice.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "store/kb-provider.h"

struct _KbChannelChoice
{
  GObject parent_instance;

  KbChannelRef *ref;   /* owned */
  char *provider_name; /* owned */
  char *folded;        /* owned: all that can be searched */
  guint position;
};

G_DEFINE_FINAL_TYPE (KbChannelChoice, kb_channel_choice, G_TYPE_OBJECT)

static void
kb_channel_choice_finalize (GObject *object)
{
  KbChannelChoice *self = KB_CHANNEL_CHOICE (object);

  kb_channel_ref_free (self->ref);
  g_free (self->provider_name);
  g_free (self->folded);

  G_OBJECT_CLASS (kb_channel_choice_parent_class)->finalize (object);
}

static void
kb_channel_choice_class_init (KbChannelChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_channel_choice_finalize;
}

static void
kb_channel_choice_init (KbChannelChoice *self)
{
}

static guint
find_position (KbProfile *profile, const KbChannelRef *ref)
{
  const GPtrArray *channels = kb_profile_get_daruma (profile)->channels;

  for (guint i = 0; i < channels->len; i++)
    if (g_str_equal (((const KbChannelRef *) channels->pdata[i])->id, ref->id))
      return i + 1;
  return 0;
}

static KbChannelChoice *
choice_new (KbProfile *profile, const KbChannelRef *ref, const char *display_name)
{
  KbChannelChoice *self = g_object_new (KB_TYPE_CHANNEL_CHOICE, NULL);
  g_autofree char *text = NULL;

  self->ref = kb_channel_ref_copy (ref);
  self->provider_name = g_strdup (display_name != NULL ? display_name : ref->provider);
  self->position = find_position (profile, ref);
  text = g_strconcat (ref->id, " ", self->provider_name, NULL);
  self->folded = g_utf8_casefold (text, -1);
  return self;
}

static void
add_choice (
    GListStore *list, GHashTable *seen, KbProfile *profile, KbChannelRef *ref, const char *name)
{
  g_autoptr (KbChannelRef) owned = ref;
  g_autoptr (KbChannelChoice) choice = NULL;

  if (!g_hash_table_add (seen, g_strdup (owned->id)))
    return;
  choice = choice_new (profile, owned, name);
  g_list_store_append (list, choice);
}

/**
 * kb_channel_choice_list:
 * @profile: a profile
 *
 * Returns: (transfer full): a list of #KbChannelChoice, provider by provider as the files have
 *   them, then the channels of the chain that no provider offers
 */
GListModel *
kb_channel_choice_list (KbProfile *profile)
{
  GListStore *list = g_list_store_new (KB_TYPE_CHANNEL_CHOICE);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const GPtrArray *providers;
  const GPtrArray *channels;

  g_return_val_if_fail (profile != NULL, G_LIST_MODEL (list));

  providers = kb_profile_get_providers (profile);
  for (guint i = 0; i < providers->len; i++)
    {
      const KbProvider *provider = providers->pdata[i];

      for (char **model = provider->models; *model != NULL; model++)
        add_choice (list, seen, profile, kb_channel_ref_new (provider->name, *model),
                    provider->display_name);
      if (provider->open_ended)
        add_choice (list, seen, profile, kb_channel_ref_new (provider->name, ""),
                    provider->display_name);
    }
  channels = kb_profile_get_daruma (profile)->channels;
  for (guint i = 0; i < channels->len; i++)
    add_choice (list, seen, profile, kb_channel_ref_copy (channels->pdata[i]), NULL);
  return G_LIST_MODEL (list);
}

/**
 * kb_channel_choice_get_ref:
 * @self: a choice
 *
 * Returns: (transfer none): the channel
 */
const KbChannelRef *
kb_channel_choice_get_ref (KbChannelChoice *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL_CHOICE (self), NULL);
  return self->ref;
}

/**
 * kb_channel_choice_get_provider_name:
 * @self: a choice
 *
 * Returns: (transfer none): its provider as people call it
 */
const char *
kb_channel_choice_get_provider_name (KbChannelChoice *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL_CHOICE (self), NULL);
  return self->provider_name;
}

/**
 * kb_channel_choice_is_complete:
 * @self: a choice
 *
 * Returns: whether it is a channel; %FALSE for a provider whose models a person has to name
 */
gboolean
kb_channel_choice_is_complete (KbChannelChoice *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL_CHOICE (self), FALSE);
  return *self->ref->model != '\0';
}

/**
 * kb_channel_choice_get_position:
 * @self: a choice
 *
 * Returns: its position in the chain, 1-based; 0 if it is not in it
 */
guint
kb_channel_choice_get_position (KbChannelChoice *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL_CHOICE (self), 0);
  return self->position;
}

/**
 * kb_channel_choice_matches:
 * @self: a choice
 * @folded_words: casefolded words with spaces between
 *
 * Returns: whether each of them is somewhere in its names
 */
gboolean
kb_channel_choice_matches (KbChannelChoice *self, const char *folded_words)
{
  g_auto (GStrv) words = NULL;

  g_return_val_if_fail (KB_IS_CHANNEL_CHOICE (self), FALSE);
  g_return_val_if_fail (folded_words != NULL, FALSE);

  words = g_strsplit (folded_words, " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (strstr (self->folded, *word) == NULL)
      return FALSE;
  return TRUE;
}

/**
 * kb_channel_choice_parse:
 * @profile: a profile
 * @text: what a person typed
 *
 * Returns: (transfer full) (nullable): the channel that provider::model names; %NULL for
 *   anything else
 */
KbChannelRef *
kb_channel_choice_parse (KbProfile *profile, const char *text)
{
  g_autofree char *stripped = NULL;
  g_autoptr (KbChannelRef) ref = NULL;

  g_return_val_if_fail (profile != NULL && text != NULL, NULL);

  stripped = g_strstrip (g_strdup (text));
  ref = kb_channel_ref_parse (stripped, kb_profile_get_daruma (profile)->channels);
  if (ref == NULL || *ref->provider == '\0' || *ref->model == '\0')
    return NULL;
  return g_steal_pointer (&ref);
}

static gboolean
is_virtual (const KbSnapshot *files, const char *provider)
{
  const KbConfig *config = kb_snapshot_get_config (files);
  g_autoptr (GHashTable) names = kb_provider_list_virtual (
      kb_config_get_rows (config), kb_config_get_file (config, KB_CONFIG_SETTINGS));

  return g_hash_table_contains (names, provider);
}

/**
 * kb_channel_choice_warn:
 * @profile: a profile
 * @files: (nullable): the files it is from, which name the pools and groups
 * @ref: a channel
 *
 * Returns: (transfer full) (nullable): why it would hardly work; %NULL if the home knows it,
 *   or if only the host can tell
 */
char *
kb_channel_choice_warn (KbProfile *profile, const KbSnapshot *files, const KbChannelRef *ref)
{
  const KbProvider *provider;

  g_return_val_if_fail (profile != NULL && ref != NULL, NULL);

  provider = kb_provider_find (kb_profile_get_providers (profile), ref->provider);
  if (provider != NULL
      && (provider->open_ended
          || g_strv_contains ((const char *const *) provider->models, ref->model)))
    return NULL;
  if (provider != NULL)
    /* Translators: a provider, a model */
    return g_strdup_printf (_ ("The provider %1$s of this home does not list the model %2$s."),
                            ref->provider, ref->model);
  if (kb_provider_is_catalog (ref->provider)
      || (files != NULL && is_virtual (files, ref->provider)))
    return NULL;
  return g_strdup_printf (_ ("This home has no provider %s."), ref->provider);
}

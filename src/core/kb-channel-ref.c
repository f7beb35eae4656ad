// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-channel-ref.h"

#include <string.h>

/**
 * kb_channel_ref_new:
 * @provider: a provider name
 * @model: a model name, may be empty
 *
 * Returns: (transfer full): a new reference to a channel
 */
KbChannelRef *
kb_channel_ref_new (const char *provider, const char *model)
{
  KbChannelRef *self;

  g_return_val_if_fail (provider != NULL, NULL);
  g_return_val_if_fail (model != NULL, NULL);

  self = g_new0 (KbChannelRef, 1);
  self->provider = g_strdup (provider);
  self->model = g_strdup (model);
  self->id = *model == '\0' ? g_strdup (provider) : g_strconcat (provider, "::", model, NULL);
  return self;
}

/**
 * kb_channel_ref_parse:
 * @id: a channel id from a file
 * @known: (nullable) (element-type KbChannelRef): channels that are configured
 *
 * Takes an id apart. A configured channel with the same id decides where the provider ends;
 * without one the first "::" does (the plugin never splits an id itself).
 *
 * Returns: (transfer full): the channel; its id equals @id
 */
KbChannelRef *
kb_channel_ref_parse (const char *id, const GPtrArray *known)
{
  g_autofree char *provider = NULL;
  const char *separator;

  g_return_val_if_fail (id != NULL, NULL);

  for (guint i = 0; known != NULL && i < known->len; i++)
    {
      const KbChannelRef *ref = known->pdata[i];

      if (g_str_equal (ref->id, id))
        return kb_channel_ref_copy (ref);
    }

  separator = strstr (id, "::");
  if (separator == NULL || separator[2] == '\0')
    return kb_channel_ref_new (id, "");
  provider = g_strndup (id, (gsize) (separator - id));
  return kb_channel_ref_new (provider, separator + 2);
}

/**
 * kb_channel_ref_copy:
 * @self: a channel
 *
 * Returns: (transfer full): another reference to the same channel
 */
KbChannelRef *
kb_channel_ref_copy (const KbChannelRef *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return kb_channel_ref_new (self->provider, self->model);
}

/**
 * kb_channel_ref_free:
 * @self: (transfer full) (nullable): a channel
 *
 * Frees it.
 */
void
kb_channel_ref_free (KbChannelRef *self)
{
  if (self == NULL)
    return;
  g_free (self->provider);
  g_free (self->model);
  g_free (self->id);
  g_free (self);
}

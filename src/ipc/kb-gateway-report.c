// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-report-private.h"

#define CHANNEL(name, field) { name, G_STRUCT_OFFSET (KbChannelReport, field) }
#define GATEWAY(name, field) { name, G_STRUCT_OFFSET (KbGatewayReport, field) }

static const KbReportMember channel_texts[] = {
  CHANNEL ("id", id),
  CHANNEL ("provider", provider),
  CHANNEL ("model", model),
  CHANNEL ("scope", scope),
  CHANNEL ("reason", reason),
  CHANNEL ("strip", strip),
  CHANNEL ("url", url),
  CHANNEL ("missingKey", missing_key),
  CHANNEL ("pacing", pacing),
  CHANNEL ("paceScope", pace_scope),
  CHANNEL ("address", address),
  CHANNEL ("family", family),
  CHANNEL ("proxy", proxy),
  CHANNEL ("proxyReason", proxy_reason),
  CHANNEL ("tlsError", tls_error),
};

static const KbReportMember channel_numbers[] = {
  CHANNEL ("position", position),
  CHANNEL ("since", since_ms),
  CHANNEL ("until", until_ms),
  CHANNEL ("updated", updated_ms),
  CHANNEL ("failures", failures),
  CHANNEL ("status", status),
  CHANNEL ("retryAfterMs", retry_after_ms),
  CHANNEL ("ok", n_ok),
  CHANNEL ("failed", n_failed),
  CHANNEL ("cut", n_cut),
  CHANNEL ("tokensIn", tokens_in),
  CHANNEL ("tokensCached", tokens_cached),
  CHANNEL ("tokensOut", tokens_out),
  CHANNEL ("p50Ms", p50_ms),
  CHANNEL ("p95Ms", p95_ms),
  CHANNEL ("paceLimit", pace_limit),
  CHANNEL ("paceWindowMs", pace_window_ms),
  CHANNEL ("paceUsed", pace_used),
  CHANNEL ("queued", queued),
  CHANNEL ("freeAt", free_at_ms),
  CHANNEL ("learned", learned),
  CHANNEL ("learnedLeast", learned_least),
  CHANNEL ("learnedMost", learned_most),
  CHANNEL ("cleanWindows", clean_windows),
  CHANNEL ("restsUntil", rests_until_ms),
  CHANNEL ("mostRetries", most_retries),
  CHANNEL ("waiting", waiting),
  CHANNEL ("waitsUntil", waits_until_ms),
};

static const KbReportMember channel_flags[] = {
  CHANNEL ("isBackup", is_backup),   CHANNEL ("isPinned", is_pinned),
  CHANNEL ("isProbing", is_probing), CHANNEL ("byHand", by_hand),
  CHANNEL ("retries", retries),      CHANNEL ("isRateLimited", is_rate_limited),
};

static const KbReportMember gateway_texts[] = {
  GATEWAY ("version", version), GATEWAY ("home", home), GATEWAY ("profile", profile),
  GATEWAY ("address", address), GATEWAY ("pin", pin),   GATEWAY ("serving", serving),
};

static const KbReportMember gateway_numbers[] = {
  GATEWAY ("serial", serial),         GATEWAY ("time", time_ms),
  GATEWAY ("started", started_ms),    GATEWAY ("pausedUntil", paused_until_ms),
  GATEWAY ("pinUntil", pin_until_ms), GATEWAY ("inFlight", in_flight),
  GATEWAY ("bindings", bindings),     GATEWAY ("queued", queued),
};

static const KbReportMember gateway_flags[] = {
  GATEWAY ("online", online),
  GATEWAY ("paused", paused),
};

static void
channel_free (KbChannelReport *channel)
{
  for (gsize i = 0; i < G_N_ELEMENTS (channel_texts); i++)
    g_free (G_STRUCT_MEMBER (char *, channel, channel_texts[i].offset));
  g_free (channel);
}

/**
 * kb_gateway_report_new:
 *
 * Returns: (transfer full): a report without channels
 */
KbGatewayReport *
kb_gateway_report_new (void)
{
  KbGatewayReport *self = g_new0 (KbGatewayReport, 1);

  self->channels = g_ptr_array_new_with_free_func ((GDestroyNotify) channel_free);
  self->groups = g_ptr_array_new_with_free_func (kb_group_report_free);
  self->exchanges = g_ptr_array_new_with_free_func (kb_exchange_report_free);
  self->problems = g_new0 (char *, 1);
  return self;
}

/**
 * kb_gateway_report_free:
 * @self: (transfer full) (nullable): a report
 *
 * Frees it.
 */
void
kb_gateway_report_free (KbGatewayReport *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (gateway_texts); i++)
    g_free (G_STRUCT_MEMBER (char *, self, gateway_texts[i].offset));
  g_ptr_array_unref (self->channels);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->exchanges);
  g_strfreev (self->problems);
  g_free (self);
}

/**
 * kb_gateway_report_add_channel:
 * @self: a report
 * @id: the id of a channel
 *
 * Returns: (transfer none): a new channel at the end of the report, healthy and unused
 */
KbChannelReport *
kb_gateway_report_add_channel (KbGatewayReport *self, const char *id)
{
  KbChannelReport *channel;

  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  channel = g_new0 (KbChannelReport, 1);
  channel->id = g_strdup (id);
  channel->p50_ms = -1;
  channel->p95_ms = -1;
  g_ptr_array_add (self->channels, channel);
  return channel;
}

/**
 * kb_gateway_report_find_channel:
 * @self: a report
 * @id: the id of a channel
 *
 * Returns: (transfer none) (nullable): that channel
 */
const KbChannelReport *
kb_gateway_report_find_channel (const KbGatewayReport *self, const char *id)
{
  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  for (guint i = 0; i < self->channels->len; i++)
    {
      const KbChannelReport *channel = self->channels->pdata[i];

      if (g_str_equal (channel->id, id))
        return channel;
    }
  return NULL;
}

/**
 * kb_channel_report_to_variant:
 * @channel: a channel of a report
 *
 * Returns: (transfer floating): an `a{sv}`; what is %NULL is left out
 */
GVariant *
kb_channel_report_to_variant (const KbChannelReport *channel)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  kb_report_put_texts (&dict, channel, channel_texts, G_N_ELEMENTS (channel_texts));
  kb_report_put_numbers (&dict, channel, channel_numbers, G_N_ELEMENTS (channel_numbers));
  kb_report_put_flags (&dict, channel, channel_flags, G_N_ELEMENTS (channel_flags));
  g_variant_dict_insert (&dict, "state", "s", kb_channel_state_to_string (channel->state));
  g_variant_dict_insert (&dict, "inChain", "b", channel->position > 0);
  return g_variant_dict_end (&dict);
}

/**
 * kb_gateway_report_to_variant:
 * @self: a report
 *
 * Returns: (transfer floating): an `a{sv}`; what is %NULL is left out
 */
GVariant *
kb_gateway_report_to_variant (const KbGatewayReport *self)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  GVariantBuilder channels = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  g_return_val_if_fail (self != NULL, NULL);

  kb_report_put_texts (&dict, self, gateway_texts, G_N_ELEMENTS (gateway_texts));
  kb_report_put_numbers (&dict, self, gateway_numbers, G_N_ELEMENTS (gateway_numbers));
  kb_report_put_flags (&dict, self, gateway_flags, G_N_ELEMENTS (gateway_flags));
  for (guint i = 0; i < self->channels->len; i++)
    g_variant_builder_add_value (&channels,
                                 kb_channel_report_to_variant (self->channels->pdata[i]));
  g_variant_dict_insert_value (&dict, "channels", g_variant_builder_end (&channels));
  g_variant_dict_insert_value (&dict, "groups", kb_group_reports_to_variant (self->groups));
  g_variant_dict_insert_value (&dict, "exchanges",
                               kb_exchange_reports_to_variant (self->exchanges));
  g_variant_dict_insert (&dict, "problems", "^as", self->problems);
  return g_variant_dict_end (&dict);
}

static void
take_channel (KbGatewayReport *self, GVariant *variant)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (variant);
  g_autofree char *id = NULL;
  g_autofree char *state = NULL;
  KbChannelReport *channel;

  if (!g_variant_dict_lookup (&dict, "id", "s", &id))
    return;
  channel = kb_gateway_report_add_channel (self, id);
  kb_report_take_texts (&dict, channel, channel_texts, G_N_ELEMENTS (channel_texts));
  kb_report_take_numbers (&dict, channel, channel_numbers, G_N_ELEMENTS (channel_numbers));
  kb_report_take_flags (&dict, channel, channel_flags, G_N_ELEMENTS (channel_flags));
  if (g_variant_dict_lookup (&dict, "state", "s", &state))
    kb_channel_state_parse (state, &channel->state);
}

/**
 * kb_gateway_report_from_variant:
 * @variant: what a gateway, perhaps of another version, has sent
 *
 * Members that are not known are ignored, those that are missing or of another type keep
 * their defaults.
 *
 * Returns: (transfer full) (nullable): the report; %NULL if it is no dictionary
 */
KbGatewayReport *
kb_gateway_report_from_variant (GVariant *variant)
{
  g_autoptr (KbGatewayReport) self = NULL;
  g_autoptr (GVariant) channels = NULL;
  g_autoptr (GVariant) groups = NULL;
  g_autoptr (GVariant) exchanges = NULL;
  g_auto (GStrv) problems = NULL;

  g_return_val_if_fail (variant != NULL, NULL);

  if (!g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    return NULL;
  self = kb_gateway_report_new ();
  {
    g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (variant);

    kb_report_take_texts (&dict, self, gateway_texts, G_N_ELEMENTS (gateway_texts));
    kb_report_take_numbers (&dict, self, gateway_numbers, G_N_ELEMENTS (gateway_numbers));
    kb_report_take_flags (&dict, self, gateway_flags, G_N_ELEMENTS (gateway_flags));
    channels = g_variant_dict_lookup_value (&dict, "channels", G_VARIANT_TYPE ("aa{sv}"));
    groups = g_variant_dict_lookup_value (&dict, "groups", G_VARIANT_TYPE ("aa{sv}"));
    exchanges = g_variant_dict_lookup_value (&dict, "exchanges", G_VARIANT_TYPE ("aa{sv}"));
    if (g_variant_dict_lookup (&dict, "problems", "^as", &problems))
      {
        g_strfreev (self->problems);
        self->problems = g_steal_pointer (&problems);
      }
  }
  for (gsize i = 0; channels != NULL && i < g_variant_n_children (channels); i++)
    {
      g_autoptr (GVariant) channel = g_variant_get_child_value (channels, i);

      take_channel (self, channel);
    }
  if (groups != NULL)
    kb_group_reports_take (self, groups);
  if (exchanges != NULL)
    kb_exchange_reports_take (self, exchanges);
  return g_steal_pointer (&self);
}

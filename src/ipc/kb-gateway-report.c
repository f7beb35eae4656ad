// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-report-private.h"

#include <string.h>

#define MINUTES G_VARIANT_TYPE ("a(uuu)")

#define CHANNEL(name, field) { name, G_STRUCT_OFFSET (KbChannelReport, field) }
#define GATEWAY(name, field) { name, G_STRUCT_OFFSET (KbGatewayReport, field) }

static const KbReportMember channel_texts[] = {
  CHANNEL ("id", id),
  CHANNEL ("provider", provider),
  CHANNEL ("model", model),
  CHANNEL ("scope", scope),
  CHANNEL ("reason", reason),
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
  CHANNEL ("isBackup", is_backup),
  CHANNEL ("isPinned", is_pinned),
  CHANNEL ("isProbing", is_probing),
  CHANNEL ("byHand", by_hand),
  CHANNEL ("retries", retries),
  CHANNEL ("isRateLimited", is_rate_limited),
  CHANNEL ("neverAutomatic", never_automatic),
};

static const KbReportMember gateway_texts[] = {
  GATEWAY ("version", version), GATEWAY ("home", home), GATEWAY ("profile", profile),
  GATEWAY ("address", address), GATEWAY ("pin", pin),   GATEWAY ("serving", serving),
};

static const KbReportMember gateway_numbers[] = {
  GATEWAY ("serial", serial),
  GATEWAY ("time", time_ms),
  GATEWAY ("started", started_ms),
  GATEWAY ("pausedUntil", paused_until_ms),
  GATEWAY ("pinUntil", pin_until_ms),
  GATEWAY ("inFlight", in_flight),
  GATEWAY ("bindings", bindings),
  GATEWAY ("queued", queued),
  GATEWAY ("servingSince", serving_since_ms),
};

/* Of the dictionary "lastSwitch". */
static const KbReportMember switch_texts[] = {
  GATEWAY ("from", switch_from),
  GATEWAY ("to", switch_to),
  GATEWAY ("reason", switch_reason),
};

static const KbReportMember switch_numbers[] = {
  GATEWAY ("time", switch_ms),
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
  g_array_unref (channel->minutes);
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
  KbGatewayReport *self = g_rc_box_new0 (KbGatewayReport);

  self->channels = g_ptr_array_new_with_free_func ((GDestroyNotify) channel_free);
  self->groups = g_ptr_array_new_with_free_func (kb_group_report_free);
  self->exchanges = g_ptr_array_new_with_free_func (kb_exchange_report_free);
  self->problems = g_new0 (char *, 1);
  return self;
}

/**
 * kb_gateway_report_ref:
 * @self: a report that nobody changes any more
 *
 * Returns: (transfer full): the same one
 */
KbGatewayReport *
kb_gateway_report_ref (KbGatewayReport *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_rc_box_acquire (self);
}

static void
report_clear (gpointer data)
{
  KbGatewayReport *self = data;

  for (gsize i = 0; i < G_N_ELEMENTS (gateway_texts); i++)
    g_free (G_STRUCT_MEMBER (char *, self, gateway_texts[i].offset));
  for (gsize i = 0; i < G_N_ELEMENTS (switch_texts); i++)
    g_free (G_STRUCT_MEMBER (char *, self, switch_texts[i].offset));
  g_ptr_array_unref (self->channels);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->exchanges);
  g_strfreev (self->problems);
}

/**
 * kb_gateway_report_unref:
 * @self: (transfer full) (nullable): a report
 *
 * Lets go of it.
 */
void
kb_gateway_report_unref (KbGatewayReport *self)
{
  if (self != NULL)
    g_rc_box_release_full (self, report_clear);
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
  channel->minutes = g_array_new (FALSE, TRUE, sizeof (KbChannelMinute));
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

static gboolean
same_minutes (const GArray *a, const GArray *b)
{
  return a->len == b->len
         && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (KbChannelMinute)) == 0);
}

/**
 * kb_channel_report_equal:
 * @a: (nullable): what was told of a channel
 * @b: (nullable): the same at another time
 *
 * Returns: whether nothing differs
 */
gboolean
kb_channel_report_equal (const KbChannelReport *a, const KbChannelReport *b)
{
  gboolean same = a != NULL && b != NULL;

  if (!same)
    return a == b;
  for (gsize i = 0; same && i < G_N_ELEMENTS (channel_texts); i++)
    same = g_strcmp0 (G_STRUCT_MEMBER (const char *, a, channel_texts[i].offset),
                      G_STRUCT_MEMBER (const char *, b, channel_texts[i].offset))
           == 0;
  for (gsize i = 0; same && i < G_N_ELEMENTS (channel_numbers); i++)
    same = G_STRUCT_MEMBER (gint64, a, channel_numbers[i].offset)
           == G_STRUCT_MEMBER (gint64, b, channel_numbers[i].offset);
  for (gsize i = 0; same && i < G_N_ELEMENTS (channel_flags); i++)
    same = G_STRUCT_MEMBER (gboolean, a, channel_flags[i].offset)
           == G_STRUCT_MEMBER (gboolean, b, channel_flags[i].offset);
  return same && a->state == b->state && same_minutes (a->minutes, b->minutes);
}

static GVariant *
minutes_to_variant (const GArray *minutes)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (MINUTES);

  for (guint i = 0; i < minutes->len; i++)
    {
      const KbChannelMinute *minute = &g_array_index (minutes, KbChannelMinute, i);

      g_variant_builder_add (&builder, "(uuu)", minute->n_ok, minute->n_failed, minute->n_cut);
    }
  return g_variant_builder_end (&builder);
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
  g_variant_dict_insert_value (&dict, "minutes", minutes_to_variant (channel->minutes));
  return g_variant_dict_end (&dict);
}

static GVariant *
switch_to_variant (const KbGatewayReport *self)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  kb_report_put_texts (&dict, self, switch_texts, G_N_ELEMENTS (switch_texts));
  kb_report_put_numbers (&dict, self, switch_numbers, G_N_ELEMENTS (switch_numbers));
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
  if (self->switch_to != NULL)
    g_variant_dict_insert_value (&dict, "lastSwitch", switch_to_variant (self));
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
take_minutes (GVariantDict *dict, GArray *minutes)
{
  g_autoptr (GVariant) variant = g_variant_dict_lookup_value (dict, "minutes", MINUTES);
  gsize n = variant != NULL ? MIN (g_variant_n_children (variant), KB_CHANNEL_N_MINUTES) : 0;

  for (gsize i = 0; i < n; i++)
    {
      KbChannelMinute minute;

      g_variant_get_child (variant, i, "(uuu)", &minute.n_ok, &minute.n_failed, &minute.n_cut);
      g_array_append_val (minutes, minute);
    }
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
  take_minutes (&dict, channel->minutes);
}

static void
take_switch (KbGatewayReport *self, GVariantDict *gateway)
{
  g_autoptr (GVariant) variant
      = g_variant_dict_lookup_value (gateway, "lastSwitch", G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (variant);

  kb_report_take_texts (&dict, self, switch_texts, G_N_ELEMENTS (switch_texts));
  kb_report_take_numbers (&dict, self, switch_numbers, G_N_ELEMENTS (switch_numbers));
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
    take_switch (self, &dict);
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

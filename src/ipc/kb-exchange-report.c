// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-report-private.h"

#define EXCHANGE(name, field) { name, G_STRUCT_OFFSET (KbExchangeReport, field) }

static const KbReportMember exchange_texts[] = {
  EXCHANGE ("id", id),           EXCHANGE ("model", model),     EXCHANGE ("channel", channel),
  EXCHANGE ("dialect", dialect), EXCHANGE ("program", program),
};

static const KbReportMember exchange_numbers[] = {
  EXCHANGE ("since", since_ms),
  EXCHANGE ("attempts", attempts),
  EXCHANGE ("pid", pid),
};

static const KbReportMember exchange_flags[] = {
  EXCHANGE ("isStream", is_stream),
};

/**
 * kb_exchange_report_free:
 * @data: (transfer full): a #KbExchangeReport
 *
 * Frees it.
 */
void
kb_exchange_report_free (gpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (exchange_texts); i++)
    g_free (G_STRUCT_MEMBER (char *, data, exchange_texts[i].offset));
  g_free (data);
}

/**
 * kb_gateway_report_add_exchange:
 * @self: a report
 * @id: the id of a request that is under way
 *
 * Returns: (transfer none): a new one at the end of the report
 */
KbExchangeReport *
kb_gateway_report_add_exchange (KbGatewayReport *self, const char *id)
{
  KbExchangeReport *exchange;

  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  exchange = g_new0 (KbExchangeReport, 1);
  exchange->id = g_strdup (id);
  g_ptr_array_add (self->exchanges, exchange);
  return exchange;
}

/**
 * kb_exchange_reports_to_variant:
 * @exchanges: (element-type KbExchangeReport): requests
 *
 * Returns: (transfer floating): an `aa{sv}`
 */
GVariant *
kb_exchange_reports_to_variant (const GPtrArray *exchanges)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  for (guint i = 0; i < exchanges->len; i++)
    {
      g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
      gconstpointer from = exchanges->pdata[i];

      kb_report_put_texts (&dict, from, exchange_texts, G_N_ELEMENTS (exchange_texts));
      kb_report_put_numbers (&dict, from, exchange_numbers, G_N_ELEMENTS (exchange_numbers));
      kb_report_put_flags (&dict, from, exchange_flags, G_N_ELEMENTS (exchange_flags));
      g_variant_builder_add_value (&builder, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&builder);
}

/**
 * kb_exchange_reports_take:
 * @report: where they go
 * @variant: an `aa{sv}`
 *
 * Adds the requests of @variant; those without an id are left out.
 */
void
kb_exchange_reports_take (KbGatewayReport *report, GVariant *variant)
{
  GVariantIter iter;
  GVariant *child;

  g_variant_iter_init (&iter, variant);
  while ((child = g_variant_iter_next_value (&iter)) != NULL)
    {
      g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (child);
      const char *id;

      if (g_variant_dict_lookup (&dict, "id", "&s", &id))
        {
          gpointer to = kb_gateway_report_add_exchange (report, id);

          kb_report_take_texts (&dict, to, exchange_texts, G_N_ELEMENTS (exchange_texts));
          kb_report_take_numbers (&dict, to, exchange_numbers, G_N_ELEMENTS (exchange_numbers));
          kb_report_take_flags (&dict, to, exchange_flags, G_N_ELEMENTS (exchange_flags));
        }
      g_variant_unref (child);
    }
}

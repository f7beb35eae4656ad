// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "ipc/kb-gateway-report.h"

/* Shared by the files of the report; nobody else. One table serves both directions, so that
 * neither can forget a member. */
typedef struct
{
  const char *name;
  gsize offset;
} KbReportMember;

void kb_report_put_texts (GVariantDict *dict,
                          gconstpointer from,
                          const KbReportMember *members,
                          gsize n);
void kb_report_put_numbers (GVariantDict *dict,
                            gconstpointer from,
                            const KbReportMember *members,
                            gsize n);
void kb_report_put_flags (GVariantDict *dict,
                          gconstpointer from,
                          const KbReportMember *members,
                          gsize n);
void kb_report_take_texts (GVariantDict *dict, gpointer to, const KbReportMember *members, gsize n);
void
kb_report_take_numbers (GVariantDict *dict, gpointer to, const KbReportMember *members, gsize n);
void kb_report_take_flags (GVariantDict *dict, gpointer to, const KbReportMember *members, gsize n);

void kb_exchange_report_free (gpointer data);
GVariant *kb_exchange_reports_to_variant (const GPtrArray *exchanges);
void kb_exchange_reports_take (KbGatewayReport *report, GVariant *variant);

void kb_group_report_free (gpointer data);
GVariant *kb_group_reports_to_variant (const GPtrArray *groups);
void kb_group_reports_take (KbGatewayReport *report, GVariant *variant);

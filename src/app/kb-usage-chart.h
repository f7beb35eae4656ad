// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-usage-days.h"

/* A bar a day: tokens in, those of them that were cached, and tokens out. */

#define KB_TYPE_USAGE_CHART (kb_usage_chart_get_type ())
G_DECLARE_FINAL_TYPE (KbUsageChart, kb_usage_chart, KB, USAGE_CHART, GtkWidget)

void kb_usage_chart_set_days (KbUsageChart *self, const KbUsageDays *days);

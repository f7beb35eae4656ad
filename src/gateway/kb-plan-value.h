// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-gateway-plan.h"

/*
 * A value of a system: where it stands, with the file that aliases lead through. What is not
 * there, or is of another kind, is no value; lint says so.
 */

typedef struct
{
  KbYamlFile *file;
  const KbYamlNode *node; /* (nullable) */
} KbPlanValue;

KbPlanValue kb_plan_value_step (KbPlanValue self, const char *key);
const char *kb_plan_value_get_text (KbPlanValue self);
gboolean kb_plan_value_get_flag (KbPlanValue self, gboolean standard);
gint64 kb_plan_value_get_number (KbPlanValue self, gint64 least, gint64 standard);
guint kb_plan_value_get_length (KbPlanValue self);
KbPlanValue kb_plan_value_get_item (KbPlanValue self, guint index);
guint kb_plan_value_get_n_pairs (KbPlanValue self);
const char *kb_plan_value_get_key (KbPlanValue self, guint index, KbPlanValue *value);
GStrv kb_plan_value_get_texts (KbPlanValue self);
KbPlanValue kb_plan_open_settings (const KbGatewayPlan *plan, const char *name);
KbPlanValue kb_plan_open_row (const KbGatewayPlan *plan, const char *id, const char *module);

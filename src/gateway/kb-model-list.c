// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-model-list.h"

#include "store/kb-json.h"

static void
append_model (GString *json, const char *name, gboolean for_messages)
{
  if (json->str[json->len - 1] != '[')
    g_string_append_c (json, ',');
  g_string_append (json, "{\"id\":");
  kb_json_append_string (json, name);
  if (!for_messages)
    {
      g_string_append (json, ",\"object\":\"model\",\"created\":0,\"owned_by\":\"koboshi\"}");
      return;
    }
  g_string_append (json, ",\"type\":\"model\",\"created_at\":\"1970-01-01T00:00:00Z\","
                         "\"display_name\":");
  kb_json_append_string (json, name);
  g_string_append_c (json, '}');
}

GBytes *
kb_model_list_make (KbRouteTable *table, gboolean for_messages)
{
  g_auto (GStrv) names = table != NULL ? kb_route_table_list_names (table) : NULL;
  GString *json = g_string_new (for_messages ? "{\"data\":[" : "{\"object\":\"list\",\"data\":[");

  for (char **name = names; name != NULL && *name != NULL; name++)
    append_model (json, *name, for_messages);
  g_string_append (json, for_messages ? "],\"has_more\":false,\"first_id\":null,\"last_id\":null}"
                                      : "]}");
  return g_string_free_to_bytes (json);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-model-list.h"

#include "store/kb-json.h"

static gboolean
is_enabled (const KbRouteChannel *channel, gpointer user_data)
{
  const KbEngineSnapshot *snapshot = user_data;

  return snapshot->channels[channel->index].state != KB_CHANNEL_STATE_DISABLED;
}

static void
append_number (GString *json, const char *name, gint64 number)
{
  if (number > 0)
    g_string_append_printf (json, ",\"%s\":%" G_GINT64_FORMAT, name, number);
}

/* What whoever serves can do; what is disabled does not serve. */
static void
append_abilities (GString *json, KbEngineSnapshot *snapshot, const KbGroup *group)
{
  g_auto (KbGroupAbilities) abilities = { 0 };

  kb_group_merge (group, is_enabled, snapshot, &abilities);
  append_number (json, "context_window", abilities.context_window);
  append_number (json, "max_output_tokens", abilities.max_output);
  g_string_append (json, ",\"input_modalities\":[\"text\"");
  g_string_append (json, abilities.takes_images ? ",\"image\"]" : "]");
  if (abilities.efforts[0] == NULL)
    return;
  g_string_append (json, ",\"reasoning_efforts\":[");
  for (guint i = 0; abilities.efforts[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      kb_json_append_string (json, abilities.efforts[i]);
    }
  g_string_append_c (json, ']');
}

static void
append_model (GString *json, KbEngineSnapshot *snapshot, const char *name, gboolean for_messages)
{
  const KbGroup *group = kb_route_table_find_group (snapshot->table, name);

  if (json->str[json->len - 1] != '[')
    g_string_append_c (json, ',');
  g_string_append (json, "{\"id\":");
  kb_json_append_string (json, name);
  if (for_messages)
    {
      g_string_append (json, ",\"type\":\"model\",\"created_at\":\"1970-01-01T00:00:00Z\","
                             "\"display_name\":");
      kb_json_append_string (json, group != NULL && group->title != NULL ? group->title : name);
    }
  else
    g_string_append (json, ",\"object\":\"model\",\"created\":0,\"owned_by\":\"koboshi\"");
  if (group != NULL)
    append_abilities (json, snapshot, group);
  g_string_append_c (json, '}');
}

/* (transfer full): what can be asked for; of a pool also what it can do. */
GBytes *
kb_model_list_make (KbEngineSnapshot *snapshot, gboolean for_messages)
{
  g_auto (GStrv) names = kb_route_table_list_names (snapshot->table);
  GString *json = g_string_new (for_messages ? "{\"data\":[" : "{\"object\":\"list\",\"data\":[");

  for (char **name = names; *name != NULL; name++)
    append_model (json, snapshot, *name, for_messages);
  g_string_append (json, for_messages ? "],\"has_more\":false,\"first_id\":null,\"last_id\":null}"
                                      : "]}");
  return g_string_free_to_bytes (json);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-usage-codec.h"

#include "store/kb-json.h"

typedef struct
{
  GString *json;
  guint32 day; /* that is open; 0 = none */
} Encoder;

static void
append_day (Encoder *encoder, guint32 number)
{
  GDate date;
  char text[16];

  g_date_set_julian (&date, number);
  g_date_strftime (text, sizeof text, "%Y-%m-%d", &date);
  g_string_append_printf (encoder->json, "%s    \"%s\": {\n", encoder->day == 0 ? "" : "\n    },\n",
                          text);
  encoder->day = number;
}

static void
append_entry (guint32 day, const char *channel, const KbUsageSum *sum, gpointer user_data)
{
  Encoder *encoder = user_data;

  if (day == encoder->day)
    g_string_append (encoder->json, ",\n");
  else
    append_day (encoder, day);
  g_string_append (encoder->json, "      ");
  kb_json_append_string (encoder->json, channel);
  g_string_append_printf (encoder->json,
                          ": { \"answers\": %" G_GINT64_FORMAT ", \"input\": %" G_GINT64_FORMAT
                          ", \"cached\": %" G_GINT64_FORMAT ", \"output\": %" G_GINT64_FORMAT " }",
                          sum->answers, sum->input, sum->cached, sum->output);
}

/**
 * kb_usage_encode:
 * @sums: sums
 *
 * Returns: (transfer full): the text of the file
 */
GBytes *
kb_usage_encode (const KbUsageSums *sums)
{
  Encoder encoder = { .json = g_string_new ("{\n  \"version\": 1,\n  \"days\": {\n") };

  g_return_val_if_fail (sums != NULL, NULL);

  kb_usage_sums_foreach (sums, append_entry, &encoder);
  g_string_append (encoder.json, encoder.day == 0 ? "  }\n}\n" : "\n    }\n  }\n}\n");
  return g_string_free_to_bytes (encoder.json);
}

static JsonObject *
get_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gint64
get_count (JsonObject *object, const char *name)
{
  double number = 0;

  kb_json_get_number (json_object_get_member (object, name), &number);
  return kb_json_clamp (number, KB_JSON_MAX_SAFE_INTEGER);
}

static void
read_day (KbUsageSums *sums, const char *name, JsonObject *channels)
{
  JsonObjectIter iter;
  const char *channel;
  JsonNode *node;
  GDate date;

  g_date_clear (&date, 1);
  g_date_set_parse (&date, name);
  if (!g_date_valid (&date) || channels == NULL)
    return;
  json_object_iter_init_ordered (&iter, channels);
  while (json_object_iter_next_ordered (&iter, &channel, &node))
    {
      JsonObject *entry = get_object (node);

      if (entry == NULL)
        continue;
      kb_usage_sums_add (sums, g_date_get_julian (&date), channel,
                         &(KbUsageSum) { .answers = get_count (entry, "answers"),
                                         .input = get_count (entry, "input"),
                                         .cached = get_count (entry, "cached"),
                                         .output = get_count (entry, "output") });
    }
}

/**
 * kb_usage_decode:
 * @bytes: the text of the file
 *
 * Days and channels that are not what they should be are left out.
 *
 * Returns: (transfer full) (nullable): the sums; %NULL if the text is no such file
 */
KbUsageSums *
kb_usage_decode (GBytes *bytes)
{
  gsize length, end;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (JsonNode) root = NULL;
  KbUsageSums *sums;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (length == 0 || !g_utf8_validate_len (text, length, NULL)
      || kb_json_scan (text, length, G_MAXUINT, &end) != KB_JSON_FINE)
    return NULL;
  root = kb_json_parse (text, end);
  if (get_object (root) == NULL)
    return NULL;
  node = json_object_get_member (json_node_get_object (root), "days");
  if (get_object (node) == NULL)
    return NULL;
  sums = kb_usage_sums_new ();
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &name, &node))
    read_day (sums, name, get_object (node));
  return sums;
}

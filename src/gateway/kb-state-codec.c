// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-state-codec.h"

#include "store/kb-json.h"

/* 0 and "for good" are no times, and stay what they are. */
static gint64
to_wall (gint64 boot_ms, gint64 offset_ms)
{
  if (boot_ms == 0 || boot_ms == G_MAXINT64)
    return boot_ms == 0 ? 0 : KB_JSON_MAX_TIME_MS;
  return CLAMP (boot_ms + offset_ms, 1, KB_JSON_MAX_TIME_MS);
}

static gint64
to_boot (gint64 wall_ms, gint64 offset_ms)
{
  if (wall_ms == 0 || wall_ms >= KB_JSON_MAX_TIME_MS)
    return wall_ms == 0 ? 0 : G_MAXINT64;
  return wall_ms == offset_ms ? -1 : wall_ms - offset_ms;
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  if (text == NULL || *text == '\0')
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_number (JsonBuilder *builder, const char *name, gint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, number);
}

static void
add_record (JsonBuilder *builder, const KbKeptHealth *record, gint64 offset_ms)
{
  g_autoptr (KbChannelRef) ref = kb_channel_ref_new (record->provider, record->model);
  const KbHealth *health = &record->health;
  g_autofree char *revision = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", health->revision);

  json_builder_set_member_name (builder, ref->id);
  json_builder_begin_object (builder);
  add_text (builder, "channel", ref->id);
  add_text (builder, "state", kb_channel_state_to_string (health->breaker.state));
  add_number (builder, "consecutiveFailures", health->breaker.failures);
  add_number (builder, "cooldownUntilMs", to_wall (health->breaker.until_ms, offset_ms));
  add_number (builder, "updatedAtMs", to_wall (health->breaker.updated_ms, offset_ms));
  add_text (builder, "reason", health->code);
  add_text (builder, "scope", kb_health_scope_to_string (record->scope));
  add_text (builder, "provider", record->provider);
  add_text (builder, "model", record->model);
  add_text (builder, "class", kb_failure_class_to_string (health->klass));
  add_number (builder, "sinceMs", to_wall (health->since_ms, offset_ms));
  add_number (builder, "status", health->status);
  add_number (builder, "retryAfterMs", MIN (health->retry_after_ms, KB_JSON_MAX_SAFE_INTEGER));
  add_number (builder, "quotaStreak", health->quota_streak);
  add_text (builder, "revision", revision);
  json_builder_set_member_name (builder, "disabledByHand");
  json_builder_add_boolean_value (builder, health->disabled_by_hand);
  json_builder_end_object (builder);
}

static void
add_quota (JsonBuilder *builder, const KbKeptQuota *kept, gint64 offset_ms)
{
  const KbQuota *quota = &kept->quota;

  json_builder_set_member_name (builder, kept->channel);
  json_builder_begin_object (builder);
  add_number (builder, "learnedRequests", quota->learned);
  add_number (builder, "cooldownUntilMs", to_wall (quota->cooldown_until_ms, offset_ms));
  add_number (builder, "cleanWindows", quota->clean_windows);
  add_number (builder, "windowStartedAtMs", to_wall (quota->window_started_ms, offset_ms));
  add_number (builder, "updatedAtMs", to_wall (quota->updated_ms, offset_ms));
  json_builder_set_member_name (builder, "rateLimitedInWindow");
  json_builder_add_boolean_value (builder, quota->is_rate_limited);
  json_builder_end_object (builder);
}

static void
add_quotas (JsonBuilder *builder, const GPtrArray *quotas, gint64 offset_ms)
{
  json_builder_set_member_name (builder, "quotas");
  json_builder_begin_object (builder);
  for (guint i = 0; quotas != NULL && i < quotas->len; i++)
    add_quota (builder, quotas->pdata[i], offset_ms);
  json_builder_end_object (builder);
}

/**
 * kb_kept_quota_free:
 * @self: (transfer full) (nullable): what was kept of a quota
 *
 * Frees it.
 */
void
kb_kept_quota_free (KbKeptQuota *self)
{
  if (self == NULL)
    return;
  g_free (self->channel);
  g_free (self);
}

/**
 * kb_state_values_add_quota:
 * @values: values
 * @channel: the id of a channel
 * @quota: what was learned of it; one that nothing was learned of is left out
 *
 * Adds what is to be kept.
 */
void
kb_state_values_add_quota (KbStateValues *values, const char *channel, const KbQuota *quota)
{
  KbKeptQuota *kept;

  g_return_if_fail (values != NULL && channel != NULL && quota != NULL);

  if (values->quotas == NULL)
    values->quotas = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_kept_quota_free);
  if (!quota->is_known)
    return;
  kept = g_new0 (KbKeptQuota, 1);
  kept->channel = g_strdup (channel);
  kept->quota = *quota;
  g_ptr_array_add (values->quotas, kept);
}

/**
 * kb_state_values_encode:
 * @values: what is to be kept
 * @offset_ms: wall time minus boot time
 *
 * Returns: (transfer full): the text of the health file
 */
GBytes *
kb_state_values_encode (const KbStateValues *values, gint64 offset_ms)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (values != NULL && values->records != NULL, NULL);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "healths");
  json_builder_begin_object (builder);
  for (guint i = 0; i < values->records->len; i++)
    add_record (builder, values->records->pdata[i], offset_ms);
  json_builder_end_object (builder);
  add_quotas (builder, values->quotas, offset_ms);
  add_text (builder, "pin", values->pin);
  add_number (builder, "pinUntilMs", to_wall (values->pin_until_ms, offset_ms));
  add_number (builder, "pausedUntilMs", to_wall (values->paused_until_ms, offset_ms));
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  kb_json_append_node (text, root, 0);
  g_string_append_c (text, '\n');
  return g_string_free_to_bytes (text);
}

static gint64
get_number (JsonObject *object, const char *name, gint64 most)
{
  double number;

  if (!json_object_has_member (object, name)
      || !kb_json_get_number (json_object_get_member (object, name), &number) || !(number >= 0))
    return 0;
  return kb_json_clamp (number, most);
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static KbFailureClass
get_class (JsonObject *object)
{
  const char *name = get_text (object, "class");

  for (int klass = 0; name != NULL && klass < KB_N_FAILURE_CLASSES; klass++)
    if (g_str_equal (name, kb_failure_class_to_string ((KbFailureClass) klass)))
      return (KbFailureClass) klass;
  return KB_FAILURE_UNKNOWN;
}

static gboolean
get_flag (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && json_node_get_value_type (node) == G_TYPE_BOOLEAN && json_node_get_boolean (node);
}

static KbHealth
read_health (JsonObject *object, KbChannelState state, gint64 offset_ms)
{
  const char *revision = get_text (object, "revision");
  const gint64 most = KB_JSON_MAX_TIME_MS;
  KbHealth health = { 0 };

  health.breaker.state = state;
  health.breaker.failures = get_number (object, "consecutiveFailures", G_MAXINT);
  health.breaker.until_ms = to_boot (get_number (object, "cooldownUntilMs", most), offset_ms);
  health.breaker.updated_ms = to_boot (get_number (object, "updatedAtMs", most), offset_ms);
  health.since_ms = to_boot (get_number (object, "sinceMs", most), offset_ms);
  health.klass = get_class (object);
  health.code = g_intern_string (get_text (object, "reason"));
  health.status = (int) get_number (object, "status", 999);
  health.retry_after_ms = get_number (object, "retryAfterMs", KB_JSON_MAX_SAFE_INTEGER);
  health.quota_streak = (guint) get_number (object, "quotaStreak", 64);
  health.disabled_by_hand = get_flag (object, "disabledByHand");
  health.revision = revision != NULL ? g_ascii_strtoull (revision, NULL, 16) : 0;
  return health;
}

/* A record that says no state or nobody's health is dropped; the rest is read. */
static void
read_record (JsonNode *node, gint64 offset_ms, GPtrArray *records)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *provider = object != NULL ? get_text (object, "provider") : NULL;
  const char *model = object != NULL ? get_text (object, "model") : NULL;
  const char *state_name = object != NULL ? get_text (object, "state") : NULL;
  gboolean is_provider;
  KbChannelState state;
  KbHealth health;

  if (provider == NULL || *provider == '\0' || state_name == NULL
      || !kb_channel_state_parse (state_name, &state))
    return;
  is_provider
      = g_strcmp0 (get_text (object, "scope"), kb_health_scope_to_string (KB_SCOPE_PROVIDER)) == 0;
  health = read_health (object, state, offset_ms);
  g_ptr_array_add (records,
                   kb_kept_health_new (is_provider ? KB_SCOPE_PROVIDER : KB_SCOPE_PAIR, provider,
                                       is_provider || model == NULL ? "" : model, &health));
}

/* As camel reads its own: a record without the mark of a rate limit has one. */
static void
read_quota (KbStateValues *values, const char *channel, JsonObject *object, gint64 offset_ms)
{
  const gint64 most = KB_JSON_MAX_TIME_MS;
  KbQuota quota = {
    .is_known = TRUE,
    .learned = get_number (object, "learnedRequests", G_MAXINT),
    .cooldown_until_ms = to_boot (get_number (object, "cooldownUntilMs", most), offset_ms),
    .clean_windows = get_number (object, "cleanWindows", G_MAXINT),
    .window_started_ms = to_boot (get_number (object, "windowStartedAtMs", most), offset_ms),
    .updated_ms = to_boot (get_number (object, "updatedAtMs", most), offset_ms),
    .is_rate_limited = get_flag (object, "rateLimitedInWindow")
                       || !json_object_has_member (object, "rateLimitedInWindow"),
  };

  if (quota.learned >= 1)
    kb_state_values_add_quota (values, channel, &quota);
}

static void
read_quotas (KbStateValues *values, JsonNode *node, gint64 offset_ms)
{
  JsonObjectIter iter;
  const char *channel;
  JsonNode *quota;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &channel, &quota))
    if (JSON_NODE_HOLDS_OBJECT (quota))
      read_quota (values, channel, json_node_get_object (quota), offset_ms);
}

/**
 * kb_state_values_decode:
 * @bytes: the content of a health file
 * @offset_ms: wall time minus boot time
 * @values: (out): what it says; to be cleared
 *
 * Returns: whether it is a health file; else @values is empty
 */
gboolean
kb_state_values_decode (GBytes *bytes, gint64 offset_ms, KbStateValues *values)
{
  gsize length;
  gsize end;
  const char *text;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GList) members = NULL;
  JsonObject *object;
  JsonNode *healths;

  g_return_val_if_fail (bytes != NULL && values != NULL, FALSE);

  *values = (KbStateValues) { 0 };
  values->records = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_kept_health_free);
  text = g_bytes_get_data (bytes, &length);
  if (length == 0 || !g_utf8_validate_len (text, length, NULL)
      || kb_json_scan (text, length, 100000, &end) != KB_JSON_FINE)
    return FALSE;
  root = kb_json_parse (text, length);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return FALSE;
  object = json_node_get_object (root);
  healths = json_object_get_member (object, "healths");
  if (healths == NULL || !JSON_NODE_HOLDS_OBJECT (healths))
    return FALSE;
  members = json_object_get_values (json_node_get_object (healths));
  for (GList *link = members; link != NULL; link = link->next)
    read_record (link->data, offset_ms, values->records);
  read_quotas (values, json_object_get_member (object, "quotas"), offset_ms);
  values->pin = g_strdup (get_text (object, "pin"));
  values->pin_until_ms
      = to_boot (get_number (object, "pinUntilMs", KB_JSON_MAX_TIME_MS), offset_ms);
  values->paused_until_ms
      = to_boot (get_number (object, "pausedUntilMs", KB_JSON_MAX_TIME_MS), offset_ms);
  return TRUE;
}

/**
 * kb_state_values_clear:
 * @values: values
 *
 * Frees what they hold.
 */
void
kb_state_values_clear (KbStateValues *values)
{
  g_clear_pointer (&values->records, g_ptr_array_unref);
  g_clear_pointer (&values->quotas, g_ptr_array_unref);
  g_clear_pointer (&values->pin, g_free);
}

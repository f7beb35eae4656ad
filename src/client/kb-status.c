// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-status.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "client/kb-text.h"

/* JSON has no bytes that are not text: a name that is no UTF-8 is shown as well as it can. */
static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  g_assert (JSON_IS_BUILDER (builder));
  g_assert (name != NULL);

  json_builder_set_member_name (builder, name);
  if (valid != NULL)
    json_builder_add_string_value (builder, valid);
  else
    json_builder_add_null_value (builder);
}

/* A name out of a log, which a key may have got into. */
static void
add_name (JsonBuilder *builder, const char *name, const char *text)
{
  g_autofree char *redacted = text != NULL ? kb_text_redact_name (text) : NULL;

  add_text (builder, name, redacted);
}

static void
add_number (JsonBuilder *builder, const char *name, gint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, number);
}

static void
add_number_or_null (JsonBuilder *builder, const char *name, gint64 number)
{
  json_builder_set_member_name (builder, name);
  if (number > 0)
    json_builder_add_int_value (builder, number);
  else
    json_builder_add_null_value (builder);
}

static void
add_flag (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

/* A file inside the home is named from there. */
static const char *
shorten_path (const char *file, const char *home)
{
  gsize length = home != NULL ? strlen (home) : 0;

  while (length > 0 && home[length - 1] == '/')
    length--;
  if (file == NULL || length == 0 || strncmp (file, home, length) != 0 || file[length] != '/')
    return file;
  return file + length + 1;
}

static void
add_problem (JsonBuilder *builder, const KbProblem *problem, const char *home)
{
  json_builder_begin_object (builder);
  add_text (builder, "severity", kb_severity_to_string (problem->severity));
  add_text (builder, "code", problem->code);
  add_text (builder, "file", shorten_path (problem->file, home));
  add_number_or_null (builder, "line", problem->line);
  add_number_or_null (builder, "column", problem->column);
  add_text (builder, "message", problem->message);
  add_text (builder, "hint", problem->hint);
  json_builder_end_object (builder);
}

static void
add_problems (JsonBuilder *builder, const GPtrArray *problems, const char *home)
{
  json_builder_begin_array (builder);
  for (guint i = 0; problems != NULL && i < problems->len; i++)
    add_problem (builder, g_ptr_array_index (problems, i), home);
  json_builder_end_array (builder);
}

/* One that serves another home runs as well: which one it is, its members say. */
static void
add_gateway (JsonBuilder *builder, KbMonitor *monitor)
{
  KbSourceGateway *gateway = kb_monitor_get_gateway (monitor);
  const KbGatewayReport *report = kb_source_gateway_get_report (gateway);
  KbGatewayLink link = kb_source_gateway_get_link (gateway);

  json_builder_set_member_name (builder, "gateway");
  json_builder_begin_object (builder);
  add_flag (builder, "running", link >= KB_GATEWAY_LINK_SILENT);
  add_text (builder, "address", report != NULL ? report->address : NULL);
  add_text (builder, "version", report != NULL ? report->version : NULL);
  add_text (builder, "home", report != NULL ? report->home : NULL);
  add_text (builder, "profile", report != NULL ? report->profile : NULL);
  json_builder_end_object (builder);
}

static void
add_routing (JsonBuilder *builder, const KbGatewayReport *report)
{
  gboolean paused = report != NULL && report->paused;

  add_flag (builder, "paused", paused);
  add_number_or_null (builder, "pausedUntil", paused ? report->paused_until_ms : 0);
}

static void
add_last_switch (JsonBuilder *builder, KbEvent *event)
{
  const KbEventFields *fields;

  json_builder_set_member_name (builder, "lastSwitch");
  if (event == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  fields = kb_event_get_fields (event);
  json_builder_begin_object (builder);
  add_name (builder, "from", fields->from);
  add_name (builder, "to", fields->to);
  add_number_or_null (builder, "time", fields->time_ms);
  json_builder_end_object (builder);
}

static void
add_channel (JsonBuilder *builder, KbChannel *channel, gint64 now_ms, gboolean ticking)
{
  KbBreaker breaker = kb_channel_get_breaker (channel);
  KbChannelState state = kb_breaker_get_state_at (breaker, now_ms);
  gboolean cooling = state == KB_CHANNEL_STATE_COOLDOWN;
  gboolean well = state == KB_CHANNEL_STATE_HEALTHY;
  gboolean unknown = kb_channel_get_unreadable (channel);
  gboolean expression = kb_channel_get_expression (channel);
  const KbChannelReport *live = kb_channel_get_live (channel);

  json_builder_begin_object (builder);
  add_text (builder, "source", kb_channel_get_source (channel));
  add_text (builder, "origin", kb_channel_get_origin (channel));
  add_text (builder, "id", expression ? "expression" : kb_channel_get_id (channel));
  add_text (builder, "provider", expression ? NULL : kb_channel_get_provider (channel));
  add_text (builder, "model", expression ? NULL : kb_channel_get_model (channel));
  add_number_or_null (builder, "position", kb_channel_get_position (channel));
  add_flag (builder, "inChain", kb_channel_get_in_chain (channel));
  add_flag (builder, "isBackup", kb_channel_get_is_backup (channel));
  add_text (builder, "state", unknown ? NULL : kb_channel_state_to_string (state));
  add_text (builder, "scope", live != NULL && live->scope != NULL ? live->scope : "pair");
  /* A deadline that has passed is no deadline any more. */
  add_number_or_null (builder, "until", cooling ? breaker.until_ms : 0);
  if (ticking)
    add_number (builder, "remainingMs", kb_breaker_get_remaining_ms (breaker, now_ms));
  if (unknown)
    add_text (builder, "failures", NULL);
  else
    add_number (builder, "failures", MAX (breaker.failures, 0));
  /* The newest trouble of a healthy channel is over and no reason for anything. */
  add_text (builder, "reason", well ? NULL : kb_channel_get_reason (channel));
  add_number_or_null (builder, "updated", kb_channel_get_known (channel) ? breaker.updated_ms : 0);
  json_builder_end_object (builder);
}

/* What daruma's file says beside the gateway, as an entry of its own. */
static void
add_written (JsonBuilder *builder, KbChannel *channel, gint64 now_ms, gboolean ticking)
{
  KbBreaker written = kb_channel_get_written (channel);
  KbChannelFacts facts = {
    .ref = &(KbChannelRef) { .provider = (char *) kb_channel_get_provider (channel),
                             .model = (char *) kb_channel_get_model (channel),
                             .id = (char *) kb_channel_get_id (channel) },
    .source = "daruma",
    .origin = "file",
    .position = kb_channel_get_position (channel),
    .is_backup = kb_channel_get_is_backup (channel),
    .known = TRUE,
    .breaker = written,
  };
  g_autoptr (KbChannel) other = NULL;

  if (kb_channel_get_live (channel) == NULL || written.updated_ms == 0)
    return;
  other = kb_channel_new (&facts, now_ms);
  add_channel (builder, other, now_ms, ticking);
}

static void
add_channels (JsonBuilder *builder, KbMonitor *monitor, gint64 now_ms, gboolean ticking)
{
  GListModel *channels = kb_monitor_get_channels (monitor);

  json_builder_set_member_name (builder, "channels");
  json_builder_begin_array (builder);
  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      add_channel (builder, channel, now_ms, ticking);
      add_written (builder, channel, now_ms, ticking);
    }
  json_builder_end_array (builder);
}

static const char *
get_backup (KbMonitor *monitor)
{
  KbProfile *view = kb_monitor_get_view (monitor);
  const KbDarumaConfig *daruma = view != NULL ? kb_profile_get_daruma (view) : NULL;

  return daruma != NULL && daruma->backup != NULL ? daruma->backup->id : NULL;
}

static char *
print (JsonBuilder *builder, gboolean pretty)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);

  return json_to_string (root, pretty);
}

/* @ticking: with the members that change by the passing of time alone. */
static char *
build_status (KbMonitor *monitor, gboolean pretty, gboolean ticking)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const KbGatewayReport *report = kb_monitor_get_report (monitor);
  gint64 now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (monitor));

  json_builder_begin_object (builder);
  add_text (builder, "home", kb_monitor_get_home (monitor));
  add_text (builder, "profile", kb_monitor_get_profile (monitor));
  if (ticking)
    add_number (builder, "time", now_ms);
  add_text (builder, "overall", kb_overall_to_string (kb_monitor_get_overall (monitor)));
  add_gateway (builder, monitor);
  add_text (builder, "serving", report != NULL ? report->serving : NULL);
  add_last_switch (builder, kb_monitor_get_last_switch (monitor));
  add_text (builder, "backup", get_backup (monitor));
  add_routing (builder, report);
  add_channels (builder, monitor, now_ms, ticking);
  json_builder_set_member_name (builder, "problems");
  add_problems (builder, kb_monitor_get_problems (monitor), kb_monitor_get_home (monitor));
  json_builder_end_object (builder);
  return print (builder, pretty);
}

/**
 * kb_status_to_json:
 * @monitor: a started monitor
 * @pretty: whether to break and indent the lines
 *
 * The status of the command line. States are judged by the monitor's clock, `remainingMs`
 * is never negative, and what is not known is null: `state` and `failures` too where the
 * health file was never readable, which is then among the problems. An entry of the chain
 * that only the host can read has the id `expression`, and neither provider nor model. A
 * channel that the gateway judges has a second entry for what daruma's file says of it, if it
 * says anything.
 *
 * Returns: (transfer full): one JSON object, without a line end
 */
char *
kb_status_to_json (KbMonitor *monitor, gboolean pretty)
{
  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);
  return build_status (monitor, pretty, TRUE);
}

/**
 * kb_status_to_fingerprint:
 * @monitor: a started monitor
 *
 * The status without what changes by the passing of time alone: two equal ones mean that
 * there is nothing to tell.
 *
 * Returns: (transfer full): a text to compare
 */
char *
kb_status_to_fingerprint (KbMonitor *monitor)
{
  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);
  return build_status (monitor, FALSE, FALSE);
}

/**
 * kb_problems_to_json:
 * @problems: (nullable) (element-type KbProblem): problems
 * @home: (nullable): the home; files inside it are named from there
 *
 * Returns: (transfer full): a JSON array, without a line end
 */
char *
kb_problems_to_json (const GPtrArray *problems, const char *home)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  add_problems (builder, problems, home);
  return print (builder, TRUE);
}

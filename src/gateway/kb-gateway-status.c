// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "gateway/kb-gateway-private.h"
#include "store/kb-key-name.h"

static void
fill_health (KbGateway *self, const KbChannelStatus *status, KbChannelReport *report)
{
  const KbHealth *health = &status->health;

  report->state = status->state;
  report->scope = g_strdup (kb_health_scope_to_string (status->scope));
  report->by_hand = health->disabled_by_hand;
  report->since_ms = kb_gateway_to_wall (self, health->since_ms);
  report->until_ms = status->state == KB_CHANNEL_STATE_COOLDOWN
                         ? kb_gateway_to_wall (self, health->breaker.until_ms)
                         : 0;
  report->updated_ms = kb_gateway_to_wall (self, health->breaker.updated_ms);
  report->failures = status->failures;
  report->reason = g_strdup (health->code);
  report->status = health->status;
  report->retry_after_ms = health->retry_after_ms;
}

static void
fill_outcomes (KbGateway *self, const KbChannelStatus *status, KbChannelReport *report)
{
  KbUsageSum today = { 0 };

  report->n_ok = (gint64) status->n_ok;
  report->n_failed = (gint64) status->n_failed;
  report->n_cut = kb_outcomes_get_n_cut (self->outcomes, report->id);
  report->p50_ms = kb_outcomes_get_percentile (self->outcomes, report->id, 50);
  report->p95_ms = kb_outcomes_get_percentile (self->outcomes, report->id, 95);
  if (self->ledger != NULL)
    kb_usage_ledger_get_today (self->ledger, report->id, &today);
  report->tokens_in = today.input;
  report->tokens_cached = today.cached;
  report->tokens_out = today.output;
  kb_outcomes_list_minutes (self->outcomes, report->id, kb_gateway_now (self), report->minutes);
}

/* The address without what may be secret in it: user, query and fragment. */
static char *
make_shown_url (const KbEndpoint *endpoint)
{
  g_autofree char *url = kb_endpoint_make_url (endpoint);
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  return uri != NULL ? g_uri_to_string_partial (uri, G_URI_HIDE_USERINFO | G_URI_HIDE_QUERY
                                                         | G_URI_HIDE_FRAGMENT)
                     : NULL;
}

static void
fill_route (KbGateway *self, const KbRouteChannel *channel, KbChannelReport *report)
{
  const KbDarumaConfig *daruma = kb_profile_get_daruma (self->plan->profile);
  const KbEndpoint *endpoint = kb_gateway_plan_find_endpoint (self->plan, channel->ref->provider);

  report->is_backup = daruma->backup != NULL && g_str_equal (daruma->backup->id, channel->ref->id);
  for (guint i = 0; i < daruma->channels->len && report->position == 0; i++)
    if (g_str_equal (((const KbChannelRef *) daruma->channels->pdata[i])->id, channel->ref->id))
      report->position = i + 1;
  if (endpoint == NULL)
    return;
  report->url = make_shown_url (endpoint);
  if (endpoint->key_name != NULL && kb_gateway_find_key (self, endpoint->key_name) == NULL)
    report->missing_key
        = g_strdup (kb_key_name_looks_like_key (endpoint->key_name) ? "…" : endpoint->key_name);
}

static void
fill_pace (KbGateway *self, const KbChannelStatus *status, KbChannelReport *report)
{
  static const char *const kinds[] = { "none", "fixed", "adaptive" };
  const char *const *scopes = kb_pacing_key_get_info (KB_PACING_THROTTLE_SCOPE)->words;
  const KbPaceStatus *pace = &status->pace;

  report->pacing = g_strdup (kinds[pace->kind]);
  if (pace->kind == KB_PACE_FIXED)
    report->pace_scope = g_strdup (scopes[pace->scope]);
  report->pace_limit = pace->limits.most_requests;
  report->pace_window_ms = pace->limits.window_ms;
  report->pace_used = pace->n_in_window;
  report->queued = pace->n_queued;
  if (pace->free_at_ms > kb_gateway_now (self))
    report->free_at_ms = kb_gateway_to_wall (self, pace->free_at_ms);
  report->learned = pace->learned;
  report->learned_least = pace->learned_least;
  report->learned_most = pace->learned_most;
  report->clean_windows = pace->clean_windows;
  report->is_rate_limited = pace->is_rate_limited;
  report->rests_until_ms = kb_gateway_to_wall (self, pace->rests_until_ms);
  report->retries = pace->retries;
  report->most_retries = pace->most_retries;
  report->waiting = status->n_waiting;
  report->waits_until_ms = kb_gateway_to_wall (self, status->waits_until_ms);
}

static void
add_channel (KbGateway *self, const KbChannelStatus *status, KbGatewayReport *report)
{
  const KbRouteChannel *channel = status->channel;
  KbChannelReport *entry = kb_gateway_report_add_channel (report, channel->ref->id);

  entry->provider = g_strdup (channel->ref->provider);
  entry->model = g_strdup (channel->ref->model);
  entry->is_pinned = status->is_pinned;
  entry->is_probing = status->is_probing;
  entry->never_automatic = channel->spec.never_automatic;
  fill_health (self, status, entry);
  fill_outcomes (self, status, entry);
  fill_pace (self, status, entry);
  kb_routes_fill (self->routes, entry);
  if (self->plan != NULL)
    fill_route (self, channel, entry);
  if (!status->is_in_chain)
    entry->position = 0;
}

/* What lint has to say quotes the files, and what is in them may be secret. */
static char *
describe_errors (KbGateway *self)
{
  const GPtrArray *problems = kb_profile_get_problems (self->plan->profile);
  guint n = 0;

  if (self->plan->broken != NULL)
    return g_strdup_printf (_ ("“%s” cannot be read. “koboshictl lint” shows the place."),
                            self->plan->broken);
  for (guint i = 0; i < problems->len; i++)
    n += ((const KbProblem *) problems->pdata[i])->severity == KB_SEVERITY_ERROR;
  if (n == 0)
    return NULL;
  return g_strdup_printf (
      ngettext ("The configuration has %u error. “koboshictl lint” shows it.",
                "The configuration has %u errors. “koboshictl lint” shows them.", n),
      n);
}

/* What a disabled member could do is nothing to count on. */
static gboolean
is_enabled (const KbRouteChannel *channel, gpointer user_data)
{
  const KbEngineSnapshot *snapshot = user_data;

  return snapshot->channels[channel->index].state != KB_CHANNEL_STATE_DISABLED;
}

static void
add_group (KbEngineSnapshot *snapshot, const KbGroupStatus *status, KbGatewayReport *report)
{
  const KbGroup *group = status->group;
  KbGroupReport *entry = kb_gateway_report_add_group (report, group->id);
  g_auto (KbGroupAbilities) abilities = { 0 };

  kb_group_merge (group, is_enabled, snapshot, &abilities);
  entry->system = g_strdup (kb_policy_kind_to_string (group->policy->kind));
  entry->pool = g_strdup (group->pool);
  entry->title = g_strdup (group->title);
  entry->strategy = g_strdup (kb_strategy_to_string (group->strategy));
  entry->is_active = status->is_active;
  entry->takes_images = abilities.takes_images;
  entry->context_window = abilities.context_window;
  entry->max_output = abilities.max_output;
  entry->quarantine_base_ms = (gint64) group->policy->quarantine_base_ms;
  entry->quarantine_most_ms = (gint64) group->policy->quarantine_most_ms;
  g_strfreev (entry->efforts);
  entry->efforts = g_steal_pointer (&abilities.efforts);
  if (group->strategy != KB_STRATEGY_FAILOVER)
    entry->next = g_strdup (kb_group_get_target (group, status->next)->channel->ref->id);
  for (guint i = 0; i < group->targets->len; i++)
    kb_group_report_add_member (entry, kb_group_get_target (group, i)->channel->ref->id,
                                status->n_bound[i]);
}

static GStrv
list_problems (KbGateway *self)
{
  const char *const kept[]
      = { self->reload_problem, self->listen_problem, self->load_problem, self->save_problem };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  char *errors = self->plan != NULL ? describe_errors (self) : NULL;

  if (errors != NULL)
    g_strv_builder_take (builder, errors);
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    if (kept[i] != NULL)
      g_strv_builder_add (builder, kept[i]);
  if (self->key_problems != NULL)
    g_strv_builder_addv (builder, (const char **) self->key_problems);
  return g_strv_builder_end (builder);
}

static void
fill_switch (KbGateway *self, KbGatewayReport *report)
{
  const KbLastSwitch *last = &self->last_switch;

  report->switch_from = g_strdup (last->from);
  report->switch_to = g_strdup (last->to);
  report->switch_reason = g_strdup (last->code);
  report->switch_ms = last->at_ms;
}

/**
 * kb_gateway_make_report:
 * @self: a gateway
 *
 * Returns: (transfer full): all that front ends are shown. No key is in it.
 */
KbGatewayReport *
kb_gateway_make_report (KbGateway *self)
{
  g_autoptr (KbEngineSnapshot) snapshot = NULL;
  KbGatewayReport *report;

  g_return_val_if_fail (self != NULL, NULL);

  snapshot = kb_engine_snapshot (self->engine, kb_gateway_now (self));
  report = kb_gateway_report_new ();
  report->serial = (gint64) (snapshot->serial + self->n_notes);
  report->time_ms = kb_gateway_clock_get_wall_ms (&self->clock);
  report->started_ms = self->started_ms;
  report->version = g_strdup (KB_VERSION);
  report->home = g_strdup (self->home);
  report->profile = g_strdup (self->profile);
  report->address = g_strdup (self->address);
  report->online = snapshot->online;
  report->paused = snapshot->paused_until_ms > 0;
  report->paused_until_ms = kb_gateway_to_wall (self, snapshot->paused_until_ms);
  report->pin = g_strdup (snapshot->pin);
  report->pin_until_ms = kb_gateway_to_wall (self, snapshot->pin_until_ms);
  report->serving = g_strdup (self->serving);
  report->serving_since_ms = self->serving_since_ms;
  fill_switch (self, report);
  if (self->traffic != NULL)
    self->traffic (report, self->traffic_data);
  for (guint i = 0; i < snapshot->n_channels; i++)
    add_channel (self, &snapshot->channels[i], report);
  report->queued = snapshot->n_queued;
  report->bindings = snapshot->n_bindings;
  for (guint i = 0; i < snapshot->n_groups; i++)
    add_group (snapshot, &snapshot->groups[i], report);
  g_strfreev (report->problems);
  report->problems = list_problems (self);
  return report;
}

/* A label value of the text format: quotes, backslashes and line ends are escaped. */
static void
add_label (GString *text, const char *value)
{
  for (const char *at = value; *at != '\0'; at++)
    {
      if (*at == '"' || *at == '\\')
        g_string_append_c (text, '\\');
      if (*at == '\n')
        g_string_append (text, "\\n");
      else
        g_string_append_c (text, *at);
    }
}

static void
add_sample (GString *text, const char *name, const char *channel, gint64 value)
{
  g_string_append_printf (text, "%s{channel=\"", name);
  add_label (text, channel);
  g_string_append_printf (text, "\"} %" G_GINT64_FORMAT "\n", value);
}

static void
add_tokens (GString *text, const char *kind, const char *channel, gint64 value)
{
  g_string_append (text, "koboshi_tokens_total{channel=\"");
  add_label (text, channel);
  g_string_append_printf (text, "\",kind=\"%s\"} %" G_GINT64_FORMAT "\n", kind, value);
}

/* Since this process began: a counter may start anew, but never falls. */
static void
add_usage (GString *text, KbGateway *self, const KbGatewayReport *report)
{
  g_string_append (text, "# TYPE koboshi_tokens_total counter\n");
  for (guint i = 0; i < report->channels->len; i++)
    {
      const KbChannelReport *channel = report->channels->pdata[i];
      KbUsageSum sum = { 0 };

      if (self->ledger != NULL)
        kb_usage_ledger_get_since_start (self->ledger, channel->id, &sum);
      add_tokens (text, "input", channel->id, sum.input);
      add_tokens (text, "cached", channel->id, sum.cached);
      add_tokens (text, "output", channel->id, sum.output);
    }
}

static char *
make_metrics (KbGateway *self, const KbGatewayReport *report)
{
  GString *text = g_string_new ("# TYPE koboshi_attempts_ok_total counter\n");

  for (guint i = 0; i < report->channels->len; i++)
    {
      const KbChannelReport *channel = report->channels->pdata[i];

      add_sample (text, "koboshi_attempts_ok_total", channel->id, channel->n_ok);
    }
  g_string_append (text, "# TYPE koboshi_attempts_failed_total counter\n");
  for (guint i = 0; i < report->channels->len; i++)
    {
      const KbChannelReport *channel = report->channels->pdata[i];

      add_sample (text, "koboshi_attempts_failed_total", channel->id, channel->n_failed);
    }
  g_string_append (text, "# TYPE koboshi_streams_cut_total counter\n");
  for (guint i = 0; i < report->channels->len; i++)
    {
      const KbChannelReport *channel = report->channels->pdata[i];

      add_sample (text, "koboshi_streams_cut_total", channel->id, channel->n_cut);
    }
  g_string_append (text, "# TYPE koboshi_channel_routable gauge\n");
  for (guint i = 0; i < report->channels->len; i++)
    {
      const KbChannelReport *channel = report->channels->pdata[i];

      add_sample (text, "koboshi_channel_routable", channel->id,
                  channel->state == KB_CHANNEL_STATE_HEALTHY
                      || channel->state == KB_CHANNEL_STATE_PROBE);
    }
  add_usage (text, self, report);
  g_string_append_printf (text,
                          "# TYPE koboshi_requests_in_flight gauge\n"
                          "koboshi_requests_in_flight %" G_GINT64_FORMAT "\n",
                          report->in_flight);
  return g_string_free_and_steal (text);
}

/**
 * kb_gateway_make_page:
 * @self: a gateway
 * @path: "/status" or "/metrics"
 * @content_type: (out) (transfer none): the type of the page
 *
 * Returns: (transfer full) (nullable): the page: JSON as data/gateway-status.schema.json has
 *   it, or the text format of Prometheus; %NULL if there is no such page
 */
GBytes *
kb_gateway_make_page (KbGateway *self, const char *path, const char **content_type)
{
  g_autoptr (KbGatewayReport) report = NULL;
  g_autoptr (GVariant) variant = NULL;
  char *text;

  g_return_val_if_fail (self != NULL && path != NULL && content_type != NULL, NULL);

  if (!g_str_equal (path, "/status") && !g_str_equal (path, "/metrics"))
    return NULL;
  report = kb_gateway_make_report (self);
  if (g_str_equal (path, "/metrics"))
    {
      *content_type = "text/plain; version=0.0.4; charset=utf-8";
      text = make_metrics (self, report);
      return g_bytes_new_take (text, strlen (text));
    }
  *content_type = "application/json";
  variant = g_variant_ref_sink (kb_gateway_report_to_variant (report));
  text = json_gvariant_serialize_data (variant, NULL);
  return g_bytes_new_take (text, strlen (text));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The wording of what a gateway tells. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

static char *
join (const char *first, const char *second)
{
  /* Translators: two remarks beside each other */
  return g_strdup_printf (_ ("%1$s · %2$s"), first, second);
}

/**
 * kb_format_gateway:
 * @monitor: a started monitor
 *
 * Returns: (transfer full): how it stands with the gateway, a sentence without full stop,
 *   translated
 */
char *
kb_format_gateway (KbMonitor *monitor)
{
  KbSourceGateway *gateway;
  const KbGatewayReport *report;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  gateway = kb_monitor_get_gateway (monitor);
  report = kb_source_gateway_get_report (gateway);
  switch (kb_source_gateway_get_link (gateway))
    {
    case KB_GATEWAY_LINK_SERVING:
      if (report->address == NULL || *report->address == '\0')
        return g_strdup (_ ("Starting"));
      return g_strdup_printf (_ ("Running at %s"), report->address);
    case KB_GATEWAY_LINK_ELSEWHERE:
      /* Translators: %1$s is the name of a profile, %2$s a folder */
      return g_strdup_printf (_ ("Serves the profile “%1$s” of %2$s, not this one"),
                              report->profile != NULL ? report->profile : "",
                              report->home != NULL ? report->home : "");
    case KB_GATEWAY_LINK_SILENT:
      return g_strdup (_ ("Running, but it does not answer"));
    case KB_GATEWAY_LINK_ABSENT:
      return g_strdup (_ ("Not running"));
    case KB_GATEWAY_LINK_UNKNOWN:
    default:
      return g_strdup (_ ("Not known yet"));
    }
}

/* As a person names it; an id that nothing lists stands for itself. */
static char *
name_channel (KbMonitor *monitor, const char *id)
{
  KbChannelList *channels = KB_CHANNEL_LIST (kb_monitor_get_channels (monitor));
  KbChannel *channel = kb_channel_list_lookup (channels, id);

  if (channel == NULL || kb_channel_get_model (channel)[0] == '\0')
    return g_strdup (id);
  return join (kb_channel_get_model (channel), kb_channel_get_provider (channel));
}

static char *
format_switch (const KbGatewayReport *report, gint64 now_ms)
{
  g_autofree char *time = kb_format_time_absolute (report->switch_ms, now_ms);
  g_autofree char *switched = NULL;
  g_autofree char *failure = NULL;

  /* Translators: %s is a time, as in "14:02:31" */
  switched = g_strdup_printf (_ ("switched at %s"), time);
  if (report->switch_reason == NULL)
    return g_steal_pointer (&switched);
  failure = kb_format_failure (report->switch_reason);
  return join (switched, failure);
}

/**
 * kb_format_serving:
 * @monitor: a started monitor
 *
 * Who answers the requests of the gateway, and how it came to that. Only a gateway knows.
 *
 * Returns: (transfer full) (nullable): one line, translated; %NULL where nobody serves
 */
char *
kb_format_serving (KbMonitor *monitor)
{
  const KbGatewayReport *report;
  gint64 now_ms;
  g_autofree char *name = NULL;
  g_autofree char *serving = NULL;
  g_autofree char *since = NULL;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  report = kb_monitor_get_report (monitor);
  if (report == NULL || report->serving == NULL)
    return NULL;
  now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (monitor));
  name = name_channel (monitor, report->serving);
  /* Translators: %s is the channel that answers, as in "glm-5.3 · mt" */
  serving = g_strdup_printf (_ ("Serving %s"), name);
  if (g_strcmp0 (report->switch_to, report->serving) == 0)
    since = format_switch (report, now_ms);
  else
    since = kb_format_since (report->serving_since_ms, now_ms);
  return join (serving, since);
}

/**
 * kb_format_latency:
 * @latency_ms: not negative
 *
 * Returns: (transfer full): "240 ms" or "0.8 s", translated
 */
char *
kb_format_latency (gint64 latency_ms)
{
  if (latency_ms < 500)
    /* Translators: milliseconds */
    return g_strdup_printf (_ ("%d ms"), (int) MAX (latency_ms, 0));
  return g_strdup_printf (C_ ("seconds", "%.1f s"), (double) latency_ms / 1000.0);
}

static char *
format_cut (gint64 n_cut)
{
  int n = (int) MIN (n_cut, G_MAXINT);

  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d stream cut", "%d streams cut", (gulong) n), n);
}

/**
 * kb_format_channel_use:
 * @channel: a channel
 *
 * Returns: (transfer full) (nullable): how fast and how well it answered lately, translated;
 *   %NULL where no gateway has used it
 */
char *
kb_format_channel_use (KbChannel *channel)
{
  const KbChannelReport *live;
  g_autofree char *latency = NULL;
  g_autofree char *median = NULL;
  g_autofree char *cut = NULL;

  g_return_val_if_fail (KB_IS_CHANNEL (channel), NULL);

  live = kb_channel_get_live (channel);
  if (live == NULL)
    return NULL;
  if (live->p50_ms >= 0)
    {
      latency = kb_format_latency (live->p50_ms);
      /* Translators: %s is a duration, as in "0.8 s": half of the answers took no longer */
      median = g_strdup_printf (_ ("median %s"), latency);
    }
  if (live->n_cut > 0)
    cut = format_cut (live->n_cut);
  if (median == NULL || cut == NULL)
    return median != NULL ? g_steal_pointer (&median) : g_steal_pointer (&cut);
  return join (median, cut);
}

/**
 * kb_format_channel_written:
 * @channel: a channel
 * @now_ms: the present time, ms since 1970
 *
 * Where a gateway judges a channel, daruma in a host may be of another opinion.
 *
 * Returns: (transfer full) (nullable): that opinion, translated; %NULL where there is none, or
 *   where it keeps nobody away
 */
char *
kb_format_channel_written (KbChannel *channel, gint64 now_ms)
{
  g_autofree char *until = NULL;
  KbBreaker written;

  g_return_val_if_fail (KB_IS_CHANNEL (channel), NULL);

  written = kb_channel_get_written (channel);
  if (kb_channel_get_live (channel) == NULL
      || kb_breaker_get_state_at (written, now_ms) != KB_CHANNEL_STATE_COOLDOWN)
    return NULL;
  until = kb_format_time_absolute (written.until_ms, now_ms);
  /* Translators: beside what the gateway says of a channel; %s is a time */
  return g_strdup_printf (_ ("daruma’s own file has it cooling down until %s"), until);
}

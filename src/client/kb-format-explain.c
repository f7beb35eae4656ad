// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-format-explain.h"

#include <glib/gi18n-lib.h>

#include "client/kb-duration.h"
#include "client/kb-format.h"

static void
add (GString *text, char *sentence)
{
  g_autofree char *owned = sentence;

  if (text->len > 0)
    g_string_append_c (text, ' ');
  g_string_append (text, owned);
}

static char *
describe_state (const KbGatewayReport *report, const KbChannelReport *channel)
{
  g_autofree char *countdown = kb_format_countdown (MAX (channel->until_ms - report->time_ms, 0));

  if (channel->by_hand)
    return g_strdup_printf (_ ("%s was disabled by hand."), channel->id);
  switch (channel->state)
    {
    case KB_CHANNEL_STATE_COOLDOWN:
      return g_strdup_printf (_ ("%s is cooling down, %s."), channel->id, countdown);
    case KB_CHANNEL_STATE_PROBE:
      return g_strdup_printf (_ ("%s has cooled down, and the next request tries it."),
                              channel->id);
    case KB_CHANNEL_STATE_DISABLED:
      return g_strdup_printf (_ ("%s is disabled until its key or its configuration changes, or "
                                 "somebody enables it."),
                              channel->id);
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return g_strdup_printf (_ ("%s is healthy."), channel->id);
    }
}

static void
add_reason (GString *text, const KbChannelReport *channel)
{
  g_autofree char *failure = channel->reason != NULL ? kb_format_failure (channel->reason) : NULL;
  guint n = (guint) CLAMP (channel->failures, 0, G_MAXINT);

  if (failure != NULL && (channel->state != KB_CHANNEL_STATE_HEALTHY || n > 0))
    add (text, g_strdup_printf (_ ("What was counted last: %s."), failure));
  if (n > 0)
    add (text, g_strdup_printf (
                   ngettext ("It failed %u time in a row.", "It failed %u times in a row.", n), n));
  if (channel->state != KB_CHANNEL_STATE_HEALTHY && g_strcmp0 (channel->scope, "provider") == 0)
    add (text, g_strdup (_ ("That holds for all models of its provider.")));
}

static void
add_window (GString *text, const KbChannelReport *channel)
{
  g_autofree char *window = kb_duration_format ((double) channel->pace_window_ms);
  int limit = (int) channel->pace_limit, used = (int) channel->pace_used;

  if (g_strcmp0 (channel->pacing, "adaptive") == 0)
    add (text, g_strdup_printf (_ ("Of the %d requests within %s that it was seen to take, %d are "
                                   "made use of."),
                                (int) channel->learned, window, limit));
  else
    add (text, g_strdup_printf (_ ("Within %s at most %d requests go."), window, limit));
  add (text, g_strdup_printf (_ ("Gone are %d, in line stand %d."), used, (int) channel->queued));
}

static void
add_pacing (GString *text, const KbGatewayReport *report, const KbChannelReport *channel)
{
  gboolean is_paced = channel->pacing != NULL && !g_str_equal (channel->pacing, "none");
  g_autofree char *rest = kb_format_countdown (MAX (channel->rests_until_ms - report->time_ms, 0));

  if (!is_paced)
    add (text, g_strdup (_ ("Its requests are not paced.")));
  else
    add_window (text, channel);
  if (channel->rests_until_ms > report->time_ms)
    add (text, g_strdup_printf (_ ("Its server was asked too much and is left alone, %s."), rest));
  if (report->paused && (is_paced || channel->retries))
    add (text, g_strdup (_ ("Throttling is paused.")));
}

static void
add_retry (GString *text, const KbChannelReport *channel)
{
  guint most = (guint) CLAMP (channel->most_retries, 0, G_MAXINT);
  guint waiting = (guint) CLAMP (channel->waiting, 0, G_MAXINT);

  if (!channel->retries)
    return;
  if (channel->most_retries < 0)
    add (text, g_strdup (_ ("A rate-limited request that has nowhere else to go waits and tries "
                            "again, as often as it takes.")));
  else
    add (text,
         g_strdup_printf (ngettext ("A rate-limited request that has nowhere else to go waits and "
                                    "tries again, at most %u time.",
                                    "A rate-limited request that has nowhere else to go waits and "
                                    "tries again, at most %u times.",
                                    most),
                          most));
  if (waiting > 0)
    add (text,
         g_strdup_printf (ngettext ("%u request does so now.", "%u requests do so now.", waiting),
                          waiting));
}

/**
 * kb_format_explain:
 * @report: what a gateway tells
 * @channel: one of its channels
 *
 * Returns: (transfer full): why it is as it is, in whole sentences
 */
char *
kb_format_explain (const KbGatewayReport *report, const KbChannelReport *channel)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (report != NULL && channel != NULL, NULL);

  add (text, describe_state (report, channel));
  add_reason (text, channel);
  add_pacing (text, report, channel);
  add_retry (text, channel);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-notice.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

static const char *
get_name (KbChannel *channel)
{
  const char *model = kb_channel_get_model (channel);

  return *model != '\0' ? model : kb_channel_get_provider (channel);
}

static char *
format_cooldown_body (KbChannel *channel, gint64 now_ms)
{
  g_autofree char *reason = kb_format_channel_reason (channel, now_ms);
  g_autofree char *until
      = kb_format_time_absolute (kb_channel_get_breaker (channel).until_ms, now_ms);

  /* Translators: a reason, then a time of day */
  return g_strdup_printf (_ ("%1$s. Back at %2$s."), reason, until);
}

static void
describe_event (KbNotice *self, KbChannel *channel, KbEvent *event, gint64 now_ms)
{
  self->title = kb_format_event_title (event);
  self->target = g_strdup (kb_event_get_fields (event)->to);
  self->body = format_cooldown_body (channel, now_ms);
}

/* A host writes its state and its log one after the other. */
#define LOG_BEFORE_STATE_MS 5000

/* The newest trouble of this episode, if the log has it. */
static KbEvent *
find_trouble (KbMonitor *monitor, KbChannel *channel, gint64 since_ms)
{
  KbEvent *event = kb_history_find_newest_trouble (kb_monitor_get_history (monitor),
                                                   kb_channel_get_id (channel));

  return event != NULL && kb_event_get_fields (event)->time_ms >= since_ms - LOG_BEFORE_STATE_MS
             ? event
             : NULL;
}

static void
describe_cooldown (KbNotice *self, KbMonitor *monitor, KbChannel *channel, gint64 since_ms)
{
  gint64 now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (monitor));
  KbEvent *event = find_trouble (monitor, channel, since_ms);

  if (event != NULL)
    {
      gboolean gave_up = kb_event_get_fields (event)->kind == KB_EVENT_GIVE_UP;

      self->kind = gave_up ? KB_NOTICE_GIVE_UP : KB_NOTICE_FAILOVER;
      describe_event (self, channel, event, now_ms);
      return;
    }
  self->kind = KB_NOTICE_COOLDOWN;
  self->title = g_strdup_printf (_ ("%s is cooling down"), get_name (channel));
  self->body = format_cooldown_body (channel, now_ms);
}

static void
describe_disabled (KbNotice *self, KbMonitor *monitor, KbChannel *channel)
{
  gint64 now_ms = kb_clock_get_now_ms (kb_monitor_get_clock (monitor));
  g_autofree char *reason = kb_format_channel_reason (channel, now_ms);

  self->kind = KB_NOTICE_DISABLED;
  self->title = g_strdup_printf (_ ("%s is disabled"), get_name (channel));
  self->body = g_strdup_printf (_ ("%s."), reason);
}

/**
 * kb_notice_new:
 * @monitor: what @channel belongs to
 * @channel: a channel
 * @since_ms: when its trouble began, ms since 1970: older entries of the log are about another
 *
 * Returns: (transfer full): what there is to tell now; of kind %KB_NOTICE_NONE if nothing
 */
KbNotice *
kb_notice_new (KbMonitor *monitor, KbChannel *channel, gint64 since_ms)
{
  KbNotice *self;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);
  g_return_val_if_fail (KB_IS_CHANNEL (channel), NULL);

  self = g_new0 (KbNotice, 1);
  self->channel = g_strdup (kb_channel_get_id (channel));
  if (kb_channel_get_unreadable (channel))
    return self;
  if (kb_channel_get_state (channel) == KB_CHANNEL_STATE_DISABLED)
    describe_disabled (self, monitor, channel);
  else if (kb_channel_get_state (channel) == KB_CHANNEL_STATE_COOLDOWN)
    describe_cooldown (self, monitor, channel, since_ms);
  return self;
}

/**
 * kb_notice_free:
 * @self: (transfer full) (nullable): a notice
 */
void
kb_notice_free (KbNotice *self)
{
  if (self == NULL)
    return;
  g_free (self->channel);
  g_free (self->target);
  g_free (self->title);
  g_free (self->body);
  g_free (self);
}

/**
 * kb_notice_equal:
 *
 * Returns: whether a person would read the same
 */
gboolean
kb_notice_equal (const KbNotice *a, const KbNotice *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->kind == b->kind && g_strcmp0 (a->channel, b->channel) == 0
         && g_strcmp0 (a->target, b->target) == 0 && g_strcmp0 (a->title, b->title) == 0
         && g_strcmp0 (a->body, b->body) == 0;
}

/**
 * kb_notice_is_important:
 *
 * Returns: whether work has stopped, or will not go on by itself
 */
gboolean
kb_notice_is_important (const KbNotice *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->kind >= KB_NOTICE_GIVE_UP;
}

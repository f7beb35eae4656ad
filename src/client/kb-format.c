// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-format.h"

#include <glib/gi18n-lib.h>

#include "client/kb-text.h"
#include "core/kb-failure.h"

#define SECOND_MS G_GINT64_CONSTANT (1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

/* Below this a countdown shows seconds: 1.5 minutes would otherwise read as 2. */
#define SECONDS_BELOW_MS (90 * SECOND_MS)

/* Nearer than this a relative time says nothing a person could use; it also hides a small
 * difference between two clocks. */
#define JUST_NOW_MS (5 * SECOND_MS)

/* Older than this a date says more than a count of days. */
#define RELATIVE_DAYS_MAX 30

/* Numbers of a file may be absurd; sentences take an int. */
static int
to_int (gint64 value)
{
  return (int) CLAMP (value, 0, G_MAXINT);
}

static gint64
divide_up (gint64 value, gint64 unit)
{
  return value / unit + (value % unit != 0 ? 1 : 0);
}

static gboolean
is_set (const char *text)
{
  return text != NULL && *text != '\0';
}

/* Differences of times from files must not overflow. */
static gint64
subtract (gint64 a, gint64 b)
{
  gint64 difference;

  if (!__builtin_sub_overflow (a, b, &difference))
    return difference;
  return a < b ? -G_MAXINT64 : G_MAXINT64;
}

static GDateTime *
local_time (gint64 time_ms)
{
  return time_ms > 0 ? g_date_time_new_from_unix_local (time_ms / SECOND_MS) : NULL;
}

typedef enum
{
  NEARNESS_TODAY,
  NEARNESS_THIS_YEAR,
  NEARNESS_FAR,
} Nearness;

static Nearness
nearness_of (GDateTime *time, gint64 now_ms)
{
  g_autoptr (GDateTime) now = local_time (now_ms);

  g_assert (time != NULL);

  if (now == NULL || g_date_time_get_year (time) != g_date_time_get_year (now))
    return NEARNESS_FAR;
  if (g_date_time_get_day_of_year (time) != g_date_time_get_day_of_year (now))
    return NEARNESS_THIS_YEAR;
  return NEARNESS_TODAY;
}

static char *
format_clock (GDateTime *time, Nearness nearness)
{
  g_assert (time != NULL);

  switch (nearness)
    {
    case NEARNESS_TODAY:
      /* Translators: a time of today, as in "14:02", for g_date_time_format() */
      return g_date_time_format (time, C_ ("time", "%H:%M"));
    case NEARNESS_THIS_YEAR:
      /* Translators: a time of another day of this year, as in "2 Aug, 14:02" */
      return g_date_time_format (time, C_ ("time", "%-d %b, %H:%M"));
    case NEARNESS_FAR:
    default:
      /* Translators: a time of another year, as in "2 Aug 2025, 14:02" */
      return g_date_time_format (time, C_ ("time", "%-d %b %Y, %H:%M"));
    }
}

/**
 * kb_format_state:
 * @state: a state as it is now, deadlines considered
 *
 * Returns: (transfer none): the word of a badge, translated
 */
const char *
kb_format_state (KbChannelState state)
{
  switch (state)
    {
    case KB_CHANNEL_STATE_COOLDOWN:
      return _ ("Cooling down");
    case KB_CHANNEL_STATE_PROBE:
      return _ ("Ready for a try");
    case KB_CHANNEL_STATE_DISABLED:
      return _ ("Disabled");
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return _ ("Healthy");
    }
}

/**
 * kb_format_state_unknown:
 *
 * Returns: (transfer none): the word of a badge where no state is known, translated
 */
const char *
kb_format_state_unknown (void)
{
  /* Translators: the state of a channel, beside "Healthy" and "Disabled" */
  return _ ("Unknown");
}

/**
 * kb_format_expression:
 *
 * Returns: (transfer none): what stands in the place of a name that only the host can
 *   read, translated
 */
const char *
kb_format_expression (void)
{
  /* Translators: in the place of a channel's name: a formula that only the host evaluates */
  return _ ("Expression");
}

static char *
format_countdown_hours (gint64 remaining_ms)
{
  gint64 minutes = divide_up (remaining_ms, MINUTE_MS);
  int hours = to_int (minutes / 60);
  int rest = to_int (minutes % 60);

  if (rest == 0)
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "back in %d h", "back in %d h", (gulong) hours), hours);
  /* Translators: hours and minutes, as in "back in 2 h 5 min" */
  return g_strdup_printf (_ ("back in %1$d h %2$d min"), hours, rest);
}

/**
 * kb_format_countdown:
 * @remaining_ms: milliseconds until the deadline; may be 0 or negative
 *
 * A coarse countdown: seconds below a minute and a half, minutes below an hour, hours and
 * minutes below two days, then days. Everything is rounded up, so that it never says 0, and
 * a deadline that has passed never shows a negative number.
 *
 * Returns: (transfer full): "back in 27 s", translated
 */
char *
kb_format_countdown (gint64 remaining_ms)
{
  int count;

  if (remaining_ms <= 0)
    return g_strdup (_ ("any moment now"));
  if (remaining_ms < SECONDS_BELOW_MS)
    {
      count = to_int (divide_up (remaining_ms, SECOND_MS));
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "back in %d s", "back in %d s", (gulong) count), count);
    }
  if (divide_up (remaining_ms, MINUTE_MS) < 60)
    {
      count = to_int (divide_up (remaining_ms, MINUTE_MS));
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "back in %d min", "back in %d min", (gulong) count), count);
    }
  if (remaining_ms <= 2 * DAY_MS)
    return format_countdown_hours (remaining_ms);
  count = to_int (divide_up (remaining_ms, DAY_MS));
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "back in %d day", "back in %d days", (gulong) count), count);
}

/* A give-up record carries the reason of the decision instead of a failure code. */
static const char *
give_up_text (const char *code)
{
  g_assert (code != NULL);

  if (g_str_equal (code, "give-up-budget-exhausted"))
    return _ ("No switches left for this session");
  if (g_str_equal (code, "no-routable-fallback"))
    return _ ("No other channel was available");
  return NULL;
}

static const char *
failure_class_text (KbFailureClass klass)
{
  switch (klass)
    {
    case KB_FAILURE_RATE_LIMIT:
      return _ ("Rate limited");
    case KB_FAILURE_SERVER:
      return _ ("Server error");
    case KB_FAILURE_TRANSPORT:
      return _ ("Connection broke");
    case KB_FAILURE_EMPTY:
      return _ ("Empty answer");
    case KB_FAILURE_SILENT:
      return _ ("No answer in time");
    case KB_FAILURE_QUOTA:
      return _ ("Quota used up");
    case KB_FAILURE_CREDENTIAL:
      return _ ("Key refused");
    case KB_FAILURE_FORBIDDEN:
      return _ ("Not allowed for this key");
    case KB_FAILURE_NO_KEY:
      return _ ("Key not found on this computer");
    case KB_FAILURE_CONTEXT:
      return _ ("Conversation too long for the model");
    case KB_FAILURE_UNKNOWN_MODEL:
      return _ ("Model not known to the provider");
    case KB_FAILURE_CALLER:
      return _ ("Request not accepted");
    case KB_FAILURE_CONTENT_REFUSED:
      return _ ("Refused by a content policy");
    case KB_FAILURE_LOCAL:
      return _ ("This computer is offline or over its limits");
    case KB_FAILURE_CLIENT_GONE:
      return _ ("Cancelled by the client");
    case KB_FAILURE_CONFIGURATION:
      return _ ("Host configuration error");
    case KB_FAILURE_UNKNOWN:
    default:
      return NULL;
    }
}

/**
 * kb_format_failure:
 * @code: (nullable): a failure code or the reason of a give-up, as it was written
 *
 * Returns: (transfer full): a fragment that stands alone ("Rate limited"), translated; a
 *   code without a known meaning as it is
 */
char *
kb_format_failure (const char *code)
{
  const char *text;

  if (!is_set (code) || g_str_equal (code, "UNKNOWN"))
    return g_strdup (_ ("Unknown failure"));
  text = give_up_text (code);
  if (text == NULL)
    text = failure_class_text (kb_failure_classify (code));
  return g_strdup (text != NULL ? text : code);
}

/* A give-up does not say what failed, only why nothing else was tried. */
static char *
format_given_up (const char *reason, int failures)
{
  g_assert (reason != NULL);

  if (g_str_equal (reason, "no-routable-fallback"))
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%d failure, and no other channel was available",
                     "%d failures in a row, and no other channel was available", (gulong) failures),
        failures);
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d failure, and no switches left for the session",
                   "%d failures in a row, and no switches left for the session", (gulong) failures),
      failures);
}

static char *
format_cooldown_reason (const char *reason, int failures)
{
  g_autofree char *failure = NULL;

  if (!is_set (reason) && failures == 0)
    return g_strdup (_ ("Cooling down after a failure"));
  if (is_set (reason) && failures > 0 && give_up_text (reason) != NULL)
    return format_given_up (reason, failures);
  if (!is_set (reason))
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%d failure", "%d failures in a row", (gulong) failures),
        failures);
  failure = kb_format_failure (reason);
  if (failures <= 1)
    return g_steal_pointer (&failure);
  /* Translators: %1$s is what happened, as in "Rate limited, 3 failures in a row" */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%1$s, %2$d failure",
                                       "%1$s, %2$d failures in a row", (gulong) failures),
                          failure, failures);
}

static char *
format_healthy_reason (gboolean known, int failures)
{
  if (failures > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d failure, not counted out yet",
                                         "%d failures in a row, not counted out yet",
                                         (gulong) failures),
                            failures);
  return g_strdup (known ? _ ("No failures") : _ ("No failures recorded yet"));
}

static char *
format_disabled_reason (const char *reason)
{
  g_autofree char *failure = NULL;

  if (!is_set (reason))
    return g_strdup (_ ("Off until a person enables it again"));
  failure = kb_format_failure (reason);
  /* Translators: %s is what happened, as in "Key refused" */
  return g_strdup_printf (_ ("%s; off until a person enables it again"), failure);
}

/**
 * kb_format_channel_reason:
 * @channel: a channel
 * @now_ms: the present time, ms since 1970
 *
 * Why a channel is as it is. A cooldown whose deadline has passed is judged by @now_ms, not
 * by the state the channel had at its last update.
 *
 * Returns: (transfer full): a sentence without full stop, translated
 */
char *
kb_format_channel_reason (KbChannel *channel, gint64 now_ms)
{
  const KbChannelReport *live;
  KbBreaker breaker;
  int failures;

  g_return_val_if_fail (KB_IS_CHANNEL (channel), NULL);

  live = kb_channel_get_live (channel);
  if (kb_channel_get_expression (channel))
    return g_strdup (_ ("Only the host can tell which channel this is"));
  if (kb_channel_get_unreadable (channel))
    return g_strdup (_ ("The file that records its state cannot be read"));
  breaker = kb_channel_get_breaker (channel);
  failures = to_int (breaker.failures);
  if (live != NULL && live->missing_key != NULL)
    /* Translators: %s is the name of a key, as in MT_API_KEY */
    return g_strdup_printf (_ ("The key %s is not found on this computer"), live->missing_key);
  switch (kb_breaker_get_state_at (breaker, now_ms))
    {
    case KB_CHANNEL_STATE_COOLDOWN:
      return format_cooldown_reason (kb_channel_get_reason (channel), failures);
    case KB_CHANNEL_STATE_PROBE:
      return g_strdup (_ ("The cooldown is over; the next request tries it"));
    case KB_CHANNEL_STATE_DISABLED:
      if (live != NULL && live->by_hand)
        return g_strdup (_ ("Off until a person enables it again"));
      return format_disabled_reason (kb_channel_get_reason (channel));
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return format_healthy_reason (kb_channel_get_known (channel), failures);
    }
}

static char *
format_channel_name (KbChannel *channel)
{
  const char *model = kb_channel_get_model (channel);

  if (kb_channel_get_expression (channel))
    return g_strdup (kb_format_expression ());
  if (!is_set (model))
    return g_strdup (kb_channel_get_provider (channel));
  /* Translators: a model and its provider, as in "glm-5.3 from mt" */
  return g_strdup_printf (_ ("%1$s from %2$s"), model, kb_channel_get_provider (channel));
}

/**
 * kb_format_channel_spoken:
 * @channel: a channel
 * @now_ms: the present time, ms since 1970
 *
 * The row as one text for assistive technology. It names the time of a deadline, never what
 * is left of it, so it stays the same until the channel changes.
 *
 * Returns: (transfer full): full sentences, translated
 */
char *
kb_format_channel_spoken (KbChannel *channel, gint64 now_ms)
{
  g_autofree char *name = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *until = NULL;
  KbBreaker breaker;

  g_return_val_if_fail (KB_IS_CHANNEL (channel), NULL);

  name = format_channel_name (channel);
  reason = kb_format_channel_reason (channel, now_ms);
  if (kb_channel_get_unreadable (channel))
    return g_strdup_printf (_ ("The state of %1$s is not known. %2$s."), name, reason);
  breaker = kb_channel_get_breaker (channel);
  switch (kb_breaker_get_state_at (breaker, now_ms))
    {
    case KB_CHANNEL_STATE_COOLDOWN:
      until = kb_format_time_absolute (breaker.until_ms, now_ms);
      /* Translators: channel, time, reason */
      return g_strdup_printf (_ ("%1$s is cooling down until %2$s. %3$s."), name, until, reason);
    case KB_CHANNEL_STATE_PROBE:
      return g_strdup_printf (_ ("%1$s is ready for a try. %2$s."), name, reason);
    case KB_CHANNEL_STATE_DISABLED:
      return g_strdup_printf (_ ("%1$s is disabled. %2$s."), name, reason);
    case KB_CHANNEL_STATE_HEALTHY:
    default:
      return g_strdup_printf (_ ("%1$s is healthy. %2$s."), name, reason);
    }
}

/**
 * kb_format_since:
 * @time_ms: when it began, ms since 1970; 0 if unknown
 * @now_ms: the present time, ms since 1970
 *
 * Returns: (transfer full): "since 14:02", with the date where it is not today, translated
 */
char *
kb_format_since (gint64 time_ms, gint64 now_ms)
{
  g_autoptr (GDateTime) time = local_time (time_ms);
  g_autofree char *clock = NULL;

  if (time == NULL)
    return g_strdup (_ ("since an unknown time"));
  clock = format_clock (time, nearness_of (time, now_ms));
  return g_strdup_printf (_ ("since %s"), clock);
}

/**
 * kb_format_time_absolute:
 * @time_ms: ms since 1970; 0 if unknown
 * @now_ms: the present time, ms since 1970
 *
 * Returns: (transfer full): the local time to the second; with the date where it is not
 *   today and the year where it is not this one
 */
char *
kb_format_time_absolute (gint64 time_ms, gint64 now_ms)
{
  g_autoptr (GDateTime) time = local_time (time_ms);

  if (time == NULL)
    return g_strdup (_ ("unknown time"));
  switch (nearness_of (time, now_ms))
    {
    case NEARNESS_TODAY:
      /* Translators: a time of today, as in "14:02:31", for g_date_time_format() */
      return g_date_time_format (time, C_ ("time", "%H:%M:%S"));
    case NEARNESS_THIS_YEAR:
      /* Translators: a time of another day of this year, as in "2 Aug, 14:02:31" */
      return g_date_time_format (time, C_ ("time", "%-d %b, %H:%M:%S"));
    case NEARNESS_FAR:
    default:
      /* Translators: a time of another year, as in "2 Aug 2025, 14:02:31" */
      return g_date_time_format (time, C_ ("time", "%-d %b %Y, %H:%M:%S"));
    }
}

static char *
format_ago (gint64 age_ms)
{
  int count;

  if (age_ms < MINUTE_MS)
    {
      count = to_int (age_ms / SECOND_MS);
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%d second ago", "%d seconds ago", (gulong) count), count);
    }
  if (age_ms < HOUR_MS)
    {
      count = to_int (age_ms / MINUTE_MS);
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%d minute ago", "%d minutes ago", (gulong) count), count);
    }
  if (age_ms < DAY_MS)
    {
      count = to_int (age_ms / HOUR_MS);
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%d hour ago", "%d hours ago", (gulong) count), count);
    }
  count = to_int (age_ms / DAY_MS);
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d day ago", "%d days ago", (gulong) count), count);
}

/* Rounded up like a countdown: 2 min 59 s ahead is "in 3 minutes". */
static char *
format_ahead (gint64 ahead_ms)
{
  int count;

  if (divide_up (ahead_ms, SECOND_MS) < 60)
    {
      count = to_int (divide_up (ahead_ms, SECOND_MS));
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "in %d second", "in %d seconds", (gulong) count), count);
    }
  if (divide_up (ahead_ms, MINUTE_MS) < 60)
    {
      count = to_int (divide_up (ahead_ms, MINUTE_MS));
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "in %d minute", "in %d minutes", (gulong) count), count);
    }
  if (divide_up (ahead_ms, HOUR_MS) < 24)
    {
      count = to_int (divide_up (ahead_ms, HOUR_MS));
      return g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "in %d hour", "in %d hours", (gulong) count), count);
    }
  count = to_int (divide_up (ahead_ms, DAY_MS));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "in %d day", "in %d days", (gulong) count),
                          count);
}

/**
 * kb_format_time_relative:
 * @time_ms: ms since 1970; 0 if unknown
 * @now_ms: the present time, ms since 1970
 *
 * Returns: (transfer full): "3 minutes ago", or "in 3 minutes" for a time ahead; a date
 *   beyond 30 days, translated
 */
char *
kb_format_time_relative (gint64 time_ms, gint64 now_ms)
{
  gint64 age_ms = subtract (now_ms, time_ms);

  if (time_ms <= 0 || age_ms >= RELATIVE_DAYS_MAX * DAY_MS || -age_ms > RELATIVE_DAYS_MAX * DAY_MS)
    return kb_format_time_absolute (time_ms, now_ms);
  if (age_ms < JUST_NOW_MS && age_ms > -JUST_NOW_MS)
    return g_strdup (_ ("just now"));
  return age_ms > 0 ? format_ago (age_ms) : format_ahead (-age_ms);
}

static char *
format_degraded (KbMonitor *monitor, int total)
{
  int cooling = (int) kb_monitor_count_state (monitor, KB_CHANNEL_STATE_COOLDOWN);
  int probing = (int) kb_monitor_count_state (monitor, KB_CHANNEL_STATE_PROBE);
  int disabled = (int) kb_monitor_count_state (monitor, KB_CHANNEL_STATE_DISABLED);
  int troubled = cooling + probing + disabled;

  /* The only one, and not healthy though the chain is not down: its cooldown is over. */
  if (total == 1)
    return g_strdup (_ ("The only channel is ready for a try"));
  if (troubled == cooling)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%1$d of %2$d channels is cooling down",
                                         "%1$d of %2$d channels are cooling down",
                                         (gulong) cooling),
                            cooling, total);
  if (troubled == probing)
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%1$d of %2$d channels is ready for a try",
                     "%1$d of %2$d channels are ready for a try", (gulong) probing),
        probing, total);
  if (troubled == disabled)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%1$d of %2$d channels is disabled",
                                         "%1$d of %2$d channels are disabled", (gulong) disabled),
                            disabled, total);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%1$d of %2$d channels is not healthy",
                                       "%1$d of %2$d channels are not healthy", (gulong) troubled),
                          troubled, total);
}

static char *
format_unknown (KbMonitor *monitor, int total)
{
  KbProfile *view = kb_monitor_get_view (monitor);

  if (total == 0 && view != NULL)
    return g_strdup (_ ("No channel in the failover chain"));
  if (view != NULL && kb_profile_get_daruma (view)->disabled)
    return g_strdup (_ ("The failover chain is switched off"));
  return g_strdup (_ ("The state of the channels is not known"));
}

/* Of the others nothing is said, not even how many there are. */
static guint
count_known (KbMonitor *monitor)
{
  guint n_known = 0;

  for (guint i = 0; i <= KB_CHANNEL_STATE_DISABLED; i++)
    n_known += kb_monitor_count_state (monitor, (KbChannelState) i);
  return n_known;
}

/**
 * kb_format_overall:
 * @monitor: a started monitor
 *
 * Returns: (transfer full): one sentence without full stop about the whole chain, translated
 */
char *
kb_format_overall (KbMonitor *monitor)
{
  int total;

  g_return_val_if_fail (KB_IS_MONITOR (monitor), NULL);

  total = (int) count_known (monitor);
  switch (kb_monitor_get_overall (monitor))
    {
    case KB_OVERALL_OFFLINE:
      return g_strdup (_ ("This computer is offline"));
    case KB_OVERALL_DOWN:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "The only channel is not available",
                                           "None of the %d channels is available", (gulong) total),
                              total);
    case KB_OVERALL_PAUSED:
      return g_strdup (_ ("Throttling is paused"));
    case KB_OVERALL_DEGRADED:
      return format_degraded (monitor, total);
    case KB_OVERALL_HEALTHY:
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "The only channel is healthy",
                                           "All %d channels are healthy", (gulong) total),
                              total);
    case KB_OVERALL_UNKNOWN:
    default:
      return format_unknown (monitor, (int) kb_monitor_count_chain (monitor));
    }
}

/**
 * kb_format_last_switch:
 * @event: a failover
 * @now_ms: the present time, ms since 1970
 *
 * A daruma file does not say who serves now, only where the last switch led.
 *
 * Returns: (transfer full): "Last switched to X at 14:02", translated
 */
char *
kb_format_last_switch (KbEvent *event, gint64 now_ms)
{
  const KbEventFields *fields;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *clock = NULL;
  g_autofree char *name = NULL;
  const char *to;
  Nearness nearness;

  g_return_val_if_fail (event != NULL, NULL);

  fields = kb_event_get_fields (event);
  name = is_set (fields->to) ? kb_text_redact_name (fields->to) : NULL;
  to = name != NULL ? name : _ ("an unknown channel");
  time = local_time (fields->time_ms);
  if (time == NULL)
    return g_strdup_printf (_ ("Last switched to %s"), to);
  nearness = nearness_of (time, now_ms);
  clock = format_clock (time, nearness);
  if (nearness == NEARNESS_TODAY)
    return g_strdup_printf (_ ("Last switched to %1$s at %2$s"), to, clock);
  /* Translators: %2$s has a date, as in "2 Aug, 14:02" */
  return g_strdup_printf (_ ("Last switched to %1$s on %2$s"), to, clock);
}

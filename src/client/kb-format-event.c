// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-format.h"

#include <glib/gi18n-lib.h>

#include "client/kb-text.h"

static int
to_int (gint64 value)
{
  return (int) CLAMP (value, 0, G_MAXINT);
}

static gboolean
is_set (const char *text)
{
  return text != NULL && *text != '\0';
}

/* Who writes a key into a log may write it anywhere, a name included. */
static char *
format_name (const char *name)
{
  return is_set (name) ? kb_text_redact_name (name) : NULL;
}

static char *
format_failover_title (const KbEventFields *fields)
{
  g_autofree char *from = format_name (fields->from);
  g_autofree char *to = format_name (fields->to);

  if (from != NULL && to != NULL)
    return g_strdup_printf (_ ("Switched from %1$s to %2$s"), from, to);
  if (to != NULL)
    return g_strdup_printf (_ ("Switched to %s"), to);
  if (from != NULL)
    return g_strdup_printf (_ ("Switched away from %s"), from);
  return g_strdup (_ ("Switched to another channel"));
}

static char *
format_give_up_title (const KbEventFields *fields)
{
  g_autofree char *from = format_name (fields->from);

  return from != NULL ? g_strdup_printf (_ ("Gave up on %s"), from) : g_strdup (_ ("Gave up"));
}

static char *
format_boot_title (const KbEventFields *fields)
{
  int count = fields->channels != NULL ? (int) g_strv_length ((char **) fields->channels) : 0;

  if (count == 0)
    return g_strdup (_ ("Host started without a channel"));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Host started with %d channel",
                                       "Host started with %d channels", (gulong) count),
                          count);
}

/**
 * kb_format_event_title:
 * @event: an entry of a history
 *
 * Returns: (transfer full): what happened, in one line, translated
 */
char *
kb_format_event_title (KbEvent *event)
{
  const KbEventFields *fields;

  g_return_val_if_fail (event != NULL, NULL);

  fields = kb_event_get_fields (event);
  switch (fields->kind)
    {
    case KB_EVENT_BOOT:
      return format_boot_title (fields);
    case KB_EVENT_FAILOVER:
      return format_failover_title (fields);
    case KB_EVENT_GIVE_UP:
      return format_give_up_title (fields);
    case KB_EVENT_GAP:
      return g_strdup (_ ("Entries are missing here"));
    case KB_EVENT_DAMAGED:
      return g_strdup (_ ("An entry cannot be read"));
    case KB_EVENT_OTHER:
    default:
      return is_set (fields->kind_name) ? format_name (fields->kind_name)
                                        : g_strdup (_ ("Unknown entry"));
    }
}

static char *
format_cause (const KbEventFields *fields)
{
  g_autofree char *failure = kb_format_failure (fields->reason);

  if (fields->status <= 0)
    return g_steal_pointer (&failure);
  /* Translators: what happened and the HTTP status, as in "Rate limited (HTTP 429)" */
  return g_strdup_printf (_ ("%1$s (HTTP %2$d)"), failure, to_int (fields->status));
}

static char *
format_switch_detail (const KbEventFields *fields)
{
  g_autofree char *cause = format_cause (fields);

  if (fields->failover_count <= 0 || fields->give_up_budget <= 0)
    return g_steal_pointer (&cause);
  /* Translators: as in "Rate limited (HTTP 429), switch 1 of 8" */
  return g_strdup_printf (_ ("%1$s, switch %2$d of %3$d"), cause, to_int (fields->failover_count),
                          to_int (fields->give_up_budget));
}

static char *
format_give_up_detail (const KbEventFields *fields)
{
  g_autofree char *cause = format_cause (fields);
  int count = to_int (fields->failover_count);

  if (count == 0)
    return g_steal_pointer (&cause);
  /* Translators: as in "No other channel was available, after 2 switches" */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%1$s, after %2$d switch",
                                       "%1$s, after %2$d switches", (gulong) count),
                          cause, count);
}

static char *
format_boot_detail (const KbEventFields *fields)
{
  if (fields->failure_budget <= 0 || fields->cooldown_ms <= 0 || fields->give_up_budget <= 0)
    return NULL;
  /* Translators: the limits of a failover chain; %2$g is a number of seconds */
  return g_strdup_printf (_ ("Failure budget %1$d, cooldown %2$g s, at most %3$d switches"),
                          to_int (fields->failure_budget), (double) fields->cooldown_ms / 1000,
                          to_int (fields->give_up_budget));
}

/**
 * kb_format_event_detail:
 * @event: an entry of a history
 *
 * Returns: (transfer full) (nullable): why it happened, in one line, translated; %NULL where
 *   the entry does not say
 */
char *
kb_format_event_detail (KbEvent *event)
{
  const KbEventFields *fields;

  g_return_val_if_fail (event != NULL, NULL);

  fields = kb_event_get_fields (event);
  switch (fields->kind)
    {
    case KB_EVENT_BOOT:
      return format_boot_detail (fields);
    case KB_EVENT_FAILOVER:
      return format_switch_detail (fields);
    case KB_EVENT_GIVE_UP:
      return format_give_up_detail (fields);
    case KB_EVENT_OTHER:
      return is_set (fields->reason) ? kb_format_failure (fields->reason)
                                     : g_strdup (fields->message);
    case KB_EVENT_GAP:
    case KB_EVENT_DAMAGED:
    default:
      return g_strdup (fields->message);
    }
}

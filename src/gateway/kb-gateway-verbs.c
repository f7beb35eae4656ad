// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "gateway/kb-gateway-private.h"
#include "ipc/kb-gateway-error.h"

static gboolean
check_known (gboolean is_known, const char *channel, GError **error)
{
  if (!is_known)
    g_set_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_UNKNOWN_CHANNEL,
                 _ ("The gateway has no channel “%s”."), channel);
  return is_known;
}

/* A time that has passed would do nothing, and look as if it had. */
static gboolean
read_until (KbGateway *self, gint64 wall_ms, gint64 *boot_ms, GError **error)
{
  gint64 now_ms = kb_gateway_clock_get_wall_ms (&self->clock);

  *boot_ms = wall_ms == 0 ? 0 : kb_gateway_now (self) + (wall_ms - now_ms);
  if (wall_ms == 0 || wall_ms > now_ms)
    return TRUE;
  g_set_error_literal (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_ARGUMENT,
                       _ ("That time has passed."));
  return FALSE;
}

/**
 * kb_gateway_set_disabled:
 * @self: a gateway
 * @channel: a channel
 * @disabled: whether no request goes to it
 * @error: return location: there is no such channel
 *
 * Returns: whether it is so now
 */
gboolean
kb_gateway_set_disabled (KbGateway *self, const char *channel, gboolean disabled, GError **error)
{
  const KbRouteChannel *entry;

  g_return_val_if_fail (self != NULL && channel != NULL, FALSE);

  entry = kb_route_table_find_channel (kb_engine_get_table (self->engine), channel);
  if (!check_known (entry != NULL, channel, error))
    return FALSE;
  kb_engine_set_disabled (self->engine, channel, disabled, kb_gateway_now (self));
  /* What disabled its provider goes, too; other channels of it go on cooling down. */
  if (!disabled)
    kb_engine_retry (self->engine, channel, kb_gateway_now (self));
  return TRUE;
}

/**
 * kb_gateway_retry:
 * @self: a gateway
 * @channel: a channel
 * @error: return location: there is no such channel
 *
 * Forgets the failures of a channel.
 *
 * Returns: whether it was done
 */
gboolean
kb_gateway_retry (KbGateway *self, const char *channel, GError **error)
{
  g_return_val_if_fail (self != NULL && channel != NULL, FALSE);

  return check_known (kb_engine_retry (self->engine, channel, kb_gateway_now (self)), channel,
                      error);
}

/**
 * kb_gateway_pin:
 * @self: a gateway
 * @channel: a channel
 * @until_ms: wall time, 0 = for good
 * @error: return location
 *
 * Puts a channel first.
 *
 * Returns: whether it was done
 */
gboolean
kb_gateway_pin (KbGateway *self, const char *channel, gint64 until_ms, GError **error)
{
  gint64 until;

  g_return_val_if_fail (self != NULL && channel != NULL, FALSE);

  return read_until (self, until_ms, &until, error)
         && check_known (kb_engine_pin (self->engine, channel, until, kb_gateway_now (self)),
                         channel, error);
}

/**
 * kb_gateway_unpin:
 * @self: a gateway
 *
 * The order of the configuration counts again.
 */
void
kb_gateway_unpin (KbGateway *self)
{
  g_return_if_fail (self != NULL);
  kb_engine_unpin (self->engine, kb_gateway_now (self));
}

/**
 * kb_gateway_pause:
 * @self: a gateway
 * @until_ms: wall time, 0 = for good
 * @error: return location: the time has passed
 *
 * Pauses pacing and waiting retries.
 *
 * Returns: whether it was done
 */
gboolean
kb_gateway_pause (KbGateway *self, gint64 until_ms, GError **error)
{
  gint64 until;

  g_return_val_if_fail (self != NULL, FALSE);

  if (!read_until (self, until_ms, &until, error))
    return FALSE;
  kb_engine_pause (self->engine, until == 0 ? G_MAXINT64 : until, kb_gateway_now (self));
  return TRUE;
}

/**
 * kb_gateway_resume:
 * @self: a gateway
 *
 * Takes back a pause.
 */
void
kb_gateway_resume (KbGateway *self)
{
  g_return_if_fail (self != NULL);
  kb_engine_pause (self->engine, 0, kb_gateway_now (self));
}

/* Lets the channel fail in a copy of the engine, and asks the copy who is next. */
static void
play (KbGateway *self,
      KbEngine *copy,
      KbRun *run,
      const char *channel,
      const char *code,
      KbWhatIf *answer)
{
  const KbAttemptResult result
      = { .klass = kb_failure_classify (code), .code = g_intern_string (code) };
  gint64 now_ms = kb_gateway_now (self);
  gboolean has_failed = FALSE;
  KbPick pick;

  for (;;)
    {
      kb_engine_next (copy, run, now_ms, &pick);
      if (has_failed || pick.kind != KB_PICK_CHANNEL
          || !g_str_equal (pick.channel->ref->id, channel))
        break;
      answer->delay_ms = kb_engine_report (copy, run, &result, now_ms, 0.5).delay_ms;
      has_failed = answer->delay_ms == 0;
      now_ms += answer->delay_ms;
    }
  if (pick.kind == KB_PICK_CHANNEL)
    answer->serving = g_strdup (pick.channel->ref->id);
  else if (pick.kind == KB_PICK_REFUSE)
    answer->refusal = pick.refusal;
  answer->delay_ms = now_ms - kb_gateway_now (self);
}

static void
read_state (KbGateway *self, KbEngine *copy, const char *channel, KbWhatIf *answer)
{
  g_autoptr (KbEngineSnapshot) after = kb_engine_snapshot (copy, kb_gateway_now (self));

  for (guint i = 0; i < after->n_channels; i++)
    if (g_str_equal (after->channels[i].channel->ref->id, channel))
      {
        answer->state = after->channels[i].state;
        answer->until_ms = kb_gateway_to_wall (self, after->channels[i].health.breaker.until_ms);
      }
}

/**
 * kb_gateway_what_if:
 * @self: a gateway
 * @channel: a channel
 * @code: a failure code
 * @answer: (out): what would happen; free its `serving`
 * @error: return location: there is no such channel
 *
 * Plays a failure through on a copy: nothing changes.
 *
 * Returns: whether there is an answer
 */
gboolean
kb_gateway_what_if (
    KbGateway *self, const char *channel, const char *code, KbWhatIf *answer, GError **error)
{
  KbRequestFacts facts = { .other_dialects = KB_ALL_DIALECT_KINDS, .label = "what-if" };
  const KbRouteChannel *entry;
  g_autoptr (KbEngine) copy = NULL;
  g_autoptr (KbRoute) route = NULL;
  g_autoptr (KbRun) run = NULL;

  g_return_val_if_fail (self != NULL && channel != NULL && code != NULL && answer != NULL, FALSE);

  *answer = (KbWhatIf) { 0 };
  entry = kb_route_table_find_channel (kb_engine_get_table (self->engine), channel);
  if (!check_known (entry != NULL, channel, error))
    return FALSE;
  copy = kb_engine_copy (self->engine);
  route = kb_route_table_resolve (kb_engine_get_table (copy), channel);
  if (!check_known (route != NULL, channel, error))
    return FALSE;
  facts.dialect = entry->spec.dialect;
  run = kb_engine_begin (copy, route, &facts, kb_gateway_now (self));
  play (self, copy, run, channel, code, answer);
  read_state (self, copy, channel, answer);
  kb_engine_abandon (copy, run);
  return TRUE;
}

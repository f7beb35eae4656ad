// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-engine.h"

static const char *const refusals[] = {
  [KB_REFUSAL_NONE] = "none",
  [KB_REFUSAL_EXHAUSTED] = "no-routable-fallback",
  [KB_REFUSAL_BUDGET] = "give-up-budget-exhausted",
  [KB_REFUSAL_DEADLINE] = "deadline",
  [KB_REFUSAL_COOLING] = "all-cooling",
  [KB_REFUSAL_BY_HAND] = "disabled-by-hand",
  [KB_REFUSAL_OFFLINE] = "offline",
  [KB_REFUSAL_DIALECT] = "no-channel-of-this-dialect",
  [KB_REFUSAL_NOT_AUTOMATIC] = "never-automatic",
  [KB_REFUSAL_PACED] = "paced",
  [KB_REFUSAL_UNABLE] = "no-able-member",
};

static const char *const reasons[] = {
  [KB_REASON_TAKEN] = "taken",
  [KB_REASON_TAKEN_AGAIN] = "taken-again",
  [KB_REASON_TAKEN_PROBE] = "taken-as-probe",
  [KB_REASON_TAKEN_EARLIEST] = "taken-earliest",
  [KB_REASON_TAKEN_ALONE] = "taken-alone",
  [KB_REASON_TAKEN_ALL_DISABLED] = "taken-all-disabled",
  [KB_REASON_TAKEN_RESTING] = "taken-resting",
  [KB_REASON_TAKEN_ROOMIEST] = "taken-roomiest",
  [KB_REASON_TRIED] = "tried",
  [KB_REASON_DISABLED_BY_HAND] = "disabled-by-hand",
  [KB_REASON_DISABLED] = "disabled",
  [KB_REASON_COOLING] = "cooling",
  [KB_REASON_PROBED] = "probed",
  [KB_REASON_OFFLINE] = "offline",
  [KB_REASON_OTHER_DIALECT] = "other-dialect",
  [KB_REASON_NEVER_AUTOMATIC] = "never-automatic",
  [KB_REASON_WINDOW] = "window",
  [KB_REASON_NO_IMAGES] = "no-images",
  [KB_REASON_NO_TOOLS] = "no-tools",
  [KB_REASON_RESTING] = "resting",
  [KB_REASON_OUTPUT] = "output",
};

/**
 * kb_refusal_to_string:
 * @refusal: why a request was refused
 *
 * Returns: (transfer none): its stable name, for logs and JSON; the two of a daruma give-up
 *   are daruma's own words
 */
const char *
kb_refusal_to_string (KbRefusal refusal)
{
  g_return_val_if_fail ((guint) refusal < G_N_ELEMENTS (refusals), "none");
  return refusals[refusal];
}

/**
 * kb_reason_kind_to_string:
 * @kind: why a channel was taken or passed over
 *
 * Returns: (transfer none): its stable name, for logs and JSON
 */
const char *
kb_reason_kind_to_string (KbReasonKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (reasons), "taken");
  return reasons[kind];
}

/**
 * kb_engine_event_wakes:
 * @event: an event
 *
 * Returns: whether requests that wait may have less to wait for now, so that they had better
 *   ask again
 */
gboolean
kb_engine_event_wakes (const KbEngineEvent *event)
{
  g_return_val_if_fail (event != NULL, FALSE);

  switch (event->kind)
    {
    case KB_ENGINE_EVENT_CONFIGURED:
    case KB_ENGINE_EVENT_ONLINE:
    case KB_ENGINE_EVENT_PAUSE:
      return TRUE;
    case KB_ENGINE_EVENT_QUEUE:
      return event->channel == NULL;
    case KB_ENGINE_EVENT_STATE:
      return event->after == KB_CHANNEL_STATE_HEALTHY && event->before != event->after;
    case KB_ENGINE_EVENT_QUOTA:
    case KB_ENGINE_EVENT_OUTCOME:
    case KB_ENGINE_EVENT_FAILOVER:
    case KB_ENGINE_EVENT_GIVE_UP:
    case KB_ENGINE_EVENT_PIN:
    case KB_ENGINE_EVENT_TURN:
    default:
      return FALSE;
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-channel.h"

#include "core/kb-failure.h"

struct _KbChannel
{
  GObject parent_instance;

  char *id;       /* owned, never changes */
  char *provider; /* owned */
  char *model;    /* owned */
  char *source;   /* owned */
  char *origin;   /* owned */
  char *reason;   /* owned, nullable */
  guint position;
  gboolean is_backup;
  gboolean known;
  gboolean unreadable;
  gboolean expression; /* never changes: no other channel has such an id */
  KbBreaker breaker;
  KbChannelState state;        /* of the breaker at the last update */
  const KbChannelReport *live; /* borrowed from the report, nullable */
  KbGatewayReport *report;     /* owned, nullable */
  gboolean serving;
  KbBreaker written;
};

G_DEFINE_FINAL_TYPE (KbChannel, kb_channel, G_TYPE_OBJECT)

typedef enum
{
  PROP_ID = 1,
  PROP_PROVIDER,
  PROP_MODEL,
  PROP_SOURCE,
  PROP_ORIGIN,
  PROP_POSITION,
  PROP_IN_CHAIN,
  PROP_IS_BACKUP,
  PROP_STATE,
  PROP_UNTIL_MS,
  PROP_FAILURES,
  PROP_REASON,
  PROP_UPDATED_MS,
  PROP_KNOWN,
  PROP_UNREADABLE,
  PROP_EXPRESSION,
  PROP_LIVE,
} KbChannelProperty;

static GParamSpec *properties[PROP_LIVE + 1];

/* Queues the notification; kb_channel_update() has them frozen until all values are set. */
static gboolean
mark (KbChannel *self, KbChannelProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
  return TRUE;
}

static gboolean
set_text (KbChannel *self, char **field, const char *text, KbChannelProperty property)
{
  return g_set_str (field, text) && mark (self, property);
}

static gboolean
set_position (KbChannel *self, guint position)
{
  gboolean was_in_chain = self->position != 0;

  if (self->position == position)
    return FALSE;
  self->position = position;
  if (was_in_chain != (position != 0))
    mark (self, PROP_IN_CHAIN);
  return mark (self, PROP_POSITION);
}

static gboolean
set_flag (KbChannel *self, gboolean *field, gboolean value, KbChannelProperty property)
{
  value = !!value;
  if (*field == value)
    return FALSE;
  *field = value;
  return mark (self, property);
}

static gboolean
set_time (KbChannel *self, gint64 *field, gint64 value, KbChannelProperty property)
{
  if (*field == value)
    return FALSE;
  *field = value;
  return mark (self, property);
}

static gboolean
set_breaker (KbChannel *self, const KbBreaker *breaker, gint64 now_ms)
{
  KbChannelState state = kb_breaker_get_state_at (*breaker, now_ms);
  gboolean changed = self->breaker.state != breaker->state;

  self->breaker.state = breaker->state;
  if (self->state != state)
    {
      self->state = state;
      changed = mark (self, PROP_STATE);
    }
  changed |= set_time (self, &self->breaker.failures, breaker->failures, PROP_FAILURES);
  changed |= set_time (self, &self->breaker.until_ms, breaker->until_ms, PROP_UNTIL_MS);
  changed |= set_time (self, &self->breaker.updated_ms, breaker->updated_ms, PROP_UPDATED_MS);
  return changed;
}

static gboolean
is_same_breaker (const KbBreaker *a, const KbBreaker *b)
{
  return a->state == b->state && a->until_ms == b->until_ms && a->failures == b->failures
         && a->updated_ms == b->updated_ms;
}

static gboolean
set_live (KbChannel *self, const KbChannelFacts *facts)
{
  g_autoptr (KbGatewayReport) old = g_steal_pointer (&self->report);
  gboolean same = kb_channel_report_equal (self->live, facts->live)
                  && is_same_breaker (&self->written, &facts->written);
  gboolean serving = facts->live != NULL && g_strcmp0 (facts->report->serving, self->id) == 0;

  same &= self->serving == serving;
  self->serving = serving;
  self->report = facts->live != NULL ? kb_gateway_report_ref (facts->report) : NULL;
  self->live = facts->live;
  self->written = facts->written;
  return !same && mark (self, PROP_LIVE);
}

static void
kb_channel_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbChannel *self = KB_CHANNEL (object);

  switch ((KbChannelProperty) id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_PROVIDER:
      g_value_set_string (value, self->provider);
      break;
    case PROP_MODEL:
      g_value_set_string (value, self->model);
      break;
    case PROP_SOURCE:
      g_value_set_string (value, self->source);
      break;
    case PROP_ORIGIN:
      g_value_set_string (value, self->origin);
      break;
    case PROP_POSITION:
      g_value_set_uint (value, self->position);
      break;
    case PROP_IN_CHAIN:
      g_value_set_boolean (value, self->position != 0);
      break;
    case PROP_IS_BACKUP:
      g_value_set_boolean (value, self->is_backup);
      break;
    case PROP_STATE:
      g_value_set_int (value, (int) self->state);
      break;
    case PROP_UNTIL_MS:
      g_value_set_int64 (value, self->breaker.until_ms);
      break;
    case PROP_FAILURES:
      g_value_set_int64 (value, self->breaker.failures);
      break;
    case PROP_REASON:
      g_value_set_string (value, self->reason);
      break;
    case PROP_UPDATED_MS:
      g_value_set_int64 (value, self->breaker.updated_ms);
      break;
    case PROP_KNOWN:
      g_value_set_boolean (value, self->known);
      break;
    case PROP_UNREADABLE:
      g_value_set_boolean (value, self->unreadable);
      break;
    case PROP_EXPRESSION:
      g_value_set_boolean (value, self->expression);
      break;
    case PROP_LIVE:
      g_value_set_boolean (value, self->live != NULL);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_channel_finalize (GObject *object)
{
  KbChannel *self = KB_CHANNEL (object);

  g_free (self->id);
  g_free (self->provider);
  g_free (self->model);
  g_free (self->source);
  g_free (self->origin);
  g_free (self->reason);
  g_clear_pointer (&self->report, kb_gateway_report_unref);
  G_OBJECT_CLASS (kb_channel_parent_class)->finalize (object);
}

#define READ_ONLY (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY)

static GParamSpec *
text_property (const char *name)
{
  return g_param_spec_string (name, NULL, NULL, NULL, READ_ONLY);
}

static GParamSpec *
flag_property (const char *name)
{
  return g_param_spec_boolean (name, NULL, NULL, FALSE, READ_ONLY);
}

static GParamSpec *
number_property (const char *name)
{
  return g_param_spec_int64 (name, NULL, NULL, G_MININT64, G_MAXINT64, 0, READ_ONLY);
}

static void
kb_channel_class_init (KbChannelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = kb_channel_get_property;
  object_class->finalize = kb_channel_finalize;

  properties[PROP_ID] = text_property ("id");
  properties[PROP_PROVIDER] = text_property ("provider");
  properties[PROP_MODEL] = text_property ("model");
  properties[PROP_SOURCE] = text_property ("source");
  properties[PROP_ORIGIN] = text_property ("origin");
  properties[PROP_POSITION]
      = g_param_spec_uint ("position", NULL, NULL, 0, G_MAXUINT, 0, READ_ONLY);
  properties[PROP_IN_CHAIN] = flag_property ("in-chain");
  properties[PROP_IS_BACKUP] = flag_property ("is-backup");
  properties[PROP_STATE]
      = g_param_spec_int ("state", NULL, NULL, KB_CHANNEL_STATE_HEALTHY, KB_CHANNEL_STATE_DISABLED,
                          KB_CHANNEL_STATE_HEALTHY, READ_ONLY);
  properties[PROP_UNTIL_MS] = number_property ("until-ms");
  properties[PROP_FAILURES] = number_property ("failures");
  properties[PROP_REASON] = text_property ("reason");
  properties[PROP_UPDATED_MS] = number_property ("updated-ms");
  properties[PROP_KNOWN] = flag_property ("known");
  properties[PROP_UNREADABLE] = flag_property ("unreadable");
  properties[PROP_EXPRESSION] = flag_property ("expression");
  properties[PROP_LIVE] = flag_property ("live");
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
kb_channel_init (KbChannel *self)
{
}

/**
 * kb_channel_new:
 * @facts: what is known; everything is copied
 * @now_ms: the present time, by which the state is judged
 *
 * Returns: (transfer full): a new channel
 */
KbChannel *
kb_channel_new (const KbChannelFacts *facts, gint64 now_ms)
{
  KbChannel *self;

  g_return_val_if_fail (facts != NULL && facts->ref != NULL, NULL);

  self = g_object_new (KB_TYPE_CHANNEL, NULL);
  self->id = g_strdup (facts->ref->id);
  self->expression = facts->expression;
  kb_channel_update (self, facts, now_ms);
  return self;
}

/**
 * kb_channel_update:
 * @self: a channel
 * @facts: what is known now, of the same id
 * @now_ms: the present time, by which the state is judged
 *
 * Takes new facts over. Every property that differs is notified once, after all of them have
 * their new values.
 *
 * Returns: whether anything differs
 */
gboolean
kb_channel_update (KbChannel *self, const KbChannelFacts *facts, gint64 now_ms)
{
  gboolean changed = FALSE;

  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  g_return_val_if_fail (facts != NULL && facts->ref != NULL, FALSE);
  g_return_val_if_fail (g_str_equal (facts->ref->id, self->id), FALSE);

  g_object_freeze_notify (G_OBJECT (self));
  changed |= set_text (self, &self->provider, facts->ref->provider, PROP_PROVIDER);
  changed |= set_text (self, &self->model, facts->ref->model, PROP_MODEL);
  changed |= set_text (self, &self->source, facts->source, PROP_SOURCE);
  changed |= set_text (self, &self->origin, facts->origin, PROP_ORIGIN);
  changed |= set_text (self, &self->reason, facts->reason, PROP_REASON);
  changed |= set_position (self, facts->position);
  changed |= set_flag (self, &self->is_backup, facts->is_backup, PROP_IS_BACKUP);
  changed |= set_flag (self, &self->known, facts->known, PROP_KNOWN);
  changed |= set_flag (self, &self->unreadable, facts->unreadable, PROP_UNREADABLE);
  changed |= set_breaker (self, &facts->breaker, now_ms);
  changed |= set_live (self, facts);
  g_object_thaw_notify (G_OBJECT (self));
  return changed;
}

/**
 * kb_channel_get_id:
 * @self: a channel
 *
 * Returns: (transfer none): its id, "provider::model" or the bare provider
 */
const char *
kb_channel_get_id (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->id;
}

/**
 * kb_channel_get_provider:
 * @self: a channel
 *
 * Returns: (transfer none): the provider's name
 */
const char *
kb_channel_get_provider (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->provider;
}

/**
 * kb_channel_get_model:
 * @self: a channel
 *
 * Returns: (transfer none): the model's name, empty where the id is a bare provider
 */
const char *
kb_channel_get_model (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->model;
}

/**
 * kb_channel_get_source:
 * @self: a channel
 *
 * Returns: (transfer none) (nullable): the system that judges it ("daruma")
 */
const char *
kb_channel_get_source (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->source;
}

/**
 * kb_channel_get_origin:
 * @self: a channel
 *
 * Returns: (transfer none) (nullable): where that was learned ("file")
 */
const char *
kb_channel_get_origin (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->origin;
}

/**
 * kb_channel_get_position:
 * @self: a channel
 *
 * Returns: its place in the chain from 1 on; 0 = not in the chain
 */
guint
kb_channel_get_position (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), 0);
  return self->position;
}

/**
 * kb_channel_get_in_chain:
 * @self: a channel
 *
 * Returns: whether it is in the chain
 */
gboolean
kb_channel_get_in_chain (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  return self->position != 0;
}

/**
 * kb_channel_get_is_backup:
 * @self: a channel
 *
 * Returns: whether it is the manual backup
 */
gboolean
kb_channel_get_is_backup (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  return self->is_backup;
}

/**
 * kb_channel_get_known:
 * @self: a channel
 *
 * Returns: whether a record of it exists; without one it counts as healthy
 */
gboolean
kb_channel_get_known (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  return self->known;
}

/**
 * kb_channel_get_unreadable:
 * @self: a channel
 *
 * Returns: whether its state is not known, since what would record it was never readable;
 *   kb_channel_get_state() is then that of a fresh channel and means nothing
 */
gboolean
kb_channel_get_unreadable (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  return self->unreadable;
}

/**
 * kb_channel_get_expression:
 * @self: a channel
 *
 * Returns: whether it is an entry of the chain that only the host can read: a place in the
 *   order, of which neither name nor state is known, and which nobody can act upon
 */
gboolean
kb_channel_get_expression (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  return self->expression;
}

/**
 * kb_channel_get_state:
 * @self: a channel
 *
 * Returns: its state by the time of the last update
 */
KbChannelState
kb_channel_get_state (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), KB_CHANNEL_STATE_HEALTHY);
  return self->state;
}

/**
 * kb_channel_get_breaker:
 * @self: a channel
 *
 * Returns: its breaker as stored, whose state is not yet judged by the time
 */
KbBreaker
kb_channel_get_breaker (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), (KbBreaker) { 0 });
  return self->breaker;
}

/**
 * kb_channel_get_reason:
 * @self: a channel
 *
 * Returns: (transfer none) (nullable): the failure code of its newest trouble
 */
const char *
kb_channel_get_reason (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->reason;
}

/**
 * kb_channel_get_live:
 * @self: a channel
 *
 * Returns: (transfer none) (nullable): what the gateway tells of it, where a gateway judges it;
 *   valid until the next update
 */
const KbChannelReport *
kb_channel_get_live (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), NULL);
  return self->live;
}

/**
 * kb_channel_get_live_time:
 * @self: a channel
 *
 * Returns: when the gateway told it, milliseconds since 1970; 0 without one
 */
gint64
kb_channel_get_live_time (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), 0);
  return self->report != NULL ? self->report->time_ms : 0;
}

/**
 * kb_channel_get_is_serving:
 * @self: a channel
 *
 * Returns: whether it gave the last whole answer of the gateway
 */
gboolean
kb_channel_get_is_serving (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);
  return self->serving;
}

/**
 * kb_channel_get_written:
 * @self: a channel
 *
 * Where the gateway judges a channel, daruma in a host may judge it otherwise, in its own file.
 *
 * Returns: what that file says; healthy where it says nothing, or nothing else judges
 */
KbBreaker
kb_channel_get_written (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), (KbBreaker) { 0 });
  return self->written;
}

/**
 * kb_channel_needs_person:
 *
 * Time alone does not mend it: it is disabled, or its key, bill or configuration is what
 * keeps it out.
 *
 * Returns: whether a person must act
 */
gboolean
kb_channel_needs_person (KbChannel *self)
{
  g_return_val_if_fail (KB_IS_CHANNEL (self), FALSE);

  if (self->state == KB_CHANNEL_STATE_DISABLED)
    return TRUE;
  if (self->state == KB_CHANNEL_STATE_HEALTHY || self->reason == NULL)
    return FALSE;
  switch (kb_failure_class_get_actor (kb_failure_classify (self->reason)))
    {
    case KB_ACTOR_KEY_HOLDER:
    case KB_ACTOR_ACCOUNT_OWNER:
    case KB_ACTOR_CONFIGURER:
      return TRUE;
    case KB_ACTOR_UNKNOWN:
    case KB_ACTOR_NOBODY:
    case KB_ACTOR_CALLER:
    default:
      return FALSE;
    }
}

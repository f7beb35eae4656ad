// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-event.h"

struct _KbEvent
{
  gatomicrefcount references;
  KbEventFields fields; /* every string in it is owned */
};

static const char *const *
copy_strings (const char *const *strings)
{
  return (const char *const *) g_strdupv ((char **) strings);
}

/**
 * kb_event_new:
 * @fields: what to keep; strings are copied
 *
 * Returns: (transfer full): a new immutable event
 */
KbEvent *
kb_event_new (const KbEventFields *fields)
{
  KbEvent *self;

  g_return_val_if_fail (fields != NULL, NULL);

  self = g_new0 (KbEvent, 1);
  g_atomic_ref_count_init (&self->references);
  self->fields = *fields;
  self->fields.kind_name = g_strdup (fields->kind_name);
  self->fields.source = g_intern_string (fields->source);
  self->fields.file = g_intern_string (fields->file);
  self->fields.agent = g_strdup (fields->agent);
  self->fields.from = g_strdup (fields->from);
  self->fields.to = g_strdup (fields->to);
  self->fields.reason = g_strdup (fields->reason);
  self->fields.message = g_strdup (fields->message);
  self->fields.json = g_strdup (fields->json);
  self->fields.channels = copy_strings (fields->channels);
  return self;
}

/**
 * kb_event_ref:
 * @self: an event
 *
 * Returns: (transfer full): @self with one more reference; safe from any thread
 */
KbEvent *
kb_event_ref (KbEvent *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * kb_event_unref:
 * @self: (transfer full) (nullable): an event
 *
 * Drops a reference; safe from any thread.
 */
void
kb_event_unref (KbEvent *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  g_free ((char *) self->fields.kind_name);
  g_free ((char *) self->fields.agent);
  g_free ((char *) self->fields.from);
  g_free ((char *) self->fields.to);
  g_free ((char *) self->fields.reason);
  g_free ((char *) self->fields.message);
  g_free ((char *) self->fields.json);
  g_strfreev ((char **) self->fields.channels);
  g_free (self);
}

/**
 * kb_event_get_fields:
 * @self: an event
 *
 * Returns: (transfer none): its fields, valid as long as @self
 */
const KbEventFields *
kb_event_get_fields (const KbEvent *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->fields;
}

/**
 * kb_event_concerns:
 * @self: an event
 * @channel_id: a channel id
 *
 * Returns: whether the channel is where the event began, where it led, or in its chain
 */
gboolean
kb_event_concerns (const KbEvent *self, const char *channel_id)
{
  const KbEventFields *fields;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (channel_id != NULL, FALSE);

  fields = &self->fields;
  return g_strcmp0 (fields->from, channel_id) == 0 || g_strcmp0 (fields->to, channel_id) == 0
         || (fields->channels != NULL && g_strv_contains (fields->channels, channel_id));
}

/**
 * kb_event_kind_parse:
 * @name: the kind word of a record
 *
 * Returns: the kind; KB_EVENT_OTHER for a word that is not known
 */
KbEventKind
kb_event_kind_parse (const char *name)
{
  g_return_val_if_fail (name != NULL, KB_EVENT_OTHER);

  if (g_str_equal (name, "boot"))
    return KB_EVENT_BOOT;
  if (g_str_equal (name, "failover"))
    return KB_EVENT_FAILOVER;
  if (g_str_equal (name, "give-up"))
    return KB_EVENT_GIVE_UP;
  return KB_EVENT_OTHER;
}

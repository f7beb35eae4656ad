// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-routes.h"

#include <string.h>

typedef struct
{
  char *address;   /* (nullable) */
  char *proxy;     /* (nullable) */
  char *tls_error; /* (nullable) of the newest attempt that got so far */
  KbProxyReason reason;
} Note;

struct _KbRoutes
{
  GHashTable *notes; /* owned: channel id -> Note */
};

static void
note_free (gpointer data)
{
  Note *note = data;

  g_free (note->address);
  g_free (note->proxy);
  g_free (note->tls_error);
  g_free (note);
}

KbRoutes *
kb_routes_new (void)
{
  KbRoutes *self = g_new0 (KbRoutes, 1);

  self->notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, note_free);
  return self;
}

void
kb_routes_free (KbRoutes *self)
{
  g_hash_table_unref (self->notes);
  g_free (self);
}

/**
 * kb_routes_note:
 * @self: routes
 * @channel: the id of a channel
 * @route: the way of its newest attempt
 *
 * An address stays known while the next one is not; so does a fault of trust, until an answer
 * comes.
 *
 * Returns: whether anything is new
 */
gboolean
kb_routes_note (KbRoutes *self, const char *channel, const KbTransferRoute *route)
{
  Note *note = g_hash_table_lookup (self->notes, channel);
  gboolean is_new = note == NULL;

  if (is_new)
    {
      note = g_new0 (Note, 1);
      g_hash_table_insert (self->notes, g_strdup (channel), note);
    }
  if (route->address != NULL)
    is_new |= g_set_str (&note->address, route->address);
  if (route->tls_error != NULL || route->is_answered)
    is_new |= g_set_str (&note->tls_error, route->tls_error);
  is_new |= g_set_str (&note->proxy, route->proxy) || note->reason != route->reason;
  note->reason = route->reason;
  return is_new;
}

/* What is known of the channel that @report is about. */
void
kb_routes_fill (KbRoutes *self, KbChannelReport *report)
{
  const Note *note = g_hash_table_lookup (self->notes, report->id);

  if (note == NULL)
    return;
  report->address = g_strdup (note->address);
  if (note->address != NULL)
    report->family = g_strdup (strchr (note->address, ':') != NULL ? "IPv6" : "IPv4");
  report->proxy = g_strdup (note->proxy);
  report->proxy_reason = g_strdup (kb_proxy_reason_to_string (note->reason));
  report->tls_error = g_strdup (note->tls_error);
}

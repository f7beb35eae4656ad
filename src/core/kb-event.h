// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * What happened: one entry of a history. Events are immutable and reference counted with
 * atomic counts, so that a reader thread may hand them to the main thread.
 */

typedef enum
{
  KB_EVENT_OTHER, /* a kind this program does not know, kept as it is */
  KB_EVENT_BOOT,
  KB_EVENT_FAILOVER,
  KB_EVENT_GIVE_UP,
  KB_EVENT_GAP,     /* made by a reader: entries before this one are lost */
  KB_EVENT_DAMAGED, /* made by a reader: a line that cannot be read */
} KbEventKind;

/* Strings may be NULL where the record does not carry them; numbers are -1 then. */
typedef struct
{
  KbEventKind kind;
  const char *kind_name; /* as written: "boot", "failover", "give-up", ... */
  gint64 time_ms;        /* wall clock; 0 = unknown */
  const char *source;    /* "daruma" */
  const char *file;      /* absolute path of the file it was read from */
  const char *agent;
  const char *from;            /* channel id */
  const char *to;              /* channel id */
  const char *reason;          /* failure code, or the reason of a give-up */
  const char *message;         /* for people: what a reader has to say (gap, damaged) */
  const char *const *channels; /* boot: the configured chain */
  const char *json;            /* the record as it was written, without the line end */
  gint64 status;               /* HTTP status */
  gint64 turn;
  gint64 step;
  gint64 failover_count;
  gint64 give_up_budget;
  gint64 failure_budget;
  gint64 cooldown_ms;
  gint64 pid;
  gboolean retry_exhausted;
} KbEventFields;

#define KB_EVENT_FIELDS_INIT                                                                       \
  { .kind = KB_EVENT_OTHER,                                                                        \
    .status = -1,                                                                                  \
    .turn = -1,                                                                                    \
    .step = -1,                                                                                    \
    .failover_count = -1,                                                                          \
    .give_up_budget = -1,                                                                          \
    .failure_budget = -1,                                                                          \
    .cooldown_ms = -1,                                                                             \
    .pid = -1 }

typedef struct _KbEvent KbEvent;

KbEvent *kb_event_new (const KbEventFields *fields);
KbEvent *kb_event_ref (KbEvent *self);
void kb_event_unref (KbEvent *self);
const KbEventFields *kb_event_get_fields (const KbEvent *self);
gboolean kb_event_concerns (const KbEvent *self, const char *channel_id);
KbEventKind kb_event_kind_parse (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbEvent, kb_event_unref)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* An attempt at a model, as the log tells of it. Times are in ms since it began, -1: not yet. */
typedef struct
{
  guint64 number;
  char *model;         /* owned */
  const char *dialect; /* static */
  gboolean stream;
  guint64 connection;
  guint nth;       /* request of this connection, from 1 */
  gint64 time_ms;  /* wall, when the request was there */
  gint64 begun_us; /* monotonic */
  guint status;    /* 0: no head was sent */
  gint64 head_ms;  /* the first byte of the answer */
  gint64 end_ms;
  guint tokens;
  guint64 bytes;
  const char *end; /* static, nullable while it runs: "whole", "cut", "reset", "gone" */
  char *headers;   /* owned: JSON object of the request's headers */
  char *digest;    /* owned: SHA-256 of the request's body */
  gsize n_body_bytes;
} KbSimAttempt;

typedef struct _KbSimLog KbSimLog;

KbSimLog *kb_sim_log_new (int fd);
void kb_sim_log_free (KbSimLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimLog, kb_sim_log_free)

KbSimAttempt *kb_sim_log_begin (KbSimLog *self, const char *model);
void kb_sim_log_end (KbSimLog *self, KbSimAttempt *attempt, const char *how);
void kb_sim_log_drop_all (KbSimLog *self);
guint64 kb_sim_log_get_count (KbSimLog *self);
void kb_sim_log_write_all (KbSimLog *self, const char *model, GString *out);
void kb_sim_log_print (KbSimLog *self, const char *line);

void kb_sim_attempt_unref (KbSimAttempt *self);
KbSimAttempt *kb_sim_attempt_ref (KbSimAttempt *self);
gint64 kb_sim_attempt_get_age_ms (const KbSimAttempt *self);

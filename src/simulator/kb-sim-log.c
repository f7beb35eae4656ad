// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-log.h"

#include "simulator/kb-sim-json.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* So many attempts can be asked for; the lines are for those who want all. */
#define ATTEMPTS_MAX 20000

struct _KbSimLog
{
  GQueue *attempts; /* owned: the last ones */
  guint64 n_attempts;
  int fd; /* -1: no lines */
};

static void
attempt_clear (gpointer data)
{
  KbSimAttempt *self = data;

  g_free (self->model);
  g_free (self->headers);
  g_free (self->digest);
}

KbSimAttempt *
kb_sim_attempt_ref (KbSimAttempt *self)
{
  return g_rc_box_acquire (self);
}

void
kb_sim_attempt_unref (KbSimAttempt *self)
{
  if (self != NULL)
    g_rc_box_release_full (self, attempt_clear);
}

gint64
kb_sim_attempt_get_age_ms (const KbSimAttempt *self)
{
  return (g_get_monotonic_time () - self->begun_us) / 1000;
}

/* @fd stays the caller's. */
KbSimLog *
kb_sim_log_new (int fd)
{
  KbSimLog *self = g_new0 (KbSimLog, 1);

  self->attempts = g_queue_new ();
  self->fd = fd;
  return self;
}

void
kb_sim_log_free (KbSimLog *self)
{
  if (self == NULL)
    return;
  g_queue_free_full (self->attempts, (GDestroyNotify) kb_sim_attempt_unref);
  g_free (self);
}

/* Returns: (transfer full): counted from now on, whatever becomes of it */
KbSimAttempt *
kb_sim_log_begin (KbSimLog *self, const char *model)
{
  KbSimAttempt *attempt = g_rc_box_new0 (KbSimAttempt);

  g_return_val_if_fail (self != NULL, attempt);

  attempt->number = ++self->n_attempts;
  attempt->model = g_strdup (model);
  attempt->time_ms = g_get_real_time () / 1000;
  attempt->begun_us = g_get_monotonic_time ();
  attempt->head_ms = -1;
  attempt->end_ms = -1;
  g_queue_push_tail (self->attempts, kb_sim_attempt_ref (attempt));
  if (self->attempts->length > ATTEMPTS_MAX)
    kb_sim_attempt_unref (g_queue_pop_head (self->attempts));
  return attempt;
}

static void
append_attempt (const KbSimAttempt *attempt, gboolean all, GString *out)
{
  kb_sim_json_format (out,
                      "{'attempt':%d,'model':%q,'dialect':%q,'stream':%r,'connection':%d,"
                      "'nth':%d,'t':%d,'status':%d,'headMs':%d,'endMs':%d,'tokens':%d,'bytes':%d,"
                      "'end':%q",
                      (gint64) attempt->number, attempt->model, attempt->dialect,
                      attempt->stream ? "true" : "false", (gint64) attempt->connection,
                      (gint64) attempt->nth, attempt->time_ms, (gint64) attempt->status,
                      attempt->head_ms, attempt->end_ms, (gint64) attempt->tokens,
                      (gint64) attempt->bytes, attempt->end);
  if (all)
    kb_sim_json_format (out, ",'bodyBytes':%d,'bodySha256':%q,'headers':%r",
                        (gint64) attempt->n_body_bytes, attempt->digest, attempt->headers);
  g_string_append_c (out, '}');
}

/* A pipe that nobody reads must not stop us: then the line is lost. */
void
kb_sim_log_print (KbSimLog *self, const char *line)
{
  struct pollfd poller = { .fd = self->fd, .events = POLLOUT };
  g_autofree char *full = g_strconcat (line, "\n", NULL);
  gsize length = strlen (full), done = 0;

  if (self->fd < 0 || poll (&poller, 1, 0) != 1)
    return;
  while (done < length)
    {
      gssize n = write (self->fd, full + done, length - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return;
      done += (gsize) n;
    }
}

/* @how is static; the first end counts. */
void
kb_sim_log_end (KbSimLog *self, KbSimAttempt *attempt, const char *how)
{
  g_autoptr (GString) line = g_string_new (NULL);

  g_return_if_fail (self != NULL);
  g_return_if_fail (attempt != NULL);

  if (attempt->end != NULL)
    return;
  attempt->end = how;
  attempt->end_ms = kb_sim_attempt_get_age_ms (attempt);
  append_attempt (attempt, FALSE, line);
  kb_sim_log_print (self, line->str);
}

void
kb_sim_log_drop_all (KbSimLog *self)
{
  g_return_if_fail (self != NULL);
  g_queue_clear_full (self->attempts, (GDestroyNotify) kb_sim_attempt_unref);
}

/* Of all attempts, those that were dropped too. */
guint64
kb_sim_log_get_count (KbSimLog *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_attempts;
}

/* The attempts as a JSON array, oldest first; of one model, or of all if @model is NULL. */
void
kb_sim_log_write_all (KbSimLog *self, const char *model, GString *out)
{
  gboolean first = TRUE;

  g_return_if_fail (self != NULL);

  g_string_append_c (out, '[');
  for (GList *l = self->attempts->head; l != NULL; l = l->next)
    {
      const KbSimAttempt *attempt = l->data;

      if (model != NULL && !g_str_equal (attempt->model, model))
        continue;
      g_string_append (out, first ? "" : ",\n");
      first = FALSE;
      append_attempt (attempt, TRUE, out);
    }
  g_string_append_c (out, ']');
}

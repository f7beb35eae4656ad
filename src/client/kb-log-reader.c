// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-log-reader.h"

#include "store/kb-log-tail.h"

#include <glib/gi18n-lib.h>

/*
 * The tail belongs to one thread at a time: a read takes it along and brings it back. If the
 * path has become another meanwhile, what it brings is dropped. Nothing here logs: a log may
 * well be what somebody lets us watch (report 76).
 */

struct _KbLogReader
{
  GObject parent_instance;

  KbHistory *history;        /* owned */
  char *source;              /* owned */
  char *path;                /* owned, nullable */
  KbLogTail *tail;           /* owned, nullable while a read has it */
  KbProblem *problem;        /* owned, nullable */
  GCancellable *cancellable; /* owned */
  gboolean reading;
  gboolean again;   /* asked while reading */
  guint generation; /* of the path */
  gboolean loaded;
};

G_DEFINE_FINAL_TYPE (KbLogReader, kb_log_reader, G_TYPE_OBJECT)

enum
{
  READ,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

typedef struct
{
  KbLogTail *tail;   /* owned */
  GPtrArray *events; /* owned, nullable */
  GError *error;     /* owned, nullable */
  guint generation;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  kb_log_tail_free (job->tail);
  g_clear_pointer (&job->events, g_ptr_array_unref);
  g_clear_error (&job->error);
  g_free (job);
}

static Job *
take_job (KbLogReader *self)
{
  Job *job = g_new0 (Job, 1);

  job->generation = self->generation;
  job->tail = g_steal_pointer (&self->tail);
  if (job->tail == NULL)
    job->tail = kb_log_tail_new (self->path, self->source);
  return job;
}

static void
run_job (Job *job)
{
  job->events = kb_log_tail_read (job->tail, &job->error);
}

static void
set_problem (KbLogReader *self, const GError *error)
{
  const char *hint = _ ("Move it away, or correct “logFile” in the profile.");

  g_clear_pointer (&self->problem, kb_problem_free);
  if (error == NULL)
    return;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    hint = _ ("Give your user read access to it, or correct “logFile” in the profile.");
  self->problem = kb_problem_new (KB_SEVERITY_ERROR, "log-unreadable", self->path, 0, 0,
                                  error->message, hint);
}

static void
finish_job (KbLogReader *self, Job *job)
{
  if (job->generation != self->generation)
    return;
  self->tail = g_steal_pointer (&job->tail);
  self->loaded = TRUE;
  set_problem (self, job->error);
  if (job->events != NULL)
    kb_history_append (self->history, job->events);
}

static void
kb_log_reader_thread_cb (GTask *task,
                         gpointer source_object,
                         gpointer task_data,
                         GCancellable *cancellable)
{
  run_job (task_data);
  g_task_return_boolean (task, TRUE);
}

static void
kb_log_reader_read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbLogReader) self = user_data;
  gboolean again = self->again;

  self->reading = FALSE;
  self->again = FALSE;
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return; /* disposed meanwhile */
  finish_job (self, g_task_get_task_data (G_TASK (result)));
  if (again)
    kb_log_reader_read (self);
  g_signal_emit (self, signals[READ], 0);
}

static void
kb_log_reader_dispose (GObject *object)
{
  KbLogReader *self = KB_LOG_READER (object);

  g_cancellable_cancel (self->cancellable);
  G_OBJECT_CLASS (kb_log_reader_parent_class)->dispose (object);
}

static void
kb_log_reader_finalize (GObject *object)
{
  KbLogReader *self = KB_LOG_READER (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->history);
  kb_log_tail_free (self->tail);
  kb_problem_free (self->problem);
  g_free (self->path);
  g_free (self->source);
  G_OBJECT_CLASS (kb_log_reader_parent_class)->finalize (object);
}

static void
kb_log_reader_class_init (KbLogReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_log_reader_dispose;
  object_class->finalize = kb_log_reader_finalize;

  signals[READ] = g_signal_new ("read", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void
kb_log_reader_init (KbLogReader *self)
{
  self->cancellable = g_cancellable_new ();
}

/**
 * kb_log_reader_new:
 * @history: where the events go
 * @source: the system whose log it is ("daruma")
 *
 * Returns: (transfer full): a reader without a path
 */
KbLogReader *
kb_log_reader_new (KbHistory *history, const char *source)
{
  KbLogReader *self;

  g_return_val_if_fail (KB_IS_HISTORY (history), NULL);
  g_return_val_if_fail (source != NULL, NULL);

  self = g_object_new (KB_TYPE_LOG_READER, NULL);
  self->history = g_object_ref (history);
  self->source = g_strdup (source);
  return self;
}

/**
 * kb_log_reader_set_path:
 * @self: a reader
 * @path: an absolute path
 *
 * Another path clears the history, and nothing of the old one comes any more.
 *
 * Returns: whether it is another path
 */
gboolean
kb_log_reader_set_path (KbLogReader *self, const char *path)
{
  g_return_val_if_fail (KB_IS_LOG_READER (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!g_set_str (&self->path, path))
    return FALSE;
  g_clear_pointer (&self->tail, kb_log_tail_free);
  self->generation++;
  self->loaded = FALSE;
  set_problem (self, NULL);
  kb_history_clear (self->history);
  return TRUE;
}

/**
 * kb_log_reader_get_path:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): the path
 */
const char *
kb_log_reader_get_path (KbLogReader *self)
{
  g_return_val_if_fail (KB_IS_LOG_READER (self), NULL);
  return self->path;
}

/**
 * kb_log_reader_read:
 * @self: a reader with a path
 *
 * Reads what is new, in a thread. While a read runs, one more will follow it, however often
 * this is called.
 */
void
kb_log_reader_read (KbLogReader *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KB_IS_LOG_READER (self));
  g_return_if_fail (self->path != NULL);

  if (self->reading)
    {
      self->again = TRUE;
      return;
    }
  self->reading = TRUE;
  /* Not the source object: the thread may drop the task last, and us with it. */
  task = g_task_new (NULL, self->cancellable, kb_log_reader_read_cb, g_object_ref (self));
  g_task_set_source_tag (task, kb_log_reader_read);
  g_task_set_task_data (task, take_job (self), job_free);
  g_task_run_in_thread (task, kb_log_reader_thread_cb);
}

/**
 * kb_log_reader_read_sync:
 * @self: a reader with a path, which is not reading in a thread
 *
 * Reads what is new before it returns, and emits no signal.
 */
void
kb_log_reader_read_sync (KbLogReader *self)
{
  Job *job;

  g_return_if_fail (KB_IS_LOG_READER (self));
  g_return_if_fail (self->path != NULL);
  g_return_if_fail (!self->reading);

  job = take_job (self);
  run_job (job);
  finish_job (self, job);
  job_free (job);
}

/**
 * kb_log_reader_is_loaded:
 * @self: a reader
 *
 * Returns: whether a read of the present path has ended
 */
gboolean
kb_log_reader_is_loaded (KbLogReader *self)
{
  g_return_val_if_fail (KB_IS_LOG_READER (self), FALSE);
  return self->loaded;
}

/**
 * kb_log_reader_get_problem:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): why the last read failed
 */
const KbProblem *
kb_log_reader_get_problem (KbLogReader *self)
{
  g_return_val_if_fail (KB_IS_LOG_READER (self), NULL);
  return self->problem;
}

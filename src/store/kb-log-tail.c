// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Which file to read next. Two are held open: the current one and the one before it, "the
 * archive", to which a writer that was about to append while another one rotated may still
 * add. At each read the two names are looked at together; what is there tells what happened:
 *
 *   name is current file                  nothing, or it was rewritten in place
 *   name is gone                          removed, or between rename and the next append
 *   ".1" is our current file              one rotation: its remainder, then the new file
 *   ".1" is a new file that is not ours   more than one rotation: a gap
 *   otherwise                             replaced by an editor, or another file altogether
 */

#include "config.h"

#include "store/kb-log-tail.h"

#include "store/kb-log-stream.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>

/* How often a rotation may happen between looking at the two names. */
#define MAX_LOOKS 16

struct _KbLogTail
{
  char *path;
  char *archive_path;
  char *source;
  KbLogStream *current; /* (nullable) owned */
  KbLogStream *archive; /* (nullable) owned */
  gboolean gone;        /* the current file had neither name when last looked at */
  KbLogSink sink;       /* owned: what was read and not yet returned */
};

/* The files the two names mean at one moment. */
typedef struct
{
  KbLogStream *current; /* (nullable) owned */
  KbLogStream *archive; /* (nullable) owned */
} Look;

static void
look_clear (Look *look)
{
  g_clear_pointer (&look->current, kb_log_stream_free);
  g_clear_pointer (&look->archive, kb_log_stream_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Look, look_clear)

static GPtrArray *
new_events (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);
}

/**
 * kb_log_tail_new:
 * @path: absolute path of a failover-log.jsonl, which need not exist
 * @source: the plugin that writes it
 *
 * Returns: (transfer full): a tail that has read nothing yet
 */
KbLogTail *
kb_log_tail_new (const char *path, const char *source)
{
  KbLogTail *self;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (source != NULL, NULL);

  self = g_new0 (KbLogTail, 1);
  self->path = g_strdup (path);
  self->archive_path = g_strconcat (path, ".1", NULL);
  self->source = g_strdup (source);
  self->sink.events = new_events ();
  return self;
}

/**
 * kb_log_tail_free:
 * @self: (transfer full) (nullable): a tail
 */
void
kb_log_tail_free (KbLogTail *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->current, kb_log_stream_free);
  g_clear_pointer (&self->archive, kb_log_stream_free);
  g_ptr_array_unref (self->sink.events);
  g_free (self->source);
  g_free (self->archive_path);
  g_free (self->path);
  g_free (self);
}

/**
 * kb_log_tail_get_path:
 * @self: a tail
 *
 * Returns: (transfer none): the path it follows
 */
const char *
kb_log_tail_get_path (KbLogTail *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->path;
}

/* Whether ".1" is what it was before the log was opened: a rotation in between would hide the
 * file that both names missed. One that cannot be opened stays unknown. */
static gboolean
archive_is_still (KbLogTail *self, KbLogStream *archive, const GError *archive_error)
{
  struct stat info;
  gboolean is_there = stat (self->archive_path, &info) == 0 && S_ISREG (info.st_mode);

  if (archive != NULL)
    return is_there && kb_log_stream_is_file (archive, info.st_dev, info.st_ino);
  return !is_there || !g_error_matches (archive_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* A log that is not there is an empty log; an archive that cannot be read is none. */
static gboolean
look_once (KbLogTail *self, Look *look, gboolean *settled, GError **error)
{
  g_autoptr (GError) archive_error = NULL;
  g_autoptr (GError) local = NULL;

  look->archive = kb_log_stream_open (self->archive_path, self->source, &archive_error);
  look->current = kb_log_stream_open (self->path, self->source, &local);
  *settled = archive_is_still (self, look->archive, archive_error);
  if (local == NULL || g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
look_at_names (KbLogTail *self, Look *look, GError **error)
{
  gboolean settled = FALSE;

  for (guint i = 0; i < MAX_LOOKS && !settled; i++)
    {
      look_clear (look);
      if (!look_once (self, look, &settled, error))
        return FALSE;
    }
  if (kb_log_stream_is_same (look->archive, look->current))
    g_clear_pointer (&look->archive, kb_log_stream_free);
  return TRUE;
}

static void
replace_stream (KbLogStream **place, KbLogStream *stream)
{
  g_clear_pointer (place, kb_log_stream_free);
  *place = stream;
}

/* Reads to its present end a file that is followed no longer. */
static void
read_out (KbLogTail *self, KbLogStream *stream)
{
  kb_log_stream_look (stream);
  if (!kb_log_stream_read (stream, &self->sink, NULL))
    kb_log_stream_add_gap (stream, &self->sink,
                           _ ("Entries are missing: the older part of the log cannot be read"));
}

static gboolean
begins_with_all (KbLogStream *stream, KbLogStream *known)
{
  guint n_lines = kb_log_stream_count_lines (known);

  return n_lines > 0 && kb_log_stream_count_common (stream, known) == n_lines;
}

static gboolean
archive_is_new (KbLogTail *self, const Look *look)
{
  return look->archive != NULL && !kb_log_stream_is_same (look->archive, self->archive);
}

/* The archive, then the current file, unless the archive is a copy of how that one began. */
static gboolean
begin (KbLogTail *self, Look *look, GError **error)
{
  if (look->archive != NULL)
    {
      read_out (self, look->archive);
      kb_log_stream_finish (look->archive, &self->sink);
    }
  if (look->current == NULL)
    {
      self->current = g_steal_pointer (&look->archive);
      return TRUE;
    }
  if (look->archive != NULL && begins_with_all (look->current, look->archive))
    kb_log_stream_resume (look->current, look->archive, kb_log_stream_count_lines (look->archive));
  self->archive = g_steal_pointer (&look->archive);
  self->current = g_steal_pointer (&look->current);
  return kb_log_stream_read (self->current, &self->sink, error);
}

/* The same file with other content: emptied, cut, or saved in place by an editor. */
static void
restart (KbLogTail *self, Look *look, gboolean shrunk)
{
  KbLogStream *current = self->current;
  guint common = kb_log_stream_count_common (current, current);
  guint known = kb_log_stream_count_lines (current);

  if (common < known && archive_is_new (self, look) && begins_with_all (look->archive, current))
    {
      /* Copied to ".1" and emptied: what was added before that is in the copy. */
      kb_log_stream_resume (look->archive, current, known);
      read_out (self, look->archive);
      kb_log_stream_finish (look->archive, &self->sink);
      replace_stream (&self->archive, g_steal_pointer (&look->archive));
    }
  else if (common == 0 && (kb_log_stream_has_partial (current) || !shrunk))
    kb_log_stream_add_gap (current, &self->sink,
                           _ ("Entries may be missing: the log was emptied or rewritten"));
  kb_log_stream_resume (current, current, common);
}

static void
leave_for_gap (KbLogTail *self, Look *look)
{
  if (begins_with_all (look->archive, self->current))
    kb_log_stream_resume (look->archive, self->current, kb_log_stream_count_lines (self->current));
  else
    {
      kb_log_stream_finish (self->current, &self->sink);
      if (!self->gone)
        kb_log_stream_add_gap (self->current, &self->sink,
                               _ ("Entries may be missing: the log was rotated more than once "
                                  "since it was last read"));
    }
  read_out (self, look->archive);
  kb_log_stream_finish (look->archive, &self->sink);
  replace_stream (&self->archive, g_steal_pointer (&look->archive));
}

static void
leave_current (KbLogTail *self, Look *look)
{
  guint common;

  if (kb_log_stream_is_same (look->archive, self->current))
    {
      kb_log_stream_set_file (self->current, self->archive_path);
      kb_log_stream_finish (self->current, &self->sink);
      replace_stream (&self->archive, g_steal_pointer (&self->current));
      return;
    }
  if (archive_is_new (self, look))
    {
      leave_for_gap (self, look);
      return;
    }
  common = kb_log_stream_count_common (look->current, self->current);
  if (common > 0)
    kb_log_stream_resume (look->current, self->current, common);
  else
    kb_log_stream_finish (self->current, &self->sink);
}

static gboolean
go_to_next (KbLogTail *self, Look *look, GError **error)
{
  if (kb_log_stream_is_same (look->archive, self->current))
    kb_log_stream_set_file (self->current, self->archive_path);
  read_out (self, self->current);
  leave_current (self, look);
  replace_stream (&self->current, g_steal_pointer (&look->current));
  self->gone = FALSE;
  return kb_log_stream_read (self->current, &self->sink, error);
}

static gboolean
go_on (KbLogTail *self, Look *look, GError **error)
{
  self->gone = FALSE;
  if (archive_is_new (self, look))
    {
      /* Put there by somebody else: nothing in it is news. */
      kb_log_stream_skip_to_end (look->archive);
      replace_stream (&self->archive, g_steal_pointer (&look->archive));
    }
  return kb_log_stream_read (self->current, &self->sink, error);
}

static gboolean
read_all (KbLogTail *self, GError **error)
{
  g_auto (Look) look = { 0 };
  gboolean shrunk;

  if (!look_at_names (self, &look, error))
    return FALSE;
  if (self->current != NULL)
    kb_log_stream_look (self->current);
  if (self->archive != NULL)
    {
      kb_log_stream_look (self->archive);
      kb_log_stream_read (self->archive, &self->sink, NULL);
    }
  if (self->current == NULL)
    return begin (self, &look, error);
  if (kb_log_stream_is_rewritten (self->current, &shrunk))
    restart (self, &look, shrunk);
  if (look.current == NULL)
    {
      self->gone = !kb_log_stream_is_same (look.archive, self->current);
      return kb_log_stream_read (self->current, &self->sink, error);
    }
  if (kb_log_stream_is_same (look.current, self->current))
    return go_on (self, &look, error);
  return go_to_next (self, &look, error);
}

static GPtrArray *
take_events (KbLogTail *self)
{
  GPtrArray *events = g_steal_pointer (&self->sink.events);

  if (self->sink.trimmed && self->current != NULL)
    {
      g_autofree char *message
          = g_strdup_printf (_ ("Older entries are left out: only the newest %d or more were read"),
                             KB_LOG_STREAM_MAX_EVENTS);
      KbLogSink first = { .events = new_events () };

      kb_log_stream_add_gap (self->current, &first, message);
      g_ptr_array_extend_and_steal (first.events, events);
      events = first.events;
    }
  self->sink.events = new_events ();
  self->sink.trimmed = FALSE;
  return events;
}

/**
 * kb_log_tail_read:
 * @self: a tail
 * @error: return location for a #GIOErrorEnum: something else than a file is there, or it
 *   cannot be read
 *
 * Returns what is new since the last call, the content of ".1" and of the file at the first
 * one. A log that is not there is empty, which is no error. After an error nothing is
 * forgotten and the next call tries again. Nothing waits: not for a writer, and not for a
 * pipe in place of the file.
 *
 * Returns: (transfer full) (element-type KbEvent): events, oldest first, perhaps none; %NULL
 *   with @error set
 */
GPtrArray *
kb_log_tail_read (KbLogTail *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (!read_all (self, &local) && self->sink.events->len == 0)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  return take_events (self);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-log-stream.h"

#include "store/kb-log-codec.h"
#include "store/kb-regular-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES 65536

/* Lines whose hashes are remembered; older ones are forgotten by halves. */
#define MAX_MARKS 65536

/* Bytes before the offset that are compared at each read. */
#define SAMPLE_BYTES 256

/* FNV-1a: nobody gains anything from a collision here. */
#define HASH_START G_GUINT64_CONSTANT (14695981039346656037)
#define HASH_PRIME G_GUINT64_CONSTANT (1099511628211)

/* The end of a line and the hash of everything from the base to there. */
typedef struct
{
  gint64 end;
  guint64 hash;
} Mark;

struct _KbLogStream
{
  int fd; /* owned */
  guint64 device;
  guint64 inode;
  const char *source; /* interned */
  const char *file;   /* interned */

  gint64 base;         /* where reading began */
  gint64 offset;       /* how far it came */
  gint64 size;         /* of the file when it was last looked at */
  guint64 line;        /* number of the line at the offset; 0 = unknown */
  guint64 hash;        /* from base to offset */
  GArray *marks;       /* owned Mark */
  guint64 n_forgotten; /* marks before the first one */
  guint8 sample[SAMPLE_BYTES];
  gsize n_sample;

  GByteArray *partial; /* owned: the line at the offset as far as it is known */
  gboolean skipping;   /* nothing of that line is wanted */
  gboolean reported;   /* the partial line was already reported as damaged */
};

static guint64
hash_bytes (guint64 hash, const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i++)
    hash = (hash ^ bytes[i]) * HASH_PRIME;
  return hash;
}

/* Like pread(), but asks again until @length bytes are there or the file ends. */
static gssize
read_at (int fd, guint8 *bytes, gsize length, gint64 offset)
{
  gsize have = 0;

  while (have < length)
    {
      gssize n = pread (fd, bytes + have, length - have, offset + (gint64) have);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      have += (gsize) n;
    }
  return (gssize) have;
}

static KbLogOrigin
get_origin (KbLogStream *self, gboolean with_line)
{
  return (KbLogOrigin) {
    .source = self->source,
    .file = self->file,
    .line = with_line ? self->line : 0,
  };
}

/**
 * kb_log_stream_open:
 * @path: a log file
 * @source: the plugin it belongs to
 * @error: return location, see kb_regular_file_open()
 *
 * Returns: (transfer full): a stream at the start of the file, or %NULL with @error set
 */
KbLogStream *
kb_log_stream_open (const char *path, const char *source, GError **error)
{
  KbLogStream *self;
  struct stat info;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  fd = kb_regular_file_open (path, &info, error);
  if (fd < 0)
    return NULL;
  self = g_new0 (KbLogStream, 1);
  self->fd = fd;
  self->device = (guint64) info.st_dev;
  self->inode = (guint64) info.st_ino;
  self->size = (gint64) info.st_size;
  self->source = g_intern_string (source);
  self->file = g_intern_string (path);
  self->line = 1;
  self->hash = HASH_START;
  self->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  self->partial = g_byte_array_new ();
  return self;
}

/**
 * kb_log_stream_free:
 * @self: (transfer full) (nullable): a stream
 */
void
kb_log_stream_free (KbLogStream *self)
{
  if (self == NULL)
    return;
  close (self->fd);
  g_array_unref (self->marks);
  g_byte_array_unref (self->partial);
  g_free (self);
}

/**
 * kb_log_stream_set_file:
 * @self: a stream
 * @path: the name the file has now
 */
void
kb_log_stream_set_file (KbLogStream *self, const char *path)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (path != NULL);
  self->file = g_intern_string (path);
}

/**
 * kb_log_stream_look:
 * @self: a stream
 *
 * Notes how much there is to read. A writer that appends to one file and then to the next one
 * is read in its order by looking at the later file first and then reading the earlier one.
 */
void
kb_log_stream_look (KbLogStream *self)
{
  struct stat info;

  g_return_if_fail (self != NULL);

  if (fstat (self->fd, &info) == 0)
    self->size = (gint64) info.st_size;
}

/**
 * kb_log_stream_is_file:
 * @self: (nullable): a stream
 * @device: a device number
 * @inode: an inode number on it
 *
 * Returns: whether they mean the file of @self
 */
gboolean
kb_log_stream_is_file (KbLogStream *self, guint64 device, guint64 inode)
{
  return self != NULL && self->device == device && self->inode == inode;
}

/**
 * kb_log_stream_is_same:
 * @self: (nullable): a stream
 * @other: (nullable): another
 *
 * Returns: whether both read one file
 */
gboolean
kb_log_stream_is_same (KbLogStream *self, KbLogStream *other)
{
  return other != NULL && kb_log_stream_is_file (self, other->device, other->inode);
}

/**
 * kb_log_stream_is_rewritten:
 * @self: a stream
 * @shrunk: (out): whether the file is now shorter than what was read of it
 *
 * Logs only grow. One that is shorter than before, or has other bytes where reading ended,
 * was emptied or edited in place.
 *
 * Returns: whether the file has other content than the one that was read
 */
gboolean
kb_log_stream_is_rewritten (KbLogStream *self, gboolean *shrunk)
{
  guint8 bytes[SAMPLE_BYTES];
  gssize n;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (shrunk != NULL, FALSE);

  *shrunk = self->size < self->offset;
  if (*shrunk)
    return TRUE;
  n = read_at (self->fd, bytes, self->n_sample, self->offset - (gint64) self->n_sample);
  return n >= 0 && ((gsize) n < self->n_sample || memcmp (bytes, self->sample, (gsize) n) != 0);
}

/**
 * kb_log_stream_has_partial:
 * @self: a stream
 *
 * Returns: whether the last line read had no end yet
 */
gboolean
kb_log_stream_has_partial (KbLogStream *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->partial->len > 0;
}

/**
 * kb_log_stream_count_lines:
 * @self: a stream
 *
 * Returns: how many whole lines it remembers
 */
guint
kb_log_stream_count_lines (KbLogStream *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->marks->len;
}

/**
 * kb_log_stream_count_common:
 * @self: a stream whose file is looked at
 * @known: the stream that says what is known; may be @self
 *
 * Returns: with how many of the lines of @known the file of @self begins now
 */
guint
kb_log_stream_count_common (KbLogStream *self, KbLogStream *known)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  guint64 hash = HASH_START;
  gint64 at;
  guint n = 0;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (known != NULL, 0);

  at = known->base;
  while (n < known->marks->len)
    {
      Mark *mark = &g_array_index (known->marks, Mark, n);
      gsize wanted = (gsize) MIN (mark->end - at, CHUNK_BYTES);

      if (read_at (self->fd, chunk, wanted, at) != (gssize) wanted)
        break;
      hash = hash_bytes (hash, chunk, wanted);
      at += (gint64) wanted;
      if (at < mark->end)
        continue;
      if (hash != mark->hash)
        break;
      n++;
    }
  return n;
}

static void
load_sample (KbLogStream *self)
{
  gsize wanted = (gsize) MIN (self->offset, SAMPLE_BYTES);
  gssize n = read_at (self->fd, self->sample, wanted, self->offset - (gint64) wanted);

  self->n_sample = n == (gssize) wanted ? wanted : 0;
}

static void
start_at (KbLogStream *self, gint64 offset)
{
  self->base = offset;
  self->offset = offset;
  self->line = offset == 0 ? 1 : 0;
  self->hash = HASH_START;
  self->n_forgotten = 0;
  self->n_sample = 0;
  self->skipping = FALSE;
  self->reported = FALSE;
  g_array_set_size (self->marks, 0);
  g_byte_array_set_size (self->partial, 0);
}

/**
 * kb_log_stream_resume:
 * @self: a stream
 * @known: the stream that says what is known; may be @self
 * @n_lines: what kb_log_stream_count_common() said
 *
 * Goes on behind the lines that are known; with none of them, at the start of the file.
 */
void
kb_log_stream_resume (KbLogStream *self, KbLogStream *known, guint n_lines)
{
  Mark last;

  g_return_if_fail (self != NULL);
  g_return_if_fail (known != NULL);
  g_return_if_fail (n_lines <= known->marks->len);

  if (n_lines == 0)
    {
      start_at (self, 0);
      return;
    }
  last = g_array_index (known->marks, Mark, n_lines - 1);
  if (self != known)
    {
      g_array_set_size (self->marks, 0);
      g_array_append_vals (self->marks, known->marks->data, n_lines);
    }
  g_array_set_size (self->marks, n_lines);
  g_byte_array_set_size (self->partial, 0);
  self->base = known->base;
  self->n_forgotten = known->n_forgotten;
  self->offset = last.end;
  self->hash = last.hash;
  self->line = self->base == 0 ? self->n_forgotten + n_lines + 1 : 0;
  self->skipping = FALSE;
  self->reported = FALSE;
  load_sample (self);
}

/**
 * kb_log_stream_skip_to_end:
 * @self: a stream
 *
 * Passes over what the file has now: only what is added later is read.
 */
void
kb_log_stream_skip_to_end (KbLogStream *self)
{
  g_return_if_fail (self != NULL);

  start_at (self, self->size);
  load_sample (self);
}

static void
add_mark (KbLogStream *self)
{
  Mark mark = { .end = self->offset, .hash = self->hash };

  if (self->marks->len == MAX_MARKS)
    {
      g_array_remove_range (self->marks, 0, MAX_MARKS / 2);
      self->n_forgotten += MAX_MARKS / 2;
    }
  g_array_append_val (self->marks, mark);
}

static void
trim (KbLogSink *sink)
{
  if (sink->events->len < 2 * KB_LOG_STREAM_MAX_EVENTS)
    return;
  g_ptr_array_remove_range (sink->events, 0, sink->events->len - KB_LOG_STREAM_MAX_EVENTS);
  sink->trimmed = TRUE;
}

static gboolean
is_damage (KbLogSink *sink, guint index)
{
  return kb_event_get_fields (g_ptr_array_index (sink->events, index))->kind == KB_EVENT_DAMAGED;
}

static void
decode (KbLogStream *self, const guint8 *line, gsize length, KbLogSink *sink)
{
  KbLogOrigin origin = get_origin (self, TRUE);
  guint first = sink->events->len;

  kb_log_decode_into (sink->events, (const char *) line, length, &origin);
  if (self->reported && sink->events->len > first && is_damage (sink, first))
    g_ptr_array_remove_index (sink->events, first);
  trim (sink);
}

static void
report_long_line (KbLogStream *self, KbLogSink *sink)
{
  KbLogOrigin origin = get_origin (self, TRUE);
  g_autofree char *message = g_strdup_printf (
      _ ("the line is longer than %d KiB and was passed over"), KB_LOG_STREAM_MAX_LINE / 1024);

  g_ptr_array_add (sink->events, kb_log_make_note (KB_EVENT_DAMAGED, message, &origin));
  g_byte_array_set_size (self->partial, 0);
  self->skipping = TRUE;
}

/* @length bytes of the present line, the last of them its end if it is @complete. */
static void
take (KbLogStream *self, const guint8 *bytes, gsize length, gboolean complete, KbLogSink *sink)
{
  gsize content = length - (complete ? 1 : 0);

  self->hash = hash_bytes (self->hash, bytes, length);
  self->offset += (gint64) length;
  if (!self->skipping && self->partial->len + content > KB_LOG_STREAM_MAX_LINE)
    report_long_line (self, sink);
  if (!self->skipping && complete && self->partial->len == 0)
    decode (self, bytes, content, sink);
  else if (!self->skipping)
    {
      g_byte_array_append (self->partial, bytes, (guint) content);
      if (complete)
        decode (self, self->partial->data, self->partial->len, sink);
    }
  if (!complete)
    return;
  g_byte_array_set_size (self->partial, 0);
  self->skipping = FALSE;
  self->reported = FALSE;
  if (self->line > 0)
    self->line++;
  add_mark (self);
}

static void
remember_sample (KbLogStream *self, const guint8 *bytes, gsize length)
{
  gsize keep = length >= SAMPLE_BYTES ? 0 : MIN (self->n_sample, SAMPLE_BYTES - length);
  gsize take_over = MIN (length, SAMPLE_BYTES);

  memmove (self->sample, self->sample + self->n_sample - keep, keep);
  memcpy (self->sample + keep, bytes + length - take_over, take_over);
  self->n_sample = keep + take_over;
}

static void
feed (KbLogStream *self, const guint8 *bytes, gsize length, KbLogSink *sink)
{
  remember_sample (self, bytes, length);
  while (length > 0)
    {
      const guint8 *end = memchr (bytes, '\n', length);
      gsize n = end != NULL ? (gsize) (end - bytes) + 1 : length;

      take (self, bytes, n, end != NULL, sink);
      bytes += n;
      length -= n;
    }
}

/* Starts one byte early: if that byte ends a line, nothing of the next one is passed over. */
static void
jump (KbLogStream *self, gint64 offset, KbLogSink *sink)
{
  g_autofree char *message = g_strdup_printf (
      _ ("Older entries are left out: the log grew by more than %d MiB since it was last read"),
      KB_LOG_STREAM_MAX_BYTES / 1024 / 1024);

  kb_log_stream_add_gap (self, sink, message);
  start_at (self, offset - 1);
  self->skipping = TRUE;
}

static gboolean
set_read_error (KbLogStream *self, int code, GError **error)
{
  g_autofree char *name = g_filename_display_name (self->file);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot read “%s”: %s"), name,
               g_strerror (code));
  return FALSE;
}

/**
 * kb_log_stream_read:
 * @self: a stream
 * @sink: where events go
 * @error: return location for a #GIOErrorEnum
 *
 * Reads what was there when the file was opened or last looked at and not what is added
 * meanwhile, so that a busy writer cannot hold the reader. A line without an end is kept until
 * it has one.
 *
 * Returns: whether it could be read; what was read before an error is in @sink
 */
gboolean
kb_log_stream_read (KbLogStream *self, KbLogSink *sink, GError **error)
{
  g_autofree guint8 *chunk = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (sink != NULL, FALSE);

  if (self->size - self->offset > KB_LOG_STREAM_MAX_BYTES)
    jump (self, self->size - KB_LOG_STREAM_MAX_BYTES, sink);
  chunk = self->offset < self->size ? g_malloc (CHUNK_BYTES) : NULL;
  while (self->offset < self->size)
    {
      gsize wanted = (gsize) MIN (self->size - self->offset, CHUNK_BYTES);
      gssize n = read_at (self->fd, chunk, wanted, self->offset);

      if (n < 0)
        return set_read_error (self, errno, error);
      if (n == 0)
        break;
      feed (self, chunk, (gsize) n, sink);
    }
  return TRUE;
}

/**
 * kb_log_stream_finish:
 * @self: a stream of a file that will hardly grow any more
 * @sink: where events go
 *
 * Takes the last line as it is, without an end. Should the rest of it come after all, from a
 * writer that had the file open while it was renamed, the line is read again as a whole.
 */
void
kb_log_stream_finish (KbLogStream *self, KbLogSink *sink)
{
  guint first;

  g_return_if_fail (self != NULL);
  g_return_if_fail (sink != NULL);

  if (self->partial->len == 0 || self->reported)
    return;
  first = sink->events->len;
  decode (self, self->partial->data, self->partial->len, sink);
  self->reported = sink->events->len == first + 1 && is_damage (sink, first);
  if (!self->reported)
    g_byte_array_set_size (self->partial, 0);
}

/**
 * kb_log_stream_add_gap:
 * @self: the stream before or behind the gap
 * @sink: where the entry goes
 * @message: what is missing, translated
 */
void
kb_log_stream_add_gap (KbLogStream *self, KbLogSink *sink, const char *message)
{
  KbLogOrigin origin = get_origin (self, FALSE);

  g_return_if_fail (self != NULL);
  g_return_if_fail (sink != NULL);

  g_ptr_array_add (sink->events, kb_log_make_note (KB_EVENT_GAP, message, &origin));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-state"

#include "config.h"

#include "gateway/kb-state.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "gateway/kb-bindings.h"
#include "gateway/kb-state-codec.h"
#include "store/kb-atomic-file.h"
#include "store/kb-health-codec.h"
#include "store/kb-log-writer.h"
#include "store/kb-usage-codec.h"

/* A million bindings and more. */
#define MOST_BINDINGS_BYTES (256 * 1024 * 1024)

struct _KbState
{
  int lock;   /* owned: who holds it is the writer */
  char *dir;  /* owned */
  char *path; /* owned: the health file */
  char *log;  /* owned: the history */
};

static gint64
get_offset (const KbGatewayClock *clock)
{
  return kb_gateway_clock_get_wall_ms (clock) - kb_gateway_clock_get_boot_ms (clock);
}

#define LOCK_FILE "gateway.lock"

/* The kernel drops the lock with its process, so kill -9 leaves none behind. */
static int
take_lock (const char *dir, GError **error)
{
  g_autofree char *path = g_build_filename (dir, LOCK_FILE, NULL);
  g_autofd int fd = open (path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

  if (fd < 0)
    {
      kb_file_error_set_errno (error, path, errno);
      return -1;
    }
  if (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
                   _ ("Another gateway keeps its state in “%s”."), dir);
      return -1;
    }
  /* What the one before left there leads nowhere, or by now to somebody else. */
  if (ftruncate (fd, 0) != 0)
    g_debug ("the lock still says who had it");
  return g_steal_fd (&fd);
}

/**
 * kb_state_open:
 * @dir: the folder; made if it is not there
 * @error: return location: %G_IO_ERROR_BUSY if another gateway writes there, or #KbFileError
 *
 * Becomes the one writer of a folder.
 *
 * Returns: (transfer full): the state, or %NULL with @error set
 */
KbState *
kb_state_open (const char *dir, GError **error)
{
  KbState *self;
  int lock;

  g_return_val_if_fail (dir != NULL, NULL);

  if (g_mkdir_with_parents (dir, 0700) != 0)
    {
      kb_file_error_set_errno (error, dir, errno);
      return NULL;
    }
  lock = take_lock (dir, error);
  if (lock < 0)
    return NULL;
  self = g_new0 (KbState, 1);
  self->lock = lock;
  self->dir = g_strdup (dir);
  self->path = g_build_filename (dir, KB_STATE_HEALTH_FILE, NULL);
  self->log = g_build_filename (dir, KB_STATE_LOG_FILE, NULL);
  return self;
}

/**
 * kb_state_close:
 * @self: (transfer full) (nullable): a state
 *
 * Lets another one write.
 */
void
kb_state_close (KbState *self)
{
  if (self == NULL)
    return;
  g_close (self->lock, NULL);
  g_free (self->dir);
  g_free (self->path);
  g_free (self->log);
  g_free (self);
}

/**
 * kb_state_set_address:
 * @self: a state
 * @address: where its gateway is reached
 *
 * Leaves it in the lock, for a gateway that finds the lock taken.
 */
void
kb_state_set_address (KbState *self, const char *address)
{
  gsize length;

  g_return_if_fail (self != NULL && address != NULL);

  length = strlen (address);
  if (ftruncate (self->lock, 0) != 0 || pwrite (self->lock, address, length, 0) != (gssize) length)
    g_debug ("the lock does not say who has it");
}

/**
 * kb_state_read_address:
 * @dir: the folder of a state that another gateway keeps
 *
 * Returns: (transfer full) (nullable): where that one is reached, if it says so
 */
char *
kb_state_read_address (const char *dir)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (dir != NULL, NULL);

  path = g_build_filename (dir, LOCK_FILE, NULL);
  if (!g_file_get_contents (path, &text, NULL, NULL) || !g_str_has_prefix (text, "http://"))
    return NULL;
  return g_steal_pointer (&text);
}

/* A damaged file may still be of use to a person, and must not be read again. */
static void
set_aside (KbState *self, GError **error)
{
  g_autofree char *aside = g_strconcat (self->path, ".damaged", NULL);

  g_rename (self->path, aside);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               _ ("“%s” is damaged. It was set aside as “%s”; all channels begin as healthy."),
               self->path, aside);
}

static void
apply (const KbStateValues *values, KbEngine *engine, gint64 now_ms)
{
  kb_engine_load (engine, values->records, now_ms);
  for (guint i = 0; values->quotas != NULL && i < values->quotas->len; i++)
    {
      const KbKeptQuota *kept = values->quotas->pdata[i];

      kb_engine_restore_quota (engine, kept->channel, &kept->quota, now_ms);
    }
  if (values->pin != NULL && (values->pin_until_ms == 0 || values->pin_until_ms > now_ms))
    kb_engine_pin (engine, values->pin,
                   values->pin_until_ms == G_MAXINT64 ? 0 : values->pin_until_ms, now_ms);
  if (values->paused_until_ms > now_ms)
    kb_engine_pause (engine, values->paused_until_ms, now_ms);
}

/**
 * kb_state_load:
 * @self: a state
 * @engine: a configured engine
 * @clock: the clocks
 * @error: return location: what could not be read
 *
 * Tells the engine what was known before. A file that is not there is no error; after an
 * error the engine begins from nothing.
 *
 * Returns: whether everything that was there was read
 */
gboolean
kb_state_load (KbState *self, KbEngine *engine, const KbGatewayClock *clock, GError **error)
{
  g_auto (KbStateValues) values = { 0 };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) unread = NULL;

  g_return_val_if_fail (self != NULL && engine != NULL && clock != NULL, FALSE);

  bytes = kb_atomic_file_read (self->path, KB_HEALTH_MAX_BYTES, NULL, &unread);
  if (bytes == NULL
      && (unread == NULL || g_error_matches (unread, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
          || !g_file_test (self->path, G_FILE_TEST_EXISTS)))
    return TRUE;
  if (bytes == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&unread));
      return FALSE;
    }
  if (!kb_state_values_decode (bytes, get_offset (clock), &values))
    {
      set_aside (self, error);
      return FALSE;
    }
  apply (&values, engine, kb_gateway_clock_get_boot_ms (clock));
  return TRUE;
}

static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize length;
  const char *at = g_bytes_get_data (bytes, &length);

  while (length > 0)
    {
      gssize n = write (fd, at, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      at += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* No fsync: a crash of the machine may cost the newest state, a crash of ours does not. */
static gboolean
replace (const char *path, GBytes *bytes, GError **error)
{
  g_autofree char *temporary = g_strconcat (path, ".tmp", NULL);
  g_autofd int fd = open (temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  int code;

  if (fd >= 0 && write_all (fd, bytes) && g_rename (temporary, path) == 0)
    return TRUE;
  code = errno;
  g_unlink (temporary);
  kb_file_error_set_errno (error, path, code);
  return FALSE;
}

static void
add_quota (const char *channel_id, const KbQuota *quota, gpointer user_data)
{
  kb_state_values_add_quota (user_data, channel_id, quota);
}

/**
 * kb_state_save:
 * @self: a state
 * @engine: an engine
 * @clock: the clocks
 * @error: return location for a #KbFileError; the file on disk is then the previous one
 *
 * Replaces the health file. Whoever reads it sees the old one or the new one, also when this
 * process dies meanwhile.
 *
 * Returns: whether it was written
 */
gboolean
kb_state_save (KbState *self, KbEngine *engine, const KbGatewayClock *clock, GError **error)
{
  g_auto (KbStateValues) values = { 0 };
  g_autoptr (GBytes) bytes = NULL;
  gint64 now_ms;

  g_return_val_if_fail (self != NULL && engine != NULL && clock != NULL, FALSE);

  now_ms = kb_gateway_clock_get_boot_ms (clock);
  values.records = kb_engine_save (engine);
  kb_engine_foreach_quota (engine, add_quota, &values);
  values.pin = g_strdup (kb_engine_get_pin (engine, now_ms, &values.pin_until_ms));
  values.paused_until_ms = kb_engine_get_paused_until (engine, now_ms);
  bytes = kb_state_values_encode (&values, get_offset (clock));
  return replace (self->path, bytes, error);
}

/**
 * kb_state_load_bindings:
 * @self: a state
 * @engine: a configured engine
 * @clock: the clocks
 *
 * Binds sessions to whom they were bound before. A file that cannot be read costs no more than
 * the bindings, so nobody is told.
 */
void
kb_state_load_bindings (KbState *self, KbEngine *engine, const KbGatewayClock *clock)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (self != NULL && engine != NULL && clock != NULL);

  path = g_build_filename (self->dir, KB_STATE_BINDINGS_FILE, NULL);
  bytes = kb_atomic_file_read (path, MOST_BINDINGS_BYTES, NULL, NULL);
  if (bytes != NULL
      && !kb_bindings_decode (bytes, get_offset (clock), kb_gateway_clock_get_boot_ms (clock),
                              kb_engine_get_sticky (engine)))
    g_debug ("the bindings from before cannot be read");
}

/**
 * kb_state_save_bindings:
 * @self: a state
 * @engine: an engine
 * @clock: the clocks
 * @error: return location for a #KbFileError; the file on disk is then the previous one
 *
 * Replaces the file of bindings.
 *
 * Returns: whether it was written
 */
gboolean
kb_state_save_bindings (KbState *self,
                        KbEngine *engine,
                        const KbGatewayClock *clock,
                        GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (self != NULL && engine != NULL && clock != NULL, FALSE);

  path = g_build_filename (self->dir, KB_STATE_BINDINGS_FILE, NULL);
  bytes = kb_bindings_encode (kb_engine_get_sticky (engine), get_offset (clock));
  return replace (path, bytes, error);
}

/**
 * kb_state_forget_bindings:
 * @self: a state
 *
 * Removes the file: nobody asks for it any more.
 */
void
kb_state_forget_bindings (KbState *self)
{
  g_autofree char *path = NULL;

  g_return_if_fail (self != NULL);

  path = g_build_filename (self->dir, KB_STATE_BINDINGS_FILE, NULL);
  g_unlink (path);
}

/**
 * kb_state_load_usage:
 * @self: a state
 *
 * Returns: (transfer full): the sums from before. A file that cannot be read is as if it were
 *   not there; it is kept beside the next one.
 */
KbUsageSums *
kb_state_load_usage (KbState *self)
{
  g_autofree char *path = NULL;
  g_autofree char *aside = NULL;
  g_autoptr (GBytes) bytes = NULL;
  KbUsageSums *sums = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  path = g_build_filename (self->dir, KB_STATE_USAGE_FILE, NULL);
  bytes = kb_atomic_file_read (path, KB_USAGE_MAX_BYTES, NULL, NULL);
  if (bytes != NULL)
    sums = kb_usage_decode (bytes);
  if (sums != NULL)
    return sums;
  aside = g_strconcat (path, ".damaged", NULL);
  if (bytes != NULL && g_rename (path, aside) == 0)
    g_info ("the usage from before cannot be read; it was set aside");
  return kb_usage_sums_new ();
}

/**
 * kb_state_save_usage:
 * @self: a state
 * @sums: the sums
 * @error: return location for a #KbFileError; the file on disk is then the previous one
 *
 * Replaces the file of the usage.
 *
 * Returns: whether it was written
 */
gboolean
kb_state_save_usage (KbState *self, const KbUsageSums *sums, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (self != NULL && sums != NULL, FALSE);

  path = g_build_filename (self->dir, KB_STATE_USAGE_FILE, NULL);
  bytes = kb_usage_encode (sums);
  return replace (path, bytes, error);
}

/**
 * kb_state_log:
 * @self: a state
 * @event: an event of the engine
 * @clock: the clocks
 * @error: return location for an error of the file system
 *
 * Appends a change of channel, or a request given up, to the history. Others are none of it.
 *
 * Returns: %FALSE if it could not be written
 */
gboolean
kb_state_log (KbState *self,
              const KbEngineEvent *event,
              const KbGatewayClock *clock,
              GError **error)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  g_return_val_if_fail (self != NULL && event != NULL && clock != NULL, FALSE);

  if (event->kind == KB_ENGINE_EVENT_CONFIGURED)
    fields.kind = KB_EVENT_BOOT;
  else if (event->kind == KB_ENGINE_EVENT_FAILOVER)
    fields.kind = KB_EVENT_FAILOVER;
  else if (event->kind == KB_ENGINE_EVENT_GIVE_UP)
    fields.kind = KB_EVENT_GIVE_UP;
  else
    return TRUE;
  fields.time_ms = event->at_ms + get_offset (clock);
  fields.agent = event->label;
  if (fields.kind == KB_EVENT_BOOT)
    fields.pid = getpid ();
  else
    {
      fields.from = event->channel;
      fields.to = event->to;
      fields.reason = fields.kind == KB_EVENT_GIVE_UP && event->code == NULL
                          ? kb_refusal_to_string (event->refusal)
                          : event->code;
      fields.status = event->status > 0 ? event->status : -1;
      fields.failover_count = event->failover_count;
      fields.give_up_budget = event->give_up_budget;
      fields.retry_exhausted = event->retry_exhausted;
    }
  return kb_log_writer_append (self->log, &fields, KB_LOG_ROTATE_BYTES, error);
}

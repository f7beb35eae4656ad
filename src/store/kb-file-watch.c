// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-file-watch"

#include "store/kb-file-watch.h"

#include "store/kb-file-stamp.h"
#include "store/kb-watch-folder.h"
#include "store/kb-watch-points.h"

/*
 * How it works. Every path has its watch points (folders in which a name decides what the
 * path means) and the stamp of what was last seen. An event of any kind that speaks of such
 * a name makes the path due: after QUIET_MS without a further event, at the latest MAX_MS
 * after the first. A path that is due gets its points found anew, the folders armed, and
 * only then its stamp taken; another content is a change. There is one timeout for all.
 *
 * A file that is gone, or empty, is probably being written (an editor that moves the old file
 * away, truncate and write): it is looked at once more after DOUBT_MS before that is a
 * change.
 */

#define QUIET_MS 50
#define MAX_MS 100
#define DOUBT_MS 100

/* What is due this soon goes along: files written together make one batch. */
#define TOGETHER_MS 20

/* How often the points may move under our hands before we leave it to the next event. */
#define ARM_ROUNDS 4

#define POLL_VISIBLE_SECONDS 2
#define POLL_HIDDEN_SECONDS 30

typedef struct
{
  char *path;        /* owned */
  GPtrArray *points; /* owned, KbWatchPoint */
  KbFileStamp seen;
  gint64 first_us;  /* of the burst, monotonic; 0 = none */
  gint64 due_us;    /* monotonic; 0 = not due */
  gboolean doubted; /* was gone or empty at the last look */
} Entry;

struct _KbFileWatch
{
  GObject parent_instance;

  GPtrArray *entries;  /* Entry, owned */
  GHashTable *folders; /* owned path → KbWatchFolder, owned */
  guint check_id;
  gint64 check_due_us;
  guint poll_id;
  guint poll_seconds; /* of the source, 0 without one */
  gboolean visible;
  gboolean distrustful;
};

G_DEFINE_FINAL_TYPE (KbFileWatch, kb_file_watch, G_TYPE_OBJECT)

enum
{
  CHANGED,
  SETTLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void schedule (KbFileWatch *self);

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->path);
  g_ptr_array_unref (entry->points);
  g_free (entry);
}

static Entry *
entry_new (const char *path)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->path = g_strdup (path);
  entry->points = g_ptr_array_new ();
  return entry;
}

static void
make_due (Entry *entry, gint64 now_us)
{
  if (entry->first_us == 0)
    entry->first_us = now_us;
  entry->due_us = MIN (now_us + QUIET_MS * 1000, entry->first_us + MAX_MS * 1000);
}

static gboolean
entry_concerns (const Entry *entry, const char *path)
{
  for (guint i = 0; i < entry->points->len; i++)
    {
      const KbWatchPoint *point = entry->points->pdata[i];

      if (g_str_equal (point->path, path) || g_str_equal (point->folder, path))
        return TRUE;
    }
  return FALSE;
}

/* An event about a watched folder itself: what we watch may not be there any more. */
static gboolean
note_folder (KbFileWatch *self, const char *path, GFileMonitorEvent event)
{
  KbWatchFolder *folder = g_hash_table_lookup (self->folders, path);

  if (folder == NULL)
    return FALSE;
  if (event != G_FILE_MONITOR_EVENT_CHANGED && event != G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT)
    kb_watch_folder_mark_lost (folder);
  return TRUE;
}

static void
note_path (KbFileWatch *self, const char *path, GFileMonitorEvent event)
{
  gboolean is_folder = note_folder (self, path, event);
  gint64 now_us = g_get_monotonic_time ();

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (is_folder || entry_concerns (entry, path))
        make_due (entry, now_us);
    }
}

static void
kb_file_watch_folder_event_cb (const char *path,
                               const char *other_path,
                               GFileMonitorEvent event,
                               gpointer user_data)
{
  KbFileWatch *self = user_data;

  if (path != NULL)
    note_path (self, path, event);
  if (other_path != NULL)
    note_path (self, other_path, event);
  schedule (self);
}

static void
arm_folder (KbFileWatch *self, const char *path)
{
  KbWatchFolder *folder = g_hash_table_lookup (self->folders, path);

  if (folder != NULL && kb_watch_folder_is_valid (folder))
    return;
  /* The old one first: while GLib has a watch of that path it would share the dead one. */
  g_hash_table_remove (self->folders, path);
  folder = kb_watch_folder_new (path, kb_file_watch_folder_event_cb, self);
  g_hash_table_insert (self->folders, g_strdup (path), folder);
}

/* Finds the points and arms their folders until arming has brought nothing new: only then no
 * change can slip between the two. */
static void
arm (KbFileWatch *self, Entry *entry)
{
  for (guint round = 0; round < ARM_ROUNDS; round++)
    {
      g_autoptr (GPtrArray) points = kb_watch_points_find (entry->path);
      gboolean same = kb_watch_points_equal (points, entry->points);

      for (guint i = 0; i < points->len; i++)
        arm_folder (self, ((KbWatchPoint *) points->pdata[i])->folder);
      if (same)
        return;
      g_ptr_array_unref (entry->points);
      entry->points = g_steal_pointer (&points);
    }
}

static gboolean
is_doubtful (const KbFileStamp *seen, const KbFileStamp *now)
{
  if (now->kind == KB_FILE_ABSENT)
    return TRUE;
  return now->kind == KB_FILE_REGULAR && now->size == 0 && seen->kind == KB_FILE_REGULAR;
}

/* Looks at one path. Returns whether its content is another than what was last seen. */
static gboolean
check_entry (KbFileWatch *self, Entry *entry, gboolean thorough)
{
  KbFileStamp now;

  entry->first_us = 0;
  entry->due_us = 0;
  arm (self, entry);
  kb_file_stamp_take (entry->path, &entry->seen, thorough, &now);
  if (kb_file_stamp_is_same (&now, &entry->seen))
    {
      entry->seen = now;
      entry->doubted = FALSE;
      return FALSE;
    }
  if (!entry->doubted && is_doubtful (&entry->seen, &now))
    {
      entry->doubted = TRUE;
      entry->due_us = g_get_monotonic_time () + DOUBT_MS * 1000;
      return FALSE;
    }
  entry->seen = now;
  entry->doubted = FALSE;
  return TRUE;
}

static gboolean
is_used (KbFileWatch *self, const char *folder)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      for (guint k = 0; k < entry->points->len; k++)
        {
          if (g_str_equal (((KbWatchPoint *) entry->points->pdata[k])->folder, folder))
            return TRUE;
        }
    }
  return FALSE;
}

/* Also drops what could not be armed, so that the next look tries again. */
static void
drop_unused_folders (KbFileWatch *self)
{
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    {
      if (!is_used (self, path))
        g_hash_table_iter_remove (&iter);
    }
}

static gboolean
needs_polling (KbFileWatch *self)
{
  GHashTableIter iter;
  gpointer folder;

  if (self->entries->len == 0)
    return FALSE;
  if (self->distrustful)
    return TRUE;
  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, NULL, &folder))
    {
      if (kb_watch_folder_is_silent (folder))
        return TRUE;
    }
  return FALSE;
}

/* Emits with nothing borrowed from the entries: a handler may set other paths. */
static void
emit (KbFileWatch *self, GPtrArray *changed)
{
  g_autoptr (KbFileWatch) alive = g_object_ref (self);

  for (guint i = 0; i < changed->len; i++)
    g_signal_emit (alive, signals[CHANGED], 0, changed->pdata[i]);
  if (changed->len > 0)
    g_signal_emit (alive, signals[SETTLED], 0);
}

/* Checks the entries that are due until @until_us, or those not about to be checked anyway. */
static void
check (KbFileWatch *self, gint64 until_us, gboolean thorough)
{
  g_autoptr (GPtrArray) changed = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];
      gboolean chosen = until_us == 0 ? !entry->doubted || entry->due_us == 0
                                      : entry->due_us != 0 && entry->due_us <= until_us;

      if (chosen && check_entry (self, entry, thorough))
        g_ptr_array_add (changed, g_strdup (entry->path));
    }
  drop_unused_folders (self);
  schedule (self);
  emit (self, changed);
}

static gboolean
kb_file_watch_check_cb (gpointer user_data)
{
  KbFileWatch *self = user_data;

  self->check_id = 0;
  check (self, g_get_monotonic_time () + TOGETHER_MS * 1000, TRUE);
  return G_SOURCE_REMOVE;
}

static gboolean
kb_file_watch_poll_cb (gpointer user_data)
{
  check (user_data, 0, FALSE);
  return G_SOURCE_CONTINUE;
}

static gint64
find_due (KbFileWatch *self)
{
  gint64 due_us = 0;

  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = self->entries->pdata[i];

      if (entry->due_us != 0 && (due_us == 0 || entry->due_us < due_us))
        due_us = entry->due_us;
    }
  return due_us;
}

static void
schedule_check (KbFileWatch *self)
{
  gint64 due_us = find_due (self);
  gint64 delay_us = due_us - g_get_monotonic_time ();

  /* One that fires too early only finds that it has to wait on: cheaper than a new source
   * for each event of a busy writer. */
  if (due_us != 0 && self->check_id != 0 && self->check_due_us <= due_us)
    return;
  g_clear_handle_id (&self->check_id, g_source_remove);
  if (due_us == 0)
    return;
  self->check_due_us = due_us;
  self->check_id
      = g_timeout_add ((guint) (MAX (delay_us, 0) + 999) / 1000, kb_file_watch_check_cb, self);
  g_source_set_name_by_id (self->check_id, "kb-file-watch-check");
}

static void
schedule_poll (KbFileWatch *self)
{
  guint seconds = self->visible ? POLL_VISIBLE_SECONDS : POLL_HIDDEN_SECONDS;

  if (!needs_polling (self))
    seconds = 0;
  if (seconds == self->poll_seconds)
    return;
  g_clear_handle_id (&self->poll_id, g_source_remove);
  self->poll_seconds = seconds;
  if (seconds == 0)
    return;
  self->poll_id = g_timeout_add_seconds (seconds, kb_file_watch_poll_cb, self);
  g_source_set_name_by_id (self->poll_id, "kb-file-watch-poll");
  g_info ("no events here: looking at the files every %u s", seconds);
}

static void
schedule (KbFileWatch *self)
{
  schedule_check (self);
  schedule_poll (self);
}

static Entry *
take_entry (GPtrArray *entries, const char *path)
{
  for (guint i = 0; i < entries->len; i++)
    {
      if (g_str_equal (((Entry *) entries->pdata[i])->path, path))
        return g_ptr_array_steal_index_fast (entries, i);
    }
  return NULL;
}

static gboolean
has_entry (KbFileWatch *self, const char *path)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      if (g_str_equal (((Entry *) self->entries->pdata[i])->path, path))
        return TRUE;
    }
  return FALSE;
}

static void
add_new_entry (KbFileWatch *self, const char *path)
{
  Entry *entry = entry_new (path);

  g_ptr_array_add (self->entries, entry);
  arm (self, entry);
  kb_file_stamp_take (path, NULL, TRUE, &entry->seen);
}

static void
kb_file_watch_dispose (GObject *object)
{
  KbFileWatch *self = KB_FILE_WATCH (object);

  g_clear_handle_id (&self->check_id, g_source_remove);
  g_clear_handle_id (&self->poll_id, g_source_remove);
  self->poll_seconds = 0;
  g_hash_table_remove_all (self->folders);
  g_ptr_array_set_size (self->entries, 0);
  G_OBJECT_CLASS (kb_file_watch_parent_class)->dispose (object);
}

static void
kb_file_watch_finalize (GObject *object)
{
  KbFileWatch *self = KB_FILE_WATCH (object);

  g_hash_table_unref (self->folders);
  g_ptr_array_unref (self->entries);
  G_OBJECT_CLASS (kb_file_watch_parent_class)->finalize (object);
}

static void
kb_file_watch_class_init (KbFileWatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_file_watch_dispose;
  object_class->finalize = kb_file_watch_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SETTLED] = g_signal_new ("settled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
kb_file_watch_init (KbFileWatch *self)
{
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) kb_watch_folder_free);
}

/**
 * kb_file_watch_new:
 *
 * Returns: (transfer full): a watch of nothing, hidden
 */
KbFileWatch *
kb_file_watch_new (void)
{
  return g_object_new (KB_TYPE_FILE_WATCH, NULL);
}

/**
 * kb_file_watch_set_paths:
 * @self: a watch
 * @paths: (array zero-terminated=1): absolute paths of files, existing or not
 *
 * Watches these files and no others. How they are at this moment is what later looks compare
 * with: read them after this call, not before. Files watched already go on without a gap.
 */
void
kb_file_watch_set_paths (KbFileWatch *self, const char *const *paths)
{
  g_autoptr (GPtrArray) old = NULL;

  g_return_if_fail (KB_IS_FILE_WATCH (self));
  g_return_if_fail (paths != NULL);

  old = g_steal_pointer (&self->entries);
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  for (const char *const *path = paths; *path != NULL; path++)
    {
      Entry *kept = take_entry (old, *path);

      if (kept != NULL)
        g_ptr_array_add (self->entries, kept);
      else if (g_path_is_absolute (*path) && !has_entry (self, *path))
        add_new_entry (self, *path);
    }
  drop_unused_folders (self);
  schedule (self);
}

/**
 * kb_file_watch_set_visible:
 * @self: a watch
 * @visible: whether somebody looks
 *
 * How often to look at files on file systems without events. On others nothing periodic
 * runs either way.
 */
void
kb_file_watch_set_visible (KbFileWatch *self, gboolean visible)
{
  g_return_if_fail (KB_IS_FILE_WATCH (self));

  visible = !!visible;
  if (self->visible == visible)
    return;
  self->visible = visible;
  schedule_poll (self);
}

/**
 * kb_file_watch_set_distrustful:
 * @self: a watch
 * @distrustful: whether to look now and then on every file system
 *
 * Treats every folder as one whose events cannot be relied on.
 */
void
kb_file_watch_set_distrustful (KbFileWatch *self, gboolean distrustful)
{
  g_return_if_fail (KB_IS_FILE_WATCH (self));

  self->distrustful = !!distrustful;
  schedule_poll (self);
}

/**
 * kb_file_watch_check_now:
 * @self: a watch
 *
 * Looks at every file at once, on map or on a person's wish, and emits what differs before it
 * returns; only what is gone or empty is looked at a second time before that counts.
 */
void
kb_file_watch_check_now (KbFileWatch *self)
{
  g_return_if_fail (KB_IS_FILE_WATCH (self));
  check (self, 0, TRUE);
}

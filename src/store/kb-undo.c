// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-undo.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "store/kb-atomic-file.h"
#include "store/kb-diff.h"
#include "store/kb-json.h"
#include "store/kb-settings-lock.h"
#include "store/kb-yaml-index.h"

/* Bytes kept on each side of a replacement, to find it again in a file that has changed. */
#define CONTEXT 64

#define MAX_ENTRY_BYTES (64 * 1024 * 1024)
#define MAX_MEMBERS 1000000

G_DEFINE_QUARK (kb - undo - error - quark, kb_undo_error)

/* A replacement, as the journal has it. */
typedef struct
{
  gsize start; /* in the text after the edit */
  const char *old_text;
  const char *new_text;
  const char *lead; /* what stands before it */
  const char *tail; /* what stands behind it */
} Span;

static char *
get_dir (const char *state_dir)
{
  return g_build_filename (state_dir, "undo", NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Names of the entries, oldest first. */
static GPtrArray *
list_entries (const char *dir)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) folder = g_dir_open (dir, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (strspn (name, "0123456789") == 10 && g_str_equal (name + 10, ".json"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

static gboolean
is_continuation (char c)
{
  return ((unsigned char) c & 0xc0) == 0x80;
}

static char *
copy_lead (const char *data, gsize start)
{
  gsize from = start > CONTEXT ? start - CONTEXT : 0;

  while (from < start && is_continuation (data[from]))
    from++;
  return g_strndup (data + from, start - from);
}

static char *
copy_tail (const char *data, gsize size, gsize end)
{
  gsize to = MIN (size, end + CONTEXT);

  while (to < size && to > end && is_continuation (data[to]))
    to--;
  return g_strndup (data + end, to - end);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_spans (JsonBuilder *builder, GBytes *before, GBytes *after)
{
  g_autoptr (KbSplices) inverse = kb_diff_to_splices (after, before);
  gsize size;
  const char *data = g_bytes_get_data (after, &size);

  json_builder_set_member_name (builder, "spans");
  json_builder_begin_array (builder);
  for (guint i = 0; i < kb_splices_get_length (inverse); i++)
    {
      const KbSplice *splice = kb_splices_get (inverse, i);
      g_autofree char *lead = copy_lead (data, splice->start);
      g_autofree char *tail = copy_tail (data, size, splice->end);
      g_autofree char *text = g_strndup (data + splice->start, splice->end - splice->start);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "start");
      json_builder_add_int_value (builder, (gint64) splice->start);
      add_string (builder, "old", splice->text);
      add_string (builder, "new", text);
      add_string (builder, "lead", lead);
      add_string (builder, "tail", tail);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static GBytes *
encode (const KbUndoEdit *edit)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  GBytes *before = edit->before != NULL ? edit->before : nothing;
  KbFingerprint fingerprint = kb_fingerprint_take (edit->after);
  g_autofree char *sum = kb_fingerprint_to_text (&fingerprint);
  /* A path is bytes, JSON is not: an escaped path comes back as it was. */
  g_autofree char *path = g_uri_escape_string (edit->path, "/", FALSE);
  char *json;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, 1);
  json_builder_set_member_name (builder, "time");
  json_builder_add_int_value (builder, g_get_real_time () / 1000);
  add_string (builder, "description", edit->description);
  add_string (builder, "file", path);
  json_builder_set_member_name (builder, "created");
  json_builder_add_boolean_value (builder, edit->before == NULL);
  json_builder_set_member_name (builder, "locked");
  json_builder_add_boolean_value (builder, edit->locked);
  add_string (builder, "after", sum);
  add_spans (builder, before, edit->after);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return g_bytes_new_take (json, strlen (json));
}

static void
prune (const char *dir, const GPtrArray *names)
{
  for (guint i = 0; i + KB_UNDO_MAX_EDITS < names->len; i++)
    {
      g_autofree char *path = g_build_filename (dir, names->pdata[i], NULL);

      g_unlink (path);
    }
}

/**
 * kb_undo_push:
 * @state_dir: Koboshi's state folder for the home
 * @edit: what was done; texts in UTF-8
 * @entry: (out) (optional): what kb_undo_load_entry() finds it by
 * @error: a #GIOErrorEnum or #KbFileError
 *
 * Adds an edit to the journal; of more than KB_UNDO_MAX_EDITS the oldest go. The caller holds
 * the state lock.
 *
 * Returns: whether it is in the journal
 */
gboolean
kb_undo_push (const char *state_dir, const KbUndoEdit *edit, char **entry, GError **error)
{
  g_autofree char *dir = NULL;
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint64 number = 1;

  g_return_val_if_fail (state_dir != NULL, FALSE);
  g_return_val_if_fail (edit != NULL && edit->path != NULL && edit->after != NULL, FALSE);

  dir = get_dir (state_dir);
  if (g_mkdir_with_parents (dir, 0700) != 0)
    {
      kb_file_error_set_errno (error, dir, errno);
      return FALSE;
    }
  names = list_entries (dir);
  if (names->len > 0)
    number = g_ascii_strtoull (names->pdata[names->len - 1], NULL, 10) + 1;
  name = g_strdup_printf ("%010" G_GUINT64_FORMAT ".json", number);
  path = g_build_filename (dir, name, NULL);
  bytes = encode (edit);
  if (!kb_atomic_file_write (path, bytes, NULL, 0600, error))
    return FALSE;
  if (entry != NULL)
    *entry = g_strdup (name);
  g_ptr_array_add (names, g_steal_pointer (&name));
  prune (dir, names);
  return TRUE;
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static gboolean
read_span (JsonNode *node, Span *span)
{
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  object = json_node_get_object (node);
  *span = (Span) {
    .start = (gsize) json_object_get_int_member_with_default (object, "start", 0),
    .old_text = get_string (object, "old"),
    .new_text = get_string (object, "new"),
    .lead = get_string (object, "lead"),
    .tail = get_string (object, "tail"),
  };
  return span->old_text != NULL && span->new_text != NULL && span->lead != NULL
         && span->tail != NULL;
}

/* Where the replacement stands in a file that has changed: only where there is no doubt. */
static gboolean
locate (const Span *span, const char *data, gsize size, gsize *start)
{
  g_autofree char *pattern = g_strconcat (span->lead, span->new_text, span->tail, NULL);
  gsize length = strlen (pattern);
  const char *found = length > 0 ? g_strstr_len (data, (gssize) size, pattern) : NULL;

  if (found == NULL
      || g_strstr_len (found + 1, (gssize) (size - (gsize) (found + 1 - data)), pattern) != NULL)
    return FALSE;
  *start = (gsize) (found - data) + strlen (span->lead);
  return TRUE;
}

static GBytes *
revert (JsonObject *object, GBytes *present, gboolean exact)
{
  g_autoptr (KbSplices) splices = kb_splices_new ();
  JsonArray *spans = json_object_get_array_member (object, "spans");
  gsize size, behind = 0;
  const char *data = g_bytes_get_data (present, &size);

  for (guint i = 0; i < json_array_get_length (spans); i++)
    {
      Span span;
      gsize start;

      if (!read_span (json_array_get_element (spans, i), &span))
        return NULL;
      start = span.start;
      if (!exact && !locate (&span, data, size, &start))
        return NULL;
      if (start < behind || start + strlen (span.new_text) > size
          || memcmp (data + start, span.new_text, strlen (span.new_text)) != 0)
        return NULL;
      behind = start + strlen (span.new_text);
      kb_splices_add (splices, start, behind, span.old_text);
    }
  return kb_splices_apply (splices, present);
}

static gboolean
fail_changed (GError **error, const KbUndo *self, const char *why)
{
  g_set_error (error, KB_UNDO_ERROR, KB_UNDO_ERROR_CHANGED,
               /* Translators: a file, what was done to it, a reason */
               _ ("%s was changed since “%s”: %s. Nothing was changed."), self->path,
               self->description, why);
  return FALSE;
}

/* After somebody else's change the old bytes must at least make YAML again. */
static gboolean
is_sound (GBytes *result)
{
  g_autoptr (KbYamlDocument) document = kb_yaml_document_parse (result, NULL, NULL);

  return document != NULL;
}

static gboolean
work_out (KbUndo *self, JsonObject *object, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *sum = NULL;
  KbFingerprint fingerprint;
  gboolean created = json_object_get_boolean_member_with_default (object, "created", FALSE);
  gboolean exact;

  self->present = kb_atomic_file_read (self->path, KB_YAML_MAX_BYTES, NULL, &local_error);
  if (self->present == NULL)
    {
      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        return fail_changed (error, self, _ ("it is gone"));
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  fingerprint = kb_fingerprint_take (self->present);
  sum = kb_fingerprint_to_text (&fingerprint);
  exact = g_strcmp0 (sum, get_string (object, "after")) == 0;
  self->merged = !exact;
  if (created && exact)
    return TRUE;
  if (created)
    return fail_changed (error, self, _ ("that edit made the file, and it holds more by now"));
  self->result = revert (object, self->present, exact);
  if (self->result == NULL || (!exact && !is_sound (self->result)))
    return fail_changed (error, self, _ ("the place of the edit is no longer as it was left"));
  return TRUE;
}

static JsonNode *
read_entry (const char *path)
{
  g_autoptr (GBytes) bytes = kb_atomic_file_read (path, MAX_ENTRY_BYTES, NULL, NULL);
  g_autoptr (JsonNode) root = NULL;
  const char *text;
  gsize length, end;
  JsonNode *spans;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &length);
  if (length == 0 || !g_utf8_validate (text, (gssize) length, NULL)
      || kb_json_scan (text, length, MAX_MEMBERS, &end) != KB_JSON_FINE)
    return NULL;
  root = kb_json_parse (text, length);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  spans = json_object_get_member (json_node_get_object (root), "spans");
  return spans != NULL && JSON_NODE_HOLDS_ARRAY (spans) ? g_steal_pointer (&root) : NULL;
}

static gboolean
fill_in (KbUndo *self, JsonObject *object)
{
  const char *file = get_string (object, "file");
  const char *description = get_string (object, "description");

  self->path = file != NULL ? g_uri_unescape_string (file, NULL) : NULL;
  self->description = g_strdup (description);
  self->time_ms = json_object_get_int_member_with_default (object, "time", 0);
  self->locked = json_object_get_boolean_member_with_default (object, "locked", FALSE);
  return self->path != NULL && g_path_is_absolute (self->path) && description != NULL;
}

/**
 * kb_undo_load:
 * @state_dir: Koboshi's state folder for the home
 * @error: return location for KB_UNDO_ERROR or #KbFileError
 *
 * Works out how to take back the newest edit: if its file is as it was left, or if what was
 * replaced can be found in it without doubt.
 *
 * Returns: (transfer full) (nullable): what would be done
 */
KbUndo *
kb_undo_load (const char *state_dir, GError **error)
{
  g_autofree char *dir = NULL;
  g_autoptr (GPtrArray) names = NULL;

  g_return_val_if_fail (state_dir != NULL, NULL);

  dir = get_dir (state_dir);
  names = list_entries (dir);
  if (names->len > 0)
    return kb_undo_load_entry (state_dir, names->pdata[names->len - 1], error);
  g_set_error (error, KB_UNDO_ERROR, KB_UNDO_ERROR_EMPTY,
               _ ("There is no edit to take back in this home"));
  return NULL;
}

/**
 * kb_undo_load_entry:
 * @state_dir: Koboshi's state folder for the home
 * @entry: an edit of the journal, as kb_undo_push() named it
 * @error: as for kb_undo_load(); KB_UNDO_ERROR_EMPTY if it is no longer there
 *
 * The same for an edit that need not be the newest: what was edited since is kept.
 *
 * Returns: (transfer full) (nullable): what would be done
 */
KbUndo *
kb_undo_load_entry (const char *state_dir, const char *entry, GError **error)
{
  g_autofree char *dir = NULL;
  g_autoptr (KbUndo) self = NULL;
  g_autoptr (JsonNode) root = NULL;

  g_return_val_if_fail (state_dir != NULL && entry != NULL, NULL);

  dir = get_dir (state_dir);
  self = g_new0 (KbUndo, 1);
  self->entry = g_build_filename (dir, entry, NULL);
  if (!g_file_test (self->entry, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, KB_UNDO_ERROR, KB_UNDO_ERROR_EMPTY,
                   _ ("That edit was taken back already, or is too long ago"));
      return NULL;
    }
  root = read_entry (self->entry);
  if (root == NULL || !fill_in (self, json_node_get_object (root)))
    {
      g_set_error (error, KB_UNDO_ERROR, KB_UNDO_ERROR_DAMAGED,
                   _ ("%s is damaged. Remove it to reach the edit before it."), self->entry);
      return NULL;
    }
  if (!work_out (self, json_node_get_object (root), error))
    return NULL;
  return g_steal_pointer (&self);
}

static gboolean
remove_file (const char *path, GError **error)
{
  g_autofree char *target = kb_atomic_file_resolve (path, error);

  if (target == NULL)
    return FALSE;
  if (g_unlink (target) != 0)
    {
      int saved_errno = errno;

      g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (saved_errno),
                   _ ("%s cannot be removed: %s"), target, g_strerror (saved_errno));
      return FALSE;
    }
  return TRUE;
}

/* The file must still be what the plan was made for. */
static gboolean
check_present (const KbUndo *self, KbRevision *revision, GError **error)
{
  g_autoptr (GBytes) bytes = kb_atomic_file_read (self->path, KB_YAML_MAX_BYTES, revision, error);

  if (bytes == NULL)
    return FALSE;
  if (g_bytes_equal (bytes, self->present))
    return TRUE;
  return fail_changed (error, self, _ ("it was changed at this very moment"));
}

/**
 * kb_undo_run:
 * @state_dir: Koboshi's state folder for the home
 * @self: what kb_undo_load() worked out
 * @error: return location for KB_UNDO_ERROR, #KbFileError, #KbLockError
 *
 * Takes the edit back and out of the journal. The caller holds the state lock.
 *
 * Returns: whether it is taken back
 */
gboolean
kb_undo_run (const char *state_dir, const KbUndo *self, GError **error)
{
  g_autoptr (KbSettingsLock) lock = NULL;
  KbRevision revision;

  g_return_val_if_fail (state_dir != NULL && self != NULL, FALSE);

  if (self->locked)
    {
      lock = kb_settings_lock_take (self->path, KB_LOCK_PATIENCE_MS, error);
      if (lock == NULL)
        return FALSE;
    }
  else
    kb_atomic_file_leave_gap (self->path);
  if (!check_present (self, &revision, error))
    return FALSE;
  if (self->result == NULL
          ? !remove_file (self->path, error)
          : !kb_atomic_file_write (self->path, self->result, &revision, 0600, error))
    return FALSE;
  g_unlink (self->entry);
  return TRUE;
}

/**
 * kb_undo_free:
 * @self: (transfer full) (nullable): a plan
 *
 * Frees it.
 */
void
kb_undo_free (KbUndo *self)
{
  if (self == NULL)
    return;
  g_free (self->entry);
  g_free (self->path);
  g_free (self->description);
  g_clear_pointer (&self->present, g_bytes_unref);
  g_clear_pointer (&self->result, g_bytes_unref);
  g_free (self);
}

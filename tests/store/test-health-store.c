// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/kb-health-store.h"
#include "../support/folder.h"

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("koboshi-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "channel-health.json", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static guint
get_mode (const char *path)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  return info.st_mode & 0777;
}

static void
assert_load_fails (Fixture *fixture, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_health_store_load (fixture->path, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, "channel-health.json"));
}

static void
test_save_and_load (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  g_autoptr (KbHealthDocument) again = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GError) error = NULL;
  KbBreaker breaker = { KB_CHANNEL_STATE_COOLDOWN, 3, 20, 10 };

  kb_health_document_set (document, "a::b", breaker);
  g_assert_true (g_file_set_contents (fixture->path, "old", -1, NULL));
  g_assert_cmpint (g_chmod (fixture->path, 0644), ==, 0);
  g_assert_true (kb_health_store_save (fixture->path, document, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (get_mode (fixture->path), ==, 0600);
  again = kb_health_store_load (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (kb_health_document_lookup (again, "a::b")->breaker.until_ms, ==, 20);
  dir = g_dir_open (fixture->folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "channel-health.json");
  g_assert_null (g_dir_read_name (dir));
}

static void
test_save_makes_folders (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "new", "daruma", NULL);
  g_autofree char *path = g_build_filename (folder, "channel-health.json", NULL);
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (kb_health_store_save (path, document, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (get_mode (folder), ==, 0700);
}

static void
test_save_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  g_autofree char *inside = g_build_filename (fixture->path, "x", NULL);
  g_autofree char *below = g_build_filename (fixture->folder, "file", "x.json", NULL);
  g_autofree char *file = g_build_filename (fixture->folder, "file", NULL);
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_false (kb_health_store_save (fixture->path, document, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_false (kb_health_store_save (below, document, &error));
  g_assert_nonnull (error);
  dir = g_dir_open (fixture->folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    g_assert_null (strstr (name, ".tmp-"));
}

/* A symbolic link planted at the name of the temporary file is not written through. */
static void
test_save_follows_no_link (Fixture *fixture, gconstpointer data)
{
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  g_autofree char *victim = g_build_filename (fixture->folder, "victim", NULL);
  g_autofree char *temporary = g_strdup_printf ("%s.tmp-%d", fixture->path, (int) getpid ());
  g_autofree char *text = NULL;

  g_assert_true (g_file_set_contents (victim, "mine", -1, NULL));
  g_assert_cmpint (symlink (victim, temporary), ==, 0);
  kb_health_store_save (fixture->path, document, NULL);
  g_assert_true (g_file_get_contents (victim, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
}

static void
test_load_absent (Fixture *fixture, gconstpointer data)
{
  assert_load_fails (fixture, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_load_directory (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  assert_load_fails (fixture, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
}

static void
test_load_fifo (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_load_fails (fixture, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
}

static void
test_load_device (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (symlink ("/dev/zero", fixture->path), ==, 0);
  assert_load_fails (fixture, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
}

static void
test_load_link_loop (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (symlink ("channel-health.json", fixture->path), ==, 0);
  assert_load_fails (fixture, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS);
}

static void
test_load_unreadable (Fixture *fixture, gconstpointer data)
{
  g_assert_true (g_file_set_contents (fixture->path, "{}", -1, NULL));
  g_assert_cmpint (g_chmod (fixture->path, 0), ==, 0);
  if (g_access (fixture->path, R_OK) == 0)
    {
      g_test_skip ("this user may read everything");
      return;
    }
  assert_load_fails (fixture, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
}

/* Sparse, so that it would take a while to read but none to make. */
static void
test_load_large (Fixture *fixture, gconstpointer data)
{
  g_assert_true (g_file_set_contents (fixture->path, "{}", -1, NULL));
  g_assert_cmpint (truncate (fixture->path, 100 * 1024 * 1024), ==, 0);
  assert_load_fails (fixture, KB_HEALTH_ERROR, KB_HEALTH_ERROR_TOO_LARGE);
}

static void
test_load_syntax (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (fixture->path, "{\n  \"healths\": }", -1, NULL));
  g_assert_null (kb_health_store_load (fixture->path, &error));
  g_assert_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "channel-health.json"));
  g_assert_nonnull (strstr (error->message, "Line 2, column 14"));
}

static void
set_from_vector (KbHealthDocument *document, JsonObject *record)
{
  KbBreaker breaker;

  g_assert_true (
      kb_channel_state_parse (json_object_get_string_member (record, "state"), &breaker.state));
  breaker.failures = json_object_get_int_member (record, "consecutiveFailures");
  breaker.until_ms = json_object_get_int_member (record, "cooldownUntilMs");
  breaker.updated_ms = json_object_get_int_member (record, "updatedAtMs");
  kb_health_document_set (document, json_object_get_string_member (record, "channel"), breaker);
}

static JsonObject *
find_vector (JsonParser *parser, const char *id)
{
  g_autofree char *path
      = g_test_build_filename (G_TEST_DIST, "fixtures", "vectors", "daruma.json", NULL);
  JsonArray *vectors;

  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  vectors = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                          "vectors");
  for (guint i = 0; i < json_array_get_length (vectors); i++)
    {
      JsonObject *vector = json_array_get_object_element (vectors, i);

      if (g_str_equal (json_object_get_string_member (vector, "id"), id))
        return vector;
    }
  g_assert_not_reached ();
}

/* Vector s03: each process writes its own map, so that the later one wins. */
static void
test_vector_two_writers (Fixture *fixture, gconstpointer data)
{
  static const char *const writers[] = { "writerA", "writerB" };
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *vector = find_vector (parser, "s03");
  JsonObject *in = json_object_get_object_member (vector, "in");
  JsonObject *expect = json_object_get_object_member (vector, "expect");
  JsonArray *ids = json_object_get_array_member (expect, "fileIds");
  g_autoptr (KbHealthDocument) read = NULL;
  g_autofree char *text = NULL;
  g_autofree char *mode = NULL;
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      g_autoptr (KbHealthDocument) document = kb_health_document_new ();

      set_from_vector (document, json_object_get_object_member (in, writers[i]));
      g_assert_true (kb_health_store_save (fixture->path, document, NULL));
    }
  g_assert_true (g_file_get_contents (fixture->path, &text, &length, NULL));
  g_assert_cmpint (text[length - 1] == '\n', ==,
                   json_object_get_boolean_member (expect, "trailingNewline"));
  mode = g_strdup_printf ("%o", get_mode (fixture->path));
  g_assert_cmpstr (mode, ==, json_object_get_string_member (expect, "mode"));
  read = kb_health_store_load (fixture->path, NULL);
  g_assert_cmpuint (kb_health_document_get_records (read)->len, ==, json_array_get_length (ids));
  for (guint i = 0; i < json_array_get_length (ids); i++)
    g_assert_nonnull (kb_health_document_lookup (read, json_array_get_string_element (ids, i)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define add(path, function)                                                                        \
  g_test_add ("/store/health-store/" path, Fixture, NULL, set_up, function, tear_down)
  add ("save/and-load", test_save_and_load);
  add ("save/makes-folders", test_save_makes_folders);
  add ("save/fails", test_save_fails);
  add ("save/follows-no-link", test_save_follows_no_link);
  add ("load/absent", test_load_absent);
  add ("load/directory", test_load_directory);
  add ("load/fifo", test_load_fifo);
  add ("load/device", test_load_device);
  add ("load/link-loop", test_load_link_loop);
  add ("load/unreadable", test_load_unreadable);
  add ("load/large", test_load_large);
  add ("load/syntax", test_load_syntax);
  add ("vector/s03", test_vector_two_writers);
  return g_test_run ();
}

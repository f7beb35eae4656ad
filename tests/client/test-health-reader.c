// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-health-reader.h"

#include "core/kb-problem.h"
#include "watch-fixture.h"

#define GOOD                                                                                       \
  "{\"healths\":{\"p::m\":{\"channel\":\"p::m\",\"state\":\"HEALTHY\",\"consecutiveFailures\":1,"  \
  "\"cooldownUntilMs\":0,\"updatedAtMs\":5}}}"

typedef struct
{
  char *folder;
  char *path;
  KbHealthReader *reader;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = make_folder ();
  fixture->path = g_build_filename (fixture->folder, "h.json", NULL);
  fixture->reader = kb_health_reader_new ();
  g_assert_true (kb_health_reader_set_path (fixture->reader, fixture->path));
  g_assert_false (kb_health_reader_set_path (fixture->reader, fixture->path));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  kb_health_reader_free (fixture->reader);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static void
read_good (Fixture *fixture)
{
  write_file (fixture->folder, "h.json", GOOD);
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_cmpuint (kb_health_reader_get_problems (fixture->reader)->len, ==, 0);
}

static gboolean
has_record (Fixture *fixture)
{
  KbHealthDocument *document = kb_health_reader_get_document (fixture->reader);

  return document != NULL && kb_health_document_lookup (document, "p::m") != NULL;
}

static const KbProblem *
get_problem (Fixture *fixture, guint index)
{
  const GPtrArray *problems = kb_health_reader_get_problems (fixture->reader);

  g_assert_cmpuint (index, <, problems->len);
  return problems->pdata[index];
}

static void
test_absent (Fixture *fixture, gconstpointer data)
{
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_null (kb_health_reader_get_document (fixture->reader));
  g_assert_true (kb_health_reader_is_known (fixture->reader));
  g_assert_cmpuint (kb_health_reader_get_problems (fixture->reader)->len, ==, 0);
}

static void
test_goes (Fixture *fixture, gconstpointer data)
{
  read_good (fixture);
  g_assert_true (has_record (fixture));
  g_assert_no_errno (g_remove (fixture->path));
  kb_health_reader_read (fixture->reader, FALSE);
  g_assert_true (has_record (fixture));
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_null (kb_health_reader_get_document (fixture->reader));
}

typedef struct
{
  const char *name;
  const char *command;
  const char *code;
} Case;

static const Case cases[] = {
  { "not-json", "echo '{\"healths\":{' >h.json", "health-syntax" },
  { "empty", ": >h.json", "health-syntax" },
  { "other-json", "echo '[1,2]' >h.json", "health-syntax" },
  { "large", "head -c 9000000 /dev/zero >h.json", "health-too-large" },
  { "folder", "rm h.json; mkdir h.json", "health-unreadable" },
  { "fifo", "rm h.json; mkfifo h.json", "health-unreadable" },
  { "circle", "rm h.json; ln -s h.json h.json", "health-unreadable" },
};

/* The last good records stand, and the problem names the file. It goes with its cause. */
static void
test_bad (Fixture *fixture, gconstpointer data)
{
  const Case *test = data;
  const KbProblem *problem;

  read_good (fixture);
  run_shell (fixture->folder, test->command);
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_true (has_record (fixture));
  g_assert_true (kb_health_reader_is_known (fixture->reader));
  g_assert_cmpuint (kb_health_reader_get_problems (fixture->reader)->len, ==, 1);
  problem = get_problem (fixture, 0);
  g_assert_cmpstr (problem->code, ==, test->code);
  g_assert_cmpint (problem->severity, ==, KB_SEVERITY_ERROR);
  g_assert_cmpstr (problem->file, ==, fixture->path);
  g_assert_nonnull (problem->hint);

  run_shell (fixture->folder, "rm -rf h.json");
  read_good (fixture);
  g_assert_true (has_record (fixture));
}

static void
test_bad_from_the_start (Fixture *fixture, gconstpointer data)
{
  write_file (fixture->folder, "h.json", "no");
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_null (kb_health_reader_get_document (fixture->reader));
  g_assert_false (kb_health_reader_is_known (fixture->reader));
  g_assert_cmpstr (get_problem (fixture, 0)->code, ==, "health-syntax");
  g_assert_cmpuint (get_problem (fixture, 0)->line, ==, 1);
  g_assert_cmpuint (get_problem (fixture, 0)->column, ==, 2);

  write_file (fixture->folder, "h.json", "{\n \"é\": x }");
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_cmpuint (get_problem (fixture, 0)->line, ==, 2);
  g_assert_cmpuint (get_problem (fixture, 0)->column, ==, 7);
  write_file (fixture->folder, "h.json", "[]");
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_cmpuint (get_problem (fixture, 0)->line, ==, 0);
  g_assert_true (kb_health_reader_set_path (fixture->reader, "/nowhere/h.json"));
  g_assert_cmpuint (kb_health_reader_get_problems (fixture->reader)->len, ==, 0);
}

static void
write_bad_records (Fixture *fixture, guint n_records)
{
  g_autoptr (GString) json = g_string_new ("{\"healths\":{");

  for (guint i = 0; i < n_records; i++)
    g_string_append_printf (json, "%s\"p::%u\":{\"channel\":\"p::%u\",\"state\":\"ILL\"}",
                            i > 0 ? "," : "", i, i);
  g_string_append (json, "}}");
  write_file (fixture->folder, "h.json", json->str);
}

static void
test_bad_records (Fixture *fixture, gconstpointer data)
{
  const GPtrArray *problems;

  write_bad_records (fixture, KB_HEALTH_PROBLEMS_MAX);
  kb_health_reader_read (fixture->reader, TRUE);
  problems = kb_health_reader_get_problems (fixture->reader);
  g_assert_cmpuint (problems->len, ==, KB_HEALTH_PROBLEMS_MAX);
  g_assert_cmpstr (get_problem (fixture, 0)->code, ==, "health-record");
  g_assert_cmpint (get_problem (fixture, 0)->severity, ==, KB_SEVERITY_WARNING);
  g_assert_nonnull (strstr (get_problem (fixture, 0)->message, "p::0"));
  g_assert_nonnull (strstr (get_problem (fixture, 0)->message, "state"));
  g_assert_cmpuint (get_problem (fixture, 0)->line, ==, 1);
  g_assert_cmpuint (get_problem (fixture, 0)->column, ==, 13);

  write_bad_records (fixture, KB_HEALTH_PROBLEMS_MAX + 7);
  kb_health_reader_read (fixture->reader, TRUE);
  g_assert_cmpuint (problems->len, ==, KB_HEALTH_PROBLEMS_MAX + 1);
  g_assert_nonnull (strstr (get_problem (fixture, KB_HEALTH_PROBLEMS_MAX)->message, "7 more"));
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/health-reader/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("absent", test_absent);
  ADD ("goes", test_goes);
  ADD ("bad-from-the-start", test_bad_from_the_start);
  ADD ("bad-records", test_bad_records);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/client/health-reader/bad/", cases[i].name, NULL);

      g_test_add (path, Fixture, &cases[i], set_up, test_bad, tear_down);
    }
  return g_test_run ();
}

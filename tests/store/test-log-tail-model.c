// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * The tail against a model: random schedules of everything that happens to a log, from fixed
 * seeds. After each read exactly the records that were completed since the last one must have
 * come, in their order.
 */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "log-fixture.h"

#define N_SCHEDULES 60
#define N_STEPS 250

typedef struct
{
  LogFixture *fixture;
  GRand *rand;
  GString *expected; /* serials not yet read */
  gint64 serial;
  char *pending;    /* (nullable) the record that is being written */
  gsize written;    /* bytes of it */
  gboolean moved;   /* the name got another file since the last read */
  gboolean fresh;   /* nothing happened since the last read */
  gboolean emptied; /* since the last read */
} Model;

static gint32
pick (Model *model, gint32 n)
{
  return g_rand_int_range (model->rand, 0, n);
}

static gboolean
exists (Model *model)
{
  return g_file_test (model->fixture->path, G_FILE_TEST_EXISTS);
}

static void
complete (Model *model)
{
  g_string_append_printf (model->expected, "%" G_GINT64_FORMAT " ", model->serial);
  g_clear_pointer (&model->pending, g_free);
}

/* Some bytes of a record, often not all of them. */
static void
write_some (Model *model)
{
  gsize length;
  gsize n;

  if (model->pending == NULL)
    {
      model->serial++;
      model->pending = log_record (model->serial);
      model->written = 0;
    }
  length = strlen (model->pending);
  n = pick (model, 3) == 0 ? (gsize) pick (model, (gint32) (length - model->written)) + 1
                           : length - model->written;
  log_append (model->fixture->path, model->pending + model->written, n);
  model->written += n;
  if (model->written == length)
    complete (model);
}

/* The writer is gone. A record of which only the line end is missing is one nevertheless,
 * once something follows or the file is no longer the log. */
static void
give_up_pending (Model *model)
{
  if (model->pending == NULL)
    return;
  if (model->written + 1 == strlen (model->pending))
    complete (model);
  else
    g_clear_pointer (&model->pending, g_free);
}

static void
kill_writer (Model *model)
{
  if (model->pending == NULL)
    return;
  give_up_pending (model);
  write_some (model);
  while (model->pending != NULL)
    write_some (model);
}

static void
rotate (Model *model)
{
  if (model->moved || !exists (model))
    return;
  give_up_pending (model);
  g_assert_cmpint (g_rename (model->fixture->path, model->fixture->older), ==, 0);
  model->moved = TRUE;
  /* Until there is a new file, the old one is not known to be at its end. */
  write_some (model);
}

static void
replace (Model *model)
{
  g_autofree char *other = g_strconcat (model->fixture->path, ".new", NULL);
  g_autofree char *text = NULL;
  gsize length;

  if (model->moved || !exists (model))
    return;
  g_assert_true (g_file_get_contents (model->fixture->path, &text, &length, NULL));
  if (memchr (text, '\n', length) == NULL)
    return;
  g_assert_true (g_file_set_contents (other, text, (gssize) length, NULL));
  g_assert_cmpint (g_rename (other, model->fixture->path), ==, 0);
  model->moved = TRUE;
}

static void
save_in_place (Model *model)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!exists (model))
    return;
  g_assert_true (g_file_get_contents (model->fixture->path, &text, &length, NULL));
  g_assert_cmpint (truncate (model->fixture->path, 0), ==, 0);
  log_append (model->fixture->path, text, length);
}

static void
empty (Model *model)
{
  if (!model->fresh || model->pending != NULL || !exists (model))
    return;
  g_assert_cmpint (truncate (model->fixture->path, 0), ==, 0);
  model->emptied = TRUE;
}

static void
remove_file (Model *model)
{
  if (!model->fresh || model->pending != NULL || !exists (model))
    return;
  g_assert_cmpint (g_unlink (model->fixture->path), ==, 0);
  model->moved = TRUE;
}

static void
read_and_compare (Model *model)
{
  g_autoptr (GPtrArray) events = kb_log_tail_read (model->fixture->tail, NULL);
  g_autoptr (GPtrArray) records = g_ptr_array_new ();
  g_autoptr (GString) seen = g_string_new (NULL);

  g_assert_nonnull (events);
  for (guint i = 0; i < events->len; i++)
    {
      KbEventKind kind = kb_event_get_fields (events->pdata[i])->kind;

      if (kind == KB_EVENT_FAILOVER)
        g_ptr_array_add (records, events->pdata[i]);
      if (kind == KB_EVENT_GAP)
        g_assert_true (model->emptied);
    }
  log_describe (records, seen);
  g_assert_cmpstr (seen->str, ==, model->expected->str);
  g_string_truncate (model->expected, 0);
  model->moved = FALSE;
  model->emptied = FALSE;
}

static void
step (Model *model)
{
  static void (*const actions[]) (Model *) = {
    write_some,
    write_some,
    write_some,
    write_some,
    write_some,
    write_some,
    write_some,
    write_some,
    kill_writer,
    rotate,
    replace,
    save_in_place,
    empty,
    remove_file,
    rotate,
    read_and_compare,
    read_and_compare,
    read_and_compare,
    read_and_compare,
  };
  void (*action) (Model *) = actions[pick (model, G_N_ELEMENTS (actions))];

  action (model);
  model->fresh = action == read_and_compare;
}

static void
test_schedule (LogFixture *fixture, gconstpointer data)
{
  Model model = { .fixture = fixture, .expected = g_string_new (NULL) };

  model.rand = g_rand_new_with_seed (GPOINTER_TO_UINT (data));
  for (guint i = 0; i < N_STEPS; i++)
    step (&model);
  while (model.pending != NULL)
    write_some (&model);
  read_and_compare (&model);
  g_string_free (model.expected, TRUE);
  g_rand_free (model.rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint seed = 1; seed <= N_SCHEDULES; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/store/log-tail-model/seed-%u", seed);

      g_test_add (path, LogFixture, GUINT_TO_POINTER (seed), log_fixture_set_up, test_schedule,
                  log_fixture_tear_down);
    }
  return g_test_run ();
}

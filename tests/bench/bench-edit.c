// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * How long an edit of a profile of one megabyte takes, from the bytes of the file to the
 * bytes of the new one, proof included; and how much memory, as a multiple of the file. The
 * slower of two layouts counts: rows of block style, flow style with comments. A megabyte of
 * JSON on one line, of which nobody's time is short, counts for memory only. Then the whole
 * of a command: reading the profile, the edit, what lint says of it, saving and the journal.
 * All of it is the time the processor works: neither the disk nor other programs count.
 */

#include "store/kb-edit.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE (1024 * 1024)
#define N_RUNS 15

typedef struct
{
  const char *name;
  char *text; /* owned */
  gboolean extreme;
} Page;

static GString *
begin (const char *text)
{
  return g_string_new (text);
}

static char *
write_rows (void)
{
  g_autoptr (GString) text = begin ("# rows\n");

  for (guint i = 0; text->len < SIZE; i++)
    g_string_append_printf (text,
                            "- id: row-%u # of many\n"
                            "  name: dsh-daruma\n"
                            "  config:\n"
                            "    failureBudget: 3\n"
                            "    # the cheap one comes first\n"
                            "    channels:\n"
                            "      - { provider: vendor-%u, model: a-model-of-theirs }\n"
                            "      - { provider: other-%u, model: \"another # model\" } # spare\n"
                            "\n",
                            i, i, i);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static char *
write_flow (void)
{
  g_autoptr (GString) text = begin ("[\n");

  for (guint i = 0; text->len < SIZE; i++)
    g_string_append_printf (text,
                            "  # row %u, see the notes\n"
                            "  { id: row-%u, name: dsh-daruma, config: { channels: [\n"
                            "    { provider: vendor-%u, model: a-model }, # main\n"
                            "    { provider: other-%u, model: 'another model' },\n"
                            "  ] } },\n",
                            i, i, i, i);
  g_string_append (text, "]\n");
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static char *
write_line (void)
{
  g_autoptr (GString) text = begin ("[");

  for (guint i = 0; text->len < SIZE; i++)
    g_string_append_printf (text, "{\"id\": \"row-%u\", \"name\": \"a name of some length\"}, ", i);
  g_string_append (text, "{}]\n");
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static KbYamlChange *
make_change (guint run)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_new ();
  g_autoptr (KbYamlTree) value = kb_yaml_tree_new_string ("a new name");

  kb_yaml_path_add_index (path, 700 + run);
  if (run % 3 == 0)
    return kb_yaml_change_new_move (path, 0);
  if (run % 3 == 1)
    return kb_yaml_change_new_remove (path);
  kb_yaml_path_add_key (path, "name");
  return kb_yaml_change_new_set (path, value);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double *left = a, *right = b;

  return *left < *right ? -1 : *left > *right;
}

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1000000;
}

static double
measure_once (GBytes *bytes, guint run)
{
  g_autoptr (KbYamlChange) change = make_change (run);
  g_autoptr (GError) error = NULL;
  double start_ms = get_cpu_ms ();
  g_autoptr (GBytes) after = kb_yaml_edit_apply (bytes, change, KB_YAML_EDIT_DEFAULT, &error);

  if (after == NULL)
    {
      g_printerr ("bench-edit: %s\n", error->message);
      exit (EXIT_FAILURE);
    }
  return get_cpu_ms () - start_ms;
}

static double
measure_median (GBytes *bytes)
{
  double times[N_RUNS];

  for (guint i = 0; i < N_RUNS; i++)
    times[i] = measure_once (bytes, i);
  qsort (times, N_RUNS, sizeof *times, compare_doubles);
  return times[N_RUNS / 2];
}

/* The peak of the process, which the kernel forgets when told so. */
static gsize
read_peak (gboolean forget)
{
  g_autofree char *status = NULL;
  const char *line;

  if (forget
      && !g_file_set_contents_full ("/proc/self/clear_refs", "5", 1, G_FILE_SET_CONTENTS_NONE, 0600,
                                    NULL))
    return 0;
  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  line = strstr (status, "VmHWM:");
  return line != NULL ? (gsize) g_ascii_strtoull (line + 6, NULL, 10) * 1024 : 0;
}

static double
measure_memory (GBytes *bytes)
{
  gsize before;

  malloc_trim (0);
  before = read_peak (TRUE);
  measure_once (bytes, 0);
  return (double) (read_peak (FALSE) - before) / (double) g_bytes_get_size (bytes);
}

static char *
write_profile (void)
{
  g_autoptr (GString) text
      = begin ("- id: dsh-daruma\n"
               "  config:\n"
               "    cooldownMs: 30000 # tuned\n"
               "    channels:\n"
               "      - { provider: deepseek-official, model: deepseek-v4-pro }\n");

  for (guint i = 0; text->len < SIZE; i++)
    g_string_append_printf (text,
                            "\n# a row of somebody else\n"
                            "- id: row-%u\n"
                            "  config:\n"
                            "    budget: 3\n"
                            "    # the cheap one comes first\n"
                            "    list:\n"
                            "      - { provider: vendor-%u, model: a-model-of-theirs }\n"
                            "      - { provider: other-%u, model: \"another # model\" } # spare\n",
                            i, i, i);
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, text, -1, &error))
    {
      g_printerr ("bench-edit: %s\n", error->message);
      exit (EXIT_FAILURE);
    }
}

static double
command_once (const char *home, const char *state, guint run)
{
  g_autoptr (KbYamlPath) path = kb_yaml_path_parse ("dsh-daruma.cooldownMs", NULL);
  g_autofree char *text = g_strdup_printf ("%u", run % 2 == 0 ? 40000 : 5000 + run);
  g_autoptr (KbYamlTree) value = kb_yaml_tree_from_text (text, NULL);
  g_autoptr (GError) error = NULL;
  double start_ms = get_cpu_ms ();
  g_autoptr (KbEdit) edit = kb_edit_new (home, "bench", state, &error);

  if (edit == NULL || !kb_edit_set (edit, path, value, &error) || !kb_edit_check (edit, &error)
      || !kb_edit_save (edit, "bench", &error))
    {
      g_printerr ("bench-edit: %s\n", error->message);
      exit (EXIT_FAILURE);
    }
  return get_cpu_ms () - start_ms;
}

static double
measure_command (void)
{
  g_autofree char *home = g_dir_make_tmp ("koboshi-bench-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (home, "profiles", "bench", NULL);
  g_autofree char *state = g_build_filename (home, "state", NULL);
  g_autofree char *text = write_profile ();
  const char *const sweep[] = { "rm", "-rf", home, NULL };
  double times[N_RUNS];

  g_mkdir_with_parents (folder, 0700);
  g_mkdir_with_parents (state, 0700);
  write_file (folder, "package.json", "{\"dsh\":{\"profile\":{\"bundles\":[\"dsh-daruma\"]}}}");
  write_file (folder, "cordis.patch.yml", text);
  for (guint i = 0; i < N_RUNS; i++)
    times[i] = command_once (home, state, i);
  qsort (times, N_RUNS, sizeof *times, compare_doubles);
  g_spawn_sync (NULL, (char **) sweep, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  return times[N_RUNS / 2];
}

int
main (void)
{
  Page pages[] = { { "rows", write_rows (), FALSE },
                   { "flow", write_flow (), FALSE },
                   { "line", write_line (), TRUE } };
  double slowest = 0, largest = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_take (pages[i].text, strlen (pages[i].text));
      double memory = measure_memory (bytes);
      double median_ms = measure_median (bytes);

      g_printerr ("# %s: %.1f ms, %.1f times the file\n", pages[i].name, median_ms, memory);
      largest = MAX (largest, memory);
      if (!pages[i].extreme)
        slowest = MAX (slowest, median_ms);
    }
  g_print ("figure edit-1mb-median %.1f ms\n", slowest);
  g_print ("figure edit-1mb-memory %.1f x\n", largest);
  g_print ("figure edit-1mb-command-median %.1f ms\n", measure_command ());
  return EXIT_SUCCESS;
}

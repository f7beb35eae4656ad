// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * How long it takes from the replacement of a health file to the monitor's word that the
 * channel has its new state. A real home, real files, the plugin's way of saving; the changes
 * come at uneven intervals, as failures do.
 */

#include "client/kb-monitor.h"
#include "store/kb-health-store.h"
#include "../support/folder.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#define N_CHANGES 200
#define N_WARM_UP 5
#define LIMIT_US (10 * G_USEC_PER_SEC)
#define PAUSE_MIN_MS 20
#define PAUSE_MAX_MS 180

#define CHANNEL "lumen::orca"

typedef struct
{
  char *home;
  char *state_file;
  KbClock *clock;
  KbMonitor *monitor;
  GRand *rand;
  GArray *delays_ms; /* double */
} Bench;

static void
write_text (const char *home, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (home, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0700);
  if (!g_file_set_contents (path, text, -1, &error))
    {
      g_printerr ("%s\n", error->message);
      exit (EXIT_FAILURE);
    }
}

static void
make_home (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  bench->home = g_dir_make_tmp ("koboshi-bench-XXXXXX", &error);
  if (bench->home == NULL)
    {
      g_printerr ("%s\n", error->message);
      exit (EXIT_FAILURE);
    }
  write_text (bench->home, "profiles/web/package.json",
              "{\"dsh\":{\"profile\":{\"bundles\":[\"dsh-daruma\"]}}}\n");
  write_text (bench->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n"
              "  name: dsh-daruma\n"
              "  config:\n"
              "    channels:\n"
              "      - { provider: lumen, model: orca }\n"
              "      - { provider: nimbus, model: heron }\n");
  write_text (bench->home, "daruma/failover-log.jsonl", "");
  bench->state_file = g_build_filename (bench->home, "daruma", "channel-health.json", NULL);
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
pause_for (guint milliseconds)
{
  gint64 end_us = g_get_monotonic_time () + milliseconds * 1000;
  guint id = g_timeout_add (5, wake_cb, NULL);

  while (g_get_monotonic_time () < end_us)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (id);
}

static gint64
shown_until (Bench *bench)
{
  KbChannelList *channels = KB_CHANNEL_LIST (kb_monitor_get_channels (bench->monitor));
  KbChannel *channel = kb_channel_list_lookup (channels, CHANNEL);

  return channel != NULL ? kb_channel_get_breaker (channel).until_ms : 0;
}

static void
save (Bench *bench, gint64 until_ms)
{
  g_autoptr (KbHealthDocument) document = kb_health_document_new ();
  g_autoptr (GError) error = NULL;
  KbBreaker breaker = { .state = KB_CHANNEL_STATE_COOLDOWN,
                        .failures = 3,
                        .until_ms = until_ms,
                        .updated_ms = until_ms - KB_DARUMA_COOLDOWN_MS };

  kb_health_document_set (document, CHANNEL, breaker);
  if (kb_health_store_save (bench->state_file, document, &error))
    return;
  g_printerr ("%s\n", error->message);
  exit (EXIT_FAILURE);
}

/* The clock starts before the file is written: the figure includes that. */
static double
measure_once (Bench *bench, gint64 until_ms)
{
  gint64 start_us = g_get_monotonic_time ();

  save (bench, until_ms);
  while (shown_until (bench) != until_ms)
    {
      if (g_get_monotonic_time () - start_us > LIMIT_US)
        {
          g_printerr ("bench-watch: a change was not seen\n");
          exit (EXIT_FAILURE);
        }
      g_main_context_iteration (NULL, TRUE);
    }
  return (double) (g_get_monotonic_time () - start_us) / 1000;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double *left = a, *right = b;

  return *left < *right ? -1 : *left > *right;
}

static void
run (Bench *bench)
{
  gint64 base_ms = kb_clock_get_now_ms (bench->clock) + 3600000;
  guint keep_awake = g_timeout_add (1000, wake_cb, NULL);

  for (guint i = 0; i < N_WARM_UP + N_CHANGES; i++)
    {
      double delay_ms = measure_once (bench, base_ms + i);

      if (i >= N_WARM_UP)
        g_array_append_val (bench->delays_ms, delay_ms);
      pause_for ((guint) g_rand_int_range (bench->rand, PAUSE_MIN_MS, PAUSE_MAX_MS));
    }
  g_source_remove (keep_awake);
}

static void
print_figures (Bench *bench)
{
  g_array_sort (bench->delays_ms, compare_doubles);
  g_print ("figure watch-p95 %.1f ms\n",
           g_array_index (bench->delays_ms, double, N_CHANGES * 95 / 100 - 1));
  g_print ("figure watch-median %.1f ms\n",
           g_array_index (bench->delays_ms, double, N_CHANGES / 2));
}

int
main (void)
{
  Bench bench = { 0 };

  make_home (&bench);
  bench.clock = kb_clock_new_system ();
  bench.monitor = kb_monitor_new (bench.home, "web", bench.clock);
  bench.rand = g_rand_new_with_seed (20260911);
  bench.delays_ms = g_array_new (FALSE, FALSE, sizeof (double));
  kb_monitor_set_visible (bench.monitor, TRUE);
  kb_monitor_start (bench.monitor);
  run (&bench);
  print_figures (&bench);

  g_object_unref (bench.monitor);
  g_object_unref (bench.clock);
  g_rand_free (bench.rand);
  g_array_unref (bench.delays_ms);
  remove_tree (bench.home);
  g_free (bench.home);
  g_free (bench.state_file);
  return EXIT_SUCCESS;
}

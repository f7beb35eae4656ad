// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-models.h"

#include <string.h>

#define SECOND_US G_USEC_PER_SEC

static KbSimFault *
parse_fault (const char *options)
{
  g_autoptr (GError) error = NULL;
  KbSimFault *fault = kb_sim_fault_new ();

  kb_sim_fault_parse (fault, options, &error);
  g_assert_no_error (error);
  return fault;
}

static void
test_options (void)
{
  g_autoptr (KbSimFault) fault
      = parse_fault ("status=503+retry-after=1.5s,wait=2m+token=250+gzip+usage=no+chance=0.5"
                     "+end=reset+error=overloaded+run=x y");

  g_assert_cmpint (fault->status, ==, 503);
  g_assert_cmpint (fault->retry_after_ms, ==, 1500);
  g_assert_cmpint (fault->wait_ms, ==, 120000);
  g_assert_cmpint (fault->token_ms, ==, 250);
  g_assert_true (fault->gzip);
  g_assert_false (fault->usage);
  g_assert_true (fault->done);
  g_assert_cmpfloat (fault->chance, ==, 0.5);
  g_assert_cmpint (fault->end, ==, KB_SIM_END_RESET);
  g_assert_cmpstr (fault->error, ==, "overloaded");
  g_assert_cmpint (fault->cut, ==, -1);
}

static void
test_rate (void)
{
  g_autoptr (KbSimFault) fault = parse_fault ("tps=20");

  g_assert_cmpint (fault->token_ms, ==, 50);
}

static void
test_refused_options (void)
{
  static const char *const cases[] = {
    "nothing=1", "status=abc", "status=99", "status=600", "status=-1", "wait=5x",      "wait=",
    "times=x",   "chance=2",   "end=later", "gzip=maybe", "tps=0",     "message=a\nb", "wait=1e99",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbSimFault) fault = kb_sim_fault_new ();
      g_autoptr (GError) error = NULL;

      g_assert_false (kb_sim_fault_parse (fault, cases[i], &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
}

/* Every fault that the manual lists can be set. */
static void
test_described (void)
{
  static const char *const values[] = { "1", "no", "close", "json", "lf", "yes", NULL };
  const char *key, *what;
  guint n = 0;

  for (; kb_sim_fault_describe (n, &key, &what); n++)
    {
      g_autoptr (KbSimFault) fault = kb_sim_fault_new ();
      gboolean set = FALSE;

      for (guint i = 0; values[i] != NULL && !set; i++)
        set = kb_sim_fault_set (fault, key, g_str_equal (key, "status") ? "200" : values[i], NULL);
      g_assert_true (set);
      g_assert_cmpuint (strlen (what), >, 5);
    }
  g_assert_cmpuint (n, >, 40);
}

static const KbSimFault *
next (KbSimModels *models, const char *name, gint64 now_us)
{
  g_autoptr (GError) error = NULL;
  guint32 seed;
  const KbSimFault *fault = kb_sim_models_next (models, name, now_us, &seed, &error);

  g_assert_no_error (error);
  return fault;
}

static gint64
next_status (KbSimModels *models, const char *name, gint64 now_us)
{
  return next (models, name, now_us)->status;
}

static void
test_benchmark (void)
{
  g_autoptr (KbSimModels) models = kb_sim_models_new (kb_sim_scripts_new (), 0, 1);

  g_assert_cmpint (next_status (models, "fb-ok", 0), ==, 200);
  g_assert_true (next (models, "fb-ok-run7", 0)->prefill);
  g_assert_false (next (models, "fb-ok-noprefill", 0)->prefill);
  g_assert_false (next (models, "fb-ok-noprefill-2", 0)->prefill);
  g_assert_cmpint (next (models, "fb-s01", 0)->retry_after_ms, ==, 2000);
  g_assert_cmpint (next_status (models, "fb-s01", 0), ==, 200);
  for (guint i = 0; i < 50; i++)
    {
      g_assert_cmpint (next_status (models, "fb-s02", 0), ==, 429);
      g_assert_cmpint (next_status (models, "fb-s04", 0), ==, 503);
      g_assert_cmpint (next_status (models, "fb-s16", 0), ==, 503);
    }
  g_assert_cmpint (next_status (models, "fb-s03", 0), ==, 500);
  g_assert_cmpint (next_status (models, "fb-s03", 0), ==, 200);
  g_assert_cmpint (next (models, "fb-s05", 0)->fail, ==, KB_SIM_FAIL_RESET);
  g_assert_cmpint (next (models, "fb-s05", 0)->fail, ==, KB_SIM_FAIL_NO);
  g_assert_cmpint (next (models, "fb-s06", 0)->wait_ms, ==, 120000);
  g_assert_cmpint (next (models, "fb-s07", 0)->first_token_ms, ==, 20000);
  g_assert_cmpint (next (models, "fb-s08", 0)->cut, ==, 40);
  g_assert_cmpint (next (models, "fb-s09", 0)->silent_ms, ==, 30000);
  g_assert_cmpint (next (models, "fb-s10", 0)->malformed, ==, 20);
  g_assert_false (next (models, "fb-s11", 0)->done);
  g_assert_cmpstr (next (models, "fb-s12", 0)->error, ==, "context_length_exceeded");
  g_assert_cmpstr (next (models, "fb-s13", 0)->error, ==, "content_policy_violation");
  g_assert_cmpint (next (models, "fb-s14", 0)->cut, ==, 40);
}

/* From its first attempt on, and shorter if all waits are. */
static void
test_outage (void)
{
  g_autoptr (KbSimModels) models = kb_sim_models_new (kb_sim_scripts_new (), 0, 0.5);

  g_assert_cmpint (next_status (models, "fb-s15", 1000 * SECOND_US), ==, 503);
  g_assert_cmpint (next_status (models, "fb-s15", 1030 * SECOND_US - 1), ==, 503);
  g_assert_cmpint (next_status (models, "fb-s15", 1030 * SECOND_US), ==, 200);
  g_assert_cmpint (next_status (models, "fb-s15", 1031 * SECOND_US), ==, 200);
  g_assert_cmpint (next_status (models, "fb-s15-other", 1031 * SECOND_US), ==, 503);
}

/* Every full name counts for itself; a reset makes all new. */
static void
test_suffix (void)
{
  g_autoptr (KbSimModels) models = kb_sim_models_new (kb_sim_scripts_new (), 0, 1);

  g_assert_cmpint (next_status (models, "fb-s01-a", 0), ==, 429);
  g_assert_cmpint (next_status (models, "fb-s01-b", 0), ==, 429);
  g_assert_cmpint (next_status (models, "fb-s01-a", 0), ==, 200);
  kb_sim_models_reset (models);
  g_assert_cmpint (next_status (models, "fb-s01-a", 0), ==, 429);
}

static void
test_unknown (void)
{
  static const char *const cases[] = { "gpt", "fb-s01x", "fb-", "fb", "", "sim", "sim-status=9" };
  g_autoptr (KbSimModels) models = kb_sim_models_new (kb_sim_scripts_new (), 0, 1);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint32 seed;

      g_assert_null (kb_sim_models_next (models, cases[i], 0, &seed, &error));
      g_assert_nonnull (error);
    }
}

static KbSimModels *
load (const char *script)
{
  g_autoptr (GError) error = NULL;
  KbSimScripts *scripts = kb_sim_scripts_parse (script, strlen (script), &error);

  g_assert_no_error (error);
  return kb_sim_models_new (scripts, 0, 1);
}

static void
test_steps (void)
{
  g_autoptr (KbSimModels) models
      = load ("{\"models\": {\"flaky\": {\"token\": \"20ms\", \"steps\": ["
              "{\"times\": 2, \"status\": 503}, {\"for\": \"10s\", \"cut\": 4, \"gzip\": true}]},"
              "\"short\": \"tokens=5+status=429+times=1\", \"fb-ok\": {\"status\": 402}}}");

  g_assert_cmpint (next_status (models, "flaky", 0), ==, 503);
  g_assert_cmpint (next (models, "flaky", 0)->token_ms, ==, 20);
  g_assert_cmpint (next (models, "flaky", 5 * SECOND_US)->cut, ==, 4);
  g_assert_true (next (models, "flaky", 14 * SECOND_US)->gzip);
  g_assert_cmpint (next (models, "flaky", 15 * SECOND_US)->cut, ==, -1);
  g_assert_cmpint (next (models, "flaky", 15 * SECOND_US)->token_ms, ==, 20);
  g_assert_cmpint (next_status (models, "short-1", 0), ==, 429);
  g_assert_cmpint (next (models, "short-1", 0)->tokens, ==, 5);
  g_assert_cmpint (next_status (models, "fb-ok", 0), ==, 402);
  g_assert_cmpint (next_status (models, "fb-s04", 0), ==, 503);
}

static void
test_refused_scripts (void)
{
  static const char *const cases[] = {
    "",
    "[]",
    "{}",
    "{\"models\": []}",
    "{\"models\": {\"a\": 1}}",
    "{\"models\": {\"a\": \"x=1\"}}",
    "{\"models\": {\"a\": {\"status\": []}}}",
    "{\"models\": {\"a\": {\"steps\": [1]}}}",
    "{\"models\": {\"a\": {\"steps\": [{\"wait\": \"soon\"}]}}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kb_sim_scripts_parse (cases[i], strlen (cases[i]), &error));
      g_assert_nonnull (error);
    }
}

static char *
draw (guint32 seed, const char *name)
{
  g_autoptr (KbSimModels) models = kb_sim_models_new (kb_sim_scripts_new (), seed, 1);
  GString *drawn = g_string_new (NULL);

  for (guint i = 0; i < 64; i++)
    g_string_append_c (drawn, next_status (models, name, 0) == 500 ? 'x' : '.');
  return g_string_free_and_steal (drawn);
}

/* The same seed, the same luck; another seed or another name, another. */
static void
test_seed (void)
{
  g_autofree char *one = draw (1, "sim-status=500+chance=0.5");
  g_autofree char *again = draw (1, "sim-status=500+chance=0.5");
  g_autofree char *other_seed = draw (2, "sim-status=500+chance=0.5");
  g_autofree char *other_name = draw (1, "sim-status=500+chance=0.5+run=2");

  g_assert_cmpstr (one, ==, again);
  g_assert_cmpstr (one, !=, other_seed);
  g_assert_cmpstr (one, !=, other_name);
  g_assert_nonnull (strchr (one, 'x'));
  g_assert_nonnull (strchr (one, '.'));
}

/* The oldest of very many names is forgotten, and begins again. */
static void
test_many (void)
{
  g_autoptr (KbSimModels) models = kb_sim_models_new (kb_sim_scripts_new (), 0, 1);

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *name = g_strdup_printf ("fb-s01-%u", i);

      g_assert_cmpint (next_status (models, name, 0), ==, 429);
    }
  g_assert_cmpint (next_status (models, "fb-s01-0", 0), ==, 200);
  g_assert_cmpint (next_status (models, "fb-s01-new", 0), ==, 429);
  g_assert_cmpint (next_status (models, "fb-s01-1", 0), ==, 200);
  g_assert_cmpint (next_status (models, "fb-s01-0", 0), ==, 429);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulator/fault/options", test_options);
  g_test_add_func ("/simulator/fault/rate", test_rate);
  g_test_add_func ("/simulator/fault/refused", test_refused_options);
  g_test_add_func ("/simulator/fault/described", test_described);
  g_test_add_func ("/simulator/models/benchmark", test_benchmark);
  g_test_add_func ("/simulator/models/outage", test_outage);
  g_test_add_func ("/simulator/models/suffix", test_suffix);
  g_test_add_func ("/simulator/models/unknown", test_unknown);
  g_test_add_func ("/simulator/models/many", test_many);
  g_test_add_func ("/simulator/models/seed", test_seed);
  g_test_add_func ("/simulator/script/steps", test_steps);
  g_test_add_func ("/simulator/script/refused", test_refused_scripts);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The judge on its own, against gateways that lie. */

#include "client/kb-drill-judge.h"

#include <string.h>

#define TEXT "one two three"
#define STEP_MS 500

typedef struct
{
  const char *id;
  const char *text;
  const char *error; /* (nullable) */
  int status;
  gboolean whole;
  gboolean finished;
  gboolean hung;
  gboolean dead;          /* the gateway */
  guint n_primary;        /* STEP_MS apart */
  guint n_fallback;       /* one after the other */
  gint64 primary_took_ms; /* 0 = at once */
  int fallback_status;    /* 0 = 200 */
  gint64 step_ms;         /* 0 = STEP_MS */
  const char *model;      /* NULL = the next channel's; "" = none */
  gint64 tokens;          /* 0 = some; -1 = not told */
} Story;

static const KbDrillScenario *
find (const char *id)
{
  gsize n;
  const KbDrillScenario *scenarios = kb_drill_scenarios (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (scenarios[i].id, id))
      return &scenarios[i];
  g_assert_not_reached ();
}

static void
add_attempts (GArray *attempts, guint n, gint64 step_ms, gint64 took_ms, int status)
{
  for (guint i = 0; i < n; i++)
    {
      KbDrillAttempt attempt = { .begun_ms = 1000000 + step_ms * i, .status = status };

      attempt.ended_ms = attempt.begun_ms + took_ms;
      attempt.is_whole = TRUE;
      g_array_append_val (attempts, attempt);
    }
}

static KbDrillSight *
see (const Story *story)
{
  KbDrillSight *sight = g_new0 (KbDrillSight, 1);

  sight->text = g_string_new (story->text);
  sight->status = story->status;
  sight->is_whole = story->whole;
  sight->has_finished = story->finished;
  sight->is_hung = story->hung;
  sight->has_error = story->error != NULL;
  sight->error = g_strdup (story->error);
  sight->model = g_strdup (story->model == NULL    ? "next"
                           : *story->model == '\0' ? NULL
                                                   : story->model);
  sight->output_tokens = story->tokens != 0 ? story->tokens : 3;
  return sight;
}

static KbDrillVerdict
judge (const Story *story, double scale, char **why)
{
  g_autoptr (GPtrArray) sights
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_drill_sight_free);
  g_autoptr (GArray) primary = g_array_new (FALSE, FALSE, sizeof (KbDrillAttempt));
  g_autoptr (GArray) fallback = g_array_new (FALSE, FALSE, sizeof (KbDrillAttempt));
  KbDrillEvidence evidence = {
    .scenario = find (story->id),
    .scale = scale,
    .expected = TEXT,
    .next_model = "next",
    .sights = sights,
    .primary = primary,
    .fallback = fallback,
    .is_alive = !story->dead,
  };

  g_ptr_array_add (sights, see (story));
  add_attempts (primary, story->n_primary, story->step_ms != 0 ? story->step_ms : STEP_MS,
                story->primary_took_ms, 503);
  add_attempts (fallback, story->n_fallback, 1, 0,
                story->fallback_status != 0 ? story->fallback_status : 200);
  return kb_drill_judge (&evidence, why);
}

static void
expect (const char *name, Story story, KbDrillVerdict verdict)
{
  g_autofree char *why = NULL;
  KbDrillVerdict got = judge (&story, 1, &why);

  g_test_message ("%s: %s", name, why);
  g_assert_cmpstr (kb_drill_verdict_to_string (got), ==, kb_drill_verdict_to_string (verdict));
  g_assert_true (g_utf8_validate (why, -1, NULL) && *why != '\0');
}

#define GOOD(primary, fallback)                                                                    \
  .text = TEXT, .status = 200, .whole = TRUE, .finished = TRUE, .n_primary = (primary),            \
  .n_fallback = (fallback)

static void
test_pass (void)
{
  gsize n;
  const KbDrillScenario *scenarios = kb_drill_scenarios (&n);

  g_assert_cmpuint (n, ==, 16);
  for (gsize i = 0; i < n; i++)
    {
      Story story = { .id = scenarios[i].id, GOOD (2, 1), .step_ms = 2000 };

      if (scenarios[i].outage_ms > 0 || scenarios[i].wants_refusal)
        continue;
      if (scenarios[i].good_attempts == 1 || scenarios[i].most_attempts == 1)
        story.n_primary = 1;
      expect (scenarios[i].id, story, KB_DRILL_PASS);
    }
}

/* A lie is a failure whatever was rescued, and whichever scenario it was. */
static void
test_lies (void)
{
  gsize n;
  const KbDrillScenario *scenarios = kb_drill_scenarios (&n);

  for (gsize i = 0; i < n; i++)
    {
      const char *id = scenarios[i].id;
      const Story good = { .id = id, GOOD (1, 1) };
      Story story = good;

      story.text = "one two";
      expect ("a part as the whole", story, KB_DRILL_FAIL);
      story.finished = FALSE;
      expect ("a part that simply ends", story, KB_DRILL_FAIL);
      story.text = "";
      expect ("nothing as the whole", story, KB_DRILL_FAIL);
      story = good;
      story.finished = FALSE;
      expect ("no mark of the end", story, KB_DRILL_FAIL);
      story = good;
      story.text = "one two two three";
      expect ("a piece twice", story, KB_DRILL_FAIL);
      story.error = "TRANSPORT: cut";
      expect ("a piece twice, then an error", story, KB_DRILL_FAIL);
      story = good;
      story.text = TEXT TEXT;
      expect ("the answer twice", story, KB_DRILL_FAIL);
      story = good;
      story.hung = TRUE;
      expect ("no end", story, KB_DRILL_FAIL);
      story = (Story) { .id = id };
      expect ("not even a head", story, KB_DRILL_FAIL);
      story = good;
      story.dead = TRUE;
      expect ("dead afterwards", story, KB_DRILL_FAIL);
    }
}

static void
test_safe (void)
{
  const char *const ids[] = { "S01", "S04", "S06", "S08", "S09", "S12", "S14", "S16" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      Story story = { .id = ids[i], .text = "one", .status = 200, .n_primary = 1 };

      expect ("broken off", story, KB_DRILL_SAFE);
      story.error = "TRANSPORT: cut";
      expect ("an error in the stream", story, KB_DRILL_SAFE);
      story.whole = TRUE;
      expect ("an error in the stream, and an orderly end", story, KB_DRILL_SAFE);
      story = (Story) { .id = ids[i],
                        .text = "",
                        .status = 503,
                        .whole = TRUE,
                        .n_primary = 1,
                        .error = "SERVER: no" };
      expect ("an error answer", story, KB_DRILL_SAFE);
    }
}

static void
test_conduct (void)
{
  expect ("waits as it was asked", (Story) { .id = "S01", GOOD (2, 1), .step_ms = 2000 },
          KB_DRILL_PASS);
  expect ("does not wait", (Story) { .id = "S01", GOOD (2, 1), .step_ms = 1900 }, KB_DRILL_PARTIAL);
  expect ("leaves at once", (Story) { .id = "S01", GOOD (1, 1) }, KB_DRILL_PARTIAL);
  expect ("leaves at once", (Story) { .id = "S03", GOOD (1, 1) }, KB_DRILL_PARTIAL);
  expect ("asks a silent one again", (Story) { .id = "S06", GOOD (2, 1) }, KB_DRILL_PARTIAL);
  expect ("leaves a silent one", (Story) { .id = "S06", GOOD (1, 1), .primary_took_ms = 60000 },
          KB_DRILL_PASS);
  expect ("leaves a silent one late",
          (Story) { .id = "S06", GOOD (1, 1), .primary_took_ms = 90000 }, KB_DRILL_PARTIAL);
  expect ("waits for a slow one", (Story) { .id = "S07", GOOD (1, 0), .primary_took_ms = 21000 },
          KB_DRILL_PARTIAL);
  expect ("leaves a slow one", (Story) { .id = "S07", GOOD (1, 1), .primary_took_ms = 10000 },
          KB_DRILL_PASS);
  expect ("no usage", (Story) { .id = "S11", GOOD (2, 1), .tokens = -1 }, KB_DRILL_PARTIAL);
  expect ("no usage", (Story) { .id = "S16", GOOD (2, 1), .tokens = -1 }, KB_DRILL_PARTIAL);
  expect ("another's name", (Story) { .id = "S16", GOOD (2, 1), .model = "first" },
          KB_DRILL_PARTIAL);
  expect ("no name", (Story) { .id = "S16", GOOD (2, 1), .model = "" }, KB_DRILL_PARTIAL);
}

static void
test_hammering (void)
{
  expect ("six in six seconds", (Story) { .id = "S02", GOOD (6, 1), .step_ms = 1000 },
          KB_DRILL_PASS);
  expect ("six at once", (Story) { .id = "S02", GOOD (6, 1), .step_ms = 10 }, KB_DRILL_FAIL);
  expect ("seven", (Story) { .id = "S04", GOOD (7, 1), .step_ms = 10000 }, KB_DRILL_FAIL);
  expect ("the next one six times", (Story) { .id = "S04", GOOD (2, 6) }, KB_DRILL_FAIL);
  expect ("too long twice", (Story) { .id = "S12", GOOD (2, 1) }, KB_DRILL_FAIL);
  expect ("refused twice", (Story) { .id = "S13", GOOD (2, 1) }, KB_DRILL_FAIL);
}

static void
test_refusal (void)
{
  Story story = { .id = "S13",
                  .text = "",
                  .status = 400,
                  .whole = TRUE,
                  .n_primary = 1,
                  .error = "content_policy_violation: no" };

  expect ("handed on", story, KB_DRILL_PASS);
  story.error = "invalid_request_error: Output blocked by content filtering policy";
  expect ("handed on in the other dialect", story, KB_DRILL_PASS);
  story.error = "SERVER: every channel failed";
  expect ("hidden", story, KB_DRILL_PARTIAL);
  expect ("gone around", (Story) { .id = "S13", GOOD (1, 1) }, KB_DRILL_PARTIAL);
}

/* A refused prefill is the gateway's own doing: it must not take the place of the cut. */
static void
test_masked (void)
{
  Story story = { .id = "S14",
                  .text = "one",
                  .status = 200,
                  .error = "invalid_request: no prefill",
                  .n_primary = 1,
                  .n_fallback = 1,
                  .fallback_status = 400 };

  expect ("masked", story, KB_DRILL_FAIL);
  story.n_fallback = 0;
  expect ("told", story, KB_DRILL_SAFE);
  expect ("made good", (Story) { .id = "S14", GOOD (1, 1), .fallback_status = 400 }, KB_DRILL_PASS);
}

/* Where everything is faster, limits are too. */
static void
test_scale (void)
{
  g_autofree char *why = NULL;
  g_autofree char *why_not = NULL;
  Story story = { .id = "S01", GOOD (2, 1), .step_ms = 200 };

  g_assert_cmpint (judge (&story, 0.1, &why), ==, KB_DRILL_PASS);
  story.step_ms = 190;
  g_assert_cmpint (judge (&story, 0.1, &why_not), ==, KB_DRILL_PARTIAL);
}

/* ---- the outage ---- */

typedef struct
{
  guint n_requests; /* 4 s apart */
  guint n_refused;  /* the first ones get an error */
  guint n_attempts; /* at the first channel in the outage, 3.5 s apart */
  gint64 back_ms;   /* it serves so long after its outage; -1 = never */
} Outage;

static KbDrillVerdict
judge_outage (Outage outage)
{
  g_autoptr (GPtrArray) sights
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_drill_sight_free);
  g_autoptr (GArray) primary = g_array_new (FALSE, FALSE, sizeof (KbDrillAttempt));
  g_autoptr (GArray) fallback = g_array_new (FALSE, FALSE, sizeof (KbDrillAttempt));
  g_autofree char *why = NULL;
  KbDrillEvidence evidence = { .scenario = find ("S15"),
                               .scale = 1,
                               .expected = TEXT,
                               .next_model = "next",
                               .sights = sights,
                               .primary = primary,
                               .fallback = fallback,
                               .is_alive = TRUE };

  for (guint i = 0; i < outage.n_requests; i++)
    {
      KbDrillSight *sight = see (&(Story) { .id = "S15", GOOD (2, 1) });

      sight->asked_ms = 4000 * i;
      sight->has_error = i < outage.n_refused;
      g_ptr_array_add (sights, sight);
    }
  add_attempts (primary, outage.n_attempts, 3500, 0, 503);
  if (outage.back_ms >= 0)
    {
      add_attempts (primary, 1, 0, 0, 200);
      g_array_index (primary, KbDrillAttempt, primary->len - 1).begun_ms += 60000 + outage.back_ms;
    }
  return kb_drill_judge (&evidence, &why);
}

static void
test_outage (void)
{
  g_assert_cmpint (judge_outage ((Outage) { 20, 0, 10, 12000 }), ==, KB_DRILL_PASS);
  g_assert_cmpint (judge_outage ((Outage) { 20, 0, 15, 12000 }), ==, KB_DRILL_PASS);
  g_assert_cmpint (judge_outage ((Outage) { 20, 2, 10, 12000 }), ==, KB_DRILL_SAFE);
  g_assert_cmpint (judge_outage ((Outage) { 20, 0, 10, 46000 }), ==, KB_DRILL_PARTIAL);
  g_assert_cmpint (judge_outage ((Outage) { 20, 0, 16, 12000 }), ==, KB_DRILL_PARTIAL);
  g_assert_cmpint (judge_outage ((Outage) { 20, 0, 10, -1 }), ==, KB_DRILL_FAIL);
  g_assert_cmpint (judge_outage ((Outage) { 20, 0, 61, 12000 }), ==, KB_DRILL_FAIL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drill-judge/pass", test_pass);
  g_test_add_func ("/drill-judge/lies", test_lies);
  g_test_add_func ("/drill-judge/safe", test_safe);
  g_test_add_func ("/drill-judge/conduct", test_conduct);
  g_test_add_func ("/drill-judge/hammering", test_hammering);
  g_test_add_func ("/drill-judge/refusal", test_refusal);
  g_test_add_func ("/drill-judge/masked", test_masked);
  g_test_add_func ("/drill-judge/scale", test_scale);
  g_test_add_func ("/drill-judge/outage", test_outage);
  return g_test_run ();
}

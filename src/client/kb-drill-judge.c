// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-drill-judge.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-duration.h"

/* So many attempts at a channel in so short a time are no retry. */
#define HAMMER_ATTEMPTS 5
#define HAMMER_MS 3000

/* Timers and clocks count in milliseconds, and may do so at different places in one. */
#define TICK_MS 5

static const KbDrillAttempt *
get_attempt (const GArray *attempts, guint index)
{
  return &g_array_index (attempts, KbDrillAttempt, index);
}

static const KbDrillSight *
get_sight (const KbDrillEvidence *evidence, guint index)
{
  return g_ptr_array_index (evidence->sights, index);
}

static gint64
scale_of (const KbDrillEvidence *evidence, gint64 ms)
{
  return (gint64) ((double) ms * evidence->scale);
}

static gboolean
is_complete (const KbDrillEvidence *evidence, const KbDrillSight *sight)
{
  return kb_drill_sight_claims_success (sight) && sight->has_finished
         && g_str_equal (sight->text->str, evidence->expected);
}

/* ---- what no rescue makes good ---- */

static char *
find_lie (const KbDrillEvidence *evidence, const KbDrillSight *sight)
{
  if (sight->is_hung)
    return g_strdup (_ ("The answer had no end in time."));
  if (sight->status == 0)
    return g_strdup (_ ("The connection ended without an answer."));
  if (!g_str_has_prefix (evidence->expected, sight->text->str))
    return g_strdup (_ ("The client was given text that is not part of the answer."));
  if (!kb_drill_sight_claims_success (sight) || is_complete (evidence, sight))
    return NULL;
  if (g_str_equal (sight->text->str, evidence->expected))
    return g_strdup (_ ("The answer ended without the mark that it is whole."));
  return g_strdup (_ ("A part of the answer was presented as the whole."));
}

static gboolean
is_hammered (const KbDrillEvidence *evidence, const GArray *attempts)
{
  if (evidence->sights->len > 1) /* then the client asks again and again */
    return FALSE;
  for (guint i = HAMMER_ATTEMPTS; i < attempts->len; i++)
    {
      gint64 first_ms = get_attempt (attempts, i - HAMMER_ATTEMPTS)->begun_ms;

      if (get_attempt (attempts, i)->begun_ms - first_ms < scale_of (evidence, HAMMER_MS))
        return TRUE;
    }
  return FALSE;
}

/* What the next channel said to a request of the gateway's own making hides what happened. */
static gboolean
is_masked (const KbDrillEvidence *evidence)
{
  for (guint i = 0; i < evidence->fallback->len; i++)
    if (get_attempt (evidence->fallback, i)->status == 400)
      return TRUE;
  return FALSE;
}

static char *
find_fault (const KbDrillEvidence *evidence)
{
  char *lie = NULL;

  for (guint i = 0; i < evidence->sights->len && lie == NULL; i++)
    lie = find_lie (evidence, get_sight (evidence, i));
  if (lie != NULL)
    return lie;
  if (!evidence->is_alive)
    return g_strdup (_ ("The gateway no longer served a healthy channel."));
  if (evidence->primary->len > evidence->scenario->most_attempts)
    return g_strdup_printf (_ ("The first channel was asked %u times."), evidence->primary->len);
  if (is_hammered (evidence, evidence->primary) || is_hammered (evidence, evidence->fallback))
    return g_strdup (_ ("A channel was asked again and again without a pause."));
  return NULL;
}

/* ---- what leaves a stain on a rescue ---- */

static gboolean
is_too_early (const KbDrillEvidence *evidence)
{
  const KbDrillScenario *scenario = evidence->scenario;
  gint64 gap_ms;

  if (scenario->least_gap_ms == 0 || evidence->primary->len < 2)
    return FALSE;
  gap_ms
      = get_attempt (evidence->primary, 1)->begun_ms - get_attempt (evidence->primary, 0)->begun_ms;
  return gap_ms + TICK_MS < scale_of (evidence, scenario->least_gap_ms);
}

static gboolean
is_too_patient (const KbDrillEvidence *evidence)
{
  const KbDrillAttempt *first;

  if (evidence->scenario->patience_ms == 0 || evidence->primary->len == 0)
    return FALSE;
  first = get_attempt (evidence->primary, 0);
  return first->ended_ms < 0
         || first->ended_ms - first->begun_ms
                > scale_of (evidence, evidence->scenario->patience_ms);
}

static gboolean
is_unaccounted (const KbDrillEvidence *evidence)
{
  const KbDrillSight *sight = get_sight (evidence, 0);

  if (!evidence->scenario->wants_usage)
    return FALSE;
  return sight->output_tokens < 0
         || (evidence->fallback->len > 0 && g_strcmp0 (sight->model, evidence->next_model) != 0);
}

static char *
find_stain (const KbDrillEvidence *evidence)
{
  const KbDrillScenario *scenario = evidence->scenario;

  if (scenario->wants_retry && evidence->primary->len < 2)
    return g_strdup (_ ("The first channel was left though it was well again at once."));
  if (is_too_early (evidence))
    return g_strdup (_ ("The first channel was asked again before its Retry-After was over."));
  if (scenario->good_attempts > 0 && evidence->primary->len > scenario->good_attempts)
    return g_strdup_printf (_ ("The silent channel was asked %u times."), evidence->primary->len);
  if (is_too_patient (evidence))
    return g_strdup (_ ("The slow channel was waited for though there was another."));
  if (is_unaccounted (evidence))
    return g_strdup (_ ("The answer does not say what it cost and whose it is."));
  return NULL;
}

/* ---- one request ---- */

static gboolean
tells_refusal (const KbDrillEvidence *evidence, const KbDrillSight *sight)
{
  const char *const *refusals = evidence->scenario->refusals;

  for (guint i = 0; i < G_N_ELEMENTS (evidence->scenario->refusals); i++)
    if (sight->error != NULL && refusals[i] != NULL && strstr (sight->error, refusals[i]) != NULL)
      return TRUE;
  return FALSE;
}

static KbDrillVerdict
judge_refusal (const KbDrillEvidence *evidence, char **why)
{
  const KbDrillSight *sight = get_sight (evidence, 0);

  if (is_complete (evidence, sight))
    {
      *why = g_strdup (_ ("Another channel answered what the first one refused."));
      return KB_DRILL_PARTIAL;
    }
  if (!tells_refusal (evidence, sight))
    {
      *why = g_strdup (_ ("The client was not told why the request was refused."));
      return KB_DRILL_PARTIAL;
    }
  *why = g_strdup (_ ("The refusal was handed on."));
  return KB_DRILL_PASS;
}

static KbDrillVerdict
judge_rescue (const KbDrillEvidence *evidence, char **why)
{
  const KbDrillSight *sight = get_sight (evidence, 0);

  if (is_complete (evidence, sight))
    {
      *why = find_stain (evidence);
      if (*why != NULL)
        return KB_DRILL_PARTIAL;
      *why = g_strdup (_ ("The answer is whole."));
      return KB_DRILL_PASS;
    }
  if (is_masked (evidence))
    {
      *why = g_strdup (_ ("The next channel refused what it was sent in place of the request."));
      return KB_DRILL_FAIL;
    }
  *why = sight->error != NULL
             ? g_strdup_printf (_ ("The client was told of the error: %s"), sight->error)
             : g_strdup (_ ("The connection broke off, so that no client takes it for whole."));
  return KB_DRILL_SAFE;
}

/* ---- many requests over an outage ---- */

static gint64
find_outage_end (const KbDrillEvidence *evidence)
{
  gint64 begun_ms = evidence->primary->len > 0 ? get_attempt (evidence->primary, 0)->begun_ms : 0;

  return begun_ms + scale_of (evidence, evidence->scenario->outage_ms);
}

/* How long after the outage the first channel served; -1 = it did not. */
static gint64
find_return (const KbDrillEvidence *evidence)
{
  gint64 end_ms = find_outage_end (evidence);

  for (guint i = 0; i < evidence->primary->len; i++)
    {
      const KbDrillAttempt *attempt = get_attempt (evidence->primary, i);

      if (attempt->status == 200 && attempt->is_whole)
        return MAX (attempt->begun_ms - end_ms, 0);
    }
  return -1;
}

static guint
count_attempts_in_outage (const KbDrillEvidence *evidence)
{
  gint64 end_ms = find_outage_end (evidence);
  guint n = 0;

  for (guint i = 0; i < evidence->primary->len; i++)
    n += get_attempt (evidence->primary, i)->begun_ms < end_ms;
  return n;
}

static guint
count_served (const KbDrillEvidence *evidence)
{
  guint n = 0;

  for (guint i = 0; i < evidence->sights->len; i++)
    n += is_complete (evidence, get_sight (evidence, i));
  return n;
}

static KbDrillVerdict
judge_outage (const KbDrillEvidence *evidence, char **why)
{
  const KbDrillScenario *scenario = evidence->scenario;
  guint n_served = count_served (evidence);
  guint n_attempts = count_attempts_in_outage (evidence);
  gint64 back_ms = find_return (evidence);
  g_autofree char *back = kb_duration_format ((double) MAX (back_ms, 0));

  if (back_ms < 0)
    {
      *why = g_strdup (_ ("The first channel never served again."));
      return KB_DRILL_FAIL;
    }
  *why = g_strdup_printf (_ ("%u of %u requests were served, the first channel was asked %u times "
                             "in its outage, and served again %s after it."),
                          n_served, evidence->sights->len, n_attempts, back);
  if (n_served < evidence->sights->len)
    return KB_DRILL_SAFE;
  /* As if every request had asked it once; how many there were is up to the machine. */
  if (back_ms > scale_of (evidence, scenario->back_ms)
      || n_attempts > scenario->outage_ms / scenario->interval_ms)
    return KB_DRILL_PARTIAL;
  return KB_DRILL_PASS;
}

/**
 * kb_drill_judge:
 * @evidence: what was seen in a scenario, with at least one request
 * @why: (out) (transfer full): a sentence for people
 *
 * Returns: the verdict
 */
KbDrillVerdict
kb_drill_judge (const KbDrillEvidence *evidence, char **why)
{
  g_return_val_if_fail (evidence != NULL && why != NULL, KB_DRILL_FAIL);
  g_return_val_if_fail (evidence->sights->len > 0, KB_DRILL_FAIL);

  *why = find_fault (evidence);
  if (*why != NULL)
    return KB_DRILL_FAIL;
  if (evidence->scenario->outage_ms > 0)
    return judge_outage (evidence, why);
  if (evidence->scenario->wants_refusal)
    return judge_refusal (evidence, why);
  return judge_rescue (evidence, why);
}

/**
 * kb_drill_verdict_to_string:
 * @verdict: a verdict
 *
 * Returns: (transfer none): its word in the terms of the benchmark
 */
const char *
kb_drill_verdict_to_string (KbDrillVerdict verdict)
{
  static const char *const words[] = { "pass", "partial", "safe", "fail" };

  g_return_val_if_fail (verdict < G_N_ELEMENTS (words), NULL);
  return words[verdict];
}

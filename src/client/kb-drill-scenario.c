// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-drill-scenario.h"

#include <glib/gi18n-lib.h>

#define OK "fb-ok"
#define HANG_MS 45000

static const KbDrillScenario scenarios[] = {
  { .id = "S01",
    .title = N_ ("429 once, with Retry-After"),
    .model = "fb-s01",
    .next = OK,
    .wants_retry = TRUE,
    .most_attempts = 4,
    .least_gap_ms = 2000,
    .hang_ms = HANG_MS },
  { .id = "S02",
    .title = N_ ("429 always"),
    .model = "fb-s02",
    .next = OK,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S03",
    .title = N_ ("500 once"),
    .model = "fb-s03",
    .next = OK,
    .wants_retry = TRUE,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S04",
    .title = N_ ("503 always"),
    .model = "fb-s04",
    .next = OK,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S05",
    .title = N_ ("Connection reset before any answer"),
    .model = "fb-s05",
    .next = OK,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S06",
    .title = N_ ("No answer at all"),
    .model = "fb-s06",
    .next = OK,
    .good_attempts = 1,
    .most_attempts = 6,
    .patience_ms = 75000,
    .hang_ms = 130000 },
  { .id = "S07",
    .title = N_ ("First token after 20 s"),
    .model = "fb-s07",
    .next = OK,
    .most_attempts = 6,
    .patience_ms = 15000,
    .hang_ms = HANG_MS },
  { .id = "S08",
    .title = N_ ("Stream cut after 40 of 60 tokens"),
    .model = "fb-s08",
    .next = OK,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S09",
    .title = N_ ("Stream silent after 20 tokens"),
    .model = "fb-s09",
    .next = OK,
    .most_attempts = 6,
    .hang_ms = 150000 },
  { .id = "S10",
    .title = N_ ("Malformed event in the stream"),
    .model = "fb-s10",
    .next = OK,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S11",
    .title = N_ ("Stream without its last mark"),
    .model = "fb-s11",
    .next = OK,
    .wants_usage = TRUE,
    .most_attempts = 6,
    .hang_ms = 15000 },
  { .id = "S12",
    .title = N_ ("Context too long for the channel"),
    .model = "fb-s12",
    .next = OK,
    .most_attempts = 1,
    .hang_ms = HANG_MS },
  { .id = "S13",
    .title = N_ ("Refused by a content policy"),
    .model = "fb-s13",
    .next = OK,
    .wants_refusal = TRUE,
    .refusals = { "content_policy_violation", "content filtering policy" },
    .most_attempts = 1,
    .hang_ms = HANG_MS },
  { .id = "S14",
    .title = N_ ("Stream cut, and the next channel takes no prefill"),
    .model = "fb-s14",
    .next = "fb-ok-noprefill",
    .most_attempts = 6,
    .hang_ms = HANG_MS },
  { .id = "S15",
    .title = N_ ("503 for a minute, then healthy"),
    .model = "fb-s15",
    .next = OK,
    .most_attempts = 60,
    .hang_ms = HANG_MS,
    .outage_ms = 60000,
    .interval_ms = 4000,
    .n_requests = 28,
    .back_ms = 45000 },
  { .id = "S16",
    .title = N_ ("The answer says whose it is"),
    .model = "fb-s16",
    .next = OK,
    .wants_usage = TRUE,
    .most_attempts = 6,
    .hang_ms = HANG_MS },
};

/**
 * kb_drill_scenarios:
 * @n_scenarios: (out): how many there are
 *
 * Returns: (transfer none) (array length=n_scenarios): the scenarios in order
 */
const KbDrillScenario *
kb_drill_scenarios (gsize *n_scenarios)
{
  g_return_val_if_fail (n_scenarios != NULL, NULL);
  *n_scenarios = G_N_ELEMENTS (scenarios);
  return scenarios;
}

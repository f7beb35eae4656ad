// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-drill-lane.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-child.h"
#include "client/kb-drill-call.h"
#include "store/kb-json.h"

/* Of a program on a busy machine. */
#define START_MS 60000

/* A limit that is scaled down still leaves a busy machine its time. */
#define GRACE_MS 10000

/* What the simulator says of itself, and a healthy answer. */
#define PATIENCE_MS 30000

/* After the first channel is back, to see that it stays. */
#define MORE_REQUESTS 2

#define PROMPT "Tell me about the little doll."

typedef struct
{
  const KbDrillLane *lane;
  KbChild *gateway;
  guint16 port;
  GPtrArray *sights; /* KbDrillSight */
  gint64 begun_us;
} Run;

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->gateway, kb_child_free);
  g_clear_pointer (&run->sights, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static gint64
get_age_ms (const Run *run)
{
  return (g_get_monotonic_time () - run->begun_us) / 1000;
}

static gboolean
fail_cancelled (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("the drill was broken off"));
  return FALSE;
}

/* ---- the gateway ---- */

/* Its last words, or that it had none. */
static void
fail_start (const KbDrillLane *lane, const char *log_file, GError **error)
{
  g_autofree char *words = NULL;

  if (g_cancellable_is_cancelled (lane->cancellable))
    {
      fail_cancelled (error);
      return;
    }
  if (g_file_get_contents (log_file, &words, NULL, NULL) && *g_strstrip (words) != '\0')
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("the gateway did not start: %s"), words);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("the gateway did not start"));
}

static gboolean
read_address (const char *line, guint16 *port)
{
  g_autoptr (GUri) uri = line != NULL ? g_uri_parse (line, G_URI_FLAGS_NONE, NULL) : NULL;

  if (uri == NULL || g_uri_get_port (uri) <= 0)
    return FALSE;
  *port = (guint16) g_uri_get_port (uri);
  return TRUE;
}

static gboolean
start_gateway (Run *run, GError **error)
{
  const KbDrillLane *lane = run->lane;
  g_autofree char *home = g_build_filename (lane->folder, "home", NULL);
  g_autofree char *home_option = g_strconcat ("--home=", home, NULL);
  g_autofree char *state_option = g_strconcat ("--state-dir=", lane->folder, "/state", NULL);
  g_autofree char *log_file = g_build_filename (lane->folder, "log", NULL);
  g_autofree char *line = NULL;
  const char *const arguments[]
      = { home_option, "--profile=" KB_DRILL_PROFILE, state_option, "--no-bus", NULL };

  if (!kb_drill_home_write (home, lane->scenario, lane->options, lane->simulator_port, error))
    return FALSE;
  run->gateway = kb_child_new ("koboshid", arguments, log_file, error);
  if (run->gateway == NULL)
    return FALSE;
  line = kb_child_read_line (run->gateway, START_MS, lane->cancellable);
  if (read_address (line, &run->port))
    return TRUE;
  fail_start (lane, log_file, error);
  return FALSE;
}

/* ---- requests ---- */

static char *
write_request (KbDialectKind dialect, const char *model)
{
  switch (dialect)
    {
    case KB_DIALECT_KIND_MESSAGES:
      return g_strdup_printf ("{\"model\":\"%s\",\"max_tokens\":4096,\"stream\":true,\"messages\":"
                              "[{\"role\":\"user\",\"content\":\"" PROMPT "\"}]}",
                              model);
    case KB_DIALECT_KIND_RESPONSES:
      return g_strdup_printf ("{\"model\":\"%s\",\"stream\":true,\"input\":\"" PROMPT "\"}", model);
    case KB_DIALECT_KIND_CHAT:
    default:
      return g_strdup_printf (
          "{\"model\":\"%s\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
          "\"messages\":[{\"role\":\"user\",\"content\":\"" PROMPT "\"}]}",
          model);
    }
}

/* (nullable): NULL where the drill is broken off. */
static KbDrillSight *
ask (const Run *run, const char *model, gint64 patience_ms)
{
  static const char *const paths[] = { "/v1/chat/completions", "/v1/messages", "/v1/responses" };
  const KbDrillOptions *options = run->lane->options;
  g_autofree char *body = write_request (options->dialect, model);
  const KbDrillRequest request = { run->port, paths[options->dialect], body, patience_ms };
  g_auto (KbDrillAnswer) answer = { 0 };
  gint64 asked_ms = get_age_ms (run);
  KbDrillCallEnd end = kb_drill_call (&request, run->lane->cancellable, &answer);
  KbDrillSight *sight;

  if (end == KB_DRILL_CALL_CANCELLED)
    return NULL;
  sight = kb_drill_sight_new (options->dialect, &answer);
  sight->is_hung = end == KB_DRILL_CALL_HUNG;
  sight->asked_ms = asked_ms;
  sight->took_ms = get_age_ms (run) - asked_ms;
  return sight;
}

/* FALSE where the drill is broken off. */
static gboolean
sleep_until (const Run *run, gint64 due_ms)
{
  GPollFD polled = { 0 };
  gint64 wait_ms = due_ms - get_age_ms (run);

  if (wait_ms <= 0 || !g_cancellable_make_pollfd (run->lane->cancellable, &polled))
    return !g_cancellable_is_cancelled (run->lane->cancellable);
  g_poll (&polled, 1, (int) wait_ms);
  g_cancellable_release_fd (run->lane->cancellable);
  return !g_cancellable_is_cancelled (run->lane->cancellable);
}

static gboolean
ask_all (Run *run, GError **error)
{
  const KbDrillScenario *scenario = run->lane->scenario;
  double scale = run->lane->options->scale;
  gint64 patience_ms = (gint64) ((double) scenario->hang_ms * scale) + GRACE_MS;
  g_autofree char *first = kb_drill_home_first (scenario);
  guint n = MAX (scenario->n_requests, 1);
  gint64 due_ms = 0;

  run->begun_us = g_get_monotonic_time ();
  for (guint i = 0; i < n; i++)
    {
      KbDrillSight *sight = sleep_until (run, due_ms) ? ask (run, "auto", patience_ms) : NULL;

      if (sight == NULL)
        return fail_cancelled (error);
      due_ms = sight->asked_ms + (gint64) ((double) scenario->interval_ms * scale);
      g_ptr_array_add (run->sights, sight);
      if (g_strcmp0 (sight->model, first) == 0)
        n = MIN (n, i + 1 + MORE_REQUESTS);
    }
  return TRUE;
}

static gboolean
is_alive (const Run *run)
{
  g_autofree char *live = kb_drill_home_live (run->lane->scenario);
  g_autofree char *model = g_strconcat ("sim::", live, NULL);
  g_autoptr (KbDrillSight) sight = ask (run, model, PATIENCE_MS);

  return sight != NULL && kb_drill_sight_claims_success (sight)
         && g_str_equal (sight->text->str, run->lane->expected);
}

/* ---- what the simulator saw ---- */

static KbDrillAttempt
read_attempt (JsonObject *object)
{
  gint64 took_ms = json_object_get_int_member_with_default (object, "endMs", -1);
  KbDrillAttempt attempt = {
    .begun_ms = json_object_get_int_member_with_default (object, "t", 0),
    .status = (int) json_object_get_int_member_with_default (object, "status", 0),
    .is_whole
    = g_strcmp0 (json_object_get_string_member_with_default (object, "end", NULL), "whole") == 0,
  };

  attempt.ended_ms = took_ms >= 0 ? attempt.begun_ms + took_ms : -1;
  return attempt;
}

/* (nullable): NULL where the simulator does not tell. */
static GArray *
list_attempts (const KbDrillLane *lane, const char *model)
{
  g_autofree char *path = g_strconcat ("/_attempts?model=", model, NULL);
  const KbDrillRequest request = { lane->simulator_port, path, NULL, PATIENCE_MS };
  g_auto (KbDrillAnswer) answer = { 0 };
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GArray) attempts = g_array_new (FALSE, FALSE, sizeof (KbDrillAttempt));

  kb_drill_call (&request, lane->cancellable, &answer);
  node = kb_json_parse (answer.body->str, answer.body->len);
  if (!answer.is_whole || node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
    {
      JsonNode *item = json_array_get_element (json_node_get_array (node), i);
      KbDrillAttempt attempt;

      if (!JSON_NODE_HOLDS_OBJECT (item))
        return NULL;
      attempt = read_attempt (json_node_get_object (item));
      g_array_append_val (attempts, attempt);
    }
  return g_steal_pointer (&attempts);
}

/* ---- the verdict ---- */

static KbDrillResult *
judge (Run *run, gint64 took_ms, GError **error)
{
  const KbDrillLane *lane = run->lane;
  g_autofree char *first = kb_drill_home_first (lane->scenario);
  g_autofree char *next = kb_drill_home_next (lane->scenario);
  g_autoptr (GArray) primary = list_attempts (lane, first);
  g_autoptr (GArray) fallback = list_attempts (lane, next);
  KbDrillResult *result;
  KbDrillEvidence evidence = {
    .scenario = lane->scenario,
    .scale = lane->options->scale,
    .expected = lane->expected,
    .next_model = next,
    .sights = run->sights,
    .primary = primary,
    .fallback = fallback,
  };

  if (primary == NULL || fallback == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                           _ ("the simulator does not tell what it was asked"));
      return NULL;
    }
  evidence.is_alive = is_alive (run);
  result = g_new0 (KbDrillResult, 1);
  result->scenario = lane->scenario;
  result->seconds = (double) took_ms / 1000;
  result->n_primary = primary->len;
  result->n_fallback = fallback->len;
  result->verdict = kb_drill_judge (&evidence, &result->why);
  return result;
}

/**
 * kb_drill_lane_run:
 * @lane: what to do
 * @error: return location: the drill could not be held, or was broken off
 *
 * Plays a scenario through a gateway of its own. A gateway that does badly is no error.
 *
 * Returns: (transfer full) (nullable): how it went
 */
KbDrillResult *
kb_drill_lane_run (const KbDrillLane *lane, GError **error)
{
  g_auto (Run) run = { .lane = lane };
  gint64 took_ms;

  g_return_val_if_fail (lane != NULL, NULL);

  run.sights = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_drill_sight_free);
  if (!start_gateway (&run, error) || !ask_all (&run, error))
    return NULL;
  took_ms = get_age_ms (&run);
  return judge (&run, took_ms, error);
}

/**
 * kb_drill_result_free:
 * @self: (transfer full) (nullable): a result
 *
 * Frees it.
 */
void
kb_drill_result_free (KbDrillResult *self)
{
  if (self == NULL)
    return;
  g_free (self->why);
  g_free (self);
}

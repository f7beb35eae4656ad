// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-drill-home.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-duration.h"
#include "client/kb-scratch.h"
#include "core/kb-retry-schedule.h"
#include "store/kb-daruma-config.h"
#include "store/kb-lint-schemas.h"
#include "store/kb-lint.h"

#define PROFILE "profiles/" KB_DRILL_PROFILE
#define KOBOSHI_FILE "koboshi.yaml"

/* The drill's own: where the gateway listens and who may ask it. */
static const char *const own_keys[] = { "listen", "token", NULL };

static const char *const apis[]
    = { "openai-completions", "anthropic-messages", "openai-responses" };

static const char manifest[] = "{\"private\":true,\"dsh\":{\"profile\":{\"bundles\":"
                               "[\"@deepseek-ai/dsh-base\",\"dsh-daruma\"]}}}\n";

static char *
make_model (const char *model, const KbDrillScenario *scenario)
{
  g_autofree char *suffix = g_ascii_strdown (scenario->id, -1);

  return g_strdup_printf ("%s-%s", model, suffix);
}

/**
 * kb_drill_home_first:
 * @scenario: a scenario
 *
 * Returns: (transfer full): the model of its first channel; no other scenario asks it
 */
char *
kb_drill_home_first (const KbDrillScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  return make_model (scenario->model, scenario);
}

/**
 * kb_drill_home_next:
 * @scenario: a scenario
 *
 * Returns: (transfer full): the model of its second channel
 */
char *
kb_drill_home_next (const KbDrillScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  return make_model (scenario->next, scenario);
}

/**
 * kb_drill_home_live:
 * @scenario: a scenario
 *
 * Returns: (transfer full): a model that is well, and outside the chain
 */
char *
kb_drill_home_live (const KbDrillScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  return make_model ("fb-ok-live", scenario);
}

static gint64
scale_of (const KbDrillOptions *options, gint64 ms)
{
  return MAX ((gint64) ((double) ms * options->scale + 0.5), ms > 0 ? 1 : 0);
}

static char *
make_settings (const KbDrillScenario *scenario, const KbDrillOptions *options, guint16 port)
{
  const KbRetryPolicy retry = KB_RETRY_POLICY_INIT;
  g_autofree char *first = kb_drill_home_first (scenario);
  g_autofree char *next = kb_drill_home_next (scenario);
  g_autofree char *live = kb_drill_home_live (scenario);

  return g_strdup_printf (
      "llm-pi-ai:\n"
      "  providers:\n"
      "    sim:\n"
      "      api: %s\n"
      "      baseURL: http://127.0.0.1:%u%s\n"
      "      models: [{ id: %s }, { id: %s }, { id: %s }]\n"
      "      retryPolicy: { mode: normal, backoff: { initialDelayMs: %" G_GINT64_FORMAT
      ", maxDelayMs: %" G_GINT64_FORMAT " } }\n",
      apis[options->dialect], port, options->dialect == KB_DIALECT_KIND_MESSAGES ? "" : "/v1",
      first, next, live, scale_of (options, (gint64) retry.initial_delay_ms),
      scale_of (options, (gint64) retry.max_delay_ms));
}

static char *
make_patch (const KbDrillScenario *scenario, const KbDrillOptions *options)
{
  g_autofree char *first = kb_drill_home_first (scenario);
  g_autofree char *next = kb_drill_home_next (scenario);

  return g_strdup_printf ("- id: dsh-daruma\n"
                          "  name: dsh-daruma\n"
                          "  config:\n"
                          "    cooldownMs: %" G_GINT64_FORMAT "\n"
                          "    channels:\n"
                          "      - { provider: sim, model: %s }\n"
                          "      - { provider: sim, model: %s }\n",
                          scale_of (options, KB_DARUMA_COOLDOWN_MS), first, next);
}

/* ---- koboshi.yaml ---- */

/* (transfer none) (nullable): the last value that was given for the key. */
static const char *
find_set (const KbDrillOptions *options, const char *key)
{
  const char *value = NULL;
  gsize length = strlen (key);

  for (const char *const *pair = options->set; pair != NULL && *pair != NULL; pair++)
    if (strncmp (*pair, key, length) == 0 && (*pair)[length] == '=')
      value = *pair + length + 1;
  return value;
}

/* A number is in ms; what is neither that nor a duration is left for lint to refuse. */
static char *
scale_value (const KbDrillOptions *options, const char *value)
{
  guint64 number;
  double ms;

  if (g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT, &number, NULL))
    ms = (double) number;
  else if (!kb_duration_parse (value, 0, &ms) || ms > G_MAXINT)
    return g_strdup (value);
  return g_strdup_printf ("%" G_GINT64_FORMAT, scale_of (options, (gint64) ms));
}

static void
append_field (GString *yaml, const KbDrillOptions *options, const KbSchema *field)
{
  const char *value = find_set (options, field->key);
  g_autofree char *scaled = NULL;

  if (g_strv_contains (own_keys, field->key))
    return;
  if (g_str_has_suffix (field->key, "Ms"))
    {
      scaled = scale_value (options, value != NULL ? value : field->standard);
      value = scaled;
    }
  if (value != NULL)
    g_string_append_printf (yaml, "%s: %s\n", field->key, value);
}

/* One next channel is said to take a prefill and does; one is said to, and does not. */
static void
append_channels (GString *yaml, const KbDrillScenario *scenario, const KbDrillOptions *options)
{
  g_autofree char *next = kb_drill_home_next (scenario);

  if (find_set (options, "channels") != NULL)
    return;
  if (g_str_equal (scenario->id, "S08") || g_str_equal (scenario->id, "S14"))
    g_string_append_printf (yaml, "channels: { \"sim::%s\": { prefill: true } }\n", next);
}

static char *
make_koboshi (const KbDrillScenario *scenario, const KbDrillOptions *options)
{
  GString *yaml = g_string_new ("listen: 127.0.0.1:0\n");

  for (const KbSchema *field = kb_lint_koboshi_schema.fields; field->key != NULL; field++)
    append_field (yaml, options, field);
  append_channels (yaml, scenario, options);
  return g_string_free_and_steal (yaml);
}

/**
 * kb_drill_home_write:
 * @home: an absolute path
 * @scenario: what it is for
 * @options: dialect, scale and settings
 * @simulator_port: where the simulator listens
 * @error: the reason why it could not be written
 *
 * Makes a home with the profile %KB_DRILL_PROFILE.
 *
 * Returns: whether it is there
 */
gboolean
kb_drill_home_write (const char *home,
                     const KbDrillScenario *scenario,
                     const KbDrillOptions *options,
                     guint16 simulator_port,
                     GError **error)
{
  g_autofree char *settings = NULL;
  g_autofree char *patch = NULL;
  g_autofree char *koboshi = NULL;

  g_return_val_if_fail (home != NULL && scenario != NULL && options != NULL, FALSE);

  settings = make_settings (scenario, options, simulator_port);
  patch = make_patch (scenario, options);
  koboshi = make_koboshi (scenario, options);
  return kb_scratch_write (home, "settings.yaml", settings, error)
         && kb_scratch_write (home, PROFILE "/package.json", manifest, error)
         && kb_scratch_write (home, PROFILE "/cordis.patch.yml", patch, error)
         && kb_scratch_write (home, PROFILE "/" KOBOSHI_FILE, koboshi, error);
}

/* ---- what a person set ---- */

static gboolean
is_field (const char *key)
{
  const KbSchema *field = kb_lint_koboshi_schema.fields;

  while (field->key != NULL && !g_str_equal (field->key, key))
    field++;
  return field->key != NULL;
}

static gboolean
check_pair (const char *pair, GError **error)
{
  const char *equals = strchr (pair, '=');
  g_autofree char *key = equals != NULL ? g_strndup (pair, (gsize) (equals - pair)) : NULL;

  if (key == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("“%s” is not of the form KEY=VALUE"), pair);
  else if (!is_field (key))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("“%s” is no key of koboshi.yaml"), key);
  else if (g_strv_contains (own_keys, key))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 _ ("“%s” is set by the drill itself"), key);
  else
    return TRUE;
  return FALSE;
}

/* What lint says of the values, with their own scale. */
static gboolean
check_values (const char *folder, const KbDrillOptions *options, GError **error)
{
  gsize n;
  const KbDrillOptions plain = { options->dialect, 1, options->set };
  g_autofree char *yaml = make_koboshi (kb_drill_scenarios (&n), &plain);
  g_autofree char *path = g_build_filename (folder, KOBOSHI_FILE, NULL);
  const char *set = strchr (yaml, '\n') + 1; /* without the port, which is not the person's */
  g_autoptr (GPtrArray) problems = NULL;
  const KbProblem *problem;

  if (!kb_scratch_write (folder, KOBOSHI_FILE, set, error))
    return FALSE;
  problems = kb_lint_file (path);
  if (problems->len == 0)
    return TRUE;
  problem = g_ptr_array_index (problems, 0);
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, problem->message);
  return FALSE;
}

/**
 * kb_drill_home_check:
 * @folder: where files may be written
 * @options: what a person asks for
 * @error: of %G_OPTION_ERROR where it is the person's mistake
 *
 * Returns: whether a gateway can be told so
 */
gboolean
kb_drill_home_check (const char *folder, const KbDrillOptions *options, GError **error)
{
  g_return_val_if_fail (folder != NULL && options != NULL, FALSE);

  for (const char *const *pair = options->set; pair != NULL && *pair != NULL; pair++)
    if (!check_pair (*pair, error))
      return FALSE;
  return check_values (folder, options, error);
}

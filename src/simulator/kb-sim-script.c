// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "simulator/kb-sim-script.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Begins a name that holds its options itself. */
#define OPTIONS_PREFIX "sim-"
#define OPTIONS_MAX 512

/* The names of the public failover benchmark, in options. A name may go on behind a hyphen. */
static const struct
{
  const char *model;
  const char *options;
} benchmark[] = {
  { "fb-ok", "" },
  { "fb-ok-noprefill", "prefill=no" },
  { "fb-s01", "status=429+retry-after=2s+times=1" },
  { "fb-s02", "status=429" },
  { "fb-s03", "status=500+times=1" },
  { "fb-s04", "status=503" },
  { "fb-s05", "fail=reset+times=1" },
  { "fb-s06", "wait=120s" },
  { "fb-s07", "first-token=20s" },
  { "fb-s08", "cut=40" },
  { "fb-s09", "cut=20+silent=30s" },
  { "fb-s10", "malformed=20" },
  { "fb-s11", "done=no" },
  { "fb-s12", "status=400+error=context_length_exceeded" },
  { "fb-s13", "status=400+error=content_policy_violation" },
  { "fb-s14", "cut=40" },
  { "fb-s15", "status=503+for=60s" },
  { "fb-s16", "status=503" },
};

struct _KbSimScripts
{
  KbSimJson *document;     /* owned, nullable */
  const KbSimJson *models; /* in the document, nullable */
  guint32 seed;
};

static KbSimScript *
script_new (guint32 seed)
{
  KbSimScript *self = g_new0 (KbSimScript, 1);

  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_sim_fault_free);
  self->seed = seed;
  return self;
}

void
kb_sim_script_free (KbSimScript *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->steps);
  kb_sim_fault_free (self->after);
  g_free (self);
}

/* When the fault is over the model is as before, but slow, long or chatty as it was. */
static KbSimFault *
make_after (const KbSimFault *fault)
{
  KbSimFault *after = kb_sim_fault_new ();

  after->tokens = fault->tokens;
  after->reasoning = fault->reasoning;
  after->token_ms = fault->token_ms;
  after->jitter_ms = fault->jitter_ms;
  after->tools = fault->tools;
  after->prefill = fault->prefill;
  after->usage = fault->usage;
  return after;
}

KbSimScript *
kb_sim_script_new_from_options (const char *options, GError **error)
{
  g_autoptr (KbSimScript) self = script_new (0);
  g_autoptr (KbSimFault) fault = kb_sim_fault_new ();

  g_return_val_if_fail (options != NULL, NULL);

  if (!kb_sim_fault_parse (fault, options, error))
    return NULL;
  self->after = make_after (fault);
  g_ptr_array_add (self->steps, g_steal_pointer (&fault));
  return g_steal_pointer (&self);
}

/* The members that are faults; "steps" and "seed" belong to the script. */
static gboolean
set_members (KbSimFault *fault, const KbSimJson *json, GError **error)
{
  if (json->type != KB_SIM_JSON_OBJECT)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           _ ("a step is an object of faults"));
      return FALSE;
    }
  for (guint i = 0; i < kb_sim_json_get_length (json); i++)
    {
      const KbSimJson *member = kb_sim_json_at (json, i);

      if (g_str_equal (member->name, "steps") || g_str_equal (member->name, "seed"))
        continue;
      if (!kb_sim_fault_set (fault, member->name, member->text != NULL ? member->text : "[]",
                             error))
        return FALSE;
    }
  return TRUE;
}

KbSimScript *
kb_sim_script_new_from_json (const KbSimJson *json, GError **error)
{
  g_autoptr (KbSimScript) self = script_new (0);
  g_autoptr (KbSimFault) common = kb_sim_fault_new ();
  const KbSimJson *steps;

  g_return_val_if_fail (json != NULL, NULL);

  if (json->type == KB_SIM_JSON_STRING)
    return kb_sim_script_new_from_options (json->text, error);
  if (!set_members (common, json, error))
    return NULL;
  steps = kb_sim_json_get (json, "steps");
  for (guint i = 0; i < kb_sim_json_get_length (steps); i++)
    {
      g_autoptr (KbSimFault) step = kb_sim_fault_copy (common);

      if (!set_members (step, kb_sim_json_at (steps, i), error))
        return NULL;
      g_ptr_array_add (self->steps, g_steal_pointer (&step));
    }
  self->seed = (guint32) MAX (kb_sim_json_get_count (json, "seed"), 0);
  self->after = steps != NULL ? kb_sim_fault_copy (common) : make_after (common);
  if (steps == NULL)
    g_ptr_array_add (self->steps, g_steal_pointer (&common));
  return g_steal_pointer (&self);
}

/* The models of the benchmark. */
KbSimScripts *
kb_sim_scripts_new (void)
{
  return g_new0 (KbSimScripts, 1);
}

void
kb_sim_scripts_free (KbSimScripts *self)
{
  if (self == NULL)
    return;
  kb_sim_json_free (self->document);
  g_free (self);
}

static gboolean
check_models (KbSimScripts *self, GError **error)
{
  for (guint i = 0; i < kb_sim_json_get_length (self->models); i++)
    {
      const KbSimJson *model = kb_sim_json_at (self->models, i);
      g_autoptr (KbSimScript) script = kb_sim_script_new_from_json (model, error);

      if (script == NULL)
        {
          g_prefix_error (error, "%s: ", model->name);
          return FALSE;
        }
    }
  return TRUE;
}

/*
 * `{"seed": 1, "models": {"NAME": {FAULT: VALUE, ..., "seed": 2, "steps": [{...}, {...}]}}}`.
 * A model may also be a text of options. What stands beside "steps" holds in every step, and
 * when they are over.
 */
KbSimScripts *
kb_sim_scripts_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (KbSimScripts) self = kb_sim_scripts_new ();

  g_return_val_if_fail (text != NULL, NULL);

  self->document = kb_sim_json_parse (text, length, error);
  if (self->document == NULL)
    return NULL;
  self->models = kb_sim_json_get (self->document, "models");
  self->seed = (guint32) MAX (kb_sim_json_get_count (self->document, "seed"), 0);
  if (self->models == NULL || self->models->type != KB_SIM_JSON_OBJECT)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           _ ("a script is an object with the object “models”"));
      return NULL;
    }
  if (!check_models (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* How much of @model the name is: all of it, or all before a hyphen. */
static gsize
match_length (const char *model, const char *name)
{
  gsize length = strlen (name);

  if (!g_str_has_prefix (model, name) || (model[length] != '\0' && model[length] != '-'))
    return 0;
  return length;
}

static const KbSimJson *
find_scripted (KbSimScripts *self, const char *model)
{
  const KbSimJson *best = NULL;
  gsize best_length = 0;

  for (guint i = 0; i < kb_sim_json_get_length (self->models); i++)
    {
      const KbSimJson *candidate = kb_sim_json_at (self->models, i);
      gsize length = match_length (model, candidate->name);

      if (length > best_length)
        {
          best = candidate;
          best_length = length;
        }
    }
  return best;
}

static const char *
find_benchmark (const char *model)
{
  const char *best = NULL;
  gsize best_length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (benchmark); i++)
    {
      gsize length = match_length (model, benchmark[i].model);

      if (length > best_length)
        {
          best = benchmark[i].options;
          best_length = length;
        }
    }
  return best;
}

static KbSimScript *
make_script (KbSimScripts *self, const char *model, GError **error)
{
  const KbSimJson *scripted = find_scripted (self, model);
  const char *options = find_benchmark (model);

  if (scripted != NULL)
    return kb_sim_script_new_from_json (scripted, error);
  if (options != NULL)
    return kb_sim_script_new_from_options (options, error);
  if (g_str_has_prefix (model, OPTIONS_PREFIX) && strlen (model) <= OPTIONS_MAX)
    return kb_sim_script_new_from_options (model + strlen (OPTIONS_PREFIX), error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("there is no model “%s”"), model);
  return NULL;
}

/*
 * Returns: (transfer full) (nullable): the script of the model, seeded by its name so that no
 * two draw the same numbers
 */
KbSimScript *
kb_sim_scripts_find (KbSimScripts *self, const char *model, GError **error)
{
  KbSimScript *script;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (model != NULL, NULL);

  script = make_script (self, model, error);
  if (script != NULL)
    script->seed += self->seed + g_str_hash (model);
  return script;
}

/* Returns: (transfer container): the names that have a script */
GPtrArray *
kb_sim_scripts_list (KbSimScripts *self)
{
  GPtrArray *names = g_ptr_array_new ();

  g_return_val_if_fail (self != NULL, names);

  for (guint i = 0; i < G_N_ELEMENTS (benchmark); i++)
    g_ptr_array_add (names, (gpointer) benchmark[i].model);
  for (guint i = 0; i < kb_sim_json_get_length (self->models); i++)
    g_ptr_array_add (names, kb_sim_json_at (self->models, i)->name);
  return names;
}

/* One name of the benchmark after the other, for the help. */
gboolean
kb_sim_script_describe (guint index, const char **model, const char **options)
{
  if (index >= G_N_ELEMENTS (benchmark))
    return FALSE;
  *model = benchmark[index].model;
  *options = benchmark[index].options;
  return TRUE;
}

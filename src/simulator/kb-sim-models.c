// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-models.h"

/* Names come from requests: the oldest is forgotten when there are so many. */
#define MODELS_MAX 10000

typedef struct
{
  KbSimScript *script; /* owned */
  GRand *rand;         /* owned */
  GList link;          /* in the order of their first attempts */
  char *name;          /* owned */
  guint step;
  gint64 n_served; /* attempts of this step */
  gint64 begun_us; /* first attempt of this step, -1 before */
} Model;

struct _KbSimModels
{
  KbSimScripts *scripts; /* owned */
  GHashTable *models;    /* owned: name -> Model, both of the model */
  GQueue order;          /* the links of the models */
  guint32 seed;
  double scale;
};

static void
model_free (gpointer data)
{
  Model *model = data;

  kb_sim_script_free (model->script);
  g_rand_free (model->rand);
  g_free (model->name);
  g_free (model);
}

static void
forget (KbSimModels *self, Model *model)
{
  g_queue_unlink (&self->order, &model->link);
  g_hash_table_remove (self->models, model->name);
}

static Model *
add_model (KbSimModels *self, const char *name, GError **error)
{
  KbSimScript *script = kb_sim_scripts_find (self->scripts, name, error);
  Model *model;

  if (script == NULL)
    return NULL;
  if (self->order.length >= MODELS_MAX)
    forget (self, self->order.head->data);
  model = g_new0 (Model, 1);
  model->script = script;
  model->rand = g_rand_new_with_seed (script->seed + self->seed);
  model->name = g_strdup (name);
  model->begun_us = -1;
  model->link.data = model;
  g_queue_push_tail_link (&self->order, &model->link);
  g_hash_table_insert (self->models, model->name, model);
  return model;
}

static gboolean
is_over (KbSimModels *self, const Model *model, const KbSimFault *fault, gint64 now_us)
{
  if (fault->times >= 0 && model->n_served >= fault->times)
    return TRUE;
  return fault->for_ms >= 0 && model->begun_us >= 0
         && (double) (now_us - model->begun_us) >= (double) fault->for_ms * 1000 * self->scale;
}

static const KbSimFault *
take_step (KbSimModels *self, Model *model, gint64 now_us)
{
  while (model->step < model->script->steps->len)
    {
      const KbSimFault *fault = model->script->steps->pdata[model->step];

      if (!is_over (self, model, fault, now_us))
        {
          if (model->begun_us < 0)
            model->begun_us = now_us;
          model->n_served++;
          return fault;
        }
      model->step++;
      model->n_served = 0;
      model->begun_us = -1;
    }
  return model->script->after;
}

/* @scripts is taken over; @scale stretches what a script says about time. */
KbSimModels *
kb_sim_models_new (KbSimScripts *scripts, guint32 seed, double scale)
{
  KbSimModels *self = g_new0 (KbSimModels, 1);

  g_assert (scripts != NULL);

  self->scripts = scripts;
  self->models = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, model_free);
  g_queue_init (&self->order);
  self->seed = seed;
  self->scale = scale;
  return self;
}

void
kb_sim_models_free (KbSimModels *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->models);
  kb_sim_scripts_free (self->scripts);
  g_free (self);
}

/* Every model begins its script again. */
void
kb_sim_models_reset (KbSimModels *self)
{
  g_return_if_fail (self != NULL);

  g_queue_init (&self->order);
  g_hash_table_remove_all (self->models);
}

/* @scripts is taken over. */
void
kb_sim_models_set_scripts (KbSimModels *self, KbSimScripts *scripts)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (scripts != NULL);

  kb_sim_models_reset (self);
  kb_sim_scripts_free (self->scripts);
  self->scripts = scripts;
}

KbSimScripts *
kb_sim_models_get_scripts (KbSimModels *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->scripts;
}

/*
 * What the next attempt at the model meets. @seed is for the attempt: what is drawn in it does
 * not depend on what goes on beside it.
 *
 * Returns: (transfer none) (nullable): of the model, so copy what shall last; NULL where there
 * is no such model
 */
const KbSimFault *
kb_sim_models_next (
    KbSimModels *self, const char *name, gint64 now_us, guint32 *seed, GError **error)
{
  Model *model;
  const KbSimFault *fault;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  model = g_hash_table_lookup (self->models, name);
  if (model == NULL)
    model = add_model (self, name, error);
  if (model == NULL)
    return NULL;
  fault = take_step (self, model, now_us);
  *seed = g_rand_int (model->rand);
  if (fault->chance < 1 && g_rand_double (model->rand) >= fault->chance)
    return model->script->after;
  return fault;
}

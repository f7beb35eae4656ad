// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-gateway-reload"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "gateway/kb-gateway-private.h"
#include "ipc/kb-gateway-error.h"
#include "keyring/kb-key-finder.h"

/*
 * How it works. A reload reads the files into a plan, looks for its keys one after the other,
 * and then puts both in use at once; until that moment the old ones serve. Files are watched
 * before they are read; since only reading tells which they are, they are read again if they
 * turn out to be others. When only the keyring changed, the plan stays and the keys alone are
 * looked for.
 */

/* Files that are others at every reading are left to the next event. */
#define LOAD_ROUNDS 3

/* A key that is missing is looked for again when it is needed, at most so often. */
#define LOOK_GAP_MS 5000

typedef struct
{
  KbGateway *gateway; /* borrowed; gone when the task is cancelled */
  guint generation;
  KbGatewayPlan *plan; /* owned, nullable: the one in use stays */
  GStrv names;         /* owned */
  guint at;
  GHashTable *keys;    /* owned */
  GPtrArray *problems; /* owned: sentences */
} Reload;

static void
reload_free (Reload *reload)
{
  g_clear_pointer (&reload->plan, kb_gateway_plan_free);
  g_clear_pointer (&reload->names, g_strfreev);
  g_clear_pointer (&reload->keys, g_hash_table_unref);
  g_clear_pointer (&reload->problems, g_ptr_array_unref);
  g_free (reload);
}

static void
forget_bindings (KbGateway *self)
{
  if (self->plan->options->sticky_persist)
    return;
  g_clear_handle_id (&self->bindings_source, g_source_remove);
  kb_state_forget_bindings (self->state);
}

/* What the engine is told was learned with the channels of the plan, so that comes first. */
void
kb_gateway_load_state (KbGateway *self)
{
  const KbEngineEvent boot = { .kind = KB_ENGINE_EVENT_CONFIGURED, .at_ms = kb_gateway_now (self) };
  g_autoptr (GError) error = NULL;

  if (!kb_state_load (self->state, self->engine, &self->clock, &error))
    {
      g_message ("%s", error->message);
      g_set_str (&self->load_problem, error->message);
    }
  if (!kb_state_log (self->state, &boot, &self->clock, NULL))
    g_debug ("the start is not in the history");
  if (self->plan->options->sticky_persist)
    kb_state_load_bindings (self->state, self->engine, &self->clock);
  forget_bindings (self);
}

/* The health of what stays is kept by the engine (rule 3). */
static void
configure (KbGateway *self, gboolean is_first)
{
  g_autoptr (KbRouteTable) table = kb_gateway_plan_make_table (self->plan, self->keys);
  KbEngineOptions options;

  kb_gateway_plan_get_engine_options (self->plan, &options);
  kb_engine_configure (self->engine, table, &options, kb_gateway_now (self));
  if (self->state != NULL && is_first)
    kb_gateway_load_state (self);
  else if (self->state != NULL)
    forget_bindings (self);
  kb_gateway_save_soon (self);
  if (self->configured != NULL)
    self->configured (self, self->configured_data);
}

static gboolean
is_same_key (const KbSecret *a, const KbSecret *b)
{
  return b != NULL && kb_secret_get_length (a) == kb_secret_get_length (b)
         && memcmp (kb_secret_get_text (a), kb_secret_get_text (b), kb_secret_get_length (a)) == 0;
}

static gboolean
are_same_keys (GHashTable *a, GHashTable *b)
{
  GHashTableIter iter;
  gpointer name, key;

  if (g_hash_table_size (a) != g_hash_table_size (b))
    return FALSE;
  g_hash_table_iter_init (&iter, a);
  while (g_hash_table_iter_next (&iter, &name, &key))
    if (!is_same_key (key, g_hash_table_lookup (b, name)))
      return FALSE;
  return TRUE;
}

static void
take_problems (KbGateway *self, Reload *reload)
{
  g_ptr_array_add (reload->problems, NULL);
  for (guint i = 0; reload->problems->pdata[i] != NULL; i++)
    if (self->key_problems == NULL
        || !g_strv_contains ((const char *const *) self->key_problems, reload->problems->pdata[i]))
      g_message ("%s", (const char *) reload->problems->pdata[i]);
  g_strfreev (self->key_problems);
  self->key_problems = g_strdupv ((char **) reload->problems->pdata);
}

static void
apply (KbGateway *self, Reload *reload)
{
  gboolean is_first = self->plan == NULL;
  gboolean differs = reload->plan != NULL || !are_same_keys (reload->keys, self->keys);

  take_problems (self, reload);
  g_hash_table_unref (self->keys);
  self->keys = g_steal_pointer (&reload->keys);
  if (reload->plan != NULL)
    {
      g_clear_pointer (&self->plan, kb_gateway_plan_free);
      self->plan = g_steal_pointer (&reload->plan);
      self->is_plan_stale = FALSE;
      if (reload->generation > self->failed_generation)
        g_clear_pointer (&self->reload_problem, g_free);
    }
  if (differs)
    configure (self, is_first);
  kb_gateway_note_change (self);
}

/* A place that cannot be asked says nothing of the key it gave before. */
static gboolean
is_place_silent (const GError *error)
{
  return !g_error_matches (error, KB_KEY_ERROR, KB_KEY_ERROR_NOT_FOUND)
         && !g_error_matches (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID);
}

static void
add_problem (Reload *reload, const char *problem)
{
  if (!g_ptr_array_find_with_equal_func (reload->problems, problem, g_str_equal, NULL))
    g_ptr_array_add (reload->problems, g_strdup (problem));
}

/* @key (transfer full) (nullable) */
static void
take_key (Reload *reload, KbSecret *key, const GError *error)
{
  const char *name = reload->names[reload->at];
  KbSecret *before = kb_gateway_find_key (reload->gateway, name);

  if (key == NULL && before != NULL && is_place_silent (error))
    key = kb_secret_ref (before);
  if (key != NULL)
    g_hash_table_insert (reload->keys, g_strdup (name), key);
  if (error != NULL && !g_error_matches (error, KB_KEY_ERROR, KB_KEY_ERROR_NOT_FOUND))
    add_problem (reload, error->message);
}

static void find_next_key (GTask *task);

static void
key_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reload *reload = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  KbKeyPlace place;
  KbSecret *key = kb_key_finder_find_finish (result, &place, &error);

  if (g_task_return_error_if_cancelled (task))
    {
      g_clear_pointer (&key, kb_secret_unref);
      return;
    }
  take_key (reload, key, error);
  reload->at++;
  find_next_key (g_steal_pointer (&task));
}

/* A locked keyring is not opened by a daemon: the key is missing until it is unlocked. */
static void
find_next_key (GTask *task)
{
  Reload *reload = g_task_get_task_data (task);

  if (reload->names[reload->at] != NULL)
    {
      kb_key_finder_find_async (reload->gateway->home, reload->names[reload->at], KB_KEYRING_SILENT,
                                g_task_get_cancellable (task), key_found_cb, task);
      return;
    }
  if (reload->generation == reload->gateway->generation)
    apply (reload->gateway, reload);
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/* Returns whether other files are watched now than before. */
static gboolean
watch_files (KbGateway *self, const KbGatewayPlan *plan)
{
  g_auto (GStrv) files = NULL;

  if (self->watch == NULL)
    return FALSE;
  files = kb_gateway_plan_list_files (plan);
  if (self->watched != NULL
      && g_strv_equal ((const char *const *) files, (const char *const *) self->watched))
    return FALSE;
  g_strfreev (self->watched);
  self->watched = g_steal_pointer (&files);
  kb_file_watch_set_paths (self->watch, (const char *const *) self->watched);
  return TRUE;
}

static KbGatewayPlan *
read_plan (KbGateway *self, GError **error)
{
  g_autoptr (KbGatewayPlan) plan = NULL;

  for (guint round = 0; round < LOAD_ROUNDS; round++)
    {
      g_clear_pointer (&plan, kb_gateway_plan_free);
      plan = kb_gateway_plan_load (self->home, self->profile, error);
      if (plan == NULL || !watch_files (self, plan))
        break;
    }
  return g_steal_pointer (&plan);
}

static KbGatewayPlan *
load_plan (KbGateway *self, GError **error)
{
  g_autoptr (KbGatewayPlan) plan = read_plan (self, error);

  if (plan == NULL)
    return NULL;
  if (plan->broken != NULL && self->plan != NULL)
    {
      g_set_error (error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_CONFIGURATION,
                   _ ("“%s” cannot be read; the configuration from before stays. "
                      "“koboshictl lint” shows the place."),
                   plan->broken);
      return NULL;
    }
  return g_steal_pointer (&plan);
}

/* @task and @plan (transfer full); without a plan the keys of the one in use are looked for. */
static void
look_for_keys (KbGateway *self, GTask *task, KbGatewayPlan *plan)
{
  Reload *reload = g_new0 (Reload, 1);

  g_task_set_task_data (task, reload, (GDestroyNotify) reload_free);
  reload->gateway = self;
  reload->generation = ++self->generation;
  reload->plan = plan;
  reload->names = kb_gateway_plan_list_keys (plan != NULL ? plan : self->plan);
  reload->keys
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) kb_secret_unref);
  reload->problems = g_ptr_array_new_with_free_func (g_free);
  find_next_key (task);
}

/**
 * kb_gateway_reload_async:
 * @self: a gateway
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads the configuration and the keys, and serves by them. When several run at once the one
 * begun last counts. The first one also takes over the state that was kept. What fails is in
 * the report until a later one succeeds.
 */
void
kb_gateway_reload_async (KbGateway *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  KbGatewayPlan *plan;

  g_return_if_fail (self != NULL);

  task = g_task_new (NULL, self->cancellable, callback, user_data);
  g_task_set_source_tag (task, kb_gateway_reload_async);
  plan = load_plan (self, &error);
  if (plan == NULL)
    {
      g_message ("%s", error->message);
      self->failed_generation = self->generation;
      if (g_set_str (&self->reload_problem, error->message))
        kb_gateway_note_change (self);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  self->is_plan_stale = TRUE;
  look_for_keys (self, g_steal_pointer (&task), plan);
}

/**
 * kb_gateway_reload_finish:
 * @result: the result
 * @error: return location: what could not be read; what was there before stays
 *
 * Returns: whether the new configuration serves
 */
gboolean
kb_gateway_reload_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* A plan that is on its way may have passed the key that came: it starts again. */
static void
look_for_keys_of_plan (KbGateway *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->plan == NULL || self->is_plan_stale)
    {
      kb_gateway_reload_async (self, NULL, NULL);
      return;
    }
  task = g_task_new (NULL, self->cancellable, NULL, NULL);
  g_task_set_source_tag (task, look_for_keys_of_plan);
  look_for_keys (self, g_steal_pointer (&task), NULL);
}

/* A key is missing that may have come since. */
void
kb_gateway_look_again (KbGateway *self)
{
  gint64 now_ms = kb_gateway_now (self);

  if (now_ms - self->looked_ms < LOOK_GAP_MS)
    return;
  self->looked_ms = now_ms;
  look_for_keys_of_plan (self);
}

static void
files_settled_cb (KbFileWatch *watch, gpointer user_data)
{
  kb_gateway_reload_async (user_data, NULL, NULL);
}

static void
keyring_changed_cb (gpointer user_data)
{
  KbGateway *self = user_data;

  if (self->plan != NULL)
    look_for_keys_of_plan (self);
}

/**
 * kb_gateway_watch:
 * @self: a gateway that was not loaded yet
 * @bus: (nullable): where the keyring is, if there is a bus
 *
 * From now on it reloads by itself when a file it was read from changes, and looks for its
 * keys when the keyring changes or is unlocked.
 */
void
kb_gateway_watch (KbGateway *self, GDBusConnection *bus)
{
  g_return_if_fail (self != NULL && self->watch == NULL);

  self->watch = kb_file_watch_new ();
  g_signal_connect (self->watch, "settled", G_CALLBACK (files_settled_cb), self);
  if (bus != NULL)
    self->key_watch = kb_keyring_watch_new (bus, keyring_changed_cb, self);
}

/* Also where nothing is watched. */
void
kb_gateway_stop_watching (KbGateway *self)
{
  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_clear_object (&self->watch);
  g_clear_pointer (&self->key_watch, kb_keyring_watch_free);
  g_clear_pointer (&self->watched, g_strfreev);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-keys.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-provider-uses.h"
#include "store/kb-key-name.h"
#include "store/kb-provider.h"

struct _KbKeys
{
  GObject parent_instance;

  char *home;    /* owned */
  char *profile; /* owned, nullable */
};

G_DEFINE_FINAL_TYPE (KbKeys, kb_keys, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GTask *
new_task (KbKeys *self,
          gpointer tag,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  return task;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (kb_keys_is_name (name))
    return TRUE;
  g_set_error_literal (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID,
                       _ ("A key has a name of letters, digits and underscores, such as "
                          "OPENAI_API_KEY; the key itself is never given as its name"));
  return FALSE;
}

/* Name of a key -> GPtrArray of who uses it. */
static void
add_user (GHashTable *users, const char *name, const char *user)
{
  GPtrArray *list;

  if (name == NULL || !kb_key_name_is_valid (name))
    return;
  list = g_hash_table_lookup (users, name);
  if (list == NULL)
    {
      list = g_ptr_array_new_null_terminated (0, g_free, TRUE);
      g_hash_table_insert (users, g_strdup (name), list);
    }
  g_ptr_array_add (list, g_strdup (user));
}

static void
add_token (GHashTable *users, const KbConfig *config)
{
  static const char token[] = "koboshi.token";
  g_autoptr (KbYamlPath) path = kb_yaml_path_parse (token, NULL);
  g_autoptr (KbYamlTree) tree = kb_config_path_get (config, path, NULL);

  if (tree != NULL && tree->kind == KB_YAML_SCALAR)
    add_user (users, tree->text, token);
}

/* Every host has the built-in provider, and only who uses it has a key for it. */
static gboolean
is_idle (const KbProvider *provider, const KbConfig *config)
{
  g_autofree char *uses = NULL;

  if (!g_str_equal (provider->name, KB_PROVIDER_BUILT_IN)
      || g_strcmp0 (provider->api_key_env, KB_PROVIDER_BUILT_IN_KEY) != 0)
    return FALSE;
  uses = kb_provider_uses_describe (config, provider->name);
  return *uses == '\0';
}

static GHashTable *
find_users (KbKeys *self)
{
  GHashTable *users
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (KbProfile) profile = NULL;
  g_autoptr (KbConfig) config = NULL;
  const GPtrArray *providers;

  if (self->profile == NULL)
    return users;
  config = kb_config_load (self->home, self->profile, NULL);
  profile = kb_profile_load (self->home, self->profile, NULL);
  if (config == NULL || profile == NULL)
    return users;
  providers = kb_profile_get_providers (profile);
  for (guint i = 0; i < providers->len; i++)
    {
      const KbProvider *provider = providers->pdata[i];

      if (!is_idle (provider, config))
        add_user (users, provider->api_key_env, provider->name);
    }
  add_token (users, config);
  return users;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static KbKeyInfo *
new_info (KbKeyReport *report, GHashTable *users)
{
  KbKeyInfo *info = g_new0 (KbKeyInfo, 1);
  const GPtrArray *list = g_hash_table_lookup (users, report->name);

  info->report = report;
  info->users = list != NULL ? g_strdupv ((GStrv) list->pdata) : g_new0 (char *, 1);
  return info;
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GPtrArray) reports = kb_key_finder_look_finish (result, &error);
  GPtrArray *infos;

  if (reports == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  infos = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_key_info_free);
  for (guint i = 0; i < reports->len; i++)
    g_ptr_array_add (infos, new_info (reports->pdata[i], g_task_get_task_data (task)));
  g_ptr_array_set_free_func (reports, NULL);
  g_task_return_pointer (task, infos, (GDestroyNotify) g_ptr_array_unref);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!kb_keyring_store_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_signal_emit (g_task_get_source_object (task), signals[SIGNAL_CHANGED], 0);
  g_task_return_boolean (task, TRUE);
}

static void
forgotten_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean was_there = FALSE;

  if (!kb_keyring_forget_finish (result, &was_there, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (was_there)
    g_signal_emit (g_task_get_source_object (task), signals[SIGNAL_CHANGED], 0);
  g_task_return_boolean (task, was_there);
}

static void
kb_keys_finalize (GObject *object)
{
  KbKeys *self = KB_KEYS (object);

  g_free (self->home);
  g_free (self->profile);
  G_OBJECT_CLASS (kb_keys_parent_class)->finalize (object);
}

static void
kb_keys_class_init (KbKeysClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_keys_finalize;

  signals[SIGNAL_CHANGED] = g_signal_new ("changed", KB_TYPE_KEYS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
}

static void
kb_keys_init (KbKeys *self)
{
}

/**
 * kb_keys_new:
 * @home: a home
 * @profile: (nullable): its profile, whose providers name keys
 *
 * Returns: (transfer full): the keys of that home
 */
KbKeys *
kb_keys_new (const char *home, const char *profile)
{
  KbKeys *self;

  g_return_val_if_fail (home != NULL, NULL);

  self = g_object_new (KB_TYPE_KEYS, NULL);
  self->home = g_strdup (home);
  self->profile = g_strdup (profile);
  return self;
}

/**
 * kb_keys_is_name:
 * @name: what somebody gave as the name of a key
 *
 * Returns: whether it can be one, and does not look like a key itself
 */
gboolean
kb_keys_is_name (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);
  return kb_key_name_is_valid (name) && !kb_key_name_looks_like_key (name);
}

/**
 * kb_keys_set_async:
 * @self: keys
 * @name: the name of a key
 * @key: the key as it was typed; the caller wipes its own copy
 * @manner: whether the desktop may ask the person to unlock the keyring
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is stored
 * @user_data: data for @callback
 *
 * Puts a key into the keyring, in the place of an older one of that name.
 */
void
kb_keys_set_async (KbKeys *self,
                   const char *name,
                   const char *key,
                   KbKeyringManner manner,
                   GCancellable *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (KbSecret) secret = NULL;
  GError *error = NULL;

  g_return_if_fail (KB_IS_KEYS (self));
  g_return_if_fail (name != NULL && key != NULL);

  task = new_task (self, kb_keys_set_async, cancellable, callback, user_data);
  if (check_name (name, &error))
    secret = kb_key_value_read (key, strlen (key), &error);
  if (secret == NULL)
    g_task_return_error (task, error);
  else
    kb_keyring_store_async (name, secret, manner, cancellable, stored_cb, g_steal_pointer (&task));
}

/**
 * kb_keys_set_finish:
 * @self: keys
 * @result: what the callback was given
 * @error: return location for a #KbKeyError; it never says what the key was
 *
 * Returns: whether the key is in the keyring
 */
gboolean
kb_keys_set_finish (KbKeys *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * kb_keys_forget_async:
 * @self: keys
 * @name: the name of a key
 * @manner: whether the desktop may ask the person to unlock the keyring
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is gone
 * @user_data: data for @callback
 *
 * Takes a key out of the keyring. The other places are not touched.
 */
void
kb_keys_forget_async (KbKeys *self,
                      const char *name,
                      KbKeyringManner manner,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (KB_IS_KEYS (self));
  g_return_if_fail (name != NULL);

  task = new_task (self, kb_keys_forget_async, cancellable, callback, user_data);
  if (!check_name (name, &error))
    g_task_return_error (task, error);
  else
    kb_keyring_forget_async (name, manner, cancellable, forgotten_cb, g_steal_pointer (&task));
}

/**
 * kb_keys_forget_finish:
 * @self: keys
 * @result: what the callback was given
 * @was_there: (out) (optional): whether the keyring had it
 * @error: return location for a #KbKeyError
 *
 * Returns: whether the keyring does not have it now
 */
gboolean
kb_keys_forget_finish (KbKeys *self, GAsyncResult *result, gboolean *was_there, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  gboolean found;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  found = g_task_propagate_boolean (G_TASK (result), &local_error);
  if (was_there != NULL)
    *was_there = found;
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/**
 * kb_keys_check_async:
 * @self: keys
 * @name: (nullable): the name of a key, or %NULL for all that a provider names or the
 *   keyring holds
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data for @callback
 *
 * Finds out where keys are. Nobody is asked to unlock anything.
 */
void
kb_keys_check_async (KbKeys *self,
                     const char *name,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GPtrArray) names = NULL;
  GHashTable *users;

  g_return_if_fail (KB_IS_KEYS (self));

  task = new_task (self, kb_keys_check_async, cancellable, callback, user_data);
  users = find_users (self);
  g_task_set_task_data (task, users, (GDestroyNotify) g_hash_table_unref);
  if (name != NULL)
    {
      names = g_ptr_array_new_null_terminated (1, NULL, TRUE);
      g_ptr_array_add (names, (gpointer) name);
    }
  else
    {
      names = g_hash_table_get_keys_as_ptr_array (users);
      g_ptr_array_sort (names, compare_names);
      g_ptr_array_add (names, NULL);
    }
  kb_key_finder_look_async (self->home, (const char *const *) names->pdata, name == NULL,
                            cancellable, looked_cb, g_steal_pointer (&task));
}

/**
 * kb_keys_check_finish:
 * @self: keys
 * @result: what the callback was given
 * @error: return location for a #GIOErrorEnum
 *
 * Returns: (transfer full) (nullable) (element-type KbKeyInfo): what is known, by name
 */
GPtrArray *
kb_keys_check_finish (KbKeys *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * kb_keys_describe_place:
 * @place: a place
 *
 * Returns: (transfer full): its name for a person
 */
char *
kb_keys_describe_place (KbKeyPlace place)
{
  switch (place)
    {
    case KB_KEY_PLACE_ENVIRONMENT:
      return g_strdup (_ ("the environment"));
    case KB_KEY_PLACE_KEYRING:
      return g_strdup (_ ("the keyring"));
    case KB_KEY_PLACE_CREDENTIALS:
      return g_strdup (".credentials.yaml");
    case KB_KEY_PLACE_DOTENV:
    default:
      return g_strdup (".env");
    }
}

/**
 * kb_key_info_describe:
 * @info: what is known of a key
 *
 * Returns: (transfer full): a sentence that says where it comes from, or why it does not
 */
char *
kb_key_info_describe (const KbKeyInfo *info)
{
  const KbKeySighting *keyring;

  g_return_val_if_fail (info != NULL, NULL);

  keyring = &info->report->places[KB_KEY_PLACE_KEYRING];
  if (info->report->found)
    {
      g_autofree char *place = kb_keys_describe_place (info->report->from);

      /* Translators: %s is a place: “the keyring”, “.env” */
      return g_strdup_printf (_ ("Found in %s"), place);
    }
  for (guint i = 0; i < KB_KEY_N_PLACES; i++)
    if (i != KB_KEY_PLACE_KEYRING && info->report->places[i].problem != NULL)
      return g_strdup (info->report->places[i].problem);
  return g_strdup (keyring->problem != NULL ? keyring->problem : _ ("Not found"));
}

/**
 * kb_key_info_free:
 * @self: (transfer full) (nullable): what is known of a key
 *
 * Frees it.
 */
void
kb_key_info_free (KbKeyInfo *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->users);
  kb_key_report_free (self->report);
  g_free (self);
}

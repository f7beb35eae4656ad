// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "keyring/kb-keyring.h"

#include <glib/gi18n-lib.h>
#include <libsecret/secret.h>
#include <string.h>

/*
 * Each call opens a session of its own: a keyring that was restarted meanwhile knows the old
 * one no more. The blocking calls of libsecret run in a thread of the task.
 */

/* A key that secret-tool stored has another schema and the same attributes: it counts. */
static const SecretSchema key_schema = {
  "io.github.koboshi.Koboshi.Key",
  SECRET_SCHEMA_DONT_MATCH_NAME,
  {
      { "application", SECRET_SCHEMA_ATTRIBUTE_STRING },
      { "ref", SECRET_SCHEMA_ATTRIBUTE_STRING },
  },
};

typedef struct
{
  char *name;    /* (nullable) */
  KbSecret *key; /* (nullable) */
  KbKeyringManner manner;
} Job;

static void
job_free (Job *job)
{
  g_free (job->name);
  kb_secret_unref (job->key);
  g_free (job);
}

static GTask *
new_task (gpointer tag,
          const char *name,
          KbSecret *key,
          KbKeyringManner manner,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data)
{
  Job *job = g_new0 (Job, 1);
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  job->name = g_strdup (name);
  job->key = key != NULL ? kb_secret_ref (key) : NULL;
  job->manner = manner;
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  return task;
}

static GError *
new_locked_error (void)
{
  return g_error_new_literal (KB_KEY_ERROR, KB_KEY_ERROR_LOCKED,
                              _ ("The keyring is locked: unlock it in the password manager of "
                                 "the desktop, then try again"));
}

static GError *
new_absent_error (const char *why)
{
  return g_error_new (KB_KEY_ERROR, KB_KEY_ERROR_NO_KEYRING,
                      _ ("No keyring answers on the session bus (%s): start gnome-keyring, "
                         "KWallet or KeePassXC, or put the key into the environment"),
                      why);
}

/* Takes @error and says what it means for a person. */
static GError *
explain (GError *error)
{
  g_autoptr (GError) taken = error;

  if (error == NULL)
    return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED,
                                _ ("The question of the keyring was not answered"));
  g_dbus_error_strip_remote_error (taken);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_steal_pointer (&taken);
  if (g_error_matches (error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED))
    return new_locked_error ();
  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
      || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
      || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY)
      || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED))
    return new_absent_error (error->message);
  return g_error_new (KB_KEY_ERROR, KB_KEY_ERROR_FAILED, _ ("The keyring failed: %s"),
                      error->message);
}

static SecretService *
open_service (GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  SecretService *service = secret_service_open_sync (
      SECRET_TYPE_SERVICE, NULL, SECRET_SERVICE_OPEN_SESSION, cancellable, &local_error);

  if (service != NULL)
    return service;
  g_dbus_error_strip_remote_error (local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_propagate_error (error, new_absent_error (local_error->message));
  return NULL;
}

typedef enum
{
  DEFAULT_OPEN,
  DEFAULT_LOCKED,
  DEFAULT_ABSENT,
  DEFAULT_FAILED,
} Default;

static Default
look_at_default (SecretService *service, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (SecretCollection) collection = secret_collection_for_alias_sync (
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, explain (g_steal_pointer (&local_error)));
      return DEFAULT_FAILED;
    }
  if (collection == NULL)
    return DEFAULT_ABSENT;
  return secret_collection_get_locked (collection) ? DEFAULT_LOCKED : DEFAULT_OPEN;
}

/* Some keyrings hide the items of a locked collection: what is not seen may be there. */
static gboolean
check_not_hidden (SecretService *service, GCancellable *cancellable, GError **error)
{
  Default state = look_at_default (service, cancellable, error);

  if (state == DEFAULT_LOCKED)
    g_propagate_error (error, new_locked_error ());
  return state == DEFAULT_OPEN || state == DEFAULT_ABSENT;
}

static GHashTable *
new_attributes (const char *name)
{
  GHashTable *attributes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  g_hash_table_insert (attributes, (gpointer) "application", g_strdup (KB_KEYRING_APPLICATION));
  if (name != NULL)
    g_hash_table_insert (attributes, (gpointer) "ref", g_strdup (name));
  return attributes;
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  guint64 first = secret_item_get_modified ((SecretItem *) a);
  guint64 second = secret_item_get_modified ((SecretItem *) b);

  return first < second ? 1 : first > second ? -1 : 0;
}

static void
free_items (GList *items)
{
  g_list_free_full (items, g_object_unref);
}

typedef GList SecretItems;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SecretItems, free_items)

static gboolean
search (SecretService *service,
        const char *name,
        KbKeyringManner manner,
        SecretItems **items,
        GCancellable *cancellable,
        GError **error)
{
  g_autoptr (GHashTable) attributes = new_attributes (name);
  g_autoptr (GError) local_error = NULL;
  SecretSearchFlags flags = SECRET_SEARCH_ALL;

  if (manner == KB_KEYRING_ASK)
    flags |= SECRET_SEARCH_UNLOCK;
  *items = secret_service_search_sync (service, &key_schema, attributes, flags, cancellable,
                                       &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, explain (g_steal_pointer (&local_error)));
      return FALSE;
    }
  *items = g_list_sort (*items, compare_newest_first);
  return TRUE;
}

static KbSecret *
load_item (SecretItem *item, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (SecretValue) value = NULL;
  const char *text;
  gsize length = 0;

  if (secret_item_load_secret_sync (item, cancellable, &local_error))
    value = secret_item_get_secret (item);
  if (value == NULL)
    {
      g_propagate_error (error, explain (g_steal_pointer (&local_error)));
      return NULL;
    }
  text = secret_value_get (value, &length);
  return kb_key_value_read (text != NULL ? text : "", length, error);
}

static KbSecret *
lookup (const Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (SecretService) service = open_service (cancellable, error);
  g_autoptr (SecretItems) items = NULL;

  if (service == NULL || !search (service, job->name, job->manner, &items, cancellable, error))
    return NULL;
  for (GList *l = items; l != NULL; l = l->next)
    if (!secret_item_get_locked (l->data))
      return load_item (l->data, cancellable, error);
  if (items != NULL)
    g_propagate_error (error, new_locked_error ());
  else
    check_not_hidden (service, cancellable, error);
  return NULL;
}

static void
lookup_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  KbSecret *key = lookup (data, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, key, (GDestroyNotify) kb_secret_unref);
}

/**
 * kb_keyring_lookup_async:
 * @name: the name of a key
 * @manner: whether the person may be asked to unlock the keyring
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data for @callback
 *
 * Looks a key up in the keyring.
 */
void
kb_keyring_lookup_async (const char *name,
                         KbKeyringManner manner,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (name != NULL);

  task = new_task (kb_keyring_lookup_async, name, NULL, manner, cancellable, callback, user_data);
  g_task_run_in_thread (task, lookup_in_thread);
}

/**
 * kb_keyring_lookup_finish:
 * @result: what the callback was given
 * @error: return location for a #KbKeyError
 *
 * Returns: (transfer full) (nullable): the key; %NULL without an error if it is not there
 */
KbSecret *
kb_keyring_lookup_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Without leave to ask, nothing is begun that would open a dialog. */
static gboolean
check_writable (SecretService *service,
                KbKeyringManner manner,
                GCancellable *cancellable,
                GError **error)
{
  Default state = look_at_default (service, cancellable, error);

  if (state == DEFAULT_OPEN)
    return TRUE;
  if (state == DEFAULT_FAILED)
    return FALSE;
  if (manner == KB_KEYRING_ASK)
    return TRUE;
  if (state == DEFAULT_LOCKED)
    g_propagate_error (error, new_locked_error ());
  else
    g_set_error_literal (error, KB_KEY_ERROR, KB_KEY_ERROR_NO_KEYRING,
                         _ ("The keyring has no default collection yet: make one in the "
                            "password manager of the desktop, then try again"));
  return FALSE;
}

static gboolean
store (const Job *job, GCancellable *cancellable, GError **error)
{
  g_autoptr (SecretService) service = open_service (cancellable, error);
  g_autoptr (GHashTable) attributes = new_attributes (job->name);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (SecretValue) value = NULL;
  g_autofree char *label = NULL;

  if (service == NULL || !check_writable (service, job->manner, cancellable, error))
    return FALSE;
  value = secret_value_new (kb_secret_get_text (job->key), (gssize) kb_secret_get_length (job->key),
                            "text/plain");
  /* Translators: what the desktop's password manager shows for a key; %s is its name */
  label = g_strdup_printf (_ ("Koboshi: %s"), job->name);
  if (secret_service_store_sync (service, &key_schema, attributes, SECRET_COLLECTION_DEFAULT, label,
                                 value, cancellable, &local_error))
    return TRUE;
  g_propagate_error (error, explain (g_steal_pointer (&local_error)));
  return FALSE;
}

static void
store_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (store (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * kb_keyring_store_async:
 * @name: the name of a key
 * @key: the key
 * @manner: whether the person may be asked to unlock the keyring
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is stored
 * @user_data: data for @callback
 *
 * Puts a key into the default collection, in the place of one of the same name.
 */
void
kb_keyring_store_async (const char *name,
                        KbSecret *key,
                        KbKeyringManner manner,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (name != NULL);
  g_return_if_fail (key != NULL);

  task = new_task (kb_keyring_store_async, name, key, manner, cancellable, callback, user_data);
  g_task_run_in_thread (task, store_in_thread);
}

/**
 * kb_keyring_store_finish:
 * @result: what the callback was given
 * @error: return location for a #KbKeyError
 *
 * Returns: whether the key is in the keyring
 */
gboolean
kb_keyring_store_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static gboolean
forget (const Job *job, gboolean *was_there, GCancellable *cancellable, GError **error)
{
  g_autoptr (SecretService) service = open_service (cancellable, error);
  g_autoptr (SecretItems) items = NULL;

  if (service == NULL || !search (service, job->name, job->manner, &items, cancellable, error))
    return FALSE;
  if (items == NULL)
    return check_not_hidden (service, cancellable, error);
  for (GList *l = items; l != NULL; l = l->next)
    {
      g_autoptr (GError) local_error = NULL;

      if (secret_item_get_locked (l->data))
        {
          g_propagate_error (error, new_locked_error ());
          return FALSE;
        }
      if (!secret_item_delete_sync (l->data, cancellable, &local_error))
        {
          g_propagate_error (error, explain (g_steal_pointer (&local_error)));
          return FALSE;
        }
      *was_there = TRUE;
    }
  return TRUE;
}

static void
forget_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  gboolean was_there = FALSE;

  if (forget (data, &was_there, cancellable, &error))
    g_task_return_boolean (task, was_there);
  else
    g_task_return_error (task, error);
}

/**
 * kb_keyring_forget_async:
 * @name: the name of a key
 * @manner: whether the person may be asked to unlock the keyring
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is gone
 * @user_data: data for @callback
 *
 * Takes a key out of the keyring, however often it is there.
 */
void
kb_keyring_forget_async (const char *name,
                         KbKeyringManner manner,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (name != NULL);

  task = new_task (kb_keyring_forget_async, name, NULL, manner, cancellable, callback, user_data);
  g_task_run_in_thread (task, forget_in_thread);
}

/**
 * kb_keyring_forget_finish:
 * @result: what the callback was given
 * @was_there: (out) (optional): whether there was such a key
 * @error: return location for a #KbKeyError
 *
 * Returns: whether it is not there now
 */
gboolean
kb_keyring_forget_finish (GAsyncResult *result, gboolean *was_there, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  gboolean found;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  found = g_task_propagate_boolean (G_TASK (result), &local_error);
  if (was_there != NULL)
    *was_there = found;
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

typedef struct
{
  GHashTable *names;
  gboolean locked;
} Listing;

static void
listing_free (Listing *listing)
{
  g_clear_pointer (&listing->names, g_hash_table_unref);
  g_free (listing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Listing, listing_free)

static Listing *
list (GCancellable *cancellable, GError **error)
{
  g_autoptr (SecretService) service = open_service (cancellable, error);
  g_autoptr (SecretItems) items = NULL;
  g_autoptr (Listing) listing = g_new0 (Listing, 1);
  Default state;

  if (service == NULL || !search (service, NULL, KB_KEYRING_SILENT, &items, cancellable, error))
    return NULL;
  state = look_at_default (service, cancellable, error);
  if (state == DEFAULT_FAILED)
    return NULL;
  listing->locked = state == DEFAULT_LOCKED;
  listing->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (GList *l = items; l != NULL; l = l->next)
    {
      g_autoptr (GHashTable) attributes = secret_item_get_attributes (l->data);
      const char *name = g_hash_table_lookup (attributes, "ref");

      if (name != NULL)
        g_hash_table_add (listing->names, g_strdup (name));
    }
  return g_steal_pointer (&listing);
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  Listing *listing = list (cancellable, &error);

  if (listing != NULL)
    g_task_return_pointer (task, listing, (GDestroyNotify) listing_free);
  else
    g_task_return_error (task, error);
}

/**
 * kb_keyring_list_async:
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data for @callback
 *
 * Asks for the names of the keys in the keyring. No key is read and nobody is asked.
 */
void
kb_keyring_list_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = new_task (kb_keyring_list_async, NULL, NULL, KB_KEYRING_SILENT,
                                     cancellable, callback, user_data);

  g_task_run_in_thread (task, list_in_thread);
}

/**
 * kb_keyring_list_finish:
 * @result: what the callback was given
 * @locked: (out) (optional): whether the keyring is locked, so that there may be more
 * @error: return location for a #KbKeyError
 *
 * Returns: (transfer full) (nullable) (element-type utf8 utf8): a set of names
 */
GHashTable *
kb_keyring_list_finish (GAsyncResult *result, gboolean *locked, GError **error)
{
  g_autoptr (Listing) listing = NULL;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  listing = g_task_propagate_pointer (G_TASK (result), error);
  if (locked != NULL)
    *locked = listing != NULL && listing->locked;
  return listing != NULL ? g_steal_pointer (&listing->names) : NULL;
}

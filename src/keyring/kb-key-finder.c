// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "keyring/kb-key-finder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "store/kb-credentials.h"

/* An empty variable is how scripts unset one. */
static KbSecret *
find_in_environment (const char *name, GError **error)
{
  const char *value = g_getenv (name);
  g_autoptr (GError) local_error = NULL;
  KbSecret *key;

  if (value == NULL || *value == '\0')
    return NULL;
  key = kb_key_value_read (value, strlen (value), &local_error);
  if (key == NULL)
    g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID, _ ("%s of the environment: %s"), name,
                 local_error->message);
  return key;
}

static KbSecret *
find_in_file (KbKeyPlace place, const char *home, const char *name, GError **error)
{
  return place == KB_KEY_PLACE_CREDENTIALS ? kb_credentials_find (home, name, error)
                                           : kb_dotenv_find (home, name, error);
}

typedef struct
{
  char *home;
  char *name;
  KbKeyPlace place;
  GError *trouble; /* (nullable) why a place on the way could not be asked */
} Search;

static void
search_free (Search *search)
{
  g_free (search->home);
  g_free (search->name);
  g_clear_error (&search->trouble);
  g_free (search);
}

static void
return_found (GTask *task, KbKeyPlace place, KbSecret *key)
{
  Search *search = g_task_get_task_data (task);

  search->place = place;
  g_task_return_pointer (task, key, (GDestroyNotify) kb_secret_unref);
}

/* The first trouble on the way says more than that there is no key. */
static void
return_missing (GTask *task)
{
  Search *search = g_task_get_task_data (task);

  if (search->trouble != NULL)
    g_task_return_error (task, g_steal_pointer (&search->trouble));
  else
    g_task_return_new_error (task, KB_KEY_ERROR, KB_KEY_ERROR_NOT_FOUND,
                             _ ("There is no key %s: “koboshictl key set %s” puts it into the "
                                "keyring"),
                             search->name, search->name);
}

static void
keep_trouble (Search *search, GError *error)
{
  if (search->trouble == NULL)
    search->trouble = error;
  else
    g_error_free (error);
}

static void
find_in_files (GTask *task)
{
  Search *search = g_task_get_task_data (task);

  for (KbKeyPlace place = KB_KEY_PLACE_CREDENTIALS; place < KB_KEY_N_PLACES; place++)
    {
      GError *error = NULL;
      KbSecret *key = find_in_file (place, search->home, search->name, &error);

      if (key != NULL)
        {
          return_found (task, place, key);
          return;
        }
      if (error != NULL)
        keep_trouble (search, error);
    }
  return_missing (task);
}

static void
lookup_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Search *search = g_task_get_task_data (task);
  GError *error = NULL;
  KbSecret *key = kb_keyring_lookup_finish (result, &error);

  if (key != NULL)
    {
      return_found (task, KB_KEY_PLACE_KEYRING, key);
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      g_task_return_error (task, error);
      return;
    }
  /* A machine without a keyring is nothing to complain of: its keys are elsewhere. */
  if (g_error_matches (error, KB_KEY_ERROR, KB_KEY_ERROR_NO_KEYRING))
    g_clear_error (&error);
  if (error != NULL)
    keep_trouble (search, error);
  find_in_files (task);
}

/**
 * kb_key_finder_find_async:
 * @home: the home whose files may hold the key
 * @name: the name of the key
 * @manner: whether the person may be asked to unlock the keyring
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data for @callback
 *
 * Looks for a key in all places, in their order, until one has it. A place that cannot be
 * asked is passed over; only a value that is no key ends the search, since the host too
 * takes the first it finds.
 */
void
kb_key_finder_find_async (const char *home,
                          const char *name,
                          KbKeyringManner manner,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Search *search;
  KbSecret *key;
  GError *error = NULL;

  g_return_if_fail (home != NULL);
  g_return_if_fail (name != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, kb_key_finder_find_async);
  search = g_new0 (Search, 1);
  search->home = g_strdup (home);
  search->name = g_strdup (name);
  g_task_set_task_data (task, search, (GDestroyNotify) search_free);
  key = find_in_environment (name, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (key != NULL)
    return_found (task, KB_KEY_PLACE_ENVIRONMENT, key);
  else
    kb_keyring_lookup_async (name, manner, cancellable, lookup_done_cb, g_steal_pointer (&task));
}

/**
 * kb_key_finder_find_finish:
 * @result: what the callback was given
 * @place: (out) (optional): where it was found
 * @error: return location for a #KbKeyError
 *
 * #KB_KEY_ERROR_NOT_FOUND says that all places were asked; #KB_KEY_ERROR_LOCKED that the
 * keyring may have it: worth another try when it is unlocked.
 *
 * Returns: (transfer full) (nullable): the key
 */
KbSecret *
kb_key_finder_find_finish (GAsyncResult *result, KbKeyPlace *place, GError **error)
{
  Search *search;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  search = g_task_get_task_data (G_TASK (result));
  if (place != NULL)
    *place = search->place;
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * kb_key_report_free:
 * @self: (transfer full) (nullable): a report
 *
 * Frees it.
 */
void
kb_key_report_free (KbKeyReport *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  for (guint i = 0; i < KB_KEY_N_PLACES; i++)
    g_free (self->places[i].problem);
  g_free (self);
}

typedef struct
{
  char *home;
  GStrv names;
  gboolean also_stored;
} Look;

static void
look_free (Look *look)
{
  g_free (look->home);
  g_strfreev (look->names);
  g_free (look);
}

static void
note (KbKeySighting *sighting, KbSecret *key, const GError *error)
{
  sighting->found = key != NULL;
  if (error != NULL)
    sighting->problem = g_strdup (error->message);
}

static void
note_place (KbKeyReport *report, KbKeyPlace place, const char *home)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSecret) key = NULL;

  if (place == KB_KEY_PLACE_ENVIRONMENT)
    key = find_in_environment (report->name, &error);
  else
    key = find_in_file (place, home, report->name, &error);
  note (&report->places[place], key, error);
  if (place == KB_KEY_PLACE_DOTENV && key != NULL && kb_dotenv_is_open_to_others (home))
    report->places[place].problem
        = g_strdup (_ ("Others can read this file: chmod 600 takes that away"));
}

static void
note_keyring (KbKeyReport *report, GHashTable *stored, gboolean locked, const GError *error)
{
  KbKeySighting *sighting = &report->places[KB_KEY_PLACE_KEYRING];

  report->locked = locked;
  sighting->found = stored != NULL && g_hash_table_contains (stored, report->name);
  if (error != NULL)
    sighting->problem = g_strdup (error->message);
  else if (locked)
    sighting->problem
        = g_strdup (sighting->found ? _ ("The keyring is locked: it must be unlocked before "
                                         "the key can be used")
                                    : _ ("The keyring is locked: whether it has the key is "
                                         "only known when it is unlocked"));
}

static KbKeyReport *
look (const char *home, const char *name, GHashTable *stored, gboolean locked, const GError *error)
{
  KbKeyReport *report = g_new0 (KbKeyReport, 1);

  report->name = g_strdup (name);
  note_keyring (report, stored, locked, error);
  note_place (report, KB_KEY_PLACE_ENVIRONMENT, home);
  note_place (report, KB_KEY_PLACE_CREDENTIALS, home);
  note_place (report, KB_KEY_PLACE_DOTENV, home);
  for (guint i = KB_KEY_N_PLACES; i > 0; i--)
    {
      if (!report->places[i - 1].found)
        continue;
      report->found = TRUE;
      report->from = (KbKeyPlace) (i - 1);
    }
  return report;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_stored (GPtrArray *reports, const Look *asked, GHashTable *stored, gboolean locked)
{
  g_autoptr (GPtrArray) names = g_hash_table_get_keys_as_ptr_array (stored);

  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    if (!g_strv_contains ((const char *const *) asked->names, names->pdata[i]))
      g_ptr_array_add (reports, look (asked->home, names->pdata[i], stored, locked, NULL));
}

static void
list_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) reports = NULL;
  gboolean locked = FALSE;
  g_autoptr (GHashTable) stored = kb_keyring_list_finish (result, &locked, &error);
  Look *asked = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;
  reports = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_key_report_free);
  for (char **name = asked->names; *name != NULL; name++)
    g_ptr_array_add (reports, look (asked->home, *name, stored, locked, error));
  if (asked->also_stored && stored != NULL)
    add_stored (reports, asked, stored, locked);
  g_task_return_pointer (task, g_steal_pointer (&reports), (GDestroyNotify) g_ptr_array_unref);
}

/**
 * kb_key_finder_look_async:
 * @home: the home whose files may hold keys
 * @names: (array zero-terminated=1): names of keys
 * @also_stored: whether those are added that the keyring has besides
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data for @callback
 *
 * Finds out which places have which key. Nobody is asked to unlock anything.
 */
void
kb_key_finder_look_async (const char *home,
                          const char *const *names,
                          gboolean also_stored,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Look *asked;

  g_return_if_fail (home != NULL);
  g_return_if_fail (names != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, kb_key_finder_look_async);
  asked = g_new0 (Look, 1);
  asked->home = g_strdup (home);
  asked->names = g_strdupv ((char **) names);
  asked->also_stored = also_stored;
  g_task_set_task_data (task, asked, (GDestroyNotify) look_free);
  kb_keyring_list_async (cancellable, list_done_cb, g_steal_pointer (&task));
}

/**
 * kb_key_finder_look_finish:
 * @result: what the callback was given
 * @error: return location for a #GIOErrorEnum
 *
 * Returns: (transfer full) (nullable) (element-type KbKeyReport): one report for each name,
 *   in their order, then those that only the keyring has
 */
GPtrArray *
kb_key_finder_look_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

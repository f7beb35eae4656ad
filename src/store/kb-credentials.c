// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-credentials.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "store/kb-regular-file.h"
#include "store/kb-yaml-private.h"

/* Keys are short: what is larger is another file. */
#define MAX_FILE_BYTES (1024 * 1024)

typedef struct
{
  gsize size;
  char text[];
} Buffer;

static void
free_buffer_cb (gpointer data)
{
  Buffer *buffer = data;

  kb_secret_wipe (buffer->text, buffer->size);
  g_free (buffer);
}

static gboolean
check_file (const char *path, const struct stat *info, gboolean only_private, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  g_autofree char *message = NULL;

  if (only_private && (info->st_mode & 077) != 0)
    message = g_strdup_printf (_ ("Others can get at “%1$s”, so neither the host nor Koboshi uses "
                                  "it: chmod 600 “%1$s”"),
                               name);
  else if (info->st_size > MAX_FILE_BYTES)
    message = g_strdup_printf (_ ("“%s” is larger than a file of keys can be: 1 MiB"), name);
  if (message == NULL)
    return TRUE;
  g_set_error_literal (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE, message);
  return FALSE;
}

/**
 * kb_credentials_read_file:
 * @path: a file of keys
 * @only_private: whether a file that others can get at is refused
 * @error: return location for a #KbKeyError or #GIOErrorEnum
 *
 * Reads it into one piece of memory that is wiped with the last reference.
 *
 * Returns: (transfer full) (nullable): its bytes; %NULL without an error if there is no file
 */
GBytes *
kb_credentials_read_file (const char *path, gboolean only_private, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofd int fd = -1;
  struct stat info;
  Buffer *buffer;
  gssize n = 0;
  gsize length = 0;

  g_return_val_if_fail (path != NULL, NULL);

  fd = kb_regular_file_open (path, &info, &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return NULL;
  if (fd < 0)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (!check_file (path, &info, only_private, error))
    return NULL;
  buffer = g_malloc (sizeof (Buffer) + (gsize) info.st_size + 1);
  buffer->size = (gsize) info.st_size;
  while (length < buffer->size
         && ((n = read (fd, buffer->text + length, buffer->size - length)) > 0
             || (n < 0 && errno == EINTR)))
    length += (gsize) MAX (n, 0);
  if (n >= 0)
    return g_bytes_new_with_free_func (buffer->text, length, free_buffer_cb, buffer);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _ ("Cannot read “%s”: %s"), path,
               g_strerror (errno));
  free_buffer_cb (buffer);
  return NULL;
}

/**
 * kb_credentials_get_path:
 * @home: a home
 *
 * Returns: (transfer full): where the host keeps keys in it
 */
char *
kb_credentials_get_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);
  return g_build_filename (home, ".credentials.yaml", NULL);
}

/* The parser's own message could quote the line that it does not understand. */
static KbYamlDocument *
parse (const char *path, GBytes *bytes, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  KbYamlSpan where = { .line = 1, .column = 1 };
  KbYamlDocument *document = kb_yaml_document_parse_secret (bytes, &where);

  if (document == NULL)
    g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE,
                 _ ("“%s” is no YAML the host can read: see line %u, column %u"), name, where.line,
                 where.column);
  return document;
}

static gboolean
is_map (const KbYamlNode *node)
{
  return node != NULL && kb_yaml_node_get_kind (node) == KB_YAML_MAPPING;
}

/* Newer hosts: {version, refs, records}. Older ones: a flat map of names (DSH-HOST 3.4). */
static const KbYamlNode *
find_names (const KbYamlNode *root)
{
  const KbYamlNode *refs = kb_yaml_node_lookup (root, "refs");

  if (kb_yaml_node_lookup (root, "version") != NULL || is_map (refs)
      || is_map (kb_yaml_node_lookup (root, "records")))
    return is_map (refs) ? refs : NULL;
  return root;
}

static KbSecret *
read_value (KbYamlDocument *document, const char *path, const KbYamlNode *written, GError **error)
{
  const KbYamlNode *node = kb_yaml_document_resolve (document, written);
  const char *text = node != NULL ? kb_yaml_node_get_text (node) : NULL;
  g_autofree char *name = g_filename_display_name (path);
  g_autoptr (GError) local_error = NULL;
  KbSecret *secret = NULL;

  if (node == NULL || kb_yaml_node_get_kind (node) != KB_YAML_SCALAR
      || kb_yaml_node_get_type (node) != KB_YAML_TYPE_STRING || text == NULL)
    g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE,
                 _ ("%s:%u: the value is no text: put it in quotes"), name,
                 kb_yaml_node_get_span (written)->line);
  else if ((secret = kb_key_value_read (text, strlen (text), &local_error)) == NULL)
    g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID, "%s:%u: %s", name,
                 kb_yaml_node_get_span (written)->line, local_error->message);
  return secret;
}

static KbSecret *
find_in_map (KbYamlDocument *document,
             const char *path,
             const KbYamlNode *map,
             const char *name,
             GError **error)
{
  const KbYamlNode *found = NULL;
  guint n_found = 0;

  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);

      if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR
          || g_strcmp0 (kb_yaml_node_get_text (key), name) != 0)
        continue;
      found = kb_yaml_node_get_value (map, i);
      n_found++;
    }
  if (n_found < 2)
    return found != NULL ? read_value (document, path, found, error) : NULL;
  g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE,
               _ ("%s has two entries for %s, which the host refuses: keep one"), path, name);
  return NULL;
}

/**
 * kb_credentials_find:
 * @home: a home
 * @name: the name of a key
 * @error: return location for a #KbKeyError or #GIOErrorEnum
 *
 * Looks into `.credentials.yaml`. As with the host, a file that others can get at counts for
 * nothing, and one that is not what it should be is an error.
 *
 * Returns: (transfer full) (nullable): the key; %NULL without an error if it is not there
 */
KbSecret *
kb_credentials_find (const char *home, const char *name, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  const KbYamlNode *root;
  const KbYamlNode *names;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  path = kb_credentials_get_path (home);
  bytes = kb_credentials_read_file (path, TRUE, error);
  if (bytes == NULL)
    return NULL;
  document = parse (path, bytes, error);
  if (document == NULL)
    return NULL;
  root = kb_yaml_document_get_root (document);
  if (root == NULL)
    return NULL;
  if (!is_map (root))
    {
      g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE,
                   _ ("“%s” is no map of names, which the host refuses"), path);
      return NULL;
    }
  names = find_names (root);
  return names != NULL ? find_in_map (document, path, names, name, error) : NULL;
}

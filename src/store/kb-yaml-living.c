// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-yaml-private.h"

/*
 * The documents that somebody holds. They never change, so whoever wants one of the same
 * bytes shares it: an edit looks at one file as an editor, as a profile and as a form, and
 * reading a megabyte takes thirty milliseconds. Nothing is kept alive for that.
 */

static GMutex living_mutex;
static GPtrArray *living; /* KbYamlDocument, borrowed; NULL while there is none */

/**
 * kb_yaml_living_find:
 * @bytes: a text
 *
 * Returns: (transfer full) (nullable): a document of it that somebody holds
 */
KbYamlDocument *
kb_yaml_living_find (GBytes *bytes)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&living_mutex);

  for (guint i = 0; living != NULL && i < living->len; i++)
    {
      KbYamlDocument *document = living->pdata[i];

      if (!g_bytes_equal (document->bytes, bytes))
        continue;
      document->references++;
      return document;
    }
  return NULL;
}

/**
 * kb_yaml_living_add:
 * @document: a document that is finished
 *
 * Lets others share it.
 */
void
kb_yaml_living_add (KbYamlDocument *document)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&living_mutex);

  if (living == NULL)
    living = g_ptr_array_new ();
  g_ptr_array_add (living, document);
}

/**
 * kb_yaml_living_ref:
 * @document: a document
 *
 * Returns: (transfer full): @document
 */
KbYamlDocument *
kb_yaml_living_ref (KbYamlDocument *document)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&living_mutex);

  document->references++;
  return document;
}

/**
 * kb_yaml_living_unref:
 * @document: a document
 *
 * Returns: whether nobody holds it any more, so that it must be freed
 */
gboolean
kb_yaml_living_unref (KbYamlDocument *document)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&living_mutex);

  if (--document->references > 0)
    return FALSE;
  if (living != NULL)
    g_ptr_array_remove_fast (living, document);
  if (living != NULL && living->len == 0)
    g_clear_pointer (&living, g_ptr_array_unref);
  return TRUE;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-nearest.h"

#include <string.h>

/* Longer words are not misspelt keys, and the distance costs their product. */
#define MAX_LENGTH 64

/*
 * Letters to insert, remove or replace until one word is the other; case does not count.
 * More than @most are not counted to the end.
 */
static gsize
get_distance (const char *a, const char *b, gsize most)
{
  gsize row[MAX_LENGTH + 1];
  gsize length = strlen (b);

  for (gsize j = 0; j <= length; j++)
    row[j] = j;
  for (gsize i = 1; a[i - 1] != '\0'; i++)
    {
      gsize diagonal = row[0];
      gsize least = i;

      row[0] = i;
      for (gsize j = 1; j <= length; j++)
        {
          gboolean same = g_ascii_tolower (a[i - 1]) == g_ascii_tolower (b[j - 1]);
          gsize replaced = diagonal + (same ? 0 : 1);

          diagonal = row[j];
          row[j] = MIN (replaced, MIN (row[j], row[j - 1]) + 1);
          least = MIN (least, row[j]);
        }
      if (least > most)
        return least;
    }
  return row[length];
}

/**
 * kb_nearest_find:
 * @word: what was written
 * @known: (array zero-terminated=1): what could have been meant
 *
 * Returns: (transfer none) (nullable): the known word that is at most a third of its letters
 *   away, the nearest of them
 */
const char *
kb_nearest_find (const char *word, const char *const *known)
{
  const char *nearest = NULL;
  gsize best = G_MAXSIZE;
  gsize word_length;

  g_return_val_if_fail (word != NULL && known != NULL, NULL);

  word_length = strlen (word);
  if (word_length > MAX_LENGTH)
    return NULL;
  for (gsize i = 0; known[i] != NULL; i++)
    {
      gsize length = strlen (known[i]);
      gsize most = MAX (1, length / 3);
      gsize distance;

      if (length > MAX_LENGTH || word_length > length + most || length > word_length + most)
        continue;
      distance = get_distance (word, known[i], most);
      if (distance <= most && distance < best)
        {
          best = distance;
          nearest = known[i];
        }
    }
  return nearest;
}

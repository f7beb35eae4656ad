// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-watch-points.h"

#include <gio/gio.h>
#include <sys/stat.h>

/* As many as the kernel follows. */
#define LINKS_MAX 40

static void
watch_point_free (gpointer data)
{
  KbWatchPoint *point = data;

  g_free (point->folder);
  g_free (point->path);
  g_free (point);
}

static void
add_point (GPtrArray *points, const char *folder, const char *path)
{
  KbWatchPoint *point = g_new0 (KbWatchPoint, 1);

  point->folder = g_strdup (folder);
  point->path = g_strdup (path);
  g_ptr_array_add (points, point);
}

/* Puts the components of @path on the stack, the first one on top. */
static void
push_components (GPtrArray *stack, const char *path)
{
  g_auto (GStrv) components = g_strsplit (path, "/", -1);

  for (guint i = g_strv_length (components); i > 0; i--)
    {
      if (*components[i - 1] != '\0' && !g_str_equal (components[i - 1], "."))
        g_ptr_array_add (stack, g_strdup (components[i - 1]));
    }
}

/* Follows a link: its target's components come next, from "/" or from where the link is. */
static gboolean
follow_link (GPtrArray *stack, const char *link, char **current)
{
  g_autofree char *target = g_file_read_link (link, NULL);

  if (target == NULL)
    return FALSE;
  if (g_path_is_absolute (target))
    g_set_str (current, "/");
  push_components (stack, target);
  return TRUE;
}

/* One step along the way. Returns FALSE where it ends. */
static gboolean
walk (GPtrArray *points, GPtrArray *stack, char **current, guint *n_links)
{
  g_autofree char *name = g_ptr_array_steal_index (stack, stack->len - 1);
  g_autofree char *path = NULL;
  struct stat info;

  if (g_str_equal (name, ".."))
    {
      g_autofree char *parent = g_path_get_dirname (*current);

      g_set_str (current, parent);
      return TRUE;
    }
  path = g_build_filename (*current, name, NULL);
  if (lstat (path, &info) < 0)
    {
      add_point (points, *current, path);
      return FALSE;
    }
  if (S_ISLNK (info.st_mode))
    {
      add_point (points, *current, path);
      return ++*n_links <= LINKS_MAX && follow_link (stack, path, current);
    }
  if (stack->len == 0 || !S_ISDIR (info.st_mode))
    {
      add_point (points, *current, path);
      return FALSE;
    }
  g_set_str (current, path);
  return TRUE;
}

/**
 * kb_watch_points_find:
 * @path: an absolute path; nothing of it needs to exist
 *
 * Walks the path as the kernel does. A swap of a link (`ln -sfn`), whether the file itself
 * is the link or a folder above it, so happens in a folder that is watched.
 *
 * Returns: (transfer container) (element-type KbWatchPoint): the places, in the order of the
 *   way; the file itself is last
 */
GPtrArray *
kb_watch_points_find (const char *path)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *current = g_strdup ("/");
  GPtrArray *points = g_ptr_array_new_with_free_func (watch_point_free);
  guint n_links = 0;

  g_return_val_if_fail (path != NULL && g_path_is_absolute (path), points);

  push_components (stack, path);
  while (stack->len > 0 && walk (points, stack, &current, &n_links))
    continue;
  return points;
}

/**
 * kb_watch_points_equal:
 * @a: (element-type KbWatchPoint): places
 * @b: (element-type KbWatchPoint): places
 *
 * Returns: whether both are the same places in the same order
 */
gboolean
kb_watch_points_equal (GPtrArray *a, GPtrArray *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const KbWatchPoint *left = a->pdata[i];
      const KbWatchPoint *right = b->pdata[i];

      if (!g_str_equal (left->path, right->path) || !g_str_equal (left->folder, right->folder))
        return FALSE;
    }
  return TRUE;
}

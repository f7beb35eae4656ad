// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/kb-problem.h"
#include "../support/folder.h"

/* A throwaway home with one profile, "web". */
typedef struct
{
  char *dir;
} Home;

#define MANIFEST                                                                                   \
  "{\"name\":\"dsh-profile-web\",\"dsh\":{\"profile\":{\"bundles\":"                               \
  "[\"@deepseek-ai/dsh-base\",\"@deepseek-ai/dsh-web-app\",\"dsh-daruma\"]}}}"

static inline char *
home_path (Home *home, const char *path)
{
  return g_build_filename (home->dir, path, NULL);
}

static inline void
home_write_bytes (Home *home, const char *path, const char *data, gsize length)
{
  g_autofree char *full = home_path (home, path);
  g_autofree char *dir = g_path_get_dirname (full);

  g_assert_cmpint (g_mkdir_with_parents (dir, 0700), ==, 0);
  g_assert_true (g_file_set_contents (full, data, (gssize) length, NULL));
}

static inline void
home_write (Home *home, const char *path, const char *text)
{
  home_write_bytes (home, path, text, strlen (text));
}

static inline void
home_set_up (Home *home, gconstpointer data)
{
  home->dir = g_dir_make_tmp ("koboshi-home-XXXXXX", NULL);
  home_write (home, "profiles/web/package.json", MANIFEST);
}

static inline void
home_tear_down (Home *home, gconstpointer data)
{
  remove_tree (home->dir);
  g_free (home->dir);
}

/* One line per problem: severity, code, base name, line and column. */
static inline char *
describe_problems (const GPtrArray *problems)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];
      g_autofree char *base = g_path_get_basename (problem->file);

      g_assert_true (g_path_is_absolute (problem->file));
      g_assert_true (*problem->message != '\0');
      g_assert_true (g_utf8_validate (problem->message, -1, NULL));
      g_string_append_printf (text, "%s%s %s %s:%u:%u", i == 0 ? "" : "\n",
                              kb_severity_to_string (problem->severity), problem->code, base,
                              problem->line, problem->column);
    }
  return g_string_free_and_steal (text);
}

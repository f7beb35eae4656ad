// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "home.h"
#include "store/kb-edit.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define SHARED "cordis.patch.yml"
#define SETTINGS "settings.yaml"
#define KOBOSHI "profiles/web/koboshi.yaml"

static inline char *
home_read (Home *home, const char *path)
{
  g_autofree char *full = home_path (home, path);
  char *text = NULL;

  g_file_get_contents (full, &text, NULL, NULL);
  return text;
}

static inline KbEdit *
open_edit (Home *home)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *state = home_path (home, "state");
  KbEdit *edit = kb_edit_new (home->dir, "web", state, &error);

  g_assert_no_error (error);
  return edit;
}

static inline KbYamlPath *
make_path (const char *text)
{
  g_autoptr (GError) error = NULL;
  KbYamlPath *path = kb_yaml_path_parse (text, &error);

  g_assert_no_error (error);
  return path;
}

static inline gboolean
edit_set (KbEdit *edit, const char *path, const char *value, GError **error)
{
  g_autoptr (KbYamlPath) where = make_path (path);
  g_autoptr (KbYamlTree) tree = kb_yaml_tree_from_text (value, NULL);

  g_assert_nonnull (tree);
  return kb_edit_set (edit, where, tree, error);
}

static inline void
must_save (KbEdit *edit)
{
  g_autoptr (GError) error = NULL;

  kb_edit_save (edit, "an edit", &error);
  g_assert_no_error (error);
}

/* Sets a value and saves it. */
static inline void
must_set (Home *home, const char *path, const char *value)
{
  g_autoptr (KbEdit) edit = open_edit (home);
  g_autoptr (GError) error = NULL;

  edit_set (edit, path, value, &error);
  g_assert_no_error (error);
  must_save (edit);
}

static inline void
assert_file (Home *home, const char *path, const char *expected)
{
  g_autofree char *text = home_read (home, path);

  g_assert_cmpstr (text, ==, expected);
}

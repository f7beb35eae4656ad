// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "profile-check.h"
#include "store/kb-lint.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define ROW "- id: dsh-daruma\n  config:\n"

/* What an edit of one file would add to the problems of a profile. */
typedef struct
{
  const char *name;
  const char *file;
  const char *before; /* (nullable): absent */
  const char *after;  /* (nullable): removed */
  const char *added;
} Edit;

static const Edit edits[] = {
  { "nothing", PATCH, "[]\n", "[]\n", "" },
  { "fine", PATCH, ROW "    cooldownMs: 1\n", ROW "    cooldownMs: 2\n", "" },
  { "new-file", PATCH, NULL, ROW "    cooldownMs: 2\n", "" },
  { "removed", PATCH, ROW "    cooldownMs: 0\n", NULL, "" },
  { "emptied", PATCH, "[]\n", "", "error empty-patch cordis.patch.yml:0:0" },
  { "broken", PATCH, "[]\n", "- [\n", "error yaml-syntax cordis.patch.yml:2:1" },
  { "bad-value", PATCH, ROW "    cooldownMs: 1\n", ROW "    cooldownMs: 0\n",
    "error bad-number cordis.patch.yml:3:17" },
  { "repaired", PATCH, ROW "    cooldownMs: 0\n", ROW "    cooldownMs: 1\n", "" },
  { "moved", PATCH, ROW "    cooldownMs: 0\n", "# c\n" ROW "    cooldownMs: 0\n", "" },
  { "one-more", PATCH, ROW "    cooldownMs: 0\n", "# c\n" ROW "    cooldownMs: 0\n    logFile: 1\n",
    "error bad-path cordis.patch.yml:5:14" },
  { "missing-provider", PATCH, "[]\n", ROW "    channels: [{ provider: x, model: y }]\n",
    "warning missing-provider cordis.patch.yml:3:16" },
  { "settings", "settings.yaml", NULL, "daruma: { backup: 1 }\n",
    "error bad-type settings.yaml:1:19" },
  { "settings-list", "settings.yaml", "{}\n", "[]\n", "error not-a-mapping settings.yaml:1:1" },
  { "home", "cordis.patch.yml", NULL, "{}\n", "error not-a-list cordis.patch.yml:1:1" },
  { "stranger", "other.yml", NULL, "{}\n", "" },
};

static void
check_edit (Home *home, const Edit *edit, const char *path)
{
  g_autoptr (KbProfile) profile = NULL;
  g_autoptr (GPtrArray) added = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (edit->before != NULL)
    home_write (home, edit->file, edit->before);
  if (edit->after != NULL)
    bytes = g_bytes_new_static (edit->after, strlen (edit->after));
  profile = load_profile (home);
  added = kb_lint_edit (profile, path, bytes, &error);
  g_assert_no_error (error);
  text = describe_problems (added);
  g_assert_cmpstr (text, ==, edit->added);
  g_assert_cmpint (kb_lint_has_error (added), ==, strstr (edit->added, "error ") != NULL);
}

static void
test_edit (Home *home, gconstpointer data)
{
  const Edit *edit = data;
  g_autofree char *path = home_path (home, edit->file);
  g_autofree char *after = NULL;

  check_edit (home, edit, path);
  if (edit->before == NULL)
    {
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
      return;
    }
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, edit->before);
}

/* A link and what it leads to are the same file. */
static void
test_link (Home *home, gconstpointer data)
{
  const Edit edit = { NULL, "dotfiles/patch.yml", "[]\n", "- a\n",
                      "error entry-not-mapping cordis.patch.yml:1:3" };
  g_autofree char *path = home_path (home, PATCH);
  g_autofree char *target = home_path (home, edit.file);

  home_write (home, edit.file, edit.before);
  g_assert_cmpint (symlink (target, path), ==, 0);
  check_edit (home, &edit, target);
  check_edit (home, &edit, path);
}

static void
test_preview (Home *home, gconstpointer data)
{
  static const char text[] = ROW "    channels: [{ provider: openai, model: b }]\n";
  g_autofree char *path = home_path (home, PATCH);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (KbProfile) profile = NULL;
  g_autoptr (KbProfile) preview = NULL;

  home_write (home, PATCH, ROW "    channels: [{ provider: openai, model: a }]\n");
  profile = load_profile (home);
  preview = kb_profile_preview (profile, path, bytes, NULL);
  g_assert_nonnull (preview);
  assert_channels (profile, "openai::a");
  assert_channels (preview, "openai::b");
}

static void
test_profile_gone (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = load_profile (home);
  g_autofree char *manifest = home_path (home, "profiles/web/package.json");
  g_autofree char *path = home_path (home, PATCH);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_remove (manifest), ==, 0);
  g_assert_null (kb_lint_edit (profile, path, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_autofree char *path = g_strconcat ("/store/lint-edit/", edits[i].name, NULL);

      g_test_add (path, Home, &edits[i], home_set_up, test_edit, home_tear_down);
    }
  g_test_add ("/store/lint-edit/link", Home, NULL, home_set_up, test_link, home_tear_down);
  g_test_add ("/store/lint-edit/preview", Home, NULL, home_set_up, test_preview, home_tear_down);
  g_test_add ("/store/lint-edit/profile-gone", Home, NULL, home_set_up, test_profile_gone,
              home_tear_down);

  return g_test_run ();
}

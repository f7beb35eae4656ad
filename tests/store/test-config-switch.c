// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "edit-check.h"

#include "store/kb-config-switch.h"

typedef struct
{
  const char *name;
  const char *profile;
  const char *shared; /* (nullable) the home's layer */
  gboolean off;
  const char *after; /* what the file that says so is then */
} SwitchRow;

static const SwitchRow rows[] = {
  { "on", "- id: dsh-daruma\n  config: {}\n", NULL, FALSE, NULL },
  { "said to be on", "- id: dsh-daruma\n  disabled: false\n", NULL, FALSE, NULL },
  { "off", "- id: dsh-daruma\n  disabled: true # for now\n  config: {}\n", NULL, TRUE,
    "- id: dsh-daruma\n  disabled: false # for now\n  config: {}\n" },
  { "any text is true", "- { id: dsh-daruma, disabled: \"no\" }\n", NULL, TRUE,
    "- { id: dsh-daruma, disabled: false }\n" },
  { "an expression is the host's", "- id: dsh-daruma\n  disabled: !!js true\n", NULL, FALSE, NULL },
  { "inserted", "- insert:\n    - id: dsh-daruma\n      name: dsh-daruma\n      disabled: true\n",
    NULL, TRUE,
    "- insert:\n    - id: dsh-daruma\n      name: dsh-daruma\n      disabled: false\n" },
  { "of the home", "- id: dsh-daruma\n  disabled: false\n", "- id: dsh-daruma\n  disabled: true\n",
    TRUE, "- id: dsh-daruma\n  disabled: false\n" },
  { "overruled by the home", "- id: dsh-daruma\n  disabled: true\n",
    "- id: dsh-daruma\n  disabled: false\n", FALSE, NULL },
  { "a group around it",
    "- insert:\n    - id: g\n      name: x\n      group: true\n      disabled: true\n"
    "      config:\n        - id: dsh-daruma\n          name: dsh-daruma\n",
    NULL, TRUE,
    "- insert:\n    - id: g\n      name: x\n      group: true\n      disabled: false\n"
    "      config:\n        - id: dsh-daruma\n          name: dsh-daruma\n" },
};

static void
run (Home *home, const SwitchRow *row)
{
  g_autofree char *shared = home_path (home, SHARED);
  g_autoptr (KbEdit) edit = NULL;
  g_autoptr (KbYamlPath) path = kb_config_switch_make_path ("dsh-daruma");
  g_autoptr (KbYamlTree) off = kb_yaml_tree_new_boolean (FALSE);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", row->name);
  home_write (home, PATCH, row->profile);
  g_remove (shared);
  if (row->shared != NULL)
    home_write (home, SHARED, row->shared);
  edit = open_edit (home);
  g_assert_true (kb_config_switch_is_off (kb_edit_get_config (edit), "dsh-daruma") == row->off);
  if (!row->off)
    {
      g_assert_false (kb_edit_set (edit, path, off, &error));
      g_assert_error (error, KB_CONFIG_ERROR, KB_CONFIG_ERROR_NOT_FOUND);
      return;
    }
  kb_edit_set (edit, path, off, &error);
  g_assert_no_error (error);
  must_save (edit);
  assert_file (home, row->shared != NULL ? SHARED : PATCH, row->after);
  g_assert_false (kb_config_switch_is_off (kb_edit_get_config (edit), "dsh-daruma"));
}

static void
test_rows (Home *home, gconstpointer data)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    run (home, &rows[i]);
}

static void
test_unknown (Home *home, gconstpointer data)
{
  g_autoptr (KbEdit) edit = NULL;

  home_write (home, PATCH, "- id: koboshi\n  disabled: true\n");
  edit = open_edit (home);
  g_assert_false (kb_config_switch_is_off (kb_edit_get_config (edit), "koboshi"));
  g_assert_false (kb_config_switch_is_off (kb_edit_get_config (edit), "nothing"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/store/config-switch/rows", Home, NULL, home_set_up, test_rows, home_tear_down);
  g_test_add ("/store/config-switch/unknown", Home, NULL, home_set_up, test_unknown,
              home_tear_down);
  return g_test_run ();
}

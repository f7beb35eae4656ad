// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "../store/home.h"
#include "client/kb-presets.h"

#define PROFILE "profiles/web/cordis.patch.yml"

static const char *
find (Home *home, const char *config)
{
  g_autofree char *patch = g_strdup_printf ("- id: camel\n  config: %s\n", config);
  g_autoptr (GError) error = NULL;
  g_autoptr (KbForm) form = NULL;

  home_write (home, PROFILE, patch);
  form = kb_form_load (home->dir, "web", &error);
  g_assert_no_error (error);
  return kb_presets_find (form);
}

static void
test_find (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *config;
    const char *preset;
  } rows[] = {
    { "{}", NULL },
    { "{ defaults: { retry: { enabled: true } } }", "recover" },
    { "{ defaults: { retry: { enabled: true }, adaptive: { enabled: true } } }", "adaptive" },
    { "{ defaults: { retry: { enabled: true, mode: bounded, maxRetries: 9 } } }", "bounded" },
    { "{ defaults: { retry: { enabled: true }, throttle: { enabled: true } } }", NULL },
    { "{ defaults: { retry: { enabled: !!js true } } }", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (find (home, rows[i].config), ==, rows[i].preset);
}

/* Every preset leads to itself, and where it is in force already there is nothing to do. */
static void
test_add (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = NULL;

  home_write (home, PROFILE, "- id: camel\n  config: { defaults: { retry: { enabled: true } } }\n");
  form = kb_form_load (home->dir, "web", NULL);
  for (const char *const *name = kb_presets_list (); *name != NULL; name++)
    {
      g_autoptr (KbChanges) changes = kb_changes_new ("preset", NULL);

      kb_presets_add (*name, form, changes);
      g_assert_cmpuint (kb_changes_get_length (changes) == 0, ==,
                        g_str_equal (*name, "recover") ? 1 : 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/client/presets/find", Home, NULL, home_set_up, test_find, home_tear_down);
  g_test_add ("/client/presets/add", Home, NULL, home_set_up, test_add, home_tear_down);

  return g_test_run ();
}

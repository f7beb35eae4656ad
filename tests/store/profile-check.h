// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "home.h"
#include "store/kb-profile.h"

/* What the tests of profiles ask again and again. */

static inline KbProfile *
load_profile (Home *home)
{
  g_autoptr (GError) error = NULL;
  KbProfile *profile = kb_profile_load (home->dir, "web", &error);

  g_assert_no_error (error);
  g_assert_nonnull (profile);
  return profile;
}

/* Ids of the chain in order, with spaces between. */
static inline void
assert_channels (KbProfile *profile, const char *expected)
{
  const KbDarumaConfig *daruma = kb_profile_get_daruma (profile);
  g_autoptr (GString) ids = g_string_new (NULL);

  g_assert_cmpuint (daruma->places->len, ==, daruma->channels->len);
  for (guint i = 0; i < daruma->channels->len; i++)
    {
      const KbChannelRef *ref = daruma->channels->pdata[i];

      g_string_append_printf (ids, "%s%s", i == 0 ? "" : " ", ref->id);
    }
  g_assert_cmpstr (ids->str, ==, expected);
}

static inline void
assert_problems (KbProfile *profile, const char *expected)
{
  g_autofree char *text = describe_problems (kb_profile_get_problems (profile));

  g_assert_cmpstr (text, ==, expected);
}

static inline void
assert_place (Home *home,
              const KbProvenance *place,
              KbOrigin origin,
              const char *path,
              guint line,
              guint column)
{
  g_autofree char *full = home_path (home, path);

  g_assert_cmpint (place->origin, ==, origin);
  g_assert_cmpstr (place->file, ==, full);
  g_assert_cmpuint (place->line, ==, line);
  g_assert_cmpuint (place->column, ==, column);
}

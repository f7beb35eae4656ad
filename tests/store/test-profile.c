// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "store/kb-profile.h"

static KbProfile *
load (Home *home)
{
  g_autoptr (GError) error = NULL;
  KbProfile *profile = kb_profile_load (home->dir, "web", &error);

  g_assert_no_error (error);
  g_assert_nonnull (profile);
  return profile;
}

static void
assert_channels (KbProfile *profile, const char *const *ids)
{
  const KbDarumaConfig *daruma = kb_profile_get_daruma (profile);

  g_assert_cmpuint (daruma->channels->len, ==, g_strv_length ((char **) ids));
  g_assert_cmpuint (daruma->places->len, ==, daruma->channels->len);
  for (guint i = 0; i < daruma->channels->len; i++)
    {
      const KbChannelRef *ref = daruma->channels->pdata[i];

      g_assert_cmpstr (ref->id, ==, ids[i]);
    }
}

static void
assert_problems (KbProfile *profile, const char *expected)
{
  g_autofree char *text = describe_problems (kb_profile_get_problems (profile));

  g_assert_cmpstr (text, ==, expected);
}

static void
test_minimal (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = load (home);
  const KbDarumaConfig *daruma = kb_profile_get_daruma (profile);
  g_autofree char *state = home_path (home, "daruma/channel-health.json");
  g_autofree char *log = home_path (home, "daruma/failover-log.jsonl");

  g_assert_true (daruma->configured); /* the bundle mounts it, with an empty chain */
  g_assert_false (daruma->disabled);
  g_assert_cmpint (daruma->row.origin, ==, KB_ORIGIN_DEFAULT);
  g_assert_null (daruma->row.file);
  assert_channels (profile, (const char *const[]) { NULL });
  g_assert_cmpint (daruma->policy.limits.failure_budget, ==, 3);
  g_assert_cmpint (daruma->policy.limits.cooldown_ms, ==, 30000);
  g_assert_cmpint (daruma->policy.give_up_budget, ==, 8);
  g_assert_true (daruma->policy.trip_on_retry_exhausted);
  g_assert_cmpstr (daruma->state_file, ==, state);
  g_assert_cmpstr (daruma->log_file, ==, log);
  g_assert_null (daruma->backup);
  assert_problems (profile, "");
}

static void
test_override (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const KbDarumaConfig *daruma;

  home_write (home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n"
              "  config:\n"
              "    channels:\n"
              "      - { provider: openai, model: a }\n"
              "      - provider: groq\n"
              "        model: b\n"
              "    failureBudget: 5\n"
              "    stateFile: /v/x.json\n");
  profile = load (home);
  daruma = kb_profile_get_daruma (profile);
  assert_channels (profile, (const char *const[]) { "openai::a", "groq::b", NULL });
  g_assert_cmpint (daruma->policy.limits.failure_budget, ==, 5);
  g_assert_cmpstr (daruma->state_file, ==, "/v/x.json");
  g_assert_cmpstr (daruma->log_file, ==, "/v/failover-log.jsonl");
  assert_problems (profile, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/profile/minimal", Home, NULL, home_set_up, test_minimal, home_tear_down);
  g_test_add ("/store/profile/override", Home, NULL, home_set_up, test_override, home_tear_down);

  return g_test_run ();
}

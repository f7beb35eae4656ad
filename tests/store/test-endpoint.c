// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "profile-check.h"
#include "store/kb-endpoint.h"
#include "store/kb-provider.h"

#define SETTINGS "settings.yaml"

static const KbProvider *
find (KbProfile *profile, const char *name)
{
  const KbProvider *provider = kb_provider_find (kb_profile_get_providers (profile), name);

  g_assert_nonnull (provider);
  return provider;
}

static void
test_details (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  const KbProvider *mine;

  home_write (home, "profiles/web/cordis.patch.yml",
              "- id: llm-pi-ai\n  config:\n    providers:\n      mine:\n"
              "        headers: {x-a: row, x-b: row}\n");
  home_write (home, SETTINGS,
              "llm-pi-ai:\n  providers:\n    mine:\n      api: openai-completions\n"
              "      baseURL: http://127.0.0.1:1/v1\n      defaultContextWindow: 500\n"
              "      models: [{id: a, contextWindow: 1000}, {id: ''}, {id: b}, c]\n"
              "      headers: {x-a: over, bad name: x, x-c: \"a\\nb\"}\n"
              "      retryPolicy: {mode: normal, maxRetries: 2, retryableCodes: [X],\n"
              "        backoff: {initialDelayMs: 5, maxDelayMs: 7, jitterRatio: 0}}\n"
              "    other: {api: openai-completions, baseURL: u, retryPolicy: {mode: always}}\n");
  profile = load_profile (home);
  mine = find (profile, "mine");
  g_assert_cmpuint (g_strv_length (mine->models), ==, 3);
  g_assert_cmpuint (mine->facts->len, ==, 3);
  g_assert_cmpint (g_array_index (mine->facts, KbModelFacts, 0).window, ==, 1000);
  g_assert_cmpint (g_array_index (mine->facts, KbModelFacts, 1).window, ==, 500);
  g_assert_cmpint (g_array_index (mine->facts, KbModelFacts, 2).window, ==, 500);
  g_assert_cmpstr (mine->headers[0], ==, "x-b: row");
  g_assert_cmpstr (mine->headers[1], ==, "x-a: over");
  g_assert_null (mine->headers[2]);
  g_assert_cmpint (mine->retry.max_retries, ==, 2);
  g_assert_cmpstr (mine->retry.codes[0], ==, "X");
  g_assert_cmpfloat (mine->retry.initial_delay_ms, ==, 5);
  g_assert_cmpfloat (mine->retry.max_delay_ms, ==, 7);
  g_assert_cmpfloat (mine->retry.jitter_ratio, ==, 0);
  g_assert_cmpint (find (profile, "other")->retry.mode, ==, KB_RETRY_ALWAYS);
  g_assert_cmpint (find (profile, "deepseek-official")->retry.max_retries, ==, 5);
  g_assert_cmpuint (find (profile, "deepseek-official")->facts->len, ==, 2);
}

static void
test_addresses (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *api;
    const char *base_url;
    const char *url; /* NULL: no endpoint */
    gboolean is_loopback;
  } cases[] = {
    { "a", "openai-completions", "https://h/v1", "https://h/v1/chat/completions", FALSE },
    { "a", "openai-completions", "https://h/v1//", "https://h/v1/chat/completions", FALSE },
    { "a", "openai-responses", "http://127.9.9.9:1/v1", "http://127.9.9.9:1/v1/responses", TRUE },
    { "a", "anthropic-messages", "http://[::1]:8/x", "http://[::1]:8/x/v1/messages", TRUE },
    { "a", "anthropic-messages", "http://LocalHost", "http://LocalHost/v1/messages", TRUE },
    { "a", "openai-completions", "ftp://h", NULL, FALSE },
    { "a", "openai-completions", "nonsense", NULL, FALSE },
    { "a", "openai-completions", NULL, NULL, FALSE },
    { "a", "gopher", "https://h", NULL, FALSE },
    { "anthropic", NULL, NULL, "https://api.anthropic.com/v1/messages", FALSE },
    { "openai", "openai-completions", NULL, "https://api.openai.com/v1/chat/completions", FALSE },
    { "azure-openai-responses", NULL, NULL, NULL, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KbProvider provider = { .name = (char *) cases[i].name,
                              .api = (char *) cases[i].api,
                              .base_url = (char *) cases[i].base_url };
      g_autoptr (KbEndpoint) endpoint = kb_endpoint_new (&provider);
      g_autofree char *url = endpoint != NULL ? kb_endpoint_make_url (endpoint) : NULL;

      g_assert_cmpstr (url, ==, cases[i].url);
      if (endpoint != NULL)
        g_assert_cmpint (kb_endpoint_is_loopback (endpoint), ==, cases[i].is_loopback);
    }
}

static void
test_built_in (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = load_profile (home);
  g_autoptr (KbEndpoint) endpoint = kb_endpoint_new (find (profile, "deepseek-official"));

  g_assert_cmpstr (endpoint->base_url, ==, "https://api.deepseek.com");
  g_assert_cmpstr (endpoint->key_name, ==, "DEEPSEEK_API_KEY");
}

static void
test_revision (Home *home, gconstpointer data)
{
  KbProvider provider = { .name = (char *) "a",
                          .api = (char *) "openai-completions",
                          .base_url = (char *) "https://h" };
  g_autoptr (KbEndpoint) endpoint = kb_endpoint_new (&provider);
  const char *const headers[] = { "a: b", NULL };
  guint64 plain = kb_endpoint_get_revision (endpoint, NULL, "k", 1);

  g_assert_cmpuint (plain, ==, kb_endpoint_get_revision (endpoint, NULL, "k", 1));
  g_assert_cmpuint (plain, !=, kb_endpoint_get_revision (endpoint, NULL, "l", 1));
  g_assert_cmpuint (plain, !=, kb_endpoint_get_revision (endpoint, NULL, NULL, 0));
  g_assert_cmpuint (plain, !=, kb_endpoint_get_revision (endpoint, headers, "k", 1));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, run) g_test_add (path, Home, NULL, home_set_up, run, home_tear_down)
  ADD ("/store/endpoint/details", test_details);
  ADD ("/store/endpoint/addresses", test_addresses);
  ADD ("/store/endpoint/built-in", test_built_in);
  ADD ("/store/endpoint/revision", test_revision);
  return g_test_run ();
}

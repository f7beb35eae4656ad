// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "form-check.h"

static const char patch[] = "- id: llm-pool\n"
                            "  config:\n"
                            "    retryPolicy: { mode: normal, maxRetries: 2 }\n"
                            "    providers:\n"
                            "      pool-orca:\n"
                            "        strategy: failover\n"
                            "        members: [lumen, nimbus, tidal]\n"
                            "        cooldown: { rateLimit: 90000 }\n"
                            "        models:\n"
                            "          - id: orca\n"
                            "            name: Orca\n"
                            "            targets: { lumen: orca-2 }\n"
                            "            effortMap: { high: { lumen: max } }\n"
                            "          - id: heron\n"
                            "      \"pool.b\":\n"
                            "        members: [lumen]\n"
                            "        effortMap: { high: max }\n"
                            "- id: camel\n"
                            "  config:\n"
                            "    defaults:\n"
                            "      throttle: { enabled: true, maxRequests: 12 }\n"
                            "      retry: { codes: [RATE_LIMIT, SERVER], mode: bounded, "
                            "maxRetries: 5 }\n"
                            "      adaptive:\n"
                            "        windowMs: !!js process.env.WINDOW\n"
                            "        routes:\n"
                            "          - { provider: lumen, model: orca-2, maxRequests: 40 }\n"
                            "- id: llm-fallback\n"
                            "  config:\n"
                            "    fallbacks:\n"
                            "      - { provider: nimbus, model: \"月光\" }\n"
                            "    cooldownMs: 0.5\n";

static const char settings[] = "dsh-route-resilience:\n"
                               "  groups:\n"
                               "    - id: orca\n"
                               "      targets:\n"
                               "        - { provider: lumen, model: orca-2 }\n"
                               "        - { provider: nimbus, model: heron }\n"
                               "      quarantineBaseMs: 45000\n"
                               "    - id: spare\n"
                               "      targets: [{ provider: nimbus, model: heron }]\n"
                               "  activeGroup: orca\n"
                               "llm-fallback: { fallbacks: [{ provider: lumen, model: orca-2 }] }\n"
                               "llm-pi-ai:\n"
                               "  providers:\n"
                               "    lumen:\n"
                               "      api: openai-completions\n"
                               "      baseURL: https://lumen.example/v1\n"
                               "      apiKeyEnv: LUMEN_API_KEY\n"
                               "      models: [{ id: orca-2, input: [text, image] }]\n"
                               "    nimbus:\n"
                               "      api: openai-completions\n"
                               "      baseURL: https://nimbus.example/v1\n"
                               "      models: [{ id: heron }]\n"
                               "    catalog: { apiKeyEnv: C_KEY }\n";

static const char koboshi[] = "inRequestWaitMs: 5000\n"
                              "modelAliases: { \"claude-*\": auto }\n"
                              "midStream: resume\n";

static KbForm *
load_all (Home *home)
{
  home_write (home, "profiles/web/package.json", BUNDLES);
  home_write (home, PROFILE, patch);
  home_write (home, SETTINGS, settings);
  home_write (home, KOBOSHI, koboshi);
  return load (home);
}

static const struct
{
  const char *path;
  const char *field;
} fields[] = {
  { "llm-pool.providers[\"pool-orca\"].strategy", "choice failover profile set" },
  { "llm-pool.providers[\"pool.b\"].strategy", "choice sticky default" },
  { "llm-pool.providers[\"pool-orca\"].members", "names [lumen, nimbus, tidal] profile" },
  { "llm-pool.providers[\"pool-orca\"].displayName", "text - default" },
  { "llm-pool.providers[\"pool-orca\"].contextWindow", "integer - default" },
  { "llm-pool.providers[\"pool-orca\"].cooldown", "durations { rateLimit: 90000 } profile set" },
  { "llm-pool.providers[\"pool.b\"].effortMap", "pairs { high: max } profile set" },
  { "llm-pool.providers[\"pool-orca\"].models[0].effortMap",
    "pairs { high: { lumen: max } } profile set" },
  { "llm-pool.providers[\"pool-orca\"].models[0].effortMap.high",
    "pairs { lumen: max } profile set" },
  { "llm-pool.providers[\"pool-orca\"].models[0].effortMap.high.lumen", "text max profile set" },
  { "llm-pool.providers[\"pool.b\"].effortMap.high", "text max profile set" },
  { "llm-pool.providers[\"pool-orca\"].models[0].targets", "pairs { lumen: orca-2 } profile set" },
  { "llm-pool.providers[\"pool-orca\"].models[0].id", "text orca profile" },
  { "llm-pool.retryPolicy.maxRetries", "integer 2 profile set" },
  { "llm-pool.retryPolicy.backoff.maxDelayMs", "duration 10000 default" },
  { "llm-pool.retryPolicy.retryableCodes",
    "words [EMPTY_RESPONSE, RATE_LIMIT, SERVER, TIMEOUT, TRANSPORT] default" },
  { "camel.defaults.throttle.enabled", "switch true profile set" },
  { "camel.defaults.throttle.scope", "choice route default" },
  { "camel.defaults.retry.codes", "words [RATE_LIMIT, SERVER] profile set" },
  { "camel.defaults.retry.multiplier", "number 2 default" },
  { "camel.defaults.adaptive.safetyRatio", "ratio 0.85 default" },
  { "camel.defaults.adaptive.windowMs", "duration - profile set expression" },
  { "camel.defaults.adaptive.routes[0].maxRequests", "integer 40 profile set" },
  { "camel.defaults.adaptive.routes[0].minRequests", "integer 1 default" },
  { "llm-fallback.fallbacks", "channels [{ provider: nimbus, model: 月光 }] profile set" },
  { "llm-fallback.cooldownMs", "duration 0.5 profile set" },
  { "llm-fallback.failureThreshold", "integer 1 default" },
  { "dsh-route-resilience.groups[0].quarantineBaseMs", "duration 45000 settings set" },
  { "dsh-route-resilience.groups[1].quarantineBaseMs", "duration 60000 default" },
  { "dsh-route-resilience.groups[0].targets",
    "channels [{ provider: lumen, model: orca-2 }, { provider: nimbus, model: heron }] "
    "settings" },
  { "dsh-route-resilience.activeGroup", "choice orca settings set" },
  { "llm-fallback-settings.fallbacks",
    "channels [{ provider: lumen, model: orca-2 }] settings set" },
  { "llm-fallback-settings.cooldownMs", "duration 0 default" },
  { "koboshi.inRequestWaitMs", "duration 5000 koboshi set" },
  { "koboshi.listen", "names \"127.0.0.1:7878\" default" },
  { "koboshi.modelAliases", "pairs { claude-*: auto } koboshi set" },
  { "koboshi.midStream", "choice resume koboshi set" },
  { "koboshi.stickyPersist", "switch false default" },
  { "llm-pi-ai.providers.lumen.apiKeyEnv", "key LUMEN_API_KEY settings set" },
  { "llm-pi-ai.providers.lumen.models[0].input", "words [text, image] settings set" },
  { "dsh-daruma.cooldownMs", "duration 30000 default" },
};

static void
test_fields (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autoptr (KbField) field = kb_form_get_field (form, fields[i].path);
      g_autofree char *text = NULL;

      g_test_message ("%s", fields[i].path);
      g_assert_nonnull (field);
      text = describe (field);
      g_assert_cmpstr (text, ==, fields[i].field);
      g_assert_nonnull (field->label);
    }
}

static void
test_no_fields (Home *home, gconstpointer data)
{
  static const char *const paths[] = { "nothing.at.all",
                                       "llm-pool.nothing",
                                       "llm-pool",
                                       "llm-fallback.chains",
                                       "camel.defaults",
                                       "llm-pool.providers.pool.members[0]",
                                       "..",
                                       "" };
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    g_assert_null (kb_form_get_field (form, paths[i]));
}

/* The limits are those of the rules: none is written down twice. */
static void
test_limits (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    double minimum;
    double maximum;
    gboolean above;
    gboolean required;
  } rows[] = {
    { "camel.defaults.retry.initialDelayMs", 1, 2147483647, FALSE, FALSE },
    { "camel.defaults.adaptive.safetyRatio", 0, 1, TRUE, FALSE },
    { "camel.defaults.throttle.maxRequests", 1, 0, FALSE, FALSE },
    { "llm-fallback.cooldownMs", 0, 2147483647, FALSE, FALSE },
    { "llm-pool.retryPolicy.backoff.initialDelayMs", 0, 2147483647, TRUE, FALSE },
    { "llm-pool.retryPolicy.maxRetries", 0, 0, FALSE, FALSE },
    { "dsh-route-resilience.groups[0].id", 0, 0, FALSE, TRUE },
    { "dsh-route-resilience.groups[0].targets", 0, 0, FALSE, TRUE },
    { "koboshi.retryBeforeFailoverMs", 0, 0, FALSE, FALSE },
    { "koboshi.bodyLimitMiB", 1, 0, FALSE, FALSE },
  };
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbField) field = kb_form_get_field (form, rows[i].path);

      g_test_message ("%s", rows[i].path);
      g_assert_cmpfloat (field->minimum, ==, rows[i].minimum);
      g_assert_cmpfloat (field->maximum, ==, rows[i].maximum);
      g_assert_cmpint (field->above, ==, rows[i].above);
      g_assert_cmpint (field->required, ==, rows[i].required);
    }
}

static const struct
{
  const char *path;
  const char *value;
  const char *sentence; /* NULL: it may be that */
} checks[] = {
  { "camel.defaults.throttle.maxRequests", "1", NULL },
  { "camel.defaults.throttle.maxRequests", "0", "Must be at least 1" },
  { "camel.defaults.throttle.maxRequests", "1.5", "Must be a whole number" },
  { "camel.defaults.throttle.maxRequests", "many", "Must be a number" },
  { "camel.defaults.retry.initialDelayMs", "0", "Must be from 1 ms to 2147483647 ms" },
  { "camel.defaults.adaptive.safetyRatio", "1", NULL },
  { "camel.defaults.adaptive.safetyRatio", "0", "Must be more than 0 and at most 1" },
  { "camel.defaults.adaptive.minRequests", "10", NULL },
  { "camel.defaults.adaptive.minRequests", "11",
    "MinRequests (11) must not be above initialRequests (10), nor that above maxRequests (20)" },
  { "camel.defaults.adaptive.initialRequests", "21",
    "MinRequests (1) must not be above initialRequests (21), nor that above maxRequests (20)" },
  { "camel.defaults.adaptive.routes[0].minRequests", "41",
    "MinRequests (41) must not be above initialRequests (40), nor that above maxRequests (40)" },
  { "camel.defaults.retry.codes", "[]", "Must not be empty" },
  { "camel.defaults.retry.codes", "[QUOTA]", NULL },
  { "dsh-route-resilience.groups[0].quarantineBaseMs", "300000", NULL },
  { "dsh-route-resilience.groups[0].quarantineBaseMs", "400000",
    "The longest quarantine (300000 ms) is shorter than the first (400000 ms)" },
  { "dsh-route-resilience.groups[0].quarantineCapMs", "44999",
    "The longest quarantine (44999 ms) is shorter than the first (45000 ms)" },
  { "dsh-route-resilience.groups[0].id", "''", "Must not be empty" },
  { "dsh-route-resilience.groups[0].id", "spare",
    "This entry of “groups” is already listed on line 1" },
  { "dsh-route-resilience.groups[0].id", "orca-2", NULL },
  { "dsh-route-resilience.groups[0].targets", "[]", "Must not be empty" },
  { "dsh-route-resilience.groups[0].targets",
    "[{ provider: a, model: m }, { provider: a, model: m }]",
    "This entry of “targets” is already listed on line 1" },
  { "llm-fallback.fallbacks", "[]", "A list of fallbacks that is there must not be empty" },
  { "llm-fallback.switchCodes", "[]", "“switchCodes” must not be empty" },
  { "llm-pool.providers[\"pool-orca\"].members", "[]", "Must not be empty" },
  { "llm-pool.providers[\"pool-orca\"].members", "[lumen, \"pool.b\"]",
    "“pool.b” is a pool itself; a member must be a real provider" },
  { "llm-pool.providers[\"pool-orca\"].contextWindow", "0", "Must be at least 1" },
  { "llm-pool.retryPolicy.maxRetries", "0", NULL },
  { "llm-pool.retryPolicy.backoff.maxDelayMs", "100",
    "The first delay (500 ms) is longer than the longest (100 ms)" },
  { "llm-pi-ai.providers.lumen.apiKeyEnv", "sk-live-0123456789abcdef0123456789",
    "Write the name of a key, such as OPENAI_API_KEY, never the key itself" },
  { "llm-pi-ai.providers.lumen.apiKeyEnv", "OTHER_KEY", NULL },
  { "koboshi.listen", "'0.0.0.0:7878'",
    "Others on the network could use this address without a token" },
  { "koboshi.listen", "'127.0.0.1:8080'", NULL },
  { "llm-pi-ai.providers.lumen.requestImageMaxBytes", "0", "Must be at least 1 B" },
  { "llm-pi-ai.providers.lumen.compat.supportsTemperature", "true",
    "The protocol “openai-completions” has no switch “supportsTemperature”" },
  { "llm-pi-ai.providers.lumen.models[0].reasoningEfforts.off", "null",
    "“reasoningEfforts” offers no level beyond “off”" },
  { "llm-pi-ai.providers.lumen.models[0].reasoningEfforts.low", "''",
    "The level “low” has no text to send" },
  { "koboshi.listen", "nowhere", "“listen” must be an address with a port" },
  { "koboshi.midStream", "maybe", "“midStream” must be one of: error, resume" },
  { "koboshi.nothing", "1", NULL },
};

static void
test_check (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autofree char *sentence = kb_form_check (form, checks[i].path, checks[i].value);

      g_test_message ("%s: %s", checks[i].path, checks[i].value);
      g_assert_cmpstr (sentence, ==, checks[i].sentence);
    }
}

/* camel: “bounded” needs maxRetries, and the file does not name it. */
static void
test_bounded (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = NULL;
  g_autofree char *sentence = NULL;

  home_write (home, PROFILE, "- id: camel\n  config: { defaults: { retry: { enabled: true } } }\n");
  form = load (home);
  sentence = kb_form_check (form, "camel.defaults.retry.mode", "bounded");
  g_assert_cmpstr (sentence, ==, "The mode “bounded” needs “maxRetries”");
}

static void
test_names (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *name;
    const char *sentence;
  } rows[] = {
    { "llm-pool.providers", "new", NULL },
    { "llm-pool.providers", "新池", NULL },
    { "llm-pool.providers", "", "Must not be empty" },
    { "llm-pool.providers", "  ", "Must not be empty" },
    { "llm-pool.providers", " new", "Must not begin or end with a space" },
    { "llm-pool.providers", "pool.b", "“pool.b” is there already" },
    { "dsh-route-resilience.groups", "spare", "“spare” is there already" },
    { "llm-pi-ai.providers", "lumen", "“lumen” is there already" },
  };
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *sentence = kb_form_check_name (form, rows[i].path, rows[i].name);

      g_assert_cmpstr (sentence, ==, rows[i].sentence);
    }
}

/* A mapping that is not there needs what the host asks of it, in the same save. */
static void
test_plan (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *value;
    const char *real_path;
    const char *real_value;
  } rows[] = {
    { "llm-pi-ai.providers.lumen.retryPolicy.maxRetries", "3",
      "llm-pi-ai.providers.lumen.retryPolicy", "{ mode: normal, maxRetries: 3 }" },
    { "llm-pi-ai.providers.lumen.retryPolicy.backoff.maxDelayMs", "20000",
      "llm-pi-ai.providers.lumen.retryPolicy", "{ mode: normal, backoff: { maxDelayMs: 20000 } }" },
    { "llm-pi-ai.providers.lumen.retryPolicy.mode", "always",
      "llm-pi-ai.providers.lumen.retryPolicy.mode", "always" },
    { "llm-pool.retryPolicy.maxRetries", "3", "llm-pool.retryPolicy.maxRetries", "3" },
    { "camel.defaults.throttle.windowMs", "5", "camel.defaults.throttle.windowMs", "5" },
  };
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = NULL;
      g_autofree char *value = NULL;

      kb_form_plan_set (form, rows[i].path, rows[i].value, &path, &value);
      g_assert_cmpstr (path, ==, rows[i].real_path);
      g_assert_cmpstr (value, ==, rows[i].real_value);
    }
}

static void
test_items (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *items;
  } rows[] = {
    { "llm-pool.providers", "pool-orca//lumen, nimbus, tidal; pool.b//lumen" },
    { "llm-pool.providers[\"pool-orca\"].models", "orca//Orca; heron//" },
    { "llm-pool.providers[\"pool-orca\"].models[0].targets", "lumen//orca-2; nimbus//; tidal//" },
    { "llm-pool.providers[\"pool-orca\"].models[0].effortMap", "high//lumen: max" },
    { "koboshi.listen", "127.0.0.1:7878//" },
    { "llm-pool.providers[\"pool-orca\"].models[1].targets", "lumen//; nimbus//; tidal//" },
    { "dsh-route-resilience.groups", "orca//lumen, nimbus; spare//nimbus" },
    { "dsh-route-resilience.groups[0].targets", "lumen/orca-2/; nimbus/heron/" },
    { "camel.defaults.adaptive.routes", "orca-2//lumen" },
    { "llm-pi-ai.providers", "lumen//https://lumen.example/v1; nimbus//https://nimbus.example/v1; "
                             "catalog//" },
    { "koboshi.modelAliases", "claude-*//auto" },
  };
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *items = list_items (form, rows[i].path);

      g_test_message ("%s", rows[i].path);
      g_assert_cmpstr (items, ==, rows[i].items);
    }
}

static void
test_words (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = load_all (home);
  g_autoptr (KbField) active = kb_form_get_field (form, "dsh-route-resilience.activeGroup");
  g_autoptr (KbField) mode = kb_form_get_field (form, "camel.defaults.retry.mode");
  const char *const groups[] = { "orca", "spare", NULL };

  g_assert_true (g_strv_equal ((const char *const *) active->words, groups));
  g_assert_cmpstr (kb_field_get_word_label (active, "orca"), ==, "orca");
  g_assert_cmpstr (kb_field_get_word_label (mode, "unlimited"), ==, "Unlimited");
  for (char **word = mode->words; *word != NULL; word++)
    g_assert_cmpstr (kb_field_get_word_label (mode, *word), !=, *word);
}

/* Every field of every page is known to a schema, has a label and can be read. */
static void
test_sections (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    guint n_sections;
    guint n_fields;
  } rows[] = {
    { "llm-pool", 1, 6 },
    { "llm-pool.providers[\"pool.b\"]", 6, 8 },
    { "llm-pool.providers[\"pool-orca\"].models[1]", 4, 6 },
    { "llm-pool.providers[\"pool-orca\"].models[0].effortMap.high", 1, 1 },
    { "dsh-route-resilience", 1, 1 },
    { "dsh-route-resilience.groups[1]", 3, 4 },
    { "llm-fallback", 2, 4 },
    { "llm-fallback-settings", 2, 4 },
    { "camel.defaults", 4, 23 },
    { "camel.defaults.adaptive.routes[0]", 2, 11 },
    { "koboshi", 9, 20 },
    { "koboshi.channels.x", 1, 4 },
    { "llm-pi-ai.providers.lumen", 8, 29 },
    { "llm-pi-ai.providers.lumen.models[0]", 2, 7 },
    { "llm-pi-ai.providers.lumen.compat", 5, 14 }, /* of 20: what its protocol takes */
    { "llm-pi-ai.providers.catalog.compat", 5, 20 },
    { "llm-pi-ai.providers.catalog", 9, 30 }, /* it has no models of its own */
    { "llm-pi-ai.providers.catalog.modelOverrides.m", 2, 6 },
    { "dsh-daruma", 2, 6 },
    { "camel", 0, 0 },
    { "nothing", 0, 0 },
  };
  g_autoptr (KbForm) form = load_all (home);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GPtrArray) sections = kb_form_list_sections (form, rows[i].path);
      guint n_fields = 0;

      g_test_message ("%s", rows[i].path);
      for (guint j = 0; j < sections->len; j++)
        {
          KbFormSection *section = sections->pdata[j];

          n_fields += section->fields->len;
          for (guint k = 0; k < section->fields->len; k++)
            g_assert_nonnull (((KbField *) section->fields->pdata[k])->label);
        }
      g_assert_cmpuint (sections->len, ==, rows[i].n_sections);
      g_assert_cmpuint (n_fields, ==, rows[i].n_fields);
    }
}

static void
test_states (Home *home, gconstpointer data)
{
  assert_state (home, "llm-pool", KB_FORM_UNMOUNTED, "dsh plugin add dsh-llm-pool");
  assert_state (home, "dsh-route-resilience", KB_FORM_UNMOUNTED, "dsh-route-resilience");
  assert_state (home, "koboshi", KB_FORM_READY, NULL);
  assert_state (home, "llm-pi-ai", KB_FORM_READY, NULL);
  home_write (home, PROFILE, "- insert: [{ id: llm-pool, name: dsh-llm-pool }]\n");
  assert_state (home, "llm-pool", KB_FORM_READY, NULL);
  home_write (home, "profiles/web/package.json", BUNDLES);
  home_write (home, PROFILE, "- id: camel\n  config: !!js require('./camel')\n");
  assert_state (home, "llm-pool", KB_FORM_READY, NULL);
  assert_state (home, "camel", KB_FORM_LOCKED, "expression");
  home_write (home, PROFILE, "- id: camel\n  config: {\n");
  assert_state (home, "camel", KB_FORM_UNUSABLE, "cordis.patch.yml:");
  home_write (home, PROFILE, "- id: camel\n  config: {}\n- id: camel\n  config: {}\n");
  assert_state (home, "camel", KB_FORM_UNUSABLE, "twice");
}

/* As the files of the Nix store are, or a dotfile manager’s: nobody writes them, root neither. */
static void
test_read_only (Home *home, gconstpointer data)
{
  g_autofree char *path = home_path (home, PROFILE);

  home_write (home, "profiles/web/package.json", BUNDLES);
  home_write (home, PROFILE, patch);
  g_assert_cmpint (g_chmod (path, 0400), ==, 0);
  assert_state (home, "camel", KB_FORM_LOCKED, "is write-protected");
  assert_state (home, "koboshi", KB_FORM_READY, NULL);
}

static void
test_bundle (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = NULL;
  g_autoptr (KbField) field = NULL;
  g_autofree char *text = NULL;
  g_autofree char *origin = NULL;

  home_write (home, "profiles/web/package.json", BUNDLES);
  home_write (home, "profiles/web/node_modules/dsh-camel/package.json",
              "{\"dsh\":{\"bundle\":{\"patch\":\"patch.yml\"}}}");
  home_write (home, "profiles/web/node_modules/dsh-camel/patch.yml",
              "- insert:\n    - id: camel\n      name: dsh-camel\n      config: { defaults: { "
              "throttle: { maxRequests: 7 } } }\n");
  form = load (home);
  field = kb_form_get_field (form, "camel.defaults.throttle.maxRequests");
  text = describe (field);
  g_assert_cmpstr (text, ==, "integer 7 bundle");
  origin = kb_field_describe_origin (field);
  g_assert_cmpstr (origin, ==, "From the plugin’s bundle");
}

/* The home's layer outranks the profile's; an alias is read, and left to the file. */
static void
test_layers (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = NULL;
  g_autoptr (KbField) scope = NULL;
  g_autoptr (KbField) list = NULL;
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;

  home_write (home, "profiles/web/package.json", BUNDLES);
  home_write (home, PROFILE,
              "- id: camel\n  config: { defaults: { throttle: { scope: global } } }\n");
  home_write (home, "cordis.patch.yml",
              "- id: camel\n  config:\n    defaults:\n      throttle: { scope: provider }\n"
              "      retry: { codes: [&c RATE_LIMIT, *c] }\n");
  form = load (home);
  scope = kb_form_get_field (form, "camel.defaults.throttle.scope");
  list = kb_form_get_field (form, "camel.defaults.retry.codes");
  text = describe (scope);
  other = describe (list);
  g_assert_cmpstr (text, ==, "choice provider home set");
  g_assert_cmpstr (other, ==, "words - home set foreign");
  g_assert_cmpstr (scope->file, ==, "cordis.patch.yml");
  g_assert_cmpuint (scope->line, ==, 4);
}

static void
test_uses (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = load_all (home);
  g_autofree char *used = kb_form_describe_provider_uses (form, "nimbus");
  g_autofree char *free_one = kb_form_describe_provider_uses (form, "deepseek");
  g_auto (GStrv) providers = kb_form_list_providers (form);
  g_auto (GStrv) models = kb_form_list_models (form, "lumen");
  g_auto (GStrv) none = kb_form_list_models (form, "nobody");
  const char *const names[] = { "deepseek-official", "lumen", "nimbus", "catalog", NULL };
  const char *const ids[] = { "orca-2", NULL };

  g_assert_nonnull (strstr (used, "the fallbacks"));
  g_assert_nonnull (strstr (used, "a pool of dsh-llm-pool"));
  g_assert_cmpstr (free_one, ==, "");
  g_assert_true (g_strv_equal ((const char *const *) providers, names));
  g_assert_true (g_strv_equal ((const char *const *) models, ids));
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

/* A page of what is not there yet is still a page of something that is. */
static void
test_exists (Home *home, gconstpointer data)
{
  g_autoptr (KbForm) form = load_all (home);

  g_assert_true (kb_form_exists (form, "llm-pi-ai.providers.lumen.compat"));
  g_assert_true (kb_form_exists (form, "llm-pi-ai.providers.lumen.models[0].compat"));
  g_assert_false (kb_form_exists (form, "llm-pi-ai.providers.lumen.models[1].compat"));
  g_assert_false (kb_form_exists (form, "llm-pi-ai.providers.nobody.compat"));
  g_assert_true (
      kb_form_exists (form, "llm-pool.providers[\"pool-orca\"].models[0].effortMap.high"));
  g_assert_false (
      kb_form_exists (form, "llm-pool.providers[\"pool-orca\"].models[0].effortMap.low"));
}

static void
test_values (void)
{
  const char *const texts[] = { "a", "yes", "1e3", "月光", "a: b", NULL };
  g_autofree char *list = kb_form_make_list (texts);
  g_autofree char *channel = kb_form_make_channel ("a::b", "@c");
  g_autofree char *path = kb_form_path_add ("llm-pool.providers", "pool.b");
  g_autofree char *item = kb_form_path_add_index (path, 2);
  g_autofree char *parent = kb_form_path_get_parent (item);
  g_autofree char *last = kb_form_path_get_last (path);
  g_autofree char *position = kb_form_path_get_last (item);

  g_assert_cmpstr (list, ==, "[a, \"yes\", \"1e3\", 月光, \"a: b\"]");
  g_assert_cmpstr (channel, ==, "{ provider: a::b, model: \"@c\" }");
  g_assert_cmpstr (item, ==, "llm-pool.providers[\"pool.b\"][2]");
  g_assert_cmpstr (parent, ==, path);
  g_assert_cmpstr (last, ==, "pool.b");
  g_assert_cmpstr (position, ==, "2");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/client/form/" path, Home, NULL, home_set_up, function, home_tear_down)
  ADD ("fields", test_fields);
  ADD ("no-fields", test_no_fields);
  ADD ("limits", test_limits);
  ADD ("check", test_check);
  ADD ("bounded", test_bounded);
  ADD ("names", test_names);
  ADD ("plan", test_plan);
  ADD ("items", test_items);
  ADD ("words", test_words);
  ADD ("sections", test_sections);
  ADD ("states", test_states);
  ADD ("read-only", test_read_only);
  ADD ("bundle", test_bundle);
  ADD ("layers", test_layers);
  ADD ("uses", test_uses);
  ADD ("exists", test_exists);
  g_test_add_func ("/client/form/values", test_values);

  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include <json-glib/json-glib.h>

#include "home.h"
#include "store/kb-key-name.h"
#include "store/kb-lint.h"

typedef struct
{
  const char *name;
  const char *text;
  const char *problems; /* severity code line:column */
} Case;

typedef struct
{
  const char *name;
  const char *file;   /* what the text becomes */
  const char *before; /* what stands before it */
  const char *after;
  const Case *cases;
} Table;

static const Case fallback[] = {
  { "dormant", "{}", "" },
  { "one", "{ fallbacks: [{ provider: p, model: m }] }", "" },
  { "blank-is-fine", "{ fallbacks: [{ provider: ' ', model: m }] }", "" },
  { "empty", "{ fallbacks: [] }", "error empty-value 2:24" },
  { "null", "{ fallbacks: null }", "error bad-type 2:24" },
  { "text", "{ fallbacks: p/m }", "error bad-type 2:24" },
  { "no-model", "{ fallbacks: [{ provider: p }] }", "error missing-field 2:25" },
  { "empty-model", "{ fallbacks: [{ provider: p, model: '' }] }", "error empty-value 2:47" },
  { "number-model", "{ fallbacks: [{ provider: p, model: 4 }] }", "error bad-type 2:47" },
  { "weight", "{ fallbacks: [{ provider: p, model: m, weight: 1 }] }", "error unknown-key 2:50" },
  { "repeated", "{ fallbacks: [{ provider: p, model: m }, { model: m, provider: p }] }",
    "error duplicate-channel 2:52" },
  { "no-codes", "{ fallbacks: [{ provider: p, model: m }], switchCodes: [] }",
    "error empty-value 2:66" },
  { "no-codes-dormant", "{ switchCodes: [] }", "" },
  { "codes-twice", "{ fallbacks: [{ provider: p, model: m }], switchCodes: [A, A] }",
    "error duplicate-value 2:70" },
  { "code-empty", "{ fallbacks: [{ provider: p, model: m }], switchCodes: [A, ''] }",
    "error empty-value 2:70" },
  { "code-number", "{ switchCodes: [429] }", "error bad-type 2:27" },
  { "threshold-0", "{ failureThreshold: 0 }", "error bad-number 2:31" },
  { "threshold-half", "{ failureThreshold: 1.5 }", "error bad-number 2:31" },
  { "threshold-text", "{ failureThreshold: '1' }", "error bad-number 2:31" },
  { "threshold-null", "{ failureThreshold: null }", "" },
  { "cooldown-half", "{ cooldownMs: 0.5 }", "" },
  { "cooldown-longest", "{ cooldownMs: 2147483647 }", "" },
  { "cooldown-too-long", "{ cooldownMs: 2147483648 }", "error bad-number 2:25" },
  { "cooldown-negative", "{ cooldownMs: -1 }", "error bad-number 2:25" },
  { "chains", "{ chains: [] }", "error removed-key 2:13" },
  { "match", "{ match: {} }", "error removed-key 2:13" },
  { "providers", "{ providers: [] }", "error removed-key 2:13" },
  { "cooldown", "{ cooldown: 5 }", "error unknown-key 2:13" },
  { "list", "[]", "error bad-type 2:11" },
  { "expression", "{ cooldownMs: !!js 5 }", "info expression 2:30" },
  { "alias", "{ fallbacks: &f [{ provider: p, model: m }], switchCodes: *f }",
    "error bad-type 2:28" },
  { NULL },
};

static const Case camel[] = {
  { "empty", "{}", "" },
  { "null", "{ defaults: null }", "" },
  { "parts-null", "{ defaults: { throttle: , retry: , adaptive: } }", "" },
  { "extra", "{ extra: 1 }", "error unknown-key 2:13" },
  { "slip", "{ default: {} }", "error unknown-key 2:13" },
  { "throttle-rate", "{ defaults: { throttle: { rate: 1 } } }", "error unknown-key 2:37" },
  { "throttle-half", "{ defaults: { throttle: { maxRequests: 2.5 } } }", "error bad-number 2:50" },
  { "throttle-scope", "{ defaults: { throttle: { scope: agent } } }", "error bad-value 2:44" },
  { "throttle-window", "{ defaults: { throttle: { windowMs: 99999999999 } } }", "" },
  { "throttle-enabled", "{ defaults: { throttle: { enabled: yes } } }", "error bad-type 2:46" },
  { "throttle-text", "{ defaults: { throttle: on } }", "error bad-type 2:35" },
  { "bounded", "{ defaults: { retry: { mode: bounded } } }", "error missing-field 2:40" },
  { "bounded-with", "{ defaults: { retry: { mode: bounded, maxRetries: 1 } } }", "" },
  { "mode", "{ defaults: { retry: { mode: bound } } }", "error bad-value 2:40" },
  { "codes-empty", "{ defaults: { retry: { codes: [] } } }", "error empty-value 2:41" },
  { "codes-twice", "{ defaults: { retry: { codes: [A, A] } } }", "error duplicate-value 2:45" },
  { "codes-blank", "{ defaults: { retry: { codes: [' '] } } }", "error empty-value 2:42" },
  { "retries-0", "{ defaults: { retry: { maxRetries: 0 } } }", "error bad-number 2:46" },
  { "retries-null", "{ defaults: { retry: { maxRetries: null } } }", "error bad-number 2:46" },
  { "delay-0", "{ defaults: { retry: { fallbackDelayMs: 0 } } }", "error bad-number 2:51" },
  { "delay-long", "{ defaults: { retry: { maxLocalDelayMs: 2147483648 } } }",
    "error bad-number 2:51" },
  { "multiplier", "{ defaults: { retry: { multiplier: 0.9 } } }", "error bad-number 2:46" },
  { "min-15", "{ defaults: { adaptive: { minRequests: 15 } } }", "error bad-order 2:50" },
  { "max-5", "{ defaults: { adaptive: { maxRequests: 5 } } }", "error bad-order 2:50" },
  { "min-15-initial-15", "{ defaults: { adaptive: { minRequests: 15, initialRequests: 15 } } }",
    "" },
  { "ratio-0", "{ defaults: { adaptive: { safetyRatio: 0 } } }", "error bad-number 2:50" },
  { "ratio-1", "{ defaults: { adaptive: { safetyRatio: 1 } } }", "" },
  { "ratio-above", "{ defaults: { adaptive: { decreaseRatio: 1.01 } } }", "error bad-number 2:52" },
  { "window-long", "{ defaults: { adaptive: { windowMs: 2147483648 } } }",
    "error bad-number 2:47" },
  { "route-blank", "{ defaults: { adaptive: { routes: [{ provider: a, model: '' }] } } }",
    "error empty-value 2:68" },
  { "route-no-model", "{ defaults: { adaptive: { routes: [{ provider: a }] } } }",
    "error missing-field 2:46" },
  { "route-twice",
    "{ defaults: { adaptive: { routes: [{ provider: a, model: b }, { provider: a, model: b }] } } "
    "}",
    "error duplicate-channel 2:73" },
  { "route-key", "{ defaults: { adaptive: { routes: [{ provider: a, model: b, scope: x }] } } }",
    "error unknown-key 2:71" },
  /* What a route begins with is fitted unless it was said. */
  { "route-min",
    "{ defaults: { adaptive: { routes: [{ provider: a, model: b, minRequests: 15 }] } } }", "" },
  { "route-min-initial",
    "{ defaults: { adaptive: { initialRequests: 9, routes: [{ provider: a, model: b, minRequests: "
    "15 }] } } }",
    "error bad-order 2:104" },
  { "route-order",
    "{ defaults: { adaptive: { routes: [{ provider: a, model: b, initialRequests: 30 }] } } }",
    "error bad-order 2:88" },
  { NULL },
};

static const Case resilience[] = {
  { "empty", "{}", "" },
  { "null", "", "" },
  { "unknown", "{ weight: 1 }", "warning unknown-key 1:25" },
  { "slip", "{ activGroup: g }", "warning unknown-key 1:25" },
  { "active-missing", "{ activeGroup: x }", "error unknown-group 1:38" },
  { "active-null", "{ groups: [], activeGroup: null }", "error bad-type 1:50" },
  { "active", "{ activeGroup: g, groups: [{ id: g, targets: [{ provider: p, model: m }] }] }", "" },
  { "active-other", "{ activeGroup: h, groups: [{ id: g, targets: [{ provider: p, model: m }] }] }",
    "error unknown-group 1:38" },
  { "no-id", "{ groups: [{ targets: [{ provider: p, model: m }] }] }", "error missing-field 1:34" },
  { "empty-id", "{ groups: [{ id: '', targets: [{ provider: p, model: m }] }] }",
    "error empty-value 1:40" },
  { "no-targets", "{ groups: [{ id: g }] }", "error missing-field 1:34" },
  { "empty-targets", "{ groups: [{ id: g, targets: [] }] }", "error empty-value 1:52" },
  { "target-twice",
    "{ groups: [{ id: g, targets: [{ provider: p, model: m }, { provider: p, model: m }] }] }",
    "error duplicate-channel 1:80" },
  { "target-model", "{ groups: [{ id: g, targets: [{ provider: p, model: '' }] }] }",
    "error empty-value 1:75" },
  { "group-twice",
    "{ groups: [{ id: g, targets: [{ provider: p, model: m }] }, { id: g, targets: [{ provider: p, "
    "model: m }] }] }",
    "error duplicate-id 1:83" },
  { "codes-empty",
    "{ groups: [{ id: g, retryableCodes: [], targets: [{ provider: p, model: m }] }] }", "" },
  { "codes-twice",
    "{ groups: [{ id: g, retryableCodes: [A, A], targets: [{ provider: p, model: m }] }] }",
    "error duplicate-value 1:63" },
  { "code-empty",
    "{ groups: [{ id: g, retryableCodes: [''], targets: [{ provider: p, model: m }] }] }",
    "error empty-value 1:60" },
  { "base-alone",
    "{ groups: [{ id: g, quarantineBaseMs: 400000, targets: [{ provider: p, model: m }] }] }",
    "error bad-order 1:61" },
  { "base-and-cap",
    "{ groups: [{ id: g, quarantineBaseMs: 400000, quarantineCapMs: 400000, targets: [{ provider: "
    "p, model: m }] }] }",
    "" },
  { "cap-alone",
    "{ groups: [{ id: g, quarantineCapMs: 100, targets: [{ provider: p, model: m }] }] }",
    "error bad-order 1:60" },
  { "base-fraction",
    "{ groups: [{ id: g, quarantineBaseMs: 1.5, targets: [{ provider: p, model: m }] }] }", "" },
  { "base-0", "{ groups: [{ id: g, quarantineBaseMs: 0, targets: [{ provider: p, model: m }] }] }",
    "error bad-number 1:61" },
  { NULL },
};

static const Case pool[] = {
  { "empty", "{}", "" },
  { "minimal", "{ providers: { p: { members: [a, b], models: [{ id: m }] } } }", "" },
  { "strategy", "{ providers: { p: { strategy: fail-over, members: [a] } } }",
    "error bad-value 2:41" },
  { "no-members", "{ providers: { p: {} } }", "error missing-field 2:29" },
  { "empty-members", "{ providers: { p: { members: [] } } }", "error empty-value 2:40" },
  { "members-text", "{ providers: { p: { members: a } } }", "error bad-type 2:40" },
  { "nested", "{ providers: { p: { members: [a, q] }, q: { members: [b] } } }",
    "error nested-pool 2:44" },
  { "itself", "{ providers: { p: { members: [p] } } }", "error nested-pool 2:41" },
  { "stranger", "{ providers: { p: { members: [a], models: [{ id: m, targets: { b: x } }] } } }",
    "warning unknown-member 2:74" },
  { "model-twice", "{ providers: { p: { members: [a], models: [{ id: m }, { id: m }] } } }",
    "error duplicate-id 2:65" },
  { "window", "{ providers: { p: { members: [a], models: [{ id: m, contextWindow: 0 }] } } }",
    "error bad-number 2:78" },
  { "slip", "{ providers: { p: { membrs: [a], members: [a] } } }", "warning unknown-key 2:31" },
  { "policy", "{ retryPolicy: { mode: sometimes } }", "error bad-value 2:34" },
  { "list", "{ providers: [p] }", "error bad-type 2:24" },
  { NULL },
};

static const Case provider[] = {
  { "fine", "{ api: openai-completions, baseURL: u, models: [{ id: m }] }", "" },
  { "key", "{ api: openai-completions, baseURL: u, models: [{ id: m }], apiKeyEnv: A_KEY }", "" },
  { "none", "", "error missing-field 3:5\nerror missing-field 3:5\nerror missing-field 3:5" },
  { "no-api", "{ baseURL: u, models: [{ id: m }] }", "error missing-field 3:5" },
  { "no-url", "{ api: openai-completions, models: [{ id: m }] }", "error missing-field 3:5" },
  { "no-models", "{ api: openai-completions, baseURL: u }", "error missing-field 3:5" },
  { "empty-models", "{ api: openai-completions, baseURL: u, models: [] }",
    "error missing-field 3:5" },
  { "bad-api", "{ api: openai, baseURL: u, models: [{ id: m }] }", "error bad-value 3:15" },
  { "api-null", "{ api: , baseURL: u, models: [{ id: m }] }", "error bad-value 3:14" },
  { "empty-url", "{ api: openai-completions, baseURL: '', models: [{ id: m }] }",
    "error empty-value 3:44" },
  { "name-null", "{ api: openai-completions, baseURL: u, displayName: , models: [{ id: m }] }",
    "error bad-type 3:59" },
  { "model-text", "{ api: openai-completions, baseURL: u, models: [m] }", "error bad-type 3:56" },
  { "model-twice", "{ api: openai-completions, baseURL: u, models: [{ id: m }, { id: m }] }",
    "error duplicate-id 3:67" },
  { "model-window", "{ api: openai-completions, baseURL: u, models: [{ id: m, maxTokens: 0.5 }] }",
    "error bad-number 3:76" },
  { "model-input", "{ api: openai-completions, baseURL: u, models: [{ id: m, input: [sound] }] }",
    "error bad-value 3:73" },
  { "unknown", "{ api: openai-completions, baseURL: u, weight: 1, models: [{ id: m }] }",
    "warning unknown-key 3:47" },
  { "slip", "{ api: openai-completions, baseURL: u, baseUrl: v, models: [{ id: m }] }",
    "warning unknown-key 3:47" },
  { "removed-provider", "{ api: openai-completions, baseURL: u, provider: x, models: [{ id: m }] }",
    "error removed-key 3:47" },
  { "removed-retries",
    "{ api: openai-completions, baseURL: u, maxRetries: 3, models: [{ id: m }] }",
    "error removed-key 3:47" },
  { "removed-delay",
    "{ api: openai-completions, baseURL: u, maxRetryDelayMs: 3, models: [{ id: m }] }",
    "error removed-key 3:47" },
  { "key-value",
    "{ apiKeyEnv: sk-0123456789abcdef0123, api: openai-completions, baseURL: u, models: [{ id: m "
    "}] }",
    "error key-in-file 3:21" },
  { "key-name", "{ apiKeyEnv: MY-KEY, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error bad-key-name 3:21" },
  { "idle-0",
    "{ streamIdleTimeoutMs: 0, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error bad-number 3:31" },
  { "timeout-0", "{ timeoutMs: 0, api: openai-completions, baseURL: u, models: [{ id: m }] }", "" },
  { "header", "{ headers: { X: 1 }, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error bad-type 3:24" },
  { "reasoning", "{ reasoning: huge, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error bad-value 3:21" },
  { "efforts-false",
    "{ api: openai-completions, baseURL: u, models: [{ id: m, reasoningEfforts: false }] }", "" },
  { "efforts-empty",
    "{ api: openai-completions, baseURL: u, models: [{ id: m, reasoningEfforts: {} }] }",
    "error empty-value 3:83" },
  { "efforts-off",
    "{ api: openai-completions, baseURL: u, models: [{ id: m, reasoningEfforts: { off: } }] }",
    "error empty-value 3:83" },
  { "efforts-level",
    "{ api: openai-completions, baseURL: u, models: [{ id: m, reasoningEfforts: { off: , high: h } "
    "}] }",
    "" },
  { "compat-unknown",
    "{ compat: { supportsMagic: true }, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error unknown-key 3:20" },
  { "compat-protocol",
    "{ compat: { supportsStore: true }, api: anthropic-messages, baseURL: u, models: [{ id: m }] }",
    "error bad-switch 3:20" },
  { "overrides",
    "{ modelOverrides: { m: {} }, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error bad-override 3:26" },
  { "always",
    "{ retryPolicy: { mode: always, maxRetries: x }, api: openai-completions, baseURL: u, models: "
    "[{ id: m }] }",
    "" },
  { "no-mode",
    "{ retryPolicy: { maxRetries: 1 }, api: openai-completions, baseURL: u, models: [{ id: m }] }",
    "error missing-field 3:23" },
  { "retries",
    "{ retryPolicy: { mode: normal, maxRetries: -1 }, api: openai-completions, baseURL: u, models: "
    "[{ id: m }] }",
    "error bad-number 3:51" },
  { "codes",
    "{ retryPolicy: { mode: normal, retryableCodes: [] }, api: openai-completions, baseURL: u, "
    "models: [{ id: m }] }",
    "error empty-value 3:55" },
  { "backoff",
    "{ retryPolicy: { mode: normal, backoff: { initialDelayMs: 20000 } }, api: openai-completions, "
    "baseURL: u, models: [{ id: m }] }",
    "error bad-order 3:66" },
  { "jitter",
    "{ retryPolicy: { mode: normal, backoff: { jitterRatio: 2 } }, api: openai-completions, "
    "baseURL: u, models: [{ id: m }] }",
    "error bad-number 3:63" },
  { "policy-key",
    "{ retryPolicy: { mode: normal, retries: 2 }, api: openai-completions, baseURL: u, models: [{ "
    "id: m }] }",
    "error unknown-key 3:39" },
  { NULL },
};

static const Case koboshi[] = {
  { "empty", "", "" },
  { "full",
    "listen: [127.0.0.1:7878, '[::1]:7878']\nmidStream: resume\nmodelAliases: { 'claude-*': auto "
    "}\n"
    "neverAutomatic: [a::b]\nchannels: { 'a::b': { prefill: true, contextWindow: 1 } }\n",
    "" },
  { "listen-text", "listen: here\n", "error bad-address 1:9" },
  { "listen-any-port", "listen: 127.0.0.1:0\n", "" },
  { "listen-port", "listen: 127.0.0.1:99999\n", "error bad-address 1:9" },
  { "listen-all", "listen: 0.0.0.0:7878\n", "error token-required 1:9" },
  { "listen-all-token", "listen: 0.0.0.0:7878\ntoken: GATEWAY_TOKEN\n", "" },
  { "token", "token: sk-0123456789abcdef0123\n", "error key-in-file 1:8" },
  { "timeout", "idleTimeoutMs: 0\n", "error bad-number 1:16" },
  { "wait", "inRequestWaitMs: 0\n", "" },
  { "word", "midStream: restart\n", "error bad-value 1:12" },
  { "slip", "midstream: error\n", "warning unknown-key 1:1" },
  { "flag", "stickyPersist: yes\n", "error bad-type 1:16" },
  { "channel", "channels: { a: { prefil: true } }\n", "warning unknown-key 1:18" },
  { "list", "- a\n", "error not-a-mapping 1:1" },
  { NULL },
};

static const Case settings[] = {
  { "fallback", "llm-fallback: { fallbacks: [{ provider: p, model: m }] }\n",
    "warning settings-ignored 1:1" },
  { "fallback-bad", "llm-fallback: { fallbacks: [] }\n",
    "warning settings-ignored 1:1\nwarning empty-value 1:28" },
  { "default-model", "agent-default-model: { provider: 5, model: m }\n", "error bad-type 1:34" },
  { "deepseek", "llm-deepseek: { thinking: on, maxTokens: 0 }\n",
    "error bad-value 1:27\nerror bad-number 1:42" },
  { "catalog", "llm-pi-ai: { providers: { anthropic: , deepseek: { apiKeyEnv: K } } }\n", "" },
  { "list", "llm-pi-ai: { providers: [{ provider: x }] }\n", "error bad-type 1:25" },
  { "other", "ui-theme: { theme: dark }\n", "" },
  { NULL },
};

static const Table tables[] = {
  { "llm-fallback", "x.patch.yml", "- id: llm-fallback\n  config: ", "\n", fallback },
  { "camel", "x.patch.yml", "- id: camel\n  config: ", "\n", camel },
  { "route-resilience", "settings.yaml", "dsh-route-resilience: ", "\n", resilience },
  { "llm-pool", "x.patch.yml", "- id: llm-pool\n  config: ", "\n", pool },
  { "provider", "settings.yaml", "llm-pi-ai:\n  providers:\n    x: ", "\n", provider },
  { "koboshi", "koboshi.yaml", "", "", koboshi },
  { "settings", "settings.yaml", "", "", settings },
};

static char *
describe (const GPtrArray *problems)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];

      g_assert_true (*problem->message != '\0');
      g_assert_nonnull (problem->hint);
      g_string_append_printf (text, "%s%s %s %u:%u", i == 0 ? "" : "\n",
                              kb_severity_to_string (problem->severity), problem->code,
                              problem->line, problem->column);
    }
  return g_string_free_and_steal (text);
}

static void
test_table (Home *home, gconstpointer data)
{
  const Table *table = data;
  g_autofree char *path = home_path (home, table->file);
  gboolean failed = FALSE;

  for (const Case *entry = table->cases; entry->name != NULL; entry++)
    {
      g_autofree char *text = g_strconcat (table->before, entry->text, table->after, NULL);
      g_autoptr (GPtrArray) problems = NULL;
      g_autofree char *found = NULL;

      home_write (home, table->file, text);
      problems = kb_lint_file (path);
      found = describe (problems);
      if (g_str_equal (found, entry->problems))
        continue;
      g_test_message ("%s/%s: expected [%s], found [%s]", table->name, entry->name, entry->problems,
                      found);
      failed = TRUE;
    }
  if (failed)
    g_test_fail ();
}

/* Legal samples are clean, but for what the oldest hosts do with one of them. */
static void
test_samples (void)
{
  static const char *const samples[] = {
    "camel/cordis.patch.full.yml",         "camel/cordis.patch.minimal.yml",
    "daruma/cordis.patch.full.yml",        "daruma/cordis.patch.minimal.yml",
    "daruma/settings.backup.yaml",         "host/settings.llm-pi-ai.yaml",
    "llm-fallback/cordis.patch.full.yml",  "llm-fallback/cordis.patch.minimal.yml",
    "llm-fallback/settings.0.1.x.yaml",    "llm-pool/cordis.patch.full.yml",
    "llm-pool/cordis.patch.minimal.yml",   "route-resilience/cordis.patch.yml",
    "route-resilience/settings.full.yaml", "route-resilience/settings.minimal.yaml",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path
          = g_test_build_filename (G_TEST_DIST, "fixtures", "samples", samples[i], NULL);
      g_autoptr (GPtrArray) problems = kb_lint_file (path);
      g_autofree char *found = describe (problems);

      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
      g_test_message ("%s: %s", samples[i], found);
      g_assert_cmpstr (found, ==,
                       strstr (samples[i], "0.1.x") != NULL ? "warning settings-ignored 1:1" : "");
    }
}

/* What the plugins themselves say about configurations: what they refuse is an error here. */
static const struct
{
  const char *file;
  const char *id;
  const char *target;
  const char *before;
} vectors[] = {
  { "llm-fallback.json", "f19", "x.patch.yml", "- id: llm-fallback\n  config: " },
  { "camel.json", "p03", "x.patch.yml", "- id: camel\n  config: " },
  { "route-resilience.json", "r22", "settings.yaml", "dsh-route-resilience: " },
  { "daruma.json", "c01", "x.patch.yml", "- id: dsh-daruma\n  config: " },
};

static JsonObject *
find_vector (JsonNode *root, const char *id)
{
  JsonArray *list = json_object_get_array_member (json_node_get_object (root), "vectors");

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *vector = json_array_get_object_element (list, i);

      if (g_str_equal (json_object_get_string_member (vector, "id"), id))
        return vector;
    }
  g_assert_not_reached ();
}

/* JSON is YAML too. */
static gboolean
is_accepted (Home *home, gsize index, JsonNode *config)
{
  g_autofree char *path = home_path (home, vectors[index].target);
  g_autofree char *value = json_to_string (config, FALSE);
  g_autofree char *text = g_strconcat (vectors[index].before, value, "\n", NULL);
  g_autoptr (GPtrArray) problems = NULL;

  home_write (home, vectors[index].target, text);
  problems = kb_lint_file (path);
  return !kb_lint_has_error (problems);
}

static void
test_vectors (Home *home, gconstpointer data)
{
  guint count = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *path
          = g_test_build_filename (G_TEST_DIST, "fixtures", "vectors", vectors[i].file, NULL);
      g_autoptr (JsonParser) parser = json_parser_new ();
      JsonObject *vector;
      JsonObject *expect;
      JsonArray *cases;
      JsonArray *results;

      g_assert_true (json_parser_load_from_file (parser, path, NULL));
      vector = find_vector (json_parser_get_root (parser), vectors[i].id);
      expect = json_object_get_object_member (vector, "expect");
      cases = json_object_get_array_member (json_object_get_object_member (vector, "in"), "cases");
      results = json_object_get_array_member (
          expect, json_object_has_member (expect, "results") ? "results" : "out");
      g_assert_cmpuint (json_array_get_length (cases), ==, json_array_get_length (results));
      for (guint j = 0; j < json_array_get_length (cases); j++, count++)
        {
          const char *result = json_array_get_string_element (results, j);

          g_test_message ("%s/%u: %s", vectors[i].id, j, result);
          g_assert_cmpint (is_accepted (home, i, json_array_get_element (cases, j)), ==,
                           g_str_has_prefix (result, "ok") || g_str_equal (result, "dormant"));
        }
    }
  g_assert_cmpuint (count, >=, 55);
}

/* A key that stands in the wrong place is not repeated anywhere. */
static void
test_secrets (Home *home, gconstpointer data)
{
  static const char *const keys[]
      = { "sk-0123456789abcdef0123", "AIzaSyA0123456789abcdefghijklmn", "8f14e45f-ceea-467f-a8b4" };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *path = home_path (home, "settings.yaml");
      g_autofree char *text = g_strdup_printf (
          "llm-pi-ai: { providers: { x: { apiKeyEnv: '%s', apiKey: '%s', api: '%s' } } }\n",
          keys[i], keys[i], keys[i]);
      g_autoptr (GPtrArray) problems = NULL;

      home_write (home, "settings.yaml", text);
      problems = kb_lint_file (path);
      g_assert_cmpuint (problems->len, >=, 3);
      for (guint j = 0; j < problems->len; j++)
        {
          const KbProblem *problem = problems->pdata[j];

          g_assert_null (strstr (problem->message, keys[i]));
          g_assert_null (strstr (problem->hint, keys[i]));
        }
    }
}

static void
test_key_names (void)
{
  g_assert_true (kb_key_name_is_valid ("OPENAI_API_KEY"));
  g_assert_true (kb_key_name_is_valid ("_x1"));
  g_assert_false (kb_key_name_is_valid ("1X"));
  g_assert_false (kb_key_name_is_valid ("A-B"));
  g_assert_false (kb_key_name_is_valid (""));
  g_assert_true (kb_key_name_looks_like_key ("sk-0123456789ab"));
  g_assert_true (kb_key_name_looks_like_key ("0a1b2c3d4e5f60718293a4b5c6d7e8f9"));
  g_assert_false (kb_key_name_looks_like_key ("LUMEN_API_KEY"));
  g_assert_false (kb_key_name_looks_like_key ("my_very_long_name_of_a_key_no_2"));
  g_assert_false (kb_key_name_looks_like_key ("sk-short"));
}

/* Lists of aliases of lists of aliases: it ends, whatever it says. */
static void
test_aliases (Home *home, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("x: [&m { id: a }, &l [*m");
  g_autofree char *path = home_path (home, "settings.yaml");
  g_autoptr (GPtrArray) problems = NULL;

  for (int i = 0; i < 2000; i++)
    g_string_append (text, ", *m");
  g_string_append (text, "], &p { models: *l }]\nllm-pi-ai: { providers: {");
  for (int i = 0; i < 2000; i++)
    g_string_append_printf (text, "p%d: *p, ", i);
  g_string_append (text, "} }\n");
  home_write (home, "settings.yaml", text->str);
  problems = kb_lint_file (path);
  g_assert_cmpuint (problems->len, >, 0);
  g_assert_cmpuint (problems->len, <=, 1001);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *path = g_strconcat ("/store/lint-systems/", tables[i].name, NULL);

      g_test_add (path, Home, &tables[i], home_set_up, test_table, home_tear_down);
    }
  g_test_add_func ("/store/lint-systems/samples", test_samples);
  g_test_add ("/store/lint-systems/vectors", Home, NULL, home_set_up, test_vectors, home_tear_down);
  g_test_add ("/store/lint-systems/secrets", Home, NULL, home_set_up, test_secrets, home_tear_down);
  g_test_add_func ("/store/lint-systems/key-names", test_key_names);
  g_test_add ("/store/lint-systems/aliases", Home, NULL, home_set_up, test_aliases, home_tear_down);

  return g_test_run ();
}

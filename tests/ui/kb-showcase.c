// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ui/kb-showcase.h"
#include "../support/folder.h"

#include <glib/gstdio.h>

#define SECOND G_GINT64_CONSTANT (1000)
#define MINUTE (60 * SECOND)

#define LONG_NAME                                                                                  \
  "a-model-whose-name-was-made-by-a-committee-and-goes-on-and-on-until-it-does-not-fit-into-any-"  \
  "window-that-a-person-would-open-preview-2026-11-30-instruct-fp8"

static void
write_file (const char *path, const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
write_in_home (KbShowcase *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->home, name, NULL);

  write_file (path, text);
}

static void
add_profile (KbShowcase *self, const char *name)
{
  g_autofree char *package = g_build_filename ("profiles", name, "package.json", NULL);

  write_in_home (self, package,
                 "{\n"
                 "  \"name\": \"dsh-profile\",\n"
                 "  \"private\": true,\n"
                 "  \"dependencies\": { \"dsh-daruma\": \"^0.1.7\" },\n"
                 "  \"dsh\": { \"profile\": { \"bundles\": [ \"dsh-daruma\" ] } }\n"
                 "}\n");
}

static const char states_patch[] = "- id: dsh-daruma\n"
                                   "  name: dsh-daruma\n"
                                   "  config:\n"
                                   "    channels:\n"
                                   "      - { provider: lumen, model: orca-2 }\n"
                                   "      - { provider: lumen, model: orca-mini }\n"
                                   "      - { provider: nimbus, model: heron-7b }\n"
                                   "      - { provider: \"月光\", model: \"通义千问-超大杯\" }\n"
                                   "      - { provider: nimbus, model: " LONG_NAME " }\n"
                                   "      - { provider: ghost, model: phantom-1 }\n"
                                   "    failureBudget: 3\n"
                                   "    cooldownMs: 30000\n"
                                   "    giveUpBudget: 8\n"
                                   "    coolDownMs: 15000\n";

static const char states_settings[]
    = "llm-pi-ai:\n"
      "  providers:\n"
      "    lumen: { api: openai-completions, baseURL: https://lumen.example/v1,\n"
      "      models: [{ id: orca-2 }, { id: orca-mini, reasoningEfforts: false }] }\n"
      "    nimbus: { api: openai-completions, baseURL: https://nimbus.example/v1,\n"
      "      thinkingBudgets: { low: 2048 }, compat: { supportsStore: false, chatTemplateKwargs: { "
      "enable_thinking: true } },\n"
      "      models: [{ id: heron-7b, reasoningEfforts: { low: little, high: \"深思\" } }, { "
      "id: " LONG_NAME " }] }\n"
      "    \"月光\": { api: openai-completions, baseURL: https://moon.example/v1,\n"
      "      models: [{ id: 通义千问-超大杯 }] }\n"
      "daruma:\n"
      "  backup: { provider: nimbus, model: heron-7b }\n";

static const char forms_package[]
    = "{ \"name\": \"dsh-profile\", \"private\": true, \"dsh\": { \"profile\": { "
      "\"bundles\": [ \"@deepseek-ai/dsh-base\", \"dsh-daruma\", \"dsh-llm-pool\", "
      "\"dsh-camel\", \"dsh-route-resilience\", \"@visol-456/dsh-llm-fallback\" ] } } }\n";

static const char forms_patch[]
    = "- id: dsh-daruma\n"
      "  config: { channels: [{ provider: lumen, model: orca-2 }] }\n"
      "- id: llm-pool\n"
      "  config:\n"
      "    retryPolicy: { mode: normal, maxRetries: 2 }\n"
      "    providers:\n"
      "      pool-orca: # the good one\n"
      "        displayName: Orca Pool\n"
      "        strategy: failover\n"
      "        members: [lumen, nimbus, 月光]\n"
      "        cooldown: { rateLimit: 90000, server: 15000 }\n"
      "        models:\n"
      "          - id: orca\n"
      "            name: Orca\n"
      "            targets: { lumen: orca-2, nimbus: " LONG_NAME ", 月光: 通义千问-超大杯 }\n"
      "            contextWindow: 131072\n"
      "      \"池.写作\":\n"
      "        members: [月光]\n"
      "- id: camel\n"
      "  config:\n"
      "    defaults:\n"
      "      retry: { enabled: true, mode: bounded, maxRetries: 6 }\n"
      "      throttle: { maxRequests: 12, windowMs: 45000 }\n"
      "      adaptive:\n"
      "        windowMs: !!js Number(process.env.WINDOW ?? 60000)\n"
      "        routes:\n"
      "          - { provider: nimbus, model: " LONG_NAME ", maxRequests: 40 }\n"
      "- id: llm-fallback\n"
      "  config:\n"
      "    fallbacks:\n"
      "      - { provider: nimbus, model: heron-7b }\n"
      "      - { provider: 月光, model: 通义千问-超大杯 }\n"
      "    cooldownMs: 30000\n";

static const char forms_settings[] = "dsh-route-resilience:\n"
                                     "  groups:\n"
                                     "    - id: orca\n"
                                     "      targets:\n"
                                     "        - { provider: lumen, model: orca-2 }\n"
                                     "        - { provider: nimbus, model: heron-7b }\n"
                                     "        - { provider: nimbus, model: " LONG_NAME " }\n"
                                     "      quarantineBaseMs: 45000\n"
                                     "    - id: spare\n"
                                     "      targets: [{ provider: nimbus, model: heron-7b }]\n"
                                     "  activeGroup: orca\n";

static const char forms_koboshi[] = "inRequestWaitMs: 5000\n"
                                    "midStream: resume\n"
                                    "modelAliases: { \"claude-*\": auto }\n"
                                    "neverAutomatic: [\"lumen::orca-mini\"]\n";

/* Something in each of the ways in which a form has to leave it alone. */
static const char locked_patch[] = "- id: llm-pool\n"
                                   "  config:\n"
                                   "    providers: !!js require('./pools')\n"
                                   "- id: camel\n"
                                   "  config: !!js require('./camel')\n";

static void
append_record (GString *json,
               const char *id,
               const char *state,
               int failures,
               gint64 until_ms,
               gint64 updated_ms)
{
  g_string_append_printf (json,
                          "%s\n    \"%s\": { \"channel\": \"%s\", \"state\": \"%s\", "
                          "\"consecutiveFailures\": %d, \"cooldownUntilMs\": %" G_GINT64_FORMAT
                          ", \"updatedAtMs\": %" G_GINT64_FORMAT " }",
                          json->str[json->len - 1] == '{' ? "" : ",", id, id, state, failures,
                          until_ms, updated_ms);
}

static char *
make_health (gint64 now_ms)
{
  GString *json = g_string_new ("{\n  \"healths\": {");

  append_record (json, "lumen::orca-2", "COOLDOWN", 3, now_ms + 27 * SECOND, now_ms - 3 * SECOND);
  append_record (json, "lumen::orca-mini", "HEALTHY", 0, 0, now_ms - MINUTE);
  append_record (json, "nimbus::heron-7b", "COOLDOWN", 4, now_ms - MINUTE, now_ms - 2 * MINUTE);
  append_record (json, "月光::通义千问-超大杯", "HEALTHY", 2, 0, now_ms - 4 * MINUTE);
  append_record (json, "nimbus::" LONG_NAME, "COOLDOWN", 5, now_ms + 170 * MINUTE,
                 now_ms - 10 * MINUTE);
  append_record (json, "retired::ghost-1", "COOLDOWN", 5, now_ms - 9000 * MINUTE,
                 now_ms - 9001 * MINUTE);
  g_string_append (json, "\n  }\n}");
  return g_string_free_and_steal (json);
}

static void
append_entry (GString *log, guint i, gint64 t)
{
  static const char *const reasons[] = { "RATE_LIMIT", "SERVER", "TIMEOUT", "QUOTA", "TRANSPORT" };
  static const char *const channels[]
      = { "lumen::orca-2", "lumen::orca-mini", "nimbus::heron-7b", "月光::通义千问-超大杯" };
  const char *from = channels[i % G_N_ELEMENTS (channels)];
  const char *to = channels[(i + 1) % G_N_ELEMENTS (channels)];

  if (i % 20 == 0)
    g_string_append_printf (log,
                            "{\"kind\":\"boot\",\"t\":%" G_GINT64_FORMAT
                            ",\"pid\":%u,\"channels\":[\"%s\",\"%s\",\"%s\"],\"failureBudget\":3,"
                            "\"cooldownMs\":30000,\"giveUpBudget\":8}\n",
                            t, 4000 + i, channels[0], channels[1], channels[2]);
  else if (i % 7 == 0)
    g_string_append_printf (log,
                            "{\"kind\":\"give-up\",\"t\":%" G_GINT64_FORMAT
                            ",\"agentId\":\"session-%u\",\"from\":\"%s\","
                            "\"reason\":\"no-routable-fallback\",\"failoverCount\":2,"
                            "\"giveUpBudget\":8}\n",
                            t, i / 20, from);
  else
    g_string_append_printf (log,
                            "{\"kind\":\"failover\",\"t\":%" G_GINT64_FORMAT
                            ",\"agentId\":\"session-%u\",\"from\":\"%s\",\"to\":\"%s\","
                            "\"reason\":\"%s\",\"status\":429,\"turn\":4,\"step\":2,"
                            "\"failoverCount\":%u,\"giveUpBudget\":8}\n",
                            t, i / 20, from, to, reasons[i % G_N_ELEMENTS (reasons)], i % 8 + 1);
}

char *
kb_showcase_make_log (guint n_entries, gint64 now_ms)
{
  GString *log = g_string_new (NULL);

  for (guint i = 0; i < n_entries; i++)
    append_entry (log, i, now_ms - (gint64) (n_entries - 1 - i) * MINUTE);
  return g_string_free_and_steal (log);
}

/* Trouble comes in bursts, and one line was torn by a crash. */
static char *
make_log (gint64 now_ms)
{
  GString *log = g_string_new (NULL);

  for (guint burst = 0; burst < 9; burst++)
    for (guint i = 0; i < 3 + burst * 5 % 7; i++)
      append_entry (log, burst == 6 && i == 0 ? 20 : burst * 11 + i + 1,
                    now_ms - (9 - burst) * 150 * MINUTE + i * 3 * MINUTE);
  g_string_append (log, "{\"kind\":\"failover\",\"t\":17960\n");
  append_entry (log, 20, now_ms - 6 * MINUTE);
  append_entry (log, 41, now_ms - 5 * MINUTE);
  append_entry (log, 44, now_ms - 3 * SECOND);
  return g_string_free_and_steal (log);
}

static void
fill_states (KbShowcase *self, gint64 now_ms)
{
  g_autofree char *health = make_health (now_ms);
  g_autofree char *log = make_log (now_ms);

  add_profile (self, "web");
  kb_showcase_write_patch (self, states_patch);
  write_in_home (self, "settings.yaml", states_settings);
  kb_showcase_write_health (self, health);
  kb_showcase_append_log (self, log);
}

static void
fill_forms (KbShowcase *self)
{
  g_autofree char *settings = g_strconcat (states_settings, forms_settings, NULL);

  write_in_home (self, "profiles/web/package.json", forms_package);
  kb_showcase_write_patch (self, forms_patch);
  write_in_home (self, "settings.yaml", settings);
  write_in_home (self, "profiles/web/koboshi.yaml", forms_koboshi);
}

KbShowcase *
kb_showcase_new (KbShowcaseKind kind, gint64 now_ms)
{
  g_autoptr (GError) error = NULL;
  KbShowcase *self = g_new0 (KbShowcase, 1);

  self->root = g_dir_make_tmp ("koboshi-home-XXXXXX", &error);
  g_assert_no_error (error);
  self->home = g_build_filename (self->root, ".dsh", NULL);
  self->config_dir = g_build_filename (self->root, "config", NULL);
  g_assert_cmpint (g_mkdir (self->config_dir, 0700), ==, 0);
  if (kind != KB_SHOWCASE_NO_HOME)
    g_assert_cmpint (g_mkdir (self->home, 0700), ==, 0);
  if (kind == KB_SHOWCASE_STATES || kind == KB_SHOWCASE_UNREADABLE)
    fill_states (self, now_ms);
  if (kind == KB_SHOWCASE_UNREADABLE)
    kb_showcase_write_health (self, "{ \"healths\": {");
  if (kind == KB_SHOWCASE_FORMS || kind == KB_SHOWCASE_LOCKED)
    fill_forms (self);
  if (kind == KB_SHOWCASE_LOCKED)
    kb_showcase_write_patch (self, locked_patch);
  if (kind == KB_SHOWCASE_EMPTY || kind == KB_SHOWCASE_PROFILES)
    add_profile (self, "web");
  if (kind == KB_SHOWCASE_PROFILES)
    {
      add_profile (self, "headless");
      add_profile (self, "写作");
    }
  return self;
}

void
kb_showcase_free (KbShowcase *self)
{
  if (self == NULL)
    return;
  remove_tree (self->root);
  g_free (self->root);
  g_free (self->home);
  g_free (self->config_dir);
  g_free (self);
}

KbSession *
kb_showcase_create_session (KbShowcase *self)
{
  KbPathsFacts facts = {
    .home_option = self->home,
    .user_home = self->root,
    .config_dir = self->config_dir,
    .state_dir = self->root,
    .cwd = self->root,
  };

  return kb_session_new_for_facts (&facts, NULL);
}

static void
append_day (GString *json, guint ago, gint64 now_ms)
{
  static const char *const channels[]
      = { "deepseek-official::deepseek-v4-flash", "anthropic::claude-haiku" };
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (now_ms / 1000);
  g_autoptr (GDateTime) day = g_date_time_add_days (now, -(int) ago);
  g_autofree char *name = g_date_time_format (day, "%Y-%m-%d");

  g_string_append_printf (json, "%s\"%s\":{", ago == 0 ? "" : ",", name);
  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    g_string_append_printf (
        json, "%s\"%s\":{\"answers\":3,\"input\":%u,\"cached\":%u,\"output\":%u}",
        i == 0 ? "" : ",", channels[i], 90000 + 37000 * ((ago * 7 + i * 3) % 11),
        41000 * ((ago * 5 + i) % 4), 9000 + 4300 * ((ago * 3 + i) % 6));
  g_string_append_c (json, '}');
}

/* As the gateway keeps it; a day without any, too. */
void
kb_showcase_write_usage (KbShowcase *self, gint64 now_ms)
{
  g_autoptr (KbSession) session = kb_showcase_create_session (self);
  g_autofree char *dir = kb_session_get_state_dir (session);
  g_autofree char *path = g_build_filename (dir, "usage.json", NULL);
  g_autoptr (GString) days = g_string_new (NULL);
  g_autofree char *json = NULL;

  for (guint ago = 0; ago < 14; ago++)
    if (ago != 5)
      append_day (days, ago, now_ms);
  json = g_strdup_printf ("{\"version\":1,\"days\":{%s}}", days->str);
  g_mkdir_with_parents (dir, 0700);
  write_file (path, json);
}

/* As the plugin does it: a new file takes the old one's place. */
void
kb_showcase_write_health (KbShowcase *self, const char *json)
{
  write_in_home (self, "daruma/channel-health.json", json);
}

void
kb_showcase_write_patch (KbShowcase *self, const char *yaml)
{
  write_in_home (self, "profiles/web/cordis.patch.yml", yaml);
}

char *
kb_showcase_read (KbShowcase *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->home, name, NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

void
kb_showcase_append_log (KbShowcase *self, const char *lines)
{
  g_autofree char *path = g_build_filename (self->home, "daruma", "failover-log.jsonl", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_file_get_contents (path, &before, NULL, NULL);
  after = g_strconcat (before != NULL ? before : "", lines, NULL);
  write_file (path, after);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Providers and addresses as forms see them, and files that nobody may write. */

#define _GNU_SOURCE /* unshare() */
#include <sched.h>
#include <sys/mount.h>

#include "form-check.h"

/* What a provider says of its models, in all the ways in which the host takes it. */
static void
test_provider (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *path;
    const char *field;
  } rows[] = {
    { "reasoning", "choice high settings set" },
    { "thinkingBudgets.low", "number 2048 settings set" },
    { "thinkingBudgets.high", "number - default" },
    { "maxRequestImageBytes", "bytes 20971520 default" },
    { "requestImageMaxBytes", "bytes 524288 settings set" },
    { "requestImagePixelBudget", "integer 4194304 default" },
    { "streamIdleTimeoutMs", "duration 300000 default" },
    { "websocketConnectTimeoutMs", "duration - default" },
    { "defaultContextWindow", "integer 262144 default" },
    { "defaultInput", "words [text] default" },
    { "transport", "choice auto settings set" },
    { "compat", "form { supportsStore: false, chatTemplateKwargs: { thinking: true, count: 3, v: "
                "{ $var: x } } } settings set" },
    { "compat.supportsStore", "option false settings set" },
    { "compat.supportsTemperature", "option - default" },
    { "compat.chatTemplateKwargs",
      "pairs { thinking: true, count: 3, v: { $var: x } } settings set" },
    { "compat.chatTemplateKwargs.thinking", "text true settings set" },
    { "compat.chatTemplateKwargs.count", "text 3 settings set" },
    { "compat.chatTemplateKwargs.v", "text { $var: x } settings set foreign" },
    { "models[0].reasoningEfforts", "pairs { \"off\": null, high: max } settings set" },
    { "models[0].reasoningEfforts.high", "text max settings set" },
    { "models[0].reasoningEfforts.off", "text null settings set" },
    { "models[1].reasoningEfforts", "pairs false settings set no" },
    { "models[2].reasoningEfforts", "pairs - default" },
  };
  g_autoptr (KbForm) form = NULL;

  home_write (
      home, SETTINGS,
      "llm-pi-ai:\n  providers:\n    p:\n      api: openai-completions\n"
      "      baseURL: http://p\n      reasoning: high\n      transport: auto\n"
      "      thinkingBudgets: { low: 2048 }\n      requestImageMaxBytes: 524288\n"
      "      compat: { supportsStore: false, chatTemplateKwargs: { thinking: true, count: 3, "
      "v: { $var: x } } }\n"
      "      models:\n        - { id: a, reasoningEfforts: { off: null, high: max } }\n"
      "        - { id: b, reasoningEfforts: false }\n        - id: c\n");
  form = load (home);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("llm-pi-ai.providers.p.", rows[i].path, NULL);
      g_autoptr (KbField) field = kb_form_get_field (form, path);
      g_autofree char *text = NULL;

      g_test_message ("%s", path);
      g_assert_nonnull (field);
      text = describe (field);
      g_assert_cmpstr (text, ==, rows[i].field);
    }
}

static void
test_addresses (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *file;
    const char *items;
    gboolean single;
  } rows[] = {
    { "listen: 127.0.0.1:8080\n", "127.0.0.1:8080//", TRUE },
    { "listen: [127.0.0.1:8080, \"[::1]:8080\"]\n", "127.0.0.1:8080//; [::1]:8080//", FALSE },
    { "stickyMax: 7\n", "127.0.0.1:7878//", TRUE },
  };
  static const struct
  {
    const char *value;
    const char *sentence;
  } values[] = {
    { "[127.0.0.1:1, \"[::1]:1\"]", NULL },
    { "[127.0.0.1:1, 127.0.0.1:1]", "This entry of “listen” is already listed on line 1" },
    { "[127.0.0.1:1, nowhere]", "“listen” must be an address with a port" },
    { "[]", "Must not be empty" },
  };
  g_autoptr (KbForm) form = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbForm) one = NULL;
      g_autoptr (KbField) field = NULL;
      g_autofree char *items = NULL;

      home_write (home, KOBOSHI, rows[i].file);
      one = load (home);
      field = kb_form_get_field (one, "koboshi.listen");
      items = list_items (one, "koboshi.listen");
      g_assert_cmpstr (items, ==, rows[i].items);
      g_assert_cmpint (field->kind, ==, KB_FIELD_NAMES);
      g_assert_cmpint (field->lock, ==, KB_FIELD_EDITABLE);
      g_assert_true (field->single == rows[i].single);
    }
  form = load (home);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *sentence = kb_form_check (form, "koboshi.listen", values[i].value);

      g_assert_cmpstr (sentence, ==, values[i].sentence);
    }
}

static void
test_scalars (void)
{
  static const struct
  {
    const char *text;
    const char *yaml;
  } rows[] = { { "true", "true" },     { "3", "3" },       { "0.5", "0.5" },
               { "max", "max" },       { "", "\"\"" },     { "null", "\"null\"" },
               { "a: b", "\"a: b\"" }, { "[a", "\"[a\"" }, { "“是”", "“是”" } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *yaml = kb_form_make_scalar (rows[i].text);

      g_assert_cmpstr (yaml, ==, rows[i].yaml);
    }
}

/* A file system that takes nothing, in a namespace of mounts that goes with this process. */
static gboolean
mount_read_only (const char *folder)
{
  return unshare (CLONE_NEWNS) == 0 && mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
         && mount (folder, folder, NULL, MS_BIND, NULL) == 0
         && mount ("none", folder, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) == 0;
}

static void
test_read_only_file_system (Home *home, gconstpointer data)
{
  home_write (home, "profiles/web/package.json", BUNDLES);
  home_write (home, PROFILE, "- id: camel\n  config: {}\n");
  if (!mount_read_only (home->dir))
    {
      g_test_skip ("mounts are not allowed here");
      return;
    }
  assert_state (home, "camel", KB_FORM_LOCKED, "The file system is read-only");
  assert_state (home, "llm-pi-ai", KB_FORM_LOCKED, "The file system is read-only");
  g_assert_cmpint (umount2 (home->dir, MNT_DETACH), ==, 0);
  assert_state (home, "camel", KB_FORM_READY, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                        \
  g_test_add ("/client/form-provider/" path, Home, NULL, home_set_up, function, home_tear_down)
  ADD ("provider", test_provider);
  ADD ("addresses", test_addresses);
  g_test_add_func ("/client/form-provider/scalars", test_scalars);
  ADD ("read-only-file-system", test_read_only_file_system);

  return g_test_run ();
}

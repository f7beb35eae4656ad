// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "store/kb-koboshi-options.h"

static KbKoboshiOptions *
read_text (const char *text)
{
  g_autoptr (GPtrArray) problems
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autoptr (GBytes) bytes = text != NULL ? g_bytes_new (text, strlen (text)) : NULL;
  g_autoptr (KbYamlFile) file = kb_yaml_file_new (
      "/h/profiles/p/koboshi.yaml", KB_YAML_FILE_KOBOSHI, KB_ORIGIN_PROFILE, bytes, problems);

  return kb_koboshi_options_read (file);
}

static void
assert_defaults (const KbKoboshiOptions *options)
{
  g_assert_cmpstr (options->listen[0], ==, "127.0.0.1:7878");
  g_assert_null (options->listen[1]);
  g_assert_null (options->token_name);
  g_assert_cmpint (options->connect_timeout_ms, ==, 10000);
  g_assert_cmpint (options->header_timeout_ms, ==, 60000);
  g_assert_cmpint (options->first_token_timeout_ms, ==, 120000);
  g_assert_cmpint (options->idle_timeout_ms, ==, 120000);
  g_assert_cmpint (options->total_timeout_ms, ==, 1800000);
  g_assert_cmpint (options->in_request_wait_ms, ==, 60000);
  g_assert_cmpint (options->retry_before_failover_ms, ==, 3000);
  g_assert_cmpint (options->retry_after_cap_ms, ==, 3600000);
  g_assert_cmpint (options->body_limit_mib, ==, 64);
  g_assert_cmpint (options->sticky_ttl_ms, ==, 3600000);
  g_assert_cmpint (options->sticky_max, ==, 10000);
  g_assert_false (options->mid_stream_resumes);
  g_assert_false (options->refused_content_fails_over);
  g_assert_false (options->unknown_model_is_auto);
  g_assert_cmpuint (options->aliases->len, ==, 0);
  g_assert_cmpuint (g_strv_length (options->never_automatic), ==, 0);
}

/* Absent, empty, broken, and nothing that lint would let pass: all the defaults. */
static void
test_defaults (void)
{
  const char *const texts[] = {
    NULL,
    "",
    "# nothing\n",
    "[a, b\n",
    "- a list\n",
    "connectTimeoutMs: 0\nheaderTimeoutMs: -1\nidleTimeoutMs: 1.5\nbodyLimitMiB: many\n"
    "totalTimeoutMs: [1]\nfirstTokenTimeoutMs: 1e300\nmidStream: maybe\nunknownModel: 7\n"
    "modelAliases: [a]\nneverAutomatic: {a: b}\nchannels: 7\nlisten: {}\ntoken: ''\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (KbKoboshiOptions) options = read_text (texts[i]);

      assert_defaults (options);
    }
}

static void
test_values (void)
{
  g_autoptr (KbKoboshiOptions) options = read_text (
      "listen: ['127.0.0.1:9000', '[::1]:9000']\ntoken: MY_TOKEN\nconnectTimeoutMs: 5\n"
      "retryBeforeFailoverMs: 0\ninRequestWaitMs: 0\nmidStream: resume\n"
      "contentRefused: failover\nunknownModel: auto\nstickyPersist: true\n"
      "modelAliases: {'claude-*': auto, gpt: 'a::b'}\nneverAutomatic: ['a::b']\n"
      "channels:\n  'a::b': {prefill: true, contextWindow: 1000, proxy: direct}\n"
      "  'a::c':\n");
  const KbModelAlias *alias;
  const KbChannelOptions *channel;

  g_assert_cmpstr (options->listen[1], ==, "[::1]:9000");
  g_assert_cmpstr (options->token_name, ==, "MY_TOKEN");
  g_assert_cmpint (options->connect_timeout_ms, ==, 5);
  g_assert_cmpint (options->retry_before_failover_ms, ==, 0);
  g_assert_cmpint (options->in_request_wait_ms, ==, 0);
  g_assert_true (options->mid_stream_resumes);
  g_assert_true (options->refused_content_fails_over);
  g_assert_true (options->unknown_model_is_auto);
  g_assert_true (options->sticky_persist);
  g_assert_cmpuint (options->aliases->len, ==, 2);
  alias = options->aliases->pdata[0];
  g_assert_cmpstr (alias->pattern, ==, "claude-*");
  g_assert_cmpstr (alias->target, ==, "auto");
  g_assert_cmpstr (options->never_automatic[0], ==, "a::b");
  channel = kb_koboshi_options_find_channel (options, "a::b");
  g_assert_true (channel->prefill);
  g_assert_cmpint (channel->context_window, ==, 1000);
  g_assert_cmpstr (channel->proxy, ==, "direct");
  g_assert_null (kb_koboshi_options_find_channel (options, "a::c"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/koboshi-options/defaults", test_defaults);
  g_test_add_func ("/store/koboshi-options/values", test_values);
  return g_test_run ();
}

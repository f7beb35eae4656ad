// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-demo-home.h"

#include "client/kb-scratch.h"

#define PREFIX "koboshi-demo-"

/* Nothing in the demo may reach a provider: port 9 of the loopback answers nobody. */
#define NOWHERE "http://127.0.0.1:9/v1"

static const char *const channel_ids[] = {
  "harbor::glm-5.3",
  "harbor::deepseek-v4-flash",
  "community-mirror::qwen4-coder-480b-a35b-instruct-long-context-preview",
  "yunque::云雀-深度思考",
  NULL,
};

static const char package_json[] = "{\n"
                                   "  \"name\": \"dsh-profile-demo\",\n"
                                   "  \"private\": true,\n"
                                   "  \"dependencies\": {\n"
                                   "    \"dsh-daruma\": \"^0.1.7\"\n"
                                   "  },\n"
                                   "  \"dsh\": {\n"
                                   "    \"profile\": {\n"
                                   "      \"bundles\": [\n"
                                   "        \"@deepseek-ai/dsh-base\",\n"
                                   "        \"@deepseek-ai/dsh-web-app\",\n"
                                   "        \"dsh-daruma\"\n"
                                   "      ]\n"
                                   "    }\n"
                                   "  }\n"
                                   "}\n";

static const char patch_yaml[]
    = "# The failover chain of the demo. Nothing here reaches a provider.\n"
      "- id: dsh-daruma\n"
      "  name: dsh-daruma\n"
      "  config:\n"
      "    channels:\n"
      "      - { provider: harbor, model: glm-5.3 }\n"
      "      - { provider: harbor, model: deepseek-v4-flash }\n"
      "      - provider: community-mirror\n"
      "        model: qwen4-coder-480b-a35b-instruct-long-context-preview\n"
      "      - { provider: yunque, model: 云雀-深度思考 }\n"
      "    failureBudget: " G_STRINGIFY (
          KB_DEMO_FAILURE_BUDGET) "\n"
                                  "    cooldownMs: " G_STRINGIFY (
                                      KB_DEMO_COOLDOWN_MS) "\n"
                                                           "    giveUpBudget: " G_STRINGIFY (
                                                               KB_DEMO_GIVE_UP_BUDGET) "\n";

static const char settings_yaml[]
    = "llm-pi-ai:\n"
      "  providers:\n"
      "    harbor:\n"
      "      displayName: Harbor\n"
      "      api: openai-completions\n"
      "      baseURL: " NOWHERE "\n"
      "      apiKeyEnv: HARBOR_API_KEY\n"
      "      models:\n"
      "        - { id: glm-5.3 }\n"
      "        - { id: deepseek-v4-flash }\n"
      "    community-mirror:\n"
      "      displayName: Community mirror\n"
      "      api: openai-completions\n"
      "      baseURL: " NOWHERE "\n"
      "      apiKeyEnv: MIRROR_API_KEY\n"
      "      models:\n"
      "        - { id: qwen4-coder-480b-a35b-instruct-long-context-preview }\n"
      "    yunque:\n"
      "      displayName: 云雀\n"
      "      api: openai-completions\n"
      "      baseURL: " NOWHERE "\n"
      "      apiKeyEnv: YUNQUE_API_KEY\n"
      "      models:\n"
      "        - { id: 云雀-深度思考 }\n"
      "agent-default-model:\n"
      "  provider: harbor\n"
      "  model: glm-5.3\n"
      "daruma:\n"
      "  backup:\n"
      "    provider: harbor\n"
      "    model: deepseek-v4-flash\n";

/**
 * kb_demo_home_make:
 * @error: the reason why there is none
 *
 * Makes the folder of a demo among the temporary files, for this user only: one profile
 * with a failover chain and the providers of it. Errors are of G_FILE_ERROR.
 *
 * Returns: (transfer full) (nullable): its path
 */
char *
kb_demo_home_make (GError **error)
{
  g_autofree char *home = kb_scratch_make (PREFIX, error);
  g_autofree char *state = NULL;

  if (home == NULL)
    return NULL;
  state = g_build_filename (home, "daruma", NULL);
  if (kb_scratch_write (home, "settings.yaml", settings_yaml, error)
      && kb_scratch_write (home, "profiles/" KB_DEMO_PROFILE "/package.json", package_json, error)
      && kb_scratch_write (home, "profiles/" KB_DEMO_PROFILE "/cordis.patch.yml", patch_yaml, error)
      && kb_scratch_make_folder (state, error))
    return g_steal_pointer (&home);
  kb_demo_home_remove (home);
  return NULL;
}

/**
 * kb_demo_home_remove:
 * @home: a path of kb_demo_home_make()
 *
 * Removes the folder and all in it. Anything that is not such a folder is left alone.
 */
void
kb_demo_home_remove (const char *home)
{
  g_return_if_fail (home != NULL);
  kb_scratch_remove (home, PREFIX);
}

/**
 * kb_demo_home_get_channels:
 *
 * Returns: (transfer none) (array zero-terminated=1): the ids of the demo's chain, in order
 */
const char *const *
kb_demo_home_get_channels (void)
{
  return channel_ids;
}

/**
 * kb_demo_home_get_health:
 * @home: the demo's folder
 *
 * Returns: (transfer full): the path of its health file
 */
char *
kb_demo_home_get_health (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);
  return g_build_filename (home, "daruma", "channel-health.json", NULL);
}

/**
 * kb_demo_home_get_log:
 * @home: the demo's folder
 *
 * Returns: (transfer full): the path of its log
 */
char *
kb_demo_home_get_log (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);
  return g_build_filename (home, "daruma", "failover-log.jsonl", NULL);
}

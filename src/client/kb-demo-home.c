// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-demo-home.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPLATE "koboshi-demo-XXXXXX"
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

static gboolean
make_folder (const char *path, GError **error)
{
  int saved;

  g_assert (path != NULL);

  if (g_mkdir_with_parents (path, 0700) == 0)
    return TRUE;
  saved = errno;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved), "%s: %s", path,
               g_strerror (saved));
  return FALSE;
}

static gboolean
write_file (const char *home, const char *name, const char *contents, GError **error)
{
  g_autofree char *path = g_build_filename (home, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  return make_folder (folder, error)
         && g_file_set_contents_full (path, contents, -1, G_FILE_SET_CONTENTS_NONE, 0600, error);
}

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
  g_autofree char *home = g_dir_make_tmp (TEMPLATE, error);
  g_autofree char *state = NULL;

  if (home == NULL)
    return NULL;
  state = g_build_filename (home, "daruma", NULL);
  if (make_folder (state, error) && write_file (home, "settings.yaml", settings_yaml, error)
      && write_file (home, "profiles/" KB_DEMO_PROFILE "/package.json", package_json, error)
      && write_file (home, "profiles/" KB_DEMO_PROFILE "/cordis.patch.yml", patch_yaml, error))
    return g_steal_pointer (&home);
  kb_demo_home_remove (home);
  return NULL;
}

/* Never through a symbolic link: the link itself goes, what it points to stays. */
static void
remove_tree (GFile *file)
{
  g_autoptr (GFileEnumerator) children = NULL;

  g_assert (G_IS_FILE (file));

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL)
      == G_FILE_TYPE_DIRECTORY)
    children = g_file_enumerate_children (file, G_FILE_ATTRIBUTE_STANDARD_NAME,
                                          G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  while (children != NULL)
    {
      GFile *child = NULL;

      if (!g_file_enumerator_iterate (children, NULL, &child, NULL, NULL) || child == NULL)
        break;
      remove_tree (child);
    }
  g_file_delete (file, NULL, NULL);
}

static gboolean
is_demo_home (const char *home)
{
  g_autofree char *parent = g_path_get_dirname (home);
  g_autofree char *name = g_path_get_basename (home);
  GStatBuf facts;

  return g_str_has_prefix (name, PREFIX) && g_str_equal (parent, g_get_tmp_dir ())
         && g_lstat (home, &facts) == 0 && S_ISDIR (facts.st_mode) && facts.st_uid == geteuid ();
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
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (home != NULL);

  if (!is_demo_home (home))
    return;
  file = g_file_new_for_path (home);
  remove_tree (file);
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

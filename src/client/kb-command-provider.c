// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-command-edit.h"
#include "client/kb-edit-home.h"
#include "client/kb-provider-models.h"
#include "client/kb-provider-uses.h"
#include "client/kb-text.h"

/* Options and the fields of a provider they set: DSH-HOST facts 3.2. */
static const struct
{
  const char *option;
  const char *field;
} fields[] = {
  { "api", "api" },
  { "base-url", "baseURL" },
  { "key-name", "apiKeyEnv" },
  { "display-name", "displayName" },
  { "models", "models" },
};

static KbYamlPath *
get_path (const char *name, const char *field)
{
  return kb_command_path ("llm-pi-ai", "providers", name, field, NULL);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_provider (JsonBuilder *builder, const KbProvider *provider)
{
  g_autofree char *file
      = provider->place.file != NULL ? g_utf8_make_valid (provider->place.file, -1) : NULL;

  json_builder_begin_object (builder);
  add_string (builder, "name", provider->name);
  add_string (builder, "displayName", provider->display_name);
  add_string (builder, "api", provider->api);
  add_string (builder, "baseURL", provider->base_url);
  add_string (builder, "keyName", provider->api_key_env);
  json_builder_set_member_name (builder, "models");
  json_builder_begin_array (builder);
  for (char **model = provider->models; *model != NULL; model++)
    json_builder_add_string_value (builder, *model);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "openEnded");
  json_builder_add_boolean_value (builder, provider->open_ended);
  add_string (builder, "file", file);
  json_builder_set_member_name (builder, "line");
  json_builder_add_int_value (builder, provider->place.line);
  json_builder_end_object (builder);
}

static KbExit
list_json (KbInvocation *invocation, const GPtrArray *providers)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "providers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < providers->len; i++)
    add_provider (builder, providers->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  return kb_invocation_print_line (invocation, json) ? KB_EXIT_DONE : KB_EXIT_FAILED;
}

static KbExit
list (KbInvocation *invocation, KbEdit *edit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbProfile) profile = kb_edit_home_load_profile (edit, &error);
  const GPtrArray *providers;

  if (profile == NULL)
    return kb_command_fail (invocation, error);
  providers = kb_profile_get_providers (profile);
  if (invocation->globals.json)
    return list_json (invocation, providers);
  for (guint i = 0; i < providers->len; i++)
    {
      const KbProvider *provider = providers->pdata[i];
      g_autofree char *models = g_strjoinv (", ", provider->models);
      g_autofree char *raw = g_strdup_printf (
          "%s  %s  %s", provider->name, provider->base_url != NULL ? provider->base_url : "-",
          *models != '\0' ? models : _ ("models of the host's catalog"));
      g_autofree char *line = kb_text_make_printable (raw);

      if (!kb_invocation_print_line (invocation, line))
        return KB_EXIT_FAILED;
    }
  return KB_EXIT_DONE;
}

static KbExit
refuse_used (KbInvocation *invocation, const char *name, const char *where)
{
  g_autofree char *shown = kb_text_make_printable (name);
  g_autofree char *places = kb_text_make_printable (where);

  kb_invocation_complain (invocation, _ ("“%s” is in use: %s. Change that first"), shown, places);
  return KB_EXIT_REFUSED;
}

static KbYamlTree *
make_field (const char *option, const char *text)
{
  return g_str_equal (option, "models") ? kb_provider_models_parse (text)
                                        : kb_yaml_tree_new_string (text);
}

/* A key's name is a word; what is none is probably the key itself, which no file may hold. */
static gboolean
check_key_name (KbInvocation *invocation)
{
  const char *name = kb_invocation_get (invocation, "key-name");

  if (name == NULL || g_regex_match_simple ("^[A-Za-z_][A-Za-z0-9_]*$", name, 0, 0))
    return TRUE;
  kb_invocation_complain (invocation, _ ("--key-name takes the name of a key, such as "
                                         "OPENAI_API_KEY, never the key itself"));
  return FALSE;
}

static KbExit
add (KbInvocation *invocation, KbEdit *edit, const char *name)
{
  g_autoptr (KbYamlPath) path = get_path (name, NULL);
  g_autoptr (KbYamlTree) old = kb_config_path_get (kb_edit_get_config (edit), path, NULL);
  g_autoptr (KbYamlTree) provider = kb_yaml_tree_new_mapping ();
  g_autoptr (GError) error = NULL;
  g_autofree char *did = NULL;

  if (old != NULL)
    {
      kb_invocation_complain (invocation, _ ("there is a provider “%s” already"), name);
      return KB_EXIT_REFUSED;
    }
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = kb_invocation_get (invocation, fields[i].option);

      if (text != NULL)
        kb_yaml_tree_put (provider, fields[i].field, make_field (fields[i].option, text));
    }
  if (!kb_edit_set (edit, path, provider, &error))
    return kb_command_fail (invocation, error);
  did = g_strdup_printf (_ ("Added the provider %s"), name);
  return kb_command_finish_edit (invocation, edit, did);
}

static gboolean
change_field (
    KbEdit *edit, const KbYamlPath *path, const char *option, const char *text, GError **error)
{
  g_autoptr (KbYamlTree) value = NULL;

  if (*text == '\0')
    return kb_edit_unset (edit, path, error);
  if (g_str_equal (option, "models"))
    return kb_provider_models_set (edit, path, text, error);
  value = make_field (option, text);
  return kb_edit_set (edit, path, value, error);
}

static gboolean
change_fields (KbInvocation *invocation, KbEdit *edit, const char *name, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = kb_invocation_get (invocation, fields[i].option);
      g_autoptr (KbYamlPath) path = get_path (name, fields[i].field);

      if (text != NULL && !change_field (edit, path, fields[i].option, text, error))
        return FALSE;
    }
  return TRUE;
}

static KbExit
change (KbInvocation *invocation, KbEdit *edit, const char *name)
{
  g_autoptr (KbYamlPath) path = get_path (name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *where = NULL;
  g_autofree char *did = NULL;
  const char *rename = kb_invocation_get (invocation, "rename");

  if (!change_fields (invocation, edit, name, &error))
    return kb_command_fail (invocation, error);
  did = g_strdup_printf (_ ("Changed the provider %s"), name);
  if (rename == NULL)
    return kb_command_finish_edit (invocation, edit, did);
  where = kb_provider_uses_describe (kb_edit_get_config (edit), name);
  if (*where != '\0')
    return refuse_used (invocation, name, where);
  if (!kb_edit_rename (edit, path, rename, &error))
    return kb_command_fail (invocation, error);
  g_free (did);
  did = g_strdup_printf (_ ("Renamed the provider %s to %s"), name, rename);
  return kb_command_finish_edit (invocation, edit, did);
}

static KbExit
take_away (KbInvocation *invocation, KbEdit *edit, const char *name)
{
  g_autoptr (KbYamlPath) path = get_path (name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *where = kb_provider_uses_describe (kb_edit_get_config (edit), name);
  g_autofree char *did = NULL;

  if (*where != '\0')
    return refuse_used (invocation, name, where);
  if (!kb_edit_unset (edit, path, &error))
    return kb_command_fail (invocation, error);
  did = g_strdup_printf (_ ("Removed the provider %s"), name);
  return kb_command_finish_edit (invocation, edit, did);
}

static KbExit
refuse_unknown (KbInvocation *invocation, const char *name)
{
  g_autofree char *shown = kb_text_make_printable (name);

  kb_invocation_complain (invocation,
                          _ ("there is no provider “%s” to change; see “koboshictl "
                             "provider list”"),
                          shown);
  return KB_EXIT_REFUSED;
}

static KbExit
run (KbInvocation *invocation, KbEdit *edit)
{
  const char *verb = invocation->arguments[0];
  const char *name = invocation->arguments[1];
  g_autoptr (KbYamlPath) path = get_path (name, NULL);
  g_autoptr (KbYamlTree) there = NULL;

  if (!g_utf8_validate (name, -1, NULL) || *name == '\0' || !check_key_name (invocation))
    return KB_EXIT_USAGE;
  if (g_str_equal (verb, "add"))
    return add (invocation, edit, name);
  there = kb_config_path_get (kb_edit_get_config (edit), path, NULL);
  if (there == NULL)
    return refuse_unknown (invocation, name);
  if (g_str_equal (verb, "edit"))
    return change (invocation, edit, name);
  return take_away (invocation, edit, name);
}

/**
 * kb_command_provider:
 * @invocation: the verb `provider`
 *
 * Prints or changes the providers of the home. Keys are named, never held.
 *
 * Returns: the exit status
 */
KbExit
kb_command_provider (KbInvocation *invocation)
{
  static const char *const verbs[] = { "add", "edit", "remove", NULL };
  g_autoptr (KbEdit) edit = NULL;
  char **words;
  guint n_words;
  gboolean listing;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  words = invocation->arguments;
  n_words = g_strv_length (words);
  listing = n_words == 0 || (n_words == 1 && g_str_equal (words[0], "list"));
  if (!listing && (n_words != 2 || !g_strv_contains (verbs, words[0])))
    return kb_command_refuse_words (invocation);
  edit = kb_command_open_edit (invocation, &result);
  if (edit == NULL)
    return result;
  return listing ? list (invocation, edit) : run (invocation, edit);
}

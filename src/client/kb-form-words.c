// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What the words of a choice mean, what a number counts, and where a value comes from. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "client/kb-form-private.h"

static const struct
{
  const char *key;
  const char *word;
  const char *label;
} words[] = {
  { "strategy", "sticky", N_ ("Sticky") },
  { "strategy", "round-robin", N_ ("Round robin") },
  { "strategy", "failover", N_ ("Failover") },
  { "mode", "unlimited", N_ ("Unlimited") },
  { "mode", "bounded", N_ ("Limited") },
  { "mode", "normal", N_ ("Limited") },
  { "mode", "always", N_ ("Without end") },
  { "scope", "global", N_ ("All together") },
  { "scope", "provider", N_ ("Per provider") },
  { "scope", "route", N_ ("Per channel") },
  { "scope", "task-route", N_ ("Per task") },
  { "midStream", "error", N_ ("End with an error") },
  { "midStream", "resume", N_ ("Let the next go on") },
  { "contentRefused", "pass", N_ ("Pass it on") },
  { "contentRefused", "failover", N_ ("Ask the next") },
  { "unknownModel", "refuse", N_ ("Refuse") },
  { "unknownModel", "auto", N_ ("Use the chain") },
  { "api", "openai-completions", N_ ("OpenAI Chat") },
  { "api", "openai-responses", N_ ("OpenAI Responses") },
  { "api", "anthropic-messages", N_ ("Anthropic") },
  { "input", "text", N_ ("Text") },
  { "input", "image", N_ ("Pictures") },
  { "defaultInput", "text", N_ ("Text") },
  { "defaultInput", "image", N_ ("Pictures") },
  { "cacheRetention", "none", N_ ("Off") },
  { "cacheRetention", "short", N_ ("Short") },
  { "cacheRetention", "long", N_ ("Long") },
  { "transport", "sse", N_ ("Event stream") },
  { "transport", "websocket", N_ ("WebSocket") },
  { "transport", "websocket-cached", N_ ("WebSocket, kept open") },
  { "transport", "auto", N_ ("Automatic") },
  { "reasoning", "off", N_ ("Off") },
  { "reasoning", "minimal", N_ ("Minimal") },
  { "reasoning", "low", N_ ("Low") },
  { "reasoning", "medium", N_ ("Medium") },
  { "reasoning", "high", N_ ("High") },
  { "reasoning", "xhigh", N_ ("Very high") },
  { "reasoning", "max", N_ ("Highest") },
};

static const struct
{
  const char *key;
  const char *unit;
} units[] = {
  { "bodyLimitMiB", N_ ("MiB") },
  { "contextWindow", N_ ("tokens") },
  { "maxTokens", N_ ("tokens") },
  { "defaultContextWindow", N_ ("tokens") },
  { "defaultMaxTokens", N_ ("tokens") },
  { "minimal", N_ ("tokens") },
  { "low", N_ ("tokens") },
  { "medium", N_ ("tokens") },
  { "high", N_ ("tokens") },
  { "requestImagePixelBudget", N_ ("pixels") },
};

/**
 * kb_form_table_get_word:
 * @key: the key of a choice
 * @word: one of its words
 *
 * Returns: (transfer none) (nullable): what it means, translated
 */
const char *
kb_form_table_get_word (const char *key, const char *word)
{
  if (g_str_equal (key, "effortMap") || g_str_equal (key, "reasoningEfforts"))
    key = "reasoning";
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i].key, key) && g_str_equal (words[i].word, word))
      return _ (words[i].label);
  return NULL;
}

/**
 * kb_form_table_get_unit:
 * @key: the key of a number
 *
 * Returns: (transfer none) (nullable): what it counts, translated
 */
const char *
kb_form_table_get_unit (const char *key)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i].key, key))
      return _ (units[i].unit);
  return NULL;
}

/**
 * kb_field_describe_origin:
 * @self: a field
 *
 * Returns: (transfer full): where its value comes from, translated
 */
char *
kb_field_describe_origin (const KbField *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->lock == KB_FIELD_IS_EXPRESSION)
    /* Translators: %1$s is a file, %2$u a line */
    return g_strdup_printf (_ ("An expression that only the host evaluates; %1$s, line %2$u"),
                            self->file, self->line);
  if (self->lock == KB_FIELD_IS_FOREIGN)
    return g_strdup_printf (_ ("Written in a way that is not edited here; %1$s, line %2$u"),
                            self->file != NULL ? self->file : "", self->line);
  switch (self->origin)
    {
    case KB_FIELD_FROM_BUNDLE:
      return g_strdup (_ ("From the plugin’s bundle"));
    case KB_FIELD_FROM_PROFILE:
      return g_strdup (_ ("From the profile"));
    case KB_FIELD_FROM_HOME:
      return g_strdup (_ ("From the home, for all profiles"));
    case KB_FIELD_FROM_SETTINGS:
      return g_strdup (_ ("From the settings"));
    case KB_FIELD_FROM_KOBOSHI:
      return g_strdup (_ ("From koboshi.yaml"));
    case KB_FIELD_FROM_DEFAULT:
    default:
      return g_strdup (self->has_default ? _ ("Default") : _ ("Not set"));
    }
}

/**
 * kb_field_get_word_label:
 * @self: a field
 * @word: a word as it is written
 *
 * Returns: (transfer none): what it means, translated; the word itself where that is enough
 */
const char *
kb_field_get_word_label (const KbField *self, const char *word)
{
  g_autofree char *key = NULL;
  const char *label;

  g_return_val_if_fail (self != NULL && word != NULL, NULL);

  if (self->kind == KB_FIELD_OPTION)
    return g_str_equal (word, "true") ? _ ("On") : _ ("Off");
  key = kb_form_path_get_last (self->path);
  label = kb_form_table_get_word (key, word);
  return label != NULL ? label : word;
}

/**
 * kb_field_describe_unit:
 * @self: a field
 *
 * Returns: (transfer full) (nullable): what its number counts, translated
 */
char *
kb_field_describe_unit (const KbField *self)
{
  g_autofree char *key = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  key = kb_form_path_get_last (self->path);
  return g_strdup (kb_form_table_get_unit (key));
}

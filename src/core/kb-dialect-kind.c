// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-dialect-kind.h"

static const struct
{
  const char *name;
  const char *api;
} kinds[KB_N_DIALECT_KINDS] = {
  [KB_DIALECT_KIND_CHAT] = { "chat", "openai-completions" },
  [KB_DIALECT_KIND_MESSAGES] = { "messages", "anthropic-messages" },
  [KB_DIALECT_KIND_RESPONSES] = { "responses", "openai-responses" },
};

/**
 * kb_dialect_kind_to_string:
 * @kind: a dialect
 *
 * Returns: (transfer none): its stable name, for status and logs
 */
const char *
kb_dialect_kind_to_string (KbDialectKind kind)
{
  g_return_val_if_fail ((guint) kind < KB_N_DIALECT_KINDS, "chat");
  return kinds[kind].name;
}

/**
 * kb_dialect_kind_parse_api:
 * @api: what a provider of the home says in `api` (section 3.2 of the host)
 * @kind: (out): the dialect, left alone if @api is none
 *
 * Returns: whether @api names a dialect the gateway speaks
 */
gboolean
kb_dialect_kind_parse_api (const char *api, KbDialectKind *kind)
{
  g_return_val_if_fail (api != NULL, FALSE);
  g_return_val_if_fail (kind != NULL, FALSE);

  for (guint i = 0; i < KB_N_DIALECT_KINDS; i++)
    {
      if (g_str_equal (kinds[i].api, api))
        {
          *kind = (KbDialectKind) i;
          return TRUE;
        }
    }
  return FALSE;
}

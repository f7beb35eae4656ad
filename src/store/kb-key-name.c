// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-key-name.h"

#include <string.h>

/* No name of a variable is as long as this and has letters of both cases and digits. */
#define SHORTEST_KEY 24

/**
 * kb_key_name_is_valid:
 * @text: a text
 *
 * Returns: whether the host takes it for a reference to a credential
 */
gboolean
kb_key_name_is_valid (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  if (!g_ascii_isalpha (*text) && *text != '_')
    return FALSE;
  for (const char *at = text; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && *at != '_')
      return FALSE;
  return TRUE;
}

static gboolean
has_known_beginning (const char *text)
{
  static const char *const beginnings[] = { "sk-",  "sk_live_", "sk_test_", "AIza",    "gsk_",
                                            "xai-", "hf_",      "ghp_",     "github_", "Bearer " };

  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_has_prefix (text, beginnings[i]) && strlen (text) > strlen (beginnings[i]) + 8)
      return TRUE;
  return FALSE;
}

/**
 * kb_key_name_looks_like_key:
 * @text: what stands where the name of a key belongs
 *
 * Guesses from the beginnings that providers use, and from length and mixture: names are
 * words in capitals.
 *
 * Returns: whether it looks like a key itself
 */
gboolean
kb_key_name_looks_like_key (const char *text)
{
  gboolean lower = FALSE;
  gboolean digit = FALSE;
  gsize length = 0;

  g_return_val_if_fail (text != NULL, FALSE);

  if (has_known_beginning (text))
    return TRUE;
  for (const char *at = text; *at != '\0'; at++, length++)
    {
      if (g_ascii_isspace (*at))
        return FALSE;
      lower = lower || g_ascii_islower (*at);
      digit = digit || g_ascii_isdigit (*at);
    }
  return length >= SHORTEST_KEY && lower && digit && strchr (text, '_') == NULL;
}

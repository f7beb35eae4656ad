// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-key-value.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_QUARK (kb - key - error - quark, kb_key_error)

static const char *
find_flaw (const char *text, gsize length)
{
  g_assert (text != NULL);

  if (length == 0)
    return _ ("The key is empty");
  if (length > KB_KEY_MAX_BYTES)
    return _ ("The key is longer than 16 KiB: this is no key");
  if (memchr (text, '\0', length) != NULL)
    return _ ("The key contains a NUL byte: this is no key");
  if (memchr (text, '\n', length) != NULL || memchr (text, '\r', length) != NULL)
    return _ ("The key has more than one line: give the key and nothing else");
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isgraph (text[i]))
      return _ ("The key contains a space or a character that is not printable ASCII: no "
                "provider takes it");
  return NULL;
}

/**
 * kb_key_value_read:
 * @bytes: what somebody gave as a key
 * @length: how many bytes
 * @error: return location for #KB_KEY_ERROR_INVALID; it never says what was read
 *
 * Takes white space off both ends, as the host does, and holds what is left against the
 * host's rule for keys: printable ASCII without spaces (DSH-HOST facts 3.4).
 *
 * Returns: (transfer full) (nullable): the key
 */
KbSecret *
kb_key_value_read (const char *bytes, gsize length, GError **error)
{
  const char *flaw;

  g_return_val_if_fail (bytes != NULL, NULL);

  while (length > 0 && g_ascii_isspace (bytes[length - 1]))
    length--;
  while (length > 0 && g_ascii_isspace (*bytes))
    {
      bytes++;
      length--;
    }
  flaw = find_flaw (bytes, length);
  if (flaw == NULL)
    return kb_secret_new (bytes, length);
  g_set_error_literal (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID, flaw);
  return NULL;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-redact.h"

#include <string.h>

#include "store/kb-json.h"

#define REPLACEMENT "***"

/* What is shorter is a word like "ollama" that some servers want, and tells nothing. */
#define SHORTEST_SECRET 8

static gboolean
has_secret_name (const char *name, gsize length)
{
  static const char *const parts[] = { "auth", "key", "token", "secret", "cookie", "password" };
  g_autofree char *lower = g_ascii_strdown (name, (gssize) length);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (lower, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
add_spelling (GPtrArray *spellings, char *spelling)
{
  if (g_ptr_array_find_with_equal_func (spellings, spelling, g_str_equal, NULL))
    g_free (spelling);
  else
    g_ptr_array_add (spellings, spelling);
}

/* As it was sent, as it stands in JSON with or without escaped slashes, and in an address. */
static void
add_secret (GPtrArray *spellings, const char *secret)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GString *slashes;

  if (secret == NULL || strlen (secret) < SHORTEST_SECRET)
    return;
  add_spelling (spellings, g_strdup (secret));
  kb_json_append_string (json, secret);
  g_string_erase (json, 0, 1);
  g_string_truncate (json, json->len - 1);
  add_spelling (spellings, g_strdup (json->str));
  slashes = g_string_new (json->str);
  g_string_replace (slashes, "/", "\\/", 0);
  add_spelling (spellings, g_string_free_and_steal (slashes));
  add_spelling (spellings, g_uri_escape_string (secret, NULL, TRUE));
}

/* "authorization: Bearer KEY": the whole value, and its last word. */
static void
add_header (GPtrArray *spellings, const char *line)
{
  const char *colon = strchr (line, ':');
  g_autofree char *value = NULL;
  const char *space;

  if (colon == NULL || !has_secret_name (line, (gsize) (colon - line)))
    return;
  value = g_strstrip (g_strdup (colon + 1));
  space = strrchr (value, ' ');
  add_secret (spellings, value);
  if (space != NULL)
    add_secret (spellings, space + 1);
}

static void
add_query (GPtrArray *spellings, const char *query)
{
  GUriParamsIter iter;
  char *name, *value;

  g_uri_params_iter_init (&iter, query, -1, "&", G_URI_PARAMS_NONE);
  while (g_uri_params_iter_next (&iter, &name, &value, NULL))
    {
      if (has_secret_name (name, strlen (name)))
        add_secret (spellings, value);
      g_free (name);
      g_free (value);
    }
}

static void
add_url (GPtrArray *spellings, const char *url)
{
  g_autoptr (GUri) uri
      = url != NULL ? g_uri_parse (url, G_URI_FLAGS_HAS_PASSWORD | G_URI_FLAGS_PARSE_RELAXED, NULL)
                    : NULL;

  if (uri == NULL)
    return;
  add_secret (spellings, g_uri_get_password (uri));
  if (g_uri_get_query (uri) != NULL)
    add_query (spellings, g_uri_get_query (uri));
}

static int
compare_longest_first (gconstpointer a, gconstpointer b)
{
  gsize first = strlen (*(const char *const *) a);
  gsize second = strlen (*(const char *const *) b);

  return first < second ? 1 : first > second ? -1 : 0;
}

static void
wipe (gpointer data)
{
  kb_secret_wipe (data, strlen (data));
  g_free (data);
}

static GPtrArray *
list_spellings (const KbTarget *target)
{
  GPtrArray *spellings = g_ptr_array_new_with_free_func (wipe);

  if (target->key != NULL)
    add_secret (spellings, kb_secret_get_text (target->key));
  for (char **line = target->headers; line != NULL && *line != NULL; line++)
    add_header (spellings, *line);
  add_url (spellings, target->url);
  add_url (spellings, target->proxy);
  g_ptr_array_sort (spellings, compare_longest_first);
  return spellings;
}

/* The length of the spelling that stands at @at, 0 for none. */
static gsize
match (const GPtrArray *spellings, const char *at, const char *end)
{
  for (guint i = 0; i < spellings->len; i++)
    {
      gsize length = strlen (spellings->pdata[i]);

      if ((gsize) (end - at) >= length && memcmp (at, spellings->pdata[i], length) == 0)
        return length;
    }
  return 0;
}

static gboolean
contains (const char *text, gsize length, const char *spelling)
{
  gsize wanted = strlen (spelling);
  const char *end = text + length;

  for (const char *at = text; (gsize) (end - at) >= wanted; at++)
    {
      at = memchr (at, *spelling, (gsize) (end - at) - wanted + 1);
      if (at == NULL)
        return FALSE;
      if (memcmp (at, spelling, wanted) == 0)
        return TRUE;
    }
  return FALSE;
}

/* (nullable): @text without the secrets; %NULL if there is none in it. */
static GString *
redact (const KbTarget *target, const char *text, gsize length)
{
  g_autoptr (GPtrArray) spellings = list_spellings (target);
  const char *end = text + length;
  gboolean found = FALSE;
  GString *clean;

  for (guint i = 0; i < spellings->len && !found; i++)
    found = contains (text, length, spellings->pdata[i]);
  if (!found)
    return NULL;
  clean = g_string_sized_new (length);
  for (const char *at = text; at < end;)
    {
      gsize matched = match (spellings, at, end);

      if (matched > 0)
        g_string_append (clean, REPLACEMENT);
      else
        g_string_append_c (clean, *at);
      at += MAX (matched, 1);
    }
  return clean;
}

/**
 * kb_redact_text:
 * @target: where the request went
 * @text: what was answered, or what the transport says
 *
 * Returns: (transfer full): @text without the secrets of @target
 */
char *
kb_redact_text (const KbTarget *target, const char *text)
{
  GString *clean;

  g_return_val_if_fail (target != NULL && text != NULL, NULL);

  clean = redact (target, text, strlen (text));
  return clean != NULL ? g_string_free_and_steal (clean) : g_strdup (text);
}

/**
 * kb_redact_bytes:
 * @target: where the request went
 * @bytes: what was answered
 *
 * Returns: (transfer full): @bytes without the secrets of @target; themselves, if there are
 *   none
 */
GBytes *
kb_redact_bytes (const KbTarget *target, GBytes *bytes)
{
  GString *clean;
  gsize length;
  const char *text;

  g_return_val_if_fail (target != NULL && bytes != NULL, NULL);

  text = g_bytes_get_data (bytes, &length);
  clean = length > 0 ? redact (target, text, length) : NULL;
  return clean != NULL ? g_string_free_to_bytes (clean) : g_bytes_ref (bytes);
}

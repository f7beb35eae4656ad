// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-text.h"

#include <string.h>

#define REDACTED "[redacted]"
#define ELLIPSIS "…"

/* Below these lengths a run of letters and digits is taken for an ordinary word or id. */
#define TOKEN_MIN 24         /* capitals, small letters and digits mixed */
#define PLAIN_TOKEN_MIN 32   /* hexadecimal, or letters and digits without a separator */
#define SLASHED_TOKEN_MIN 40 /* as the first, with slashes: shorter ones are paths */

typedef struct
{
  const char *pattern;
  const char *replacement;
  GRegex *regex; /* owned, made at first use */
} Rule;

/* User names and passwords, query strings, authorization headers, assignments to names that
 * hold secrets, and the prefixes well-known issuers give their keys. */
static Rule text_rules[] = {
  { "(?i)([a-z][a-z0-9+.-]*://)[^/\\s@\"']*@", "\\1" REDACTED "@" },
  { "(?i)([a-z][a-z0-9+.-]*://[^\\s?#\"'<>]*)[?#][^\\s\"'<>]+", "\\1?" REDACTED },
  { "\\?[A-Za-z0-9_.-]+=[^\\s\"'<>]+", "?" REDACTED },
  { "(?i)\\b(bearer)\\s+[a-z0-9._~+/=*-]{8,}", "\\1 " REDACTED },
  { "(?i)\\b(basic)\\s+(?=\\S*[0-9=])[a-z0-9._~+/=-]{8,}", "\\1 " REDACTED },
  { "(?i)\\b([a-z_-]*(?:api[-_ ]?key|authorization|token|secret|passw(?:or)?d|credential|cookie))"
    "([\"']?\\s*[:=]\\s*[\"']?)(?!bearer |basic |\\[redacted)[^\\s\"',;&]{6,}",
    "\\1\\2" REDACTED },
  { "\\b(?:(?:sk|rk|pk)[-_]|(?:gsk|hf|ghp|gho|ghu|ghs|github_pat|xox[abeprs])_|xox[abeprs]-|glpat-"
    "|AKIA|AIza|eyJ)[A-Za-z0-9_.*-]{8,}",
    REDACTED },
};

/* A name may be long and mixed, so only what cannot be mistaken for one is taken out. */
static Rule name_rules[] = {
  { "(?i)\\b(bearer)\\s+[a-z0-9._~+/=*-]{8,}", "\\1 " REDACTED },
  { "\\b(?:sk[-_]|gsk_|github_pat_|gh[pous]_|xox[abeprs]-|glpat-|AIza|eyJ)[A-Za-z0-9_.*-]{20,}",
    REDACTED },
  { "\\bAKIA[A-Z0-9]{16}", REDACTED },
  { "(?i)([a-z][a-z0-9+.-]*://)[^/\\s@\"']*@", "\\1" REDACTED "@" },
  { "(?i)([a-z][a-z0-9+.-]*://[^\\s?#\"'<>]*)[?#][^\\s\"'<>]+", "\\1?" REDACTED },
  { "(?i)\\b(api[-_ ]?key\\s*[:=]\\s*)(?!\\[redacted)\\S{6,}", "\\1" REDACTED },
};

static gboolean
is_deceptive (gunichar c)
{
  return (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

/**
 * kb_text_make_printable:
 * @text: any bytes
 *
 * Makes a text of a file safe for a terminal: one line, no escape sequences, no characters
 * that reverse the direction of what follows.
 *
 * Returns: (transfer full): valid UTF-8 without control characters
 */
char *
kb_text_make_printable (const char *text)
{
  g_autofree char *valid = NULL;
  g_autoptr (GString) result = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  valid = g_utf8_make_valid (text, -1);
  result = g_string_sized_new (strlen (valid));
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '\n' || c == '\r' || c == '\t')
        g_string_append_c (result, ' ');
      else if (g_unichar_iscntrl (c) || is_deceptive (c))
        g_string_append_unichar (result, 0xfffd);
      else
        g_string_append_unichar (result, c);
    }
  return g_string_free_and_steal (g_steal_pointer (&result));
}

/**
 * kb_text_get_width:
 * @text: printable UTF-8
 *
 * Returns: the columns it takes in a terminal: two for wide characters, none for combining
 *   ones
 */
guint
kb_text_get_width (const char *text)
{
  guint width = 0;

  g_return_val_if_fail (text != NULL, 0);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!g_unichar_iszerowidth (c))
        width += g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

/**
 * kb_text_pad:
 * @text: printable UTF-8
 * @width: columns
 *
 * Returns: (transfer full): @text with spaces up to @width; a longer one as it is
 */
char *
kb_text_pad (const char *text, guint width)
{
  guint own;

  g_return_val_if_fail (text != NULL, NULL);

  own = kb_text_get_width (text);
  return g_strdup_printf ("%s%*s", text, own < width ? (int) (width - own) : 0, "");
}

/**
 * kb_text_cut:
 * @text: valid UTF-8
 * @max_characters: the length to keep
 *
 * Returns: (transfer full): @text, or its beginning with an ellipsis where it is longer
 */
char *
kb_text_cut (const char *text, guint max_characters)
{
  g_autofree char *head = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  if (g_utf8_strlen (text, -1) <= (long) max_characters)
    return g_strdup (text);
  head = g_utf8_substring (text, 0, max_characters);
  return g_strconcat (head, ELLIPSIS, NULL);
}

typedef struct
{
  guint upper;
  guint lower;
  guint digits;
  guint separators;
  gboolean hex;
} Census;

static Census
count_kinds (const char *run)
{
  Census census = { .hex = TRUE };

  for (const char *p = run; *p != '\0'; p++)
    {
      census.upper += g_ascii_isupper (*p) ? 1 : 0;
      census.lower += g_ascii_islower (*p) ? 1 : 0;
      census.digits += g_ascii_isdigit (*p) ? 1 : 0;
      census.separators += g_ascii_isalnum (*p) ? 0 : 1;
      if (!g_ascii_isxdigit (*p))
        census.hex = FALSE;
    }
  return census;
}

/* Random text has capitals, small letters and digits; words joined by hyphens do not, and
 * neither has a UUID, which is an id here and not a secret. */
static gboolean
is_token (const char *run)
{
  gsize length = strlen (run);
  Census census = count_kinds (run);

  if (length < TOKEN_MIN)
    return FALSE;
  if (census.hex)
    return length >= PLAIN_TOKEN_MIN;
  if (census.separators == 0 && census.digits > 0 && length >= PLAIN_TOKEN_MIN)
    return TRUE;
  return census.upper > 1 && census.lower > 1 && census.digits > 1;
}

/* A slash may be a letter of a base64 token or the border of one in a path. */
static gboolean
redact_token (const GMatchInfo *match, GString *result, gpointer user_data)
{
  g_autofree char *run = g_match_info_fetch (match, 0);
  g_auto (GStrv) parts = g_strsplit (run, "/", -1);

  if (strlen (run) >= SLASHED_TOKEN_MIN && is_token (run))
    {
      g_string_append (result, REDACTED);
      return FALSE;
    }
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (result, '/');
      g_string_append (result, is_token (parts[i]) ? REDACTED : parts[i]);
    }
  return FALSE;
}

/* Compiled once for the life of the process: a log has many lines. */
static GRegex *
get_regex (const char *pattern, GRegex **slot)
{
  g_assert (pattern != NULL && slot != NULL);

  if (g_once_init_enter_pointer (slot))
    g_once_init_leave_pointer (
        slot, g_regex_new (pattern, G_REGEX_OPTIMIZE, G_REGEX_MATCH_DEFAULT, NULL));
  return *slot;
}

static char *
apply_rules (const char *text, Rule *rules, gsize n_rules)
{
  g_autofree char *result = g_utf8_make_valid (text, -1);

  g_assert (rules != NULL);

  for (gsize i = 0; i < n_rules; i++)
    {
      GRegex *regex = get_regex (rules[i].pattern, &rules[i].regex);
      char *next = g_regex_replace (regex, result, -1, 0, rules[i].replacement,
                                    G_REGEX_MATCH_DEFAULT, NULL);

      if (next == NULL)
        next = g_strdup (REDACTED);
      g_free (result);
      result = next;
    }
  return g_steal_pointer (&result);
}

/**
 * kb_text_redact:
 * @text: a text for people, of a file or a provider
 *
 * Takes out what looks like a key: keys of well-known forms, authorization headers, query
 * strings and passwords of addresses, and long random runs. What cannot be searched is
 * taken out as a whole.
 *
 * Returns: (transfer full): valid UTF-8 without them
 */
char *
kb_text_redact (const char *text)
{
  static GRegex *runs = NULL;
  g_autofree char *known = NULL;
  char *result;

  g_return_val_if_fail (text != NULL, NULL);

  known = apply_rules (text, text_rules, G_N_ELEMENTS (text_rules));
  result = g_regex_replace_eval (get_regex ("[A-Za-z0-9+/_=-]{24,}", &runs), known, -1, 0,
                                 G_REGEX_MATCH_DEFAULT, redact_token, NULL, NULL);
  return result != NULL ? result : g_strdup (REDACTED);
}

/**
 * kb_text_redact_name:
 * @name: a channel id, an agent id or a code
 *
 * Like kb_text_redact(), but a long or mixed name stays: "accounts/x/models/Llama-3.1-405B"
 * is no key.
 *
 * Returns: (transfer full): valid UTF-8
 */
char *
kb_text_redact_name (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);
  return apply_rules (name, name_rules, G_N_ELEMENTS (name_rules));
}

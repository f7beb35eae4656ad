// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The parser's words are for those who know the grammar; these are for people with a file. */
static const struct
{
  const char *parser; /* how its message begins */
  const char *people;
} sentences[] = {
  { "missing document start",
    N_ ("there is text behind the end of the value above; a “[]” before it must go") },
  { "tab character may not be used as indentation",
    N_ ("this line is indented with a tab; use spaces") },
  { "did not find expected key", N_ ("this line is indented differently from the keys above it") },
  { "did not find expected '-' indicator",
    N_ ("this line belongs to a list but does not start with “-”, or is indented wrongly") },
  { "invalid nested block mapping on the same line",
    N_ ("there is a second “:” on this line; put the value in quotes") },
  { "flow sequence without a closing bracket", N_ ("a “[” is not closed by “]”") },
  { "flow mapping without a closing brace", N_ ("a “{” is not closed by “}”") },
  { "double-quoted scalar without closing quote", N_ ("a double quote is not closed") },
  { "single-quoted scalar without closing quote", N_ ("a single quote is not closed") },
  { "plain scalar cannot start with", N_ ("a value cannot start with this character; quote it") },
  { "did not find expected node content", N_ ("an entry of the list above is empty") },
  { "invalid tab", N_ ("there is a tab here that counts as indentation; use spaces") },
  { "undefined tag prefix", N_ ("this tag is not known to the host") },
  { "invalid escape",
    N_ ("there is a “\\” in double quotes that begins no known escape; double it") },
  { "flow sequence with invalid", N_ ("there is a “,” too many here") },
  { "missing comma", N_ ("a “,” is missing before this") },
  { "comma in the beginning", N_ ("there is a “,” too many here") },
  { "extra comma", N_ ("there is a “,” too many here") },
  { "could not find expected ':'", N_ ("there is a key without a “:” behind it") },
  { "missing ':'", N_ ("there is a key without a “:” behind it") },
  { "invalid multiline plain key", N_ ("there is a key without a “:” behind it") },
  { "wrongly indented", N_ ("this line is indented wrongly") },
  { "wrong indendation", N_ ("this line is indented wrongly") },
  { "invalid indentation", N_ ("this line is indented wrongly") },
  { "invalid scalar at the end of block sequence", N_ ("this line is indented wrongly") },
  { "block sequence", N_ ("a “-” cannot stand here; begin a new line with it") },
  { "illegal block", N_ ("a “-” cannot stand here; begin a new line with it") },
  { "invalid mapping", N_ ("a key cannot stand here; begin a new line with it") },
  { "invalid block mapping key", N_ ("a key cannot stand here; begin a new line with it") },
  { "double-quoted scalar has invalid",
    N_ ("there is a “\\” in double quotes that begins no known escape; double it") },
};

/**
 * kb_yaml_error_explain:
 * @message: (nullable): what libfyaml says
 *
 * Returns: (transfer none): what is wrong, translated; where we know no sentence for it, only
 *   that something is, for the parser speaks English
 */
const char *
kb_yaml_error_explain (const char *message)
{
  for (gsize i = 0; message != NULL && i < G_N_ELEMENTS (sentences); i++)
    if (g_str_has_prefix (message, sentences[i].parser))
      return _ (sentences[i].people);
  return _ ("this is not valid YAML");
}

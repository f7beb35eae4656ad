// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-credentials.h"

#include <glib/gstdio.h>
#include <string.h>

/* A file of lines NAME=value, in the dialect that Node programs read. */

typedef struct
{
  const char *at;
  const char *end;
} Scanner;

/* Bytes of the file: nothing is copied but the one value that is asked for. */
typedef struct
{
  const char *text;
  gsize length;
  char quote; /* NUL for none */
} Piece;

static void
skip_blanks (Scanner *scanner)
{
  while (scanner->at < scanner->end && (*scanner->at == ' ' || *scanner->at == '\t'))
    scanner->at++;
}

static void
skip_line (Scanner *scanner)
{
  const char *end = memchr (scanner->at, '\n', (gsize) (scanner->end - scanner->at));

  scanner->at = end != NULL ? end + 1 : scanner->end;
}

static gboolean
is_at_blank (const Scanner *scanner)
{
  return scanner->at < scanner->end && (*scanner->at == ' ' || *scanner->at == '\t');
}

static Piece
take_word (Scanner *scanner)
{
  Piece word = { .text = scanner->at };

  while (scanner->at < scanner->end
         && (g_ascii_isalnum (*scanner->at) || strchr ("_.-", *scanner->at) != NULL)
         && *scanner->at != '\0')
    scanner->at++;
  word.length = (gsize) (scanner->at - word.text);
  return word;
}

static gboolean
piece_is (const Piece *piece, const char *word)
{
  return piece->length == strlen (word) && strncmp (piece->text, word, piece->length) == 0;
}

/* Stands behind "NAME =" afterwards, or somewhere in a line that is no assignment. */
static gboolean
take_name (Scanner *scanner, Piece *name)
{
  skip_blanks (scanner);
  *name = take_word (scanner);
  if (piece_is (name, "export") && is_at_blank (scanner))
    {
      skip_blanks (scanner);
      *name = take_word (scanner);
    }
  skip_blanks (scanner);
  if (name->length == 0 || scanner->at == scanner->end || *scanner->at != '=')
    return FALSE;
  scanner->at++;
  skip_blanks (scanner);
  return TRUE;
}

static Piece
take_value (Scanner *scanner)
{
  const char *start = scanner->at;
  char quote = start < scanner->end ? *start : '\0';
  const char *end = NULL;

  if (quote == '"' || quote == '\'' || quote == '`')
    end = memchr (start + 1, quote, (gsize) (scanner->end - start - 1));
  if (end != NULL)
    {
      scanner->at = end + 1;
      return (Piece) { start + 1, (gsize) (end - start - 1), quote };
    }
  for (end = start; end < scanner->end && *end != '\n' && *end != '#'; end++)
    ;
  scanner->at = end;
  while (end > start && g_ascii_isspace (end[-1]))
    end--;
  return (Piece) { start, (gsize) (end - start), '\0' };
}

/* Only double quotes know escapes, and only these; a key with a line end in it is refused. */
static KbSecret *
read_value (const Piece *value, GError **error)
{
  g_autofree char *copy = g_malloc (value->length + 1);
  gsize n = 0;
  KbSecret *secret;

  for (gsize i = 0; i < value->length; i++)
    {
      const char *at = value->text + i;
      gboolean escape = value->quote == '"' && *at == '\\' && i + 1 < value->length;

      if (escape && (at[1] == 'n' || at[1] == 'r'))
        {
          copy[n++] = at[1] == 'n' ? '\n' : '\r';
          i++;
        }
      else
        copy[n++] = *at;
    }
  secret = kb_key_value_read (copy, n, error);
  kb_secret_wipe (copy, value->length);
  return secret;
}

/* Of two lines with one name the later counts, as for Node; an empty one takes it away. */
static KbSecret *
find_in_bytes (GBytes *bytes, const char *name, GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  Scanner scanner = { .at = text, .end = text + length };
  Piece found = { 0 };

  if (length >= 3 && memcmp (text, "\357\273\277", 3) == 0)
    scanner.at += 3;
  while (scanner.at < scanner.end)
    {
      Piece word;

      if (take_name (&scanner, &word))
        {
          Piece value = take_value (&scanner);

          if (piece_is (&word, name))
            found = value;
        }
      skip_line (&scanner);
    }
  return found.length > 0 ? read_value (&found, error) : NULL;
}

/**
 * kb_dotenv_get_path:
 * @home: a home
 *
 * Returns: (transfer full): its file of environment variables
 */
char *
kb_dotenv_get_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);
  return g_build_filename (home, ".env", NULL);
}

/**
 * kb_dotenv_is_open_to_others:
 * @home: a home
 *
 * Returns: whether other users can read its `.env`, which the host does not mind
 */
gboolean
kb_dotenv_is_open_to_others (const char *home)
{
  g_autofree char *path = kb_dotenv_get_path (home);
  GStatBuf info;

  return g_stat (path, &info) == 0 && (info.st_mode & 077) != 0;
}

/**
 * kb_dotenv_find:
 * @home: a home
 * @name: the name of a key
 * @error: return location for a #KbKeyError or #GIOErrorEnum
 *
 * Looks into `.env`.
 *
 * Returns: (transfer full) (nullable): the key; %NULL without an error if it is not there
 */
KbSecret *
kb_dotenv_find (const char *home, const char *name, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) local_error = NULL;
  KbSecret *found;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  path = kb_dotenv_get_path (home);
  bytes = kb_credentials_read_file (path, FALSE, error);
  if (bytes == NULL)
    return NULL;
  found = find_in_bytes (bytes, name, &local_error);
  if (local_error != NULL)
    g_set_error (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID, "%s: %s", path, local_error->message);
  return found;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-index.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/kb-secret.h"
#include "store/kb-yaml-private.h"

/* libfyaml needs time that grows with the square of an unknown directive's length. */
#define MAX_DIRECTIVE_BYTES 1024

/* No line that a person writes is as long. */
#define MAX_LINE_BYTES 16384

G_DEFINE_QUARK (kb - yaml - error - quark, kb_yaml_error)

static gboolean
fail_at (GBytes *bytes,
         gsize offset,
         KbYamlError code,
         const char *message,
         KbYamlSpan *where,
         GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  KbYamlPlace place;

  kb_yaml_place_init (&place, data, length);
  kb_yaml_place_move (&place, offset);
  *where = (KbYamlSpan) { offset, offset, place.line, place.column };
  g_set_error_literal (error, KB_YAML_ERROR, code, message);
  return FALSE;
}

static gsize
find_long_directive (const char *data, gsize length)
{
  const char *line = data;
  const char *end = data + length;

  while (line != NULL && line < end)
    {
      const char *next = memchr (line, '\n', (gsize) (end - line));
      gsize size = (gsize) ((next != NULL ? next : end) - line);

      if (*line == '%' && size > MAX_DIRECTIVE_BYTES)
        return (gsize) (line - data);
      line = next != NULL ? next + 1 : NULL;
    }
  return length;
}

/* What libfyaml would misread without a word, or choke on. */
static gboolean
check_text (GBytes *bytes, KbYamlSpan *where, GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  const char *bad;
  gsize directive;

  if (length > KB_YAML_MAX_BYTES)
    {
      g_set_error (error, KB_YAML_ERROR, KB_YAML_ERROR_TOO_LARGE,
                   _ ("the file is larger than %d bytes; a configuration has some thousands"),
                   KB_YAML_MAX_BYTES);
      return FALSE;
    }
  if (length > 0 && !g_utf8_validate (data, (gssize) length, &bad))
    return fail_at (bytes, (gsize) (bad - data), KB_YAML_ERROR_ENCODING,
                    *bad == '\0' ? _ ("there is a NUL byte here; this is not a text file")
                                 : _ ("this is not UTF-8 text"),
                    where, error);
  directive = length == 0 ? 0 : find_long_directive (data, length);
  if (directive < length)
    return fail_at (bytes, directive, KB_YAML_ERROR_SYNTAX,
                    _ ("this line starts with “%” and is too long for a directive"), where, error);
  return TRUE;
}

/*
 * libfyaml refuses a tab on an otherwise empty line, or before a comment, where both parsers
 * of the host do not care. Spaces in its place keep every position.
 */
static gboolean
blank_out_tabs (char *data, gsize length)
{
  gboolean changed = FALSE;

  for (gsize line = 0; line < length;)
    {
      gsize at = line + strspn (data + line, " \t");
      gboolean idle = at == length || strchr ("\r\n#", data[at]) != NULL;

      for (gsize i = line; idle && i < at; i++)
        {
          changed |= data[i] == '\t';
          data[i] = ' ';
        }
      line = at + strcspn (data + at, "\n") + 1;
    }
  return changed;
}

static void
reset (KbYamlDocument *self)
{
  gboolean secret = kb_arena_is_secret (self->arena);

  g_clear_pointer (&self->arena, kb_arena_free);
  self->arena = kb_arena_new ();
  if (secret)
    kb_arena_set_secret (self->arena);
  self->n_nodes = 0;
  self->root = NULL;
}

/* Once more without the tabs that libfyaml minds, if there are any. */
static gboolean
build_without_tabs (KbYamlDocument *self, const char *data, gsize length)
{
  char *copy = g_strndup (data, length);
  KbYamlSpan ignored;
  gboolean good = FALSE;

  if (blank_out_tabs (copy, length))
    {
      reset (self);
      self->mended = TRUE;
      good = kb_yaml_builder_run (self, copy, G_MAXSIZE, &ignored, NULL);
    }
  if (kb_arena_is_secret (self->arena))
    kb_secret_wipe (copy, length);
  g_free (copy);
  return good;
}

/* The "[" or "{" that holds all of a text whose first line is long; `length` without one. */
static gsize
find_long_root (const char *data, gsize length)
{
  gsize at = length >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  const char *end;

  while (at < length && g_ascii_isspace (data[at]))
    at++;
  if (at == length || (data[at] != '[' && data[at] != '{'))
    return length;
  end = memchr (data + at, '\n', length - at);
  return (end != NULL ? (gsize) (end - data) : length) - at > MAX_LINE_BYTES ? at : length;
}

/*
 * While the line goes on, "[a, b]" may turn out to be a key, so libfyaml keeps all of its
 * tokens: sixty times the text. A line break behind the bracket rules the key out. Should it
 * be one nevertheless, this fails and the text is read as it is.
 */
static gboolean
build_from_long_line (KbYamlDocument *self, const char *data, gsize length)
{
  gsize root = find_long_root (data, length);
  char *copy;
  KbYamlSpan ignored;
  gboolean good;

  if (root == length)
    return FALSE;
  copy = g_malloc (length + 1);
  memcpy (copy, data, root + 1);
  copy[root + 1] = '\n';
  memcpy (copy + root + 2, data + root + 1, length - root - 1);
  good = kb_yaml_builder_run (self, copy, root + 1, &ignored, NULL);
  if (kb_arena_is_secret (self->arena))
    kb_secret_wipe (copy, length + 1);
  g_free (copy);
  if (!good)
    reset (self);
  return good;
}

static gboolean
build (KbYamlDocument *self, KbYamlSpan *where, GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (self->bytes, &length);
  g_autoptr (GError) first = NULL;

  if (length == 0 || build_from_long_line (self, data, length)
      || kb_yaml_builder_run (self, data, G_MAXSIZE, where, &first))
    return TRUE;
  if (g_error_matches (first, KB_YAML_ERROR, KB_YAML_ERROR_SYNTAX)
      && build_without_tabs (self, data, length))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&first));
  return FALSE;
}

static KbYamlDocument *
parse (GBytes *bytes, gboolean secret, KbYamlSpan *where, GError **error)
{
  g_autoptr (KbYamlDocument) self = NULL;

  if (!check_text (bytes, where, error))
    return NULL;
  self = kb_yaml_document_new (bytes);
  if (secret)
    kb_arena_set_secret (self->arena);
  if (!build (self, where, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * kb_yaml_document_new:
 * @bytes: the text
 *
 * Returns: (transfer full): a document without nodes
 */
KbYamlDocument *
kb_yaml_document_new (GBytes *bytes)
{
  KbYamlDocument *self = g_new0 (KbYamlDocument, 1);

  self->references = 1;
  self->bytes = g_bytes_ref (bytes);
  self->arena = kb_arena_new ();
  return self;
}

/**
 * kb_yaml_document_parse_alone:
 * @bytes: a part of a text
 *
 * Returns: (transfer full) (nullable): it as a document that is not shared with anybody
 */
KbYamlDocument *
kb_yaml_document_parse_alone (GBytes *bytes)
{
  KbYamlSpan where;

  return parse (bytes, FALSE, &where, NULL);
}

/**
 * kb_yaml_document_parse_secret:
 * @bytes: a text that holds secrets
 * @where: (out): the place of an error; its message could quote the text, so there is none
 *
 * Returns: (transfer full) (nullable): a document that is shared with nobody and whose memory
 *   is wiped when it goes
 */
KbYamlDocument *
kb_yaml_document_parse_secret (GBytes *bytes, KbYamlSpan *where)
{
  return parse (bytes, TRUE, where, NULL);
}

/**
 * kb_yaml_document_parse:
 * @bytes: the text, kept by the document
 * @where: (out) (optional): the place of an error; line 0 if it has none
 * @error: a #KbYamlError; for a caller that does not ask for @where, the message begins with
 *   line and column
 *
 * Reads what the host reads: one document of UTF-8 text, a byte order mark or none, any
 * line ends. Duplicate keys and unknown tags are no error here, kb-lint reports them. A
 * document of the same bytes that somebody holds is shared: documents never change.
 *
 * Returns: (transfer full) (nullable): the document
 */
KbYamlDocument *
kb_yaml_document_parse (GBytes *bytes, KbYamlSpan *where, GError **error)
{
  KbYamlDocument *self;
  KbYamlSpan place = { 0 };

  g_return_val_if_fail (bytes != NULL, NULL);

  self = kb_yaml_living_find (bytes);
  if (self == NULL && (self = parse (bytes, FALSE, &place, error)) != NULL)
    kb_yaml_living_add (self);
  if (where != NULL)
    *where = place;
  else if (self == NULL && place.line > 0)
    g_prefix_error (error, _ ("line %u, column %u: "), place.line, place.column);
  return self;
}

/**
 * kb_yaml_document_free:
 * @self: (transfer full) (nullable): a document
 *
 * Gives it back. It goes with its nodes when nobody else holds it.
 */
void
kb_yaml_document_free (KbYamlDocument *self)
{
  if (self == NULL || !kb_yaml_living_unref (self))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (self->ancestors); i++)
    kb_yaml_document_free (self->ancestors[i]);
  g_bytes_unref (self->bytes);
  kb_arena_free (self->arena);
  g_free (self);
}

/**
 * kb_yaml_document_get_bytes:
 * @self: a document
 *
 * Returns: (transfer none): the text it was read from
 */
GBytes *
kb_yaml_document_get_bytes (KbYamlDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->bytes;
}

/**
 * kb_yaml_document_get_root:
 * @self: a document
 *
 * Returns: (transfer none) (nullable): the outermost node; %NULL if there is nothing but
 *   comments
 */
const KbYamlNode *
kb_yaml_document_get_root (KbYamlDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->root;
}

/**
 * kb_yaml_node_get_kind:
 * @self: a node
 *
 * Returns: scalar, sequence, mapping or alias
 */
KbYamlKind
kb_yaml_node_get_kind (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, KB_YAML_SCALAR);
  return self->kind;
}

/**
 * kb_yaml_node_get_style:
 * @self: a node
 *
 * A pair inside a flow sequence ("[a: b]") is a mapping in flow style without brackets.
 *
 * Returns: how it is written
 */
KbYamlStyle
kb_yaml_node_get_style (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, KB_YAML_STYLE_PLAIN);
  return self->style;
}

/**
 * kb_yaml_node_get_type:
 * @self: a node
 *
 * Returns: what a scalar means to the host; %KB_YAML_TYPE_STRING for anything else
 */
KbYamlType
kb_yaml_node_get_type (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, KB_YAML_TYPE_STRING);
  return self->type;
}

/**
 * kb_yaml_node_get_span:
 * @self: a node
 *
 * The bytes of its value, quotes, brackets or block header included, anchor and tag not. A
 * block collection goes from its first "-", "?" or key to the end of its last value; a block
 * scalar to the end of its last line without the line's end. An absent value is empty and
 * stands behind the ":" or "-" (or behind its tag), where one would be put.
 *
 * Returns: (transfer none): the place
 */
const KbYamlSpan *
kb_yaml_node_get_span (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->span;
}

/**
 * kb_yaml_node_get_outer_start:
 * @self: a node
 *
 * Returns: the byte offset where its anchor or tag starts, or its span without those
 */
gsize
kb_yaml_node_get_outer_start (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->outer_start;
}

/**
 * kb_yaml_node_get_lead:
 * @self: a node
 *
 * Returns: the byte offset of the "-", "?" or ":" that introduces it; the outer start where
 *   none does
 */
gsize
kb_yaml_node_get_lead (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->lead;
}

/**
 * kb_yaml_node_get_text:
 * @self: a node
 *
 * Returns: (transfer none) (nullable): the value of a scalar, or the name an alias refers
 *   to. Valid UTF-8; a NUL (possible in double quotes) is replaced by U+FFFD
 */
const char *
kb_yaml_node_get_text (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->text;
}

/**
 * kb_yaml_node_get_tag:
 * @self: a node
 *
 * Returns: (transfer none) (nullable): its tag as it is written, "!!js" for example
 */
const char *
kb_yaml_node_get_tag (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->properties != NULL ? self->properties->tag : NULL;
}

/**
 * kb_yaml_node_get_anchor:
 * @self: a node
 *
 * Returns: (transfer none) (nullable): the name other nodes may refer to it by
 */
const char *
kb_yaml_node_get_anchor (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->properties != NULL ? self->properties->anchor : NULL;
}

/**
 * kb_yaml_node_get_number:
 * @self: a node
 * @value: (out) (optional): its value, a double as in the host
 *
 * Returns: whether it is a number
 */
gboolean
kb_yaml_node_get_number (const KbYamlNode *self, double *value)
{
  double ignored;

  g_return_val_if_fail (self != NULL, FALSE);

  if (self->kind != KB_YAML_SCALAR
      || (self->type != KB_YAML_TYPE_INTEGER && self->type != KB_YAML_TYPE_FLOAT))
    return FALSE;
  return kb_yaml_scalar_get_number (self->text, value != NULL ? value : &ignored);
}

/**
 * kb_yaml_node_get_boolean:
 * @self: a node
 * @value: (out) (optional): its value
 *
 * Returns: whether it is true or false (which yes and no are not)
 */
gboolean
kb_yaml_node_get_boolean (const KbYamlNode *self, gboolean *value)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->kind != KB_YAML_SCALAR || self->type != KB_YAML_TYPE_BOOLEAN)
    return FALSE;
  if (value != NULL)
    *value = *self->text == 't' || *self->text == 'T';
  return TRUE;
}

/**
 * kb_yaml_node_get_length:
 * @self: a node
 *
 * Returns: the items of a sequence or the pairs of a mapping; 0 for anything else
 */
guint
kb_yaml_node_get_length (const KbYamlNode *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->kind == KB_YAML_MAPPING ? self->n_children / 2 : self->n_children;
}

/**
 * kb_yaml_node_get_item:
 * @self: a sequence
 * @index: less than its length
 *
 * Returns: (transfer none): an item
 */
const KbYamlNode *
kb_yaml_node_get_item (const KbYamlNode *self, guint index)
{
  g_return_val_if_fail (self != NULL && self->kind == KB_YAML_SEQUENCE, NULL);
  g_return_val_if_fail (index < self->n_children, NULL);
  return self->children[index];
}

/**
 * kb_yaml_node_get_key:
 * @self: a mapping
 * @index: less than its length
 *
 * Returns: (transfer none): a key, which may be any kind of node
 */
const KbYamlNode *
kb_yaml_node_get_key (const KbYamlNode *self, guint index)
{
  g_return_val_if_fail (self != NULL && self->kind == KB_YAML_MAPPING, NULL);
  g_return_val_if_fail (index < self->n_children / 2, NULL);
  return self->children[2 * index];
}

/**
 * kb_yaml_node_get_value:
 * @self: a mapping
 * @index: less than its length
 *
 * Returns: (transfer none): a value
 */
const KbYamlNode *
kb_yaml_node_get_value (const KbYamlNode *self, guint index)
{
  g_return_val_if_fail (self != NULL && self->kind == KB_YAML_MAPPING, NULL);
  g_return_val_if_fail (index < self->n_children / 2, NULL);
  return self->children[2 * index + 1];
}

/**
 * kb_yaml_node_lookup:
 * @self: a node
 * @key: a key
 *
 * The first of equal keys; a host refuses a file that has such. No alias is followed and
 * "<<" is a key like any other.
 *
 * Returns: (transfer none) (nullable): the value; %NULL without one or if @self is not a
 *   mapping
 */
const KbYamlNode *
kb_yaml_node_lookup (const KbYamlNode *self, const char *key)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (key != NULL, NULL);

  if (self->kind != KB_YAML_MAPPING)
    return NULL;
  for (guint i = 0; i + 1 < self->n_children; i += 2)
    {
      const KbYamlNode *node = self->children[i];

      if (node->kind == KB_YAML_SCALAR && g_str_equal (node->text, key))
        return self->children[i + 1];
    }
  return NULL;
}

/**
 * kb_yaml_document_resolve:
 * @self: a document
 * @node: (nullable): a node of it
 *
 * Follows an alias. What it leads to may contain the alias itself.
 *
 * Returns: (transfer none) (nullable): the node an alias stands for, %NULL if its name was
 *   not given before; anything else as it is
 */
const KbYamlNode *
kb_yaml_document_resolve (KbYamlDocument *self, const KbYamlNode *node)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (node == NULL || node->kind != KB_YAML_ALIAS)
    return node;
  return node->properties != NULL ? node->properties->target : NULL;
}

/**
 * kb_yaml_tag_is:
 * @tag: a tag as it is written
 * @name: a name of the standard tag space
 *
 * Returns: whether the tag is `!!name`, in whichever form
 */
gboolean
kb_yaml_tag_is (const char *tag, const char *name)
{
  static const char *const prefixes[] = { "!!", "!<tag:yaml.org,2002:" };
  gsize length = strlen (name);

  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (tag, prefixes[i]))
      {
        const char *rest = tag + strlen (prefixes[i]);

        return strncmp (rest, name, length) == 0 && g_str_equal (rest + length, i == 0 ? "" : ">");
      }
  return FALSE;
}

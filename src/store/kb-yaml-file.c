// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-file.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "store/kb-regular-file.h"
#include "store/kb-yaml-private.h"

/* Nobody reads more, and a hostile file can have hundreds of thousands. */
#define MAX_PROBLEMS 1000

static GBytes *
read_file (const char *path, GError **error)
{
  g_autofd int fd = -1;
  struct stat info;

  fd = kb_regular_file_open (path, &info, error);
  if (fd < 0)
    return NULL;
  return kb_regular_file_read (fd, path, KB_YAML_MAX_BYTES, error);
}

static void
report_at (KbYamlFile *self,
           KbSeverity severity,
           const char *code,
           const KbYamlSpan *span,
           const char *message,
           const char *hint)
{
  kb_yaml_file_add_problem (self->problems, kb_problem_new (severity, code, self->path, span->line,
                                                            span->column, message, hint));
}

static void
report_unreadable (KbYamlFile *self, const GError *error)
{
  const KbYamlSpan whole = { 0 };

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    report_at (self, KB_SEVERITY_ERROR, "unreadable", &whole, error->message,
               _ ("Give yourself the permission to read the file."));
  else
    report_at (self, KB_SEVERITY_ERROR, "unreadable", &whole, error->message,
               _ ("Put a regular file there, or nothing."));
}

static const char *
get_parse_code (const GError *error)
{
  switch ((KbYamlError) error->code)
    {
    case KB_YAML_ERROR_MULTIPLE_DOCUMENTS:
      return "multiple-documents";
    case KB_YAML_ERROR_TOO_LARGE:
      return "too-large";
    case KB_YAML_ERROR_TOO_DEEP:
      return "too-deep";
    case KB_YAML_ERROR_ENCODING:
      return "encoding";
    case KB_YAML_ERROR_SYNTAX:
    default:
      return "yaml-syntax";
    }
}

static const char *
get_parse_hint (KbYamlFile *self, const GError *error)
{
  if (error->code == KB_YAML_ERROR_ENCODING)
    return _ ("Save the file as UTF-8 text.");
  if (error->code == KB_YAML_ERROR_TOO_LARGE)
    return _ ("Koboshi does not read it. Move what is not configuration out of the file, or see "
              "whether something else was written over it.");
  if (self->kind == KB_YAML_FILE_KOBOSHI)
    return _ ("Correct this line. The gateway does not start until then.");
  if (self->kind == KB_YAML_FILE_PATCH)
    return _ ("Correct this line. A running host keeps the last version it could read; one that "
              "starts now stops with an error.");
  return _ ("Correct this line. A running host keeps the last version it could read and saves "
            "nothing; one that starts now stops with an error.");
}

static void
report_broken (KbYamlFile *self, const KbYamlSpan *where, const GError *error)
{
  report_at (self, KB_SEVERITY_ERROR, get_parse_code (error), where, error->message,
             get_parse_hint (self, error));
}

static KbYamlFile *
new_file (const char *path, KbYamlFileKind kind, KbOrigin origin, GPtrArray *problems)
{
  KbYamlFile *self = g_new0 (KbYamlFile, 1);

  self->path = g_strdup (path);
  self->kind = kind;
  self->origin = origin;
  self->problems = g_ptr_array_ref (problems);
  return self;
}

static void
parse (KbYamlFile *self, GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  KbYamlSpan where;

  self->exists = TRUE;
  self->document = kb_yaml_document_parse (bytes, &where, &error);
  if (self->document == NULL)
    report_broken (self, &where, error);
}

/*
 * Node decodes what is not UTF-8 to U+FFFD and goes on, so a comment in another encoding stops
 * no host and must not hide the profile. NUL it keeps, and both of its parsers refuse that or
 * what UTF-16 looks like then.
 */
static gboolean
parse_as_node_does (KbYamlFile *self, GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  g_autofree char *text = NULL;
  g_autoptr (GBytes) decoded = NULL;
  KbYamlSpan where;
  KbYamlPlace place;
  const char *bad = data;

  if (self->kind == KB_YAML_FILE_KOBOSHI || length == 0 || memchr (data, '\0', length) != NULL
      || g_utf8_validate (data, (gssize) length, &bad))
    return FALSE;
  text = g_utf8_make_valid (data, (gssize) length);
  decoded = g_bytes_new (text, strlen (text));
  self->document = kb_yaml_document_parse (decoded, &where, NULL);
  if (self->document == NULL)
    return FALSE;
  self->exists = TRUE;
  kb_yaml_place_init (&place, data, length);
  kb_yaml_place_move (&place, (gsize) (bad - data));
  where = (KbYamlSpan) { 0, 0, place.line, place.column };
  report_at (self, KB_SEVERITY_WARNING, "encoding", &where,
             _ ("this is not UTF-8 text; the host reads “�” here"),
             _ ("Save the file as UTF-8 text. It is not edited until then."));
  return TRUE;
}

/**
 * kb_yaml_file_load:
 * @path: an absolute path
 * @kind: what the host reads it as
 * @origin: which layer it is
 * @problems: (element-type KbProblem): where its problems go
 *
 * An absent file is no problem; one that cannot be read or is not YAML is. Bytes that are not
 * UTF-8 are read as the host reads them, so this is for a look, not for edits by position.
 *
 * Returns: (transfer full): the file
 */
KbYamlFile *
kb_yaml_file_load (const char *path, KbYamlFileKind kind, KbOrigin origin, GPtrArray *problems)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  KbYamlFile *self;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (problems != NULL, NULL);

  self = new_file (path, kind, origin, problems);
  bytes = read_file (path, &error);
  self->exists = bytes != NULL || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  if (bytes != NULL && !parse_as_node_does (self, bytes))
    parse (self, bytes);
  else if (bytes == NULL && self->exists)
    report_unreadable (self, error);
  return self;
}

/**
 * kb_yaml_file_new:
 * @path: an absolute path, where problems are told to be
 * @kind: what the host reads it as
 * @origin: which layer it is
 * @bytes: (nullable): what the file would hold; %NULL for a file that would not be there
 * @problems: (element-type KbProblem): where its problems go
 *
 * Takes a file as it may become. Nothing is read.
 *
 * Returns: (transfer full): the file
 */
KbYamlFile *
kb_yaml_file_new (
    const char *path, KbYamlFileKind kind, KbOrigin origin, GBytes *bytes, GPtrArray *problems)
{
  KbYamlFile *self;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (problems != NULL, NULL);

  self = new_file (path, kind, origin, problems);
  if (bytes != NULL)
    parse (self, bytes);
  return self;
}

/**
 * kb_yaml_file_free:
 * @self: (transfer full) (nullable): a file
 *
 * Frees it; its problems live on.
 */
void
kb_yaml_file_free (KbYamlFile *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_clear_pointer (&self->document, kb_yaml_document_free);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

/**
 * kb_yaml_file_get_root:
 * @self: a file
 *
 * Returns: (transfer none) (nullable): its outermost node, if it has any
 */
const KbYamlNode *
kb_yaml_file_get_root (KbYamlFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->document != NULL ? kb_yaml_document_get_root (self->document) : NULL;
}

/**
 * kb_yaml_file_lookup:
 * @self: a file
 * @map: (nullable): a node of it
 * @key: a key
 *
 * Looks up as the host sees it: through aliases.
 *
 * Returns: (transfer none) (nullable): the value; %NULL without one or if @map is no mapping
 */
const KbYamlNode *
kb_yaml_file_lookup (KbYamlFile *self, const KbYamlNode *map, const char *key)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (key != NULL, NULL);

  if (self->document == NULL)
    return NULL;
  map = kb_yaml_document_resolve (self->document, map);
  if (map == NULL)
    return NULL;
  return kb_yaml_document_resolve (self->document, kb_yaml_node_lookup (map, key));
}

/**
 * kb_yaml_file_get_item:
 * @self: a file
 * @list: a sequence of it
 * @index: less than its length
 *
 * Returns: (transfer none) (nullable): the item, or what it is an alias of
 */
const KbYamlNode *
kb_yaml_file_get_item (KbYamlFile *self, const KbYamlNode *list, guint index)
{
  g_return_val_if_fail (self != NULL && self->document != NULL, NULL);
  g_return_val_if_fail (list != NULL, NULL);
  return kb_yaml_document_resolve (self->document, kb_yaml_node_get_item (list, index));
}

/**
 * kb_yaml_file_get_string:
 * @self: a file
 * @node: (nullable): a node of it
 *
 * Returns: (transfer none) (nullable): the text, if the host would see a string
 */
const char *
kb_yaml_file_get_string (KbYamlFile *self, const KbYamlNode *node)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (node != NULL)
    node = kb_yaml_document_resolve (self->document, node);
  if (node == NULL || kb_yaml_node_get_kind (node) != KB_YAML_SCALAR
      || kb_yaml_node_get_type (node) != KB_YAML_TYPE_STRING)
    return NULL;
  return kb_yaml_node_get_text (node);
}

/**
 * kb_yaml_file_get_place:
 * @self: a file
 * @node: a node of it
 *
 * Returns: where it stands; the path is the caller's to free
 */
KbProvenance
kb_yaml_file_get_place (KbYamlFile *self, const KbYamlNode *node)
{
  KbProvenance place = { KB_ORIGIN_DEFAULT, NULL, 0, 0 };
  const KbYamlSpan *span;

  g_return_val_if_fail (self != NULL && node != NULL, place);

  span = kb_yaml_node_get_span (node);
  place = (KbProvenance) { self->origin, g_strdup (self->path), span->line, span->column };
  return place;
}

/**
 * kb_yaml_file_add_problem:
 * @problems: (element-type KbProblem): a list
 * @problem: (transfer full): what goes to its end
 *
 * Adds a problem unless there are too many, which the last one then says.
 */
void
kb_yaml_file_add_problem (GPtrArray *problems, KbProblem *problem)
{
  g_autoptr (KbProblem) owned = problem;

  g_return_if_fail (problems != NULL && problem != NULL);

  if (problems->len < MAX_PROBLEMS)
    g_ptr_array_add (problems, g_steal_pointer (&owned));
  else if (problems->len == MAX_PROBLEMS)
    g_ptr_array_add (problems, kb_problem_new (KB_SEVERITY_INFO, "more-problems", problem->file, 0,
                                               0, _ ("there are more problems than are listed"),
                                               _ ("Correct the ones that are listed first.")));
}

/**
 * kb_yaml_file_report:
 * @self: a file
 * @severity: how bad it is
 * @code: a stable kebab-case word
 * @node: (nullable): what it is about; %NULL for the file as a whole
 * @hint: (nullable): what to do, translated
 * @format: what is wrong, translated
 * @...: arguments
 *
 * Adds a problem.
 */
void
kb_yaml_file_report (KbYamlFile *self,
                     KbSeverity severity,
                     const char *code,
                     const KbYamlNode *node,
                     const char *hint,
                     const char *format,
                     ...)
{
  const KbYamlSpan whole = { 0 };
  g_autofree char *message = NULL;
  va_list arguments;

  g_return_if_fail (self != NULL && code != NULL && format != NULL);

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  report_at (self, severity, code, node != NULL ? kb_yaml_node_get_span (node) : &whole, message,
             hint);
}

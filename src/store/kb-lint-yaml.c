// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What one of the host's two YAML parsers refuses although it is YAML: DSH-HOST facts 1.6. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"
#include "store/kb-yaml-private.h"

#define FEW_KEYS 16

static gboolean
is_standard_tag (const char *tag)
{
  static const char *const names[] = { "str", "int", "float", "bool", "null", "seq", "map", NULL };

  if (g_str_equal (tag, "!"))
    return TRUE;
  for (gsize i = 0; names[i] != NULL; i++)
    if (kb_yaml_tag_is (tag, names[i]))
      return TRUE;
  return FALSE;
}

static void
lint_patch_tag (KbYamlFile *file, const KbYamlNode *node, const char *tag)
{
  if (kb_yaml_tag_is (tag, "js") && kb_yaml_node_get_kind (node) == KB_YAML_SCALAR)
    return;
  if (kb_yaml_tag_is (tag, "js"))
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "unknown-tag", node,
                         _ ("Put the expression in quotes: !!js '...'."),
                         _ ("“%s” must stand before a text, not before a list or a mapping"), tag);
  else
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "unknown-tag", node,
                         _ ("For a variable of the environment write !!js process.env.NAME."),
                         _ ("the host does not know the tag “%s” and cannot read the file"), tag);
}

/* Whether both parsers of the host take the value for what the tag says it is. */
static gboolean
fits (const KbYamlNode *node, const char *tag)
{
  if (kb_yaml_tag_is (tag, "seq"))
    return node->kind == KB_YAML_SEQUENCE;
  if (kb_yaml_tag_is (tag, "map"))
    return node->kind == KB_YAML_MAPPING;
  if (g_str_equal (tag, "!") || node->kind == KB_YAML_ALIAS)
    return TRUE;
  if (node->kind != KB_YAML_SCALAR)
    return FALSE;
  if (kb_yaml_tag_is (tag, "int"))
    return node->type == KB_YAML_TYPE_INTEGER;
  if (kb_yaml_tag_is (tag, "float"))
    return node->type == KB_YAML_TYPE_FLOAT || node->type == KB_YAML_TYPE_INTEGER;
  if (kb_yaml_tag_is (tag, "bool"))
    return node->type == KB_YAML_TYPE_BOOLEAN;
  if (kb_yaml_tag_is (tag, "null"))
    return node->type == KB_YAML_TYPE_NULL
           && (*node->text != '\0' || node->style == KB_YAML_STYLE_PLAIN);
  return TRUE;
}

static void
report_misfit (KbYamlFile *file, const KbYamlNode *node, const char *tag)
{
  const char *hint = _ ("Leave out the tag, or correct the value.");

  if (file->kind == KB_YAML_FILE_PATCH)
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "tag-mismatch", node, hint,
                         _ ("the value is not what its tag “%s” says; the host cannot read the "
                            "file"),
                         tag);
  else
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "tag-mismatch", node, hint,
                         _ ("the value is not what its tag “%s” says; it is used as it stands"),
                         tag);
}

static void
lint_tag (KbYamlFile *file, const KbYamlNode *node)
{
  const char *tag = kb_yaml_node_get_tag (node);

  if (tag == NULL)
    return;
  if (is_standard_tag (tag))
    {
      if (!fits (node, tag))
        report_misfit (file, node, tag);
      return;
    }
  if (file->kind == KB_YAML_FILE_PATCH)
    lint_patch_tag (file, node, tag);
  else
    kb_yaml_file_report (file, KB_SEVERITY_WARNING, "unknown-tag", node,
                         _ ("Write the value itself; expressions work in patch files only."),
                         _ ("the tag “%s” means nothing in the settings: the value is used as it "
                            "stands"),
                         tag);
}

static void
report_duplicate (KbYamlFile *file, const KbYamlNode *key, const KbYamlNode *first)
{
  kb_yaml_file_report (file, KB_SEVERITY_ERROR, "duplicate-key", key,
                       _ ("Remove one of the two. The host cannot read the file until then."),
                       _ ("the key “%s” is already given on line %u"), kb_yaml_node_get_text (key),
                       kb_yaml_node_get_span (first)->line);
}

/* The first key of the mapping that says the same; itself if it is the first. */
static const KbYamlNode *
find_first (const KbYamlNode *map, guint index)
{
  const KbYamlNode *key = map->children[2 * index];

  for (guint i = 0; i < index; i++)
    {
      const KbYamlNode *other = map->children[2 * i];

      if (other->kind == KB_YAML_SCALAR && g_str_equal (other->text, key->text))
        return other;
    }
  return key;
}

/* A large file has a great many small mappings: no table is made for those. */
static void
lint_keys (KbYamlFile *file, const KbYamlNode *map)
{
  guint length = kb_yaml_node_get_length (map);
  g_autoptr (GHashTable) seen
      = length > FEW_KEYS ? g_hash_table_new (g_str_hash, g_str_equal) : NULL;

  for (guint i = 0; i < length; i++)
    {
      const KbYamlNode *key = map->children[2 * i];
      const KbYamlNode *first;

      if (key->kind != KB_YAML_SCALAR)
        continue;
      first = seen != NULL ? g_hash_table_lookup (seen, key->text) : find_first (map, i);
      if (first == NULL)
        g_hash_table_insert (seen, (char *) key->text, (gpointer) key);
      else if (first != key)
        report_duplicate (file, key, first);
    }
}

static void
report_indentation (KbYamlFile *file, const KbYamlNode *node, const char *message)
{
  kb_yaml_file_report (file, KB_SEVERITY_ERROR, "yaml-syntax", node,
                       _ ("Indent with spaces, by two more than the line it belongs to. The host "
                          "cannot read the file until then."),
                       "%s", message);
}

/* libfyaml lets a block begin behind a tab, js-yaml does not. */
static void
lint_tabs (KbYamlFile *file, const KbYamlNode *node)
{
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (file->document), NULL);
  gsize at = kb_yaml_node_get_span (node)->start;

  for (; at > 0 && data[at - 1] != '\n' && data[at - 1] != '\r'; at--)
    if (data[at - 1] == '\t')
      {
        report_indentation (file, node, _ ("there is a tab in the indentation of this line"));
        return;
      }
}

static gboolean
is_empty (const KbYamlNode *node)
{
  return node->span.start == node->span.end;
}

/*
 * A value on a line of its own must stand further in than the mapping it belongs to. Where
 * its key stands does not count: "?", an anchor or a tag may be before that.
 */
static void
lint_value (KbYamlFile *file, guint line, guint column, const KbYamlNode *value)
{
  if (value->style == KB_YAML_STYLE_BLOCK || is_empty (value))
    return;
  if (value->span.line > line && value->span.column <= column)
    report_indentation (file, value, _ ("this line is not indented enough for a value"));
}

static void
lint_items (KbYamlFile *file, const KbYamlNode *list)
{
  if (file->kind == KB_YAML_FILE_PATCH && kb_yaml_list_runs_on (file->document, list))
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "empty-item",
                         list->children[list->n_children - 1],
                         _ ("Write null for the empty item, or remove its “-”."),
                         _ ("the last item of this list is empty, so the host takes the “-” below "
                            "it, which belongs to an outer list, for one more item of this list"));
  for (guint i = 0; i < list->n_children; i++)
    {
      const KbYamlNode *item = list->children[i];

      if (item->span.column <= list->span.column && !is_empty (item))
        report_indentation (file, item, _ ("this line is not indented enough for a value"));
    }
}

static void
lint_pairs (KbYamlFile *file, const KbYamlNode *map)
{
  for (guint i = 0; i + 1 < map->n_children; i += 2)
    {
      const KbYamlNode *key = map->children[i];

      if (is_empty (key) && key->lead == key->outer_start)
        report_indentation (file, key, _ ("there is no key before the “:”"));
      lint_value (file, key->span.line, map->span.column, map->children[i + 1]);
    }
}

static void
lint_alias (KbYamlFile *file, const KbYamlNode *node)
{
  if (kb_yaml_document_resolve (file->document, node) == NULL)
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "unknown-alias", node,
                         _ ("Put the text in quotes if no alias is meant."),
                         _ ("nothing above is marked “&%s”; the host cannot read the file"),
                         kb_yaml_node_get_text (node));
}

/* A large file has a hundred thousand nodes: no detours here. */
static void
lint_node (KbYamlFile *file, const KbYamlNode *node)
{
  if (node->properties != NULL)
    lint_tag (file, node);
  if (node->kind == KB_YAML_ALIAS)
    lint_alias (file, node);
  if (node->kind == KB_YAML_MAPPING)
    lint_keys (file, node);
  if (node->style == KB_YAML_STYLE_BLOCK)
    {
      lint_tabs (file, node);
      node->kind == KB_YAML_SEQUENCE ? lint_items (file, node) : lint_pairs (file, node);
    }
  for (guint i = 0; i < node->n_children; i++)
    lint_node (file, node->children[i]);
}

static gboolean
is_printable (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || c == 0x85
         || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c <= 0x9f) && c != 0xfffe && c != 0xffff);
}

static const char *
skip_plain (const char *at, const char *end)
{
  while (at < end && ((*at >= 0x20 && *at < 0x7f) || *at == '\n'))
    at++;
  return at;
}

/* js-yaml refuses control characters anywhere, the parser of the settings does not mind. */
static void
lint_characters (KbYamlFile *file)
{
  gsize length;
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (file->document), &length);
  const char *end = data + length;

  for (const char *at = skip_plain (data, end); at < end;
       at = skip_plain (g_utf8_next_char (at), end))
    {
      KbYamlPlace place;

      if (is_printable (g_utf8_get_char (at)))
        continue;
      kb_yaml_place_init (&place, data, length);
      kb_yaml_place_move (&place, (gsize) (at - data));
      g_ptr_array_add (
          file->problems,
          kb_problem_new (KB_SEVERITY_ERROR, "encoding", file->path, place.line, place.column,
                          _ ("there is a control character here; the host cannot read "
                             "the file"),
                          _ ("Remove it, or write it as an escape in double quotes.")));
      return;
    }
}

static gboolean
is_absent (const KbYamlNode *root)
{
  const KbYamlSpan *span = root != NULL ? kb_yaml_node_get_span (root) : NULL;

  return span == NULL
         || (span->start == span->end && kb_yaml_node_get_kind (root) == KB_YAML_SCALAR);
}

static void
lint_patch_root (KbYamlFile *file, const KbYamlNode *root)
{
  if (is_absent (root))
    kb_yaml_file_report (
        file, KB_SEVERITY_ERROR, "empty-patch", NULL, _ ("Write “[]” into the file, or remove it."),
        _ ("there is nothing in this patch file but comments; the host refuses it"));
  else if (kb_yaml_node_get_kind (root) != KB_YAML_SEQUENCE)
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "not-a-list", root,
                         _ ("Begin every entry with “- ”, for example “- id: dsh-daruma”."),
                         _ ("a patch file must be a list of entries; the host refuses this one"));
  else
    kb_lint_entries (file);
}

static void
report_koboshi_root (KbYamlFile *file, const KbYamlNode *root)
{
  kb_yaml_file_report (file, KB_SEVERITY_ERROR, "not-a-mapping", root,
                       _ ("Write one key on a line, for example “midStream: error”."),
                       _ ("koboshi.yaml must be a mapping of keys to values"));
}

static void
lint_settings_root (KbYamlFile *file, const KbYamlNode *root)
{
  if (root == NULL || kb_yaml_node_get_kind (root) == KB_YAML_MAPPING
      || kb_yaml_node_get_type (root) == KB_YAML_TYPE_NULL)
    return;
  if (file->kind == KB_YAML_FILE_KOBOSHI)
    {
      report_koboshi_root (file, root);
      return;
    }
  kb_yaml_file_report (file, KB_SEVERITY_ERROR, "not-a-mapping", root,
                       _ ("Write “NAME:” for each part with its keys indented below."),
                       _ ("the settings must be a mapping of names to their keys; the host refuses "
                          "this file"));
}

/**
 * kb_lint_yaml:
 * @file: a file
 *
 * Checks what holds for every node and for the root. A file that could not be read has been
 * reported already.
 */
void
kb_lint_yaml (KbYamlFile *file)
{
  const KbYamlNode *root;

  g_return_if_fail (file != NULL);

  if (file->document == NULL)
    return;
  root = kb_yaml_file_get_root (file);
  if (root != NULL)
    lint_node (file, root);
  if (file->kind == KB_YAML_FILE_PATCH)
    {
      lint_characters (file);
      lint_patch_root (file, root);
    }
  else
    lint_settings_root (file, root);
}

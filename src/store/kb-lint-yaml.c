// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What one of the host's two YAML parsers refuses although it is YAML: DSH-HOST facts 1.6. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "store/kb-lint-rules.h"
#include "store/kb-yaml-private.h"

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

static void
lint_tag (KbYamlFile *file, const KbYamlNode *node)
{
  const char *tag = kb_yaml_node_get_tag (node);

  if (tag == NULL || is_standard_tag (tag))
    return;
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
lint_keys (KbYamlFile *file, const KbYamlNode *map)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < kb_yaml_node_get_length (map); i++)
    {
      const KbYamlNode *key = kb_yaml_node_get_key (map, i);
      const char *text = kb_yaml_node_get_text (key);
      const KbYamlNode *first;

      if (kb_yaml_node_get_kind (key) != KB_YAML_SCALAR)
        continue;
      first = g_hash_table_lookup (seen, text);
      if (first == NULL)
        g_hash_table_insert (seen, (char *) text, (gpointer) key);
      else
        kb_yaml_file_report (file, KB_SEVERITY_ERROR, "duplicate-key", key,
                             _ ("Remove one of the two. The host cannot read the file until then."),
                             _ ("the key “%s” is already given on line %u"), text,
                             kb_yaml_node_get_span (first)->line);
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

  if (kb_yaml_node_get_style (node) != KB_YAML_STYLE_BLOCK)
    return;
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
  const KbYamlSpan *span = kb_yaml_node_get_span (node);

  return span->start == span->end;
}

/*
 * A value on a line of its own must stand further in than the mapping it belongs to. Where
 * its key stands does not count: "?", an anchor or a tag may be before that.
 */
static void
lint_value (KbYamlFile *file, guint line, guint column, const KbYamlNode *value)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (value);

  if (kb_yaml_node_get_style (value) == KB_YAML_STYLE_BLOCK || is_empty (value))
    return;
  if (span->line > line && span->column <= column)
    report_indentation (file, value, _ ("this line is not indented enough for a value"));
}

static void
lint_block (KbYamlFile *file, const KbYamlNode *node)
{
  const KbYamlSpan *span = kb_yaml_node_get_span (node);

  if (kb_yaml_node_get_style (node) != KB_YAML_STYLE_BLOCK)
    return;
  lint_tabs (file, node);
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    if (kb_yaml_node_get_kind (node) == KB_YAML_SEQUENCE)
      {
        const KbYamlNode *item = kb_yaml_node_get_item (node, i);

        if (kb_yaml_node_get_span (item)->column <= span->column && !is_empty (item))
          report_indentation (file, item, _ ("this line is not indented enough for a value"));
      }
    else
      {
        const KbYamlNode *key = kb_yaml_node_get_key (node, i);

        if (is_empty (key) && kb_yaml_node_get_lead (key) == kb_yaml_node_get_outer_start (key))
          report_indentation (file, key, _ ("there is no key before the “:”"));
        lint_value (file, kb_yaml_node_get_span (key)->line, span->column,
                    kb_yaml_node_get_value (node, i));
      }
}

static void
lint_node (KbYamlFile *file, const KbYamlNode *node)
{
  KbYamlKind kind = kb_yaml_node_get_kind (node);

  lint_tag (file, node);
  if (kind == KB_YAML_ALIAS && kb_yaml_document_resolve (file->document, node) == NULL)
    kb_yaml_file_report (file, KB_SEVERITY_ERROR, "unknown-alias", node,
                         _ ("Put the text in quotes if no alias is meant."),
                         _ ("nothing above is marked “&%s”; the host cannot read the file"),
                         kb_yaml_node_get_text (node));
  if (kind == KB_YAML_MAPPING)
    lint_keys (file, node);
  if (kind == KB_YAML_MAPPING || kind == KB_YAML_SEQUENCE)
    lint_block (file, node);
  for (guint i = 0; i < kb_yaml_node_get_length (node); i++)
    if (kind == KB_YAML_SEQUENCE)
      lint_node (file, kb_yaml_node_get_item (node, i));
    else
      {
        lint_node (file, kb_yaml_node_get_key (node, i));
        lint_node (file, kb_yaml_node_get_value (node, i));
      }
}

static gboolean
is_printable (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || c == 0x85
         || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c <= 0x9f) && c != 0xfffe && c != 0xffff);
}

/* js-yaml refuses control characters anywhere, the parser of the settings does not mind. */
static void
lint_characters (KbYamlFile *file)
{
  gsize length;
  const char *data = g_bytes_get_data (kb_yaml_document_get_bytes (file->document), &length);
  const char *end = data + length;

  for (const char *at = data; at < end; at = g_utf8_next_char (at))
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

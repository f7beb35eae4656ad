// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * A large document after a small edit: the top-level entries that the edit touches are parsed
 * again, the others keep their nodes. In block style an entry begins in the first column, which
 * nothing that stands further in can reach; in a list in brackets it begins a line, behind a
 * comma. What is before the first of them and what is behind the last means what it meant,
 * wherever it goes. Whatever makes this doubtful is parsed as a whole.
 */

#include "config.h"

#include "store/kb-yaml-private.h"

#include <string.h>

#include "store/kb-yaml-walk.h"

/* Smaller texts are parsed in a few milliseconds. */
#define MIN_BYTES (64 * 1024)

/* A document keeps the one before it alive, but not without end. */
#define MAX_ANCESTORS 4

/* In brackets, the entries in the middle need brackets of their own. */
#define HEAD "[\n"
#define TAIL "]"

/* The top-level entries from @first on, up to but not including @last. */
typedef struct
{
  guint first;
  guint last;
  gsize start;   /* in the old text */
  gsize end;     /* in the old text */
  gsize new_end; /* in the new text */
} Range;

/* What moves along: bytes and lines. */
typedef struct
{
  KbArena *arena;
  gssize bytes;
  int lines;
} Shift;

static guint
get_step (const KbYamlNode *root)
{
  return root->kind == KB_YAML_MAPPING ? 2 : 1;
}

static guint
count_entries (const KbYamlNode *root)
{
  return root->n_children / get_step (root);
}

static gboolean
is_flow (const KbYamlNode *root)
{
  return root->style == KB_YAML_STYLE_FLOW;
}

static gsize
get_entry_start (const KbYamlNode *root, guint index)
{
  const KbYamlNode *node = root->children[index * get_step (root)];

  return MIN (node->lead, node->outer_start);
}

static gsize
get_line_start (const char *data, gsize offset)
{
  while (offset > 0 && data[offset - 1] != '\n')
    offset--;
  return offset;
}

static gsize
get_border (const KbYamlDocument *document, guint index)
{
  const KbYamlNode *root = document->root;
  gsize length;
  const char *data = g_bytes_get_data (document->bytes, &length);
  gboolean behind = index == count_entries (root);

  if (!is_flow (root))
    return behind ? length : get_entry_start (root, index);
  return get_line_start (data, behind ? root->span.end - 1 : get_entry_start (root, index));
}

static gboolean
is_line_start (const char *data, gsize offset)
{
  return offset == 0 || data[offset - 1] == '\n';
}

static gboolean
is_first_in_line (const char *data, gsize offset)
{
  while (offset > 0 && (data[offset - 1] == ' ' || data[offset - 1] == '\t'))
    offset--;
  return is_line_start (data, offset);
}

/* Every entry begins a line and is in brackets itself. */
static gboolean
is_plain_flow (const KbYamlNode *root, const char *data)
{
  if (root->kind != KB_YAML_SEQUENCE || data[root->span.start] != '['
      || !is_first_in_line (data, root->span.end - 1))
    return FALSE;
  for (guint i = 0; i < root->n_children; i++)
    {
      gsize start = root->children[i]->outer_start;

      if (root->children[i]->properties != NULL || strchr ("[{", data[start]) == NULL
          || !is_first_in_line (data, start))
        return FALSE;
    }
  return TRUE;
}

/* Nothing is around the entries that reaches into them. */
static gboolean
is_plain_root (const KbYamlNode *root, const char *data)
{
  if (root == NULL || root->properties != NULL || root->n_children == 0)
    return FALSE;
  if (is_flow (root))
    return is_plain_flow (root, data);
  for (guint i = 0; i < count_entries (root); i++)
    {
      gsize start = get_entry_start (root, i);

      /* A "?" and a ":" of their own may or may not belong together. */
      if (!is_line_start (data, start) || strchr ("?:", data[start]) != NULL)
        return FALSE;
    }
  return TRUE;
}

/* Directives, and marks of documents, say something about all that follows. */
static gboolean
has_preamble (const char *data, gsize length)
{
  for (gsize at = 0; at < length;)
    {
      const char *end = memchr (data + at, '\n', length - at);

      if (data[at] == '%' || data[at] == '-' || data[at] == '.')
        return TRUE;
      at = end != NULL ? (gsize) (end - data) + 1 : length;
    }
  return FALSE;
}

/* What ends a line for some readers of YAML and not for others. */
static gboolean
has_lone_returns (const char *data, gsize length)
{
  const char *end = data + length;

  for (const char *at = data; (at = memchr (at, '\r', (gsize) (end - at))) != NULL; at++)
    if (at + 1 == end || at[1] != '\n')
      return TRUE;
  return FALSE;
}

static gboolean
can_splice (const KbYamlDocument *document)
{
  gsize length;
  const char *data = g_bytes_get_data (document->bytes, &length);
  const KbYamlNode *root = document->root;

  return document->n_ancestors < MAX_ANCESTORS && !document->referring && !document->mended
         && is_plain_root (root, data) && !has_preamble (data, get_entry_start (root, 0))
         && !has_lone_returns (data, length);
}

static guint
find_entry (const KbYamlDocument *document, gsize offset)
{
  guint low = 0;
  guint high = count_entries (document->root);

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (get_border (document, middle) <= offset)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* What stands right at the border of two entries may belong to either. */
static gboolean
find_range (const KbYamlDocument *document, const KbSplices *splices, Range *range)
{
  guint n_splices = kb_splices_get_length (splices);
  gsize start = G_MAXSIZE, end = 0, growth = 0, loss = 0;

  for (guint i = 0; i < n_splices; i++)
    {
      const KbSplice *splice = kb_splices_get (splices, i);

      start = MIN (start, splice->start);
      end = MAX (end, splice->end);
      growth += strlen (splice->text);
      loss += splice->end - splice->start;
    }
  range->first = find_entry (document, start > 0 ? start - 1 : 0);
  range->last = find_entry (document, end) + 1;
  range->start
      = range->first > 0 || is_flow (document->root) ? get_border (document, range->first) : 0;
  range->end = get_border (document, range->last);
  range->new_end = range->end + growth - loss;
  return start >= range->start && end <= range->end;
}

static int
count_lines (const char *data, gsize length)
{
  int lines = 0;

  for (const char *at = data; (at = memchr (at, '\n', length - (gsize) (at - data))) != NULL; at++)
    lines++;
  return lines;
}

/* Texts are shared with the document the node comes from, which lives as long. */
static KbYamlNode *
copy_node (const Shift *shift, const KbYamlNode *node)
{
  KbYamlNode *copy = kb_arena_allocate (shift->arena, sizeof *copy);

  *copy = *node;
  copy->span.start += (gsize) shift->bytes;
  copy->span.end += (gsize) shift->bytes;
  copy->span.line += (guint) shift->lines;
  copy->outer_start += (guint) shift->bytes;
  copy->lead += (guint) shift->bytes;
  if (node->n_children == 0)
    return copy;
  copy->children = kb_arena_allocate (shift->arena, node->n_children * sizeof *copy->children);
  for (guint i = 0; i < node->n_children; i++)
    copy->children[i] = copy_node (shift, node->children[i]);
  return copy;
}

static void
add_nodes (GPtrArray *nodes, const KbYamlNode *root, guint first, guint last, const Shift *shift)
{
  guint step = root != NULL ? get_step (root) : 1;

  for (guint i = first * step; i < last * step; i++)
    if (shift->bytes == 0 && shift->lines == 0)
      g_ptr_array_add (nodes, (gpointer) root->children[i]);
    else
      g_ptr_array_add (nodes, copy_node (shift, root->children[i]));
}

static guint
count_nodes (const KbYamlNode *node)
{
  guint count = 1;

  for (guint i = 0; i < node->n_children; i++)
    count += count_nodes (node->children[i]);
  return count;
}

/* What libfyaml makes of a block at the very end of a text is not relied on. */
static gboolean
ends_with_block_scalar (const KbYamlNode *node)
{
  while (node->n_children > 0)
    node = node->children[node->n_children - 1];
  return node->style == KB_YAML_STYLE_LITERAL || node->style == KB_YAML_STYLE_FOLDED;
}

/* A ":" that begins an entry would take what stands before it for its key. */
static gboolean
begins_with_colon (const char *data, gsize length, gsize offset)
{
  return offset < length && data[offset] == ':';
}

static gboolean
is_absent (const KbYamlNode *node)
{
  return node->span.start == node->span.end;
}

/* Rare in what people write, and seldom read in the same way by two readers. */
static gboolean
is_odd (const KbYamlNode *node, const char *data)
{
  if (is_absent (node))
    return node->properties != NULL;
  if (data[node->lead] == '?' && node->lead < node->outer_start)
    return TRUE;
  return memchr (data + node->outer_start, '\n', node->span.start - node->outer_start) != NULL;
}

/*
 * libfyaml minds a value that is not indented enough only if something comes behind it. The
 * items of a list may stand right below the key that it belongs to.
 */
static gboolean
is_indented (const KbYamlNode *node, const char *data)
{
  if (is_odd (node, data))
    return FALSE;
  if (node->style != KB_YAML_STYLE_BLOCK)
    return TRUE;
  for (guint i = 0; i < node->n_children; i++)
    {
      const KbYamlNode *child = node->children[i];
      gboolean is_key = node->kind == KB_YAML_MAPPING && i % 2 == 0;
      gboolean is_list = node->kind == KB_YAML_MAPPING && child->kind == KB_YAML_SEQUENCE
                         && child->style == KB_YAML_STYLE_BLOCK;
      guint least = node->span.column + (is_key || is_list ? 0 : 1);

      if ((!is_absent (child) && child->span.column < least) || !is_indented (child, data))
        return FALSE;
    }
  return TRUE;
}

/* Whether the entries, which are the whole of a text, can be followed by others. */
static gboolean
can_be_followed (const KbYamlDocument *middle, const char *data, gsize length)
{
  const KbYamlNode *root = middle->root;
  const KbYamlNode *last = root->children[root->n_children - 1];
  KbYamlWalk walk = { .data = data, .length = length, .position = last->span.end };

  if (is_flow (root))
    return kb_yaml_walk_take (&walk, ',');
  return data[length - 1] == '\n' && is_indented (root, data) && !ends_with_block_scalar (root)
         && !has_preamble (data + root->span.end, length - root->span.end);
}

static GBytes *
copy_middle (const KbYamlDocument *document, const char *data, const Range *range)
{
  gsize length = range->new_end - range->start;
  g_autoptr (GString) text = NULL;

  if (!is_flow (document->root))
    return g_bytes_new (data + range->start, length);
  text = g_string_new (HEAD);
  g_string_append_len (text, data + range->start, (gssize) length);
  g_string_append (text, TAIL);
  return g_string_free_to_bytes (g_steal_pointer (&text));
}

/* The middle as a document of its own, or NULL if it is not just some more entries. */
static KbYamlDocument *
parse_middle (const KbYamlDocument *document, const char *new_text, const Range *range)
{
  g_autoptr (GBytes) text = copy_middle (document, new_text, range);
  g_autoptr (KbYamlDocument) middle = NULL;
  gsize length, old_length;
  const char *data = g_bytes_get_data (text, &length);
  const char *old_data = g_bytes_get_data (document->bytes, &old_length);
  const KbYamlNode *old = document->root;
  gboolean at_end = range->last == count_entries (old);

  if (length == 0 || has_lone_returns (data, length) || begins_with_colon (data, length, 0)
      || begins_with_colon (old_data, old_length, range->end))
    return NULL;
  middle = kb_yaml_document_parse_alone (text);
  if (middle == NULL || middle->root == NULL || middle->referring || middle->mended
      || middle->root->kind != old->kind || middle->root->style != old->style
      || !is_plain_root (middle->root, data)
      || has_preamble (data, get_entry_start (middle->root, 0)))
    return NULL;
  if (is_flow (old) && (middle->root->span.start != 0 || middle->root->span.end != length))
    return NULL;
  if (!at_end && !can_be_followed (middle, data, length))
    return NULL;
  return g_steal_pointer (&middle);
}

static void
set_root (KbYamlDocument *self,
          const KbYamlDocument *document,
          const KbYamlDocument *middle,
          const Range *range,
          GPtrArray *nodes)
{
  const KbYamlNode *old = document->root;
  KbYamlNode *root = kb_arena_allocate (self->arena, sizeof *root);
  gsize size = nodes->len * sizeof *root->children;

  *root = *old;
  root->n_children = nodes->len;
  root->children = kb_arena_allocate (self->arena, size);
  memcpy (root->children, nodes->pdata, size);
  if (range->first == 0 && !is_flow (old))
    {
      root->span.start = middle->root->span.start;
      root->span.line = middle->root->span.line;
      root->span.column = middle->root->span.column;
      root->outer_start = middle->root->outer_start;
      root->lead = middle->root->lead;
    }
  root->span.end = range->last == count_entries (old) && !is_flow (old)
                       ? middle->root->span.end + range->start
                       : old->span.end + range->new_end - range->end;
  self->root = root;
  self->n_nodes = document->n_nodes + middle->n_nodes - 1;
  for (guint i = range->first * get_step (old); i < range->last * get_step (old); i++)
    self->n_nodes -= count_nodes (old->children[i]);
}

/* What was before, the middle, what was behind. */
static void
join (KbYamlDocument *self,
      const KbYamlDocument *document,
      const KbYamlDocument *middle,
      const Range *range)
{
  const char *old_text = g_bytes_get_data (document->bytes, NULL);
  const char *new_text = g_bytes_get_data (self->bytes, NULL);
  const KbYamlNode *old = document->root;
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  Shift shift = { .arena = self->arena };

  add_nodes (nodes, old, 0, range->first, &shift);
  shift.bytes = (gssize) range->start - (is_flow (old) ? (gssize) strlen (HEAD) : 0);
  shift.lines = count_lines (old_text, range->start) - (is_flow (old) ? 1 : 0);
  add_nodes (nodes, middle->root, 0, count_entries (middle->root), &shift);
  shift.bytes = (gssize) range->new_end - (gssize) range->end;
  shift.lines = count_lines (new_text + range->start, range->new_end - range->start)
                - count_lines (old_text + range->start, range->end - range->start);
  add_nodes (nodes, old, range->last, count_entries (old), &shift);
  set_root (self, document, middle, range, nodes);
}

/**
 * kb_yaml_document_try_splice:
 * @document: a document
 * @splices: an edit of its text
 * @bytes: the text after the edit
 *
 * Returns: (transfer full) (nullable): the document of @bytes, the same as parsing all of it
 *   gives; %NULL where the edited entries cannot be told apart from the others for certain
 */
KbYamlDocument *
kb_yaml_document_try_splice (KbYamlDocument *document, const KbSplices *splices, GBytes *bytes)
{
  g_autoptr (KbYamlDocument) self = NULL;
  g_autoptr (KbYamlDocument) middle = NULL;
  const char *new_text = g_bytes_get_data (bytes, NULL);
  Range range;

  if (kb_splices_get_length (splices) == 0 || !can_splice (document)
      || !find_range (document, splices, &range))
    return NULL;
  middle = parse_middle (document, new_text, &range);
  if (middle == NULL)
    return NULL;
  self = kb_yaml_document_new (bytes);
  self->n_ancestors = document->n_ancestors + 1;
  self->ancestors[0] = kb_yaml_living_ref (document);
  self->ancestors[1] = g_steal_pointer (&middle);
  join (self, document, self->ancestors[1], &range);
  return g_steal_pointer (&self);
}

/**
 * kb_yaml_document_splice:
 * @document: a document
 * @splices: an edit of its text
 * @error: a #KbYamlError
 *
 * Returns: (transfer full) (nullable): the document after the edit
 */
KbYamlDocument *
kb_yaml_document_splice (KbYamlDocument *document, const KbSplices *splices, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  KbYamlDocument *result = NULL;

  g_return_val_if_fail (document != NULL, NULL);
  g_return_val_if_fail (splices != NULL, NULL);

  if (kb_splices_get_length (splices) == 0)
    return kb_yaml_living_ref (document);
  bytes = kb_splices_apply (splices, document->bytes);
  if (g_bytes_get_size (bytes) >= MIN_BYTES && g_bytes_get_size (bytes) <= KB_YAML_MAX_BYTES)
    result = kb_yaml_document_try_splice (document, splices, bytes);
  if (result == NULL || result->n_nodes >= KB_YAML_MAX_NODES)
    {
      g_clear_pointer (&result, kb_yaml_document_free);
      return kb_yaml_document_parse (bytes, NULL, error);
    }
  kb_yaml_living_add (result);
  return result;
}

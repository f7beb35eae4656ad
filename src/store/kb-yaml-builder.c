// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Turns libfyaml's events into a tree. Events rather than libfyaml's own documents, because
 * they neither expand aliases nor recurse: nesting and size stay under our own limits. Only
 * positions of tokens that have text are taken from libfyaml; the rest comes from the walk
 * over the bytes between them (kb-yaml-walk.h).
 */

#include "config.h"

#include "store/kb-yaml-private.h"

#include <glib/gi18n-lib.h>
#include <libfyaml.h>
#include <string.h>

#include "store/kb-yaml-walk.h"

/* Files people write nest about ten deep. */
#define MAX_DEPTH 256

typedef struct
{
  KbYamlNode *node;
  gboolean flow;
  gboolean brackets; /* a pair inside "[a: b]" is flow without any */
  guint first;       /* of its children in the builder's list */
} Frame;

typedef struct
{
  KbYamlDocument *document;
  KbYamlWalk walk;
  KbYamlPlace place;
  GArray *frames;      /* Frame */
  GPtrArray *children; /* KbYamlNode, borrowed: those of the open collections */
  GHashTable *anchors; /* char * -> KbYamlNode, both borrowed; the newest of a name */
  guint documents;
  gsize line_break; /* the one byte of the input that the text does not have, or G_MAXSIZE */
  KbYamlSpan *where;
  GError **error;
} Builder;

typedef struct
{
  gsize start;
  gsize end;
  gboolean one_line;
} Range;

#define NOWHERE ((Range) { G_MAXSIZE, G_MAXSIZE, FALSE })

static gboolean
fail (Builder *self, gsize offset, KbYamlError code, const char *message)
{
  KbYamlPlace place;

  kb_yaml_place_init (&place, self->walk.data, self->walk.length);
  kb_yaml_place_move (&place, offset);
  *self->where = (KbYamlSpan) { place.offset, place.offset, place.line, place.column };
  g_set_error_literal (self->error, KB_YAML_ERROR, code, message);
  return FALSE;
}

/* The parser and the walk disagree: better no position than a wrong one. */
static gboolean
fail_to_locate (Builder *self)
{
  return fail (self, self->walk.position, KB_YAML_ERROR_SYNTAX,
               _ ("what stands here cannot be told apart reliably; write it more plainly"));
}

static Range
get_range (Builder *self, struct fy_token *token)
{
  const struct fy_mark *start = token != NULL ? fy_token_start_mark (token) : NULL;
  const struct fy_mark *end = token != NULL ? fy_token_end_mark (token) : NULL;

  if (start == NULL || end == NULL)
    return NOWHERE;
  return (Range) { start->input_pos - (start->input_pos > self->line_break),
                   end->input_pos - (end->input_pos > self->line_break), start->line == end->line };
}

static Frame *
get_frame (Builder *self)
{
  if (self->frames->len == 0)
    return NULL;
  return &g_array_index (self->frames, Frame, self->frames->len - 1);
}

/*
 * A double-quoted scalar may hold any character, a C string may not. In other styles a NUL
 * cannot be: libfyaml gives one for a block scalar of nothing but spaces.
 */
static char *
make_text (const char *text, gsize length, KbYamlStyle style)
{
  g_autoptr (GString) copy = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    if (text[i] != '\0')
      g_string_append_c (copy, text[i]);
    else if (style == KB_YAML_STYLE_DOUBLE_QUOTED)
      g_string_append (copy, "\xef\xbf\xbd");
  return g_utf8_make_valid (copy->str, (gssize) copy->len);
}

static const char *
copy_text (Builder *self, struct fy_token *token, KbYamlStyle style)
{
  gsize length = 0;
  const char *text = fy_token_get_text (token, &length);
  g_autofree char *made = NULL;

  if (text == NULL)
    return "";
  if (g_utf8_validate_len (text, length, NULL)) /* which a NUL is not */
    return kb_arena_copy_text (self->document->arena, text, length);
  made = make_text (text, length, style);
  return kb_arena_copy_text (self->document->arena, made, strlen (made));
}

static const char *
copy_range (Builder *self, Range range)
{
  return kb_arena_copy_text (self->document->arena, self->walk.data + range.start,
                             range.end - range.start);
}

/* Whether a scalar's text is its bytes, without folded lines and without escapes. */
static gboolean
is_verbatim (Builder *self, KbYamlStyle style, Range range)
{
  const char *data = self->walk.data + range.start;
  gsize length = range.end - range.start;

  if (!range.one_line || range.end < range.start || range.end > self->walk.length)
    return FALSE;
  switch (style)
    {
    case KB_YAML_STYLE_PLAIN:
      return TRUE;
    case KB_YAML_STYLE_SINGLE_QUOTED:
      return memchr (data, '\'', length) == NULL;
    case KB_YAML_STYLE_DOUBLE_QUOTED:
      return memchr (data, '\\', length) == NULL;
    case KB_YAML_STYLE_LITERAL:
    case KB_YAML_STYLE_FOLDED:
    case KB_YAML_STYLE_BLOCK:
    case KB_YAML_STYLE_FLOW:
    default:
      return FALSE;
    }
}

static KbYamlNode *
new_node (Builder *self, KbYamlKind kind)
{
  KbYamlNode *node = kb_arena_allocate (self->document->arena, sizeof *node);

  node->kind = kind;
  self->document->n_nodes++;
  return node;
}

static KbYamlProperties *
get_properties (Builder *self, KbYamlNode *node)
{
  if (node->properties == NULL)
    node->properties = kb_arena_allocate (self->document->arena, sizeof *node->properties);
  return node->properties;
}

static guint
count_children (Builder *self, const Frame *frame)
{
  return self->children->len - frame->first;
}

static gboolean
is_key (Builder *self, const Frame *parent)
{
  return parent->node->kind == KB_YAML_MAPPING && count_children (self, parent) % 2 == 0;
}

/*
 * Takes the indicator that introduces a node; `first` is where its first token stands, or
 * G_MAXSIZE if it has none.
 */
static gboolean
take_lead (Builder *self, KbYamlNode *node, gsize first)
{
  KbYamlWalk *walk = &self->walk;
  const Frame *parent = get_frame (self);
  gboolean found;
  char indicator;

  node->lead = G_MAXUINT;
  if (parent == NULL)
    return TRUE;
  if (parent->brackets && count_children (self, parent) > 0
      && (parent->node->kind == KB_YAML_SEQUENCE || is_key (self, parent)))
    kb_yaml_walk_take (walk, ',');

  if (parent->node->kind == KB_YAML_SEQUENCE && parent->flow)
    return TRUE;
  if (parent->node->kind == KB_YAML_SEQUENCE)
    {
      node->lead = kb_yaml_walk_take (walk, '-') ? (guint) walk->position - 1 : G_MAXUINT;
      return node->lead != G_MAXUINT || fail_to_locate (self);
    }

  indicator = is_key (self, parent) ? '?' : ':';
  if (first == G_MAXSIZE)
    found = kb_yaml_walk_take_separate (walk, indicator, parent->flow);
  else
    found = kb_yaml_walk_take_before (walk, indicator, first);
  if (found)
    node->lead = (guint) walk->position - 1;
  return TRUE;
}

/* Takes anchor and tag, in either order. */
static gboolean
take_properties (Builder *self, KbYamlNode *node, Range anchor, Range tag)
{
  KbYamlWalk *walk = &self->walk;
  Range first = anchor.start < tag.start ? anchor : tag;
  Range second = anchor.start < tag.start ? tag : anchor;

  if (first.start == G_MAXSIZE)
    return TRUE;
  if (!kb_yaml_walk_reach (walk, first.start, first.end))
    return fail_to_locate (self);
  if (second.start != G_MAXSIZE && !kb_yaml_walk_reach (walk, second.start, second.end))
    return fail_to_locate (self);
  if (anchor.start != G_MAXSIZE)
    {
      KbYamlProperties *properties = get_properties (self, node);

      self->document->referring = TRUE;
      properties->anchor = copy_range (self, (Range) { anchor.start + 1, anchor.end, TRUE });
      g_hash_table_replace (self->anchors, (gpointer) properties->anchor, node);
    }
  if (tag.start != G_MAXSIZE)
    get_properties (self, node)->tag = copy_range (self, tag);
  return TRUE;
}

/* Everything before the node's own token; leaves the walk behind it. */
static gboolean
open_node (Builder *self,
           KbYamlNode *node,
           struct fy_token *anchor_token,
           struct fy_token *tag_token,
           gsize start)
{
  Range anchor = get_range (self, anchor_token);
  Range tag = get_range (self, tag_token);

  if (anchor.start != G_MAXSIZE)
    anchor.start--; /* libfyaml's token is the name without "&" */
  if (!take_lead (self, node, MIN (start, MIN (anchor.start, tag.start))))
    return FALSE;
  if (!take_properties (self, node, anchor, tag))
    return FALSE;
  if (start != G_MAXSIZE)
    kb_yaml_walk_skip_blank (&self->walk);

  node->span.start = self->walk.position;
  node->outer_start = (guint) MIN (node->span.start, MIN (anchor.start, tag.start));
  if (node->lead == G_MAXUINT)
    node->lead = node->outer_start;
  kb_yaml_place_move (&self->place, node->span.start);
  node->span.line = self->place.line;
  node->span.column = self->place.column;
  return TRUE;
}

static void
attach (Builder *self, KbYamlNode *node)
{
  const Frame *parent = get_frame (self);

  if (parent == NULL)
    self->document->root = node;
  else
    g_ptr_array_add (self->children, node);
}

static KbYamlStyle
get_scalar_style (struct fy_token *token)
{
  switch (fy_token_scalar_style (token))
    {
    case FYSS_SINGLE_QUOTED:
      return KB_YAML_STYLE_SINGLE_QUOTED;
    case FYSS_DOUBLE_QUOTED:
      return KB_YAML_STYLE_DOUBLE_QUOTED;
    case FYSS_LITERAL:
      return KB_YAML_STYLE_LITERAL;
    case FYSS_FOLDED:
      return KB_YAML_STYLE_FOLDED;
    case FYSS_PLAIN:
    case FYSS_ANY:
    case FYSS_MAX:
    default:
      return KB_YAML_STYLE_PLAIN;
    }
}

static gboolean
is_block_style (KbYamlStyle style)
{
  return style == KB_YAML_STYLE_LITERAL || style == KB_YAML_STYLE_FOLDED;
}

/*
 * At the end of a file without final newline, libfyaml takes the newline from the value; both
 * parsers of the host read it as if it were there.
 */
static void
complete_block (Builder *self, KbYamlNode *node)
{
  const char *header = self->walk.data + node->span.start + 1;
  g_autofree char *text = NULL;

  if (*node->text == '\0' || g_str_has_suffix (node->text, "\n"))
    return;
  if (*header == '-' || (g_ascii_isdigit (*header) && header[1] == '-'))
    return;
  text = g_strconcat (node->text, "\n", NULL);
  node->text = kb_arena_copy_text (self->document->arena, text, strlen (text));
}

/* From the start of the span to its end, which for quotes and blocks is not the token's. */
static gboolean
close_scalar (Builder *self, KbYamlNode *node, Range range)
{
  KbYamlWalk *walk = &self->walk;

  if (is_block_style (node->style))
    {
      char header = node->style == KB_YAML_STYLE_LITERAL ? '|' : '>';

      if (!kb_yaml_walk_take (walk, header) || range.end > walk->length
          || range.start < walk->position)
        return fail_to_locate (self);
      walk->position = kb_yaml_walk_get_block_end (walk, node->span.start, range.start, range.end);
      complete_block (self, node);
    }
  else if (!kb_yaml_walk_reach (walk, range.start, range.end))
    return fail_to_locate (self);
  node->span.end = walk->position;
  return TRUE;
}

static gboolean
check_quotes (Builder *self, const KbYamlNode *node, Range range)
{
  char quote = node->style == KB_YAML_STYLE_SINGLE_QUOTED ? '\'' : '"';

  return range.start < self->walk.length && range.end <= self->walk.length
         && self->walk.data[range.start] == quote && self->walk.data[range.end - 1] == quote;
}

static gboolean
add_scalar (Builder *self, struct fy_event *event)
{
  KbYamlNode *node = new_node (self, KB_YAML_SCALAR);
  struct fy_token *token = event->scalar.value;
  Range range = get_range (self, token);
  gboolean quoted;

  node->style = get_scalar_style (token);
  node->text = is_verbatim (self, node->style, range) ? copy_range (self, range)
                                                      : copy_text (self, token, node->style);
  quoted = node->style == KB_YAML_STYLE_SINGLE_QUOTED || node->style == KB_YAML_STYLE_DOUBLE_QUOTED;
  if (quoted)
    {
      range.start--;
      range.end++;
      if (!check_quotes (self, node, range))
        return fail_to_locate (self);
    }
  else if (node->style == KB_YAML_STYLE_PLAIN && range.start == range.end)
    range = NOWHERE;

  if (!open_node (self, node, event->scalar.anchor, event->scalar.tag, range.start))
    return FALSE;
  if (range.start == G_MAXSIZE)
    node->span.end = node->span.start;
  else if (!close_scalar (self, node, range))
    return FALSE;
  node->type = kb_yaml_scalar_get_type (node);
  attach (self, node);
  return TRUE;
}

static gboolean
add_alias (Builder *self, struct fy_event *event)
{
  KbYamlNode *node = new_node (self, KB_YAML_ALIAS);
  Range range = get_range (self, event->alias.anchor);

  if (range.start == G_MAXSIZE || range.start == 0)
    return fail_to_locate (self);
  self->document->referring = TRUE;
  node->text = copy_range (self, range);
  get_properties (self, node)->target = g_hash_table_lookup (self->anchors, node->text);
  range.start--; /* libfyaml's token is the name without "*" */
  if (!open_node (self, node, NULL, NULL, range.start))
    return FALSE;
  if (!kb_yaml_walk_reach (&self->walk, range.start, range.end))
    return fail_to_locate (self);
  node->span.end = range.end;
  attach (self, node);
  return TRUE;
}

static gboolean
is_bracket (Builder *self, Range range, const char *brackets)
{
  return range.end == range.start + 1 && range.end <= self->walk.length
         && strchr (brackets, self->walk.data[range.start]) != NULL;
}

static gboolean
add_collection (Builder *self,
                KbYamlKind kind,
                struct fy_token *anchor,
                struct fy_token *tag,
                struct fy_token *token)
{
  KbYamlNode *node = new_node (self, kind);
  const Frame *parent = get_frame (self);
  Range range = get_range (self, token);
  Frame frame = { .node = node };

  if (range.start == G_MAXSIZE)
    return fail_to_locate (self);
  if (!open_node (self, node, anchor, tag, range.start))
    return FALSE;
  if (self->frames->len >= MAX_DEPTH)
    return fail (self, node->span.start, KB_YAML_ERROR_TOO_DEEP,
                 _ ("this is nested more than 256 levels deep"));

  frame.brackets = is_bracket (self, range, "[{");
  frame.flow = frame.brackets || (parent != NULL && parent->flow);
  if (frame.brackets && !kb_yaml_walk_reach (&self->walk, range.start, range.end))
    return fail_to_locate (self);
  node->style = frame.flow ? KB_YAML_STYLE_FLOW : KB_YAML_STYLE_BLOCK;
  attach (self, node);
  frame.first = self->children->len;
  g_array_append_val (self->frames, frame);
  return TRUE;
}

static void
keep_children (Builder *self, const Frame *frame)
{
  KbYamlNode *node = frame->node;
  gsize size = count_children (self, frame) * sizeof *node->children;

  node->n_children = count_children (self, frame);
  node->children = kb_arena_allocate (self->document->arena, size);
  if (size > 0)
    memcpy (node->children, self->children->pdata + frame->first, size);
  g_ptr_array_set_size (self->children, (int) frame->first);
}

static gboolean
end_collection (Builder *self, struct fy_token *token)
{
  Frame *frame = get_frame (self);
  Range range = get_range (self, token);

  if (frame == NULL)
    return fail_to_locate (self);
  if (frame->brackets)
    {
      kb_yaml_walk_take (&self->walk, ',');
      if (!is_bracket (self, range, "]}")
          || !kb_yaml_walk_reach (&self->walk, range.start, range.end))
        return fail_to_locate (self);
    }
  frame->node->span.end = self->walk.position;
  keep_children (self, frame);
  g_array_set_size (self->frames, self->frames->len - 1);
  return TRUE;
}

/* "%YAML 1.2" and the like stand before the "---" of their document. */
static void
skip_directives (Builder *self)
{
  KbYamlWalk *walk = &self->walk;

  for (;;)
    {
      kb_yaml_walk_skip_blank (walk);
      if (walk->position >= walk->length || walk->data[walk->position] != '%')
        return;
      while (walk->position < walk->length && strchr ("\r\n", walk->data[walk->position]) == NULL)
        walk->position++;
    }
}

static gboolean
start_document (Builder *self, struct fy_event *event)
{
  Range range = get_range (self, event->document_start.document_start);

  if (++self->documents > 1)
    return fail (self, range.start, KB_YAML_ERROR_MULTIPLE_DOCUMENTS,
                 _ ("a second document starts here; the host reads files with one document only"));
  if (event->document_start.implicit || range.start == G_MAXSIZE)
    return TRUE;
  skip_directives (self);
  return kb_yaml_walk_reach (&self->walk, range.start, range.end) || fail_to_locate (self);
}

static gboolean
end_document (Builder *self, struct fy_event *event)
{
  Range range = get_range (self, event->document_end.document_end);

  if (event->document_end.implicit || range.start == G_MAXSIZE || range.start == range.end)
    return TRUE;
  return kb_yaml_walk_reach (&self->walk, range.start, range.end) || fail_to_locate (self);
}

/* "..." may stand at the end once more, or alone in a file without a document. */
static gboolean
end_stream (Builder *self)
{
  KbYamlWalk *walk = &self->walk;

  do
    kb_yaml_walk_skip_blank (walk);
  while (kb_yaml_walk_take (walk, '.') && kb_yaml_walk_take (walk, '.')
         && kb_yaml_walk_take (walk, '.'));
  return walk->position == walk->length || fail_to_locate (self);
}

static gboolean
handle_event (Builder *self, struct fy_event *event)
{
  if (self->document->n_nodes >= KB_YAML_MAX_NODES)
    return fail (self, self->walk.position, KB_YAML_ERROR_TOO_LARGE,
                 _ ("there are more than 200000 values in this file"));

  switch (event->type)
    {
    case FYET_DOCUMENT_START:
      return start_document (self, event);
    case FYET_DOCUMENT_END:
      return end_document (self, event);
    case FYET_SCALAR:
      return add_scalar (self, event);
    case FYET_ALIAS:
      return add_alias (self, event);
    case FYET_SEQUENCE_START:
      return add_collection (self, KB_YAML_SEQUENCE, event->sequence_start.anchor,
                             event->sequence_start.tag, event->sequence_start.sequence_start);
    case FYET_MAPPING_START:
      return add_collection (self, KB_YAML_MAPPING, event->mapping_start.anchor,
                             event->mapping_start.tag, event->mapping_start.mapping_start);
    case FYET_SEQUENCE_END:
      return end_collection (self, event->sequence_end.sequence_end);
    case FYET_MAPPING_END:
      return end_collection (self, event->mapping_end.mapping_end);
    case FYET_STREAM_END:
      return end_stream (self);
    case FYET_STREAM_START:
    case FYET_NONE:
    default:
      return TRUE;
    }
}

/* What libfyaml complained about first. */
static gboolean
fail_with_diagnostics (Builder *self, struct fy_diag *diag)
{
  void *iterator = NULL;
  struct fy_diag_error *first = fy_diag_errors_iterate (diag, &iterator);
  KbYamlPlace place;

  while (first != NULL && first->type != FYET_ERROR)
    first = fy_diag_errors_iterate (diag, &iterator);
  if (first == NULL || first->line < 1 || first->column < 1)
    return fail_to_locate (self);

  kb_yaml_place_init (&place, self->walk.data, self->walk.length);
  kb_yaml_place_seek (&place, (guint) first->line, (guint) first->column);
  return fail (self, place.offset, KB_YAML_ERROR_SYNTAX, kb_yaml_error_explain (first->msg));
}

static gboolean
run_parser (Builder *self, const char *input, struct fy_parser *parser, struct fy_diag *diag)
{
  gsize length = self->walk.length + (self->line_break != G_MAXSIZE);
  struct fy_event *event;
  gboolean ended = FALSE;

  if (fy_parser_set_string (parser, input, length) != 0)
    return fail_with_diagnostics (self, diag);
  while ((event = fy_parser_parse (parser)) != NULL)
    {
      gboolean good = handle_event (self, event);

      ended = event->type == FYET_STREAM_END;
      fy_parser_event_free (parser, event);
      if (!good)
        return FALSE;
    }
  /* An error inside a document still closes the stream, so ask for it in any case. */
  if (!ended || fy_parser_get_stream_error (parser))
    return fail_with_diagnostics (self, diag);
  return TRUE;
}

/* libfyaml prints to stderr unless its complaints are collected. */
static struct fy_diag *
create_diagnostics (void)
{
  struct fy_diag_cfg cfg;
  struct fy_diag *diag;

  fy_diag_cfg_default (&cfg);
  cfg.fp = NULL;
  cfg.colorize = false;
  diag = fy_diag_create (&cfg);
  fy_diag_set_collect_errors (diag, true);
  return diag;
}

/**
 * kb_yaml_builder_run:
 * @document: a document with its bytes, checked to be UTF-8 without NUL, and no nodes
 * @input: what libfyaml is to read: the same bytes, but for white space
 * @line_break: where @input has a line break more than the document; G_MAXSIZE for nowhere
 * @where: (out): the place of an error
 * @error: a #KbYamlError
 *
 * Fills the document with its nodes.
 *
 * Returns: whether the text is one YAML document, or nothing but comments
 */
gboolean
kb_yaml_builder_run (KbYamlDocument *document,
                     const char *input,
                     gsize line_break,
                     KbYamlSpan *where,
                     GError **error)
{
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  g_autoptr (GPtrArray) children = g_ptr_array_new ();
  g_autoptr (GHashTable) anchors = g_hash_table_new (g_str_hash, g_str_equal);
  struct fy_diag *diag = create_diagnostics ();
  struct fy_parse_cfg cfg = {
    .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE
             | FYPCF_DISABLE_DEPTH_LIMIT | FYPCF_SLOPPY_FLOW_INDENTATION,
    .diag = diag,
  };
  struct fy_parser *parser = fy_parser_create (&cfg);
  Builder self = { .document = document,
                   .frames = frames,
                   .children = children,
                   .anchors = anchors,
                   .line_break = line_break,
                   .where = where,
                   .error = error };
  gboolean good;

  self.walk.data = g_bytes_get_data (document->bytes, &self.walk.length);
  kb_yaml_place_init (&self.place, self.walk.data, self.walk.length);
  self.walk.position = self.place.offset; /* behind a byte order mark */
  good = run_parser (&self, input, parser, diag);
  fy_parser_destroy (parser);
  fy_diag_destroy (diag);
  return good;
}

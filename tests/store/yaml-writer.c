// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "yaml-writer.h"

#include <string.h>

typedef struct
{
  GRand *rand;
  GString *text;
  YamlPage *page;
  const char *eol;
  guint step;
  guint sequence_step;
  guint left;           /* entries still to write */
  guint specials;       /* written so far */
  gboolean scalars;     /* block scalars may come: no comment may stand where it could be text */
  gboolean marked;      /* the last key has a "?": libfyaml takes no tab behind its ":" */
  gboolean open_scalar; /* the last thing was a block scalar: what follows could be its text */
} Writer;

static const char *const plain_scalars[]
    = { "a",    "b-c",  "10",  "0x1F", "1e3",  "true", "null",          "~",     "it's",
        "模型", "🐶🐶", "x#y", ".5",   "a, b", "yes",  "http://h:80/p", "mt::x", "y" };

static const char *const quoted_scalars[]
    = { "'#'", "'it''s # no'", "\"a # b\"", "\"q\\\"q\"", "''", "\"\"", "'模型: x'", "\"{,}\"" };

static const char *const keys[]
    = { "id", "model", "模型", "a b", "mt::glm", "\"q # k\"", "'it''s'", "🐶", "x-y.z" };

static gboolean
chance (Writer *self, int percent)
{
  return g_rand_int_range (self->rand, 0, 100) < percent;
}

static guint
pick (Writer *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (int) n);
}

static void
put (Writer *self, const char *text)
{
  g_string_append (self->text, text);
  self->open_scalar = FALSE;
}

static void
end_line (Writer *self)
{
  if (chance (self, 3))
    g_string_append (self->text, "  ");
  g_string_append (self->text, self->eol);
}

static void
put_column (Writer *self, guint column)
{
  g_string_append_printf (self->text, "%*s", (int) column, "");
}

static void
put_comment (Writer *self)
{
  g_string_append_printf (self->text, "# c%u;", self->page->comments++);
}

static void
put_comment_line (Writer *self, guint column)
{
  put_column (self, column);
  put_comment (self);
  g_string_append (self->text, self->eol);
}

/* Behind something, on the same line. */
static void
put_trailing (Writer *self)
{
  if (!chance (self, 20))
    return;
  g_string_append (self->text, !self->marked && chance (self, 20) ? "\t" : "  ");
  put_comment (self);
}

static YamlEntry *
add_entry (Writer *self, YamlEntry *parent, char *path)
{
  YamlEntry *entry = g_new0 (YamlEntry, 1);

  entry->path = path;
  entry->parent = parent;
  entry->children = g_ptr_array_new ();
  entry->first = self->page->comments;
  entry->specials = self->specials;
  g_ptr_array_add (self->page->entries, entry);
  if (parent != NULL)
    g_ptr_array_add (parent->children, entry);
  return entry;
}

static void
finish_entry (Writer *self, YamlEntry *entry)
{
  entry->end = self->page->comments;
  entry->specials = self->specials - entry->specials;
}

/* Comments that belong to nobody, and blank lines. */
static void
put_gap (Writer *self, guint column)
{
  if (self->open_scalar || !chance (self, 15))
    return;
  g_string_append (self->text, self->eol);
  if (!chance (self, 40))
    return;
  put_comment_line (self, column + (self->scalars ? 0 : pick (self, 3)));
  g_string_append (self->text, self->eol);
}

/* The block of comments directly above an entry. */
static gboolean
put_above (Writer *self, guint column, gboolean first)
{
  if (!chance (self, 20))
    return FALSE;
  for (guint n = 1 + pick (self, 2); n > 0; n--)
    {
      guint at = column;

      if (!self->scalars && first && chance (self, 10))
        at += 2;
      put_comment_line (self, at);
    }
  return TRUE;
}

/* Deeper than the entry that ends here, but not deeper than the last one inside of it. */
static void
put_deeper (Writer *self, guint column, guint inner)
{
  guint last = MIN (column + 4, inner);

  if (!self->open_scalar && last > column && chance (self, 6))
    put_comment_line (self, column + 1 + pick (self, last - column));
}

static void
put_special (Writer *self, gboolean flow)
{
  self->specials++;
  if (chance (self, 50))
    put (self, flow ? "!!js \"a, b\"" : "!!js process.env.X ?? 'y'");
  else
    g_string_append_printf (self->text, "&n%u x", self->specials);
}

static void
put_inline_scalar (Writer *self, guint column, gboolean flow)
{
  if (chance (self, 2))
    put_special (self, flow);
  else if (chance (self, 60))
    {
      const char *text = plain_scalars[pick (self, G_N_ELEMENTS (plain_scalars))];

      put (self, flow && strpbrk (text, ",[]") != NULL ? "z" : text);
    }
  else if (!flow && chance (self, 10))
    g_string_append_printf (self->text, "\"one%s%*stwo\"", self->eol, (int) column + 1, "");
  else
    put (self, quoted_scalars[pick (self, G_N_ELEMENTS (quoted_scalars))]);
}

static void
put_block_scalar (Writer *self, guint column)
{
  static const char *const headers[] = { "|", ">", "|-", ">-", "|+", "|2", ">1+" };
  const char *header = headers[pick (self, G_N_ELEMENTS (headers))];
  guint indent = column + 2;

  if (strchr (header, '+') != NULL && !chance (self, 30))
    header = "|";
  if (strchr (header, '+') != NULL)
    self->page->touchy = TRUE;
  if (header[1] == '1')
    indent = column + 1;
  put (self, header);
  put_trailing (self);
  g_string_append (self->text, self->eol);
  for (guint n = 1 + pick (self, 3); n > 0; n--)
    {
      put_column (self, indent);
      g_string_append_printf (self->text, "%s%s", chance (self, 30) ? "# text" : "text: x",
                              self->eol);
      if (n > 1 && chance (self, 20))
        g_string_append (self->text, self->eol);
    }
  self->open_scalar = TRUE;
}

static char *
make_key (Writer *self, guint index, char **path, const YamlEntry *parent)
{
  const char *pattern = keys[pick (self, G_N_ELEMENTS (keys))];
  g_autoptr (GString) name = g_string_new (pattern);
  g_autofree char *plain = NULL;

  if (*pattern == '"' || *pattern == '\'')
    {
      g_string_insert_c (name, 1, (char) ('a' + (index % 26)));
      plain = g_strndup (name->str + 1, name->len - 2);
      if (*pattern == '\'')
        plain = (g_free (plain), g_strdup_printf ("%cit's", 'a' + (index % 26)));
    }
  else
    {
      g_string_append_printf (name, "%u", index);
      plain = g_strdup (name->str);
    }
  *path = g_strdup_printf ("%s[\"%s\"]", parent->path, plain);
  return g_string_free_and_steal (g_steal_pointer (&name));
}

static void put_flow (Writer *self, YamlEntry *entry, guint column);

static void
put_flow_value (Writer *self, YamlEntry *entry, guint column)
{
  if (self->left > 0 && chance (self, 25))
    put_flow (self, entry, column);
  else
    put_inline_scalar (self, column, TRUE);
}

static void
put_flow_entry (Writer *self, YamlEntry *parent, guint index, guint column)
{
  YamlEntry *entry;
  char *path;

  if (parent->mapping)
    {
      g_autofree char *key = make_key (self, index, &path, parent);

      put (self, key);
      put (self, ": ");
    }
  else
    path = g_strdup_printf ("%s[%u]", parent->path, index);
  entry = add_entry (self, parent, path);
  put_flow_value (self, entry, column);
  entry->value = entry->first;
  finish_entry (self, entry);
}

static void
put_flow_line (Writer *self, YamlEntry *parent, guint index, guint column, gboolean comma)
{
  guint first = self->page->comments;
  gboolean above;
  YamlEntry *entry;

  put_gap (self, column);
  first = self->page->comments;
  above = put_above (self, column, index == 0);
  put_column (self, column);
  put_flow_entry (self, parent, index, column);
  entry = parent->children->pdata[index];
  entry->value = entry->first;
  entry->first = first;
  entry->above = above;
  if (comma)
    put (self, ",");
  put_trailing (self);
  end_line (self);
  put_deeper (self, column, G_MAXUINT);
  entry->end = self->page->comments;
}

static void
put_flow (Writer *self, YamlEntry *entry, guint column)
{
  guint length = pick (self, 4);
  gboolean lines = length > 0 && chance (self, 40);
  const char *pad = chance (self, 40) && !lines ? " " : "";
  gboolean trailing = chance (self, 15);

  entry->value = self->page->comments;
  entry->mapping = chance (self, 50);
  entry->sequence = !entry->mapping;
  length = MIN (length, self->left);
  lines = lines && length > 0;
  self->left -= length;
  put (self, entry->mapping ? "{" : "[");
  put (self, length > 0 ? pad : "");
  if (lines)
    {
      put_trailing (self);
      end_line (self);
    }
  for (guint i = 0; i < length; i++)
    {
      gboolean comma = i + 1 < length || trailing;

      if (lines)
        {
          put_flow_line (self, entry, i, column + 2, comma);
          continue;
        }
      put_flow_entry (self, entry, i, column);
      put (self, comma ? (i + 1 < length ? ", " : ",") : "");
    }
  if (lines)
    put_column (self, column + 1);
  else
    put (self, length > 0 ? pad : "");
  put (self, entry->mapping ? "}" : "]");
}

static void put_block (Writer *self, YamlEntry *entry, guint column, gboolean inside_line);

/*
 * A value behind "- " or "key:", and everything up to the end of its last line; returns the
 * column of the entries in it, if it is a block.
 */
static guint
put_value (Writer *self, YamlEntry *entry, guint column, gboolean below_key)
{
  gboolean block = self->left > 0 && chance (self, 40);
  guint inner = column + (entry->parent->sequence ? 2 : self->step);

  entry->value = self->page->comments;
  if (block && !below_key && chance (self, 70))
    {
      put (self, " ");
      put_block (self, entry, column + 2, TRUE);
      return column + 2;
    }
  if (block)
    {
      entry->mapping = chance (self, 50);
      if (!entry->mapping && below_key)
        inner = column + self->sequence_step;
      put_trailing (self);
      entry->value = self->page->comments;
      end_line (self);
      put_block (self, entry, inner, FALSE);
      return inner;
    }
  if (chance (self, 5) && (below_key || self->page->touchy || chance (self, 20)))
    {
      self->page->touchy |= !below_key;
      put_trailing (self); /* an absent value */
      end_line (self);
      return G_MAXUINT;
    }
  put (self, below_key && !self->marked && chance (self, 10) ? "\t" : " ");
  if (self->scalars && chance (self, 20))
    {
      put_block_scalar (self, column);
      return G_MAXUINT;
    }
  if (self->left > 0 && chance (self, 25))
    put_flow (self, entry, column);
  else
    put_inline_scalar (self, column, FALSE);
  put_trailing (self);
  end_line (self);
  return G_MAXUINT;
}

/* "key:", now and then in the long form; returns the path of the pair. */
static char *
put_key (Writer *self, YamlEntry *parent, guint index, guint column, gboolean shared)
{
  char *path;
  g_autofree char *key = make_key (self, index, &path, parent);
  gboolean marked = !shared && chance (self, 4);

  self->marked = marked;
  put (self, marked ? "? " : "");
  put (self, key);
  if (marked)
    {
      g_string_append (self->text, self->eol);
      put_column (self, column);
    }
  put (self, ":");
  return path;
}

static void
put_block_entry (Writer *self, YamlEntry *parent, guint index, guint column, gboolean shared)
{
  YamlEntry *entry;
  char *path;
  guint first = self->page->comments;
  gboolean above = FALSE;

  if (!shared)
    {
      put_gap (self, column);
      first = self->page->comments;
      above = put_above (self, column, index == 0);
      put_column (self, column);
    }
  if (parent->mapping)
    path = put_key (self, parent, index, column, shared);
  else
    {
      path = g_strdup_printf ("%s[%u]", parent->path, index);
      put (self, "-");
    }
  entry = add_entry (self, parent, path);
  entry->first = first;
  entry->above = above;
  entry->shared = shared;
  put_deeper (self, column, put_value (self, entry, column, parent->mapping));
  finish_entry (self, entry);
}

static void
put_block (Writer *self, YamlEntry *entry, guint column, gboolean inside_line)
{
  guint length = MIN (1 + pick (self, 4), MAX (self->left, 1));

  if (inside_line)
    entry->mapping = chance (self, 60);
  entry->sequence = !entry->mapping;
  self->left -= MIN (length, self->left);
  for (guint i = 0; i < length; i++)
    put_block_entry (self, entry, i, column, inside_line && i == 0);
}

static void
put_root (Writer *self)
{
  YamlEntry *root = add_entry (self, NULL, g_strdup (""));

  if (chance (self, 10))
    put (self, "\xef\xbb\xbf");
  if (chance (self, 20))
    {
      put_comment_line (self, 0);
      g_string_append (self->text, self->eol);
    }
  if (chance (self, 10))
    {
      put (self, "---");
      g_string_append (self->text, self->eol);
    }
  if (chance (self, 12))
    {
      put_flow (self, root, 0);
      put_trailing (self);
      end_line (self);
    }
  else
    {
      root->mapping = chance (self, 50);
      put_block (self, root, 0, FALSE);
    }
  finish_entry (self, root);
  if (!self->open_scalar && chance (self, 10))
    put_comment_line (self, 0);
  if (chance (self, 5))
    g_string_append_printf (self->text, "...%s", self->eol);
  else if (chance (self, 10))
    g_string_truncate (self->text, self->text->len - strlen (self->eol));
}

static void
entry_free (gpointer data)
{
  YamlEntry *entry = data;

  g_free (entry->path);
  g_ptr_array_unref (entry->children);
  g_free (entry);
}

YamlPage *
yaml_page_new (GRand *rand)
{
  YamlPage *page = g_new0 (YamlPage, 1);
  Writer writer = { .rand = rand, .page = page };

  page->entries = g_ptr_array_new_with_free_func (entry_free);
  writer.text = g_string_new (NULL);
  writer.eol = chance (&writer, 20) ? "\r\n" : "\n";
  writer.step = 1 + pick (&writer, 8);
  writer.sequence_step = chance (&writer, 30) ? 0 : writer.step;
  writer.scalars = chance (&writer, 60);
  writer.left = 2 + pick (&writer, 24);
  put_root (&writer);
  page->text = g_string_free_and_steal (writer.text);
  return page;
}

void
yaml_page_free (YamlPage *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

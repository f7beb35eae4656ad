// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Random documents, random edits. Whose a comment is comes from the writer of the document,
 * not from the editor; where the editor may refuse is said here, so it cannot hide behind it.
 */

#include "store/kb-yaml-edit.h"

#include <string.h>

#include "yaml-check.h"
#include "yaml-splice-check.h"
#include "yaml-writer.h"

#define N_PAGES 1500
#define N_EDITS 8

typedef struct
{
  const YamlPage *page;
  const YamlEntry *entry;
  KbYamlChange *change; /* owned */
  GArray *comments;     /* owned: guint, the numbers in the order they must have */
  guint maybe_from;     /* comments that go with a replaced value may be there or not */
  guint maybe_to;
  gboolean may_refuse;
} Trial;

typedef struct
{
  guint accepted;
  guint refused;
  guint unread;
  guint spliced; /* of the accepted, parsed in part */
} Score;

static const char *const values[] = {
  "7",   "x",     "'yes'",     "'a: b'", "[p, q]",    "{k: 1, l: [m, {n: o}]}",     "{}",
  "[]",  "'# x'", "\"a\\nb\"", "null",   "'模型 🐶'", "{provider: a, model: b::c}", "' x '",
  "'{'",
};

static void
trial_clear (Trial *self)
{
  g_clear_pointer (&self->change, kb_yaml_change_free);
  g_clear_pointer (&self->comments, g_array_unref);
}

static void
add_range (GArray *comments, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    g_array_append_val (comments, i);
}

static gboolean
is_special_above (const YamlEntry *entry)
{
  for (; entry != NULL; entry = entry->parent)
    if (entry->specials > 0)
      return TRUE;
  return FALSE;
}

static KbYamlPath *
parse_path (const char *text)
{
  g_autoptr (GError) error = NULL;
  KbYamlPath *path = kb_yaml_path_parse (text, &error);

  g_assert_no_error (error);
  return path;
}

static KbYamlTree *
make_value (GRand *rand)
{
  g_autoptr (GError) error = NULL;
  KbYamlTree *tree
      = kb_yaml_tree_from_text (values[g_rand_int_range (rand, 0, G_N_ELEMENTS (values))], &error);

  g_assert_no_error (error);
  return tree;
}

static void
make_set (Trial *self, GRand *rand)
{
  g_autoptr (KbYamlPath) path = parse_path (self->entry->path);
  g_autoptr (KbYamlTree) value = make_value (rand);

  self->change = kb_yaml_change_new_set (path, value);
  add_range (self->comments, 0, self->page->comments);
  if (self->entry->mapping || self->entry->sequence)
    {
      self->maybe_from = self->entry->value;
      self->maybe_to = self->entry->end;
    }
  self->may_refuse = self->entry->specials > 0;
}

static void
make_remove (Trial *self)
{
  g_autoptr (KbYamlPath) path = parse_path (self->entry->path);

  self->change = kb_yaml_change_new_remove (path);
  add_range (self->comments, 0, self->entry->first);
  add_range (self->comments, self->entry->end, self->page->comments);
  self->may_refuse = self->entry->specials > 0;
}

static void
make_new_key (Trial *self, GRand *rand)
{
  g_autofree char *text = g_strdup_printf ("%s[\"new # key\"]", self->entry->path);
  g_autoptr (KbYamlPath) path = parse_path (text);
  g_autoptr (KbYamlTree) value = make_value (rand);

  self->change = kb_yaml_change_new_set (path, value);
  add_range (self->comments, 0, self->page->comments);
}

static void
make_insert (Trial *self, GRand *rand)
{
  int length = (int) self->entry->children->len;
  g_autofree char *text
      = g_strdup_printf ("%s[%d]", self->entry->path, g_rand_int_range (rand, 0, length + 1));
  g_autoptr (KbYamlPath) path = parse_path (text);
  g_autoptr (KbYamlTree) value = make_value (rand);

  self->change = kb_yaml_change_new_insert (path, value);
  add_range (self->comments, 0, self->page->comments);
}

static void
make_move (Trial *self, GRand *rand)
{
  GPtrArray *items = self->entry->children;
  guint from = (guint) g_rand_int_range (rand, 0, (int) items->len);
  guint to = (guint) g_rand_int_range (rand, 0, (int) items->len);
  g_autofree char *text = g_strdup_printf ("%s[%u]", self->entry->path, from);
  g_autoptr (KbYamlPath) path = parse_path (text);
  guint position = 0;

  self->change = kb_yaml_change_new_move (path, to);
  for (guint i = 0; i < items->len; i++)
    {
      guint source = i;
      const YamlEntry *slot = items->pdata[i];
      const YamlEntry *item;

      if (i >= MIN (from, to) && i <= MAX (from, to))
        source = i == to ? from : from < to ? i + 1 : i - 1;
      item = items->pdata[source];
      add_range (self->comments, position, slot->first);
      add_range (self->comments, item->first, item->end);
      position = slot->end;
      self->may_refuse |= item->specials > 0 || (slot->shared && item->above);
    }
  add_range (self->comments, position, self->page->comments);
}

static void
make_trial (Trial *self, GRand *rand)
{
  guint entries = self->page->entries->len;
  int what = g_rand_int_range (rand, 0, 4);

  self->entry = self->page->entries->pdata[g_rand_int_range (rand, 0, (int) entries)];
  self->comments = g_array_new (FALSE, FALSE, sizeof (guint));
  if (self->entry->parent != NULL && what < 2)
    {
      if (what == 0)
        make_set (self, rand);
      else
        make_remove (self);
    }
  else if (self->entry->sequence && self->entry->children->len > 1 && what == 3)
    make_move (self, rand);
  else if (self->entry->sequence)
    make_insert (self, rand);
  else if (self->entry->mapping)
    make_new_key (self, rand);
  else
    make_set (self, rand);
  self->may_refuse |= is_special_above (self->entry) || self->page->touchy;
}

static GArray *
read_comments (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", size);
  GArray *comments = g_array_new (FALSE, FALSE, sizeof (guint));

  for (char *at = strstr (text, "# c"); at != NULL; at = strstr (at + 1, "# c"))
    {
      guint number = (guint) g_ascii_strtoull (at + 3, NULL, 10);

      g_array_append_val (comments, number);
    }
  return comments;
}

static void
check_comments (const Trial *self, GBytes *after)
{
  g_autoptr (GArray) found = read_comments (after);
  guint at = 0;

  for (guint i = 0; i < self->comments->len; i++)
    {
      guint wanted = g_array_index (self->comments, guint, i);

      if (at < found->len && g_array_index (found, guint, at) == wanted)
        at++;
      else
        g_assert_true (wanted >= self->maybe_from && wanted < self->maybe_to);
    }
  g_assert_cmpuint (at, ==, found->len);
}

static void
check_bytes (KbSplices *splices, GBytes *before, GBytes *after)
{
  gsize size, size_after, at = 0, at_after = 0;
  const char *data = g_bytes_get_data (before, &size);
  const char *data_after = g_bytes_get_data (after, &size_after);
  g_autoptr (KbSplices) inverse = kb_splices_invert (splices, before);
  g_autoptr (GBytes) back = kb_splices_apply (inverse, after);

  for (guint i = 0; i < kb_splices_get_length (splices); i++)
    {
      const KbSplice *splice = kb_splices_get (splices, i);

      g_assert_cmpmem (data + at, splice->start - at, data_after + at_after, splice->start - at);
      at_after += splice->start - at + strlen (splice->text);
      at = splice->end;
    }
  g_assert_cmpmem (data + at, size - at, data_after + at_after, size_after - at_after);
  g_assert_true (g_bytes_equal (back, before));
}

/* A text that ended with a newline still does, and one line has one kind of end. */
static void
check_lines (GBytes *before, GBytes *after)
{
  gsize size, size_after;
  const char *data = g_bytes_get_data (before, &size);
  const char *data_after = g_bytes_get_data (after, &size_after);
  gboolean crlf = memmem (data, size, "\r\n", 2) != NULL;

  g_assert_cmpuint (size_after, >, 0);
  g_assert_true (data[size - 1] != '\n' || data_after[size_after - 1] == '\n');
  for (gsize i = 0; i < size_after; i++)
    if (data_after[i] == '\n')
      g_assert_true ((i > 0 && data_after[i - 1] == '\r') == crlf || !strchr (data, '\n'));
}

static void
run_trial (Trial *self, KbYamlDocument *document, Score *score)
{
  GBytes *before = kb_yaml_document_get_bytes (document);
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSplices) splices
      = kb_yaml_edit_plan (document, self->change, KB_YAML_EDIT_DEFAULT, &error);
  g_autoptr (KbYamlDocument) result = NULL;
  g_autoptr (GBytes) after = NULL;

  if (splices == NULL)
    {
      g_assert_nonnull (error);
      g_assert_cmpuint (strlen (error->message), >, 20);
      if (!self->may_refuse)
        g_test_message ("refused: %s", error->message);
      g_assert_true (self->may_refuse);
      score->refused++;
      return;
    }
  after = kb_splices_apply (splices, before);
  g_test_message ("after:\n%.*s", (int) g_bytes_get_size (after),
                  (const char *) g_bytes_get_data (after, NULL));
  check_bytes (splices, before, after);
  score->spliced += check_splice (document, splices, after);
  check_comments (self, after);
  check_lines (before, after);
  result = kb_yaml_document_parse (after, NULL, &error);
  g_assert_no_error (error);
  check_document (result);
  score->accepted++;
}

static void
test_random (void)
{
  const char *seed = g_getenv ("KOBOSHI_TEST_SEED");
  g_autoptr (GRand) rand = g_rand_new_with_seed (
      seed != NULL ? (guint32) g_ascii_strtoull (seed, NULL, 10) : 20260912);
  Score score = { 0 };

  for (guint i = 0; i < N_PAGES; i++)
    {
      g_autoptr (YamlPage) page = yaml_page_new (rand);
      g_autoptr (GBytes) before = g_bytes_new (page->text, strlen (page->text));
      g_autoptr (GError) error = NULL;
      g_autoptr (KbYamlDocument) document = kb_yaml_document_parse (before, NULL, &error);

      /* What libfyaml does not read is not edited, but such texts are rare. */
      if (document == NULL)
        {
          g_test_message ("%s in:\n%s", error->message, page->text);
          score.unread++;
          continue;
        }
      for (guint j = 0; j < N_EDITS; j++)
        {
          Trial trial = { .page = page };
          g_autofree char *path = NULL;

          make_trial (&trial, rand);
          path = kb_yaml_path_to_string (trial.change->path);
          g_test_message ("page %u, %d at %s to %u in:\n%s", i, (int) trial.change->operation, path,
                          trial.change->position, page->text);
          run_trial (&trial, document, &score);
          trial_clear (&trial);
        }
    }
  g_test_message ("%u accepted, %u refused, %u texts not read", score.accepted, score.refused,
                  score.unread);
  g_assert_cmpuint (score.unread, <, N_PAGES / 50);
  g_assert_cmpuint (score.accepted, >, N_PAGES * N_EDITS * 3 / 4);
  g_assert_cmpuint (score.spliced, >, N_PAGES * N_EDITS / 20);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/yaml-edit/random", test_random);
  return g_test_run ();
}

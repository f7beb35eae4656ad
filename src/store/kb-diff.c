// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-diff.h"

#include <string.h>

#define CONTEXT 3

/* Texts that differ in more lines than this are shown as one change: the search would cost
 * the square of it in memory. */
#define MAX_DIFFERENCES 1000

typedef struct
{
  const char *data;
  gsize length;
} Line;

typedef struct
{
  GBytes *bytes; /* borrowed */
  GArray *lines; /* owned: Line, each with its line end */
} Text;

/* Lines that differ, as ranges of both texts. */
typedef struct
{
  guint old_start; /* 0-based */
  guint old_end;
  guint new_start;
  guint new_end;
} Change;

static void
text_clear (Text *self)
{
  g_array_unref (self->lines);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Text, text_clear)

static Text
text_split (GBytes *bytes)
{
  Text self = { bytes, g_array_new (FALSE, FALSE, sizeof (Line)) };
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  while (size > 0)
    {
      const char *end = memchr (data, '\n', size);
      Line line = { data, end != NULL ? (gsize) (end - data) + 1 : size };

      g_array_append_val (self.lines, line);
      data += line.length;
      size -= line.length;
    }
  return self;
}

static const Line *
get_line (const Text *text, guint index)
{
  return &g_array_index (text->lines, Line, index);
}

static gboolean
same_line (const Text *a, guint i, const Text *b, guint j)
{
  const Line *first = get_line (a, i);
  const Line *second = get_line (b, j);

  return first->length == second->length && memcmp (first->data, second->data, first->length) == 0;
}

static void
add_change (GArray *changes, Change change)
{
  Change *last = changes->len > 0 ? &g_array_index (changes, Change, changes->len - 1) : NULL;

  if (last != NULL && last->old_end == change.old_start && last->new_end == change.new_start)
    {
      last->old_end = change.old_end;
      last->new_end = change.new_end;
      return;
    }
  g_array_append_val (changes, change);
}

/* One round of the greedy search: how far each diagonal gets with @d differences. */
static gboolean
advance (const Text *a, const Text *b, const Change *range, int d, int *reach)
{
  int old_length = (int) (range->old_end - range->old_start);
  int new_length = (int) (range->new_end - range->new_start);

  for (int k = -d; k <= d; k += 2)
    {
      gboolean down = k == -d || (k != d && reach[k - 1] < reach[k + 1]);
      int x = down ? reach[k + 1] : reach[k - 1] + 1;
      int y = x - k;

      while (x < old_length && y < new_length && y >= 0
             && same_line (a, range->old_start + (guint) x, b, range->new_start + (guint) y))
        x++, y++;
      reach[k] = x;
      if (x >= old_length && y >= new_length)
        return TRUE;
    }
  return FALSE;
}

/* Walks back through the rounds; @trace holds the reach before each. */
static void
collect (const GPtrArray *trace, const Change *range, GArray *changes)
{
  g_autoptr (GArray) backwards = g_array_new (FALSE, FALSE, sizeof (Change));
  int x = (int) (range->old_end - range->old_start);
  int y = (int) (range->new_end - range->new_start);

  for (int d = (int) trace->len - 1; d > 0; d--)
    {
      const int *reach = (const int *) trace->pdata[d] + d;
      int k = x - y;
      gboolean down = k == -d || (k != d && reach[k - 1] < reach[k + 1]);
      int from_x = down ? reach[k + 1] : reach[k - 1];
      int from_y = from_x - (down ? k + 1 : k - 1);
      Change change
          = { range->old_start + (guint) from_x, range->old_start + (guint) from_x + (down ? 0 : 1),
              range->new_start + (guint) from_y,
              range->new_start + (guint) from_y + (down ? 1 : 0) };

      g_array_append_val (backwards, change);
      x = from_x;
      y = from_y;
    }
  for (guint i = backwards->len; i > 0; i--)
    add_change (changes, g_array_index (backwards, Change, i - 1));
}

/* E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). */
static void
compare_range (const Text *a, const Text *b, const Change *range, GArray *changes)
{
  g_autoptr (GPtrArray) trace = g_ptr_array_new_with_free_func (g_free);
  int most = (int) MIN ((range->old_end - range->old_start) + (range->new_end - range->new_start),
                        MAX_DIFFERENCES);
  g_autofree int *memory = g_new0 (int, 2 * (gsize) most + 3);
  int *reach = memory + most + 1;

  for (int d = 0; d <= most; d++)
    {
      /* Round @d reads the diagonals from -d to d. */
      g_ptr_array_add (trace, g_memdup2 (reach - d, (2 * (gsize) d + 1) * sizeof (int)));
      if (advance (a, b, range, d, reach))
        {
          collect (trace, range, changes);
          return;
        }
    }
  add_change (changes, *range);
}

static GArray *
compare (const Text *a, const Text *b)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (Change));
  Change range = { 0, a->lines->len, 0, b->lines->len };

  while (range.old_start < range.old_end && range.new_start < range.new_end
         && same_line (a, range.old_start, b, range.new_start))
    {
      range.old_start++;
      range.new_start++;
    }
  while (range.old_start < range.old_end && range.new_start < range.new_end
         && same_line (a, range.old_end - 1, b, range.new_end - 1))
    {
      range.old_end--;
      range.new_end--;
    }
  if (range.old_start == range.old_end || range.new_start == range.new_end)
    {
      if (range.old_start != range.old_end || range.new_start != range.new_end)
        add_change (changes, range);
      return changes;
    }
  compare_range (a, b, &range, changes);
  return changes;
}

static void
append_line (GString *diff, char mark, const Line *line)
{
  g_string_append_c (diff, mark);
  g_string_append_len (diff, line->data, (gssize) line->length);
  if (line->data[line->length - 1] != '\n')
    g_string_append (diff, "\n\\ No newline at end of file\n");
}

static void
append_lines (GString *diff, char mark, const Text *text, guint start, guint end)
{
  for (guint i = start; i < end; i++)
    append_line (diff, mark, get_line (text, i));
}

/* An empty range is named by the line before it. */
static void
append_range (GString *diff, char mark, guint start, guint length)
{
  g_string_append_printf (diff, "%c%u", mark, length > 0 ? start + 1 : start);
  if (length != 1)
    g_string_append_printf (diff, ",%u", length);
}

/* One hunk: changes from @first on whose contexts touch. Returns the first of the next. */
static guint
append_hunk (GString *diff, const Text *a, const Text *b, const GArray *changes, guint first)
{
  const Change *change = &g_array_index (changes, Change, first);
  guint lead = MIN (change->old_start, CONTEXT);
  guint old_start = change->old_start - lead;
  guint new_start = change->new_start - lead;
  guint last = first;
  guint old_end, new_end, position;

  while (last + 1 < changes->len
         && g_array_index (changes, Change, last + 1).old_start
                <= g_array_index (changes, Change, last).old_end + 2 * CONTEXT)
    last++;
  change = &g_array_index (changes, Change, last);
  old_end = MIN (change->old_end + CONTEXT, a->lines->len);
  new_end = change->new_end + (old_end - change->old_end);

  g_string_append (diff, "@@ ");
  append_range (diff, '-', old_start, old_end - old_start);
  g_string_append_c (diff, ' ');
  append_range (diff, '+', new_start, new_end - new_start);
  g_string_append (diff, " @@\n");
  position = old_start;
  for (guint i = first; i <= last; i++)
    {
      change = &g_array_index (changes, Change, i);
      append_lines (diff, ' ', a, position, change->old_start);
      append_lines (diff, '-', a, change->old_start, change->old_end);
      append_lines (diff, '+', b, change->new_start, change->new_end);
      position = change->old_end;
    }
  append_lines (diff, ' ', a, position, old_end);
  return last + 1;
}

/* patch(1) takes a name up to a tab; control characters need its quoted form. */
static void
append_name (GString *diff, const char *mark, const char *prefix, const char *name)
{
  g_autofree char *quoted = NULL;

  if (name == NULL)
    {
      g_string_append_printf (diff, "%s /dev/null\n", mark);
      return;
    }
  for (const char *c = name; *c != '\0'; c++)
    if ((unsigned char) *c < ' ' || *c == '"' || *c == '\\')
      {
        quoted = g_strescape (name, NULL);
        g_string_append_printf (diff, "%s \"%s/%s\"\n", mark, prefix, quoted);
        return;
      }
  g_string_append_printf (diff, "%s %s/%s%s\n", mark, prefix, name,
                          strchr (name, ' ') != NULL ? "\t" : "");
}

/**
 * kb_diff_unified:
 * @old_name: (nullable): a relative path; %NULL if the file did not exist
 * @new_name: (nullable): a relative path; %NULL if the file does not exist any more
 * @before: a text
 * @after: a text
 *
 * Returns: (transfer full): a unified diff with three lines of context that `patch -p1`
 *   applies; empty if there is no difference
 */
char *
kb_diff_unified (const char *old_name, const char *new_name, GBytes *before, GBytes *after)
{
  g_autoptr (GString) diff = g_string_new (NULL);
  g_autoptr (GArray) changes = NULL;
  g_auto (Text) a = text_split (before);
  g_auto (Text) b = text_split (after);

  changes = compare (&a, &b);
  if (changes->len == 0)
    return g_string_free_and_steal (g_steal_pointer (&diff));
  append_name (diff, "---", "a", old_name);
  append_name (diff, "+++", "b", new_name);
  for (guint i = 0; i < changes->len;)
    i = append_hunk (diff, &a, &b, changes, i);
  return g_string_free_and_steal (g_steal_pointer (&diff));
}

static gsize
get_offset (const Text *text, guint line)
{
  gsize size;
  const char *data = g_bytes_get_data (text->bytes, &size);

  return line < text->lines->len ? (gsize) (get_line (text, line)->data - data) : size;
}

/* Within the lines that differ, only the bytes that do, on boundaries of characters. */
static void
add_splice (KbSplices *splices, const Text *a, const Text *b, const Change *change)
{
  const char *old_data = g_bytes_get_data (a->bytes, NULL);
  const char *new_data = g_bytes_get_data (b->bytes, NULL);
  gsize start = get_offset (a, change->old_start);
  gsize end = get_offset (a, change->old_end);
  gsize from = get_offset (b, change->new_start);
  gsize to = get_offset (b, change->new_end);
  g_autofree char *text = NULL;

  while (start < end && from < to && old_data[start] == new_data[from])
    start++, from++;
  while ((start < end && ((unsigned char) old_data[start] & 0xc0) == 0x80)
         || (from < to && ((unsigned char) new_data[from] & 0xc0) == 0x80))
    start--, from--;
  while (start < end && from < to && old_data[end - 1] == new_data[to - 1])
    end--, to--;
  while ((end < g_bytes_get_size (a->bytes) && ((unsigned char) old_data[end] & 0xc0) == 0x80)
         || (to < g_bytes_get_size (b->bytes) && ((unsigned char) new_data[to] & 0xc0) == 0x80))
    end++, to++;
  text = to > from ? g_strndup (new_data + from, to - from) : g_strdup ("");
  kb_splices_add (splices, start, end, text);
}

/**
 * kb_diff_to_splices:
 * @before: a text in UTF-8
 * @after: a text in UTF-8
 *
 * Returns: (transfer full): replacements that lead from one to the other
 */
KbSplices *
kb_diff_to_splices (GBytes *before, GBytes *after)
{
  KbSplices *splices = kb_splices_new ();
  g_autoptr (GArray) changes = NULL;
  g_auto (Text) a = text_split (before);
  g_auto (Text) b = text_split (after);

  changes = compare (&a, &b);
  for (guint i = 0; i < changes->len; i++)
    add_splice (splices, &a, &b, &g_array_index (changes, Change, i));
  return splices;
}

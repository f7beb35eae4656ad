// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-channel-list.h"

#include "signal-log.h"

#include <string.h>

#define NOW G_GINT64_CONSTANT (1789096234000)

/* A chain written as letters, "abc|xy": what stands behind the bar is outside of it. */
static GArray *
make_facts (const char *text)
{
  GArray *facts = g_array_new (FALSE, TRUE, sizeof (KbChannelFacts));
  gboolean in_chain = TRUE;
  guint position = 0;

  for (const char *at = text; *at != '\0'; at++)
    {
      g_autofree char *model = g_strndup (at, 1);
      KbChannelFacts one = { .source = "daruma", .origin = "file", .known = TRUE };

      if (*at == '|')
        {
          in_chain = FALSE;
          continue;
        }
      one.ref = kb_channel_ref_new ("p", model);
      one.position = in_chain ? ++position : 0;
      g_array_append_val (facts, one);
    }
  return facts;
}

static void
free_facts (GArray *facts)
{
  for (guint i = 0; i < facts->len; i++)
    kb_channel_ref_free ((KbChannelRef *) g_array_index (facts, KbChannelFacts, i).ref);
  g_array_unref (facts);
}

static gboolean
update (KbChannelList *list, const char *text)
{
  GArray *facts = make_facts (text);
  gboolean changed
      = kb_channel_list_update (list, (KbChannelFacts *) (gpointer) facts->data, facts->len, NOW);

  free_facts (facts);
  return changed;
}

static char *
read_list (GListModel *model)
{
  GString *text = g_string_new (NULL);
  guint n_items = g_list_model_get_n_items (model);
  gboolean in_chain = TRUE;

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (model, i);

      if (in_chain && !kb_channel_get_in_chain (channel))
        g_string_append_c (text, '|');
      in_chain = kb_channel_get_in_chain (channel);
      g_string_append (text, kb_channel_get_model (channel));
    }
  return g_string_free (text, FALSE);
}

static void
assert_list (KbChannelList *list, const char *expected)
{
  g_autofree char *text = read_list (G_LIST_MODEL (list));

  g_assert_cmpstr (text, ==, expected);
}

typedef struct
{
  const char *name;
  const char *before;
  const char *after;
  const char *signals[5];
} Case;

static const Case cases[] = {
  { "same", "abc", "abc", { NULL } },
  { "first", "", "abc", { "items 0 -0 +3" } },
  { "last", "abc", "", { "items 0 -3 +0" } },
  { "append", "ab", "abc", { "items 2 -0 +1" } },
  { "prepend", "bc", "abc", { "items 0 -0 +1" } },
  { "remove-middle", "abc", "ac", { "items 1 -1 +0" } },
  { "replace", "abc", "axc", { "items 1 -1 +1" } },
  { "replace-more", "abcd", "axyzd", { "items 1 -2 +3" } },
  { "move-down", "abcd", "bcda", { "items 0 -1 +0", "items 3 -0 +1" } },
  { "move-up", "abcd", "dabc", { "items 3 -1 +0", "items 0 -0 +1" } },
  { "move-run-up", "abcde", "deabc", { "items 3 -2 +0", "items 0 -0 +2" } },
  { "swap-neighbours", "ab", "ba", { "items 0 -1 +0", "items 1 -0 +1" } },
  { "swap-ends",
    "abcd",
    "dbca",
    { "items 3 -1 +0", "items 0 -1 +0", "items 0 -0 +1", "items 3 -0 +1" } },
  { "two-places", "abcd", "xbcy", { "items 0 -1 +1", "items 3 -1 +1" } },
  { "leave-chain", "abc", "ab|c", { NULL } },
  { "leave-chain-first", "abc", "bc|a", { "items 0 -1 +0", "items 2 -0 +1" } },
  { "others-by-id", "a|b", "a|dcb", { "items 2 -0 +2" } },
};

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (SignalLog) log = signal_log_new ();
  g_autoptr (KbChannelList) list = kb_channel_list_new ();

  update (list, test->before);
  signal_log_listen_items (log, list);
  g_assert_cmpint (update (list, test->after), ==, !g_str_equal (test->before, test->after));
  for (guint i = 0; test->signals[i] != NULL; i++)
    signal_log_expect (log, test->signals[i]);
  signal_log_expect_none (log);
  assert_list (list, g_str_equal (test->after, "a|dcb") ? "a|bcd" : test->after);
}

static void
test_identity (void)
{
  g_autoptr (KbChannelList) list = kb_channel_list_new ();
  g_autoptr (KbChannel) b = NULL;
  g_autoptr (KbChannel) again = NULL;

  g_assert_cmpuint (g_list_model_get_item_type (G_LIST_MODEL (list)), ==, KB_TYPE_CHANNEL);
  update (list, "abc");
  b = g_list_model_get_item (G_LIST_MODEL (list), 1);
  g_assert_true (kb_channel_list_lookup (list, "p::b") == b);
  update (list, "bca|d");
  g_assert_true (kb_channel_list_lookup (list, "p::b") == b);
  again = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_true (again == b);
  g_assert_cmpuint (kb_channel_get_position (b), ==, 1);

  update (list, "ca");
  g_assert_null (kb_channel_list_lookup (list, "p::b"));
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 2));
}

static void
test_duplicate (void)
{
  g_autoptr (KbChannelList) list = kb_channel_list_new ();

  update (list, "aba|b");
  assert_list (list, "ab");
  g_assert_cmpuint (kb_channel_get_position (kb_channel_list_lookup (list, "p::a")), ==, 1);
}

static void
test_values_only (void)
{
  g_autoptr (SignalLog) log = signal_log_new ();
  g_autoptr (KbChannelList) list = kb_channel_list_new ();
  GArray *facts = make_facts ("ab");
  KbChannelFacts *second = &g_array_index (facts, KbChannelFacts, 1);

  update (list, "ab");
  signal_log_listen_items (log, list);
  signal_log_listen_notify (log, kb_channel_list_lookup (list, "p::a"));
  signal_log_listen_notify (log, kb_channel_list_lookup (list, "p::b"));
  second->breaker.failures = 2;
  g_assert_true (kb_channel_list_update (list, (KbChannelFacts *) (gpointer) facts->data, 2, NOW));
  signal_log_expect (log, "notify failures");
  signal_log_expect_none (log);
  free_facts (facts);
}

/* What a careful listener believes: it knows the list only by its signals. */
static void
mirror_cb (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  GPtrArray *mirror = data;

  g_assert_cmpuint (removed + added, >, 0);
  g_assert_cmpuint (position + removed, <=, mirror->len);
  if (removed > 0)
    g_ptr_array_remove_range (mirror, position, removed);
  for (guint i = 0; i < added; i++)
    g_ptr_array_insert (mirror, (int) (position + i), g_list_model_get_item (model, position + i));
  g_assert_cmpuint (mirror->len, ==, g_list_model_get_n_items (model));
  for (guint i = 0; i < mirror->len; i++)
    {
      g_autoptr (KbChannel) item = g_list_model_get_item (model, i);

      g_assert_true (item == mirror->pdata[i]);
      for (guint k = 0; k < i; k++)
        g_assert_true (mirror->pdata[k] != item);
    }
}

static char *
random_chain (GRand *rand)
{
  g_autofree char *letters = g_strdup ("abcdefghijkl");
  guint n_letters = (guint) strlen (letters);
  guint n_taken = (guint) g_rand_int_range (rand, 0, (int) n_letters + 1);

  for (guint i = 0; i < n_letters; i++)
    {
      guint other = (guint) g_rand_int_range (rand, 0, (int) n_letters);
      char letter = letters[i];

      letters[i] = letters[other];
      letters[other] = letter;
    }
  return g_strndup (letters, n_taken);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20260911);
  g_autoptr (GPtrArray) mirror = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (KbChannelList) list = kb_channel_list_new ();
  g_autoptr (GHashTable) objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_signal_connect (list, "items-changed", G_CALLBACK (mirror_cb), mirror);
  for (guint step = 0; step < 3000; step++)
    {
      g_autofree char *chain = random_chain (rand);

      g_hash_table_remove_all (objects);
      for (guint i = 0; i < mirror->len; i++)
        g_hash_table_insert (objects, g_strdup (kb_channel_get_model (mirror->pdata[i])),
                             mirror->pdata[i]);
      update (list, chain);
      assert_list (list, chain);
      for (guint i = 0; i < mirror->len; i++)
        {
          gpointer before = g_hash_table_lookup (objects, kb_channel_get_model (mirror->pdata[i]));

          g_assert_true (before == NULL || before == mirror->pdata[i]);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/client/channel-list/signals/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/client/channel-list/identity", test_identity);
  g_test_add_func ("/client/channel-list/duplicate", test_duplicate);
  g_test_add_func ("/client/channel-list/values-only", test_values_only);
  g_test_add_func ("/client/channel-list/random", test_random);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "../store/edit-check.h"

#include "client/kb-chain-changes.h"
#include "client/kb-chain-edit.h"
#include "client/kb-channel-choice.h"
#include "client/kb-edit-home.h"

#define ROW "- id: dsh-daruma\n  config:\n"

/* The chain of the tests: three channels, and an expression, which has its place too. */
#define CHAIN                                                                                      \
  ROW "    channels:\n"                                                                            \
      "      - { provider: a, model: one } # the head\n"                                           \
      "      - !!js process.env.SOME\n"                                                            \
      "      # cheap\n"                                                                            \
      "      - { provider: b, model: two }\n"                                                      \
      "      - { provider: c, model: three }\n"

static KbChannelRef *
ref (const char *provider, const char *model)
{
  return kb_channel_ref_new (provider, model);
}

static gboolean
apply (Home *home, KbChanges *changes, GError **error)
{
  g_autoptr (KbEdit) edit = open_edit (home);

  return kb_changes_apply (changes, edit, error)
         && kb_edit_save (edit, kb_changes_get_description (changes), error);
}

/* The models of the chain in order, as the file has them now. */
static char *
read_chain (Home *home)
{
  g_autoptr (KbEdit) edit = open_edit (home);
  g_autoptr (KbChainEdit) chain = kb_chain_edit_new (edit, "dsh-daruma", NULL);
  const GPtrArray *items = kb_chain_edit_get_items (chain);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < items->len; i++)
    {
      const KbChannelRef *item = items->pdata[i];

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                              *item->model != '\0' ? item->model : "-");
    }
  return g_string_free_and_steal (text);
}

typedef struct
{
  const char *model;
  int delta; /* 0: to the top */
  const char *chain;
  const char *description;
} MoveRow;

static void
test_moves (Home *home, gconstpointer data)
{
  static const MoveRow rows[] = {
    { "two", -1, "one two - three", "Moved two up" },
    { "two", -2, "two one - three", "Moved two up" },
    { "two", 1, "one - three two", "Moved two down" },
    { "one", -1, "one - two three", "Moved one up" },
    { "one", 1, "- one two three", "Moved one down" },
    { "one", 2, "- two one three", "Moved one down" },
    { "one", 9, "- two three one", "Moved one down" },
    { "three", 0, "three one - two", "Moved three to the top" },
    { "one", 0, "one - two three", "Moved one to the top" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *provider = g_str_equal (rows[i].model, "one")   ? "a"
                             : g_str_equal (rows[i].model, "two") ? "b"
                                                                  : "c";
      g_autoptr (KbChannelRef) channel = ref (provider, rows[i].model);
      g_autoptr (KbChanges) changes = rows[i].delta != 0
                                          ? kb_chain_changes_move_by (channel, rows[i].delta)
                                          : kb_chain_changes_move_to_top (channel);
      g_autoptr (GError) error = NULL;
      g_autofree char *chain = NULL;

      home_write (home, PATCH, CHAIN);
      g_assert_cmpstr (kb_changes_get_description (changes), ==, rows[i].description);
      apply (home, changes, &error);
      g_assert_no_error (error);
      chain = read_chain (home);
      g_assert_cmpstr (chain, ==, rows[i].chain);
    }
}

/* A comment goes along, every other byte stays. */
static void
test_bytes (Home *home, gconstpointer data)
{
  g_autoptr (KbChannelRef) channel = ref ("b", "two");
  g_autoptr (KbChanges) changes = kb_chain_changes_move_to_top (channel);

  home_write (home, PATCH, CHAIN);
  g_assert_true (apply (home, changes, NULL));
  assert_file (home, PATCH,
               ROW "    channels:\n"
                   "      # cheap\n"
                   "      - { provider: b, model: two }\n"
                   "      - { provider: a, model: one } # the head\n"
                   "      - !!js process.env.SOME\n"
                   "      - { provider: c, model: three }\n");
}

static void
test_beside (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *provider, *model, *other_provider, *other;
    gboolean after;
    const char *chain;
  } rows[] = {
    { "a", "one", "c", "three", FALSE, "- two one three" },
    { "a", "one", "c", "three", TRUE, "- two three one" },
    { "c", "three", "a", "one", FALSE, "three one - two" },
    { "c", "three", "a", "one", TRUE, "one three - two" },
    { "b", "two", "b", "two", TRUE, "one - two three" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbChannelRef) channel = ref (rows[i].provider, rows[i].model);
      g_autoptr (KbChannelRef) other = ref (rows[i].other_provider, rows[i].other);
      g_autoptr (KbChanges) changes = kb_chain_changes_move_beside (channel, other, rows[i].after);
      g_autoptr (GError) error = NULL;
      g_autofree char *chain = NULL;

      home_write (home, PATCH, CHAIN);
      apply (home, changes, &error);
      g_assert_no_error (error);
      chain = read_chain (home);
      g_assert_cmpstr (chain, ==, rows[i].chain);
    }
}

static void
test_add_and_remove (Home *home, gconstpointer data)
{
  g_autoptr (KbChannelRef) known = ref ("b", "two");
  g_autoptr (KbChannelRef) fresh = ref ("月光", "yes");
  g_autoptr (KbChanges) again = kb_chain_changes_add (known);
  g_autoptr (KbChanges) add = kb_chain_changes_add (fresh);
  g_autoptr (KbChanges) remove = kb_chain_changes_remove (known);
  g_autoptr (KbChanges) gone = kb_chain_changes_remove (known);
  g_autoptr (GError) error = NULL;

  home_write (home, PATCH, CHAIN);
  g_assert_false (apply (home, again, &error));
  g_assert_error (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_TWICE);
  g_assert_nonnull (strstr (error->message, "at position 3"));
  g_clear_error (&error);
  g_assert_true (apply (home, add, NULL));
  g_assert_true (apply (home, remove, NULL));
  assert_file (home, PATCH,
               ROW "    channels:\n"
                   "      - { provider: a, model: one } # the head\n"
                   "      - !!js process.env.SOME\n"
                   "      - { provider: c, model: three }\n"
                   "      - { provider: 月光, model: \"yes\" }\n");
  g_assert_false (apply (home, gone, &error));
  g_assert_error (error, KB_CHAIN_ERROR, KB_CHAIN_ERROR_MISSING);
}

/* Where there is no chain at all, the row comes along. */
static void
test_first (Home *home, gconstpointer data)
{
  g_autoptr (KbChannelRef) channel = ref ("a", "one");
  g_autoptr (KbChanges) add = kb_chain_changes_add (channel);

  g_assert_true (apply (home, add, NULL));
  assert_file (home, PATCH,
               "- id: dsh-daruma\n  config:\n    channels:\n      - provider: a\n"
               "        model: one\n");
}

static void
test_backup (Home *home, gconstpointer data)
{
  g_autoptr (KbChannelRef) channel = ref ("a", "one");
  g_autoptr (KbChanges) set = kb_chain_changes_set_backup (channel);
  g_autoptr (KbChanges) clear = kb_chain_changes_clear_backup ();

  home_write (home, SETTINGS, "# mine\nother: 1\n");
  g_assert_true (apply (home, clear, NULL));
  assert_file (home, SETTINGS, "# mine\nother: 1\n");
  g_assert_true (apply (home, set, NULL));
  assert_file (home, SETTINGS,
               "# mine\nother: 1\ndaruma:\n  backup:\n    provider: a\n    model: one\n");
  g_assert_true (apply (home, clear, NULL));
  g_assert_cmpstr (kb_changes_get_description (set), ==, "Made one the backup");
}

static void
test_locked (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  g_autofree char *path = home_path (home, PATCH);
  g_autofree char *why = NULL;

  home_write (home, PATCH, CHAIN);
  profile = kb_profile_load (home->dir, "web", NULL);
  g_assert_null (kb_edit_home_explain_locked (profile));
  g_assert_cmpint (g_chmod (path, 0400), ==, 0);
  why = kb_edit_home_explain_locked (profile);
  g_assert_nonnull (strstr (why, "write-protected"));
}

#define PROVIDERS                                                                                  \
  "llm-pi-ai:\n  providers:\n"                                                                     \
  "    b: { displayName: Beta, api: openai-completions, baseURL: https://b.example/v1,\n"          \
  "      models: [{ id: two }, { id: 二号 }] }\n"                                                  \
  "dsh-route-resilience:\n  groups: [{ id: team, targets: [{ provider: b, model: two }] }]\n"

static void
test_choices (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  g_autoptr (GListModel) list = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  home_write (home, PATCH, CHAIN);
  home_write (home, SETTINGS, PROVIDERS);
  profile = kb_profile_load (home->dir, "web", NULL);
  list = kb_channel_choice_list (profile);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (KbChannelChoice) choice = g_list_model_get_item (list, i);

      g_string_append_printf (text, "%s %s %u%s\n", kb_channel_choice_get_ref (choice)->id,
                              kb_channel_choice_get_provider_name (choice),
                              kb_channel_choice_get_position (choice),
                              kb_channel_choice_is_complete (choice) ? "" : " …");
    }
  g_test_message ("%s", text->str);
  g_assert_nonnull (strstr (text->str, "b::two Beta 2\n"));
  g_assert_nonnull (strstr (text->str, "b::二号 Beta 0\n"));
  g_assert_nonnull (strstr (text->str, "a::one a 1\n"));
  g_assert_nonnull (strstr (text->str, "c::three c 3\n"));
}

static void
test_search (Home *home, gconstpointer data)
{
  g_autoptr (KbProfile) profile = NULL;
  g_autoptr (GListModel) list = NULL;
  guint n_found = 0;

  home_write (home, PATCH, CHAIN);
  home_write (home, SETTINGS, PROVIDERS);
  profile = kb_profile_load (home->dir, "web", NULL);
  list = kb_channel_choice_list (profile);
  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (KbChannelChoice) choice = g_list_model_get_item (list, i);

      g_assert_true (kb_channel_choice_matches (choice, ""));
      n_found += kb_channel_choice_matches (choice, "beta tw");
    }
  g_assert_cmpuint (n_found, ==, 1);
}

static void
test_typed (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *id;   /* NULL: no channel */
    const char *word; /* of the warning, NULL: none */
  } rows[] = {
    { " b::two ", "b::two", NULL },
    { "b::three", "b::three", "does not list" },
    { "team::any", "team::any", NULL },
    { "nobody::m", "nobody::m", "no provider nobody" },
    { "openai::o9", "openai::o9", NULL },
    { "b", NULL, NULL },
    { "b::", NULL, NULL },
    { "::m", NULL, NULL },
    { "", NULL, NULL },
  };
  g_autoptr (KbProfile) profile = NULL;
  g_autoptr (KbSnapshot) files = NULL;

  home_write (home, PATCH, CHAIN);
  home_write (home, SETTINGS, PROVIDERS);
  profile = kb_profile_load (home->dir, "web", NULL);
  files = kb_snapshot_load (home->dir, "web", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (KbChannelRef) channel = kb_channel_choice_parse (profile, rows[i].text);
      g_autofree char *warning = NULL;

      g_test_message ("“%s”", rows[i].text);
      g_assert_cmpstr (channel != NULL ? channel->id : NULL, ==, rows[i].id);
      warning = channel != NULL ? kb_channel_choice_warn (profile, files, channel) : NULL;
      g_assert_true ((warning != NULL) == (rows[i].word != NULL));
      if (warning != NULL)
        g_assert_nonnull (strstr (warning, rows[i].word));
    }
}

#define ADD(path, function) g_test_add (path, Home, NULL, home_set_up, function, home_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/client/chain-changes/moves", test_moves);
  ADD ("/client/chain-changes/bytes", test_bytes);
  ADD ("/client/chain-changes/beside", test_beside);
  ADD ("/client/chain-changes/add-and-remove", test_add_and_remove);
  ADD ("/client/chain-changes/first", test_first);
  ADD ("/client/chain-changes/backup", test_backup);
  ADD ("/client/chain-changes/locked", test_locked);
  ADD ("/client/channel-choice/list", test_choices);
  ADD ("/client/channel-choice/search", test_search);
  ADD ("/client/channel-choice/typed", test_typed);
  return g_test_run ();
}

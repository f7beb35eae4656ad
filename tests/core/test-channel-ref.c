// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-channel-ref.h"

static void
test_new (void)
{
  g_autoptr (KbChannelRef) pair = kb_channel_ref_new ("mt", "glm-5.3");
  g_autoptr (KbChannelRef) bare = kb_channel_ref_new ("mt", "");
  g_autoptr (KbChannelRef) copy = kb_channel_ref_copy (pair);

  g_assert_cmpstr (pair->id, ==, "mt::glm-5.3");
  g_assert_cmpstr (bare->id, ==, "mt");
  g_assert_cmpstr (copy->id, ==, "mt::glm-5.3");
  g_assert_cmpstr (copy->provider, ==, "mt");
  g_assert_cmpstr (copy->model, ==, "glm-5.3");
}

static void
test_parse (void)
{
  static const struct
  {
    const char *id, *provider, *model;
  } cases[] = {
    { "mt::glm", "mt", "glm" },
    { "mt", "mt", "" },
    { "a::b::c", "a", "b::c" },
    { "a:b", "a:b", "" },
    { "", "", "" },
    { "::x", "", "x" },
    { "a::", "a::", "" },
    { "提供者::模型", "提供者", "模型" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KbChannelRef) ref = kb_channel_ref_parse (cases[i].id, NULL);

      g_assert_cmpstr (ref->provider, ==, cases[i].provider);
      g_assert_cmpstr (ref->model, ==, cases[i].model);
      g_assert_cmpstr (ref->id, ==, cases[i].id);
    }
}

/* A name may hold "::"; what is configured says where the provider ends. */
static void
test_parse_known_first (void)
{
  g_autoptr (GPtrArray) known
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_channel_ref_free);
  g_autoptr (KbChannelRef) ref = NULL;

  g_ptr_array_add (known, kb_channel_ref_new ("a::b", "c"));
  ref = kb_channel_ref_parse ("a::b::c", known);
  g_assert_cmpstr (ref->provider, ==, "a::b");
  g_assert_cmpstr (ref->model, ==, "c");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/channel-ref/new", test_new);
  g_test_add_func ("/core/channel-ref/parse", test_parse);
  g_test_add_func ("/core/channel-ref/parse-known-first", test_parse_known_first);
  return g_test_run ();
}

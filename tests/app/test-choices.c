// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/app-fixture.h"
#include "app/kb-choices.h"

static void
assert_labels (KbChoices *choices, const char *const *labels)
{
  guint n_items = g_list_model_get_n_items (G_LIST_MODEL (choices));

  g_assert_cmpuint (n_items, ==, g_strv_length ((char **) labels));
  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GtkStringObject) item = g_list_model_get_item (G_LIST_MODEL (choices), i);

      g_assert_cmpstr (gtk_string_object_get_string (item), ==, labels[i]);
    }
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (choices), n_items));
}

static void
test_order (void)
{
  g_autoptr (KbChoices) choices = kb_choices_new ("All");

  g_assert_true (kb_choices_add (choices, "TIMEOUT", "No answer"));
  g_assert_true (kb_choices_add (choices, "RATE_LIMIT", "Rate limited"));
  g_assert_true (kb_choices_add (choices, "EMPTY", "Empty answer"));
  g_assert_false (kb_choices_add (choices, "TIMEOUT", "No answer"));
  assert_labels (
      choices, (const char *const[]) { "All", "Empty answer", "No answer", "Rate limited", NULL });
  g_assert_null (kb_choices_get_value (choices, 0));
  g_assert_cmpstr (kb_choices_get_value (choices, 2), ==, "TIMEOUT");
  g_assert_null (kb_choices_get_value (choices, 9));
  g_assert_cmpuint (kb_choices_find (choices, NULL), ==, 0);
  g_assert_cmpuint (kb_choices_find (choices, "RATE_LIMIT"), ==, 3);
  g_assert_cmpuint (kb_choices_find (choices, "QUOTA"), ==, GTK_INVALID_LIST_POSITION);
}

/* What is selected stays selected when a value comes in before it. */
static void
test_selection (void)
{
  g_autoptr (KbChoices) choices = kb_choices_new ("All");
  GtkWidget *drop_down = g_object_ref_sink (gtk_drop_down_new (NULL, NULL));

  kb_choices_add (choices, "b", "b");
  gtk_drop_down_set_model (GTK_DROP_DOWN (drop_down), G_LIST_MODEL (choices));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), 1);
  kb_choices_add (choices, "a", "a");
  g_assert_cmpstr (
      kb_choices_get_value (choices, gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down))), ==,
      "b");
  kb_choices_clear (choices);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (choices)), ==, 1);
  await_finalize (drop_down);
}

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  g_test_add_func ("/app/choices/order", test_order);
  g_test_add_func ("/app/choices/selection", test_selection);

  return g_test_run ();
}

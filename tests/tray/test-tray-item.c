// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-tray-item.h"

static void
test_escape (void)
{
  g_autofree char *plain = kb_tray_item_escape ("glm-5.3");
  g_autofree char *marked = kb_tray_item_escape ("a_b__c");

  g_assert_cmpstr (plain, ==, "glm-5.3");
  g_assert_cmpstr (marked, ==, "a__b____c");
}

static const struct
{
  const char *name;
  KbTrayItemKind kind;
  gboolean toggled;
  gboolean has_child;
  const char *expected;
} properties_cases[] = {
  { "plain", KB_TRAY_ITEM_PLAIN, FALSE, FALSE,
    "{'type': <'standard'>, 'label': <'_Open'>, 'enabled': <true>, 'visible': <true>, "
    "'toggle-type': <''>, 'toggle-state': <-1>, 'children-display': <''>}" },
  { "check", KB_TRAY_ITEM_CHECK, TRUE, FALSE,
    "{'type': <'standard'>, 'label': <'_Open'>, 'enabled': <true>, 'visible': <true>, "
    "'toggle-type': <'checkmark'>, 'toggle-state': <1>, 'children-display': <''>}" },
  { "radio", KB_TRAY_ITEM_RADIO, FALSE, FALSE,
    "{'type': <'standard'>, 'label': <'_Open'>, 'enabled': <true>, 'visible': <true>, "
    "'toggle-type': <'radio'>, 'toggle-state': <0>, 'children-display': <''>}" },
  { "submenu", KB_TRAY_ITEM_PLAIN, FALSE, TRUE,
    "{'type': <'standard'>, 'label': <'_Open'>, 'enabled': <true>, 'visible': <true>, "
    "'toggle-type': <''>, 'toggle-state': <-1>, 'children-display': <'submenu'>}" },
  { "separator", KB_TRAY_ITEM_SEPARATOR, FALSE, FALSE,
    "{'type': <'separator'>, 'label': <'_Open'>, 'enabled': <true>, 'visible': <true>, "
    "'toggle-type': <''>, 'toggle-state': <-1>, 'children-display': <''>}" },
};

static void
test_properties (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (properties_cases); i++)
    {
      g_autoptr (KbTrayItem) item = kb_tray_item_new_action ("open", "_Open", "open", NULL);
      g_autoptr (GVariant) properties = NULL;
      g_autoptr (GVariant) expected = NULL;
      g_autoptr (GError) error = NULL;
      GVariantIter iter;
      const char *name;
      GVariant *value;

      g_test_message ("%s", properties_cases[i].name);
      item->kind = properties_cases[i].kind;
      item->toggled = properties_cases[i].toggled;
      if (properties_cases[i].has_child)
        kb_tray_item_add (item, kb_tray_item_new ("child", "Child"));
      properties = kb_tray_item_to_properties (item);
      expected = g_variant_parse (G_VARIANT_TYPE_VARDICT, properties_cases[i].expected, NULL, NULL,
                                  &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_variant_n_children (properties), ==, g_variant_n_children (expected));
      g_variant_iter_init (&iter, expected);
      while (g_variant_iter_loop (&iter, "{&sv}", &name, &value))
        {
          g_autoptr (GVariant) actual = g_variant_lookup_value (properties, name, NULL);

          g_assert_cmpvariant (actual, value);
        }
    }
}

/* What only tells cannot be clicked; what has children can be opened. */
static void
test_enabled (void)
{
  g_autoptr (KbTrayItem) item = kb_tray_item_new ("state", "All is well");

  g_assert_false (item->enabled);
  kb_tray_item_add (item, kb_tray_item_new_separator ("line"));
  g_assert_true (item->enabled);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tray/tray-item/escape", test_escape);
  g_test_add_func ("/tray/tray-item/properties", test_properties);
  g_test_add_func ("/tray/tray-item/enabled", test_enabled);
  return g_test_run ();
}

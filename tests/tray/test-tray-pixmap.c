// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "tray/kb-tray-pixmap.h"

static const guint8 *
get_pixels (GVariant *pixmap, guint index, int *size)
{
  g_autoptr (GVariant) entry = g_variant_get_child_value (pixmap, index);
  g_autoptr (GVariant) bytes = g_variant_get_child_value (entry, 2);
  gsize length;
  const guint8 *pixels = g_variant_get_fixed_array (bytes, &length, 1);
  int height;

  g_variant_get_child (entry, 0, "i", size);
  g_variant_get_child (entry, 1, "i", &height);
  g_assert_cmpint (*size, ==, height);
  g_assert_cmpuint (length, ==, (gsize) *size * *size * 4);
  return pixels;
}

static const guint8 *
at (const guint8 *pixels, int size, double x, double y)
{
  return pixels + ((int) (y / 16 * size) * size + (int) (x / 16 * size)) * 4;
}

/* ARGB in network byte order: the belly is opaque and white, the corner is nothing. */
static void
test_bytes (void)
{
  static const int sizes[] = { 16, 22, 24, 32, 48 };

  for (guint pose = 0; pose < KB_N_TRAY_POSES; pose++)
    {
      g_autoptr (GVariant) pixmap = kb_tray_pixmap_draw (pose);

      g_assert_cmpuint (g_variant_n_children (pixmap), ==, G_N_ELEMENTS (sizes));
      for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
        {
          int size;
          const guint8 *pixels = get_pixels (pixmap, i, &size);

          g_assert_cmpint (size, ==, sizes[i]);
          g_assert_cmpint (at (pixels, size, 15.5, 0.5)[0], ==, 0);
        }
    }
}

static void
test_upright (void)
{
  g_autoptr (GVariant) pixmap = kb_tray_pixmap_draw (KB_TRAY_POSE_UPRIGHT);
  int size;
  const guint8 *pixels = get_pixels (pixmap, 4, &size);
  const guint8 *belly = at (pixels, size, 8, 11);
  const guint8 *face = at (pixels, size, 8, 5.2);

  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (belly[i], ==, 255);
  g_assert_cmpint (face[0], <, 255);
}

/* Nobody should have to tell two states apart by their colour. */
static void
test_poses_differ (void)
{
  for (guint a = 0; a < KB_N_TRAY_POSES; a++)
    for (guint b = a + 1; b < KB_N_TRAY_POSES; b++)
      {
        g_autoptr (GVariant) one = kb_tray_pixmap_draw (a);
        g_autoptr (GVariant) other = kb_tray_pixmap_draw (b);
        int size;
        const guint8 *these = get_pixels (one, 0, &size);
        const guint8 *those = get_pixels (other, 0, &size);
        int n_different = 0;

        for (int i = 0; i < size * size; i++)
          n_different += ABS (these[i * 4] - those[i * 4]) > 64
                         || ABS (these[i * 4 + 1] - those[i * 4 + 1]) > 64;
        g_assert_cmpint (n_different, >, 12);
      }
}

static void
test_empty (void)
{
  g_autoptr (GVariant) pixmap = kb_tray_pixmap_empty ();

  g_assert_cmpstr (g_variant_get_type_string (pixmap), ==, "a(iiay)");
  g_assert_cmpuint (g_variant_n_children (pixmap), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tray/tray-pixmap/bytes", test_bytes);
  g_test_add_func ("/tray/tray-pixmap/upright", test_upright);
  g_test_add_func ("/tray/tray-pixmap/poses-differ", test_poses_differ);
  g_test_add_func ("/tray/tray-pixmap/empty", test_empty);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "tray/kb-tray-pixmap.h"

#include <math.h>

/*
 * A pose is a few signed distances: below zero is inside. Units are those of a picture of 16
 * by 16; one pixel of softness hides the stairs. White with a dark rim can be seen on light
 * and dark panels alike.
 */

#define RIM 0.9
#define LINE 0.75

typedef struct
{
  double x;
  double y;
} Point;

static const int sizes[] = { 16, 22, 24, 32, 48 };

static double
from_circle (Point p, double x, double y, double radius)
{
  return hypot (p.x - x, p.y - y) - radius;
}

static double
from_segment (Point p, Point a, Point b, double radius)
{
  double length = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
  double along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;

  along = CLAMP (along, 0.0, 1.0);
  return hypot (p.x - a.x - along * (b.x - a.x), p.y - a.y - along * (b.y - a.y)) - radius;
}

static Point
turn (Point p, double degrees)
{
  double angle = degrees * G_PI / 180.0;
  double x = p.x - 8.0;
  double y = p.y - 10.0;

  return (Point) { x * cos (angle) + y * sin (angle) + 8.0,
                   y * cos (angle) - x * sin (angle) + 10.0 };
}

/* A big belly and a head with a hole for a face. */
static double
from_doll (Point p)
{
  double body = MIN (from_circle (p, 8, 10.5, 4.5), from_circle (p, 8, 5.2, 3.4));

  return MAX (body, -from_circle (p, 8, 5.2, 1.5));
}

static double
from_outline (Point p)
{
  double body = MIN (from_circle (p, 8, 10.5, 4.5), from_circle (p, 8, 5.2, 3.4));

  return fabs (body + LINE) - LINE;
}

static double
from_bars (Point p)
{
  return MIN (from_segment (p, (Point) { 6.7, 9 }, (Point) { 6.7, 12 }, LINE),
              from_segment (p, (Point) { 9.3, 9 }, (Point) { 9.3, 12 }, LINE));
}

static double
from_pose (KbTrayPose pose, Point p)
{
  double slash = from_segment (p, (Point) { 2.5, 2.5 }, (Point) { 13.5, 13.5 }, LINE);

  switch (pose)
    {
    case KB_TRAY_POSE_LEANING:
      return from_doll (turn (p, 38));
    case KB_TRAY_POSE_LYING:
      return from_doll (turn ((Point) { p.x + 2, p.y - 1 }, 90));
    case KB_TRAY_POSE_PAUSED:
      return MAX (from_doll (p), -from_bars (p));
    case KB_TRAY_POSE_OFFLINE:
      return MIN (MAX (from_doll (p), 1.0 - slash), slash);
    case KB_TRAY_POSE_UNKNOWN:
      return from_outline (p);
    case KB_TRAY_POSE_UPRIGHT:
    default:
      return from_doll (p);
    }
}

static guint8
to_byte (double share)
{
  return (guint8) lrint (CLAMP (share, 0.0, 1.0) * 255.0);
}

static void
draw_pixel (guint8 *pixel, double distance, double scale)
{
  double inside = CLAMP (0.5 - distance * scale, 0.0, 1.0);
  double with_rim = CLAMP (0.5 - (distance - RIM) * scale, 0.0, 1.0);
  guint8 light = to_byte (with_rim > 0.0 ? inside / with_rim : 0.0);

  /* ARGB in network byte order */
  pixel[0] = to_byte (with_rim * (0.65 + 0.35 * inside));
  pixel[1] = pixel[2] = pixel[3] = light;
}

static GBytes *
draw (KbTrayPose pose, int size)
{
  gsize length = (gsize) size * size * 4;
  guint8 *pixels = g_malloc (length);
  double scale = size / 16.0;

  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++)
      draw_pixel (pixels + ((gsize) y * size + x) * 4,
                  from_pose (pose, (Point) { (x + 0.5) / scale, (y + 0.5) / scale }), scale);
  return g_bytes_new_take (pixels, length);
}

/* (transfer full): "a(iiay)", the pose in the sizes that panels have */
GVariant *
kb_tray_pixmap_draw (KbTrayPose pose)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(iiay)"));

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GBytes) bytes = draw (pose, sizes[i]);

      g_variant_builder_add (&builder, "(ii@ay)", sizes[i], sizes[i],
                             g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE));
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/* (transfer full): no picture at all */
GVariant *
kb_tray_pixmap_empty (void)
{
  return g_variant_ref_sink (g_variant_new ("a(iiay)", NULL));
}

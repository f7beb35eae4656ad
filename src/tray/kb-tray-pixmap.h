// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * The doll as pixels, for hosts whose icon theme does not have ours: upright, leaning, lying,
 * and its other poses.
 */

typedef enum
{
  KB_TRAY_POSE_UPRIGHT, /* healthy */
  KB_TRAY_POSE_LEANING, /* degraded */
  KB_TRAY_POSE_LYING,   /* down */
  KB_TRAY_POSE_PAUSED,
  KB_TRAY_POSE_OFFLINE,
  KB_TRAY_POSE_UNKNOWN,
} KbTrayPose;

#define KB_N_TRAY_POSES (KB_TRAY_POSE_UNKNOWN + 1)

GVariant *kb_tray_pixmap_draw (KbTrayPose pose);
GVariant *kb_tray_pixmap_empty (void);

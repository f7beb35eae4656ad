// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "tray/kb-tray-look.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

static KbTrayPose
get_pose (KbMonitor *monitor)
{
  switch (kb_monitor_get_overall (monitor))
    {
    case KB_OVERALL_HEALTHY:
      return KB_TRAY_POSE_UPRIGHT;
    case KB_OVERALL_DEGRADED:
      return KB_TRAY_POSE_LEANING;
    case KB_OVERALL_DOWN:
      return KB_TRAY_POSE_LYING;
    case KB_OVERALL_PAUSED:
      return KB_TRAY_POSE_PAUSED;
    case KB_OVERALL_OFFLINE:
      return KB_TRAY_POSE_OFFLINE;
    case KB_OVERALL_UNKNOWN:
    default:
      return KB_TRAY_POSE_UNKNOWN;
    }
}

static gboolean
needs_person (KbMonitor *monitor)
{
  GListModel *channels = kb_monitor_get_channels (monitor);

  for (guint i = 0; i < g_list_model_get_n_items (channels); i++)
    {
      g_autoptr (KbChannel) channel = g_list_model_get_item (channels, i);

      if (kb_channel_get_in_chain (channel) && kb_channel_needs_person (channel))
        return TRUE;
    }
  return FALSE;
}

/**
 * kb_tray_look_new:
 * @monitor: (nullable): what is watched
 *
 * Returns: (transfer full): how the icon looks now
 */
KbTrayLook *
kb_tray_look_new (KbMonitor *monitor)
{
  KbTrayLook *self = g_new0 (KbTrayLook, 1);

  if (monitor == NULL)
    {
      self->pose = KB_TRAY_POSE_UNKNOWN;
      self->sentence = g_strdup (_ ("No profile is being watched"));
      return self;
    }
  self->pose = get_pose (monitor);
  self->attention = needs_person (monitor);
  self->sentence = kb_format_overall (monitor);
  if (kb_monitor_get_last_switch (monitor) != NULL)
    self->detail = kb_format_last_switch (kb_monitor_get_last_switch (monitor),
                                          kb_clock_get_now_ms (kb_monitor_get_clock (monitor)));
  return self;
}

void
kb_tray_look_free (KbTrayLook *self)
{
  if (self == NULL)
    return;
  g_free (self->sentence);
  g_free (self->detail);
  g_free (self);
}

gboolean
kb_tray_look_equal (const KbTrayLook *a, const KbTrayLook *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->pose == b->pose && a->attention == b->attention
         && g_strcmp0 (a->sentence, b->sentence) == 0 && g_strcmp0 (a->detail, b->detail) == 0;
}

/* Prefixed with the application's id: a sandbox exports only such icons to the desktop. */
const char *
kb_tray_look_get_icon_name (const KbTrayLook *self)
{
  static const char *const names[KB_N_TRAY_POSES] = {
    [KB_TRAY_POSE_UPRIGHT] = KB_APPLICATION_ID "-tray-healthy-symbolic",
    [KB_TRAY_POSE_LEANING] = KB_APPLICATION_ID "-tray-degraded-symbolic",
    [KB_TRAY_POSE_LYING] = KB_APPLICATION_ID "-tray-down-symbolic",
    [KB_TRAY_POSE_PAUSED] = KB_APPLICATION_ID "-tray-paused-symbolic",
    [KB_TRAY_POSE_OFFLINE] = KB_APPLICATION_ID "-tray-offline-symbolic",
    [KB_TRAY_POSE_UNKNOWN] = KB_APPLICATION_ID "-tray-unknown-symbolic",
  };

  g_return_val_if_fail (self != NULL, NULL);

  return names[self->pose];
}

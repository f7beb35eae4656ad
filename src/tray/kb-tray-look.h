// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"
#include "tray/kb-tray-pixmap.h"

/* How the icon looks and what it says, as a plain value that can be compared. */

typedef struct
{
  KbTrayPose pose;
  gboolean attention; /* a person must act */
  char *sentence;     /* owned: "1 of 3 channels is cooling down" */
  char *detail;       /* owned, nullable: the last switch */
} KbTrayLook;

KbTrayLook *kb_tray_look_new (KbMonitor *monitor); /* (nullable): nothing is watched */
void kb_tray_look_free (KbTrayLook *self);
gboolean kb_tray_look_equal (const KbTrayLook *a, const KbTrayLook *b);
const char *kb_tray_look_get_icon_name (const KbTrayLook *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTrayLook, kb_tray_look_free)

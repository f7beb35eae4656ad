// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-monitor.h"
#include "tray/kb-tray-item.h"

/*
 * What the tray's menu says and offers. An item whose action the program does not have is
 * left out: nothing is offered that cannot be done.
 */

#define KB_TRAY_ACTION_OPEN "open"                /* s: an activation token, or nothing */
#define KB_TRAY_ACTION_PREFERENCES "preferences"  /* no target */
#define KB_TRAY_ACTION_QUIT "quit"                /* no target */
#define KB_TRAY_ACTION_SET_BACKUP "set-backup"    /* s: id of a channel, or nothing */
#define KB_TRAY_ACTION_RETRY "retry-channel"      /* s: id of a channel */
#define KB_TRAY_ACTION_PAUSE "pause-throttling"   /* s: a duration as the command line has it */
#define KB_TRAY_ACTION_RESUME "resume-throttling" /* no target */

KbTrayItem *kb_tray_menu_build (KbMonitor *monitor, GActionGroup *actions);

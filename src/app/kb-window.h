// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-edit-flow.h"
#include "client/kb-clock.h"
#include "client/kb-demo.h"
#include "client/kb-monitor.h"
#include "client/kb-session.h"

/*
 * The one window: it shows what its session has come to, and watches while it is seen. Property
 * "monitor" (nullable): what it watches.
 */

#define KB_TYPE_WINDOW (kb_window_get_type ())
G_DECLARE_FINAL_TYPE (KbWindow, kb_window, KB, WINDOW, AdwApplicationWindow)

GtkWidget *kb_window_new (GtkApplication *application, KbClock *clock);
void kb_window_set_session (KbWindow *self, KbSession *session);
void kb_window_set_demo (KbWindow *self, KbDemo *demo);      /* keeps it alive, and says so */
KbDemo *kb_window_get_demo (KbWindow *self);                 /* (nullable) */
KbEditFlow *kb_window_get_flow (KbWindow *self);             /* (nullable): how this window saves */
KbMonitor *kb_window_get_monitor (KbWindow *self);           /* (nullable) */
const char *kb_window_get_view (KbWindow *self);             /* "welcome", "chooser" or "ready" */
void kb_window_show_page (KbWindow *self, const char *page); /* "channels", "pools", ... */

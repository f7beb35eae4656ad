// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-monitor.h"

/*
 * What a person who cannot see the badges should hear when a channel changes by itself: one
 * sentence, at most every few seconds. Signal "announce" (const char *sentence, int
 * GtkAccessibleAnnouncementPriority).
 */

#define KB_TYPE_ANNOUNCER (kb_announcer_get_type ())
G_DECLARE_FINAL_TYPE (KbAnnouncer, kb_announcer, KB, ANNOUNCER, GObject)

#define KB_ANNOUNCER_PAUSE_MS 5000

KbAnnouncer *kb_announcer_new (KbMonitor *monitor);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-channel.h"
#include "ui/find-widget.h"

/* What the widget tests share. */

typedef gboolean (*Condition) (gpointer user_data);

/* Starts GTK; ends the program with "skipped" where there is no display. */
void test_init (int *argc, char ***argv);

/* Iterates the main context until the condition holds; a generous limit ends a hung test. */
void wait_for (Condition condition, gpointer user_data);

/* Waits until no timeout is left that would wake the loop up. Returns how many descriptors it
 * waits on then: each running wall timer is one. */
int wait_asleep (void);

/* Lets everything run that is ready to run. */
void drain (void);

/* Waits until the widget is on screen, or is not. */
void wait_mapped (GtkWidget *widget, gboolean mapped);

/* Lets a mapped widget draw: a page that was just left is held until then. */
void wait_frames (GtkWidget *widget);

/* Puts a widget into a window of its own and shows it. */
GtkWindow *show_widget (GtkWidget *widget);

/* A condition: the weak pointer at user_data is cleared. */
gboolean is_gone (gpointer user_data);

/* Drops the reference and waits until the object is gone. */
void await_finalize (gpointer object);

KbChannel *make_channel (const char *provider,
                         const char *model,
                         guint position,
                         KbBreaker breaker,
                         const char *reason,
                         gint64 now_ms);

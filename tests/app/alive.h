// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-window.h"

/*
 * Which of our own objects live: what a test has followed is taken out when it is finalized.
 * When a widget of the toolkit goes is for the toolkit to say, so those are not counted.
 */
typedef struct _Alive Alive;

Alive *alive_new (void);
void alive_free (Alive *alive);

/* One object; NULL is none. */
void alive_follow (Alive *alive, gpointer object);

/* A widget and all that is below it. */
void alive_follow_widgets (Alive *alive, GtkWidget *widget);

/* A window with its pages, what it watches, and what those lists hold. */
void alive_follow_window (Alive *alive, KbWindow *window);

gboolean alive_has (Alive *alive, GType type);

/* Waits until none is left. */
void alive_wait_gone (Alive *alive);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Alive, alive_free)

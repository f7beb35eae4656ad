// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

/* (nullable): the first widget of that type, from this one downwards */
GtkWidget *find_widget (GtkWidget *widget, GType type);

/* (nullable): the row that shows the channel */
GtkWidget *find_channel_row (GtkWidget *widget, const char *id);

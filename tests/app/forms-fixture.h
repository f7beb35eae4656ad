// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/window-fixture.h"

/* The real window on a real home full of configuration, and what a person does with its forms. */

#define PATCH "profiles/web/cordis.patch.yml"
#define KOBOSHI "profiles/web/koboshi.yaml"
#define SETTINGS "settings.yaml"

typedef WindowFixture Fixture;

typedef gboolean (*Match) (GtkWidget *widget, const char *text);

GtkWidget *find (GtkWidget *widget, Match match, const char *text);
gboolean is_row (GtkWidget *widget, const char *title);
gboolean is_group (GtkWidget *widget, const char *title);
gboolean has_tooltip (GtkWidget *widget, const char *text);
gboolean has_label (GtkWidget *widget, const char *text);
GtkWidget *find_row (Fixture *fixture, const char *title);
GtkWidget *find_group (Fixture *fixture, const char *title);
void wait_written (Fixture *fixture, const char *file, const char *part);
void wait_not_written (Fixture *fixture, const char *file, const char *part);
const char *get_subtitle (Fixture *fixture, const char *title);
void open_page (Fixture *fixture, const char *page);
void open_form (Fixture *fixture, const char *path);
AdwDialog *get_visible_dialog (Fixture *fixture);
void type (GtkWidget *row, const char *text);
gboolean can_undo (gpointer user_data);
gboolean is_saved (gpointer user_data);
void agree (Fixture *fixture);

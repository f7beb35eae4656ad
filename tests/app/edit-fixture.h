// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-channel-row.h"
#include "app/window-fixture.h"

/*
 * A real window on a throwaway home whose chain is orca-2, orca-mini and heron-7b, and what it
 * takes to use it as a person does. Conditions are for wait_for().
 */

#define HEAD                                                                                       \
  "# mine\n"                                                                                       \
  "- id: dsh-daruma\n"                                                                             \
  "  name: dsh-daruma\n"                                                                           \
  "  config:\n"                                                                                    \
  "    channels:\n"
#define ORCA "      - { provider: lumen, model: orca-2 } # fast\n"
#define MINI "      - { provider: lumen, model: orca-mini }\n"
#define HERON "      - { provider: nimbus, model: heron-7b }\n"
#define TAIL "    failureBudget: 3\n"

typedef WindowFixture EditFixture;

char *read_home (EditFixture *fixture, const char *name);
void edit_set_up (EditFixture *fixture, gconstpointer data);
void edit_set_up_empty (EditFixture *fixture, gconstpointer data);
GtkWidget *get_row (EditFixture *fixture, const char *id);
void act (EditFixture *fixture, const char *id, const char *action);
void act_on_page (EditFixture *fixture, const char *action);
AdwDialog *get_dialog (EditFixture *fixture);
gboolean has_question (gpointer user_data);
gboolean has_no_dialog (gpointer user_data);
AdwDialog *await_review (EditFixture *fixture);
void answer_review (EditFixture *fixture, const char *action);
GtkWidget *find_button (GtkWidget *widget, const char *label);
void answer_question (EditFixture *fixture, const char *label);
gboolean is_idle (gpointer user_data);
void await_patch (EditFixture *fixture, const char *expected);
void assert_patch (EditFixture *fixture, const char *expected);
void assert_rows (EditFixture *fixture, const char *expected);
char *get_diff (AdwDialog *dialog);

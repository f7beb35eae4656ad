// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gtk/gtk.h>

#include "client/kb-monitor.h"

/* One problem in a boxed list; it can be copied, and its file opened. */

#define KB_TYPE_PROBLEM_ROW (kb_problem_row_get_type ())
G_DECLARE_FINAL_TYPE (KbProblemRow, kb_problem_row, KB, PROBLEM_ROW, GtkListBoxRow)

GtkWidget *kb_problem_row_new (const KbProblem *problem, const char *home);
char *kb_problem_row_describe_place (const KbProblem *problem, const char *home);

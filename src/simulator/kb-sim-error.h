// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-ask.h"
#include "simulator/kb-sim-fault.h"

/* Errors in the forms that real providers give them. */
char *kb_sim_error_get_code (KbSimDialect dialect, const KbSimFault *fault, guint status);
char *kb_sim_error_get_message (KbSimDialect dialect, const KbSimFault *fault, guint status);
void kb_sim_error_write (KbSimDialect dialect, const KbSimFault *fault, guint status, GString *out);
void kb_sim_error_write_page (const KbSimFault *fault, guint status, GString *out);

const char *kb_sim_error_get_reason (guint status);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Of an answer when nothing else is said. */
#define KB_SIM_TEXT_TOKENS 60

const char *kb_sim_text_get_token (guint index);
char *kb_sim_text_join (guint n_tokens);

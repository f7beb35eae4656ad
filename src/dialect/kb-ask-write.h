// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "dialect/kb-ask.h"

/* What the writers of requests share. */

void kb_ask_write_node (GString *out, const char *name, JsonNode *node);
void kb_ask_write_number (GString *out, const char *name, double number);
void kb_ask_write_texts (GString *out, const char *name, GPtrArray *texts);

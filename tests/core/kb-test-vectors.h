// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <json-glib/json-glib.h>

/*
 * The vectors of a plugin, and where the gateway deliberately does something else: each
 * deviation names the rule or the row of the failure table that asks for it, and what is
 * right here.
 */

typedef void (*KbTestVectorFunc) (JsonObject *vector, JsonObject *expect);

guint kb_test_vectors_run (const char *plugin, const char *op, KbTestVectorFunc func);
char **kb_test_vectors_list (const char *plugin);
char **kb_test_vectors_get_strings (JsonObject *object, const char *member);

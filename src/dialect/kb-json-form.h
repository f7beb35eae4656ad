// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * JSON from a form: an apostrophe stands for a quotation mark, %q for a string in its quotes or
 * null, %d for a gint64, %r for a text that goes in as it is. So that what goes over the wire
 * can be read in the code.
 */

void kb_json_form (GString *json, const char *form, ...);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Text of foreign files on its way to a terminal or a pipe: made harmless, measured in
 * columns, and freed of what looks like a key.
 */

/* Longer message texts are cut; the plugin cuts its own at the same length. */
#define KB_TEXT_MESSAGE_MAX 300

char *kb_text_make_printable (const char *text);
guint kb_text_get_width (const char *text);
char *kb_text_pad (const char *text, guint width);
char *kb_text_cut (const char *text, guint max_characters);
char *kb_text_redact (const char *text);
char *kb_text_redact_name (const char *name);

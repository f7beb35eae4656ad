// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-yaml-index.h"

/*
 * An item of a sequence or a pair of a mapping as a stretch of text, with the comments that
 * are its own: the block of comment lines directly above it and the comment behind it. A
 * comment line that follows an entry directly and is indented deeper than it stands inside of
 * it, as people read it: the rest of a long comment, or a setting that was commented out.
 */

typedef struct
{
  gsize lead;        /* start of its first comment line above; line_start without one */
  gsize line_start;  /* start of the line it begins on; start if something else is before it */
  gsize start;       /* its "-", "?" or key; in flow style the value or key itself */
  gsize end;         /* behind its value */
  gsize comma;       /* flow: behind its comma; end without one */
  gsize tail;        /* behind its trailing comment; comma (flow) or end (block) without one */
  gboolean own_line; /* nothing but blanks before it on its line */
} KbYamlEntry;

KbYamlEntry kb_yaml_entry_get (KbYamlDocument *document, const KbYamlNode *parent, guint index);
gsize kb_yaml_text_get_line_start (const char *data, gsize offset);
gsize kb_yaml_text_get_line_end (const char *data, gsize size, gsize offset);
gsize kb_yaml_text_get_next_line (const char *data, gsize size, gsize offset);
gsize kb_yaml_text_skip_blanks (const char *data, gsize size, gsize offset);
gsize kb_yaml_text_skip_space (const char *data, gsize size, gsize offset);
gboolean kb_yaml_text_is_rest_blank (const char *data, gsize size, gsize offset);
const char *kb_yaml_text_get_eol (const char *data, gsize size, gsize offset);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * An edit of a text as replaced byte ranges: what a diff shows, what an undo takes back and
 * what can be merged with somebody else's change.
 */

typedef struct _KbSplices KbSplices;

typedef struct
{
  gsize start; /* byte offsets in the text before the edit */
  gsize end;
  char *text; /* owned */
} KbSplice;

KbSplices *kb_splices_new (void);
void kb_splices_free (KbSplices *self);
void kb_splices_add (KbSplices *self, gsize start, gsize end, const char *text);
guint kb_splices_get_length (const KbSplices *self);
const KbSplice *kb_splices_get (const KbSplices *self, guint index);
GBytes *kb_splices_apply (const KbSplices *self, GBytes *bytes);
KbSplices *kb_splices_invert (const KbSplices *self, GBytes *bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSplices, kb_splices_free)

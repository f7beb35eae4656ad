// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Memory for a great many small things that live and die together: a document of a megabyte
 * has a hundred thousand nodes, and one allocation for each costs more than reading them.
 */

typedef struct _KbArena KbArena;

KbArena *kb_arena_new (void);
void kb_arena_set_secret (KbArena *self);
gboolean kb_arena_is_secret (const KbArena *self);
void kb_arena_free (KbArena *self);
gpointer kb_arena_allocate (KbArena *self, gsize size);
char *kb_arena_copy_text (KbArena *self, const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbArena, kb_arena_free)

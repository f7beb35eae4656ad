// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * The journal of our edits, in <state folder>/undo/: of each of the newest, the bytes that
 * were replaced and where. It is shared by everything that edits a home.
 */

#define KB_UNDO_MAX_EDITS 50

#define KB_UNDO_ERROR (kb_undo_error_quark ())
GQuark kb_undo_error_quark (void);

typedef enum
{
  KB_UNDO_ERROR_EMPTY,   /* no edit is left */
  KB_UNDO_ERROR_CHANGED, /* the file changed since, where the edit was */
  KB_UNDO_ERROR_DAMAGED, /* the entry cannot be read */
} KbUndoError;

typedef struct
{
  const char *path; /* absolute */
  GBytes *before;   /* (nullable): the file did not exist */
  GBytes *after;
  const char *description; /* for a person */
  gboolean locked;         /* the host's lock guards the file */
} KbUndoEdit;

/* The newest edit, and what taking it back makes of the file as it is now. */
typedef struct
{
  char *entry;       /* owned: path of the journal's file */
  char *path;        /* owned: the file that was edited */
  char *description; /* owned */
  gint64 time_ms;
  gboolean locked;
  GBytes *present; /* owned */
  GBytes *result;  /* owned, nullable: the file goes */
  gboolean merged; /* the file changed elsewhere since */
} KbUndo;

gboolean kb_undo_push (const char *state_dir, const KbUndoEdit *edit, char **entry, GError **error);
KbUndo *kb_undo_load (const char *state_dir, GError **error);
KbUndo *kb_undo_load_entry (const char *state_dir, const char *entry, GError **error);
gboolean kb_undo_run (const char *state_dir, const KbUndo *self, GError **error);
void kb_undo_free (KbUndo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbUndo, kb_undo_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-session.h"

/*
 * Homes for pictures and tests, in throwaway folders: every state at once, long names, CJK
 * text, several profiles, none at all.
 */

typedef enum
{
  KB_SHOWCASE_STATES,     /* a chain in every state, a backup, records outside, problems */
  KB_SHOWCASE_UNREADABLE, /* the same, but its health file is damaged */
  KB_SHOWCASE_FORMS,      /* every system configured */
  KB_SHOWCASE_LOCKED,     /* what cannot be changed in a form */
  KB_SHOWCASE_EMPTY,      /* a profile without a chain */
  KB_SHOWCASE_PROFILES,   /* three profiles, none chosen */
  KB_SHOWCASE_NO_PROFILE, /* a home without profiles */
  KB_SHOWCASE_NO_HOME,    /* a path that does not exist */
} KbShowcaseKind;

typedef struct
{
  char *root; /* removed with the showcase */
  char *home;
  char *config_dir; /* for a selection of its own */
} KbShowcase;

KbShowcase *kb_showcase_new (KbShowcaseKind kind, gint64 now_ms);
void kb_showcase_free (KbShowcase *self);
KbSession *kb_showcase_create_session (KbShowcase *self);
void kb_showcase_write_health (KbShowcase *self, const char *json);
void kb_showcase_write_patch (KbShowcase *self, const char *yaml);
void kb_showcase_write_usage (KbShowcase *self, gint64 now_ms); /* of the last days */
char *kb_showcase_read (KbShowcase *self, const char *name);    /* (nullable): below the home */
void kb_showcase_append_log (KbShowcase *self, const char *lines);

/* n entries of every kind, the newest at now_ms, a minute between each */
char *kb_showcase_make_log (guint n_entries, gint64 now_ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbShowcase, kb_showcase_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "store/kb-paths.h"

/*
 * Which home and which profile a front end looks at: options, environment, the remembered
 * selection and the folders on the disk put together. Property "state"; signal "changed"
 * after the state, the home, the profile or the list of profiles differs.
 */

typedef enum
{
  KB_SESSION_NO_HOME,        /* the home folder does not exist */
  KB_SESSION_NO_PROFILE,     /* the home holds no profile, or not the one asked for */
  KB_SESSION_CHOOSE_PROFILE, /* several profiles and none chosen */
  KB_SESSION_READY,
} KbSessionState;

#define KB_TYPE_SESSION (kb_session_get_type ())
G_DECLARE_FINAL_TYPE (KbSession, kb_session, KB, SESSION, GObject)

/* (transfer none) (nullable): what is wrong with the options, in words */
const char *kb_session_check_options (const char *home_option, const char *profile_option);
KbSession *kb_session_new (const char *home_option, const char *profile_option);
KbSession *kb_session_new_for_facts (const KbPathsFacts *facts, const char *profile_option);
void kb_session_reload (KbSession *self);
gboolean kb_session_choose (KbSession *self, const char *home, const char *profile, GError **error);
KbSessionState kb_session_get_state (KbSession *self);
const char *kb_session_get_home (KbSession *self);
KbHomeOrigin kb_session_get_origin (KbSession *self);
const char *kb_session_get_profile (
    KbSession *self); /* (nullable) chosen, the only one, or asked for in vain */
const char *const *kb_session_get_profiles (KbSession *self);
char *kb_session_get_state_dir (KbSession *self); /* Koboshi's, for the home */
char *kb_session_describe_home (KbSession *self); /* "~/.dsh" */

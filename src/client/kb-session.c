// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-session"

#include "config.h"

#include "client/kb-session.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "store/kb-selection.h"

struct _KbSession
{
  GObject parent_instance;

  /* What was handed in, owned copies. */
  char *home_option;
  char *dsh_home;
  char *user_home;
  char *config_dir;
  char *state_dir;
  char *cwd;
  char *profile_option;

  /* A home chosen while this session runs outranks option and environment. */
  char *chosen_home;
  char *chosen_profile;

  char *home;
  char *profile;
  GStrv profiles;
  KbHomeOrigin origin;
  KbSessionState state;
};

G_DEFINE_FINAL_TYPE (KbSession, kb_session, G_TYPE_OBJECT)

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static KbPathsFacts
get_facts (KbSession *self, const char *selected)
{
  return (KbPathsFacts) {
    .home_option = self->home_option,
    .dsh_home = self->dsh_home,
    .selected = selected,
    .user_home = self->user_home,
    .config_dir = self->config_dir,
    .state_dir = self->state_dir,
    .cwd = self->cwd,
  };
}

static char *
resolve_home (KbSession *self, const KbSelection *selection)
{
  KbPathsFacts facts = get_facts (self, selection->home);

  if (self->chosen_home != NULL)
    {
      self->origin = KB_HOME_FROM_SELECTION;
      return g_strdup (self->chosen_home);
    }
  return kb_paths_resolve_home (&facts, &self->origin);
}

/* The remembered profile counts only for the home it was chosen in. */
static const char *
get_wanted_profile (KbSession *self, const KbSelection *selection)
{
  if (self->chosen_profile != NULL)
    return self->chosen_profile;
  if (self->chosen_home == NULL && self->profile_option != NULL)
    return self->profile_option;
  if (g_strcmp0 (selection->home, self->home) == 0)
    return selection->profile;
  return NULL;
}

static KbSessionState
judge (KbSession *self, const KbSelection *selection)
{
  const char *const *profiles = (const char *const *) self->profiles;
  const char *wanted = get_wanted_profile (self, selection);
  gboolean asked_for = wanted != NULL && wanted != selection->profile;

  if (!g_file_test (self->home, G_FILE_TEST_IS_DIR))
    return KB_SESSION_NO_HOME;
  if (wanted != NULL && (asked_for || g_strv_contains (profiles, wanted)))
    {
      self->profile = g_strdup (wanted);
      return g_strv_contains (profiles, wanted) ? KB_SESSION_READY : KB_SESSION_NO_PROFILE;
    }
  if (profiles[0] == NULL)
    return KB_SESSION_NO_PROFILE;
  if (profiles[1] != NULL)
    return KB_SESSION_CHOOSE_PROFILE;
  self->profile = g_strdup (profiles[0]);
  return KB_SESSION_READY;
}

static void
resolve (KbSession *self)
{
  g_autoptr (KbSelection) selection = kb_selection_load (self->config_dir);

  g_clear_pointer (&self->home, g_free);
  g_clear_pointer (&self->profile, g_free);
  g_clear_pointer (&self->profiles, g_strfreev);

  self->home = resolve_home (self, selection);
  self->profiles = kb_paths_list_profiles (self->home);
  self->state = judge (self, selection);
  g_debug ("home %s, profile %s, %u profiles", self->home,
           self->profile != NULL ? self->profile : "(none)", g_strv_length (self->profiles));
}

static void
kb_session_finalize (GObject *object)
{
  KbSession *self = KB_SESSION (object);

  g_free (self->home_option);
  g_free (self->dsh_home);
  g_free (self->user_home);
  g_free (self->config_dir);
  g_free (self->state_dir);
  g_free (self->cwd);
  g_free (self->profile_option);
  g_free (self->chosen_home);
  g_free (self->chosen_profile);
  g_free (self->home);
  g_free (self->profile);
  g_strfreev (self->profiles);

  G_OBJECT_CLASS (kb_session_parent_class)->finalize (object);
}

static void
kb_session_class_init (KbSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = kb_session_finalize;

  /**
   * KbSession::changed:
   *
   * The state, the home, the profile or the list of profiles differs from before.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
kb_session_init (KbSession *self)
{
}

/**
 * kb_session_check_options:
 * @home_option: (nullable): `--home`
 * @profile_option: (nullable): `--profile`
 *
 * An option that was given is meant: an empty one comes from a variable that is not set, and
 * to go on as if it had not been given would show, or change, another home.
 *
 * Returns: (transfer none) (nullable): a sentence without full stop that says what to do,
 *   translated; %NULL if both can be used
 */
const char *
kb_session_check_options (const char *home_option, const char *profile_option)
{
  if (home_option != NULL && home_option[strspn (home_option, " \t\n\v\f\r")] == '\0')
    return _ ("--home is empty; name the folder that holds “profiles”, or leave the option out");
  if (profile_option != NULL && *profile_option == '\0')
    return _ ("--profile is empty; name a profile, or leave the option out");
  return NULL;
}

/**
 * kb_session_new:
 * @home_option: (nullable): `--home`
 * @profile_option: (nullable): `--profile`
 *
 * Resolves with the environment of this process.
 *
 * Returns: (transfer full): a new session
 */
KbSession *
kb_session_new (const char *home_option, const char *profile_option)
{
  KbPathsFacts facts = { 0 };

  kb_paths_facts_from_process (&facts);
  facts.home_option = home_option;
  return kb_session_new_for_facts (&facts, profile_option);
}

/**
 * kb_session_new_for_facts:
 * @facts: what is known of the process; copied. `selected` is not looked at: the session
 *   reads the selection in `config_dir` itself
 * @profile_option: (nullable): `--profile`
 *
 * Returns: (transfer full): a new session
 */
KbSession *
kb_session_new_for_facts (const KbPathsFacts *facts, const char *profile_option)
{
  KbSession *self;

  g_return_val_if_fail (facts != NULL, NULL);

  self = g_object_new (KB_TYPE_SESSION, NULL);
  self->home_option = g_strdup (facts->home_option);
  self->dsh_home = g_strdup (facts->dsh_home);
  self->user_home = g_strdup (facts->user_home);
  self->config_dir = g_strdup (facts->config_dir);
  self->state_dir = g_strdup (facts->state_dir);
  self->cwd = g_strdup (facts->cwd);
  self->profile_option = g_strdup (profile_option);
  resolve (self);
  return self;
}

static gboolean
is_same (KbSession *self, const char *home, const char *profile, GStrv profiles, int state)
{
  return state == (int) self->state && g_str_equal (home, self->home)
         && g_strcmp0 (profile, self->profile) == 0
         && g_strv_equal ((const char *const *) profiles, (const char *const *) self->profiles);
}

/**
 * kb_session_reload:
 * @self: a session
 *
 * Looks at the folders and the selection again.
 */
void
kb_session_reload (KbSession *self)
{
  g_autofree char *home = NULL;
  g_autofree char *profile = NULL;
  g_auto (GStrv) profiles = NULL;
  KbSessionState state;

  g_return_if_fail (KB_IS_SESSION (self));

  home = g_strdup (self->home);
  profile = g_strdup (self->profile);
  profiles = g_strdupv (self->profiles);
  state = self->state;
  resolve (self);
  if (!is_same (self, home, profile, profiles, (int) state))
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/**
 * kb_session_choose:
 * @self: a session
 * @home: (nullable): absolute path of another home, or %NULL to stay in this one
 * @profile: (nullable): a profile of it, or %NULL to leave that open
 * @error: return location
 *
 * Goes to a home and profile, and remembers them. The choice holds for this session even if
 * it cannot be written down.
 *
 * Returns: whether the choice was remembered
 */
gboolean
kb_session_choose (KbSession *self, const char *home, const char *profile, GError **error)
{
  g_return_val_if_fail (KB_IS_SESSION (self), FALSE);
  g_return_val_if_fail (home == NULL || g_path_is_absolute (home), FALSE);
  g_return_val_if_fail (profile == NULL || kb_paths_is_profile_name (profile), FALSE);

  g_set_str (&self->chosen_home, home != NULL ? home : self->home);
  g_set_str (&self->chosen_profile, profile);
  kb_session_reload (self);
  return kb_selection_save (self->config_dir, self->home, self->profile, error);
}

/**
 * kb_session_get_state:
 * @self: a session
 *
 * Returns: how far the choice has come
 */
KbSessionState
kb_session_get_state (KbSession *self)
{
  g_return_val_if_fail (KB_IS_SESSION (self), KB_SESSION_NO_HOME);
  return self->state;
}

/**
 * kb_session_get_home:
 * @self: a session
 *
 * Returns: (transfer none): absolute path of the home, which need not exist
 */
const char *
kb_session_get_home (KbSession *self)
{
  g_return_val_if_fail (KB_IS_SESSION (self), NULL);
  return self->home;
}

/**
 * kb_session_get_origin:
 * @self: a session
 *
 * Returns: what decided on the home
 */
KbHomeOrigin
kb_session_get_origin (KbSession *self)
{
  g_return_val_if_fail (KB_IS_SESSION (self), KB_HOME_OWN);
  return self->origin;
}

/**
 * kb_session_get_profile:
 * @self: a session
 *
 * Returns: (transfer none) (nullable): name of the profile; in %KB_SESSION_NO_PROFILE the one
 *   that was asked for and is not there
 */
const char *
kb_session_get_profile (KbSession *self)
{
  g_return_val_if_fail (KB_IS_SESSION (self), NULL);
  return self->profile;
}

/**
 * kb_session_get_profiles:
 * @self: a session
 *
 * Returns: (transfer none): names of the profiles of the home, sorted
 */
const char *const *
kb_session_get_profiles (KbSession *self)
{
  g_return_val_if_fail (KB_IS_SESSION (self), NULL);
  return (const char *const *) self->profiles;
}

/**
 * kb_session_describe_home:
 * @self: a session
 *
 * Returns: (transfer full): the home as a person would write it, with `~` for their own folder
 */
char *
kb_session_describe_home (KbSession *self)
{
  g_return_val_if_fail (KB_IS_SESSION (self), NULL);

  if (self->user_home != NULL && self->user_home[0] != '\0' && !g_str_equal (self->user_home, "/")
      && g_str_has_prefix (self->home, self->user_home))
    {
      const char *rest = self->home + strlen (self->user_home);

      if (rest[0] == '\0' || rest[0] == '/')
        return g_strconcat ("~", rest, NULL);
    }
  return g_strdup (self->home);
}

/**
 * kb_session_get_state_dir:
 * @self: a session
 *
 * Returns: (transfer full): Koboshi's state folder for the home
 */
char *
kb_session_get_state_dir (KbSession *self)
{
  KbPathsFacts facts;

  g_return_val_if_fail (KB_IS_SESSION (self), NULL);

  facts = get_facts (self, NULL);
  return kb_paths_get_state_dir (&facts, self->home);
}

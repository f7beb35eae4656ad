// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-source-daruma.h"

#include "client/kb-daruma-facts.h"
#include "client/kb-health-reader.h"
#include "client/kb-log-reader.h"
#include "store/kb-file-watch.h"

#include <glib/gi18n-lib.h>

/*
 * How it works. The profile says which files matter: those it was read from, the health file
 * and the log. They are watched first and read afterwards; since only reading tells which
 * they are, the profile is read again if its files turn out to be others. A change marks what
 * is stale; at the end of the batch everything stale is read once and the facts are made
 * anew. The log is read in a thread, so it makes a batch of its own.
 */

/* A profile whose files differ at every reading is left to the next event. */
#define LOAD_ROUNDS 3

struct _KbSourceDaruma
{
  GObject parent_instance;

  char *home;               /* owned */
  char *profile;            /* owned */
  KbProfile *view;          /* owned, nullable: the last one that could be loaded */
  KbProblem *view_problem;  /* owned, nullable: why it could not be loaded */
  KbDarumaConfig *defaults; /* owned: what counts without a view */
  KbHealthReader *health;   /* owned */
  KbLogReader *log;         /* owned */
  KbHistory *history;       /* owned */
  KbFileWatch *watch;       /* owned, nullable: not with start_sync() */
  GStrv watched;            /* owned, nullable */
  GPtrArray *problems;      /* KbProblem, owned */
  KbDarumaFacts *facts;     /* owned */
  gboolean visible;
  gboolean log_loaded; /* at the last update */
  gboolean profile_stale;
  gboolean health_stale;
  gboolean log_stale;
  gboolean news;
};

G_DEFINE_FINAL_TYPE (KbSourceDaruma, kb_source_daruma, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const KbDarumaConfig *
get_config (KbSourceDaruma *self)
{
  return self->view != NULL ? kb_profile_get_daruma (self->view) : self->defaults;
}

static void
set_view_problem (KbSourceDaruma *self, const GError *error)
{
  g_autofree char *folder = NULL;

  g_clear_pointer (&self->view_problem, kb_problem_free);
  if (error == NULL)
    return;
  folder = g_build_filename (self->home, "profiles", self->profile, NULL);
  self->view_problem
      = kb_problem_new (KB_SEVERITY_ERROR, "profile-unreadable", folder, 0, 0, error->message,
                        _ ("Choose another home or profile, or restore its folder."));
}

/* The last view that could be loaded stands while the profile cannot be read. */
static void
load_view (KbSourceDaruma *self)
{
  g_autoptr (GError) error = NULL;
  KbProfile *view = kb_profile_load (self->home, self->profile, &error);

  set_view_problem (self, error);
  self->news = TRUE;
  if (view == NULL)
    return;
  g_clear_pointer (&self->view, kb_profile_unref);
  self->view = view;
}

/* Without a view at least what would make one. */
static void
add_profile_files (KbSourceDaruma *self, GStrvBuilder *files)
{
  g_auto (GStrv) names = NULL;

  if (self->view != NULL)
    {
      names = kb_profile_list_files (self->view);
      g_strv_builder_addv (files, (const char **) names);
    }
  g_strv_builder_take (
      files, g_build_filename (self->home, "profiles", self->profile, "package.json", NULL));
}

static GStrv
list_files (KbSourceDaruma *self)
{
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  const KbDarumaConfig *config = get_config (self);

  add_profile_files (self, files);
  g_strv_builder_add (files, config->state_file);
  g_strv_builder_add (files, config->log_file);
  return g_strv_builder_end (files);
}

/* Returns whether other files are watched now than before. */
static gboolean
watch_files (KbSourceDaruma *self)
{
  g_auto (GStrv) files = NULL;

  if (self->watch == NULL)
    return FALSE;
  files = list_files (self);
  if (self->watched != NULL
      && g_strv_equal ((const char *const *) files, (const char *const *) self->watched))
    return FALSE;
  g_strfreev (self->watched);
  self->watched = g_steal_pointer (&files);
  kb_file_watch_set_paths (self->watch, (const char *const *) self->watched);
  return TRUE;
}

static void
read_profile (KbSourceDaruma *self)
{
  for (guint round = 0; round < LOAD_ROUNDS; round++)
    {
      load_view (self);
      if (!watch_files (self))
        break;
    }
  self->health_stale |= kb_health_reader_set_path (self->health, get_config (self)->state_file);
  self->log_stale |= kb_log_reader_set_path (self->log, get_config (self)->log_file);
}

static void
add_problems (GPtrArray *problems, const GPtrArray *more)
{
  for (guint i = 0; i < more->len; i++)
    g_ptr_array_add (problems, kb_problem_copy (more->pdata[i]));
}

static GPtrArray *
collect_problems (KbSourceDaruma *self)
{
  GPtrArray *problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  const KbProblem *log_problem = kb_log_reader_get_problem (self->log);

  if (self->view_problem != NULL)
    g_ptr_array_add (problems, kb_problem_copy (self->view_problem));
  if (self->view != NULL)
    add_problems (problems, kb_profile_get_problems (self->view));
  add_problems (problems, kb_health_reader_get_problems (self->health));
  if (log_problem != NULL)
    g_ptr_array_add (problems, kb_problem_copy (log_problem));
  return problems;
}

static gboolean
same_problems (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      if (!kb_problem_equal (a->pdata[i], b->pdata[i]))
        return FALSE;
    }
  return TRUE;
}

static void
update_problems (KbSourceDaruma *self)
{
  g_autoptr (GPtrArray) problems = collect_problems (self);

  if (same_problems (problems, self->problems))
    return;
  g_ptr_array_unref (self->problems);
  self->problems = g_steal_pointer (&problems);
  self->news = TRUE;
}

/* Makes everything that is derived anew. */
static void
update (KbSourceDaruma *self)
{
  gboolean log_loaded = kb_log_reader_is_loaded (self->log);

  update_problems (self);
  g_clear_pointer (&self->facts, kb_daruma_facts_free);
  self->facts
      = kb_daruma_facts_new (get_config (self), kb_health_reader_get_document (self->health),
                             kb_health_reader_is_known (self->health), self->history);
  if (self->log_loaded != log_loaded)
    self->news = TRUE;
  self->log_loaded = log_loaded;
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Reads what is stale. @believe_absence: as kb_health_reader_read(). */
static void
read_stale (KbSourceDaruma *self, gboolean believe_absence)
{
  if (self->profile_stale)
    read_profile (self);
  if (self->health_stale)
    kb_health_reader_read (self->health, believe_absence);
  if (self->log_stale && self->watch != NULL)
    kb_log_reader_read (self->log);
  else if (self->log_stale)
    kb_log_reader_read_sync (self->log);
  self->profile_stale = self->health_stale = self->log_stale = FALSE;
  update (self);
}

static void
mark_all_stale (KbSourceDaruma *self)
{
  self->profile_stale = self->health_stale = self->log_stale = TRUE;
}

static void
kb_source_daruma_watch_changed_cb (KbFileWatch *watch, const char *path, gpointer user_data)
{
  KbSourceDaruma *self = user_data;
  const KbDarumaConfig *config = get_config (self);
  gboolean is_health = g_str_equal (path, config->state_file);
  gboolean is_log = g_str_equal (path, config->log_file);

  self->health_stale |= is_health;
  self->log_stale |= is_log;
  self->profile_stale |= !is_health && !is_log;
}

static void
kb_source_daruma_watch_settled_cb (KbFileWatch *watch, gpointer user_data)
{
  /* The watch has looked twice before it says that a file is gone. */
  read_stale (user_data, TRUE);
}

static void
kb_source_daruma_log_read_cb (KbLogReader *log, gpointer user_data)
{
  update (user_data);
}

static void
kb_source_daruma_history_items_changed_cb (
    GListModel *history, guint position, guint removed, guint added, gpointer user_data)
{
  ((KbSourceDaruma *) user_data)->news = TRUE;
}

static void
kb_source_daruma_dispose (GObject *object)
{
  KbSourceDaruma *self = KB_SOURCE_DARUMA (object);

  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  if (self->log != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->log, self);
      g_object_run_dispose (G_OBJECT (self->log));
    }
  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->watch);
  g_clear_object (&self->log);
  G_OBJECT_CLASS (kb_source_daruma_parent_class)->dispose (object);
}

static void
kb_source_daruma_finalize (GObject *object)
{
  KbSourceDaruma *self = KB_SOURCE_DARUMA (object);

  g_clear_pointer (&self->view, kb_profile_unref);
  kb_problem_free (self->view_problem);
  kb_daruma_config_free (self->defaults);
  kb_daruma_facts_free (self->facts);
  kb_health_reader_free (self->health);
  g_ptr_array_unref (self->problems);
  g_clear_object (&self->history);
  g_strfreev (self->watched);
  g_free (self->home);
  g_free (self->profile);
  G_OBJECT_CLASS (kb_source_daruma_parent_class)->finalize (object);
}

static void
kb_source_daruma_class_init (KbSourceDarumaClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_source_daruma_dispose;
  object_class->finalize = kb_source_daruma_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
kb_source_daruma_init (KbSourceDaruma *self)
{
  self->health = kb_health_reader_new ();
  self->history = kb_history_new ();
  self->log = kb_log_reader_new (self->history, "daruma");
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_signal_connect (self->log, "read", G_CALLBACK (kb_source_daruma_log_read_cb), self);
  g_signal_connect (self->history, "items-changed",
                    G_CALLBACK (kb_source_daruma_history_items_changed_cb), self);
}

/**
 * kb_source_daruma_new:
 * @home: absolute path of a home
 * @profile: name of one of its profiles
 *
 * Returns: (transfer full): a source that has read nothing yet
 */
KbSourceDaruma *
kb_source_daruma_new (const char *home, const char *profile)
{
  KbSourceDaruma *self;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (profile != NULL, NULL);

  self = g_object_new (KB_TYPE_SOURCE_DARUMA, NULL);
  self->home = g_strdup (home);
  self->profile = g_strdup (profile);
  self->defaults = kb_daruma_config_new (home);
  self->facts = kb_daruma_facts_new (self->defaults, NULL, TRUE, self->history);
  return self;
}

/**
 * kb_source_daruma_start:
 * @self: a source that was not started
 *
 * Reads profile and health before it returns, begins to read the log in a thread, and
 * follows all of them from now on.
 */
void
kb_source_daruma_start (KbSourceDaruma *self)
{
  g_return_if_fail (KB_IS_SOURCE_DARUMA (self));
  g_return_if_fail (self->watch == NULL);

  self->watch = kb_file_watch_new ();
  kb_file_watch_set_visible (self->watch, self->visible);
  g_signal_connect (self->watch, "changed", G_CALLBACK (kb_source_daruma_watch_changed_cb), self);
  g_signal_connect (self->watch, "settled", G_CALLBACK (kb_source_daruma_watch_settled_cb), self);
  mark_all_stale (self);
  read_stale (self, TRUE);
}

/**
 * kb_source_daruma_start_sync:
 * @self: a source that was not started
 *
 * Reads everything before it returns and follows nothing.
 */
void
kb_source_daruma_start_sync (KbSourceDaruma *self)
{
  g_return_if_fail (KB_IS_SOURCE_DARUMA (self));
  g_return_if_fail (self->watch == NULL);

  mark_all_stale (self);
  read_stale (self, TRUE);
}

/**
 * kb_source_daruma_refresh:
 * @self: a source that was started
 *
 * Looks at every file again. After kb_source_daruma_start() the profile is read if any of
 * its files differs, health and log in any case; after kb_source_daruma_start_sync()
 * everything is read.
 */
void
kb_source_daruma_refresh (KbSourceDaruma *self)
{
  g_return_if_fail (KB_IS_SOURCE_DARUMA (self));

  g_object_ref (self);
  mark_all_stale (self);
  if (self->watch != NULL)
    {
      self->profile_stale = FALSE;
      kb_file_watch_check_now (self->watch);
      self->health_stale = self->log_stale = TRUE;
    }
  read_stale (self, self->watch == NULL);
  g_object_unref (self);
}

/**
 * kb_source_daruma_set_visible:
 * @self: a source
 * @visible: whether somebody looks
 *
 * On becoming visible every file is looked at, and read if it changed.
 */
void
kb_source_daruma_set_visible (KbSourceDaruma *self, gboolean visible)
{
  g_return_if_fail (KB_IS_SOURCE_DARUMA (self));

  self->visible = visible;
  if (self->watch == NULL)
    return;
  kb_file_watch_set_visible (self->watch, visible);
  if (visible)
    kb_file_watch_check_now (self->watch);
}

/**
 * kb_source_daruma_get_view:
 * @self: a source
 *
 * Returns: (transfer none) (nullable): the profile as it was last readable
 */
KbProfile *
kb_source_daruma_get_view (KbSourceDaruma *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), NULL);
  return self->view;
}

/**
 * kb_source_daruma_get_history:
 * @self: a source
 *
 * Returns: (transfer none): what the log says
 */
KbHistory *
kb_source_daruma_get_history (KbSourceDaruma *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), NULL);
  return self->history;
}

/**
 * kb_source_daruma_get_problems:
 * @self: a source
 *
 * Returns: (transfer none) (element-type KbProblem): what is wrong with the profile, the
 *   health file and the log, in this order; valid until the next "changed"
 */
const GPtrArray *
kb_source_daruma_get_problems (KbSourceDaruma *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), NULL);
  return self->problems;
}

/**
 * kb_source_daruma_get_facts:
 * @self: a source
 * @n_facts: (out): how many
 *
 * Returns: (transfer none) (array length=n_facts): its channels; valid until the next
 *   "changed"
 */
const KbChannelFacts *
kb_source_daruma_get_facts (KbSourceDaruma *self, guint *n_facts)
{
  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), NULL);
  return kb_daruma_facts_get (self->facts, n_facts);
}

/**
 * kb_source_daruma_is_active:
 * @self: a source
 *
 * Returns: whether the plugin runs with this profile: a row that is disabled judges nothing
 */
gboolean
kb_source_daruma_is_active (KbSourceDaruma *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), FALSE);
  return !get_config (self)->disabled;
}

/**
 * kb_source_daruma_is_log_loaded:
 * @self: a source
 *
 * Returns: whether the log has been read once
 */
gboolean
kb_source_daruma_is_log_loaded (KbSourceDaruma *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), FALSE);
  return self->log_loaded;
}

/**
 * kb_source_daruma_take_news:
 * @self: a source
 *
 * Returns: whether, since this was asked last, anything beside the facts of the channels has
 *   changed: profile, problems or history
 */
gboolean
kb_source_daruma_take_news (KbSourceDaruma *self)
{
  gboolean news;

  g_return_val_if_fail (KB_IS_SOURCE_DARUMA (self), FALSE);

  news = self->news;
  self->news = FALSE;
  return news;
}

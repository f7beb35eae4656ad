// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-health-reader.h"

#include "core/kb-problem.h"

#include <glib/gi18n-lib.h>

struct _KbHealthReader
{
  char *path;                 /* owned, nullable */
  KbHealthDocument *document; /* owned, nullable: the last one that could be read */
  GPtrArray *problems;        /* KbProblem, owned */
  gboolean failed;            /* the last reading gave nothing */
};

static void
add_warning (KbHealthReader *self, guint line, guint column, const char *message, const char *hint)
{
  g_ptr_array_add (self->problems, kb_problem_new (KB_SEVERITY_WARNING, "health-record", self->path,
                                                   line, column, message, hint));
}

static const char *
code_of (const GError *error)
{
  if (error->domain != KB_HEALTH_ERROR)
    return "health-unreadable";
  return error->code == KB_HEALTH_ERROR_TOO_LARGE ? "health-too-large" : "health-syntax";
}

static const char *
hint_of (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return _ ("Give your user read access to it, or correct “stateFile” in the profile.");
  if (error->domain != KB_HEALTH_ERROR)
    return _ ("Move it away, or correct “stateFile” in the profile.");
  return _ ("The plugin writes the file anew at the next failure or success of a channel; to start "
            "over, delete it while the host is not running.");
}

static void
report_error (KbHealthReader *self, const GError *error)
{
  guint line = 0;
  guint column = 0;

  if (error->domain == KB_HEALTH_ERROR)
    kb_health_error_get_place (error, &line, &column);
  g_ptr_array_add (self->problems, kb_problem_new (KB_SEVERITY_ERROR, code_of (error), self->path,
                                                   line, column, error->message, hint_of (error)));
}

static void
report_drop (KbHealthReader *self, const KbHealthDrop *drop)
{
  g_autofree char *message
      = g_strdup_printf (_ ("The record of “%s” is not usable: %s"), drop->channel, drop->why);

  add_warning (self, drop->line, drop->column, message,
               _ ("The channel counts as healthy until the plugin writes its record anew."));
}

static void
report_drops (KbHealthReader *self)
{
  const GPtrArray *drops = kb_health_document_get_drops (self->document);
  guint n_shown = MIN (drops->len, KB_HEALTH_PROBLEMS_MAX);
  g_autofree char *message = NULL;
  guint n_left = drops->len - n_shown;

  for (guint i = 0; i < n_shown; i++)
    report_drop (self, drops->pdata[i]);
  if (n_left == 0)
    return;
  message = g_strdup_printf (
      ngettext ("%u more record is not usable", "%u more records are not usable", n_left), n_left);
  add_warning (self, 0, 0, message, NULL);
}

/**
 * kb_health_reader_new:
 *
 * Returns: (transfer full): a reader without a path
 */
KbHealthReader *
kb_health_reader_new (void)
{
  KbHealthReader *self = g_new0 (KbHealthReader, 1);

  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  return self;
}

/**
 * kb_health_reader_free:
 * @self: (transfer full) (nullable): a reader
 *
 * Frees it.
 */
void
kb_health_reader_free (KbHealthReader *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  kb_health_document_free (self->document);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

/**
 * kb_health_reader_set_path:
 * @self: a reader
 * @path: an absolute path
 *
 * Another path forgets what was read from the one before.
 *
 * Returns: whether it is another path
 */
gboolean
kb_health_reader_set_path (KbHealthReader *self, const char *path)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!g_set_str (&self->path, path))
    return FALSE;
  g_clear_pointer (&self->document, kb_health_document_free);
  g_ptr_array_set_size (self->problems, 0);
  self->failed = FALSE;
  return TRUE;
}

/**
 * kb_health_reader_get_path:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): the path
 */
const char *
kb_health_reader_get_path (KbHealthReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->path;
}

/**
 * kb_health_reader_read:
 * @self: a reader with a path
 * @believe_absence: whether a file that is not there is gone for good; else it may be in the
 *   middle of being replaced, and what was read before stands
 *
 * Reads the file. One that cannot be read or understood is a problem, and the last good
 * records stand; one that is not there is none: the plugin makes it at its first failure.
 */
void
kb_health_reader_read (KbHealthReader *self, gboolean believe_absence)
{
  g_autoptr (GError) error = NULL;
  KbHealthDocument *document;

  g_return_if_fail (self != NULL && self->path != NULL);

  document = kb_health_store_load (self->path, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      if (!believe_absence && self->document != NULL)
        return;
      g_clear_pointer (&self->document, kb_health_document_free);
      g_ptr_array_set_size (self->problems, 0);
      self->failed = FALSE;
      return;
    }
  g_ptr_array_set_size (self->problems, 0);
  self->failed = document == NULL;
  if (document == NULL)
    {
      report_error (self, error);
      return;
    }
  kb_health_document_free (self->document);
  self->document = document;
  report_drops (self);
}

/**
 * kb_health_reader_get_document:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): the last document that could be read; %NULL when there
 *   is no file
 */
KbHealthDocument *
kb_health_reader_get_document (KbHealthReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->document;
}

/**
 * kb_health_reader_is_known:
 * @self: a reader
 *
 * Returns: whether its records are what the channels are in: a file that is there, but was
 *   never read, says nothing, and not that all is well
 */
gboolean
kb_health_reader_is_known (KbHealthReader *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->document != NULL || !self->failed;
}

/**
 * kb_health_reader_get_problems:
 * @self: a reader
 *
 * Returns: (transfer none) (element-type KbProblem): what is wrong with the file
 */
const GPtrArray *
kb_health_reader_get_problems (KbHealthReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->problems;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-source-gateway"

#include "config.h"

#include "client/kb-source-gateway.h"

#include <glib/gi18n-lib.h>

#include "client/kb-session-bus.h"
#include "ipc/kb-gateway-error.h"

/*
 * How it works. The owner of the name is watched. When one appears it is asked for a snapshot;
 * after that whenever it says that its serial is another one. One question is under way at a
 * time, and what is said meanwhile makes one more follow, so that a gap is never patched over:
 * a snapshot is always whole. A question waits as long as it takes: a gateway that is stopped
 * is told to be silent after a while, without asking it again and again, and its answer is
 * still welcome when it goes on. If it dies, the bus ends the question and the name.
 */

#define INTERFACE "io.github.koboshi.Koboshi.Gateway1"

/* Longer than any gateway that is well takes to answer. */
#define PATIENCE_MS 3000

/* A test takes as long as a model takes to begin; all else is quick. */
#define CALL_MS 130000

/* A keyring may have to be asked first. */
#define START_MS 30000

struct _KbSourceGateway
{
  GObject parent_instance;

  char *home;              /* owned, canonical */
  char *profile;           /* owned */
  char *bus_name;          /* owned */
  GDBusConnection *bus;    /* owned, nullable */
  GCancellable *life;      /* owned: until dispose */
  GCancellable *question;  /* owned, nullable: one is under way */
  char *owner;             /* owned, nullable: nobody has the name */
  KbGatewayReport *report; /* owned, nullable */
  KbGatewayLink link;
  guint64 serial; /* that the gateway said last */
  guint name_watch;
  guint subscription;
  guint patience;
  gboolean is_stale; /* asked for again while a question is under way */
  gboolean news;
};

G_DEFINE_FINAL_TYPE (KbSourceGateway, kb_source_gateway, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void ask (KbSourceGateway *self);

static void
set_link (KbSourceGateway *self, KbGatewayLink link)
{
  self->link = link;
  self->news = TRUE;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
drop_question (KbSourceGateway *self)
{
  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->question != NULL)
    g_cancellable_cancel (self->question);
  g_clear_object (&self->question);
}

static KbGatewayLink
judge (KbSourceGateway *self, const KbGatewayReport *report)
{
  if (g_strcmp0 (report->home, self->home) == 0 && g_strcmp0 (report->profile, self->profile) == 0)
    return KB_GATEWAY_LINK_SERVING;
  return KB_GATEWAY_LINK_ELSEWHERE;
}

/* An older snapshot than the one there is says nothing new. */
static void
take_report (KbSourceGateway *self, GVariant *answer)
{
  g_autoptr (GVariant) snapshot = NULL;
  g_autoptr (KbGatewayReport) report = NULL;

  if (g_variant_is_of_type (answer, G_VARIANT_TYPE ("(a{sv})")))
    snapshot = g_variant_get_child_value (answer, 0);
  report = snapshot != NULL ? kb_gateway_report_from_variant (snapshot) : NULL;
  if (report == NULL)
    {
      set_link (self, KB_GATEWAY_LINK_SILENT);
      return;
    }
  if (self->report != NULL && self->link == KB_GATEWAY_LINK_SERVING
      && report->serial < self->report->serial)
    return;
  self->serial = MAX (self->serial, (guint64) report->serial);
  g_clear_pointer (&self->report, kb_gateway_report_unref);
  self->report = g_steal_pointer (&report);
  set_link (self, judge (self, self->report));
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  KbSourceGateway *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the source may be gone */
  g_clear_handle_id (&self->patience, g_source_remove);
  g_clear_object (&self->question);
  g_object_ref (self);
  if (answer != NULL)
    take_report (self, answer);
  else
    {
      g_debug ("no snapshot: %s", error->message);
      set_link (self, KB_GATEWAY_LINK_SILENT);
    }
  if (self->is_stale)
    ask (self);
  g_object_unref (self);
}

static gboolean
patience_cb (gpointer user_data)
{
  KbSourceGateway *self = user_data;

  self->patience = 0;
  set_link (self, KB_GATEWAY_LINK_SILENT);
  return G_SOURCE_REMOVE;
}

/* The owner is asked, not the name: an answer of its successor would have another serial. */
static void
ask (KbSourceGateway *self)
{
  self->is_stale = self->question != NULL;
  if (self->owner == NULL || self->question != NULL)
    return;
  self->question = g_cancellable_new ();
  self->patience = g_timeout_add (PATIENCE_MS, patience_cb, self);
  g_source_set_name_by_id (self->patience, "kb-source-gateway patience");
  g_dbus_connection_call (self->bus, self->owner, KB_GATEWAY_BUS_PATH, INTERFACE, "GetSnapshot",
                          NULL, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, self->question,
                          answered_cb, self);
}

static void
changed_cb (GDBusConnection *bus,
            const char *sender,
            const char *path,
            const char *interface,
            const char *signal,
            GVariant *parameters,
            gpointer user_data)
{
  KbSourceGateway *self = user_data;

  if (g_strcmp0 (sender, self->owner) != 0
      || !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(t)")))
    return;
  g_variant_get (parameters, "(t)", &self->serial);
  if (self->report == NULL || self->serial != (guint64) self->report->serial)
    ask (self);
}

/* Whoever has the name now is another process, which counts from the beginning. */
static void
forget_owner (KbSourceGateway *self)
{
  drop_question (self);
  g_clear_pointer (&self->owner, g_free);
  g_clear_pointer (&self->report, kb_gateway_report_unref);
  self->serial = 0;
  self->is_stale = FALSE;
}

static void
name_appeared_cb (GDBusConnection *bus, const char *name, const char *owner, gpointer user_data)
{
  KbSourceGateway *self = user_data;

  forget_owner (self);
  self->owner = g_strdup (owner);
  ask (self);
}

static void
name_vanished_cb (GDBusConnection *bus, const char *name, gpointer user_data)
{
  KbSourceGateway *self = user_data;

  forget_owner (self);
  set_link (self, KB_GATEWAY_LINK_ABSENT);
}

static void
follow (KbSourceGateway *self)
{
  self->subscription = g_dbus_connection_signal_subscribe (
      self->bus, self->bus_name, INTERFACE, "Changed", KB_GATEWAY_BUS_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  self->name_watch
      = g_bus_watch_name_on_connection (self->bus, self->bus_name, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                        name_appeared_cb, name_vanished_cb, self, NULL);
}

static void
bus_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  KbSourceGateway *self = user_data;
  g_autoptr (GError) error = NULL;
  GDBusConnection *bus = g_bus_get_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the source may be gone */
  if (bus == NULL)
    {
      g_info ("no session bus: %s", error->message);
      set_link (self, KB_GATEWAY_LINK_ABSENT);
      return;
    }
  self->bus = bus;
  follow (self);
}

static void
kb_source_gateway_dispose (GObject *object)
{
  KbSourceGateway *self = KB_SOURCE_GATEWAY (object);

  g_cancellable_cancel (self->life);
  drop_question (self);
  g_clear_handle_id (&self->name_watch, g_bus_unwatch_name);
  if (self->subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  self->subscription = 0;
  g_clear_object (&self->bus);
  G_OBJECT_CLASS (kb_source_gateway_parent_class)->dispose (object);
}

static void
kb_source_gateway_finalize (GObject *object)
{
  KbSourceGateway *self = KB_SOURCE_GATEWAY (object);

  g_clear_pointer (&self->report, kb_gateway_report_unref);
  g_clear_object (&self->life);
  g_free (self->owner);
  g_free (self->home);
  g_free (self->profile);
  g_free (self->bus_name);
  G_OBJECT_CLASS (kb_source_gateway_parent_class)->finalize (object);
}

static void
kb_source_gateway_class_init (KbSourceGatewayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_source_gateway_dispose;
  object_class->finalize = kb_source_gateway_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
kb_source_gateway_init (KbSourceGateway *self)
{
  self->life = g_cancellable_new ();
  self->bus_name = g_strdup (KB_GATEWAY_BUS_NAME);
}

/**
 * kb_source_gateway_new:
 * @home: absolute path of a home
 * @profile: name of one of its profiles
 *
 * Returns: (transfer full): a source that has asked nobody yet
 */
KbSourceGateway *
kb_source_gateway_new (const char *home, const char *profile)
{
  KbSourceGateway *self;

  g_return_val_if_fail (home != NULL && profile != NULL, NULL);

  self = g_object_new (KB_TYPE_SOURCE_GATEWAY, NULL);
  self->home = g_canonicalize_filename (home, NULL);
  self->profile = g_strdup (profile);
  return self;
}

/**
 * kb_source_gateway_set_bus_name:
 * @self: a source that was not started
 * @bus_name: the name of the gateway, where it is not the usual one
 *
 * For a demo, whose gateway runs beside a real one.
 */
void
kb_source_gateway_set_bus_name (KbSourceGateway *self, const char *bus_name)
{
  g_return_if_fail (KB_IS_SOURCE_GATEWAY (self));
  g_return_if_fail (self->bus == NULL && g_dbus_is_name (bus_name));
  g_set_str (&self->bus_name, bus_name);
}

/**
 * kb_source_gateway_start:
 * @self: a source that was not started
 *
 * Follows the gateway from now on. Without a session bus there is none.
 */
void
kb_source_gateway_start (KbSourceGateway *self)
{
  g_return_if_fail (KB_IS_SOURCE_GATEWAY (self));

  if (kb_session_bus_exists ())
    g_bus_get (G_BUS_TYPE_SESSION, self->life, bus_cb, self);
  else
    self->link = KB_GATEWAY_LINK_ABSENT;
}

/**
 * kb_source_gateway_start_sync:
 * @self: a source that was not started
 *
 * Asks once before it returns, and follows nothing. Waits at most three seconds.
 */
void
kb_source_gateway_start_sync (KbSourceGateway *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  g_return_if_fail (KB_IS_SOURCE_GATEWAY (self));

  self->link = KB_GATEWAY_LINK_ABSENT;
  if (self->bus == NULL && kb_session_bus_exists ())
    self->bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (self->bus == NULL)
    return;
  answer = g_dbus_connection_call_sync (self->bus, self->bus_name, KB_GATEWAY_BUS_PATH, INTERFACE,
                                        "GetSnapshot", NULL, NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START,
                                        PATIENCE_MS, NULL, &error);
  if (answer != NULL)
    take_report (self, answer);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)
           || g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY))
    self->link = KB_GATEWAY_LINK_SILENT;
}

/**
 * kb_source_gateway_refresh:
 * @self: a source
 *
 * Asks the gateway again: whether it still answers is only seen by asking.
 */
void
kb_source_gateway_refresh (KbSourceGateway *self)
{
  g_return_if_fail (KB_IS_SOURCE_GATEWAY (self));
  ask (self);
}

/**
 * kb_source_gateway_get_link:
 * @self: a source
 *
 * Returns: how it stands with the gateway
 */
KbGatewayLink
kb_source_gateway_get_link (KbSourceGateway *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_GATEWAY (self), KB_GATEWAY_LINK_UNKNOWN);
  return self->link;
}

/**
 * kb_source_gateway_get_report:
 * @self: a source
 *
 * Returns: (transfer none) (nullable): what the gateway told last; %NULL while none is running
 */
KbGatewayReport *
kb_source_gateway_get_report (KbSourceGateway *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_GATEWAY (self), NULL);
  return self->report;
}

/**
 * kb_source_gateway_judges:
 * @self: a source
 *
 * Returns: whether the report is about this home and profile; it stays so while a gateway is
 *   silent
 */
gboolean
kb_source_gateway_judges (KbSourceGateway *self)
{
  g_return_val_if_fail (KB_IS_SOURCE_GATEWAY (self), FALSE);
  return self->report != NULL && judge (self, self->report) == KB_GATEWAY_LINK_SERVING;
}

/**
 * kb_source_gateway_take_news:
 * @self: a source
 *
 * Returns: whether, since this was asked last, the link changed or a report came
 */
gboolean
kb_source_gateway_take_news (KbSourceGateway *self)
{
  gboolean news;

  g_return_val_if_fail (KB_IS_SOURCE_GATEWAY (self), FALSE);

  news = self->news;
  self->news = FALSE;
  return news;
}

static void
call_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GVariant *answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (answer != NULL)
    {
      g_task_return_pointer (task, answer, (GDestroyNotify) g_variant_unref);
      return;
    }
  g_dbus_error_strip_remote_error (error);
  g_task_return_error (task, error);
}

/* A floating @parameters is taken in any case. */
static void
call (KbSourceGateway *self,
      const char *name,
      const char *path,
      const char *interface,
      const char *method,
      GVariant *parameters,
      int timeout_ms,
      GTask *task)
{
  g_autoptr (GVariant) owned = parameters != NULL ? g_variant_ref_sink (parameters) : NULL;

  /* The domain has to be known before an error comes. */
  g_assert (KB_GATEWAY_ERROR != 0);
  if (self->bus == NULL || name == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_CONNECTED,
                               _ ("No gateway is running."));
      g_object_unref (task);
      return;
    }
  g_dbus_connection_call (self->bus, name, path, interface, method, owned, NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, timeout_ms, self->life, call_cb, task);
}

/**
 * kb_source_gateway_call_async:
 * @self: a source that was started
 * @method: a method of the gateway's interface
 * @parameters: (nullable): floating, taken over
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Asks the gateway to do something. It is not started for that.
 */
void
kb_source_gateway_call_async (KbSourceGateway *self,
                              const char *method,
                              GVariant *parameters,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;

  g_return_if_fail (KB_IS_SOURCE_GATEWAY (self) && method != NULL);

  task = g_task_new (self, self->life, callback, user_data);
  g_task_set_source_tag (task, kb_source_gateway_call_async);
  call (self, self->owner, KB_GATEWAY_BUS_PATH, INTERFACE, method, parameters, CALL_MS, task);
}

/**
 * kb_source_gateway_call_finish:
 * @self: a source
 * @result: the result
 * @error: return location: of %KB_GATEWAY_ERROR what the gateway refused, in words for a person
 *
 * Returns: (transfer full) (nullable): what the method returned
 */
GVariant *
kb_source_gateway_call_finish (KbSourceGateway *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * kb_source_gateway_start_gateway_async:
 * @self: a source that was started
 * @callback: called when one is running, or cannot be
 * @user_data: for @callback
 *
 * Has the session bus start the gateway, on a person's wish.
 */
void
kb_source_gateway_start_gateway_async (KbSourceGateway *self,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  GTask *task;

  g_return_if_fail (KB_IS_SOURCE_GATEWAY (self));

  task = g_task_new (self, self->life, callback, user_data);
  g_task_set_source_tag (task, kb_source_gateway_start_gateway_async);
  call (self, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "StartServiceByName", g_variant_new ("(su)", self->bus_name, 0), START_MS, task);
}

/**
 * kb_source_gateway_start_gateway_finish:
 * @self: a source
 * @result: the result
 * @error: return location: why none could be started
 *
 * Returns: whether one is running now
 */
gboolean
kb_source_gateway_start_gateway_finish (KbSourceGateway *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GVariant) answer = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  return answer != NULL;
}

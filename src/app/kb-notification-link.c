// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-notification-link.h"

#include <glib/gi18n-lib.h>

#include "client/kb-notifier.h"

struct _KbNotificationLink
{
  GObject parent_instance;

  KbWindow *window;          /* not owned, nullable: it is gone */
  GApplication *application; /* owned */
  GSettings *settings;       /* owned */
  KbNotifier *notifier;      /* owned, nullable */
};

G_DEFINE_FINAL_TYPE (KbNotificationLink, kb_notification_link, G_TYPE_OBJECT)

static gboolean
offers (KbNotificationLink *self, const char *action)
{
  return g_action_group_has_action (G_ACTION_GROUP (self->application), action)
         && g_action_group_get_action_enabled (G_ACTION_GROUP (self->application), action);
}

static void
add_buttons (KbNotificationLink *self, GNotification *notification, const KbNotice *notice)
{
  if (notice->target != NULL && offers (self, "set-backup"))
    g_notification_add_button_with_target (notification, _ ("Use as Backup"), "app.set-backup", "s",
                                           notice->target);
  if (offers (self, "retry-channel"))
    g_notification_add_button_with_target (notification, _ ("Retry Now"), "app.retry-channel", "s",
                                           notice->channel);
  g_notification_add_button_with_target (notification, _ ("Details"), "app.open", "s", "");
}

static void
send_cb (KbNotificationLink *self, const KbNotice *notice)
{
  g_autoptr (GNotification) notification = NULL;

  if (gtk_window_is_active (GTK_WINDOW (self->window)))
    return;
  notification = g_notification_new (notice->title);
  g_notification_set_body (notification, notice->body);
  g_notification_set_priority (notification, kb_notice_is_important (notice)
                                                 ? G_NOTIFICATION_PRIORITY_HIGH
                                                 : G_NOTIFICATION_PRIORITY_NORMAL);
  g_notification_set_default_action_and_target (notification, "app.open", "s", "");
  add_buttons (self, notification, notice);
  g_application_send_notification (self->application, notice->channel, notification);
}

static void
withdraw_cb (KbNotificationLink *self, const char *channel)
{
  g_application_withdraw_notification (self->application, channel);
}

static void
level_cb (KbNotificationLink *self)
{
  if (self->notifier != NULL)
    kb_notifier_set_level (self->notifier,
                           (KbNotifierLevel) g_settings_get_enum (self->settings, "notifications"));
}

static void
drop_notifier (KbNotificationLink *self)
{
  if (self->notifier == NULL)
    return;
  kb_notifier_set_level (self->notifier, KB_NOTIFIER_OFF);
  g_signal_handlers_disconnect_by_data (self->notifier, self);
  g_clear_object (&self->notifier);
}

static void
monitor_cb (KbNotificationLink *self)
{
  KbMonitor *monitor = kb_window_get_monitor (self->window);

  drop_notifier (self);
  if (monitor == NULL)
    return;
  self->notifier = kb_notifier_new (monitor, KB_NOTIFIER_OFF);
  g_signal_connect_swapped (self->notifier, "send", G_CALLBACK (send_cb), self);
  g_signal_connect_swapped (self->notifier, "withdraw", G_CALLBACK (withdraw_cb), self);
  level_cb (self);
}

static void
window_gone_cb (gpointer user_data, GObject *window)
{
  KbNotificationLink *self = KB_NOTIFICATION_LINK (user_data);

  self->window = NULL;
  drop_notifier (self);
}

static void
kb_notification_link_dispose (GObject *object)
{
  KbNotificationLink *self = KB_NOTIFICATION_LINK (object);

  drop_notifier (self);
  if (self->window != NULL)
    g_object_weak_unref (G_OBJECT (self->window), window_gone_cb, self);
  self->window = NULL;
  g_clear_object (&self->settings);
  g_clear_object (&self->application);

  G_OBJECT_CLASS (kb_notification_link_parent_class)->dispose (object);
}

static void
kb_notification_link_class_init (KbNotificationLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kb_notification_link_dispose;
}

static void
kb_notification_link_init (KbNotificationLink *self)
{
  self->settings = g_settings_new (KB_APPLICATION_ID);
  g_signal_connect_swapped (self->settings, "changed::notifications", G_CALLBACK (level_cb), self);
}

/* @window: a window of an application, whose actions the notifications offer */
KbNotificationLink *
kb_notification_link_new (KbWindow *window)
{
  KbNotificationLink *self;

  g_return_val_if_fail (KB_IS_WINDOW (window), NULL);

  self = g_object_new (KB_TYPE_NOTIFICATION_LINK, NULL);
  self->window = window;
  self->application
      = g_object_ref (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))));
  g_object_weak_ref (G_OBJECT (window), window_gone_cb, self);
  g_signal_connect_object (window, "notify::monitor", G_CALLBACK (monitor_cb), self,
                           G_CONNECT_SWAPPED);
  monitor_cb (self);
  return self;
}

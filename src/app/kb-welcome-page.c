// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-welcome-page.h"

#include <glib/gi18n-lib.h>

struct _KbWelcomePage
{
  AdwBin parent_instance;

  AdwStatusPage *status;
  GtkWidget *demo_button;
  GtkWidget *retry_button;
  GtkWidget *make_button;
};

G_DEFINE_FINAL_TYPE (KbWelcomePage, kb_welcome_page, ADW_TYPE_BIN)

static void
kb_welcome_page_dispose (GObject *object)
{
  /* Else the template would unparent the child that the bin still holds. */
  adw_bin_set_child (ADW_BIN (object), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), KB_TYPE_WELCOME_PAGE);

  G_OBJECT_CLASS (kb_welcome_page_parent_class)->dispose (object);
}

static void
kb_welcome_page_class_init (KbWelcomePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_welcome_page_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/koboshi/Koboshi/kb-welcome-page.ui");
  gtk_widget_class_bind_template_child (widget_class, KbWelcomePage, status);
  gtk_widget_class_bind_template_child (widget_class, KbWelcomePage, demo_button);
  gtk_widget_class_bind_template_child (widget_class, KbWelcomePage, retry_button);
  gtk_widget_class_bind_template_child (widget_class, KbWelcomePage, make_button);
}

static void
kb_welcome_page_init (KbWelcomePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
kb_welcome_page_new (void)
{
  return g_object_new (KB_TYPE_WELCOME_PAGE, NULL);
}

/* The description of a status page is markup; paths and messages are not. */
static void
show (KbWelcomePage *self, const char *icon, const char *title, const char *description)
{
  g_autofree char *escaped = g_markup_escape_text (description, -1);

  adw_status_page_set_icon_name (self->status, icon);
  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, escaped);
}

static void
show_no_home (KbWelcomePage *self, KbSession *session, const char *home)
{
  g_autofree char *description = NULL;

  if (kb_session_get_origin (session) == KB_HOME_OWN)
    {
      show (self, KB_APPLICATION_ID, _ ("Welcome to Koboshi"),
            _ ("Koboshi shows which model channels of a DeepSeek Harness are healthy, which are "
               "cooling down, and why. There is no DeepSeek Harness home on this computer yet. "
               "To route other programs through Koboshi’s gateway, create a home of its own."));
      return;
    }
  description = g_strdup_printf (
      _ ("The folder %s does not exist. Open another folder, or try the demo."), home);
  show (self, "folder-symbolic", _ ("Home Not Found"), description);
}

static void
show_no_profile (KbWelcomePage *self, KbSession *session, const char *home)
{
  const char *profile = kb_session_get_profile (session);
  g_autofree char *description = NULL;

  if (profile != NULL)
    description = g_strdup_printf (
        _ ("The folder %1$s has no profile named “%2$s”. A profile is a folder below “profiles” "
           "that holds a package.json."),
        home, profile);
  else
    description = g_strdup_printf (
        _ ("The folder %s holds no profile. A profile is a folder below “profiles” that holds a "
           "package.json."),
        home);
  show (self, "folder-symbolic", _ ("No Profile Found"), description);
}

void
kb_welcome_page_show_session (KbWelcomePage *self, KbSession *session)
{
  g_autofree char *home = NULL;

  g_return_if_fail (KB_IS_WELCOME_PAGE (self));
  g_return_if_fail (KB_IS_SESSION (session));

  home = kb_session_describe_home (session);
  gtk_widget_set_visible (self->demo_button, TRUE);
  gtk_widget_set_visible (self->make_button, kb_session_get_origin (session) == KB_HOME_OWN);
  gtk_widget_set_visible (self->retry_button, FALSE);
  if (kb_session_get_state (session) == KB_SESSION_NO_HOME)
    show_no_home (self, session, home);
  else
    show_no_profile (self, session, home);
}

void
kb_welcome_page_show_error (KbWelcomePage *self, const char *message)
{
  g_return_if_fail (KB_IS_WELCOME_PAGE (self));
  g_return_if_fail (message != NULL);

  gtk_widget_set_visible (self->demo_button, FALSE);
  gtk_widget_set_visible (self->make_button, FALSE);
  gtk_widget_set_visible (self->retry_button, TRUE);
  show (self, "dialog-warning-symbolic", _ ("Profile Cannot Be Read"), message);
}

const char *
kb_welcome_page_get_title (KbWelcomePage *self)
{
  g_return_val_if_fail (KB_IS_WELCOME_PAGE (self), NULL);
  return adw_status_page_get_title (self->status);
}

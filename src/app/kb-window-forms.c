// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The pages of a window that change the configuration; each is made when it is first seen. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/kb-form-page.h"
#include "app/kb-form-view.h"
#include "app/kb-preferences.h"
#include "app/kb-window-private.h"

KbFormModel *
_kb_window_get_forms (KbWindow *self)
{
  if (self->forms == NULL && self->monitor != NULL && self->flow != NULL)
    self->forms = kb_form_model_new (self->monitor, self->flow);
  return self->forms;
}

static GtkWidget *
create_pools (KbFormModel *model)
{
  KbFormView *view = KB_FORM_VIEW (kb_form_view_new (model));
  KbForm *form = kb_form_model_get_form (model);
  GtkWidget *group;

  kb_form_view_add_notice (view, "llm-pool");
  kb_form_view_add_list (view, "llm-pool.providers", _ ("Pools"),
                         _ ("A pool answers like a provider, and hands each request to one of "
                            "its members. The plugin dsh-llm-pool does that."));
  kb_form_view_add_notice (view, "dsh-route-resilience");
  kb_form_view_add_list (view, "dsh-route-resilience.groups", _ ("Groups"),
                         _ ("The channels of a group take turns; one that is rate limited is "
                            "left out for a while. The plugin dsh-route-resilience does that."));
  kb_form_view_add_form (view, "dsh-route-resilience");
  group = kb_form_view_add_link (view, NULL, "llm-fallback", _ ("Fallback"),
                                 _ ("What is tried when any model fails"));
  if (form != NULL && kb_form_is_configured (form, "llm-fallback-settings"))
    kb_form_view_add_link (view, group, "llm-fallback-settings", _ ("Fallback in the Settings"),
                           _ ("What versions 0.1 of the plugin read"));
  kb_form_view_add_link (view, group, "llm-pool", _ ("Retries of Pools"),
                         _ ("What the host does before a pool fails"));
  return GTK_WIDGET (view);
}

static GtkWidget *
create_throttling (KbFormModel *model)
{
  KbFormView *view = KB_FORM_VIEW (kb_form_view_new (model));

  kb_form_view_add_notice (view, "camel");
  kb_form_view_add_preset (view);
  kb_form_view_add_form (view, "camel.defaults");
  return GTK_WIDGET (view);
}

void
_kb_window_fill_page (KbWindow *self)
{
  GtkWidget *page = adw_view_stack_get_visible_child (self->pages);
  KbFormModel *model;

  if (page == NULL || (page != GTK_WIDGET (self->pools) && page != GTK_WIDGET (self->throttling))
      || adw_bin_get_child (ADW_BIN (page)) != NULL)
    return;
  model = _kb_window_get_forms (self);
  if (model == NULL)
    return;
  adw_bin_set_child (ADW_BIN (page), page == GTK_WIDGET (self->pools) ? create_pools (model)
                                                                      : create_throttling (model));
}

/* What they show is of a home that is left. */
void
_kb_window_drop_forms (KbWindow *self)
{
  if (self->navigation != NULL)
    adw_navigation_view_pop_to_tag (self->navigation, "main");
  if (self->pools != NULL)
    adw_bin_set_child (self->pools, NULL);
  if (self->throttling != NULL)
    adw_bin_set_child (self->throttling, NULL);
  g_clear_object (&self->forms);
}

static void
form_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  KbFormModel *model = _kb_window_get_forms (self);

  if (model != NULL)
    kb_form_page_push (gtk_widget_get_first_child (GTK_WIDGET (self->navigation)), model,
                       g_variant_get_string (parameter, NULL));
}

static void
preferences_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  KbWindow *self = KB_WINDOW (user_data);
  KbFormModel *model = _kb_window_get_forms (self);

  if (model != NULL)
    adw_dialog_present (kb_preferences_new (model), GTK_WIDGET (self));
}

void
_kb_window_add_form_actions (KbWindow *self)
{
  static const GActionEntry entries[] = {
    { "form", form_cb, "s" },
    { "preferences", preferences_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

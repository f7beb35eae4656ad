// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-status-badge.h"

#include "client/kb-format.h"

struct _KbStatusBadge
{
  GtkWidget parent_instance;

  GtkWidget *icon;
  GtkWidget *label;
  KbChannelState state;
};

G_DEFINE_FINAL_TYPE (KbStatusBadge, kb_status_badge, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_STATE = 1,
} KbStatusBadgeProperty;

static GParamSpec *properties[PROP_STATE + 1];

/* Each state has a shape of its own, so that nobody depends on colours. */
static const struct
{
  const char *icon;
  const char *style_class;
} looks[] = {
  [KB_CHANNEL_STATE_HEALTHY] = { KB_APPLICATION_ID "-healthy-symbolic", "success" },
  [KB_CHANNEL_STATE_COOLDOWN] = { KB_APPLICATION_ID "-cooldown-symbolic", "warning" },
  [KB_CHANNEL_STATE_PROBE] = { KB_APPLICATION_ID "-probe-symbolic", "accent" },
  [KB_CHANNEL_STATE_DISABLED] = { KB_APPLICATION_ID "-disabled-symbolic", "error" },
  [KB_STATUS_BADGE_UNKNOWN] = { KB_APPLICATION_ID "-unknown-symbolic", "dim-label" },
};

static void
update (KbStatusBadge *self)
{
  const char *word = self->state == KB_STATUS_BADGE_UNKNOWN ? kb_format_state_unknown ()
                                                            : kb_format_state (self->state);

  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), looks[self->state].icon);
  gtk_label_set_label (GTK_LABEL (self->label), word);
  gtk_widget_add_css_class (GTK_WIDGET (self), looks[self->state].style_class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, word, -1);
}

static void
kb_status_badge_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  KbStatusBadge *self = KB_STATUS_BADGE (object);

  switch ((KbStatusBadgeProperty) id)
    {
    case PROP_STATE:
      g_value_set_int (value, (int) self->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_status_badge_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch ((KbStatusBadgeProperty) id)
    {
    case PROP_STATE:
      kb_status_badge_set_state (KB_STATUS_BADGE (object), g_value_get_int (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_status_badge_dispose (GObject *object)
{
  KbStatusBadge *self = KB_STATUS_BADGE (object);

  g_clear_pointer (&self->icon, gtk_widget_unparent);
  g_clear_pointer (&self->label, gtk_widget_unparent);

  G_OBJECT_CLASS (kb_status_badge_parent_class)->dispose (object);
}

static void
kb_status_badge_class_init (KbStatusBadgeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = kb_status_badge_get_property;
  object_class->set_property = kb_status_badge_set_property;
  object_class->dispose = kb_status_badge_dispose;

  properties[PROP_STATE]
      = g_param_spec_int ("state", NULL, NULL, KB_CHANNEL_STATE_HEALTHY, KB_STATUS_BADGE_UNKNOWN,
                          KB_CHANNEL_STATE_HEALTHY,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "status-badge");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
kb_status_badge_init (KbStatusBadge *self)
{
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              6);
  self->icon
      = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  self->label = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                              "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  gtk_widget_set_parent (self->icon, GTK_WIDGET (self));
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
  update (self);
}

GtkWidget *
kb_status_badge_new (void)
{
  return g_object_new (KB_TYPE_STATUS_BADGE, NULL);
}

void
kb_status_badge_set_state (KbStatusBadge *self, KbChannelState state)
{
  g_return_if_fail (KB_IS_STATUS_BADGE (self));
  g_return_if_fail (state <= KB_STATUS_BADGE_UNKNOWN);

  if (self->state == state)
    return;
  gtk_widget_remove_css_class (GTK_WIDGET (self), looks[self->state].style_class);
  self->state = state;
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

KbChannelState
kb_status_badge_get_state (KbStatusBadge *self)
{
  g_return_val_if_fail (KB_IS_STATUS_BADGE (self), KB_CHANNEL_STATE_HEALTHY);
  return self->state;
}

const char *
kb_status_badge_get_icon (KbChannelState state)
{
  g_return_val_if_fail (state <= KB_STATUS_BADGE_UNKNOWN, NULL);
  return looks[state].icon;
}

const char *
kb_status_badge_get_class (KbChannelState state)
{
  g_return_val_if_fail (state <= KB_STATUS_BADGE_UNKNOWN, NULL);
  return looks[state].style_class;
}

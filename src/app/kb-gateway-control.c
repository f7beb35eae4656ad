// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-gateway-control.h"

#include <glib/gi18n-lib.h>

#include "client/kb-format.h"

struct _KbGatewayControl
{
  GObject parent_instance;

  GtkWidget *page;    /* weak, nullable */
  KbMonitor *monitor; /* owned */
};

G_DEFINE_FINAL_TYPE (KbGatewayControl, kb_gateway_control, G_TYPE_OBJECT)

typedef struct
{
  KbGatewayControl *control; /* owned */
  char *name;                /* owned: what a person calls the channel */
  KbChannelAct act;
} Errand;

static void
errand_free (Errand *errand)
{
  g_object_unref (errand->control);
  g_free (errand->name);
  g_free (errand);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Errand, errand_free)

static void
toast (KbGatewayControl *self, const char *text)
{
  if (self->page != NULL)
    gtk_widget_activate_action (self->page, "win.toast", "s", text);
}

static char *
describe_test (const char *name, GVariant *answer)
{
  g_autoptr (GVariant) facts = NULL;
  g_autofree char *took = NULL;
  g_autofree char *failure = NULL;
  const char *code = NULL;
  gboolean ok = FALSE;
  gint64 took_ms = 0;

  if (!g_variant_is_of_type (answer, G_VARIANT_TYPE ("(a{sv})")))
    return g_strdup (_ ("The gateway gave no answer that can be read"));
  facts = g_variant_get_child_value (answer, 0);
  g_variant_lookup (facts, "ok", "b", &ok);
  g_variant_lookup (facts, "took", "x", &took_ms);
  g_variant_lookup (facts, "code", "&s", &code);
  took = kb_format_latency (took_ms);
  if (ok)
    /* Translators: a model and a duration, as in "glm-5.3 answered after 0.8 s" */
    return g_strdup_printf (_ ("%1$s answered after %2$s"), name, took);
  failure = kb_format_failure (code);
  /* Translators: a model and what happened, as in "glm-5.3: Rate limited" */
  return g_strdup_printf (_ ("%1$s: %2$s"), name, failure);
}

/* The rows show what the verbs have changed; only a test has something to tell. */
static void
called_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Errand) errand = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer
      = kb_source_gateway_call_finish (KB_SOURCE_GATEWAY (source), result, &error);
  g_autofree char *text = NULL;

  if (answer != NULL && errand->act == KB_CHANNEL_TEST)
    text = describe_test (errand->name, answer);
  else if (answer == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = g_strdup (error->message);
  if (text != NULL)
    toast (errand->control, text);
}

static void
call (KbGatewayControl *self, KbChannel *channel, KbChannelAct act)
{
  static const char *const methods[] = {
    [KB_CHANNEL_ENABLE] = "Enable", [KB_CHANNEL_DISABLE] = "Disable", [KB_CHANNEL_RETRY] = "Retry",
    [KB_CHANNEL_TEST] = "Test",     [KB_CHANNEL_PIN] = "Pin",         [KB_CHANNEL_UNPIN] = "Unpin",
  };
  const char *id = kb_channel_get_id (channel);
  const char *model = kb_channel_get_model (channel);
  Errand *errand = g_new0 (Errand, 1);
  GVariant *parameters = NULL;

  errand->control = g_object_ref (self);
  errand->act = act;
  errand->name = g_strdup (*model != '\0' ? model : id);
  if (act == KB_CHANNEL_PIN)
    parameters = g_variant_new ("(sx)", id, G_GINT64_CONSTANT (0));
  else if (act != KB_CHANNEL_UNPIN)
    parameters = g_variant_new ("(s)", id);
  if (act == KB_CHANNEL_TEST)
    toast (self, _ ("Sending one tiny real request; the provider may bill it"));
  kb_source_gateway_call_async (kb_monitor_get_gateway (self->monitor), methods[act], parameters,
                                called_cb, errand);
}

static void
row_act_cb (KbGatewayControl *self, int act, KbChannelRow *row)
{
  KbChannel *channel = kb_channel_row_get_channel (row);

  g_assert (KB_IS_GATEWAY_CONTROL (self));

  if (channel != NULL && act >= KB_CHANNEL_ENABLE)
    call (self, channel, (KbChannelAct) act);
}

static void
kb_gateway_control_dispose (GObject *object)
{
  KbGatewayControl *self = KB_GATEWAY_CONTROL (object);

  g_clear_weak_pointer (&self->page);
  g_clear_object (&self->monitor);

  G_OBJECT_CLASS (kb_gateway_control_parent_class)->dispose (object);
}

static void
kb_gateway_control_class_init (KbGatewayControlClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = kb_gateway_control_dispose;
}

static void
kb_gateway_control_init (KbGatewayControl *self)
{
}

KbGatewayControl *
kb_gateway_control_new (GtkWidget *page, KbMonitor *monitor)
{
  KbGatewayControl *self;

  g_return_val_if_fail (GTK_IS_WIDGET (page) && KB_IS_MONITOR (monitor), NULL);

  self = g_object_new (KB_TYPE_GATEWAY_CONTROL, NULL);
  g_set_weak_pointer (&self->page, page);
  self->monitor = g_object_ref (monitor);
  return self;
}

void
kb_gateway_control_take_row (KbGatewayControl *self, KbChannelRow *row)
{
  g_return_if_fail (KB_IS_GATEWAY_CONTROL (self) && KB_IS_CHANNEL_ROW (row));
  g_signal_connect_object (row, "act", G_CALLBACK (row_act_cb), self, G_CONNECT_SWAPPED);
}

static void
started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (KbGatewayControl) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (kb_source_gateway_start_gateway_finish (KB_SOURCE_GATEWAY (source), result, &error)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  text = g_strdup_printf (_ ("The gateway could not be started: %s"), error->message);
  toast (self, text);
}

void
kb_gateway_control_start (KbGatewayControl *self)
{
  g_return_if_fail (KB_IS_GATEWAY_CONTROL (self));
  kb_source_gateway_start_gateway_async (kb_monitor_get_gateway (self->monitor), started_cb,
                                         g_object_ref (self));
}

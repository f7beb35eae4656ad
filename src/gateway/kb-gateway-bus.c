// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-gateway-bus"

#include "config.h"

#include "gateway/kb-gateway-bus.h"

#include <glib/gi18n-lib.h>

#include "gateway/kb-channel-test.h"
#include "ipc/kb-gateway-error.h"
#include "ipc/kb-ipc-bus.h"

struct _KbGatewayBus
{
  KbGateway *gateway;    /* borrowed */
  KbIpcGateway1 *object; /* owned */
  KbGatewayBusHooks hooks;
};

/* What a verb returned, as a reply. */
static gboolean
reply (GDBusMethodInvocation *invocation, gboolean done, GError **error)
{
  if (done)
    g_dbus_method_invocation_return_value (invocation, NULL);
  else
    g_dbus_method_invocation_take_error (invocation, g_steal_pointer (error));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
get_snapshot_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  KbGatewayBus *self = user_data;
  g_autoptr (KbGatewayReport) report = kb_gateway_make_report (self->gateway);

  kb_ipc_gateway1_complete_get_snapshot (object, invocation, kb_gateway_report_to_variant (report));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
enable_cb (KbIpcGateway1 *object,
           GDBusMethodInvocation *invocation,
           const char *channel,
           gpointer user_data)
{
  KbGatewayBus *self = user_data;
  GError *error = NULL;

  return reply (invocation, kb_gateway_set_disabled (self->gateway, channel, FALSE, &error),
                &error);
}

static gboolean
disable_cb (KbIpcGateway1 *object,
            GDBusMethodInvocation *invocation,
            const char *channel,
            gpointer user_data)
{
  KbGatewayBus *self = user_data;
  GError *error = NULL;

  return reply (invocation, kb_gateway_set_disabled (self->gateway, channel, TRUE, &error), &error);
}

static gboolean
retry_cb (KbIpcGateway1 *object,
          GDBusMethodInvocation *invocation,
          const char *channel,
          gpointer user_data)
{
  KbGatewayBus *self = user_data;
  GError *error = NULL;

  return reply (invocation, kb_gateway_retry (self->gateway, channel, &error), &error);
}

static gboolean
pin_cb (KbIpcGateway1 *object,
        GDBusMethodInvocation *invocation,
        const char *channel,
        gint64 until_ms,
        gpointer user_data)
{
  KbGatewayBus *self = user_data;
  GError *error = NULL;

  return reply (invocation, kb_gateway_pin (self->gateway, channel, until_ms, &error), &error);
}

static gboolean
unpin_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  KbGatewayBus *self = user_data;

  kb_gateway_unpin (self->gateway);
  return reply (invocation, TRUE, NULL);
}

static gboolean
pause_cb (KbIpcGateway1 *object,
          GDBusMethodInvocation *invocation,
          gint64 until_ms,
          gpointer user_data)
{
  KbGatewayBus *self = user_data;
  GError *error = NULL;

  return reply (invocation, kb_gateway_pause (self->gateway, until_ms, &error), &error);
}

static gboolean
resume_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  KbGatewayBus *self = user_data;

  kb_gateway_resume (self->gateway);
  return reply (invocation, TRUE, NULL);
}

static void
reloaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GDBusMethodInvocation) invocation = user_data;
  g_autoptr (GError) error = NULL;

  if (kb_gateway_reload_finish (result, &error))
    g_dbus_method_invocation_return_value (g_steal_pointer (&invocation), NULL);
  else if (error->domain == KB_GATEWAY_ERROR)
    g_dbus_method_invocation_return_gerror (g_steal_pointer (&invocation), error);
  else
    g_dbus_method_invocation_return_error_literal (g_steal_pointer (&invocation), KB_GATEWAY_ERROR,
                                                   KB_GATEWAY_ERROR_FAILED, error->message);
}

static gboolean
reload_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  KbGatewayBus *self = user_data;

  kb_gateway_reload_async (self->gateway, reloaded_cb, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static GVariant *
answer_to_variant (const KbWhatIf *answer)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  g_variant_dict_insert (&dict, "serving", "s", answer->serving != NULL ? answer->serving : "");
  g_variant_dict_insert (&dict, "delay", "x", answer->delay_ms);
  g_variant_dict_insert (&dict, "state", "s", kb_channel_state_to_string (answer->state));
  g_variant_dict_insert (&dict, "until", "x", answer->until_ms);
  if (answer->refusal != KB_REFUSAL_NONE)
    g_variant_dict_insert (&dict, "refusal", "s", kb_refusal_to_string (answer->refusal));
  return g_variant_dict_end (&dict);
}

static gboolean
what_if_cb (KbIpcGateway1 *object,
            GDBusMethodInvocation *invocation,
            const char *channel,
            const char *code,
            gpointer user_data)
{
  KbGatewayBus *self = user_data;
  GError *error = NULL;
  KbWhatIf answer;

  if (*code == '\0')
    {
      g_set_error_literal (&error, KB_GATEWAY_ERROR, KB_GATEWAY_ERROR_BAD_ARGUMENT,
                           _ ("A failure code is missing, such as RATE_LIMIT."));
      return reply (invocation, FALSE, &error);
    }
  if (!kb_gateway_what_if (self->gateway, channel, code, &answer, &error))
    return reply (invocation, FALSE, &error);
  kb_ipc_gateway1_complete_what_if (object, invocation, answer_to_variant (&answer));
  g_free (answer.serving);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
tested_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GDBusMethodInvocation) invocation = user_data;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  GError *error = NULL;
  KbChannelTest test;

  if (!kb_channel_test_finish (result, &test, &error))
    {
      g_dbus_method_invocation_take_error (g_steal_pointer (&invocation), error);
      return;
    }
  g_variant_dict_insert (&dict, "ok", "b", test.ok);
  g_variant_dict_insert (&dict, "took", "x", test.took_ms);
  g_variant_dict_insert (&dict, "status", "x", (gint64) test.status);
  if (test.code != NULL)
    g_variant_dict_insert (&dict, "code", "s", test.code);
  g_dbus_method_invocation_return_value (g_steal_pointer (&invocation),
                                         g_variant_new ("(@a{sv})", g_variant_dict_end (&dict)));
}

static gboolean
test_cb (KbIpcGateway1 *object,
         GDBusMethodInvocation *invocation,
         const char *channel,
         gpointer user_data)
{
  KbGatewayBus *self = user_data;

  kb_channel_test_async (self->gateway, channel, tested_cb, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
quit_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  KbGatewayBus *self = user_data;

  reply (invocation, TRUE, NULL);
  if (self->hooks.quit != NULL)
    self->hooks.quit (self->hooks.user_data);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
hand_over_cb (KbIpcGateway1 *object,
              GDBusMethodInvocation *invocation,
              GUnixFDList *none,
              gpointer user_data)
{
  KbGatewayBus *self = user_data;
  g_auto (GVariantBuilder) handles = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("ah"));
  g_autoptr (GUnixFDList) sockets
      = self->hooks.hand_over != NULL ? self->hooks.hand_over (self->hooks.user_data) : NULL;

  for (int i = 0; sockets != NULL && i < g_unix_fd_list_get_length (sockets); i++)
    g_variant_builder_add (&handles, "h", i);
  kb_ipc_gateway1_complete_hand_over (object, invocation, sockets,
                                      g_variant_builder_end (&handles));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
show (KbGatewayBus *self, const KbGatewayReport *report)
{
  kb_ipc_gateway1_set_version (self->object, report->version);
  kb_ipc_gateway1_set_home (self->object, report->home);
  kb_ipc_gateway1_set_profile (self->object, report->profile);
  kb_ipc_gateway1_set_address (self->object, report->address != NULL ? report->address : "");
}

static void
changed_cb (KbGateway *gateway, gpointer user_data)
{
  KbGatewayBus *self = user_data;
  g_autoptr (KbGatewayReport) report = kb_gateway_make_report (gateway);

  show (self, report);
  kb_ipc_gateway1_emit_changed (self->object, (guint64) report->serial);
}

static void
connect_verbs (KbGatewayBus *self)
{
  const struct
  {
    const char *signal;
    GCallback callback;
  } verbs[] = {
    { "handle-get-snapshot", G_CALLBACK (get_snapshot_cb) },
    { "handle-enable", G_CALLBACK (enable_cb) },
    { "handle-disable", G_CALLBACK (disable_cb) },
    { "handle-retry", G_CALLBACK (retry_cb) },
    { "handle-pin", G_CALLBACK (pin_cb) },
    { "handle-unpin", G_CALLBACK (unpin_cb) },
    { "handle-pause", G_CALLBACK (pause_cb) },
    { "handle-resume", G_CALLBACK (resume_cb) },
    { "handle-reload", G_CALLBACK (reload_cb) },
    { "handle-what-if", G_CALLBACK (what_if_cb) },
    { "handle-hand-over", G_CALLBACK (hand_over_cb) },
    { "handle-test", G_CALLBACK (test_cb) },
    { "handle-quit", G_CALLBACK (quit_cb) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_signal_connect (self->object, verbs[i].signal, verbs[i].callback, self);
}

/**
 * kb_gateway_bus_new:
 * @gateway: a gateway that outlives this
 * @connection: a bus
 * @error: return location: the path is taken on this connection
 *
 * Puts the gateway on a bus. It becomes the one who is told of its changes.
 *
 * Returns: (transfer full): the object, or %NULL with @error set
 */
KbGatewayBus *
kb_gateway_bus_new (KbGateway *gateway, GDBusConnection *connection, GError **error)
{
  g_autoptr (KbGatewayReport) report = NULL;
  KbGatewayBus *self;

  g_return_val_if_fail (gateway != NULL && G_IS_DBUS_CONNECTION (connection), NULL);

  self = g_new0 (KbGatewayBus, 1);
  self->gateway = gateway;
  self->object = kb_ipc_gateway1_skeleton_new ();
  connect_verbs (self);
  report = kb_gateway_make_report (gateway);
  show (self, report);
  if (!g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->object), connection,
                                         KB_GATEWAY_BUS_PATH, error))
    {
      g_object_unref (self->object);
      g_free (self);
      return NULL;
    }
  kb_gateway_set_changed (gateway, changed_cb, self);
  return self;
}

/**
 * kb_gateway_bus_refresh:
 * @self: a gateway on a bus
 *
 * Changes are told a moment later, many in one. Whoever is about to be found shows at once
 * what it is: who finds it reads its properties and goes.
 */
void
kb_gateway_bus_refresh (KbGatewayBus *self)
{
  g_autoptr (KbGatewayReport) report = kb_gateway_make_report (self->gateway);

  show (self, report);
}

/**
 * kb_gateway_bus_free:
 * @self: (transfer full) (nullable): a gateway on a bus
 *
 * Takes it off the bus.
 */
void
kb_gateway_bus_free (KbGatewayBus *self)
{
  if (self == NULL)
    return;
  kb_gateway_set_changed (self->gateway, NULL, NULL);
  g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->object));
  g_signal_handlers_disconnect_by_data (self->object, self);
  g_object_unref (self->object);
  g_free (self);
}

/**
 * kb_gateway_bus_set_hooks:
 * @self: a gateway on a bus
 * @hooks: copied
 *
 * Sets who does what the object alone cannot.
 */
void
kb_gateway_bus_set_hooks (KbGatewayBus *self, const KbGatewayBusHooks *hooks)
{
  g_return_if_fail (self != NULL && hooks != NULL);
  self->hooks = *hooks;
}

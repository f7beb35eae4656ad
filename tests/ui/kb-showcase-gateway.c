// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ui/kb-showcase-gateway.h"

#include "ipc/kb-gateway-error.h"
#include "kb-ipc-bus.h"

#define MINUTE G_GINT64_CONSTANT (60000)

struct _KbShowcaseGateway
{
  KbIpcGateway1 *object;   /* owned */
  GDBusConnection *bus;    /* owned: its own, as another process has */
  KbGatewayReport *report; /* owned */
  GString *calls;
  char *refusal; /* owned, nullable */
};

static gboolean
snapshot_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  KbShowcaseGateway *self = user_data;

  kb_ipc_gateway1_complete_get_snapshot (object, invocation,
                                         kb_gateway_report_to_variant (self->report));
  return TRUE;
}

static GVariant *
make_answer (const char *method)
{
  GVariantDict facts;

  if (!g_str_equal (method, "Test"))
    return NULL;
  g_variant_dict_init (&facts, NULL);
  g_variant_dict_insert (&facts, "ok", "b", TRUE);
  g_variant_dict_insert (&facts, "took", "x", G_GINT64_CONSTANT (812));
  return g_variant_new ("(@a{sv})", g_variant_dict_end (&facts));
}

/* A verb is noted, and answered with what its kind returns. */
static gboolean
answer (KbShowcaseGateway *self, GDBusMethodInvocation *invocation, const char *channel)
{
  const char *method = g_dbus_method_invocation_get_method_name (invocation);

  g_string_append (self->calls, method);
  if (channel != NULL)
    g_string_append_printf (self->calls, " %s", channel);
  g_string_append (self->calls, "; ");
  if (self->refusal != NULL)
    g_dbus_method_invocation_return_error_literal (invocation, KB_GATEWAY_ERROR,
                                                   KB_GATEWAY_ERROR_UNKNOWN_CHANNEL, self->refusal);
  else
    g_dbus_method_invocation_return_value (invocation, make_answer (method));
  return TRUE;
}

static gboolean
channel_cb (KbIpcGateway1 *object,
            GDBusMethodInvocation *invocation,
            const char *channel,
            gpointer user_data)
{
  return answer (user_data, invocation, channel);
}

static gboolean
pin_cb (KbIpcGateway1 *object,
        GDBusMethodInvocation *invocation,
        const char *channel,
        gint64 until_ms,
        gpointer user_data)
{
  g_assert_cmpint (until_ms, ==, 0);
  return answer (user_data, invocation, channel);
}

static gboolean
unpin_cb (KbIpcGateway1 *object, GDBusMethodInvocation *invocation, gpointer user_data)
{
  return answer (user_data, invocation, NULL);
}

static void
connect_verbs (KbShowcaseGateway *self)
{
  static const char *const verbs[]
      = { "handle-enable", "handle-disable", "handle-retry", "handle-test" };

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_signal_connect (self->object, verbs[i], G_CALLBACK (channel_cb), self);
  g_signal_connect (self->object, "handle-pin", G_CALLBACK (pin_cb), self);
  g_signal_connect (self->object, "handle-unpin", G_CALLBACK (unpin_cb), self);
  g_signal_connect (self->object, "handle-get-snapshot", G_CALLBACK (snapshot_cb), self);
}

static KbChannelReport *
add (KbShowcaseGateway *self, const char *provider, const char *model)
{
  g_autofree char *id = g_strconcat (provider, "::", model, NULL);
  KbChannelReport *channel = kb_gateway_report_add_channel (self->report, id);

  g_set_str (&channel->provider, provider);
  g_set_str (&channel->model, model);
  channel->position = self->report->channels->len;
  channel->p50_ms = -1;
  channel->p95_ms = -1;
  return channel;
}

/* An hour that looks like one: many requests now, few then, and here and there a failure. */
static void
add_minutes (KbChannelReport *channel, guint busy, guint failing, guint cut)
{
  g_array_set_size (channel->minutes, 0);
  for (guint i = 0; i < KB_CHANNEL_N_MINUTES; i++)
    {
      KbChannelMinute minute = { (i * i / 7) % (busy + 1),
                                 failing > 0 && i % 11 < failing ? failing : 0, i < cut ? 1 : 0 };

      g_array_append_val (channel->minutes, minute);
      channel->n_ok += minute.n_ok;
      channel->n_failed += minute.n_failed;
      channel->n_cut += minute.n_cut;
    }
}

static void
fill_healthy (KbChannelReport *channel, gint64 p50_ms, gint64 now_ms)
{
  channel->state = KB_CHANNEL_STATE_HEALTHY;
  channel->updated_ms = now_ms - 1000;
  channel->p50_ms = p50_ms;
  channel->p95_ms = p50_ms * 3;
}

static void
fill_troubled (KbChannelReport *channel,
               KbChannelState state,
               const char *reason,
               gint64 failures,
               gint64 now_ms)
{
  channel->state = state;
  channel->failures = failures;
  channel->since_ms = now_ms - 2 * MINUTE;
  channel->updated_ms = now_ms - 2 * MINUTE;
  channel->until_ms = state == KB_CHANNEL_STATE_COOLDOWN ? now_ms + 43000 : 0;
  g_set_str (&channel->reason, reason);
}

static void
fill (KbShowcaseGateway *self, const char *home, gint64 now_ms)
{
  KbGatewayReport *report = self->report;
  KbChannelReport *channel;

  g_set_str (&report->home, home);
  g_set_str (&report->profile, "web");
  g_set_str (&report->version, "0.1.0");
  g_set_str (&report->address, "http://127.0.0.1:7878");
  report->serial = 1;
  report->online = TRUE;
  report->time_ms = now_ms;
  report->started_ms = now_ms - 90 * MINUTE;
  channel = add (self, "lumen", "orca-2");
  fill_troubled (channel, KB_CHANNEL_STATE_COOLDOWN, "RATE_LIMIT", 3, now_ms);
  add_minutes (channel, 5, 3, 2);
  channel->p50_ms = 2400;
  channel = add (self, "lumen", "orca-mini");
  fill_healthy (channel, 380, now_ms);
  add_minutes (channel, 12, 0, 0);
  channel = add (self, "nimbus", "heron-7b");
  fill_healthy (channel, 1900, now_ms);
  add_minutes (channel, 3, 1, 1);
  channel->is_backup = TRUE;
  channel->is_pinned = TRUE;
  channel = add (self, "月光", "通义千问-超大杯");
  fill_troubled (channel, KB_CHANNEL_STATE_DISABLED, "INVALID_CREDENTIAL", 1, now_ms);
  g_set_str (&report->pin, "nimbus::heron-7b");
  g_set_str (&report->serving, "nimbus::heron-7b");
  g_set_str (&report->switch_from, "lumen::orca-2");
  g_set_str (&report->switch_to, "nimbus::heron-7b");
  g_set_str (&report->switch_reason, "RATE_LIMIT");
  report->switch_ms = report->serving_since_ms = now_ms - 2 * MINUTE;
}

static GDBusConnection *
connect_bus (void)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GError) error = NULL;
  GDBusConnection *bus = g_dbus_connection_new_for_address_sync (
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
          | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  g_assert_no_error (error);
  return bus;
}

static void
take_name (KbShowcaseGateway *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->object), self->bus,
                                    KB_GATEWAY_BUS_PATH, &error);
  g_assert_no_error (error);
  answer = g_dbus_connection_call_sync (self->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                        "org.freedesktop.DBus", "RequestName",
                                        g_variant_new ("(su)", KB_GATEWAY_BUS_NAME, 4), NULL,
                                        G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

KbShowcaseGateway *
kb_showcase_gateway_new (const char *home, gint64 now_ms)
{
  KbShowcaseGateway *self = g_new0 (KbShowcaseGateway, 1);

  self->report = kb_gateway_report_new ();
  self->calls = g_string_new (NULL);
  fill (self, home, now_ms);
  self->object = kb_ipc_gateway1_skeleton_new ();
  connect_verbs (self);
  self->bus = connect_bus ();
  take_name (self);
  return self;
}

void
kb_showcase_gateway_free (KbShowcaseGateway *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->object, self);
  g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->object));
  g_dbus_connection_close_sync (self->bus, NULL, NULL);
  g_object_unref (self->object);
  g_object_unref (self->bus);
  kb_gateway_report_unref (self->report);
  g_string_free (self->calls, TRUE);
  g_free (self->refusal);
  g_free (self);
}

KbGatewayReport *
kb_showcase_gateway_get_report (KbShowcaseGateway *self)
{
  return self->report;
}

void
kb_showcase_gateway_tell (KbShowcaseGateway *self)
{
  self->report->serial++;
  kb_ipc_gateway1_emit_changed (self->object, (guint64) self->report->serial);
}

const char *
kb_showcase_gateway_get_calls (KbShowcaseGateway *self)
{
  return self->calls->str;
}

void
kb_showcase_gateway_refuse (KbShowcaseGateway *self, const char *message)
{
  g_set_str (&self->refusal, message);
}

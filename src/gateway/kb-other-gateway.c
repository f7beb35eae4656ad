// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "gateway/kb-other-gateway.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "ipc/kb-gateway-error.h"
#include "store/kb-json.h"
#include "store/kb-paths.h"

/* One that is well answers at once; one that hangs is not waited for. */
#define BUS_PATIENCE_MS 5000
#define HTTP_PATIENCE_S 3

/* A page of status has some hundred bytes a channel. */
#define MOST_STATUS_BYTES (4 * 1024 * 1024)

/**
 * kb_other_gateway_find_on_bus:
 * @bus: a session bus
 * @bus_name: the name of the gateway on it
 * @error: return location: there is one that does not answer
 *
 * Asks the one who has the name of the gateway. Starts none.
 *
 * Returns: (transfer full) (nullable): it; %NULL without an error if there is none
 */
KbOtherGateway *
kb_other_gateway_find_on_bus (GDBusConnection *bus, const char *bus_name, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_sync (
      bus, bus_name, KB_GATEWAY_BUS_PATH, "org.freedesktop.DBus.Properties", "GetAll",
      g_variant_new ("(s)", KB_OTHER_GATEWAY_INTERFACE), G_VARIANT_TYPE ("(a{sv})"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, BUS_PATIENCE_MS, NULL, &local);
  g_autoptr (GVariant) properties = NULL;
  KbOtherGateway *self;

  if (g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
      || g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
    return NULL;
  if (answer == NULL)
    {
      g_dbus_error_strip_remote_error (local);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
                   _ ("Another gateway has the name on the session bus and does not answer: %s"),
                   local->message);
      return NULL;
    }
  properties = g_variant_get_child_value (answer, 0);
  self = g_new0 (KbOtherGateway, 1);
  if (!g_variant_lookup (properties, "Home", "s", &self->home))
    self->home = g_strdup ("");
  if (!g_variant_lookup (properties, "Profile", "s", &self->profile))
    self->profile = g_strdup ("");
  if (!g_variant_lookup (properties, "Address", "s", &self->address))
    self->address = g_strdup ("");
  return self;
}

/* (nullable): the page, if it is one; whoever listens there need not be a gateway. */
static JsonNode *
get_status (const char *url)
{
  g_autoptr (SoupSession) session
      = soup_session_new_with_options ("timeout", HTTP_PATIENCE_S, "proxy-resolver", NULL, NULL);
  g_autoptr (SoupMessage) message = soup_message_new ("GET", url);
  g_autoptr (GInputStream) stream = NULL;
  g_autofree char *text = g_malloc (MOST_STATUS_BYTES);
  gsize length = 0;

  if (message == NULL)
    return NULL;
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  stream = soup_session_send (session, message, NULL, NULL);
  if (stream == NULL || soup_message_get_status (message) != SOUP_STATUS_OK
      || !g_input_stream_read_all (stream, text, MOST_STATUS_BYTES, &length, NULL, NULL))
    return NULL;
  return kb_json_parse (text, length);
}

static char *
dup_member (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
                 && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_dup_string (node)
             : NULL;
}

/**
 * kb_other_gateway_find_at:
 * @listen: an address with a port, as koboshi.yaml has it
 *
 * Asks who listens there what it serves.
 *
 * Returns: (transfer full) (nullable): it, if it is a gateway
 */
KbOtherGateway *
kb_other_gateway_find_at (const char *listen)
{
  g_autofree char *url = g_strdup_printf ("http://%s/status", listen);
  g_autoptr (JsonNode) status = get_status (url);
  g_autoptr (KbOtherGateway) self = NULL;
  JsonObject *object;

  if (status == NULL || !JSON_NODE_HOLDS_OBJECT (status))
    return NULL;
  object = json_node_get_object (status);
  self = g_new0 (KbOtherGateway, 1);
  self->home = dup_member (object, "home");
  self->profile = dup_member (object, "profile");
  self->address = dup_member (object, "address");
  if (self->home == NULL || self->profile == NULL || self->address == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * kb_other_gateway_serves:
 * @self: a gateway
 * @home: a home
 * @profile: a profile of it
 *
 * Returns: whether it serves just that
 */
gboolean
kb_other_gateway_serves (const KbOtherGateway *self, const char *home, const char *profile)
{
  return g_str_equal (self->profile, profile) && kb_paths_is_same (self->home, home);
}

/**
 * kb_other_gateway_make_refusal:
 * @self: a gateway
 *
 * Returns: (transfer full): why there is no place beside it
 */
GError *
kb_other_gateway_make_refusal (const KbOtherGateway *self)
{
  return g_error_new (G_IO_ERROR, G_IO_ERROR_EXISTS,
                      _ ("A gateway is running that serves the profile “%s” of “%s”. "
                         "“--replace” takes its place."),
                      self->profile, self->home);
}

/**
 * kb_other_gateway_free:
 * @self: (transfer full) (nullable): what was found
 *
 * Frees it.
 */
void
kb_other_gateway_free (KbOtherGateway *self)
{
  if (self == NULL)
    return;
  g_free (self->home);
  g_free (self->profile);
  g_free (self->address);
  g_free (self);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-error.h"

#define PREFIX "io.github.koboshi.Koboshi.Error."

static const GDBusErrorEntry entries[] = {
  { KB_GATEWAY_ERROR_FAILED, PREFIX "Failed" },
  { KB_GATEWAY_ERROR_UNKNOWN_CHANNEL, PREFIX "UnknownChannel" },
  { KB_GATEWAY_ERROR_BAD_ARGUMENT, PREFIX "BadArgument" },
  { KB_GATEWAY_ERROR_BAD_CONFIGURATION, PREFIX "BadConfiguration" },
};

/**
 * kb_gateway_error_quark:
 *
 * Returns: the domain of #KbGatewayError, registered with GDBus
 */
GQuark
kb_gateway_error_quark (void)
{
  static gsize quark = 0;

  g_dbus_error_register_error_domain ("kb-gateway-error-quark", &quark, entries,
                                      G_N_ELEMENTS (entries));
  return (GQuark) quark;
}

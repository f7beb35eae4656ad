// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/* The errors of the gateway as they travel on the bus. */

#define KB_GATEWAY_BUS_NAME "io.github.koboshi.Koboshi.Gateway"
#define KB_GATEWAY_BUS_PATH "/io/github/koboshi/Koboshi/Gateway"

typedef enum
{
  KB_GATEWAY_ERROR_FAILED,
  KB_GATEWAY_ERROR_UNKNOWN_CHANNEL,
  KB_GATEWAY_ERROR_BAD_ARGUMENT,
  KB_GATEWAY_ERROR_BAD_CONFIGURATION, /* the last good one stays */
} KbGatewayError;

#define KB_GATEWAY_ERROR (kb_gateway_error_quark ())
GQuark kb_gateway_error_quark (void);

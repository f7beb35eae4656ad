// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-channel-row.h"
#include "client/kb-monitor.h"

/*
 * What a person does through the gateway of a monitor: the verbs of the rows, and starting it.
 * What it refuses, and how a test went, is said in a toast.
 */

#define KB_TYPE_GATEWAY_CONTROL (kb_gateway_control_get_type ())
G_DECLARE_FINAL_TYPE (KbGatewayControl, kb_gateway_control, KB, GATEWAY_CONTROL, GObject)

KbGatewayControl *kb_gateway_control_new (GtkWidget *page, KbMonitor *monitor);
void kb_gateway_control_take_row (KbGatewayControl *self, KbChannelRow *row);
void kb_gateway_control_start (KbGatewayControl *self);

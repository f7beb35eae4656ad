// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "ipc/kb-gateway-report.h"

/* One paragraph: why a channel of the gateway is as it is, and how its requests are paced. */
char *kb_format_explain (const KbGatewayReport *report, const KbChannelReport *channel);

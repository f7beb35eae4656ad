// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-target.h"

/*
 * Which proxy leads to a target, asked anew for every request. What is set for a channel goes
 * before the environment, and that before the settings of the desktop, which may have to be
 * waited for; the loopback never has a proxy.
 */

typedef enum
{
  KB_PROXY_LOOPBACK,    /* none, for the target is this machine */
  KB_PROXY_CHANNEL,     /* as koboshi.yaml says of the channel */
  KB_PROXY_ENVIRONMENT, /* http_proxy and its kin */
  KB_PROXY_NO_PROXY,    /* none, as no_proxy says */
  KB_PROXY_DESKTOP,
} KbProxyReason;

/* @url (nullable): NULL = none */
typedef void (*KbProxyFunc) (const char *url, KbProxyReason reason, gpointer user_data);

typedef struct _KbProxyLookup KbProxyLookup;

KbProxyLookup *kb_proxy_find (const KbTarget *target, KbProxyFunc func, gpointer user_data);
void kb_proxy_lookup_cancel (KbProxyLookup *self);
const char *kb_proxy_reason_to_string (KbProxyReason reason);

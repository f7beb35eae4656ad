// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "gateway/kb-http-link.h"

/*
 * Who may speak to the gateway: programs of our own user on this machine, never a page in a
 * browser; from elsewhere only with the token.
 */

typedef struct
{
  int status; /* 0 = come in */
  const char *code;
  const char *message;
} KbGuardVerdict;

KbGuardVerdict kb_guard_check (KbHttpLink *link, const char *token);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-error-class.h"

/* What an error answer, or an error within a stream, says. */
typedef struct
{
  char *code;            /* (nullable) owned */
  char *type;            /* (nullable) owned */
  char *message;         /* (nullable) owned */
  gint64 retry_after_ms; /* from the body; KB_RETRY_AFTER_NONE = it says nothing */
} KbProviderError;

void
kb_provider_error_read (KbProviderError *self, const char *text, gsize length, gint64 wall_now_ms);
void kb_provider_error_clear (KbProviderError *self);

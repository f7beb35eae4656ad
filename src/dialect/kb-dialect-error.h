// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/* Why something of one dialect cannot be said in another. */
#define KB_DIALECT_ERROR (kb_dialect_error_quark ())

typedef enum
{
  KB_DIALECT_ERROR_INVALID,       /* it is not what its own dialect allows */
  KB_DIALECT_ERROR_NO_EQUIVALENT, /* the other dialect has nothing like it */
} KbDialectError;

GQuark kb_dialect_error_quark (void);
gboolean kb_dialect_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean kb_dialect_reject (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

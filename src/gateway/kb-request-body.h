// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * The body of a request as the gateway sees it: where the name of the model stands, and whether
 * a stream is asked for. Everything else goes out as it came, byte for byte.
 */

typedef struct
{
  char *model;        /* owned */
  gsize model_offset; /* of the value, with its quotes */
  gsize model_length;
  gboolean is_stream;
} KbRequestBody;

gboolean kb_request_body_read (KbRequestBody *self, GBytes *body, const char **complaint);
GBytes *kb_request_body_splice (const KbRequestBody *self, GBytes *body, const char *model);
void kb_request_body_clear (KbRequestBody *self);

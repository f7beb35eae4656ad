// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-reply.h"

/* How a dialect says things. All append to @out. */
typedef struct
{
  void (*write_whole) (KbSimReply *reply, GString *out);
  void (*write_start) (KbSimReply *reply, GString *out);
  void (*write_piece) (KbSimReply *reply, guint index, GString *out);
  void (*write_end) (KbSimReply *reply, GString *out);
  void (*write_broken) (KbSimReply *reply, GString *out); /* an event that is no JSON */
  void (*write_error_event) (KbSimReply *reply, guint status, GString *out);
} KbSimWriter;

extern const KbSimWriter kb_sim_chat_writer;
extern const KbSimWriter kb_sim_messages_writer;
extern const KbSimWriter kb_sim_responses_writer;

const KbSimWriter *kb_sim_writer_get (KbSimDialect dialect);

void kb_sim_writer_put_event (KbSimReply *reply, const char *name, const char *data, GString *out);

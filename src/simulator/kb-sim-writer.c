// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-writer.h"

const KbSimWriter *
kb_sim_writer_get (KbSimDialect dialect)
{
  static const KbSimWriter *const writers[]
      = { &kb_sim_chat_writer, &kb_sim_messages_writer, &kb_sim_responses_writer };

  g_return_val_if_fail ((guint) dialect < G_N_ELEMENTS (writers), NULL);
  return writers[dialect];
}

/* One event of a stream, in whatever layout the fault wants; @name may be NULL. */
void
kb_sim_writer_put_event (KbSimReply *reply, const char *name, const char *data, GString *out)
{
  static const char *const ends[] = { "\n", "\r\n", "\r" };
  const char *end = ends[reply->fault->eol];

  if (reply->fault->comments)
    g_string_append_printf (out, ": ping%s%s", end, end);
  if (name != NULL)
    g_string_append_printf (out, "event: %s%s", name, end);
  g_string_append_printf (out, "data: %s%s%s", data, end, end);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-error.h"
#include "simulator/kb-sim-json.h"
#include "simulator/kb-sim-writer.h"

/* Anthropic messages. */

static const char *
get_stop_reason (const KbSimReply *reply)
{
  if (!reply->fault->finish)
    return NULL;
  if (reply->limited)
    return "max_tokens";
  return kb_sim_reply_is_tool (reply) ? "tool_use" : "end_turn";
}

static void
append_usage (const KbSimReply *reply, guint written, GString *out)
{
  kb_sim_json_format (out,
                      "{'input_tokens':%d,'cache_creation_input_tokens':0,"
                      "'cache_read_input_tokens':0,'output_tokens':%d}",
                      (gint64) reply->ask->input_tokens, (gint64) written);
}

/* A stream begins with an empty message, a whole answer is a full one. */
static void
append_message (
    KbSimReply *reply, const char *content, const char *reason, guint written, GString *out)
{
  kb_sim_json_format (out,
                      "{'id':'msg_%r','type':'message','role':'assistant','model':%q,"
                      "'content':[%r],'stop_reason':%q,'stop_sequence':null",
                      reply->id, reply->ask->model, content, reason);
  if (reply->fault->usage)
    {
      g_string_append (out, ",\"usage\":");
      append_usage (reply, written, out);
    }
  g_string_append_c (out, '}');
}

static void
put_block_start (KbSimReply *reply, gboolean reasoning, gint64 index, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_json_format (data, "{'type':'content_block_start','index':%d,'content_block':", index);
  if (reasoning)
    kb_sim_json_format (data, "{'type':'thinking','thinking':'','signature':''}");
  else if (kb_sim_reply_is_tool (reply))
    kb_sim_json_format (data, "{'type':'tool_use','id':'toolu_%r','name':%q,'input':{}}", reply->id,
                        reply->ask->tool);
  else
    kb_sim_json_format (data, "{'type':'text','text':''}");
  g_string_append_c (data, '}');
  kb_sim_writer_put_event (reply, "content_block_start", data->str, out);
}

static void
put_block_stop (KbSimReply *reply, gint64 index, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_json_format (data, "{'type':'content_block_stop','index':%d}", index);
  kb_sim_writer_put_event (reply, "content_block_stop", data->str, out);
}

static void
write_start (KbSimReply *reply, GString *out)
{
  g_autoptr (GString) message = g_string_new (NULL);
  g_autoptr (GString) data = g_string_new (NULL);

  append_message (reply, "", NULL, 1, message);
  kb_sim_json_format (data, "{'type':'message_start','message':%r}", message->str);
  kb_sim_writer_put_event (reply, "message_start", data->str, out);
  put_block_start (reply, reply->n_reasoning > 0, 0, out);
  kb_sim_writer_put_event (reply, "ping", "{\"type\":\"ping\"}", out);
}

static void
write_piece (KbSimReply *reply, guint index, GString *out)
{
  gboolean reasoning = kb_sim_reply_is_reasoning (reply, index);
  gint64 block = !reasoning && reply->n_reasoning > 0;
  const char *piece = kb_sim_reply_get_piece (reply, index);
  g_autoptr (GString) data = g_string_new (NULL);

  if (index > 0 && index == reply->n_reasoning)
    {
      put_block_stop (reply, 0, out);
      put_block_start (reply, FALSE, 1, out);
    }
  kb_sim_json_format (data, "{'type':'content_block_delta','index':%d,'delta':", block);
  if (reasoning)
    kb_sim_json_format (data, "{'type':'thinking_delta','thinking':%q}", piece);
  else if (kb_sim_reply_is_tool (reply))
    kb_sim_json_format (data, "{'type':'input_json_delta','partial_json':%q}", piece);
  else
    kb_sim_json_format (data, "{'type':'text_delta','text':%q}", piece);
  g_string_append_c (data, '}');
  kb_sim_writer_put_event (reply, "content_block_delta", data->str, out);
}

static void
put_message_delta (KbSimReply *reply, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_json_format (data,
                      "{'type':'message_delta','delta':{'stop_reason':%q,'stop_sequence':null},"
                      "'usage':{'output_tokens':%d}}",
                      get_stop_reason (reply), (gint64) reply->n_written);
  kb_sim_writer_put_event (reply, "message_delta", data->str, out);
}

static void
write_end (KbSimReply *reply, GString *out)
{
  put_block_stop (reply, reply->n_reasoning > 0, out);
  if (reply->fault->finish)
    put_message_delta (reply, out);
  if (reply->fault->done)
    kb_sim_writer_put_event (reply, "message_stop", "{\"type\":\"message_stop\"}", out);
}

static void
append_content (KbSimReply *reply, GString *out)
{
  g_autofree char *text = kb_sim_reply_join_text (reply);
  g_autofree char *reasoning = kb_sim_reply_join_reasoning (reply);

  if (reply->n_reasoning > 0)
    kb_sim_json_format (out, "{'type':'thinking','thinking':%q,'signature':'sim'},", reasoning);
  if (kb_sim_reply_is_tool (reply))
    kb_sim_json_format (out, "{'type':'tool_use','id':'toolu_%r','name':%q,'input':%r}", reply->id,
                        reply->ask->tool, text);
  else
    kb_sim_json_format (out, "{'type':'text','text':%q}", text);
}

static void
write_whole (KbSimReply *reply, GString *out)
{
  g_autoptr (GString) content = g_string_new (NULL);

  append_content (reply, content);
  append_message (reply, content->str, get_stop_reason (reply), kb_sim_reply_get_length (reply),
                  out);
}

static void
write_broken (KbSimReply *reply, GString *out)
{
  kb_sim_writer_put_event (reply, "content_block_delta",
                           "{\"type\":\"content_block_delta\",\"index\":0,\"del", out);
}

static void
write_error_event (KbSimReply *reply, guint status, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_error_write (reply->ask->dialect, reply->fault, status, data);
  kb_sim_writer_put_event (reply, "error", data->str, out);
}

const KbSimWriter kb_sim_messages_writer
    = { write_whole, write_start, write_piece, write_end, write_broken, write_error_event };

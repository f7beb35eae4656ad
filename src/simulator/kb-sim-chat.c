// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-error.h"
#include "simulator/kb-sim-json.h"
#include "simulator/kb-sim-writer.h"

/* OpenAI chat completions. */

static char *
make_id (const KbSimReply *reply)
{
  return g_strconcat ("chatcmpl-", reply->id, NULL);
}

static const char *
get_finish (const KbSimReply *reply)
{
  if (!reply->fault->finish)
    return NULL;
  if (reply->limited)
    return "length";
  return kb_sim_reply_is_tool (reply) ? "tool_calls" : "stop";
}

static void
append_usage (const KbSimReply *reply, guint written, GString *out)
{
  gint64 input = reply->ask->input_tokens, output = written;

  kb_sim_json_format (out, "{'prompt_tokens':%d,'completion_tokens':%d,'total_tokens':%d}", input,
                      output, input + output);
}

static void
put_chunk (KbSimReply *reply, const char *delta, const char *finish, GString *out)
{
  g_autofree char *id = make_id (reply);
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_json_format (data,
                      "{'id':%q,'object':'chat.completion.chunk','created':%d,'model':%q,"
                      "'choices':[{'index':0,'delta':%r,'logprobs':null,'finish_reason':%q}]}",
                      id, reply->time_s, reply->ask->model, delta, finish);
  kb_sim_writer_put_event (reply, NULL, data->str, out);
}

static void
write_start (KbSimReply *reply, GString *out)
{
  g_autoptr (GString) delta = g_string_new (NULL);

  if (!kb_sim_reply_is_tool (reply))
    {
      put_chunk (reply, "{\"role\":\"assistant\",\"content\":\"\"}", NULL, out);
      return;
    }
  kb_sim_json_format (delta,
                      "{'role':'assistant','content':null,'tool_calls':[{'index':0,'id':'call_%r',"
                      "'type':'function','function':{'name':%q,'arguments':''}}]}",
                      reply->id, reply->ask->tool);
  put_chunk (reply, delta->str, NULL, out);
}

static void
write_piece (KbSimReply *reply, guint index, GString *out)
{
  g_autoptr (GString) delta = g_string_new (NULL);
  const char *piece = kb_sim_reply_get_piece (reply, index);

  if (kb_sim_reply_is_reasoning (reply, index))
    kb_sim_json_format (delta, "{'reasoning_content':%q}", piece);
  else if (kb_sim_reply_is_tool (reply))
    kb_sim_json_format (delta, "{'tool_calls':[{'index':0,'function':{'arguments':%q}}]}", piece);
  else
    kb_sim_json_format (delta, "{'content':%q}", piece);
  put_chunk (reply, delta->str, NULL, out);
}

static void
put_usage (KbSimReply *reply, GString *out)
{
  g_autofree char *id = make_id (reply);
  g_autoptr (GString) usage = g_string_new (NULL);
  g_autoptr (GString) data = g_string_new (NULL);

  append_usage (reply, reply->n_written, usage);
  kb_sim_json_format (data,
                      "{'id':%q,'object':'chat.completion.chunk','created':%d,'model':%q,"
                      "'choices':[],'usage':%r}",
                      id, reply->time_s, reply->ask->model, usage->str);
  kb_sim_writer_put_event (reply, NULL, data->str, out);
}

static void
write_end (KbSimReply *reply, GString *out)
{
  if (reply->fault->finish)
    put_chunk (reply, "{}", get_finish (reply), out);
  if (reply->fault->usage && reply->ask->include_usage)
    put_usage (reply, out);
  if (reply->fault->done)
    kb_sim_writer_put_event (reply, NULL, "[DONE]", out);
}

static void
append_message (KbSimReply *reply, GString *out)
{
  g_autofree char *text = kb_sim_reply_join_text (reply);
  g_autofree char *reasoning = kb_sim_reply_join_reasoning (reply);

  if (kb_sim_reply_is_tool (reply))
    {
      kb_sim_json_format (out,
                          "{'role':'assistant','content':null,'tool_calls':[{'id':'call_%r',"
                          "'type':'function','function':{'name':%q,'arguments':%q}}]}",
                          reply->id, reply->ask->tool, text);
      return;
    }
  kb_sim_json_format (out, "{'role':'assistant','content':%q", text);
  if (reply->n_reasoning > 0)
    kb_sim_json_format (out, ",'reasoning_content':%q", reasoning);
  g_string_append_c (out, '}');
}

static void
write_whole (KbSimReply *reply, GString *out)
{
  g_autofree char *id = make_id (reply);
  g_autoptr (GString) message = g_string_new (NULL);

  append_message (reply, message);
  kb_sim_json_format (out,
                      "{'id':%q,'object':'chat.completion','created':%d,'model':%q,"
                      "'choices':[{'index':0,'message':%r,'logprobs':null,'finish_reason':%q}]",
                      id, reply->time_s, reply->ask->model, message->str, get_finish (reply));
  if (reply->fault->usage)
    {
      g_string_append (out, ",\"usage\":");
      append_usage (reply, kb_sim_reply_get_length (reply), out);
    }
  g_string_append_c (out, '}');
}

static void
write_broken (KbSimReply *reply, GString *out)
{
  g_autofree char *data
      = g_strdup_printf ("{\"id\":\"chatcmpl-%s\",\"object\":\"chat.compl", reply->id);

  kb_sim_writer_put_event (reply, NULL, data, out);
}

static void
write_error_event (KbSimReply *reply, guint status, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_error_write (reply->ask->dialect, reply->fault, status, data);
  kb_sim_writer_put_event (reply, NULL, data->str, out);
}

const KbSimWriter kb_sim_chat_writer
    = { write_whole, write_start, write_piece, write_end, write_broken, write_error_event };

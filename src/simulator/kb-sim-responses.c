// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-error.h"
#include "simulator/kb-sim-json.h"
#include "simulator/kb-sim-writer.h"

#include <string.h>

/*
 * OpenAI responses. An answer is one item, a message or the call of a function; where there is
 * reasoning, that is an item of its own before it.
 */

static gint64
get_output_index (const KbSimReply *reply)
{
  return reply->n_reasoning > 0;
}

static const char *
get_status (const KbSimReply *reply)
{
  if (!reply->fault->finish)
    return "in_progress";
  return reply->limited ? "incomplete" : "completed";
}

/* With the number that every event of this dialect carries. */
static void
put (KbSimReply *reply, const char *type, const char *members, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_sim_json_format (data, "{'type':%q,'sequence_number':%d,%r}", type, (gint64) reply->serial,
                      members);
  reply->serial++;
  kb_sim_writer_put_event (reply, type, data->str, out);
}

static void
append_item (const KbSimReply *reply, const char *text, const char *status, GString *out)
{
  if (kb_sim_reply_is_tool (reply))
    kb_sim_json_format (out,
                        "{'type':'function_call','id':'fc_%r','call_id':'call_%r','name':%q,"
                        "'arguments':%q,'status':%q}",
                        reply->id, reply->id, reply->ask->tool, text, status);
  else if (*text != '\0')
    kb_sim_json_format (out,
                        "{'type':'message','id':'msg_%r','role':'assistant','status':%q,"
                        "'content':[{'type':'output_text','text':%q,'annotations':[]}]}",
                        reply->id, status, text);
  else
    kb_sim_json_format (
        out, "{'type':'message','id':'msg_%r','role':'assistant','status':%q,'content':[]}",
        reply->id, status);
}

static void
append_reasoning (const KbSimReply *reply, const char *text, GString *out)
{
  kb_sim_json_format (out, "{'type':'reasoning','id':'rs_%r','summary':[],'content':[", reply->id);
  if (*text != '\0')
    kb_sim_json_format (out, "{'type':'reasoning_text','text':%q}", text);
  g_string_append (out, "]}");
}

/* Everything that was said, item by item. */
static void
append_output (const KbSimReply *reply, const char *status, GString *out)
{
  g_autofree char *text = kb_sim_reply_join_text (reply);
  g_autofree char *reasoning = kb_sim_reply_join_reasoning (reply);

  if (reply->n_reasoning > 0)
    {
      append_reasoning (reply, reasoning, out);
      g_string_append_c (out, ',');
    }
  append_item (reply, text, status, out);
}

static void
append_response (const KbSimReply *reply, const char *output, const char *status, GString *out)
{
  gint64 input = reply->ask->input_tokens, written = kb_sim_reply_get_length (reply);

  kb_sim_json_format (out,
                      "{'id':'resp_%r','object':'response','created_at':%d,'status':%q,"
                      "'error':null,'incomplete_details':",
                      reply->id, reply->time_s, status);
  kb_sim_json_format (out, strcmp (status, "incomplete") == 0 ? "{'reason':'max_output_tokens'}"
                                                              : "null");
  kb_sim_json_format (out,
                      ",'instructions':null,'model':%q,'output':[%r],'parallel_tool_calls':true,"
                      "'tool_choice':'auto','tools':[],'temperature':1,'top_p':1,'metadata':{},"
                      "'usage':",
                      reply->ask->model, output);
  if (reply->fault->usage && strcmp (status, "in_progress") != 0)
    kb_sim_json_format (out,
                        "{'input_tokens':%d,'input_tokens_details':{'cached_tokens':0},"
                        "'output_tokens':%d,'output_tokens_details':{'reasoning_tokens':%d},"
                        "'total_tokens':%d}",
                        input, written, (gint64) reply->n_reasoning, input + written);
  else
    g_string_append (out, "null");
  g_string_append_c (out, '}');
}

static void
put_response (
    KbSimReply *reply, const char *type, const char *output, const char *status, GString *out)
{
  g_autoptr (GString) members = g_string_new ("\"response\":");

  append_response (reply, output, status, members);
  put (reply, type, members->str, out);
}

static void
put_item (KbSimReply *reply, const char *type, const char *text, const char *status, GString *out)
{
  g_autoptr (GString) members = g_string_new (NULL);

  kb_sim_json_format (members, "'output_index':%d,'item':", get_output_index (reply));
  append_item (reply, text, status, members);
  put (reply, type, members->str, out);
}

/* The events that are about a part of an item share these names. */
static void
put_part (KbSimReply *reply, const char *type, const char *name, const char *value, GString *out)
{
  g_autoptr (GString) members = g_string_new (NULL);
  gboolean tool = kb_sim_reply_is_tool (reply);

  kb_sim_json_format (members, "'item_id':'%r_%r','output_index':%d", tool ? "fc" : "msg",
                      reply->id, get_output_index (reply));
  if (!tool)
    kb_sim_json_format (members, ",'content_index':0");
  kb_sim_json_format (members, ",%q:%r", name, value);
  put (reply, type, members->str, out);
}

static void
put_reasoning_part (
    KbSimReply *reply, const char *type, const char *name, const char *value, GString *out)
{
  g_autoptr (GString) members = g_string_new (NULL);

  kb_sim_json_format (members, "'item_id':'rs_%r','output_index':0,'content_index':0,%q:%r",
                      reply->id, name, value);
  put (reply, type, members->str, out);
}

static char *
quote (const char *text)
{
  GString *quoted = g_string_new (NULL);

  kb_sim_json_append_string (quoted, text);
  return g_string_free_and_steal (quoted);
}

static void
put_text (KbSimReply *reply, const char *type, const char *name, const char *text, GString *out)
{
  g_autofree char *value = quote (text);

  put_part (reply, type, name, value, out);
}

static void
put_content_part (KbSimReply *reply, const char *type, const char *text, GString *out)
{
  g_autoptr (GString) part = g_string_new (NULL);

  kb_sim_json_format (part, "{'type':'output_text','text':%q,'annotations':[]}", text);
  put_part (reply, type, "part", part->str, out);
}

static void
put_reasoning_item (KbSimReply *reply, const char *type, const char *text, GString *out)
{
  g_autoptr (GString) members = g_string_new ("\"output_index\":0,\"item\":");

  append_reasoning (reply, text, members);
  put (reply, type, members->str, out);
}

static void
begin_reasoning (KbSimReply *reply, GString *out)
{
  put_reasoning_item (reply, "response.output_item.added", "", out);
  put_reasoning_part (reply, "response.content_part.added", "part",
                      "{\"type\":\"reasoning_text\",\"text\":\"\"}", out);
}

static void
end_reasoning (KbSimReply *reply, GString *out)
{
  g_autofree char *text = kb_sim_reply_join_reasoning (reply);
  g_autofree char *value = quote (text);
  g_autofree char *part = g_strdup_printf ("{\"type\":\"reasoning_text\",\"text\":%s}", value);

  put_reasoning_part (reply, "response.reasoning_text.done", "text", value, out);
  put_reasoning_part (reply, "response.content_part.done", "part", part, out);
  put_reasoning_item (reply, "response.output_item.done", text, out);
}

static void
begin_item (KbSimReply *reply, GString *out)
{
  put_item (reply, "response.output_item.added", "", "in_progress", out);
  if (!kb_sim_reply_is_tool (reply))
    put_content_part (reply, "response.content_part.added", "", out);
}

static void
write_start (KbSimReply *reply, GString *out)
{
  put_response (reply, "response.created", "", "in_progress", out);
  put_response (reply, "response.in_progress", "", "in_progress", out);
  if (reply->n_reasoning > 0)
    begin_reasoning (reply, out);
  else
    begin_item (reply, out);
}

static void
write_piece (KbSimReply *reply, guint index, GString *out)
{
  const char *piece = kb_sim_reply_get_piece (reply, index);

  if (kb_sim_reply_is_reasoning (reply, index))
    {
      g_autofree char *value = quote (piece);

      put_reasoning_part (reply, "response.reasoning_text.delta", "delta", value, out);
      return;
    }
  if (index > 0 && index == reply->n_reasoning)
    {
      end_reasoning (reply, out);
      begin_item (reply, out);
    }
  if (kb_sim_reply_is_tool (reply))
    put_text (reply, "response.function_call_arguments.delta", "delta", piece, out);
  else
    put_text (reply, "response.output_text.delta", "delta", piece, out);
}

static void
write_end (KbSimReply *reply, GString *out)
{
  g_autofree char *text = kb_sim_reply_join_text (reply);
  g_autoptr (GString) output = g_string_new (NULL);
  const char *status = get_status (reply);
  g_autofree char *type = g_strconcat ("response.", status, NULL);

  if (kb_sim_reply_is_tool (reply))
    put_text (reply, "response.function_call_arguments.done", "arguments", text, out);
  else
    {
      put_text (reply, "response.output_text.done", "text", text, out);
      put_content_part (reply, "response.content_part.done", text, out);
    }
  put_item (reply, "response.output_item.done", text, status, out);
  append_output (reply, status, output);
  if (reply->fault->finish)
    put_response (reply, type, output->str, status, out);
}

static void
write_whole (KbSimReply *reply, GString *out)
{
  g_autoptr (GString) output = g_string_new (NULL);

  append_output (reply, get_status (reply), output);
  append_response (reply, output->str, get_status (reply), out);
}

static void
write_broken (KbSimReply *reply, GString *out)
{
  kb_sim_writer_put_event (reply, "response.output_text.delta",
                           "{\"type\":\"response.output_text.del", out);
}

static void
write_error_event (KbSimReply *reply, guint status, GString *out)
{
  g_autoptr (GString) members = g_string_new (NULL);
  g_autofree char *code = kb_sim_error_get_code (reply->ask->dialect, reply->fault, status);
  g_autofree char *message = kb_sim_error_get_message (reply->ask->dialect, reply->fault, status);

  kb_sim_json_format (members, "'code':%q,'message':%q,'param':null", code, message);
  put (reply, "error", members->str, out);
}

const KbSimWriter kb_sim_responses_writer
    = { write_whole, write_start, write_piece, write_end, write_broken, write_error_event };

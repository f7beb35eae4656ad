// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-tell.h"

#include "dialect/kb-json-form.h"
#include "dialect/kb-thought-mark.h"

/* Answers of Anthropic messages. */

static const char *
reason_of (const KbTold *told)
{
  static const char *const words[] = {
    [KB_STOP_END] = "end_turn",    [KB_STOP_LENGTH] = "max_tokens",
    [KB_STOP_CALLS] = "tool_use",  [KB_STOP_SEQUENCE] = "stop_sequence",
    [KB_STOP_REFUSED] = "refusal",
  };

  return words[told->stop];
}

static void
append_usage (const KbTold *told, GString *out)
{
  const KbUsage *usage = &told->usage;

  kb_json_form (out,
                "{'input_tokens':%d,'cache_creation_input_tokens':%d,"
                "'cache_read_input_tokens':%d,'output_tokens':%d}",
                MAX (usage->input - usage->cached - usage->written, 0), usage->written,
                usage->cached, usage->output);
}

static void
append_message (const KbTold *told, const char *content, const char *reason, GString *out)
{
  kb_json_form (out,
                "{'id':%q,'type':'message','role':'assistant','model':%q,'content':[%r],"
                "'stop_reason':%q,'stop_sequence':%q,'usage':",
                told->id, told->model, content, reason,
                reason != NULL ? told->stop_sequence : NULL);
  append_usage (told, out);
  g_string_append_c (out, '}');
}

static gint64
index_of (const KbTold *told)
{
  return (gint64) told->parts->len - 1;
}

static void
put_start (const KbTold *told, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_json_form (data, "{'type':'message_start','message':");
  append_message (told, "", NULL, data);
  g_string_append_c (data, '}');
  kb_tell_event (out, "message_start", data);
}

static void
put_part (const KbTold *told, const KbSay *say, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_json_form (data, "{'type':'content_block_start','index':%d,'content_block':", index_of (told));
  if (say->part == KB_PART_CALL)
    kb_json_form (data, "{'type':'tool_use','id':%q,'name':%q,'input':{}}}", say->id, say->name);
  else if (say->part == KB_PART_THINKING)
    kb_json_form (data, "{'type':'thinking','thinking':'','signature':''}}");
  else
    kb_json_form (data, "{'type':'text','text':''}}");
  kb_tell_event (out, "content_block_start", data);
}

static void
put_delta (const KbTold *told, const char *type, const char *name, const char *text, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_json_form (data, "{'type':'content_block_delta','index':%d,'delta':{'type':'%r','%r':%q}}",
                index_of (told), type, name, text);
  kb_tell_event (out, "content_block_delta", data);
}

static void
put_text (const KbTold *told, const KbSay *say, GString *out)
{
  if (say->part == KB_PART_CALL)
    put_delta (told, "input_json_delta", "partial_json", say->text, out);
  else if (say->part == KB_PART_THINKING)
    put_delta (told, "thinking_delta", "thinking", say->text, out);
  else
    put_delta (told, "text_delta", "text", say->text, out);
}

static void
put_part_end (const KbTold *told, const KbSay *say, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  if (say->part == KB_PART_THINKING)
    put_delta (told, "signature_delta", "signature", KB_THOUGHT_MARK, out);
  kb_json_form (data, "{'type':'content_block_stop','index':%d}", index_of (told));
  kb_tell_event (out, "content_block_stop", data);
}

static void
put_end (const KbTold *told, GString *out)
{
  g_autoptr (GString) data = g_string_new (NULL);

  kb_json_form (data,
                "{'type':'message_delta','delta':{'stop_reason':%q,'stop_sequence':%q},"
                "'usage':",
                reason_of (told), told->stop_sequence);
  append_usage (told, data);
  g_string_append_c (data, '}');
  kb_tell_event (out, "message_delta", data);
  g_string_assign (data, "{\"type\":\"message_stop\"}");
  kb_tell_event (out, "message_stop", data);
}

static void
tell_event (KbTold *told, const KbSay *say, GString *out)
{
  switch (say->kind)
    {
    case KB_SAY_BEGIN:
      put_start (told, out);
      break;
    case KB_SAY_PART:
      put_part (told, say, out);
      break;
    case KB_SAY_TEXT:
      put_text (told, say, out);
      break;
    case KB_SAY_PART_END:
      put_part_end (told, say, out);
      break;
    case KB_SAY_END:
      put_end (told, out);
      break;
    case KB_SAY_USAGE:
    case KB_SAY_STOP:
    default:
      break;
    }
}

static void
append_part (const KbPart *part, GString *out)
{
  if (part->kind == KB_PART_CALL)
    kb_json_form (out, "{'type':'tool_use','id':%q,'name':%q,'input':%r}", part->id, part->name,
                  part->text);
  else if (part->kind == KB_PART_THINKING)
    kb_json_form (out, "{'type':'thinking','thinking':%q,'signature':%q}", part->text,
                  KB_THOUGHT_MARK);
  else
    kb_json_form (out, "{'type':'text','text':%q}", part->text);
}

static void
tell_whole (KbTold *told, GString *out)
{
  g_autoptr (GString) content = g_string_new (NULL);

  for (guint i = 0; i < told->parts->len; i++)
    {
      g_string_append (content, i > 0 ? "," : "");
      append_part (told->parts->pdata[i], content);
    }
  append_message (told, content->str, reason_of (told), out);
}

const KbTeller kb_tell_messages = { tell_event, tell_whole };

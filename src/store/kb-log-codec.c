// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-log-codec.h"

#include "store/kb-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define UTF8_BOM "\xef\xbb\xbf"

/* Of one object; a record has a dozen. */
#define MAX_MEMBERS 512

/* How many times a damaged line may be gone through in the search for records in it. */
#define MAX_PASSES 8

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

/* -1 for what is absent, no number or negative: none of these numbers can be. */
static gint64
get_number (JsonObject *object, const char *name)
{
  double number = -1;

  if (!kb_json_get_number (json_object_get_member (object, name), &number) || number < 0)
    return -1;
  return kb_json_clamp (number, KB_JSON_MAX_SAFE_INTEGER);
}

static gint64
get_time (JsonObject *object)
{
  double number = 0;

  kb_json_get_number (json_object_get_member (object, "t"), &number);
  return kb_json_clamp (number, KB_JSON_MAX_TIME_MS);
}

static gboolean
get_boolean (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && json_node_get_value_type (node) == G_TYPE_BOOLEAN && json_node_get_boolean (node);
}

static GStrv
get_strings (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  GPtrArray *strings;
  JsonArray *array;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  array = json_node_get_array (node);
  strings = g_ptr_array_new_null_terminated (json_array_get_length (array), g_free, TRUE);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING)
        g_ptr_array_add (strings, json_node_dup_string (element));
    }
  return (GStrv) g_ptr_array_free (strings, FALSE);
}

static KbEvent *
event_from_object (JsonObject *object, const char *json, const KbLogOrigin *origin)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_auto (GStrv) channels = get_strings (object, "channels");

  fields.kind_name = get_string (object, "kind");
  fields.kind = kb_event_kind_parse (fields.kind_name);
  fields.time_ms = get_time (object);
  fields.source = origin->source;
  fields.file = origin->file;
  fields.agent = get_string (object, "agentId");
  fields.from = get_string (object, "from");
  fields.to = get_string (object, "to");
  fields.reason = get_string (object, "reason");
  fields.channels = (const char *const *) channels;
  fields.json = json;
  fields.status = get_number (object, "status");
  fields.turn = get_number (object, "turn");
  fields.step = get_number (object, "step");
  fields.failover_count = get_number (object, "failoverCount");
  fields.give_up_budget = get_number (object, "giveUpBudget");
  fields.failure_budget = get_number (object, "failureBudget");
  fields.cooldown_ms = get_number (object, "cooldownMs");
  fields.pid = get_number (object, "pid");
  fields.retry_exhausted = get_boolean (object, "retryExhausted");
  return kb_event_new (&fields);
}

/**
 * kb_log_make_note:
 * @kind: %KB_EVENT_GAP or %KB_EVENT_DAMAGED
 * @message: what a reader has to say, translated
 * @origin: where it was reading
 *
 * Returns: (transfer full): an entry for it; the line is named in the message where it is
 *   known, the content of the line never is
 */
KbEvent *
kb_log_make_note (KbEventKind kind, const char *message, const KbLogOrigin *origin)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;
  g_autofree char *text = NULL;

  g_return_val_if_fail (kind == KB_EVENT_GAP || kind == KB_EVENT_DAMAGED, NULL);
  g_return_val_if_fail (message != NULL, NULL);
  g_return_val_if_fail (origin != NULL, NULL);

  if (origin->line > 0)
    text = g_strdup_printf (_ ("Line %u: %s"), (guint) MIN (origin->line, G_MAXUINT), message);
  fields.kind = kind;
  fields.kind_name = kind == KB_EVENT_GAP ? "gap" : "damaged";
  fields.source = origin->source;
  fields.file = origin->file;
  fields.message = text != NULL ? text : message;
  return kb_event_new (&fields);
}

static KbEvent *
damaged (const char *message, const KbLogOrigin *origin)
{
  return kb_log_make_note (KB_EVENT_DAMAGED, message, origin);
}

static const char *
describe_verdict (KbJsonVerdict verdict)
{
  switch (verdict)
    {
    case KB_JSON_CUT_OFF:
      return _ ("the entry breaks off; its writer was probably stopped while writing it");
    case KB_JSON_TOO_DEEP:
      return _ ("the entry is nested too deeply to be one of this log");
    case KB_JSON_TOO_MANY:
      return _ ("the entry has more members than one of this log can have");
    case KB_JSON_UNEXPECTED:
    case KB_JSON_FINE:
    default:
      return _ ("this is not an entry of this log, or it was damaged while it was written");
    }
}

static gboolean
is_space (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static gsize
skip_space (const char *text, gsize length, gsize at)
{
  while (at < length && is_space (text[at]))
    at++;
  return at;
}

/* Without a byte order mark, blanks and the CR of CRLF around it; as UTF-8. A text that is
 * none is copied to @repaired. */
static const char *
clean (const char *line, gsize *length, char **repaired)
{
  gsize start;

  if (*length >= strlen (UTF8_BOM) && memcmp (line, UTF8_BOM, strlen (UTF8_BOM)) == 0)
    {
      line += strlen (UTF8_BOM);
      *length -= strlen (UTF8_BOM);
    }
  while (*length > 0 && is_space (line[*length - 1]))
    (*length)--;
  start = skip_space (line, *length, 0);
  line += start;
  *length -= start;
  if (g_utf8_validate_len (line, *length, NULL))
    return line;
  *repaired = g_utf8_make_valid (line, (gssize) *length);
  *length = strlen (*repaired);
  return *repaired;
}

static KbEvent *
decode_value (const char *text, gsize length, const KbLogOrigin *origin)
{
  g_autoptr (JsonNode) node = kb_json_parse (text, length);
  g_autofree char *json = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return damaged (_ ("this is not an object, as an entry of this log is"), origin);
  if (get_string (json_node_get_object (node), "kind") == NULL)
    return damaged (_ ("the entry has no “kind”"), origin);
  json = g_strndup (text, length);
  return event_from_object (json_node_get_object (node), json, origin);
}

/* A record inside a damaged line must look like one: nothing else says where it begins. */
static KbEvent *
decode_candidate (const char *text, gsize length, const KbLogOrigin *origin)
{
  g_autoptr (JsonNode) node = kb_json_parse (text, length);
  g_autofree char *json = NULL;
  JsonObject *object;
  double number;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  object = json_node_get_object (node);
  if (get_string (object, "kind") == NULL
      || !kb_json_get_number (json_object_get_member (object, "t"), &number))
    return NULL;
  json = g_strndup (text, length);
  return event_from_object (object, json, origin);
}

static gboolean
may_begin_record (const char *text, gsize length, gsize at)
{
  gsize next = skip_space (text, length, at + 1);

  return next < length && text[next] == '"';
}

static gsize
find_candidate (const char *text, gsize length, gsize at)
{
  while (at < length)
    {
      const char *brace = memchr (text + at, '{', length - at);

      if (brace == NULL)
        return length;
      at = (gsize) (brace - text);
      if (may_begin_record (text, length, at))
        return at;
      at++;
    }
  return length;
}

/* The record at @at, if there is one; @end is where it ends. Behind a record inside a torn
 * one comes the end of the line or the next record; behind an object that is a part of a
 * record comes something else. */
static KbEvent *
recover_at (
    const char *text, gsize length, gsize torn, gsize at, gsize *end, const KbLogOrigin *origin)
{
  gsize size;
  gsize next;
  KbJsonVerdict verdict = kb_json_scan (text + at, length - at, MAX_MEMBERS, &size);

  *end = at + size;
  if (verdict != KB_JSON_FINE)
    return NULL;
  next = skip_space (text, length, *end);
  if (at != torn && next < length && text[next] != '{')
    return NULL;
  return decode_candidate (text + at, size, origin);
}

/* Writers append without asking how the file ends. After one that was killed, the next
 * record stands on the same line: `{"kind":"failo{"kind":"boot",...}`. */
static void
recover (GPtrArray *events, const char *text, gsize length, const KbLogOrigin *origin)
{
  gsize torn = 0;
  gsize budget = length * MAX_PASSES;
  gsize at = find_candidate (text, length, 0);

  while (at < length && budget > 0)
    {
      gsize end;
      KbEvent *event = recover_at (text, length, torn, at, &end, origin);

      budget -= MIN (budget, end - at);
      if (event == NULL)
        {
          at = find_candidate (text, length, at + 1);
          continue;
        }
      if (at > torn)
        g_ptr_array_add (events, damaged (describe_verdict (KB_JSON_CUT_OFF), origin));
      g_ptr_array_add (events, event);
      torn = skip_space (text, length, end);
      at = find_candidate (text, length, torn);
    }
  if (torn < length)
    {
      KbJsonVerdict verdict = kb_json_scan (text + torn, length - torn, MAX_MEMBERS, &at);

      g_ptr_array_add (events, damaged (describe_verdict (verdict), origin));
    }
}

/**
 * kb_log_decode_into:
 * @events: (element-type KbEvent): where to
 * @line: (array length=length): a line without its end; any bytes
 * @length: their number
 * @origin: where the line comes from
 *
 * Adds what the line holds: nothing for a blank one, one event for a whole record, and for
 * any other the records that can be made out in it with a %KB_EVENT_DAMAGED in place of
 * each torn part. Bytes that are not UTF-8 become U+FFFD. The work is bounded by a multiple
 * of @length.
 */
void
kb_log_decode_into (GPtrArray *events, const char *line, gsize length, const KbLogOrigin *origin)
{
  g_autofree char *repaired = NULL;
  const char *text;
  gsize end;

  g_return_if_fail (events != NULL);
  g_return_if_fail (line != NULL || length == 0);
  g_return_if_fail (origin != NULL);

  if (length == 0)
    return;
  text = clean (line, &length, &repaired);
  if (length == 0)
    return;
  if (kb_json_scan (text, length, MAX_MEMBERS, &end) == KB_JSON_FINE && end == length)
    g_ptr_array_add (events, decode_value (text, length, origin));
  else
    recover (events, text, length, origin);
}

/**
 * kb_log_decode_line:
 * @line: (array length=length): a line without its end; any bytes
 * @length: their number
 * @source: the plugin it belongs to
 * @file: absolute path of the file
 *
 * Members of the wrong type count as absent. A kind that is not known is kept by its name.
 *
 * Returns: (transfer full): the record, or a %KB_EVENT_DAMAGED saying what is wrong
 */
KbEvent *
kb_log_decode_line (const char *line, gsize length, const char *source, const char *file)
{
  KbLogOrigin origin = { .source = source, .file = file };
  g_autofree char *repaired = NULL;
  const char *text;
  gsize end = 0;
  KbJsonVerdict verdict;

  g_return_val_if_fail (line != NULL, NULL);

  text = clean (line, &length, &repaired);
  if (length == 0)
    return damaged (_ ("the line is empty"), &origin);
  verdict = kb_json_scan (text, length, MAX_MEMBERS, &end);
  if (verdict != KB_JSON_FINE || end != length)
    return damaged (describe_verdict (verdict), &origin);
  return decode_value (text, length, &origin);
}

/**
 * kb_log_decode_torn:
 * @line: (array length=length): a line without its end; any bytes
 * @length: their number
 * @source: the plugin it belongs to
 * @file: absolute path of the file
 *
 * Like kb_log_decode_into() with a new array.
 *
 * Returns: (transfer full) (element-type KbEvent): what the line holds, in its order
 */
GPtrArray *
kb_log_decode_torn (const char *line, gsize length, const char *source, const char *file)
{
  KbLogOrigin origin = { .source = source, .file = file };
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_event_unref);

  kb_log_decode_into (events, line, length, &origin);
  return events;
}

static void
add_name (GString *json, const char *name)
{
  g_string_append_c (json, json->str[json->len - 1] == '{' ? '"' : ',');
  if (json->str[json->len - 1] == ',')
    g_string_append_c (json, '"');
  g_string_append_printf (json, "%s\":", name);
}

static void
add_string (GString *json, const char *name, const char *value)
{
  if (value == NULL)
    return;
  add_name (json, name);
  kb_json_append_string (json, value);
}

static void
add_number (GString *json, const char *name, gint64 value)
{
  if (value < 0)
    return;
  add_name (json, name);
  g_string_append_printf (json, "%" G_GINT64_FORMAT, value);
}

static void
add_boot_fields (GString *json, const KbEventFields *fields)
{
  const char *const *channels = fields->channels;

  add_number (json, "pid", fields->pid);
  if (channels != NULL)
    {
      add_name (json, "channels");
      g_string_append_c (json, '[');
      for (guint i = 0; channels[i] != NULL; i++)
        {
          g_string_append (json, i == 0 ? "" : ",");
          kb_json_append_string (json, channels[i]);
        }
      g_string_append_c (json, ']');
    }
  add_number (json, "failureBudget", fields->failure_budget);
  add_number (json, "cooldownMs", fields->cooldown_ms);
  add_number (json, "giveUpBudget", fields->give_up_budget);
}

static void
add_hop_fields (GString *json, const KbEventFields *fields)
{
  add_string (json, "agentId", fields->agent);
  add_string (json, "from", fields->from);
  add_string (json, "to", fields->to);
  add_string (json, "reason", fields->reason);
  add_number (json, "status", fields->status);
  add_number (json, "turn", fields->turn);
  add_number (json, "step", fields->step);
  add_number (json, "failoverCount", fields->failover_count);
  add_number (json, "giveUpBudget", fields->give_up_budget);
  if (fields->retry_exhausted)
    {
      add_name (json, "retryExhausted");
      g_string_append (json, "true");
    }
}

static const char *
get_kind_name (const KbEventFields *fields)
{
  static const char *const names[] = {
    [KB_EVENT_OTHER] = "other",     [KB_EVENT_BOOT] = "boot", [KB_EVENT_FAILOVER] = "failover",
    [KB_EVENT_GIVE_UP] = "give-up", [KB_EVENT_GAP] = "gap",   [KB_EVENT_DAMAGED] = "damaged",
  };

  return fields->kind_name != NULL ? fields->kind_name : names[fields->kind];
}

/**
 * kb_log_encode:
 * @fields: an event
 *
 * Writes one record as the plugin does: compact, members in its order, what is not known left
 * out. A record of another kind that still has its text is written as it was read.
 *
 * Returns: (transfer full): a line without its end
 */
char *
kb_log_encode (const KbEventFields *fields)
{
  GString *json;

  g_return_val_if_fail (fields != NULL, NULL);

  if (fields->kind == KB_EVENT_OTHER && fields->json != NULL)
    return g_strdup (fields->json);
  json = g_string_new ("{");
  add_string (json, "kind", get_kind_name (fields));
  add_number (json, "t", fields->time_ms);
  if (fields->kind == KB_EVENT_BOOT)
    add_boot_fields (json, fields);
  else
    add_hop_fields (json, fields);
  if (fields->kind == KB_EVENT_GAP || fields->kind == KB_EVENT_DAMAGED)
    add_string (json, "message", fields->message);
  g_string_append_c (json, '}');
  return g_string_free_and_steal (json);
}

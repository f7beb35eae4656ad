// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-health-codec.h"

#include "store/kb-json-place.h"
#include "store/kb-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define UTF8_BOM "\xef\xbb\xbf"

/* Of one object; a health file with as many channels does not exist. Names chosen to collide
 * cost about two seconds then, and 25 with half as many again in several objects. */
#define MAX_MEMBERS 10240

struct _KbHealthDocument
{
  JsonNode *root;      /* owned; always an object with an object "healths" */
  JsonObject *healths; /* unowned, in root */
  GPtrArray *records;  /* owned KbHealthRecord, file order */
  GPtrArray *drops;    /* owned KbHealthDrop */
  GHashTable *by_name; /* unowned channel -> unowned KbHealthRecord */
};

typedef struct
{
  guint line;
  guint column;
} KbHealthErrorPrivate;

static void
kb_health_error_private_init (KbHealthErrorPrivate *place)
{
}

static void
kb_health_error_private_copy (const KbHealthErrorPrivate *source, KbHealthErrorPrivate *target)
{
  g_assert (source != NULL && target != NULL);
  *target = *source;
}

static void
kb_health_error_private_clear (KbHealthErrorPrivate *place)
{
}

G_DEFINE_EXTENDED_ERROR (KbHealthError, kb_health_error)

/**
 * kb_health_error_get_place:
 * @error: an error of the domain %KB_HEALTH_ERROR
 * @line: (out): 1-based, 0 if the error is not about one place
 * @column: (out): 1-based, in characters, or 0
 *
 * Says where in the file the error is.
 */
void
kb_health_error_get_place (const GError *error, guint *line, guint *column)
{
  const KbHealthErrorPrivate *place;

  g_return_if_fail (error != NULL && error->domain == KB_HEALTH_ERROR);
  g_return_if_fail (line != NULL && column != NULL);

  place = kb_health_error_get_private (error);
  g_assert (place != NULL);
  *line = place->line;
  *column = place->column;
}

static void
set_place (GError **error, guint line, guint column)
{
  KbHealthErrorPrivate *place;

  if (error == NULL || *error == NULL)
    return;
  place = kb_health_error_get_private (*error);
  g_assert (place != NULL);
  *place = (KbHealthErrorPrivate) { line, column };
}

static void
record_free (gpointer data)
{
  KbHealthRecord *record = data;

  g_free (record->channel);
  g_free (record->reason);
  g_free (record);
}

static void
drop_free (gpointer data)
{
  KbHealthDrop *drop = data;

  g_free (drop->channel);
  g_free (drop->why);
  g_free (drop);
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

static char *
read_state (JsonObject *object, KbBreaker *breaker)
{
  const char *state = get_string (object, "state");

  if (state == NULL)
    return g_strdup (_ ("“state” is missing or not a text"));
  if (!kb_channel_state_parse (state, &breaker->state))
    return g_strdup (_ ("“state” is not a state; known are HEALTHY, COOLDOWN, PROBE and DISABLED"));
  return NULL;
}

/* Number.isSafeInteger() and not negative, as the plugin asks. */
static char *
read_failures (JsonObject *object, KbBreaker *breaker)
{
  double number = -1;

  if (!kb_json_get_number (json_object_get_member (object, "consecutiveFailures"), &number)
      || number < 0 || number > (double) KB_JSON_MAX_SAFE_INTEGER
      || number != (double) (gint64) number)
    return g_strdup (_ ("“consecutiveFailures” is not a whole number from 0 up"));
  breaker->failures = (gint64) number;
  return NULL;
}

static char *
read_time (JsonObject *object, const char *name, gint64 *time_ms)
{
  double number = -1;

  if (!kb_json_get_number (json_object_get_member (object, name), &number) || number < 0)
    return g_strdup_printf (_ ("“%s” is not a number of milliseconds from 0 up"), name);
  *time_ms = kb_json_clamp (number, KB_JSON_MAX_TIME_MS);
  return NULL;
}

static char *
read_breaker (const char *channel, JsonNode *node, KbBreaker *breaker)
{
  JsonObject *object;
  char *why;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (_ ("the record is not an object"));
  object = json_node_get_object (node);
  if (g_strcmp0 (get_string (object, "channel"), channel) != 0)
    return g_strdup (_ ("“channel” in the record differs from the name it is filed under"));
  why = read_state (object, breaker);
  if (why == NULL)
    why = read_failures (object, breaker);
  if (why == NULL)
    why = read_time (object, "cooldownUntilMs", &breaker->until_ms);
  if (why == NULL)
    why = read_time (object, "updatedAtMs", &breaker->updated_ms);
  return why;
}

static KbHealthRecord *
add_record (KbHealthDocument *self, const char *channel, KbBreaker breaker, const char *reason)
{
  KbHealthRecord *record = g_new0 (KbHealthRecord, 1);

  record->channel = g_strdup (channel);
  record->breaker = breaker;
  record->reason = g_strdup (reason);
  g_ptr_array_add (self->records, record);
  g_hash_table_insert (self->by_name, record->channel, record);
  return record;
}

static void
add_drop (KbHealthDocument *self, const char *channel, char *why)
{
  KbHealthDrop *drop = g_new0 (KbHealthDrop, 1);

  drop->channel = g_strdup (channel);
  drop->why = why;
  g_ptr_array_add (self->drops, drop);
}

static void
read_records (KbHealthDocument *self)
{
  JsonObjectIter iter;
  const char *channel;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, self->healths);
  while (json_object_iter_next_ordered (&iter, &channel, &node))
    {
      KbBreaker breaker = { 0 };
      char *why = read_breaker (channel, node, &breaker);

      if (why != NULL)
        add_drop (self, channel, why);
      else
        add_record (self, channel, breaker, get_string (json_node_get_object (node), "reason"));
    }
}

static void
locate (const char *text, gsize offset, guint *line, guint *column)
{
  const char *start = text;

  *line = 1;
  for (const char *at = text; at < text + offset; at++)
    {
      if (*at != '\n')
        continue;
      (*line)++;
      start = at + 1;
    }
  *column = 1;
  for (const char *at = start; at < text + offset; at++)
    *column += ((guint8) *at & 0xc0) != 0x80;
}

/* Every place is a walk through the text, so there are not many. */
static void
place_drops (KbHealthDocument *self, const char *text, gsize length)
{
  for (guint i = 0; i < MIN (self->drops->len, KB_HEALTH_PLACES_MAX); i++)
    {
      KbHealthDrop *drop = self->drops->pdata[i];
      const char *const path[] = { "healths", drop->channel, NULL };
      gsize offset;

      if (kb_json_find_key (text, length, path, &offset))
        locate (text, offset, &drop->line, &drop->column);
    }
}

static void
set_verdict_error (GError **error, KbJsonVerdict verdict, guint line, guint column)
{
  switch (verdict)
    {
    case KB_JSON_CUT_OFF:
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX,
                   _ ("Line %u, column %u: the file ends too early, it was not written to its end"),
                   line, column);
      break;
    case KB_JSON_TOO_DEEP:
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX,
                   _ ("Line %u, column %u: values are nested too deeply for a health file"), line,
                   column);
      break;
    case KB_JSON_TOO_MANY:
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_TOO_LARGE,
                   _ ("Line %u, column %u: more entries than a health file has"), line, column);
      break;
    case KB_JSON_UNEXPECTED:
    case KB_JSON_FINE:
    default:
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX,
                   _ ("Line %u, column %u: this is not JSON"), line, column);
      break;
    }
}

static gboolean
check_encoding (const char *text, gsize length, GError **error)
{
  const char *end = NULL;
  guint line, column;

  if (g_utf8_validate_len (text, length, &end) || *end == '\0')
    return TRUE;
  locate (text, (gsize) (end - text), &line, &column);
  g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX,
               _ ("Line %u, column %u: the text is not UTF-8"), line, column);
  set_place (error, line, column);
  return FALSE;
}

static gboolean
is_space (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static JsonNode *
parse (const char *text, gsize length, GError **error)
{
  KbJsonVerdict verdict;
  gsize end;
  guint line, column;
  JsonNode *root;

  while (length > 0 && is_space (text[length - 1]))
    length--;
  if (length == 0)
    {
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SYNTAX, _ ("Line 1: the file is empty"));
      set_place (error, 1, 1);
      return NULL;
    }
  if (!check_encoding (text, length, error))
    return NULL;
  verdict = kb_json_scan (text, length, MAX_MEMBERS, &end);
  root = verdict == KB_JSON_FINE && end == length ? kb_json_parse (text, length) : NULL;
  if (root == NULL)
    {
      locate (text, end, &line, &column);
      set_verdict_error (error, verdict, line, column);
      set_place (error, line, column);
    }
  return root;
}

static JsonObject *
find_healths (JsonNode *root, GError **error)
{
  JsonNode *healths;

  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SHAPE,
                   _ ("This is not a health file: an object with “healths” is expected"));
      return NULL;
    }
  healths = json_object_get_member (json_node_get_object (root), "healths");
  if (healths == NULL || !JSON_NODE_HOLDS_OBJECT (healths))
    {
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_SHAPE,
                   _ ("This is not a health file: “healths” is missing or not an object"));
      return NULL;
    }
  return json_node_get_object (healths);
}

static KbHealthDocument *
document_new_for_root (JsonNode *root, JsonObject *healths)
{
  KbHealthDocument *self = g_new0 (KbHealthDocument, 1);

  self->root = root;
  self->healths = healths;
  self->records = g_ptr_array_new_with_free_func (record_free);
  self->drops = g_ptr_array_new_with_free_func (drop_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/**
 * kb_health_document_new:
 *
 * Returns: (transfer full): a document without records
 */
KbHealthDocument *
kb_health_document_new (void)
{
  JsonObject *object = json_object_new ();
  JsonObject *healths = json_object_new ();
  JsonNode *root = json_node_new (JSON_NODE_OBJECT);

  json_object_set_object_member (object, "healths", healths);
  json_node_take_object (root, object);
  return document_new_for_root (root, healths);
}

/**
 * kb_health_document_decode:
 * @bytes: the content of a channel-health.json
 * @error: return location for a #KbHealthError; messages name line and column
 *
 * Reads what the daruma plugin and Koboshi's own gateway write. A byte order mark, CRLF and
 * blank lines are accepted. A record the plugin would not accept is left out of the records
 * and explained in the drops; the state DISABLED, which only Koboshi writes, is accepted. A
 * dropped record stays in the document and is encoded again as it was.
 *
 * Returns: (transfer full): the document, or %NULL with @error set
 */
KbHealthDocument *
kb_health_document_decode (GBytes *bytes, GError **error)
{
  const char *text;
  gsize length;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *healths;
  KbHealthDocument *self;

  g_return_val_if_fail (bytes != NULL, NULL);

  text = g_bytes_get_data (bytes, &length);
  if (length > KB_HEALTH_MAX_BYTES)
    {
      g_set_error (error, KB_HEALTH_ERROR, KB_HEALTH_ERROR_TOO_LARGE,
                   _ ("The file is larger than %d MiB; a health file has a few kilobytes"),
                   KB_HEALTH_MAX_BYTES / 1024 / 1024);
      return NULL;
    }
  if (length >= strlen (UTF8_BOM) && memcmp (text, UTF8_BOM, strlen (UTF8_BOM)) == 0)
    {
      text += strlen (UTF8_BOM);
      length -= strlen (UTF8_BOM);
    }
  root = parse (text, length, error);
  healths = root != NULL ? find_healths (root, error) : NULL;
  if (healths == NULL)
    return NULL;
  self = document_new_for_root (g_steal_pointer (&root), healths);
  read_records (self);
  place_drops (self, text, length);
  return self;
}

/**
 * kb_health_document_encode:
 * @self: a document
 *
 * Returns: (transfer full): the bytes as the plugin writes them: two blanks a level, no line
 *   end behind the last brace, everything in its old order, numbers that were not set with
 *   the value they were read with
 */
GBytes *
kb_health_document_encode (KbHealthDocument *self)
{
  GString *json;

  g_return_val_if_fail (self != NULL, NULL);

  json = g_string_new (NULL);
  kb_json_append_node (json, self->root, 0);
  return g_string_free_to_bytes (json);
}

/**
 * kb_health_document_free:
 * @self: (transfer full) (nullable): a document
 */
void
kb_health_document_free (KbHealthDocument *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->records);
  g_ptr_array_unref (self->drops);
  json_node_unref (self->root);
  g_free (self);
}

/**
 * kb_health_document_get_records:
 * @self: a document
 *
 * Returns: (transfer none) (element-type KbHealthRecord): the good records in file order
 */
const GPtrArray *
kb_health_document_get_records (KbHealthDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->records;
}

/**
 * kb_health_document_get_drops:
 * @self: a document
 *
 * Returns: (transfer none) (element-type KbHealthDrop): the bad records with what is wrong
 */
const GPtrArray *
kb_health_document_get_drops (KbHealthDocument *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->drops;
}

/**
 * kb_health_document_lookup:
 * @self: a document
 * @channel: a channel id
 *
 * Returns: (transfer none) (nullable): the record of the channel, valid as long as @self
 */
const KbHealthRecord *
kb_health_document_lookup (KbHealthDocument *self, const char *channel)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (channel != NULL, NULL);
  return g_hash_table_lookup (self->by_name, channel);
}

static void
forget_drop (KbHealthDocument *self, const char *channel)
{
  for (guint i = 0; i < self->drops->len; i++)
    {
      KbHealthDrop *drop = g_ptr_array_index (self->drops, i);

      if (!g_str_equal (drop->channel, channel))
        continue;
      g_ptr_array_remove_index (self->drops, i);
      return;
    }
}

/* Leaves a number alone that already means @value, so that a fraction survives. */
static void
set_time (JsonObject *object, const char *name, gint64 value)
{
  double number = -1;

  if (!kb_json_get_number (json_object_get_member (object, name), &number) || number < 0
      || kb_json_clamp (number, KB_JSON_MAX_TIME_MS) != value)
    json_object_set_int_member (object, name, value);
}

/**
 * kb_health_document_set:
 * @self: a document
 * @channel: a channel id
 * @breaker: its breaker
 *
 * Changes the record of a channel, keeping what else is in it, or adds one at the end. A
 * record that was dropped is replaced at its place.
 */
void
kb_health_document_set (KbHealthDocument *self, const char *channel, KbBreaker breaker)
{
  KbHealthRecord *record;
  JsonObject *object;

  g_return_if_fail (self != NULL);
  g_return_if_fail (channel != NULL);
  g_return_if_fail (breaker.failures >= 0 && breaker.until_ms >= 0 && breaker.updated_ms >= 0);

  record = g_hash_table_lookup (self->by_name, channel);
  if (record == NULL)
    {
      forget_drop (self, channel);
      record = add_record (self, channel, breaker, NULL);
      json_object_set_object_member (self->healths, channel, json_object_new ());
    }
  record->breaker = breaker;
  object = json_object_get_object_member (self->healths, channel);
  json_object_set_string_member (object, "channel", channel);
  json_object_set_string_member (object, "state", kb_channel_state_to_string (breaker.state));
  json_object_set_int_member (object, "consecutiveFailures", breaker.failures);
  set_time (object, "cooldownUntilMs", breaker.until_ms);
  set_time (object, "updatedAtMs", breaker.updated_ms);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-request-facts.h"

#include <string.h>

#include "gateway/kb-json-walk.h"

/* So much of a digest tells sessions apart, and says nothing about who they are. */
#define SESSION_LENGTH 24

/* About four bytes make a token; an image is worth a thousand or so, whatever its bytes. */
#define BYTES_PER_TOKEN 4
#define TOKENS_PER_IMAGE 1000

static char *
digest_finish (GChecksum *checksum)
{
  return g_strndup (g_checksum_get_string (checksum), SESSION_LENGTH);
}

/* Two kinds of keys never meet, whatever they contain. */
static char *
digest_text (const char *kind, const char *text)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const unsigned char *) kind, (gssize) strlen (kind) + 1);
  g_checksum_update (checksum, (const unsigned char *) text, (gssize) strlen (text));
  return digest_finish (checksum);
}

static char *
digest_member (const char *kind, KbJsonSlice value)
{
  g_autofree char *text = kb_json_walk_decode (value);

  return text != NULL && *text != '\0' ? digest_text (kind, text) : NULL;
}

static void
digest_slice (GChecksum *checksum, KbJsonSlice value)
{
  if (value.length > 0)
    g_checksum_update (checksum, (const unsigned char *) value.text, (gssize) value.length);
  g_checksum_update (checksum, (const unsigned char *) "", 1);
}

static gboolean
is_of_user (KbJsonSlice message)
{
  KbJsonSlice value;
  g_autofree char *role = NULL;

  if (!kb_json_walk_find (message, "role", &value))
    return FALSE;
  role = kb_json_walk_decode (value);
  return g_strcmp0 (role, "user") == 0;
}

/* What comes before the first answer stays the same while a conversation grows. */
static void
digest_leading (GChecksum *checksum, KbJsonSlice messages)
{
  KbJsonWalk walk;
  KbJsonSlice message;

  if (messages.length == 0 || *messages.text != '[')
    {
      digest_slice (checksum, messages);
      return;
    }
  kb_json_walk_enter (&walk, messages);
  while (kb_json_walk_next_item (&walk, &message))
    {
      digest_slice (checksum, message);
      if (is_of_user (message))
        return;
    }
}

static char *
digest_conversation (const KbRequestBody *body)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  KbJsonSlice messages = body->members[KB_REQUEST_MESSAGES];
  KbJsonSlice input = body->members[KB_REQUEST_INPUT];

  if (messages.length == 0 && input.length == 0)
    return NULL;
  digest_slice (checksum, body->members[KB_REQUEST_SYSTEM]);
  digest_slice (checksum, body->members[KB_REQUEST_INSTRUCTIONS]);
  digest_leading (checksum, messages.length > 0 ? messages : input);
  return digest_finish (checksum);
}

/**
 * kb_request_facts_make_session:
 * @body: a request
 * @header: (nullable): its `x-session-id`
 *
 * Rule 8: the header; `prompt_cache_key` or `user` of OpenAI; `metadata.user_id` of Anthropic;
 * else the leading messages. Only a digest of them is kept.
 *
 * Returns: (transfer full) (nullable): what stickiness goes by; %NULL if there is nothing
 */
char *
kb_request_facts_make_session (const KbRequestBody *body, const char *header)
{
  KbJsonSlice user_id = { 0 };
  char *session = NULL;

  g_return_val_if_fail (body != NULL, NULL);

  if (header != NULL && *header != '\0')
    return digest_text ("session", header);
  session = digest_member ("cache-key", body->members[KB_REQUEST_CACHE_KEY]);
  if (session == NULL)
    session = digest_member ("user", body->members[KB_REQUEST_USER]);
  if (session == NULL
      && kb_json_walk_find (body->members[KB_REQUEST_METADATA], "user_id", &user_id))
    session = digest_member ("user-id", user_id);
  return session != NULL ? session : digest_conversation (body);
}

/* A member whose value is a picture in the text itself. */
static gsize
count_data (KbJsonSlice text, const char *name, const char *prefix)
{
  gsize bytes = 0;
  KbJsonSlice value;

  while (kb_json_peek_next (&text, name, &value))
    {
      const char *end;

      if (value.length < 2 || *value.text != '"'
          || strncmp (value.text + 1, prefix, MIN (strlen (prefix), value.length - 1)) != 0)
        continue;
      end = memchr (value.text + 1, '"', value.length - 1);
      bytes += end != NULL ? (gsize) (end - value.text) : 0;
    }
  return bytes;
}

static guint
count_images (KbJsonSlice text)
{
  static const char *const types[] = { "\"image_url\"", "\"image\"", "\"input_image\"" };
  guint n = 0;
  KbJsonSlice value;

  while (kb_json_peek_next (&text, "\"type\"", &value))
    for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
      n += value.length >= strlen (types[i])
           && memcmp (value.text, types[i], strlen (types[i])) == 0;
  return n;
}

static gint64
read_number (KbJsonSlice value)
{
  g_autofree char *text = g_strndup (value.text, MIN (value.length, 24));
  gint64 number = g_ascii_strtoll (text, NULL, 10);

  return CLAMP (number, 0, G_MAXINT);
}

static gint64
read_max_output (const KbRequestBody *body)
{
  static const KbRequestMember members[] = {
    KB_REQUEST_MAX_COMPLETION_TOKENS,
    KB_REQUEST_MAX_TOKENS,
    KB_REQUEST_MAX_OUTPUT_TOKENS,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    if (body->members[members[i]].length > 0)
      return read_number (body->members[members[i]]);
  return 0;
}

/**
 * kb_request_facts_read:
 * @body: a request
 * @facts: (inout): gets what the request needs of who serves it
 *
 * Looks for images and tools, how long the answer may be, and about how long the conversation
 * is: pictures that are part of the text count as pictures.
 */
void
kb_request_facts_read (const KbRequestBody *body, KbRequestFacts *facts)
{
  KbJsonSlice talk;
  guint n_images;
  gsize bytes;

  g_return_if_fail (body != NULL && facts != NULL);

  talk = body->members[KB_REQUEST_MESSAGES];
  if (talk.length == 0)
    talk = body->members[KB_REQUEST_INPUT];
  bytes = talk.length + body->members[KB_REQUEST_SYSTEM].length
          + body->members[KB_REQUEST_INSTRUCTIONS].length + body->members[KB_REQUEST_TOOLS].length;
  n_images = talk.length > 0 ? count_images (talk) : 0;
  if (n_images > 0)
    bytes -= count_data (talk, "\"data\"", "") + count_data (talk, "\"url\"", "data:")
             + count_data (talk, "\"image_url\"", "data:");
  facts->has_images = n_images > 0;
  facts->has_tools = kb_json_peek_is_full (body->members[KB_REQUEST_TOOLS]);
  facts->max_output = read_max_output (body);
  facts->approximate_tokens
      = (gint64) (bytes / BYTES_PER_TOKEN) + (gint64) n_images * TOKENS_PER_IMAGE;
}

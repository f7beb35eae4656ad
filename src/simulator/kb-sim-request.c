// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-request.h"

#include <string.h>

#define LINE_MAX_BYTES 1024
#define HEADERS_MAX 200

enum
{
  PHASE_HEAD,
  PHASE_LENGTH,
  PHASE_CHUNK_SIZE,
  PHASE_CHUNK,
  PHASE_CHUNK_END,
  PHASE_TRAILER,
  PHASE_READY,
  PHASE_BAD,
};

KbSimRequest *
kb_sim_request_new (void)
{
  KbSimRequest *self = g_new0 (KbSimRequest, 1);

  self->headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->body = g_byte_array_new ();
  return self;
}

void
kb_sim_request_free (KbSimRequest *self)
{
  if (self == NULL)
    return;
  g_free (self->method);
  g_free (self->path);
  g_free (self->query);
  g_hash_table_unref (self->headers);
  g_byte_array_unref (self->body);
  g_free (self);
}

static gboolean
refuse (KbSimRequest *self, guint status)
{
  self->bad_status = status;
  self->phase = PHASE_BAD;
  return TRUE;
}

/* The line without its end, taken out of @in; NULL while it is not all there. */
static char *
take_line (GByteArray *in)
{
  const guint8 *end = in->len > 0 ? memchr (in->data, '\n', in->len) : NULL;
  gsize length;
  char *line;

  if (end == NULL)
    return NULL;
  length = (gsize) (end - in->data);
  line = g_strndup ((const char *) in->data, length);
  g_byte_array_remove_range (in, 0, (guint) length + 1);
  g_strchomp (line);
  return line;
}

static gsize
find_head_end (const GByteArray *in)
{
  for (gsize i = 0; i + 1 < in->len; i++)
    {
      if (in->data[i] != '\n')
        continue;
      if (in->data[i + 1] == '\n')
        return i + 2;
      if (i + 2 < in->len && in->data[i + 1] == '\r' && in->data[i + 2] == '\n')
        return i + 3;
    }
  return 0;
}

static gboolean
read_request_line (KbSimRequest *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 4);
  char *query;

  if (g_strv_length (words) != 3 || words[1][0] != '/')
    return FALSE;
  if (!g_str_equal (words[2], "HTTP/1.1") && !g_str_equal (words[2], "HTTP/1.0"))
    return FALSE;
  self->http10 = g_str_equal (words[2], "HTTP/1.0");
  self->method = g_strdup (words[0]);
  query = strchr (words[1], '?');
  if (query != NULL)
    {
      *query++ = '\0';
      self->query = g_strdup (query);
    }
  self->path = g_strdup (words[1]);
  return TRUE;
}

static gboolean
read_header (KbSimRequest *self, char *line)
{
  char *value = strchr (line, ':');
  char *name;
  const char *before;

  if (value == NULL || value == line || g_ascii_isspace (*line))
    return FALSE;
  *value++ = '\0';
  name = g_ascii_strdown (line, -1);
  value = g_strstrip (value);
  before = g_hash_table_lookup (self->headers, name);
  if (before != NULL)
    g_hash_table_insert (self->headers, name, g_strdup_printf ("%s, %s", before, value));
  else
    g_hash_table_insert (self->headers, name, g_strdup (value));
  return g_hash_table_size (self->headers) <= HEADERS_MAX;
}

static gboolean
has_word (KbSimRequest *self, const char *header, const char *word)
{
  const char *value = kb_sim_request_get_header (self, header);
  g_autofree char *lower = value != NULL ? g_ascii_strdown (value, -1) : NULL;

  return lower != NULL && strstr (lower, word) != NULL;
}

/* Digits only: a sign or a space would be read differently by others. */
static gboolean
read_length (KbSimRequest *self, const char *text)
{
  if (*text == '\0' || strlen (text) > 18 || strspn (text, "0123456789") != strlen (text))
    return FALSE;
  self->left = g_ascii_strtoull (text, NULL, 10);
  return TRUE;
}

static void
expect_body (KbSimRequest *self)
{
  const char *length = kb_sim_request_get_header (self, "content-length");
  const char *coding = kb_sim_request_get_header (self, "transfer-encoding");

  self->expects_continue = has_word (self, "expect", "100-continue");
  self->keep = self->http10 ? has_word (self, "connection", "keep-alive")
                            : !has_word (self, "connection", "close");
  self->phase = PHASE_READY;
  if (coding != NULL)
    {
      self->phase = PHASE_CHUNK_SIZE;
      if (length != NULL || g_ascii_strcasecmp (coding, "chunked") != 0)
        refuse (self, 400);
    }
  else if (length != NULL)
    {
      self->phase = PHASE_LENGTH;
      if (!read_length (self, length))
        refuse (self, 400);
      else if (self->left > KB_SIM_REQUEST_BODY_BYTES)
        refuse (self, 413);
    }
}

static gboolean
read_head (KbSimRequest *self, GByteArray *in)
{
  gsize end;
  g_autofree char *head = NULL;
  g_auto (GStrv) lines = NULL;

  while (in->len > 0 && (in->data[0] == '\r' || in->data[0] == '\n'))
    g_byte_array_remove_index (in, 0);
  end = find_head_end (in);
  if (end == 0 && in->len <= KB_SIM_REQUEST_HEAD_BYTES)
    return FALSE;
  if (end == 0 || end > KB_SIM_REQUEST_HEAD_BYTES)
    return refuse (self, 431);
  head = g_strndup ((const char *) in->data, end);
  if (memchr (in->data, '\0', end) != NULL)
    return refuse (self, 400);
  g_byte_array_remove_range (in, 0, (guint) end);
  lines = g_strsplit (head, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strchomp (lines[i]);

      if (*line != '\0' && !(i == 0 ? read_request_line (self, line) : read_header (self, line)))
        return refuse (self, 400);
    }
  expect_body (self);
  return TRUE;
}

static gboolean
read_bytes (KbSimRequest *self, GByteArray *in, int next)
{
  guint length = (guint) MIN (self->left, in->len);

  g_byte_array_append (self->body, in->data, length);
  g_byte_array_remove_range (in, 0, length);
  self->left -= length;
  if (self->left > 0)
    return FALSE;
  self->phase = next;
  return TRUE;
}

static gboolean
read_chunk_size (KbSimRequest *self, GByteArray *in)
{
  g_autofree char *line = take_line (in);
  char *end = NULL;

  if (line == NULL)
    return in->len > LINE_MAX_BYTES ? refuse (self, 400) : FALSE;
  if (!g_ascii_isxdigit (*line))
    return refuse (self, 400);
  self->left = g_ascii_strtoull (line, &end, 16);
  if (*end != '\0' && *end != ';' && *end != ' ')
    return refuse (self, 400);
  if (self->left > KB_SIM_REQUEST_BODY_BYTES - self->body->len)
    return refuse (self, 413);
  self->phase = self->left > 0 ? PHASE_CHUNK : PHASE_TRAILER;
  return TRUE;
}

static gboolean
read_chunk_end (KbSimRequest *self, GByteArray *in)
{
  g_autofree char *line = take_line (in);

  if (line == NULL)
    return in->len > 2 ? refuse (self, 400) : FALSE;
  if (*line != '\0')
    return refuse (self, 400);
  self->phase = PHASE_CHUNK_SIZE;
  return TRUE;
}

static gboolean
read_trailer (KbSimRequest *self, GByteArray *in)
{
  g_autofree char *line = take_line (in);

  if (line == NULL)
    return in->len > KB_SIM_REQUEST_HEAD_BYTES ? refuse (self, 431) : FALSE;
  self->n_trailer_bytes += strlen (line) + 1;
  if (self->n_trailer_bytes > KB_SIM_REQUEST_HEAD_BYTES)
    return refuse (self, 431);
  if (*line == '\0')
    self->phase = PHASE_READY;
  return TRUE;
}

/* TRUE if the phase is over. */
static gboolean
step (KbSimRequest *self, GByteArray *in)
{
  switch (self->phase)
    {
    case PHASE_HEAD:
      return read_head (self, in);
    case PHASE_LENGTH:
      return read_bytes (self, in, PHASE_READY);
    case PHASE_CHUNK_SIZE:
      return read_chunk_size (self, in);
    case PHASE_CHUNK:
      return read_bytes (self, in, PHASE_CHUNK_END);
    case PHASE_CHUNK_END:
      return read_chunk_end (self, in);
    case PHASE_TRAILER:
      return read_trailer (self, in);
    case PHASE_READY:
    case PHASE_BAD:
    default:
      return FALSE;
    }
}

/* Takes out of @in what belongs to this request, and nothing of the next one. */
KbSimRequestState
kb_sim_request_feed (KbSimRequest *self, GByteArray *in)
{
  g_return_val_if_fail (self != NULL, KB_SIM_REQUEST_BAD);
  g_return_val_if_fail (in != NULL, KB_SIM_REQUEST_BAD);

  while (step (self, in))
    ;
  if (self->phase == PHASE_READY)
    return KB_SIM_REQUEST_READY;
  return self->phase == PHASE_BAD ? KB_SIM_REQUEST_BAD : KB_SIM_REQUEST_MORE;
}

/* @name in lower case. */
const char *
kb_sim_request_get_header (KbSimRequest *self, const char *name)
{
  return g_hash_table_lookup (self->headers, name);
}

/* Whether anything of the request is there, so that its end would be a cut. */
gboolean
kb_sim_request_has_begun (KbSimRequest *self, GByteArray *in)
{
  return self->phase != PHASE_HEAD || in->len > 0;
}

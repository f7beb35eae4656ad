// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-request-body.h"

#include <string.h>

#include "gateway/kb-json-walk.h"
#include "store/kb-json.h"

static const char *const member_names[KB_REQUEST_N_MEMBERS] = {
  [KB_REQUEST_MODEL] = "model",
  [KB_REQUEST_STREAM] = "stream",
  [KB_REQUEST_MESSAGES] = "messages",
  [KB_REQUEST_SYSTEM] = "system",
  [KB_REQUEST_INPUT] = "input",
  [KB_REQUEST_INSTRUCTIONS] = "instructions",
  [KB_REQUEST_TOOLS] = "tools",
  [KB_REQUEST_METADATA] = "metadata",
  [KB_REQUEST_USER] = "user",
  [KB_REQUEST_CACHE_KEY] = "prompt_cache_key",
  [KB_REQUEST_EFFORT] = "reasoning_effort",
  [KB_REQUEST_REASONING] = "reasoning",
  [KB_REQUEST_MAX_TOKENS] = "max_tokens",
  [KB_REQUEST_MAX_COMPLETION_TOKENS] = "max_completion_tokens",
  [KB_REQUEST_MAX_OUTPUT_TOKENS] = "max_output_tokens",
};

static gboolean
take_model (KbRequestBody *self, KbJsonSlice value, const char **complaint)
{
  if (*value.text != '"')
    *complaint = "the model is not a text";
  else if (self->model != NULL)
    *complaint = "the model is given twice";
  if (*complaint != NULL)
    return FALSE;
  self->model = kb_json_walk_decode (value);
  if (self->model == NULL || *self->model == '\0')
    *complaint = "the name of the model is empty";
  return *complaint == NULL;
}

/* Of a member that is given twice the last one counts, as parsers have it. */
static gboolean
take_member (KbRequestBody *self, const char *name, KbJsonSlice value, const char **complaint)
{
  for (guint i = 0; i < KB_REQUEST_N_MEMBERS; i++)
    {
      if (g_strcmp0 (name, member_names[i]) != 0)
        continue;
      self->members[i] = value;
      return i != KB_REQUEST_MODEL || take_model (self, value, complaint);
    }
  return TRUE;
}

static gboolean
read_members (KbRequestBody *self, KbJsonSlice text, const char **complaint)
{
  KbJsonWalk walk;
  KbJsonSlice value;
  char *name;

  kb_json_walk_enter (&walk, text);
  while (kb_json_walk_next_member (&walk, &name, &value))
    {
      g_autofree char *owned = name;

      if (!take_member (self, owned, value, complaint))
        return FALSE;
    }
  if (self->model == NULL)
    *complaint = "the model is missing";
  value = self->members[KB_REQUEST_STREAM];
  self->is_stream = value.length > 0 && *value.text == 't';
  return self->model != NULL;
}

/* A checked text that ends with its value; what follows may only be blanks. */
static gboolean
is_object (const char *text, gsize length)
{
  gsize end = 0;

  if (length == 0 || kb_json_scan (text, length, G_MAXUINT, &end) != KB_JSON_FINE)
    return FALSE;
  while (end < length && strchr (" \t\r\n", text[end]) != NULL && text[end] != '\0')
    end++;
  return end == length && text[strspn (text, " \t\r\n")] == '{';
}

/**
 * kb_request_body_read:
 * @self: (out): cleared by kb_request_body_clear(), also where this fails; it points into @body
 * @body: a body that ends with a NUL behind its last byte
 * @complaint: (out): what is wrong with it
 *
 * Returns: whether the body is a JSON object that names a model
 */
gboolean
kb_request_body_read (KbRequestBody *self, GBytes *body, const char **complaint)
{
  KbJsonSlice text = { 0 };

  *self = (KbRequestBody) { 0 };
  *complaint = NULL;
  text.text = g_bytes_get_data (body, &text.length);
  if (!is_object (text.text, text.length))
    *complaint = "the body is not a JSON object";
  return *complaint == NULL && read_members (self, text, complaint);
}

/* Chat completions have it at the top, responses inside of `reasoning`. */
static KbJsonSlice
find_effort (const KbRequestBody *self)
{
  KbJsonSlice value = self->members[KB_REQUEST_EFFORT];

  if (value.length == 0)
    kb_json_walk_find (self->members[KB_REQUEST_REASONING], "effort", &value);
  return value;
}

/* (transfer full) (nullable): the reasoning effort it asks for */
char *
kb_request_body_get_effort (const KbRequestBody *self)
{
  return kb_json_walk_decode (find_effort (self));
}

typedef struct
{
  KbJsonSlice place;
  const char *text;
} Change;

/* The changes in the order of their places. */
static GBytes *
apply (GBytes *body, Change *changes, guint n_changes)
{
  gsize length;
  const char *text = g_bytes_get_data (body, &length);
  const char *end = text + length;
  g_autoptr (GString) spliced = g_string_sized_new (length + 256);

  if (n_changes == 2 && changes[0].place.text > changes[1].place.text)
    {
      Change first = changes[1];

      changes[1] = changes[0];
      changes[0] = first;
    }
  for (guint i = 0; i < n_changes; i++)
    {
      g_string_append_len (spliced, text, changes[i].place.text - text);
      kb_json_append_string (spliced, changes[i].text);
      text = changes[i].place.text + changes[i].place.length;
    }
  g_string_append_len (spliced, text, end - text);
  return g_string_free_to_bytes (g_steal_pointer (&spliced));
}

/**
 * kb_request_body_splice:
 * @self: what was read of @body
 * @body: the body
 * @model: the name of the model to write
 * @effort: (nullable): the reasoning effort to write where one is asked for
 *
 * Returns: (transfer full): the same body with these; the body itself where nothing differs
 */
GBytes *
kb_request_body_splice (const KbRequestBody *self,
                        GBytes *body,
                        const char *model,
                        const char *effort)
{
  g_autofree char *asked = effort != NULL ? kb_request_body_get_effort (self) : NULL;
  Change changes[2];
  guint n_changes = 0;

  if (!g_str_equal (self->model, model))
    changes[n_changes++] = (Change) { self->members[KB_REQUEST_MODEL], model };
  if (asked != NULL && !g_str_equal (asked, effort))
    changes[n_changes++] = (Change) { find_effort (self), effort };
  return n_changes > 0 ? apply (body, changes, n_changes) : g_bytes_ref (body);
}

void
kb_request_body_clear (KbRequestBody *self)
{
  g_clear_pointer (&self->model, g_free);
}

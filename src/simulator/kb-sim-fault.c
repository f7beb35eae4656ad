// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "simulator/kb-sim-fault.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  OPTION_COUNT,
  OPTION_DURATION,
  OPTION_FLAG,
  OPTION_CHOICE,
  OPTION_RATIO,
  OPTION_RATE, /* a number a second, kept as the distance in ms */
  OPTION_TEXT,
  OPTION_LABEL, /* only tells two names apart */
} OptionKind;

typedef struct
{
  const char *key;
  OptionKind kind;
  gsize offset;
  const char *choices; /* by their numbers, for OPTION_CHOICE */
  const char *what;
} Option;

#define AT(field) G_STRUCT_OFFSET (KbSimFault, field)

static const Option options[] = {
  { "times", OPTION_COUNT, AT (times), NULL, "for so many attempts, then the next step" },
  { "for", OPTION_DURATION, AT (for_ms), NULL, "for so long after its first attempt" },
  { "chance", OPTION_RATIO, AT (chance), NULL, "for this part of the attempts, 0 to 1" },
  { "run", OPTION_LABEL, 0, NULL, "any text, so that a name is counted by itself" },
  { "wait", OPTION_DURATION, AT (wait_ms), NULL, "silence before the first header" },
  { "fail", OPTION_CHOICE, AT (fail), "no\0reset\0close\0partial\0",
    "no answer: “reset”, “close”, or “partial” for half a status line" },
  { "reuse-reset", OPTION_FLAG, AT (reuse_reset), NULL,
    "reset a connection that has served a request before" },
  { "slow-head", OPTION_DURATION, AT (slow_head_ms), NULL,
    "the headers come in ten parts over so long" },
  { "huge-head", OPTION_COUNT, AT (huge_head_bytes), NULL, "so many more bytes of headers" },
  { "status", OPTION_COUNT, AT (status), NULL, "the status" },
  { "http10", OPTION_FLAG, AT (http10), NULL, "HTTP/1.0: the body ends with the connection" },
  { "retry-after", OPTION_DURATION, AT (retry_after_ms), NULL, "Retry-After in seconds" },
  { "retry-date", OPTION_DURATION, AT (retry_date_ms), NULL, "Retry-After as a date" },
  { "retry-ms", OPTION_DURATION, AT (retry_header_ms), NULL, "the header retry-after-ms" },
  { "retry-body", OPTION_DURATION, AT (retry_body_ms), NULL, "the error tells when to try again" },
  { "clock-skew", OPTION_DURATION, AT (clock_skew_ms), NULL, "how far the Date header goes ahead" },
  { "redirect", OPTION_TEXT, AT (redirect), NULL, "a redirect to this address" },
  { "type", OPTION_TEXT, AT (type), NULL, "another content type" },
  { "error", OPTION_TEXT, AT (error), NULL, "the code in the error" },
  { "message", OPTION_TEXT, AT (message), NULL, "the message in the error" },
  { "body", OPTION_CHOICE, AT (body), "json\0html\0text\0empty\0",
    "what the body is instead: “html”, “text” or “empty”" },
  { "tokens", OPTION_COUNT, AT (tokens), NULL, "the length of the answer" },
  { "reasoning", OPTION_COUNT, AT (reasoning), NULL, "so many tokens of reasoning before it" },
  { "first-token", OPTION_DURATION, AT (first_token_ms), NULL,
    "silence between the headers and the first token" },
  { "token", OPTION_DURATION, AT (token_ms), NULL, "time between two tokens" },
  { "tps", OPTION_RATE, AT (token_ms), NULL, "tokens a second" },
  { "jitter", OPTION_DURATION, AT (jitter_ms), NULL,
    "up to so much more at each wait, by the seed" },
  { "tools", OPTION_FLAG, AT (tools), NULL, "calls a tool if the request has one" },
  { "prefill", OPTION_FLAG, AT (prefill), NULL,
    "continues a last message of the assistant; “no” refuses it" },
  { "usage", OPTION_FLAG, AT (usage), NULL, "tells the usage" },
  { "finish", OPTION_FLAG, AT (finish), NULL, "tells why the answer ended" },
  { "done", OPTION_FLAG, AT (done), NULL, "sends the event that closes the stream" },
  { "cut", OPTION_COUNT, AT (cut), NULL, "the answer breaks off after so many tokens" },
  { "silent", OPTION_DURATION, AT (silent_ms), NULL, "silence before it breaks off" },
  { "end", OPTION_CHOICE, AT (end), "close\0reset\0clean\0",
    "how it breaks off: “close”, “reset” or “clean”" },
  { "malformed", OPTION_COUNT, AT (malformed), NULL,
    "one event that is no JSON after so many tokens" },
  { "error-frame", OPTION_COUNT, AT (error_frame), NULL, "an error event after so many tokens" },
  { "gzip", OPTION_FLAG, AT (gzip), NULL, "compresses, whether asked for or not" },
  { "chunked", OPTION_FLAG, AT (chunked), NULL, "an answer of one piece is chunked, too" },
  { "chunk", OPTION_COUNT, AT (chunk_bytes), NULL, "chunks of so many bytes" },
  { "dribble", OPTION_COUNT, AT (dribble_bytes), NULL, "so many bytes at a time" },
  { "dribble-every", OPTION_DURATION, AT (dribble_ms), NULL, "the time between them" },
  { "eol", OPTION_CHOICE, AT (eol), "lf\0crlf\0cr\0", "how lines of events end" },
  { "bom", OPTION_FLAG, AT (bom), NULL, "a byte order mark before the first event" },
  { "comments", OPTION_FLAG, AT (comments), NULL, "a comment before every event" },
  { "last-blank", OPTION_FLAG, AT (last_blank), NULL, "“no”: the last event lacks its blank line" },
  { "keep", OPTION_CHOICE, AT (keep), "yes\0close\0drop\0",
    "the connection afterwards: “close” announces it, “drop” does not" },
};

static const KbSimFault healthy = {
  .times = -1,
  .for_ms = -1,
  .chance = 1,
  .status = 200,
  .retry_after_ms = -1,
  .retry_date_ms = -1,
  .retry_header_ms = -1,
  .retry_body_ms = -1,
  .tokens = -1,
  .cut = -1,
  .malformed = -1,
  .error_frame = -1,
  .prefill = TRUE,
  .usage = TRUE,
  .finish = TRUE,
  .done = TRUE,
  .dribble_ms = 1,
  .last_blank = TRUE,
};

/* An answer that is whole and in time. */
KbSimFault *
kb_sim_fault_new (void)
{
  return kb_sim_fault_copy (&healthy);
}

KbSimFault *
kb_sim_fault_copy (const KbSimFault *self)
{
  KbSimFault *copy = g_memdup2 (self, sizeof *self);

  copy->redirect = g_strdup (self->redirect);
  copy->type = g_strdup (self->type);
  copy->error = g_strdup (self->error);
  copy->message = g_strdup (self->message);
  return copy;
}

void
kb_sim_fault_free (KbSimFault *self)
{
  if (self == NULL)
    return;
  g_free (self->redirect);
  g_free (self->type);
  g_free (self->error);
  g_free (self->message);
  g_free (self);
}

static gboolean
read_number (const char *text, double max, double *number, const char **rest)
{
  char *end = NULL;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *number = g_ascii_strtod (text, &end);
  *rest = end;
  return *number <= max;
}

/* Milliseconds where nothing else is said: 250, 250ms, 1.5s, 2m. */
static gboolean
read_duration (const char *text, gint64 *ms)
{
  static const struct
  {
    const char *unit;
    double factor;
  } units[] = { { "", 1 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
  const char *rest;
  double number;

  if (!read_number (text, 1e9, &number, &rest))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (rest, units[i].unit))
      {
        *ms = (gint64) (number * units[i].factor + 0.5);
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_count (const char *text, gint64 *count)
{
  const char *rest;
  double number;

  if (!read_number (text, 1e8, &number, &rest) || *rest != '\0')
    return FALSE;
  *count = (gint64) number;
  return TRUE;
}

static gboolean
read_rate (const char *text, gint64 *distance_ms)
{
  const char *rest;
  double number;

  if (!read_number (text, 1e6, &number, &rest) || *rest != '\0' || number <= 0)
    return FALSE;
  *distance_ms = (gint64) (1000 / number + 0.5);
  return TRUE;
}

static gboolean
read_ratio (const char *text, double *ratio)
{
  const char *rest;

  return read_number (text, 1, ratio, &rest) && *rest == '\0';
}

static gboolean
read_flag (const char *text, gint64 *flag)
{
  static const char *const no[] = { "no", "false", "0", NULL };
  static const char *const yes[] = { "yes", "true", "1", "", NULL };

  *flag = g_strv_contains (yes, text);
  return *flag || g_strv_contains (no, text);
}

static gboolean
read_choice (const char *choices, const char *text, gint64 *choice)
{
  *choice = 0;
  for (const char *p = choices; *p != '\0'; p += strlen (p) + 1, (*choice)++)
    if (g_str_equal (p, text))
      return TRUE;
  return FALSE;
}

/* These go into headers. */
static gboolean
read_text (const char *value, char **text)
{
  for (const char *p = value; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      return FALSE;
  g_set_str (text, value);
  return TRUE;
}

static gboolean
set_option (KbSimFault *self, const Option *option, const char *value)
{
  gint64 *number = G_STRUCT_MEMBER_P (self, option->offset);
  char **text = G_STRUCT_MEMBER_P (self, option->offset);

  switch (option->kind)
    {
    case OPTION_COUNT:
      return read_count (value, number);
    case OPTION_DURATION:
      return read_duration (value, number);
    case OPTION_FLAG:
      return read_flag (value, number);
    case OPTION_CHOICE:
      return read_choice (option->choices, value, number);
    case OPTION_RATIO:
      return read_ratio (value, G_STRUCT_MEMBER_P (self, option->offset));
    case OPTION_RATE:
      return read_rate (value, number);
    case OPTION_TEXT:
      return read_text (value, text);
    case OPTION_LABEL:
    default:
      return TRUE;
    }
}

gboolean
kb_sim_fault_set (KbSimFault *self, const char *key, const char *value, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (key != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_str_equal (options[i].key, key))
      {
        gboolean is_status = options[i].offset == AT (status) && options[i].kind == OPTION_COUNT;

        if (set_option (self, &options[i], value)
            && (!is_status || (self->status >= 200 && self->status <= 599)))
          return TRUE;
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("“%s” cannot be “%s”"), key,
                     value);
        return FALSE;
      }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("“%s” is no fault"), key);
  return FALSE;
}

/*
 * Options as a model name holds them: `status=503+times=2`. They are separated by plus signs,
 * or by commas where nobody minds them; a flag needs no value.
 */
gboolean
kb_sim_fault_parse (KbSimFault *self, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  words = g_strsplit_set (text, "+,", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      char *value = strchr (words[i], '=');

      if (words[i][0] == '\0')
        continue;
      if (value != NULL)
        *value++ = '\0';
      if (!kb_sim_fault_set (self, words[i], value != NULL ? value : "", error))
        return FALSE;
    }
  return TRUE;
}

/* One option after the other, for the help: FALSE behind the last. @what is not translated. */
gboolean
kb_sim_fault_describe (guint index, const char **key, const char **what)
{
  if (index >= G_N_ELEMENTS (options))
    return FALSE;
  *key = options[index].key;
  *what = options[index].what;
  return TRUE;
}

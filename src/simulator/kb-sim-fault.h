// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

typedef enum
{
  KB_SIM_FAIL_NO,
  KB_SIM_FAIL_RESET,
  KB_SIM_FAIL_CLOSE,
  KB_SIM_FAIL_PARTIAL, /* half a status line, then a close */
} KbSimFail;

typedef enum
{
  KB_SIM_END_CLOSE,
  KB_SIM_END_RESET,
  KB_SIM_END_CLEAN, /* the body ends as HTTP wants it, only the answer is not whole */
} KbSimEnd;

typedef enum
{
  KB_SIM_BODY_JSON,
  KB_SIM_BODY_HTML,
  KB_SIM_BODY_TEXT,
  KB_SIM_BODY_EMPTY,
} KbSimBody;

typedef enum
{
  KB_SIM_KEEP_YES,
  KB_SIM_KEEP_CLOSE, /* announced */
  KB_SIM_KEEP_DROP,  /* closed after the answer without a word */
} KbSimKeep;

typedef enum
{
  KB_SIM_EOL_LF,
  KB_SIM_EOL_CRLF,
  KB_SIM_EOL_CR,
} KbSimEol;

/*
 * What happens to an attempt. All numbers are gint64 so that one table can set them; times
 * are in ms, -1 is "not", flags are 0 or 1.
 */
typedef struct
{
  /* Which attempts it is for. */
  gint64 times;
  gint64 for_ms;
  double chance;

  /* Before the body. */
  gint64 wait_ms;
  gint64 fail; /* KbSimFail */
  gint64 reuse_reset;
  gint64 slow_head_ms;
  gint64 huge_head_bytes;
  gint64 status;
  gint64 http10;
  gint64 retry_after_ms;
  gint64 retry_date_ms;
  gint64 retry_header_ms;
  gint64 retry_body_ms;
  gint64 clock_skew_ms;
  char *redirect; /* owned, nullable */
  char *type;     /* owned, nullable */

  /* The body. */
  char *error;   /* owned, nullable: its code */
  char *message; /* owned, nullable */
  gint64 body;   /* KbSimBody */
  gint64 tokens;
  gint64 reasoning;
  gint64 first_token_ms;
  gint64 token_ms;
  gint64 jitter_ms;
  gint64 tools;
  gint64 prefill;
  gint64 usage;
  gint64 finish;
  gint64 done;

  /* What goes wrong in it; counted in tokens. */
  gint64 cut;
  gint64 silent_ms;
  gint64 end; /* KbSimEnd */
  gint64 malformed;
  gint64 error_frame;

  /* How it travels. */
  gint64 gzip;
  gint64 chunked;
  gint64 chunk_bytes;
  gint64 dribble_bytes;
  gint64 dribble_ms;
  gint64 eol; /* KbSimEol */
  gint64 bom;
  gint64 comments;
  gint64 last_blank;
  gint64 keep; /* KbSimKeep */
} KbSimFault;

KbSimFault *kb_sim_fault_new (void);
KbSimFault *kb_sim_fault_copy (const KbSimFault *self);
void kb_sim_fault_free (KbSimFault *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimFault, kb_sim_fault_free)

gboolean kb_sim_fault_set (KbSimFault *self, const char *key, const char *value, GError **error);
gboolean kb_sim_fault_parse (KbSimFault *self, const char *options, GError **error);
gboolean kb_sim_fault_describe (guint index, const char **key, const char **what);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-channel-spec.h"
#include "store/kb-yaml-file.h"

/*
 * koboshi.yaml as the gateway takes it: every key with its default, a value that lint
 * refuses counts as absent. Nothing here fails; what is wrong is lint's to say.
 */

typedef struct
{
  char *pattern;
  char *target;
} KbModelAlias;

typedef struct
{
  char *channel;
  gboolean prefill;
  KbAbility tools;
  gint64 context_window; /* tokens; 0 = not stated */
  char *proxy;           /* (nullable) */
} KbChannelOptions;

typedef struct
{
  GStrv listen;     /* "127.0.0.1:7878" */
  char *token_name; /* (nullable) name of a key */
  gint64 connect_timeout_ms;
  gint64 header_timeout_ms;
  gint64 first_token_timeout_ms;
  gint64 idle_timeout_ms;
  gint64 total_timeout_ms;
  gint64 in_request_wait_ms;
  gint64 retry_before_failover_ms;
  gint64 retry_after_cap_ms;
  gint64 body_limit_mib;
  gint64 sticky_ttl_ms;
  gint64 sticky_max;
  gboolean sticky_persist;
  gboolean mid_stream_resumes;
  gboolean refused_content_fails_over;
  gboolean unknown_model_is_auto;
  GPtrArray *aliases;    /* KbModelAlias, in file order */
  GStrv never_automatic; /* channel ids */
  GPtrArray *channels;   /* KbChannelOptions */
} KbKoboshiOptions;

KbKoboshiOptions *kb_koboshi_options_read (KbYamlFile *file);
const KbChannelOptions *kb_koboshi_options_find_channel (const KbKoboshiOptions *self,
                                                         const char *channel);
void kb_koboshi_options_free (KbKoboshiOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbKoboshiOptions, kb_koboshi_options_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-secret.h"

/*
 * Where the requests of one channel go. Never changed after it was made, shared by reference:
 * an attempt in flight ends on the one it began with.
 */

typedef enum
{
  KB_TARGET_KEY_NONE,    /* the provider asks for no key */
  KB_TARGET_KEY_BEARER,  /* authorization: Bearer KEY */
  KB_TARGET_KEY_X_API,   /* x-api-key: KEY */
  KB_TARGET_KEY_MISSING, /* it asks for one, and none was found: no attempt is made */
} KbTargetKey;

typedef struct
{
  const char *url;   /* of the dialect's own path: ".../v1/chat/completions" */
  const char *model; /* what the provider calls it */
  KbTargetKey key_kind;
  KbSecret *key;              /* (nullable) */
  const char *const *headers; /* (nullable) "name: value", NULL-terminated */
  const char *proxy;          /* (nullable) a URL, or "direct"; NULL = as the desktop says */
} KbTargetSpec;

typedef struct
{
  gatomicrefcount refs;
  char *url;
  char *model;
  KbTargetKey key_kind;
  KbSecret *key;  /* (nullable) */
  char **headers; /* (nullable) */
  char *proxy;    /* (nullable) */
  gboolean is_loopback;
} KbTarget;

KbTarget *kb_target_new (const KbTargetSpec *spec);
KbTarget *kb_target_ref (KbTarget *self);
void kb_target_unref (KbTarget *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbTarget, kb_target_unref)

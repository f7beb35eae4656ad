// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

#include "core/kb-channel-spec.h"
#include "store/kb-daruma-config.h"

/*
 * A typed, read-only view of one profile: the daruma row through both patch layers, the
 * backup from the settings, the providers and models of the home. Bad content never fails a
 * load: the rest is read and kb_profile_get_problems() says what is wrong, with its place.
 */

typedef struct _KbProfile KbProfile;

/* What the home states of one model. */
typedef struct
{
  gint64 window;     /* tokens; 0 = not stated */
  gint64 max_output; /* tokens; 0 = not stated */
  KbAbility images;
  GStrv efforts; /* (nullable) reasoning efforts; NULL = not stated */
} KbModelFacts;

typedef struct
{
  char *name;
  char *display_name;  /* (nullable) */
  char *api;           /* (nullable) */
  char *base_url;      /* (nullable) */
  char *api_key_env;   /* (nullable) name of a key, never a key */
  GStrv models;        /* ids; empty where the host's catalog decides */
  GArray *facts;       /* KbModelFacts of each of the models */
  GStrv headers;       /* "name: value" */
  KbRetryPolicy retry; /* its codes are owned */
  gboolean open_ended; /* the model list is not known from the files */
  KbProvenance place;
} KbProvider;

KbProfile *kb_profile_load (const char *home, const char *name, GError **error);
KbProfile *kb_profile_load_with (
    const char *home, const char *name, const char *path, GBytes *bytes, GError **error);
KbProfile *kb_profile_preview (KbProfile *self, const char *path, GBytes *bytes, GError **error);
KbProfile *kb_profile_ref (KbProfile *self);
void kb_profile_unref (KbProfile *self);
const char *kb_profile_get_home (KbProfile *self);
const char *kb_profile_get_name (KbProfile *self);
const char *kb_profile_get_dir (KbProfile *self);
const KbDarumaConfig *kb_profile_get_daruma (KbProfile *self);
const GPtrArray *kb_profile_get_providers (KbProfile *self); /* KbProvider */
const GPtrArray *kb_profile_get_problems (KbProfile *self);  /* KbProblem, lint included */
/* every file a change of which matters, absent ones too */
GStrv kb_profile_list_files (KbProfile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbProfile, kb_profile_unref)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-channel-ref.h"
#include "core/kb-decision.h"

/* Where a value comes from; also where an editor would have to change it. */
typedef enum
{
  KB_ORIGIN_DEFAULT,  /* the plugin's built-in value */
  KB_ORIGIN_PROFILE,  /* profiles/<p>/cordis.patch.yml */
  KB_ORIGIN_HOME,     /* <home>/cordis.patch.yml, which outranks the profile */
  KB_ORIGIN_SETTINGS, /* settings.yaml */
} KbOrigin;

typedef struct
{
  KbOrigin origin;
  char *file; /* (nullable) absolute path; NULL for a default */
  guint line; /* 1-based, 0 for a default */
  guint column;
} KbProvenance;

/* The daruma row as it governs, with the plugin's defaults filled in. */
typedef struct
{
  gboolean configured; /* a row was found */
  gboolean disabled;   /* the row says `disabled: true` */
  KbProvenance row;    /* the winning row */
  GPtrArray *channels; /* KbChannelRef, valid entries in order */
  GArray *places;      /* KbProvenance of each channel, same order */
  GArray *expressions; /* guint: which entries, from 1, only the host can read; not in channels */
  KbChainPolicy policy;
  char *state_file;     /* absolute */
  char *log_file;       /* absolute */
  KbChannelRef *backup; /* (nullable) */
  KbProvenance backup_place;
} KbDarumaConfig;

#define KB_DARUMA_FAILURE_BUDGET 3
#define KB_DARUMA_COOLDOWN_MS 30000
#define KB_DARUMA_GIVE_UP_BUDGET 8
#define KB_DARUMA_NAME_MAX 256 /* UTF-16 units of a provider or model name */

KbDarumaConfig *kb_daruma_config_new (const char *home);
void kb_daruma_config_free (KbDarumaConfig *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbDarumaConfig, kb_daruma_config_free)

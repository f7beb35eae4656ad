// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-fault.h"
#include "simulator/kb-sim-json.h"

/* What a model does, attempt by attempt. */
typedef struct
{
  GPtrArray *steps;  /* owned KbSimFault: one after the other */
  KbSimFault *after; /* owned: when all steps are over */
  guint32 seed;
} KbSimScript;

KbSimScript *kb_sim_script_new_from_options (const char *options, GError **error);
KbSimScript *kb_sim_script_new_from_json (const KbSimJson *json, GError **error);
void kb_sim_script_free (KbSimScript *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimScript, kb_sim_script_free)

/* Models by their names. */
typedef struct _KbSimScripts KbSimScripts;

KbSimScripts *kb_sim_scripts_new (void);
KbSimScripts *kb_sim_scripts_parse (const char *text, gsize length, GError **error);
void kb_sim_scripts_free (KbSimScripts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbSimScripts, kb_sim_scripts_free)

KbSimScript *kb_sim_scripts_find (KbSimScripts *self, const char *model, GError **error);
GPtrArray *kb_sim_scripts_list (KbSimScripts *self);
gboolean kb_sim_script_describe (guint index, const char **model, const char **options);

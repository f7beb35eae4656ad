// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-health-store.h"

/*
 * The health file as a front end wants it: the last one that could be read, and what is
 * wrong with the present one.
 */

typedef struct _KbHealthReader KbHealthReader;

/* More dropped records than these are summed up in one problem. */
#define KB_HEALTH_PROBLEMS_MAX 20

KbHealthReader *kb_health_reader_new (void);
void kb_health_reader_free (KbHealthReader *self);
gboolean kb_health_reader_set_path (KbHealthReader *self, const char *path);
const char *kb_health_reader_get_path (KbHealthReader *self);
void kb_health_reader_read (KbHealthReader *self, gboolean believe_absence);
KbHealthDocument *
kb_health_reader_get_document (KbHealthReader *self); /* (transfer none) (nullable) */
gboolean kb_health_reader_is_known (KbHealthReader *self);
const GPtrArray *kb_health_reader_get_problems (KbHealthReader *self); /* KbProblem */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbHealthReader, kb_health_reader_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/* A small question with a few rows, for what has to be known before something is added. */

typedef struct _KbAsk KbAsk;

/* What was answered; valid until the callback returns. */
typedef struct
{
  KbAsk *ask;
  guint index; /* as it was given */
} KbAskAnswer;

typedef char *(*KbAskCheck) (const char *text, guint index, gpointer widget);
typedef void (*KbAskCallback) (KbAskAnswer *answer, gpointer parent);

KbAsk *kb_ask_new (const char *heading, const char *verb);
KbAsk *kb_ask_ref (KbAsk *self);
void kb_ask_unref (KbAsk *self);
/* checked while somebody types; @path: the names that are taken */
void kb_ask_add_name (KbAsk *self,
                      const char *key,
                      const char *label,
                      const char *text,
                      KbFormModel *model,
                      const char *path);
/* the same with a rule of the asker's: @check returns what is wrong, or NULL; @widget is what
   the question is asked over */
void kb_ask_add_checked (KbAsk *self,
                         const char *key,
                         const char *label,
                         const char *text,
                         KbAskCheck check,
                         guint index,
                         gpointer widget);
void kb_ask_add_text (KbAsk *self, const char *key, const char *label, gboolean required);
void kb_ask_add_choice (KbAsk *self,
                        const char *key,
                        const char *label,
                        const char *const *words,
                        const char *const *labels);
/* the callback's @parent is the widget the question is asked over; it is called only for yes */
void kb_ask_present (KbAsk *self, GtkWidget *parent, guint index, KbAskCallback callback);
const char *kb_ask_answer_get (KbAskAnswer *self, const char *key);
void kb_ask_tell (GtkWidget *parent, const char *heading, const char *body);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbAsk, kb_ask_unref)

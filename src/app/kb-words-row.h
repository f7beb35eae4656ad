// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/* Some of a list of words, such as the failures that make a chain switch: a switch for each. */

#define KB_TYPE_WORDS_ROW (kb_words_row_get_type ())
G_DECLARE_FINAL_TYPE (KbWordsRow, kb_words_row, KB, WORDS_ROW, AdwExpanderRow)

GtkWidget *kb_words_row_new (KbFormModel *model, KbField *field);
void kb_words_row_set_field (KbWordsRow *self, KbField *field);
void kb_words_row_set_locked (KbWordsRow *self, gboolean locked);

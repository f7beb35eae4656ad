// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "simulator/kb-sim-text.h"

/*
 * Every model says the same, so that a test can tell whether an answer is whole and whether
 * one that two channels gave is joined rightly. What trips up a careless reader is in it:
 * characters of two to four bytes, joined emoji, a combining mark, quotes, a backslash, line
 * ends, and what looks like an event.
 */
static const char *const tokens[] = {
  "A",      " little",    " doll",    " of",         " paper",
  ",",      " 小",        "法師",     " Koboshi",    ",",
  " is",    " pushed",    " over",    " seven",      " times",
  " and",   " rises",     " eight",   ":",           " 七転び",
  "八起き", " 🎎",        ".\n\n",    "Its",         " weight",
  " sits",  " at",        " the",     " bottom",     ";",
  " it",    " cannot",    " stay",    " down",       ".",
  " “",     "Don’t",      " worry",   "”,",          " says",
  " the",   " \"maker\"", ",",        " \\o/",       " 👩‍👩‍👧",
  " and",   " paints",    " a",       " cafe\u0301", " smile",
  " on",    " it",        ".\ndata:", " [DONE]",     " is",
  " what",  " it",        " never",   " says",       " 🐶.",
};

G_STATIC_ASSERT (G_N_ELEMENTS (tokens) == KB_SIM_TEXT_TOKENS);

/* A longer answer begins again. */
const char *
kb_sim_text_get_token (guint index)
{
  return tokens[index % G_N_ELEMENTS (tokens)];
}

char *
kb_sim_text_join (guint n_tokens)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_tokens; i++)
    g_string_append (text, kb_sim_text_get_token (i));
  return g_string_free_and_steal (text);
}

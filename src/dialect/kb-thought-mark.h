// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Anthropic signs what its models think, and refuses thoughts with another signature. Thoughts
 * that came from a provider of another dialect carry this mark instead, and are taken out again
 * before the conversation goes to a provider that checks signatures.
 */

#define KB_THOUGHT_MARK "koboshi:unsigned"

GBytes *kb_thought_mark_strip (GBytes *body);

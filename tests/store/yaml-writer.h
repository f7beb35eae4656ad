// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <glib.h>

/*
 * Writes random documents as people lay them out, and knows of every entry which comments
 * are its own. Comments are numbered in the order of the text ("# c7;"), so what belongs to
 * an entry is a range of numbers.
 */

typedef struct _YamlEntry YamlEntry;

struct _YamlEntry
{
  char *path;          /* owned */
  YamlEntry *parent;   /* (nullable) borrowed */
  GPtrArray *children; /* owned: YamlEntry, borrowed */
  gboolean sequence;   /* it is a collection, of this kind */
  gboolean mapping;
  guint first;     /* its comments: from the block above it ... */
  guint value;     /* ... from its value on, if that is a collection or a block ... */
  guint end;       /* ... to the one behind it */
  gboolean above;  /* comments stand above it */
  gboolean shared; /* begins on the line of something else */
  guint specials;  /* anchors, aliases and expressions in it */
};

typedef struct
{
  char *text;         /* owned */
  GPtrArray *entries; /* owned: YamlEntry; the first is the root */
  guint comments;
  gboolean touchy; /* something depends on what follows: a "|+" scalar, an empty item */
} YamlPage;

YamlPage *yaml_page_new (GRand *rand);
void yaml_page_free (YamlPage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (YamlPage, yaml_page_free)

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-log-tail.h"

/* A folder with a log in it, a tail that follows it, and what the tail has returned. */

typedef struct
{
  char *folder;
  char *path;
  char *older; /* path with ".1" */
  KbLogTail *tail;
  GString *seen; /* serials of the records, "!" for damage, "?" for a gap, a blank behind each */
} LogFixture;

typedef struct
{
  const char *path;
  void (*run) (LogFixture *, gconstpointer);
} LogCase;

void log_fixture_add_cases (const char *prefix, const LogCase *cases, guint n_cases);
void log_fixture_set_up (LogFixture *fixture, gconstpointer data);
void log_fixture_tear_down (LogFixture *fixture, gconstpointer data);
void log_fixture_append (LogFixture *fixture, const char *content);
void log_fixture_read (LogFixture *fixture);
void log_fixture_assert (LogFixture *fixture, const char *seen);
char *log_record (gint64 serial);
void log_append (const char *path, const char *bytes, gsize length);
void log_describe (GPtrArray *events, GString *seen);
void log_remove_tree (const char *folder);

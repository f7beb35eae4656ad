// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/app-fixture.h"
#include "app/kb-window-private.h"
#include "ui/kb-showcase.h"

/* A real window on a throwaway home, which leaves nothing behind when it is closed. */
typedef struct
{
  KbShowcase *showcase;
  KbClock *clock;
  KbSession *session;
  KbWindow *window;
} WindowFixture;

/* @kind: a KbShowcaseKind, as a pointer */
void window_set_up (WindowFixture *fixture, gconstpointer kind);
void window_tear_down (WindowFixture *fixture, gconstpointer data);

/* The two halves of window_set_up(), for who changes the home before it is shown. */
void window_make_home (WindowFixture *fixture, KbShowcaseKind kind);
void window_open (WindowFixture *fixture);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/window-fixture.h"

#include "app/alive.h"

void
window_make_home (WindowFixture *fixture, KbShowcaseKind kind)
{
  fixture->clock = kb_clock_new_system ();
  fixture->showcase = kb_showcase_new (kind, kb_clock_get_now_ms (fixture->clock));
}

void
window_open (WindowFixture *fixture)
{
  fixture->session = kb_showcase_create_session (fixture->showcase);
  fixture->window = KB_WINDOW (kb_window_new (NULL, fixture->clock));
  kb_window_set_session (fixture->window, fixture->session);
  gtk_window_present (GTK_WINDOW (fixture->window));
  wait_mapped (GTK_WIDGET (fixture->window), TRUE);
  wait_frames (GTK_WIDGET (fixture->window));
  /* GTK's test backend cannot announce: it calls a function that is not there. */
  g_clear_object (&fixture->window->announcer);
}

void
window_set_up (WindowFixture *fixture, gconstpointer kind)
{
  window_make_home (fixture, (KbShowcaseKind) GPOINTER_TO_INT (kind));
  window_open (fixture);
}

void
window_tear_down (WindowFixture *fixture, gconstpointer data)
{
  g_autoptr (Alive) alive = alive_new ();

  wait_frames (GTK_WIDGET (fixture->window));
  alive_follow_window (alive, fixture->window);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  alive_wait_gone (alive);
  await_finalize (fixture->session);
  await_finalize (fixture->clock);
  kb_showcase_free (fixture->showcase);
}

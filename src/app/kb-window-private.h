// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-window.h"

#include "app/kb-announcer.h"
#include "app/kb-channels-page.h"
#include "app/kb-chooser-page.h"
#include "app/kb-edit-flow.h"
#include "app/kb-history-page.h"
#include "app/kb-welcome-page.h"

struct _KbWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  GtkMenuButton *menu_button;
  GtkMenuButton *profile_button;
  GtkLabel *profile_label;
  GtkStack *title_stack;
  AdwWindowTitle *window_title;
  AdwBanner *banner;
  GtkStack *stack;
  KbWelcomePage *welcome;
  KbChooserPage *chooser;
  AdwViewStack *pages;
  KbChannelsPage *channels;
  AdwBin *history_bin;
  AdwViewSwitcherBar *switcher_bar;

  KbHistoryPage *history;    /* not owned, nullable until it is first shown */
  GSettings *settings;       /* owned */
  GCancellable *cancellable; /* owned: of dialogs that are open */
  KbClock *clock;            /* owned */
  KbTicker *ticker;          /* owned */
  KbSession *session;        /* owned, nullable */
  gulong session_handler;
  KbDemo *demo;       /* owned, nullable */
  KbMonitor *monitor; /* owned, nullable */
  gulong monitor_handler;
  KbAnnouncer *announcer; /* owned, nullable */
  KbEditFlow *flow;       /* owned, nullable */
  gboolean narrow;
};

void _kb_window_add_actions (KbWindow *self);
void _kb_window_update_actions (KbWindow *self);
void _kb_window_update_menu (KbWindow *self);
void _kb_window_toast (KbWindow *self, const char *message);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "app/kb-window.h"

#include "app/kb-announcer.h"
#include "app/kb-channels-page.h"
#include "app/kb-chooser-page.h"
#include "app/kb-edit-flow.h"
#include "app/kb-form-model.h"
#include "app/kb-history-page.h"
#include "app/kb-welcome-page.h"

struct _KbWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  GtkMenuButton *menu_button;
  GtkMenuButton *profile_button;
  GtkLabel *profile_label;
  AdwNavigationView *navigation;
  GtkStack *title_stack;
  AdwWindowTitle *window_title;
  AdwBanner *banner;
  GtkStack *stack;
  KbWelcomePage *welcome;
  KbChooserPage *chooser;
  AdwViewStack *pages;
  KbChannelsPage *channels;
  AdwBin *pools;      /* empty until it is looked at */
  AdwBin *throttling; /* the same */
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
  KbFormModel *forms;     /* owned, nullable: nobody has looked at a form yet */
  gboolean narrow;
};

void _kb_window_add_actions (KbWindow *self);
void _kb_window_update_actions (KbWindow *self);
void _kb_window_update_profile (KbWindow *self);
char *_kb_window_get_state_dir (KbWindow *self);
void _kb_window_toast (KbWindow *self, const char *message);
void _kb_window_add_form_actions (KbWindow *self);
void _kb_window_fill_page (KbWindow *self);
void _kb_window_drop_forms (KbWindow *self);
KbFormModel *_kb_window_get_forms (KbWindow *self); /* (nullable) */

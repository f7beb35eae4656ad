// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-app.h"
#include "app/kb-application.h"

int
main (int argc, char *argv[])
{
  g_autoptr (KbApplication) application = NULL;

  kb_app_init ();
  application = kb_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

/* What every program made of this library calls first; needs no display. */
void kb_app_init (void);

/* Makes the icons and the style known without an application, for tests. */
void kb_app_init_display (void);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "app/kb-form-model.h"

/* What is set once and seldom looked at: the providers of the home, and the gateway. */

AdwDialog *kb_preferences_new (KbFormModel *model);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-route.h"

/* `GET /v1/models`, as either family of clients reads it. */
GBytes *kb_model_list_make (KbRouteTable *table, gboolean for_messages);

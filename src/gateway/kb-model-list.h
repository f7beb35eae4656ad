// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine-snapshot.h"

/* `GET /v1/models`, as either family of clients reads it. */
GBytes *kb_model_list_make (KbEngineSnapshot *snapshot, gboolean for_messages);

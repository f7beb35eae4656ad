// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-sticky.h"

/*
 * The text of bindings.json <-> which member of a pool each session is bound to, where
 * `stickyPersist` asks for it. Sessions are digests; @offset_ms is wall time minus boot time.
 */

GBytes *kb_bindings_encode (KbSticky *sticky, gint64 offset_ms);
gboolean kb_bindings_decode (GBytes *bytes, gint64 offset_ms, gint64 now_ms, KbSticky *sticky);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-engine.h"
#include "gateway/kb-request-body.h"

/* What groups, pools and throttling go by in a request: who asks, and what is needed. */

char *kb_request_facts_make_session (const KbRequestBody *body, const char *header);
void kb_request_facts_read (const KbRequestBody *body, KbRequestFacts *facts);

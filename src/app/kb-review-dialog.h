// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <adwaita.h>

#include "client/kb-proposal.h"

/*
 * What a save would change, before it is made. Signal "response" (gboolean): whether to save;
 * once, also when the dialog is closed some other way.
 */

#define KB_TYPE_REVIEW_DIALOG (kb_review_dialog_get_type ())
G_DECLARE_FINAL_TYPE (KbReviewDialog, kb_review_dialog, KB, REVIEW_DIALOG, AdwDialog)

AdwDialog *kb_review_dialog_new (KbProposal *proposal);

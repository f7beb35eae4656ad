// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-changes.h"

/*
 * Changes that were made in memory and looked at: what the file would become, what a running
 * host does then, and what stands in the way. kb_editor_save_async() writes it.
 */

#define KB_TYPE_PROPOSAL (kb_proposal_get_type ())
G_DECLARE_FINAL_TYPE (KbProposal, kb_proposal, KB, PROPOSAL, GObject)

KbProposal *kb_proposal_new (KbEdit *edit, const char *description);
const char *kb_proposal_get_description (KbProposal *self);
const char *kb_proposal_get_path (KbProposal *self);               /* (nullable) the file */
const char *kb_proposal_get_label (KbProposal *self);              /* its name from the home on */
const char *kb_proposal_get_diff (KbProposal *self);               /* unified */
const GPtrArray *kb_proposal_get_notes (KbProposal *self);         /* sentences */
const GPtrArray *kb_proposal_get_warnings (KbProposal *self);      /* KbProblem */
const KbEditConflict *kb_proposal_get_conflict (KbProposal *self); /* (nullable) */
gboolean kb_proposal_is_empty (KbProposal *self);
gboolean kb_proposal_get_needs_review (KbProposal *self);
void kb_proposal_set_needs_review (KbProposal *self, gboolean needs_review);
KbEdit *kb_proposal_get_edit (KbProposal *self);
void kb_proposal_update (KbProposal *self);

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-proposal.h"

struct _KbProposal
{
  GObject parent_instance;

  KbEdit *edit;      /* owned */
  char *description; /* owned */
  char *label;       /* owned */
  char *diff;        /* owned */
  gboolean needs_review;
};

G_DEFINE_FINAL_TYPE (KbProposal, kb_proposal, G_TYPE_OBJECT)

static void
kb_proposal_finalize (GObject *object)
{
  KbProposal *self = KB_PROPOSAL (object);

  g_clear_pointer (&self->edit, kb_edit_free);
  g_free (self->description);
  g_free (self->label);
  g_free (self->diff);

  G_OBJECT_CLASS (kb_proposal_parent_class)->finalize (object);
}

static void
kb_proposal_class_init (KbProposalClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = kb_proposal_finalize;
}

static void
kb_proposal_init (KbProposal *self)
{
}

/**
 * kb_proposal_new:
 * @edit: (transfer full): an edit, its changes made
 * @description: what they are together
 *
 * Returns: (transfer full): what a person is asked about
 */
KbProposal *
kb_proposal_new (KbEdit *edit, const char *description)
{
  KbProposal *self;

  g_return_val_if_fail (edit != NULL && description != NULL, NULL);

  self = g_object_new (KB_TYPE_PROPOSAL, NULL);
  self->edit = edit;
  self->description = g_strdup (description);
  kb_proposal_update (self);
  return self;
}

/**
 * kb_proposal_update:
 * @self: a proposal
 *
 * Takes over what the edit has become: a save may have merged another writer's change.
 */
void
kb_proposal_update (KbProposal *self)
{
  g_return_if_fail (KB_IS_PROPOSAL (self));

  g_free (self->label);
  g_free (self->diff);
  self->label = kb_edit_get_label (self->edit);
  self->diff = kb_edit_get_diff (self->edit);
}

/**
 * kb_proposal_get_description:
 * @self: a proposal
 *
 * Returns: (transfer none): what it does, in the past tense, without full stop
 */
const char *
kb_proposal_get_description (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return self->description;
}

/**
 * kb_proposal_get_path:
 * @self: a proposal
 *
 * Returns: (transfer none) (nullable): the file it changes, absolute
 */
const char *
kb_proposal_get_path (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return kb_edit_get_path (self->edit);
}

/**
 * kb_proposal_get_label:
 * @self: a proposal
 *
 * Returns: (transfer none): the file it changes, from the home on
 */
const char *
kb_proposal_get_label (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return self->label;
}

/**
 * kb_proposal_get_diff:
 * @self: a proposal
 *
 * Returns: (transfer none): what it changes, as a unified diff
 */
const char *
kb_proposal_get_diff (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return self->diff;
}

/**
 * kb_proposal_get_notes:
 * @self: a proposal
 *
 * Returns: (transfer none) (element-type utf8): what a person should know before the save:
 *   which layer wins, what a running host does
 */
const GPtrArray *
kb_proposal_get_notes (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return kb_edit_get_notes (self->edit);
}

/**
 * kb_proposal_get_warnings:
 * @self: a proposal
 *
 * Returns: (transfer none) (element-type KbProblem): what it brings that the host takes, but
 *   that is hardly meant
 */
const GPtrArray *
kb_proposal_get_warnings (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return kb_edit_get_warnings (self->edit);
}

/**
 * kb_proposal_get_conflict:
 * @self: a proposal
 *
 * Returns: (transfer none) (nullable): the value that somebody else changed meanwhile; as
 *   long as there is one, nothing can be saved
 */
const KbEditConflict *
kb_proposal_get_conflict (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return kb_edit_get_conflict (self->edit);
}

/**
 * kb_proposal_is_empty:
 * @self: a proposal
 *
 * Returns: whether every byte stays as it is
 */
gboolean
kb_proposal_is_empty (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), TRUE);
  return kb_edit_is_empty (self->edit);
}

/**
 * kb_proposal_get_needs_review:
 * @self: a proposal
 *
 * Returns: whether it is the first save of its file in this run: a person is to see it before
 */
gboolean
kb_proposal_get_needs_review (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), FALSE);
  return self->needs_review;
}

/**
 * kb_proposal_set_needs_review:
 * @self: a proposal
 * @needs_review: whether a person is to see it first
 *
 * For the editor, which knows what was saved before.
 */
void
kb_proposal_set_needs_review (KbProposal *self, gboolean needs_review)
{
  g_return_if_fail (KB_IS_PROPOSAL (self));
  self->needs_review = needs_review;
}

/**
 * kb_proposal_get_edit:
 * @self: a proposal
 *
 * Returns: (transfer none): the edit, for the thread that works on it
 */
KbEdit *
kb_proposal_get_edit (KbProposal *self)
{
  g_return_val_if_fail (KB_IS_PROPOSAL (self), NULL);
  return self->edit;
}

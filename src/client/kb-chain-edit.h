// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "core/kb-channel-ref.h"
#include "store/kb-edit.h"

/*
 * The ordered lists of a profile within an edit: daruma's chain, the fallbacks of
 * llm-fallback, the targets of a group, the members of a pool. An entry that is no channel
 * (an expression, a mapping that lacks a name) keeps its place in the count.
 */

typedef struct _KbChainEdit KbChainEdit;

#define KB_CHAIN_ERROR (kb_chain_error_quark ())
GQuark kb_chain_error_quark (void);

typedef enum
{
  KB_CHAIN_ERROR_OWNER,   /* no list of that name, or two */
  KB_CHAIN_ERROR_MISSING, /* not in the list */
  KB_CHAIN_ERROR_TWICE,   /* in the list already */
} KbChainError;

KbChainEdit *kb_chain_edit_new (KbEdit *edit, const char *owner, GError **error);
void kb_chain_edit_free (KbChainEdit *self);
const char *kb_chain_edit_get_owner (const KbChainEdit *self);
gboolean kb_chain_edit_takes_members (const KbChainEdit *self);
const GPtrArray *kb_chain_edit_get_items (const KbChainEdit *self); /* KbChannelRef */
gboolean kb_chain_edit_find (const KbChainEdit *self, const char *id, guint *index, GError **error);
gboolean
kb_chain_edit_add (KbChainEdit *self, const KbChannelRef *channel, guint position, GError **error);
gboolean kb_chain_edit_remove (KbChainEdit *self, guint index, GError **error);
gboolean kb_chain_edit_move (KbChainEdit *self, guint index, guint position, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbChainEdit, kb_chain_edit_free)

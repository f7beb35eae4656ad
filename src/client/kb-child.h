// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include <gio/gio.h>

/*
 * A program of ours as a child: found, started, and gone with its parent however that ends. It
 * tells where it serves on its first line.
 */

typedef struct _KbChild KbChild;

KbChild *kb_child_new (const char *program,
                       const char *const *arguments,
                       const char *log_file,
                       GError **error);
void kb_child_free (KbChild *self);
char *kb_child_read_line (KbChild *self, gint64 patience_ms, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbChild, kb_child_free)

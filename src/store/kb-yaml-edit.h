// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "store/kb-splices.h"
#include "store/kb-yaml-change.h"

/*
 * Turns a change of meaning into the smallest replacement of bytes. Every plan is proven:
 * the text it leads to is parsed and must mean what the change asks for, and nothing else.
 */

typedef enum
{
  KB_YAML_EDIT_DEFAULT = 0,
  KB_YAML_EDIT_REPLACE_EXPRESSIONS = 1 << 0, /* a person agreed to lose a !!js expression */
} KbYamlEditFlags;

KbSplices *kb_yaml_edit_plan (KbYamlDocument *document,
                              const KbYamlChange *change,
                              KbYamlEditFlags flags,
                              GError **error);
KbYamlDocument *kb_yaml_edit_run (KbYamlDocument *document,
                                  const KbYamlChange *change,
                                  KbYamlEditFlags flags,
                                  GError **error);
GBytes *kb_yaml_edit_apply (GBytes *bytes,
                            const KbYamlChange *change,
                            KbYamlEditFlags flags,
                            GError **error);

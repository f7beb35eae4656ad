// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-policy.h"

/**
 * kb_policy_copy:
 * @self: a policy
 *
 * Returns: (transfer full): a copy that owns its codes
 */
KbPolicy *
kb_policy_copy (const KbPolicy *self)
{
  KbPolicy *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  copy->switch_codes = (const char *const *) g_strdupv ((char **) self->switch_codes);
  return copy;
}

/**
 * kb_policy_free:
 * @self: (transfer full) (nullable): a policy made by kb_policy_copy()
 *
 * Frees it.
 */
void
kb_policy_free (KbPolicy *self)
{
  if (self == NULL)
    return;
  g_strfreev ((char **) self->switch_codes);
  g_free (self);
}

/**
 * kb_policy_get_quarantine:
 * @self: the policy of a group
 * @errors: rate limits in a row, this one too: >= 1
 *
 * Returns: how long the quarantine is, in milliseconds, where the server asks for nothing
 */
gint64
kb_policy_get_quarantine (const KbPolicy *self, gint64 errors)
{
  double delay;

  g_return_val_if_fail (self != NULL, 0);

  delay = self->quarantine_base_ms;
  for (gint64 i = 1; i < errors && delay < self->quarantine_most_ms; i++)
    delay *= 2;
  return (gint64) MIN (delay, self->quarantine_most_ms);
}

/**
 * kb_policy_kind_to_string:
 * @kind: a kind of policy
 *
 * Returns: (transfer none): its stable name, for status and logs
 */
const char *
kb_policy_kind_to_string (KbPolicyKind kind)
{
  switch (kind)
    {
    case KB_POLICY_CHAIN:
      return "daruma";
    case KB_POLICY_FALLBACK:
      return "llm-fallback";
    case KB_POLICY_GROUP:
      return "route-resilience";
    case KB_POLICY_POOL:
      return "llm-pool";
    case KB_POLICY_DIRECT:
    default:
      return "direct";
    }
}

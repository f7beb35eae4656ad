// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "dialect/kb-ask-write.h"

#include <math.h>

#include "dialect/kb-json-form.h"
#include "store/kb-json.h"

/**
 * kb_ask_write_node:
 * @out: where to
 * @name: what goes before it, as a form
 * @node: (nullable): a value
 *
 * Writes @node, where there is one.
 */
void
kb_ask_write_node (GString *out, const char *name, JsonNode *node)
{
  if (node == NULL)
    return;
  kb_json_form (out, name);
  kb_json_append_compact (out, node);
}

/**
 * kb_ask_write_number:
 * @out: where to
 * @name: what goes before it, as a form
 * @number: a number; NAN = nothing is written
 *
 * Writes @number.
 */
void
kb_ask_write_number (GString *out, const char *name, double number)
{
  g_autoptr (JsonNode) node = NULL;

  if (isnan (number))
    return;
  node = json_node_init_double (json_node_alloc (), number);
  kb_ask_write_node (out, name, node);
}

/**
 * kb_ask_write_texts:
 * @out: where to
 * @name: what goes before it, as a form
 * @texts: (element-type utf8): texts; none = nothing is written
 *
 * Writes @texts as a list.
 */
void
kb_ask_write_texts (GString *out, const char *name, GPtrArray *texts)
{
  for (guint i = 0; i < texts->len; i++)
    {
      kb_json_form (out, i == 0 ? name : "");
      kb_json_form (out, i == 0 ? "[%q" : ",%q", (const char *) texts->pdata[i]);
    }
  if (texts->len > 0)
    g_string_append_c (out, ']');
}

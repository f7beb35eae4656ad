// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-report-private.h"

/* Plain members of a report, by their tables. */

/**
 * kb_report_put_texts:
 * @dict: a dictionary
 * @from: where the values are
 * @members: (array length=n): their names and places
 * @n: how many
 *
 * Writes the members that are texts; what is %NULL is left out.
 */
void
kb_report_put_texts (GVariantDict *dict, gconstpointer from, const KbReportMember *members, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const char *text = G_STRUCT_MEMBER (const char *, from, members[i].offset);

      if (text != NULL)
        g_variant_dict_insert (dict, members[i].name, "s", text);
    }
}

/**
 * kb_report_put_numbers:
 * @dict: a dictionary
 * @from: where the values are
 * @members: (array length=n): their names and places
 * @n: how many
 *
 * Writes the members that are numbers.
 */
void
kb_report_put_numbers (GVariantDict *dict,
                       gconstpointer from,
                       const KbReportMember *members,
                       gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_variant_dict_insert (dict, members[i].name, "x",
                           G_STRUCT_MEMBER (gint64, from, members[i].offset));
}

/**
 * kb_report_put_flags:
 * @dict: a dictionary
 * @from: where the values are
 * @members: (array length=n): their names and places
 * @n: how many
 *
 * Writes the members that are flags.
 */
void
kb_report_put_flags (GVariantDict *dict, gconstpointer from, const KbReportMember *members, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_variant_dict_insert (dict, members[i].name, "b",
                           G_STRUCT_MEMBER (gboolean, from, members[i].offset));
}

/**
 * kb_report_take_texts:
 * @dict: a dictionary
 * @to: where the values go; texts there are freed
 * @members: (array length=n): their names and places
 * @n: how many
 *
 * Reads the members that are texts, where there are any.
 */
void
kb_report_take_texts (GVariantDict *dict, gpointer to, const KbReportMember *members, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      char **text = &G_STRUCT_MEMBER (char *, to, members[i].offset);
      char *found = NULL;

      if (!g_variant_dict_lookup (dict, members[i].name, "s", &found))
        continue;
      g_free (*text);
      *text = found;
    }
}

/**
 * kb_report_take_numbers:
 * @dict: a dictionary
 * @to: where the values go; texts there are freed
 * @members: (array length=n): their names and places
 * @n: how many
 *
 * Reads the members that are numbers, where there are any.
 */
void
kb_report_take_numbers (GVariantDict *dict, gpointer to, const KbReportMember *members, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_variant_dict_lookup (dict, members[i].name, "x",
                           &G_STRUCT_MEMBER (gint64, to, members[i].offset));
}

/**
 * kb_report_take_flags:
 * @dict: a dictionary
 * @to: where the values go; texts there are freed
 * @members: (array length=n): their names and places
 * @n: how many
 *
 * Reads the members that are flags, where there are any.
 */
void
kb_report_take_flags (GVariantDict *dict, gpointer to, const KbReportMember *members, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_variant_dict_lookup (dict, members[i].name, "b",
                           &G_STRUCT_MEMBER (gboolean, to, members[i].offset));
}

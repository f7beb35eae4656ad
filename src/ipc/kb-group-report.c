// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "ipc/kb-gateway-report-private.h"

/* The groups and pools of a report. */

#define GROUP(name, field) { name, G_STRUCT_OFFSET (KbGroupReport, field) }
#define MEMBER(name, field) { name, G_STRUCT_OFFSET (KbMemberReport, field) }

static const KbReportMember group_texts[] = {
  GROUP ("id", id),       GROUP ("system", system),     GROUP ("pool", pool),
  GROUP ("title", title), GROUP ("strategy", strategy), GROUP ("next", next),
};

static const KbReportMember group_numbers[] = {
  GROUP ("contextWindow", context_window),
  GROUP ("maxOutput", max_output),
  GROUP ("quarantineBaseMs", quarantine_base_ms),
  GROUP ("quarantineCapMs", quarantine_most_ms),
};

static const KbReportMember group_flags[] = {
  GROUP ("isActive", is_active),
  GROUP ("takesImages", takes_images),
};

static const KbReportMember member_texts[] = { MEMBER ("channel", channel) };
static const KbReportMember member_numbers[] = { MEMBER ("bound", bound) };

static void
member_free (gpointer data)
{
  KbMemberReport *member = data;

  g_free (member->channel);
  g_free (member);
}

/**
 * kb_group_report_free:
 * @data: (transfer full): a KbGroupReport
 *
 * Frees it.
 */
void
kb_group_report_free (gpointer data)
{
  KbGroupReport *group = data;

  for (gsize i = 0; i < G_N_ELEMENTS (group_texts); i++)
    g_free (G_STRUCT_MEMBER (char *, group, group_texts[i].offset));
  g_strfreev (group->efforts);
  g_ptr_array_unref (group->members);
  g_free (group);
}

/**
 * kb_gateway_report_add_group:
 * @self: a report
 * @id: the id of a group
 *
 * Returns: (transfer none): a new group at the end of the report, without members
 */
KbGroupReport *
kb_gateway_report_add_group (KbGatewayReport *self, const char *id)
{
  KbGroupReport *group;

  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  group = g_new0 (KbGroupReport, 1);
  group->id = g_strdup (id);
  group->efforts = g_new0 (char *, 1);
  group->members = g_ptr_array_new_with_free_func (member_free);
  g_ptr_array_add (self->groups, group);
  return group;
}

/**
 * kb_gateway_report_find_group:
 * @self: a report
 * @id: the id of a group
 *
 * Returns: (transfer none) (nullable): that group
 */
const KbGroupReport *
kb_gateway_report_find_group (const KbGatewayReport *self, const char *id)
{
  g_return_val_if_fail (self != NULL && id != NULL, NULL);

  for (guint i = 0; i < self->groups->len; i++)
    {
      const KbGroupReport *group = self->groups->pdata[i];

      if (g_str_equal (group->id, id))
        return group;
    }
  return NULL;
}

/**
 * kb_group_report_add_member:
 * @self: a group
 * @channel: the id of a channel
 * @bound: how many sessions are bound to it
 *
 * Adds a member at the end.
 */
void
kb_group_report_add_member (KbGroupReport *self, const char *channel, gint64 bound)
{
  KbMemberReport *member;

  g_return_if_fail (self != NULL && channel != NULL);

  member = g_new0 (KbMemberReport, 1);
  member->channel = g_strdup (channel);
  member->bound = bound;
  g_ptr_array_add (self->members, member);
}

static GVariant *
member_to_variant (const KbMemberReport *member)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  kb_report_put_texts (&dict, member, member_texts, G_N_ELEMENTS (member_texts));
  kb_report_put_numbers (&dict, member, member_numbers, G_N_ELEMENTS (member_numbers));
  return g_variant_dict_end (&dict);
}

static GVariant *
group_to_variant (const KbGroupReport *group)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  GVariantBuilder members = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  kb_report_put_texts (&dict, group, group_texts, G_N_ELEMENTS (group_texts));
  kb_report_put_numbers (&dict, group, group_numbers, G_N_ELEMENTS (group_numbers));
  kb_report_put_flags (&dict, group, group_flags, G_N_ELEMENTS (group_flags));
  g_variant_dict_insert (&dict, "efforts", "^as", group->efforts);
  for (guint i = 0; i < group->members->len; i++)
    g_variant_builder_add_value (&members, member_to_variant (group->members->pdata[i]));
  g_variant_dict_insert_value (&dict, "members", g_variant_builder_end (&members));
  return g_variant_dict_end (&dict);
}

/**
 * kb_group_reports_to_variant:
 * @groups: (element-type KbGroupReport): groups
 *
 * Returns: (transfer floating): an `aa{sv}`
 */
GVariant *
kb_group_reports_to_variant (const GPtrArray *groups)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  for (guint i = 0; i < groups->len; i++)
    g_variant_builder_add_value (&builder, group_to_variant (groups->pdata[i]));
  return g_variant_builder_end (&builder);
}

static void
take_member (KbGroupReport *group, GVariant *variant)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (variant);
  g_autofree char *channel = NULL;
  gint64 bound = 0;

  if (!g_variant_dict_lookup (&dict, "channel", "s", &channel))
    return;
  g_variant_dict_lookup (&dict, "bound", "x", &bound);
  kb_group_report_add_member (group, channel, bound);
}

static void
take_group (KbGatewayReport *report, GVariant *variant)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (variant);
  g_autoptr (GVariant) members = NULL;
  g_autofree char *id = NULL;
  char **efforts = NULL;
  KbGroupReport *group;

  if (!g_variant_dict_lookup (&dict, "id", "s", &id))
    return;
  group = kb_gateway_report_add_group (report, id);
  kb_report_take_texts (&dict, group, group_texts, G_N_ELEMENTS (group_texts));
  kb_report_take_numbers (&dict, group, group_numbers, G_N_ELEMENTS (group_numbers));
  kb_report_take_flags (&dict, group, group_flags, G_N_ELEMENTS (group_flags));
  if (g_variant_dict_lookup (&dict, "efforts", "^as", &efforts))
    {
      g_strfreev (group->efforts);
      group->efforts = efforts;
    }
  members = g_variant_dict_lookup_value (&dict, "members", G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; members != NULL && i < g_variant_n_children (members); i++)
    {
      g_autoptr (GVariant) member = g_variant_get_child_value (members, i);

      take_member (group, member);
    }
}

/**
 * kb_group_reports_take:
 * @report: gets the groups
 * @variant: an `aa{sv}`, perhaps of a gateway of another version
 *
 * Reads what is known of each; one without an id is none.
 */
void
kb_group_reports_take (KbGatewayReport *report, GVariant *variant)
{
  for (gsize i = 0; i < g_variant_n_children (variant); i++)
    {
      g_autoptr (GVariant) group = g_variant_get_child_value (variant, i);

      take_group (report, group);
    }
}

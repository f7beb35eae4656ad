// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What levels of effort are called: by a provider, or by the members of a pool. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/kb-ask.h"
#include "app/kb-list-group-private.h"

/* In the place of a member: all of them. */
#define ALL ""

static gboolean
is_member_of (KbListGroup *self, const char *last)
{
  g_autofree char *parent = kb_form_path_get_parent (self->path);
  g_autofree char *key = kb_form_path_get_last (parent);

  return g_str_equal (key, last);
}

/* The page of one level: what each member calls it. */
gboolean
_kb_list_group_is_of_one_level (KbListGroup *self)
{
  return g_str_has_prefix (self->path, "llm-pool.") && is_member_of (self, "effortMap");
}

gboolean
_kb_list_group_is_of_efforts (KbListGroup *self)
{
  return self->field->kind == KB_FIELD_PAIRS
         && (_kb_list_group_is (self, "", "reasoningEfforts")
             || _kb_list_group_is (self, "", "effortMap") || _kb_list_group_is_of_one_level (self));
}

static gboolean
has_item (KbListGroup *self, const char *name)
{
  for (guint i = 0; i < self->field->items->len; i++)
    if (g_str_equal (_kb_list_group_get_item (self, i)->name, name))
      return TRUE;
  return FALSE;
}

/* What is not in the list yet. */
static GStrv
list_left (KbListGroup *self, GStrv names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (; names != NULL && *names != NULL; names++)
    if (!has_item (self, *names))
      g_strv_builder_add (builder, *names);
  return g_strv_builder_end (builder);
}

static void
level_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  KbListGroup *self = KB_LIST_GROUP (parent);
  const char *level = kb_ask_answer_get (answer, "level");
  const char *text = kb_ask_answer_get (answer, "value");
  gboolean is_pool = _kb_list_group_is (self, "", "effortMap");
  const char *member = is_pool ? kb_ask_answer_get (answer, "member") : ALL;
  g_autofree char *value = NULL;

  /* For “off” nothing may be sent at all. */
  if (*text == '\0' && !is_pool && g_str_equal (level, "off"))
    value = g_strdup ("null");
  else
    value = kb_form_quote (text);
  if (*member != '\0')
    {
      g_autofree char *name = kb_form_quote (member);
      g_autofree char *map = g_strdup_printf ("{ %s: %s }", name, value);

      _kb_list_group_add_entry (self, level, map);
      return;
    }
  _kb_list_group_add_entry (self, level, value);
}

static void
member_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  g_autofree char *value = kb_form_quote (kb_ask_answer_get (answer, "value"));

  _kb_list_group_add_entry (KB_LIST_GROUP (parent), kb_ask_answer_get (answer, "member"), value);
}

static GStrv
label_levels (KbListGroup *self, GStrv levels)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (; *levels != NULL; levels++)
    g_strv_builder_add (builder, kb_field_get_word_label (self->field, *levels));
  return g_strv_builder_end (builder);
}

static void
add_member_choice (KbListGroup *self, KbForm *form, KbAsk *ask)
{
  g_auto (GStrv) members = kb_form_list_members (form, self->path);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();
  g_auto (GStrv) all_words = NULL;
  g_auto (GStrv) all_labels = NULL;

  g_strv_builder_add (words, ALL);
  g_strv_builder_add (labels, _ ("All members"));
  g_strv_builder_addv (words, (const char **) members);
  g_strv_builder_addv (labels, (const char **) members);
  all_words = g_strv_builder_end (words);
  all_labels = g_strv_builder_end (labels);
  kb_ask_add_choice (ask, "member", _ ("Member"), (const char *const *) all_words,
                     (const char *const *) all_labels);
}

static void
ask_for_level (KbListGroup *self, KbForm *form)
{
  g_auto (GStrv) levels = list_left (self, self->field->words);
  g_auto (GStrv) labels = label_levels (self, levels);
  gboolean is_pool = _kb_list_group_is (self, "", "effortMap");
  g_autoptr (KbAsk) ask = NULL;

  if (levels[0] == NULL)
    {
      kb_ask_tell (GTK_WIDGET (self), _ ("Nothing Left to Add"),
                   _ ("Every level of effort is in the list already."));
      return;
    }
  ask = kb_ask_new (_kb_list_group_get_add_label (self), _ ("_Add"));
  kb_ask_add_choice (ask, "level", _ ("Level"), (const char *const *) levels,
                     (const char *const *) labels);
  if (is_pool)
    add_member_choice (self, form, ask);
  kb_ask_add_text (ask, "value", _ ("Name Sent"), is_pool);
  kb_ask_present (ask, GTK_WIDGET (self), 0, level_answered_cb);
}

static void
ask_for_member (KbListGroup *self, KbForm *form)
{
  g_auto (GStrv) all = kb_form_list_members (form, self->path);
  g_auto (GStrv) members = list_left (self, all);
  g_autoptr (KbAsk) ask = NULL;

  if (members[0] == NULL)
    {
      kb_ask_tell (GTK_WIDGET (self), _ ("Nothing Left to Add"),
                   _ ("Every member of the pool is in the list already."));
      return;
    }
  ask = kb_ask_new (_ ("Add a Member"), _ ("_Add"));
  kb_ask_add_choice (ask, "member", _ ("Member"), (const char *const *) members,
                     (const char *const *) members);
  kb_ask_add_text (ask, "value", _ ("Name Sent"), TRUE);
  kb_ask_present (ask, GTK_WIDGET (self), 0, member_answered_cb);
}

void
_kb_list_group_add_effort (KbListGroup *self, KbForm *form)
{
  if (_kb_list_group_is_of_one_level (self))
    ask_for_member (self, form);
  else
    ask_for_level (self, form);
}

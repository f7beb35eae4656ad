// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "app/kb-history-filter.h"

#include "client/kb-format.h"

struct _KbHistoryFilter
{
  GtkFilter parent_instance;

  int kind;
  char *channel; /* owned, nullable */
  char *reason;  /* owned, nullable */
  char *needle;  /* owned, nullable: casefolded, never empty */
};

G_DEFINE_FINAL_TYPE (KbHistoryFilter, kb_history_filter, GTK_TYPE_FILTER)

static gboolean
kind_matches (int wanted, KbEventKind kind)
{
  if (wanted == KB_HISTORY_KIND_ANY)
    return TRUE;
  if (wanted == KB_EVENT_GAP)
    return kind == KB_EVENT_GAP || kind == KB_EVENT_DAMAGED;
  return wanted == (int) kind;
}

static gboolean
contains (const char *haystack, const char *needle)
{
  g_autofree char *folded = NULL;

  if (haystack == NULL)
    return FALSE;
  folded = g_utf8_casefold (haystack, -1);
  return strstr (folded, needle) != NULL;
}

/* What is on screen can be searched, and so can the words of the record behind it. */
static gboolean
text_matches (KbEvent *event, const char *needle)
{
  const KbEventFields *fields = kb_event_get_fields (event);
  g_autofree char *title = NULL;
  g_autofree char *detail = NULL;

  if (contains (fields->from, needle) || contains (fields->to, needle)
      || contains (fields->reason, needle) || contains (fields->agent, needle)
      || contains (fields->message, needle))
    return TRUE;
  title = kb_format_event_title (event);
  if (contains (title, needle))
    return TRUE;
  detail = kb_format_event_detail (event);
  return contains (detail, needle);
}

static gboolean
kb_history_filter_match (GtkFilter *filter, gpointer item)
{
  KbHistoryEntry *entry = KB_HISTORY_ENTRY (item);

  return kb_history_filter_matches (KB_HISTORY_FILTER (filter), kb_history_entry_get_event (entry));
}

static GtkFilterMatch
kb_history_filter_get_strictness (GtkFilter *filter)
{
  return kb_history_filter_is_open (KB_HISTORY_FILTER (filter)) ? GTK_FILTER_MATCH_ALL
                                                                : GTK_FILTER_MATCH_SOME;
}

static void
kb_history_filter_finalize (GObject *object)
{
  KbHistoryFilter *self = KB_HISTORY_FILTER (object);

  g_free (self->channel);
  g_free (self->reason);
  g_free (self->needle);

  G_OBJECT_CLASS (kb_history_filter_parent_class)->finalize (object);
}

static void
kb_history_filter_class_init (KbHistoryFilterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkFilterClass *filter_class = GTK_FILTER_CLASS (klass);

  object_class->finalize = kb_history_filter_finalize;
  filter_class->match = kb_history_filter_match;
  filter_class->get_strictness = kb_history_filter_get_strictness;
}

static void
kb_history_filter_init (KbHistoryFilter *self)
{
  self->kind = KB_HISTORY_KIND_ANY;
}

KbHistoryFilter *
kb_history_filter_new (void)
{
  return g_object_new (KB_TYPE_HISTORY_FILTER, NULL);
}

void
kb_history_filter_set_kind (KbHistoryFilter *self, int kind)
{
  g_return_if_fail (KB_IS_HISTORY_FILTER (self));

  if (self->kind == kind)
    return;
  self->kind = kind;
  gtk_filter_changed (GTK_FILTER (self), GTK_FILTER_CHANGE_DIFFERENT);
}

void
kb_history_filter_set_channel (KbHistoryFilter *self, const char *channel_id)
{
  g_return_if_fail (KB_IS_HISTORY_FILTER (self));

  if (g_set_str (&self->channel, channel_id))
    gtk_filter_changed (GTK_FILTER (self), GTK_FILTER_CHANGE_DIFFERENT);
}

void
kb_history_filter_set_reason (KbHistoryFilter *self, const char *reason)
{
  g_return_if_fail (KB_IS_HISTORY_FILTER (self));

  if (g_set_str (&self->reason, reason))
    gtk_filter_changed (GTK_FILTER (self), GTK_FILTER_CHANGE_DIFFERENT);
}

static GtkFilterChange
compare_needles (const char *before, const char *after)
{
  if (before == NULL || (after != NULL && strstr (after, before) != NULL))
    return GTK_FILTER_CHANGE_MORE_STRICT;
  if (after == NULL || strstr (before, after) != NULL)
    return GTK_FILTER_CHANGE_LESS_STRICT;
  return GTK_FILTER_CHANGE_DIFFERENT;
}

void
kb_history_filter_set_text (KbHistoryFilter *self, const char *text)
{
  g_autofree char *stripped = NULL;
  g_autofree char *needle = NULL;
  GtkFilterChange change;

  g_return_if_fail (KB_IS_HISTORY_FILTER (self));

  stripped = text != NULL ? g_strstrip (g_strdup (text)) : NULL;
  if (stripped != NULL && stripped[0] != '\0')
    needle = g_utf8_casefold (stripped, -1);
  if (g_strcmp0 (needle, self->needle) == 0)
    return;
  change = compare_needles (self->needle, needle);
  g_free (self->needle);
  self->needle = g_steal_pointer (&needle);
  gtk_filter_changed (GTK_FILTER (self), change);
}

gboolean
kb_history_filter_is_open (KbHistoryFilter *self)
{
  g_return_val_if_fail (KB_IS_HISTORY_FILTER (self), TRUE);

  return self->kind == KB_HISTORY_KIND_ANY && self->channel == NULL && self->reason == NULL
         && self->needle == NULL;
}

gboolean
kb_history_filter_matches (KbHistoryFilter *self, KbEvent *event)
{
  g_return_val_if_fail (KB_IS_HISTORY_FILTER (self), FALSE);
  g_return_val_if_fail (event != NULL, FALSE);

  return kind_matches (self->kind, kb_event_get_fields (event)->kind)
         && (self->channel == NULL || kb_event_concerns (event, self->channel))
         && (self->reason == NULL
             || g_strcmp0 (kb_event_get_fields (event)->reason, self->reason) == 0)
         && (self->needle == NULL || text_matches (event, self->needle));
}

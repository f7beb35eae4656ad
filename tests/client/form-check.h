// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "../store/home.h"
#include "client/kb-form.h"

/* What a form makes of a home, in words. */

#define PROFILE "profiles/web/cordis.patch.yml"
#define SETTINGS "settings.yaml"
#define KOBOSHI "profiles/web/koboshi.yaml"

#define BUNDLES                                                                                    \
  "{\"name\":\"p\",\"dsh\":{\"profile\":{\"bundles\":[\"@deepseek-ai/dsh-base\",\"dsh-daruma\","   \
  "\"dsh-llm-pool\",\"dsh-camel\",\"dsh-route-resilience\",\"@visol-456/dsh-llm-fallback\"]}}}"

static inline KbForm *
load (Home *home)
{
  g_autoptr (GError) error = NULL;
  KbForm *form = kb_form_load (home->dir, "web", &error);

  g_assert_no_error (error);
  return form;
}

static const char *const kinds[]
    = { "switch",   "option", "integer",   "duration", "bytes",   "ratio",
        "number",   "choice", "text",      "key",      "words",   "names",
        "channels", "pairs",  "durations", "items",    "entries", "form" };
static const char *const origins[]
    = { "default", "bundle", "profile", "home", "settings", "koboshi" };
static const char *const locks[] = { "", " expression", " foreign" };

/* "duration 45000 settings" */
static inline char *
describe (const KbField *field)
{
  return g_strdup_printf ("%s %s %s%s%s%s", kinds[field->kind],
                          field->value != NULL ? field->value : "-", origins[field->origin],
                          field->is_set ? " set" : "", locks[field->lock],
                          field->is_no ? " no" : "");
}

static inline char *
list_items (KbForm *form, const char *path)
{
  g_autoptr (KbField) field = kb_form_get_field (form, path);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < field->items->len; i++)
    {
      const KbFieldItem *item = field->items->pdata[i];

      g_string_append_printf (text, "%s%s/%s/%s", i > 0 ? "; " : "", item->name,
                              item->model != NULL ? item->model : "",
                              item->text != NULL ? item->text : "");
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

static inline void
assert_state (Home *home, const char *system, KbFormState state, const char *part)
{
  g_autoptr (KbForm) form = load (home);
  g_autofree char *reason = NULL;

  g_assert_cmpint (kb_form_get_state (form, system, &reason), ==, state);
  if (part == NULL)
    g_assert_null (reason);
  else
    g_assert_nonnull (strstr (reason, part));
}

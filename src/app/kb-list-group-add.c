// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What is asked before something is put into a list, and what it begins as. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/kb-ask.h"
#include "app/kb-list-group-private.h"
#include "app/kb-pick-dialog.h"

static void
save_added (KbListGroup *self, const char *title, const char *path, const char *value)
{
  g_autofree char *description = g_strdup_printf (_ ("Added %s"), title);
  g_autoptr (KbChanges) changes = kb_form_model_create_changes (self->model, description);
  KbForm *form = kb_form_model_get_form (self->model);
  g_autofree char *sentence = form != NULL ? kb_form_check (form, path, value) : NULL;
  g_autofree char *last = kb_form_path_get_last (path);

  if (sentence != NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s", sentence);
      return;
    }
  if (g_str_has_suffix (path, "]") && g_ascii_isdigit (*last) && !g_str_has_suffix (path, "\"]"))
    kb_form_insert (changes, path, value);
  else
    kb_changes_set_text (changes, path, value);
  self->focus_index = self->field != NULL ? (int) self->field->items->len : -1;
  kb_form_model_save (self->model, GTK_WIDGET (self), changes);
}

/* What is no list in a file of ours is written as a whole, with the new one at its end. */
static void
append (KbListGroup *self, const char *title, const char *value)
{
  g_autofree char *path = kb_form_path_add_index (self->path, self->field->items->len);
  g_autofree char *whole = _kb_list_group_append_to (self, value);

  if ((self->field->file != NULL && !self->field->single) || self->field->items->len == 0)
    save_added (self, title, path, value);
  else
    save_added (self, title, self->path, whole);
}

typedef struct
{
  KbListGroup *group; /* not owned: the dialog is over it */
  GPtrArray *providers;
  GPtrArray *models;
} Picking;

static void
picking_free (gpointer data, GClosure *closure)
{
  Picking *self = data;

  g_object_unref (self->group);
  g_ptr_array_unref (self->providers);
  g_ptr_array_unref (self->models);
  g_free (self);
}

static void
take_channel (KbListGroup *self, const char *provider, const char *model)
{
  g_autofree char *value = kb_form_make_channel (provider, model);

  append (self, model, value);
}

static void
take_text (KbListGroup *self, const char *text)
{
  g_autofree char *value = NULL;
  const char *colons = strstr (text, "::");

  if (self->field->kind != KB_FIELD_NAMES)
    {
      g_autofree char *provider = colons != NULL ? g_strndup (text, (gsize) (colons - text)) : NULL;

      if (colons != NULL && *provider != '\0' && colons[2] != '\0')
        take_channel (self, provider, colons + 2);
      else
        gtk_widget_activate_action (GTK_WIDGET (self), "win.toast", "s",
                                    _ ("Write a channel as provider::model"));
      return;
    }
  value = kb_form_quote (text);
  append (self, text, value);
}

void
_kb_list_group_add_entry (KbListGroup *self, const char *name, const char *value)
{
  g_autofree char *path = kb_form_path_add (self->path, name);

  save_added (self, name, path, value);
}

/* The models of a single provider, under their own names. */
static gboolean
is_of_provider (KbListGroup *self)
{
  return _kb_list_group_is (self, "llm-pi-ai", "modelOverrides");
}

static void
picked_cb (KbPickDialog *dialog, guint index, const char *text, gpointer user_data)
{
  Picking *picking = user_data;
  KbListGroup *self = picking->group;
  const char *provider;
  const char *model;
  g_autofree char *id = NULL;

  if (self->field == NULL)
    return;
  if (self->field->kind == KB_FIELD_ENTRIES && index == G_MAXUINT)
    {
      _kb_list_group_add_entry (self, text, "{}");
      return;
    }
  if (index == G_MAXUINT)
    {
      take_text (self, text);
      return;
    }
  provider = picking->providers->pdata[index];
  model = picking->models->pdata[index];
  id = is_of_provider (self) ? g_strdup (model)
                             : g_strconcat (provider, model != NULL ? "::" : NULL, model, NULL);
  if (self->field->kind == KB_FIELD_ENTRIES)
    _kb_list_group_add_entry (self, id, "{}");
  else if (self->field->kind == KB_FIELD_NAMES)
    take_text (self, id);
  else
    take_channel (self, provider, model);
}

static gboolean
is_taken (KbListGroup *self, const char *provider, const char *model)
{
  g_autofree char *id = is_of_provider (self)
                            ? g_strdup (model)
                            : g_strconcat (provider, model != NULL ? "::" : NULL, model, NULL);

  for (guint i = 0; i < self->field->items->len; i++)
    {
      const KbFieldItem *item = self->field->items->pdata[i];
      g_autofree char *other
          = item->model != NULL ? g_strconcat (item->name, "::", item->model, NULL)
            : self->field->kind == KB_FIELD_ITEMS
                ? g_strconcat (item->text != NULL ? item->text : "", "::", item->name, NULL)
                : g_strdup (item->name);

      if (g_str_equal (id, other))
        return TRUE;
    }
  return FALSE;
}

static void
add_known (KbListGroup *self,
           KbPickDialog *dialog,
           Picking *picking,
           const char *provider,
           const char *model)
{
  if (is_taken (self, provider, model))
    return;
  kb_pick_dialog_add (dialog, model != NULL ? model : provider, model != NULL ? provider : NULL);
  g_ptr_array_add (picking->providers, g_strdup (provider));
  g_ptr_array_add (picking->models, g_strdup (model));
}

static GStrv
list_providers (KbListGroup *self, KbForm *form)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *parent = NULL;

  if (!is_of_provider (self))
    return kb_form_list_providers (form);
  parent = kb_form_path_get_parent (self->path);
  g_strv_builder_take (builder, kb_form_path_get_last (parent));
  return g_strv_builder_end (builder);
}

static void
pick (KbListGroup *self, gboolean channels)
{
  KbForm *form = kb_form_model_get_form (self->model);
  g_auto (GStrv) providers = form != NULL ? list_providers (self, form) : NULL;
  gboolean names = !channels || is_of_provider (self);
  KbPickDialog *dialog = kb_pick_dialog_new (_kb_list_group_get_add_label (self),
                                             names ? _ ("Search, or write a name")
                                                   : _ ("Search, or write provider::model"));
  Picking *picking = g_new0 (Picking, 1);

  picking->group = g_object_ref (self);
  picking->providers = g_ptr_array_new_with_free_func (g_free);
  picking->models = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; providers != NULL && providers[i] != NULL; i++)
    {
      g_auto (GStrv) models = channels ? kb_form_list_models (form, providers[i]) : NULL;

      if (!channels)
        add_known (self, dialog, picking, providers[i], NULL);
      for (guint j = 0; models != NULL && models[j] != NULL; j++)
        add_known (self, dialog, picking, providers[i], models[j]);
    }
  g_signal_connect_data (dialog, "picked", G_CALLBACK (picked_cb), picking, picking_free, 0);
  adw_dialog_present (ADW_DIALOG (dialog), GTK_WIDGET (self));
}

/* Names of the home's models, once each, for what has to begin with one. */
static GStrv
list_channels (KbForm *form)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) providers = kb_form_list_providers (form);

  for (guint i = 0; providers[i] != NULL; i++)
    {
      g_auto (GStrv) models = kb_form_list_models (form, providers[i]);

      for (guint j = 0; models[j] != NULL; j++)
        g_strv_builder_take (builder, g_strconcat (providers[i], "::", models[j], NULL));
    }
  return g_strv_builder_end (builder);
}

static void
pool_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  const char *members[] = { kb_ask_answer_get (answer, "member"), NULL };
  g_autofree char *list = kb_form_make_list (members);
  g_autofree char *value = g_strdup_printf ("{ members: %s }", list);

  _kb_list_group_add_entry (KB_LIST_GROUP (parent), kb_ask_answer_get (answer, "name"), value);
}

static void
group_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  const char *name = kb_ask_answer_get (answer, "name");
  const char *channel = kb_ask_answer_get (answer, "target");
  const char *colons = strstr (channel, "::");
  g_autofree char *provider = g_strndup (channel, (gsize) (colons - channel));
  g_autofree char *id = kb_form_quote (name);
  g_autofree char *target = kb_form_make_channel (provider, colons + 2);
  g_autofree char *value = g_strdup_printf ("{ id: %s, targets: [%s] }", id, target);

  append (KB_LIST_GROUP (parent), name, value);
}

static void
model_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  const char *name = kb_ask_answer_get (answer, "name");
  g_autofree char *id = kb_form_quote (name);
  g_autofree char *value = g_strdup_printf ("{ id: %s }", id);

  append (KB_LIST_GROUP (parent), name, value);
}

static void
pair_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  KbListGroup *self = KB_LIST_GROUP (parent);
  const char *text = kb_ask_answer_get (answer, "value");
  g_autofree char *value = _kb_list_group_is (self, "", "chatTemplateKwargs")
                               ? kb_form_make_scalar (text)
                               : kb_form_quote (text);

  _kb_list_group_add_entry (self, kb_ask_answer_get (answer, "name"), value);
}

static void
duration_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  _kb_list_group_add_entry (KB_LIST_GROUP (parent), kb_ask_answer_get (answer, "name"), "60000");
}

static void
address_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  const char *address = kb_ask_answer_get (answer, "name");
  g_autofree char *value = kb_form_quote (address);

  append (KB_LIST_GROUP (parent), address, value);
}

static char *
check_added (const char *text, guint index, gpointer group)
{
  return _kb_list_group_check_text (KB_LIST_GROUP (group), index, text);
}

static void
append_text (GString *value, const char *key, const char *text)
{
  g_autofree char *quoted = kb_form_quote (text);

  if (*text != '\0')
    g_string_append_printf (value, "%s%s: %s", value->len > 2 ? ", " : "", key, quoted);
}

static void
provider_answered_cb (KbAskAnswer *answer, gpointer parent)
{
  g_autoptr (GString) value = g_string_new ("{ ");
  g_auto (GStrv) models = g_strsplit_set (kb_ask_answer_get (answer, "models"), ",，", -1);
  guint n_models = 0;

  append_text (value, "api", kb_ask_answer_get (answer, "api"));
  append_text (value, "baseURL", kb_ask_answer_get (answer, "address"));
  append_text (value, "apiKeyEnv", kb_ask_answer_get (answer, "key"));
  for (char **model = models; *model != NULL; model++)
    {
      g_autofree char *id = kb_form_quote (g_strstrip (*model));

      if (**model != '\0')
        g_string_append_printf (value, "%s{ id: %s }", n_models++ == 0 ? ", models: [" : ", ", id);
    }
  g_string_append (value, n_models > 0 ? "] }" : " }");
  _kb_list_group_add_entry (KB_LIST_GROUP (parent), kb_ask_answer_get (answer, "name"), value->str);
}

static void
ask_for_provider (KbListGroup *self)
{
  static const char *const words[]
      = { "openai-completions", "openai-responses", "anthropic-messages", NULL };
  const char *labels[] = { _ ("OpenAI Chat"), _ ("OpenAI Responses"), _ ("Anthropic"), NULL };
  g_autoptr (KbAsk) ask = kb_ask_new (_ ("Add a Provider"), _ ("_Add"));

  kb_ask_add_name (ask, "name", _ ("Name"), NULL, self->model, self->path);
  kb_ask_add_choice (ask, "api", _ ("Protocol"), words, labels);
  kb_ask_add_text (ask, "address", _ ("Address"), TRUE);
  kb_ask_add_text (ask, "key", _ ("Name of the Key"), FALSE);
  kb_ask_add_text (ask, "models", _ ("Models, with commas between"), TRUE);
  kb_ask_present (ask, GTK_WIDGET (self), 0, provider_answered_cb);
}

static void
ask_with_choice (
    KbListGroup *self, const char *key, const char *label, GStrv words, KbAskCallback callback)
{
  g_autoptr (KbAsk) ask = NULL;

  if (words[0] == NULL)
    {
      kb_ask_tell (GTK_WIDGET (self), _ ("No Provider Yet"),
                   _ ("Add a provider with its models in the preferences first."));
      return;
    }
  ask = kb_ask_new (_kb_list_group_get_add_label (self), _ ("_Add"));
  kb_ask_add_name (ask, "name", _ ("Name"), NULL, self->model, self->path);
  kb_ask_add_choice (ask, key, label, (const char *const *) words, (const char *const *) words);
  kb_ask_present (ask, GTK_WIDGET (self), 0, callback);
}

static void
ask_for_name (KbListGroup *self, KbAskCallback callback)
{
  g_autoptr (KbAsk) ask = kb_ask_new (_kb_list_group_get_add_label (self), _ ("_Add"));

  kb_ask_add_name (ask, "name", _ ("Name"), NULL, self->model, self->path);
  if (self->field->kind == KB_FIELD_PAIRS)
    kb_ask_add_text (ask, "value", _ ("Value"), TRUE);
  kb_ask_present (ask, GTK_WIDGET (self), 0, callback);
}

static void
add_pool (KbListGroup *self, KbForm *form)
{
  g_auto (GStrv) providers = kb_form_list_providers (form);

  ask_with_choice (self, "member", _ ("First Member"), providers, pool_answered_cb);
}

static void
add_group (KbListGroup *self, KbForm *form)
{
  g_auto (GStrv) channels = list_channels (form);

  ask_with_choice (self, "target", _ ("First Target"), channels, group_answered_cb);
}

static void
add_address (KbListGroup *self)
{
  g_autoptr (KbAsk) ask = kb_ask_new (_kb_list_group_get_add_label (self), _ ("_Add"));

  kb_ask_add_checked (ask, "name", _ ("Address and Port"), "", check_added, G_MAXUINT, self);
  kb_ask_present (ask, GTK_WIDGET (self), 0, address_answered_cb);
}

static void
add_known_kind (KbListGroup *self, KbForm *form)
{
  if (_kb_list_group_is (self, "llm-pool", "providers"))
    add_pool (self, form);
  else if (_kb_list_group_is (self, "llm-pi-ai", "providers"))
    ask_for_provider (self);
  else if (_kb_list_group_is (self, "dsh-route", "groups"))
    add_group (self, form);
  else if (_kb_list_group_is (self, "koboshi", "listen"))
    add_address (self);
  else if (_kb_list_group_is (self, "", "models"))
    ask_for_name (self, model_answered_cb);
  else
    pick (self, !_kb_list_group_is (self, "", "members"));
}

void
_kb_list_group_add (KbListGroup *self)
{
  KbForm *form = kb_form_model_get_form (self->model);

  if (form == NULL || self->field == NULL)
    return;
  if (_kb_list_group_is_of_efforts (self))
    _kb_list_group_add_effort (self, form);
  else if (self->field->kind == KB_FIELD_PAIRS)
    ask_for_name (self, pair_answered_cb);
  else if (self->field->kind == KB_FIELD_DURATIONS)
    ask_for_name (self, duration_answered_cb);
  else
    add_known_kind (self, form);
}

const char *
_kb_list_group_get_add_label (KbListGroup *self)
{
  static const struct
  {
    const char *system;
    const char *last;
    const char *label;
  } labels[] = {
    { "llm-pool", "providers", N_ ("Add a Pool") },
    { "llm-pi-ai", "providers", N_ ("Add a Provider") },
    { "dsh-route", "groups", N_ ("Add a Group") },
    { "", "members", N_ ("Add a Member") },
    { "", "models", N_ ("Add a Model") },
    { "", "targets", N_ ("Add a Target") },
    { "", "fallbacks", N_ ("Add a Fallback") },
    { "", "routes", N_ ("Add a Route") },
    { "", "neverAutomatic", N_ ("Add a Channel") },
    { "", "channels", N_ ("Add a Channel") },
    { "koboshi", "listen", N_ ("Add an Address") },
    { "", "modelOverrides", N_ ("Change a Model") },
    { "", "effortMap", N_ ("Add a Level") },
    { "", "reasoningEfforts", N_ ("Add a Level") },
    { "", "chatTemplateKwargs", N_ ("Add an Argument") },
    { "", "headers", N_ ("Add a Header") },
    { "", "modelAliases", N_ ("Add a Name") },
    { "", "cooldown", N_ ("Add a Cooldown") },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    if (_kb_list_group_is (self, labels[i].system, labels[i].last))
      return _ (labels[i].label);
  return _kb_list_group_is_of_one_level (self) ? _ ("Add a Member") : _ ("Add");
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "client/kb-changes.h"

/*
 * The configuration of a profile as a form sees it: fields with a label, a kind, limits, a
 * value and where that comes from. Kinds, limits and rules are those of the schemas that lint
 * compares files with. A form is a picture of one moment: it never changes.
 */

typedef struct _KbForm KbForm;

typedef enum
{
  KB_FIELD_SWITCH,
  KB_FIELD_OPTION, /* on, off, or not said */
  KB_FIELD_INTEGER,
  KB_FIELD_DURATION, /* milliseconds */
  KB_FIELD_BYTES,
  KB_FIELD_RATIO, /* up to 1 */
  KB_FIELD_NUMBER,
  KB_FIELD_CHOICE, /* one of `words` */
  KB_FIELD_TEXT,
  KB_FIELD_KEY,       /* the name of a key */
  KB_FIELD_WORDS,     /* some of `words` */
  KB_FIELD_NAMES,     /* an ordered list of names */
  KB_FIELD_CHANNELS,  /* an ordered list of channels */
  KB_FIELD_PAIRS,     /* names and their texts */
  KB_FIELD_DURATIONS, /* names and their milliseconds */
  KB_FIELD_ITEMS,     /* a list whose items are forms of their own */
  KB_FIELD_ENTRIES,   /* names, each with a form of its own */
  KB_FIELD_FORM,      /* a mapping with a form of its own */
} KbFieldKind;

typedef enum
{
  KB_FIELD_FROM_DEFAULT,
  KB_FIELD_FROM_BUNDLE,
  KB_FIELD_FROM_PROFILE,
  KB_FIELD_FROM_HOME,
  KB_FIELD_FROM_SETTINGS,
  KB_FIELD_FROM_KOBOSHI, /* koboshi.yaml */
} KbFieldOrigin;

/* Why a field cannot be changed here. */
typedef enum
{
  KB_FIELD_EDITABLE,
  KB_FIELD_IS_EXPRESSION, /* it, or what is around it */
  KB_FIELD_IS_FOREIGN,    /* of another kind than expected, or written with aliases */
} KbFieldLock;

typedef struct
{
  char *name;    /* of a list: a name, or a provider; else the key or the title of the item */
  char *model;   /* (nullable) of a channel */
  char *text;    /* (nullable) of a pair; the summary of an item */
  double number; /* of a duration */
  char *value;   /* (nullable) of a list: it as YAML */
} KbFieldItem;

typedef struct
{
  char *path; /* begins with a system, as in "camel.defaults.retry.mode" */
  KbFieldKind kind;
  KbFieldOrigin origin;
  KbFieldLock lock;
  char *name;              /* its last step */
  const char *label;       /* translated; of a pair, its name */
  const char *description; /* (nullable) translated */
  char *file;              /* (nullable) where it is written */
  guint line;
  gboolean required;
  gboolean has_default;
  gboolean has_value; /* something is written, or there is a default */
  gboolean is_set;    /* something is written that can be taken away */
  gboolean filled;    /* a list that is there must not be empty */
  gboolean above;     /* greater than the minimum */
  gboolean single;    /* a list that is written as its only item */
  gboolean loose;     /* a text that stands for whatever YAML reads in it */
  gboolean can_be_no; /* “false” may stand in its place */
  gboolean is_no;
  double minimum;
  double maximum; /* 0: none */
  GStrv words;    /* (nullable) of a choice: values as they are written; of pairs: their names */
  char *value;    /* (nullable) YAML on one line */
  double number;
  gboolean flag;
  char *text;       /* (nullable) a text, a word, an expression */
  GPtrArray *items; /* KbFieldItem */
} KbField;

typedef struct
{
  const char *title;       /* (nullable) translated */
  const char *description; /* (nullable) translated */
  GPtrArray *fields;       /* KbField */
} KbFormSection;

/* What a form as a whole has to say. */
typedef enum
{
  KB_FORM_READY,
  KB_FORM_UNMOUNTED, /* the profile does not have the plugin */
  KB_FORM_LOCKED,    /* the file cannot be written, or all of it is an expression */
  KB_FORM_UNUSABLE,  /* the file cannot be read, or is broken */
} KbFormState;

KbForm *kb_form_new (KbSnapshot *snapshot);
KbForm *kb_form_load (const char *home, const char *profile, GError **error);
KbSnapshot *kb_form_get_snapshot (KbForm *self);
KbForm *kb_form_ref (KbForm *self);
void kb_form_unref (KbForm *self);
KbFormState kb_form_get_state (KbForm *self, const char *system, char **reason);
gboolean kb_form_is_configured (KbForm *self, const char *system);
KbField *kb_form_get_field (KbForm *self, const char *path); /* (nullable) */
GPtrArray *kb_form_list_sections (KbForm *self, const char *path);
gboolean kb_form_exists (KbForm *self, const char *path);
GStrv kb_form_list_providers (KbForm *self);
GStrv kb_form_list_models (KbForm *self, const char *provider);
GStrv kb_form_list_members (KbForm *self, const char *path);
char *kb_form_describe_provider_uses (KbForm *self, const char *provider);

char *kb_form_check (KbForm *self, const char *path, const char *value);
char *kb_form_check_name (KbForm *self, const char *path, const char *name);
void kb_form_plan_set (
    KbForm *self, const char *path, const char *value, char **real_path, char **real_value);

void kb_form_change (KbForm *self, KbChanges *changes, const char *path, const char *value);
void kb_form_insert (KbChanges *changes, const char *path, const char *value);

KbField *kb_field_ref (KbField *self);
void kb_field_unref (KbField *self);
char *kb_field_describe_origin (const KbField *self);
const char *kb_field_get_word_label (const KbField *self, const char *word);
char *kb_field_describe_unit (const KbField *self);

char *kb_form_quote (const char *text);
char *kb_form_make_scalar (const char *text);
char *kb_form_make_channel (const char *provider, const char *model);
char *kb_form_make_list (const char *const *values);
char *kb_form_path_add (const char *path, const char *key);
char *kb_form_path_add_index (const char *path, guint index);
char *kb_form_path_get_parent (const char *path);
char *kb_form_path_get_last (const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbForm, kb_form_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KbField, kb_field_unref)

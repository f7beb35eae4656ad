// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "store/kb-yaml-path.h"

#include <string.h>

#include <glib/gi18n-lib.h>

struct _KbYamlPath
{
  GPtrArray *steps; /* owned: KbYamlStep */
};

G_DEFINE_QUARK (kb - yaml - path - error - quark, kb_yaml_path_error)

static void
step_free (gpointer data)
{
  KbYamlStep *step = data;

  g_free (step->key);
  g_free (step);
}

/**
 * kb_yaml_path_new:
 *
 * Returns: (transfer full): the path of the root
 */
KbYamlPath *
kb_yaml_path_new (void)
{
  KbYamlPath *self = g_new0 (KbYamlPath, 1);

  self->steps = g_ptr_array_new_with_free_func (step_free);
  return self;
}

/**
 * kb_yaml_path_free:
 * @self: (transfer full) (nullable): a path
 *
 * Frees it.
 */
void
kb_yaml_path_free (KbYamlPath *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->steps);
  g_free (self);
}

/**
 * kb_yaml_path_copy:
 * @self: a path
 *
 * Returns: (transfer full): an equal path
 */
KbYamlPath *
kb_yaml_path_copy (const KbYamlPath *self)
{
  KbYamlPath *copy = kb_yaml_path_new ();

  g_return_val_if_fail (self != NULL, copy);

  for (guint i = 0; i < self->steps->len; i++)
    {
      const KbYamlStep *step = self->steps->pdata[i];

      if (step->key != NULL)
        kb_yaml_path_add_key (copy, step->key);
      else
        kb_yaml_path_add_index (copy, step->index);
    }
  return copy;
}

/**
 * kb_yaml_path_add_key:
 * @self: a path
 * @key: a key of the mapping it leads to
 *
 * Goes one step further.
 */
void
kb_yaml_path_add_key (KbYamlPath *self, const char *key)
{
  KbYamlStep *step;

  g_return_if_fail (self != NULL);
  g_return_if_fail (key != NULL);

  step = g_new0 (KbYamlStep, 1);
  step->key = g_strdup (key);
  g_ptr_array_add (self->steps, step);
}

/**
 * kb_yaml_path_add_index:
 * @self: a path
 * @index: a 0-based position in the sequence it leads to
 *
 * Goes one step further.
 */
void
kb_yaml_path_add_index (KbYamlPath *self, guint index)
{
  KbYamlStep *step;

  g_return_if_fail (self != NULL);

  step = g_new0 (KbYamlStep, 1);
  step->index = index;
  g_ptr_array_add (self->steps, step);
}

/**
 * kb_yaml_path_get_length:
 * @self: a path
 *
 * Returns: its steps
 */
guint
kb_yaml_path_get_length (const KbYamlPath *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->steps->len;
}

/**
 * kb_yaml_path_get_step:
 * @self: a path
 * @index: less than its length
 *
 * Returns: (transfer none): a step
 */
const KbYamlStep *
kb_yaml_path_get_step (const KbYamlPath *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->steps->len, NULL);
  return self->steps->pdata[index];
}

static gboolean
is_plain_key (const char *key)
{
  return *key != '\0' && strpbrk (key, ".[]\"") == NULL;
}

/**
 * kb_yaml_path_to_string:
 * @self: a path
 *
 * Returns: (transfer full): the text kb_yaml_path_parse() reads; empty for the root
 */
char *
kb_yaml_path_to_string (const KbYamlPath *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->steps->len; i++)
    {
      const KbYamlStep *step = self->steps->pdata[i];

      if (step->key == NULL)
        {
          g_string_append_printf (text, "[%u]", step->index);
          continue;
        }
      if (is_plain_key (step->key))
        {
          g_string_append_printf (text, "%s%s", text->len > 0 ? "." : "", step->key);
          continue;
        }
      g_string_append (text, "[\"");
      for (const char *c = step->key; *c != '\0'; c++)
        {
          if (*c == '"' || *c == '\\')
            g_string_append_c (text, '\\');
          g_string_append_c (text, *c);
        }
      g_string_append (text, "\"]");
    }
  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* Reads ["key"] or [3] at @cursor, which stands on the bracket. */
static gboolean
parse_bracket (KbYamlPath *self, const char **cursor)
{
  const char *c = *cursor + 1;

  if (*c == '"')
    {
      g_autoptr (GString) key = g_string_new (NULL);

      for (c++; *c != '\0' && *c != '"'; c++)
        {
          if (*c == '\\' && c[1] != '\0')
            c++;
          g_string_append_c (key, *c);
        }
      if (c[0] != '"' || c[1] != ']')
        return FALSE;
      kb_yaml_path_add_key (self, key->str);
      *cursor = c + 2;
      return TRUE;
    }
  else
    {
      gsize length = strspn (c, "0123456789");
      g_autofree char *digits = g_strndup (c, length);
      guint64 index;

      if (!g_ascii_string_to_unsigned (digits, 10, 0, G_MAXUINT, &index, NULL) || c[length] != ']')
        return FALSE;
      kb_yaml_path_add_index (self, (guint) index);
      *cursor = c + length + 1;
      return TRUE;
    }
}

static gboolean
parse_name (KbYamlPath *self, const char **cursor)
{
  gsize length = strcspn (*cursor, ".[]\"");
  g_autofree char *key = g_strndup (*cursor, length);

  if (length == 0)
    return FALSE;
  kb_yaml_path_add_key (self, key);
  *cursor += length;
  return TRUE;
}

/**
 * kb_yaml_path_parse:
 * @text: keys with dots between, `[n]` for positions, `["key"]` for a key with dots in it
 * @error: return location for KB_YAML_PATH_ERROR
 *
 * Returns: (transfer full) (nullable): the path
 */
KbYamlPath *
kb_yaml_path_parse (const char *text, GError **error)
{
  g_autoptr (KbYamlPath) self = kb_yaml_path_new ();
  const char *cursor = text;

  g_return_val_if_fail (text != NULL, NULL);

  while (*cursor != '\0')
    {
      gboolean first = cursor == text;
      gboolean read;

      if (*cursor == '[')
        read = parse_bracket (self, &cursor);
      else if (!first && *cursor != '.')
        read = FALSE;
      else
        {
          cursor += first ? 0 : 1;
          read = parse_name (self, &cursor);
        }
      if (!read)
        {
          g_set_error (
              error, KB_YAML_PATH_ERROR, KB_YAML_PATH_ERROR_SYNTAX,
              _ ("“%s” is not a path: it cannot be read from “%s” on. Write keys with dots "
                 "between, [0] for a position, [\"a.b\"] for a key with a dot"),
              text, cursor);
          return NULL;
        }
    }
  return g_steal_pointer (&self);
}

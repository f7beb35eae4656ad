// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "store/kb-credentials.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct
{
  char *home;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = g_dir_make_tmp ("koboshi-credentials-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *credentials = kb_credentials_get_path (fixture->home);
  g_autofree char *dotenv = kb_dotenv_get_path (fixture->home);

  g_remove (credentials);
  g_remove (dotenv);
  g_assert_cmpint (g_rmdir (fixture->home), ==, 0);
  g_free (fixture->home);
}

static void
write_file (const char *path, const char *text, gssize length, int mode)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

static void
test_value (void)
{
  static const struct
  {
    const char *text;
    gssize length;
    const char *expected; /* NULL: refused */
  } cases[] = {
    { "sk-abc", -1, "sk-abc" },
    { " \t sk-abc\r\n", -1, "sk-abc" },
    { "!~", -1, "!~" },
    { "", -1, NULL },
    { " \n ", -1, NULL },
    { "sk abc", -1, NULL },
    { "sk-abc\nsk-def", -1, NULL },
    { "sk\rabc", -1, NULL },
    { "sk\0abc", 6, NULL },
    { "schl\303\274ssel", -1, NULL },
    { "sk\177", -1, NULL },
    { "sk\033[2J", -1, NULL },
  };
  g_autofree char *large = g_strnfill (KB_KEY_MAX_BYTES + 1, 'x');
  g_autoptr (KbSecret) largest = kb_key_value_read (large, KB_KEY_MAX_BYTES, NULL);
  g_autoptr (GError) too_large = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize length = cases[i].length < 0 ? strlen (cases[i].text) : (gsize) cases[i].length;
      g_autoptr (GError) error = NULL;
      g_autoptr (KbSecret) key = kb_key_value_read (cases[i].text, length, &error);

      if (cases[i].expected != NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpstr (kb_secret_get_text (key), ==, cases[i].expected);
          g_assert_cmpuint (kb_secret_get_length (key), ==, strlen (cases[i].expected));
          continue;
        }
      g_assert_null (key);
      g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID);
      g_assert_true (length < 4 || strstr (error->message, "sk") == NULL);
    }
  g_assert_nonnull (largest);
  g_assert_null (kb_key_value_read (large, KB_KEY_MAX_BYTES + 1, &too_large));
  g_assert_error (too_large, KB_KEY_ERROR, KB_KEY_ERROR_INVALID);
}

static const struct
{
  const char *text;
  const char *expected; /* NULL: not there, or refused if there are words */
  const char *words;
} documents[] = {
  { "A_KEY: sk-flat\n", "sk-flat", NULL },
  { "# keys\nB_KEY: other\nA_KEY: 'sk-quoted'  # mine", "sk-quoted", NULL },
  { "{A_KEY: \"sk-\\x66low\"}", "sk-flow", NULL },
  { "version: 1\nrefs:\n  A_KEY: sk-refs\nrecords:\n  A_KEY: {kind: grant}\n", "sk-refs", NULL },
  { "version: 1\nrefs: {}\n", NULL, NULL },
  { "version: 1\nA_KEY: sk-beside\n", NULL, NULL },
  { "records: {}\n", NULL, NULL },
  { "B_KEY: other\n", NULL, NULL },
  { "", NULL, NULL },
  { "# nothing\n", NULL, NULL },
  { "A_KEY: &k sk-anchor\nB_KEY: *k\n", "sk-anchor", NULL },
  { "B_KEY: &k sk-alias\nA_KEY: *k\n", "sk-alias", NULL },
  { "\357\273\277A_KEY: sk-bom\r\n", "sk-bom", NULL },
  { "A_KEY: 12345\n", NULL, ":1: the value is no text" },
  { "B_KEY: x\nA_KEY:\n", NULL, ":2: the value is no text" },
  { "A_KEY: [sk-list]\n", NULL, "no text" },
  { "A_KEY: !!js process.env.X\n", NULL, "no text" },
  { "A_KEY: ''\n", NULL, ":1: The key is empty" },
  { "A_KEY: sk two\n", NULL, ":1: The key contains a space" },
  { "A_KEY: sk-1\nA_KEY: sk-2\n", NULL, "two entries for A_KEY" },
  { "- A_KEY\n", NULL, "no map of names" },
  { "A_KEY: \"sk-open\n", NULL, "no YAML" },
  { "A_KEY: *sk-canary\n", NULL, "no" },
};

static void
test_documents (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = kb_credentials_get_path (fixture->home);

  for (gsize i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KbSecret) key = NULL;

      g_test_message ("%s", documents[i].text);
      write_file (path, documents[i].text, -1, 0600);
      key = kb_credentials_find (fixture->home, "A_KEY", &error);
      if (documents[i].words != NULL)
        {
          g_assert_nonnull (error);
          g_assert_cmpuint (error->domain, ==, KB_KEY_ERROR);
          g_assert_nonnull (strstr (error->message, documents[i].words));
          g_assert_nonnull (strstr (error->message, ".credentials.yaml"));
          g_assert_null (strstr (error->message, "sk-"));
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpstr (key != NULL ? kb_secret_get_text (key) : NULL, ==, documents[i].expected);
    }
}

static void
test_modes (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    int mode;
    gboolean used;
  } modes[] = { { 0600, TRUE }, { 0400, TRUE }, { 0640, FALSE }, { 0604, FALSE }, { 0620, FALSE } };
  g_autofree char *path = kb_credentials_get_path (fixture->home);
  g_autofree char *dotenv = kb_dotenv_get_path (fixture->home);

  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KbSecret) key = NULL;

      write_file (path, "A_KEY: sk-1\n", -1, modes[i].mode);
      key = kb_credentials_find (fixture->home, "A_KEY", &error);
      g_assert_cmpint (key != NULL, ==, modes[i].used);
      if (!modes[i].used)
        g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE);
      g_assert_true (modes[i].used || strstr (error->message, "chmod 600") != NULL);
    }
  g_assert_false (kb_dotenv_is_open_to_others (fixture->home));
  write_file (dotenv, "A_KEY=sk-1\n", -1, 0644);
  g_assert_true (kb_dotenv_is_open_to_others (fixture->home));
}

static void
test_hostile (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = kb_credentials_get_path (fixture->home);
  g_autofree char *large = g_strnfill (1024 * 1024 + 1, '#');
  g_autoptr (GError) error = NULL;

  g_assert_null (kb_credentials_find ("/nowhere", "A_KEY", &error));
  g_assert_no_error (error);
  write_file (path, large, -1, 0600);
  g_assert_null (kb_credentials_find (fixture->home, "A_KEY", &error));
  g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_FILE);
  g_clear_error (&error);
  write_file (path, "A_KEY: \0\377\n", 10, 0600);
  g_assert_null (kb_credentials_find (fixture->home, "A_KEY", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_remove (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (kb_credentials_find (fixture->home, "A_KEY", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
}

static void
test_dotenv (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *expected;
    gboolean refused;
  } cases[] = {
    { "A_KEY=sk-1\n", "sk-1", FALSE },
    { "A_KEY=sk-1", "sk-1", FALSE },
    { "  export  A_KEY = sk-1  # mine\r\n", "sk-1", FALSE },
    { "A_KEY='sk#1' # mine\n", "sk#1", FALSE },
    { "A_KEY=\"sk-1\"\nB=2\n", "sk-1", FALSE },
    { "A_KEY=`sk-1`\n", "sk-1", FALSE },
    { "A_KEY='sk\\n1'\n", "sk\\n1", FALSE },
    { "A_KEY=sk-old\nA_KEY=sk-new\n", "sk-new", FALSE },
    { "A_KEY=sk-old\nA_KEY=\n", NULL, FALSE },
    { "\357\273\277A_KEY=sk-1\n", "sk-1", FALSE },
    { "# A_KEY=sk-1\nMY_A_KEY=x\nA_KEY_2=y\n", NULL, FALSE },
    { "B=\"one\nA_KEY=inside\n\"\n", NULL, FALSE },
    { "A_KEY\n=sk-1\n", NULL, FALSE },
    { "export=1\nexport\n", NULL, FALSE },
    { "A_KEY=\"sk\\n1\"\n", NULL, TRUE },
    { "A_KEY=sk 1\n", NULL, TRUE },
    { "", NULL, FALSE },
    { "=\n==\n\n", NULL, FALSE },
  };
  g_autofree char *path = kb_dotenv_get_path (fixture->home);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KbSecret) key = NULL;

      g_test_message ("%s", cases[i].text);
      write_file (path, cases[i].text, -1, 0600);
      key = kb_dotenv_find (fixture->home, "A_KEY", &error);
      if (cases[i].refused)
        g_assert_error (error, KB_KEY_ERROR, KB_KEY_ERROR_INVALID);
      else
        g_assert_no_error (error);
      g_assert_cmpstr (key != NULL ? kb_secret_get_text (key) : NULL, ==, cases[i].expected);
    }
  write_file (path, "\0A_KEY=\0\n\0", 10, 0600);
  g_assert_null (kb_dotenv_find (fixture->home, "A_KEY", NULL));
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/store/key-value/table", test_value);
  ADD ("/store/credentials/documents", test_documents);
  ADD ("/store/credentials/modes", test_modes);
  ADD ("/store/credentials/hostile", test_hostile);
  ADD ("/store/dotenv/table", test_dotenv);

  return g_test_run ();
}

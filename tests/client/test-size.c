// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "client/kb-size.h"

static const struct
{
  double bytes;
  const char *text;
} formats[] = {
  { 0, "0 B" },
  { 1, "1 B" },
  { 1000, "1000 B" },
  { 1024, "1 KiB" },
  { 1536, "1.5 KiB" },
  { 1537, "1537 B" },
  { 524288, "512 KiB" },
  { 1048576, "1 MiB" },
  { 20971520, "20 MiB" },
  { 1610612736, "1.5 GiB" },
  { 9007199254740991, "9007199254740991 B" },
};

/* Whatever is shown means the same number again. */
static void
test_format (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *text = kb_size_format (formats[i].bytes);
      double bytes;

      g_assert_cmpstr (text, ==, formats[i].text);
      g_assert_true (kb_size_parse (text, 0, &bytes));
      g_assert_cmpfloat (bytes, ==, formats[i].bytes);
    }
}

static void
test_parse (void)
{
  static const struct
  {
    const char *text;
    double present;
    double bytes; /* -1: refused */
  } rows[] = {
    { "20 MiB", 0, 20971520 },
    { "20mib", 0, 20971520 },
    { " 0,5 m ", 0, 524288 },
    { "7", 1048576, 7340032 },
    { "7", 7, 7 },
    { "7 bytes", 1048576, 7 },
    { "1.3 KiB", 0, 1331 },
    { "", 0, -1 },
    { "MiB", 0, -1 },
    { "-1 MiB", 0, -1 },
    { "1.2.3 MiB", 0, -1 },
    { "7 MB", 0, -1 },
    { "1e3", 0, -1 },
    { "20 MiB of them", 0, -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double bytes = -1;

      g_test_message ("“%s”", rows[i].text);
      g_assert_true (kb_size_parse (rows[i].text, rows[i].present, &bytes) == (rows[i].bytes >= 0));
      if (rows[i].bytes >= 0)
        g_assert_cmpfloat (bytes, ==, rows[i].bytes);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/client/size/format", test_format);
  g_test_add_func ("/client/size/parse", test_parse);
  return g_test_run ();
}

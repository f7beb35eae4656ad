// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * Any change of bytes in any document: where only some of its entries are parsed again, the
 * outcome must be what parsing all of it gives.
 */

#include <stdint.h>
#include <string.h>

#include "../store/yaml-splice-check.h"

/* The end of the input: where, how much goes, how much of the text comes again in its place. */
#define N_CHOICES 4

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *choices = data + size - N_CHOICES;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (KbSplices) splices = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autofree char *text = NULL;
  gsize length, start, end;

  if (size <= N_CHOICES)
    return 0;
  length = size - N_CHOICES;
  bytes = g_bytes_new (data, length);
  document = kb_yaml_document_parse_alone (bytes);
  if (document == NULL)
    return 0;
  start = (choices[0] * 256u + choices[1]) % (length + 1);
  end = MIN (length, start + choices[2] % 64);
  text = g_strndup ((const char *) data + length - MIN (length, choices[3] % 32u),
                    MIN (length, choices[3] % 32u));
  splices = kb_splices_new ();
  kb_splices_add (splices, start, end, text);
  after = kb_splices_apply (splices, bytes);
  if (g_utf8_validate (g_bytes_get_data (after, NULL), (gssize) g_bytes_get_size (after), NULL))
    check_splice (document, splices, after);
  return 0;
}

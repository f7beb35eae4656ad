// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* Any bytes as each of the files that are read: YAML, a health file, a line of a log. */

#include "store/kb-health-codec.h"
#include "store/kb-log-codec.h"
#include "store/kb-yaml-index.h"

#include <stdint.h>
#include <string.h>

#include "../store/yaml-check.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_health (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbHealthDocument) document = kb_health_document_decode (bytes, &error);
  g_autoptr (GBytes) written = NULL;
  g_autoptr (KbHealthDocument) again = NULL;

  if (document == NULL)
    {
      g_assert_nonnull (error);
      return;
    }
  written = kb_health_document_encode (document);
  again = kb_health_document_decode (written, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kb_health_document_get_records (document)->len, ==,
                    kb_health_document_get_records (again)->len);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *line_end = size > 0 ? memchr (data, '\n', size) : NULL;
  gsize line_length = line_end != NULL ? (gsize) (line_end - data) : size;
  g_autofree char *line = g_strndup ((const char *) data, line_length);
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (KbYamlDocument) document = kb_yaml_document_parse (bytes, NULL, NULL);
  g_autoptr (KbEvent) event = kb_log_decode_line (line, strlen (line), "daruma", "log");

  if (document != NULL)
    check_document (document);
  g_assert_nonnull (event);
  check_health (bytes);
  return 0;
}

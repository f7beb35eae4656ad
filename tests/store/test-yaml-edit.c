// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/*
 * The byte editor: what is written in "before" and asked for by operation, path and value
 * must become "after", byte by byte; and back again by the inverse.
 */

#include "store/kb-yaml-edit.h"

#include <string.h>

typedef struct
{
  const char *why;
  const char *before;
  const char *operation; /* set, insert, remove, move */
  const char *path;
  const char *value; /* YAML, or the position of a move */
  const char *after;
} Case;

static const Case cases[] = {
  /* scalars */
  { "plain", "a: 1\nb: 2\n", "set", "a", "7", "a: 7\nb: 2\n" },
  { "comment behind", "a: 1 # one\n", "set", "a", "7", "a: 7 # one\n" },
  { "tab after the colon", "a:\t1\n", "set", "a", "7", "a:\t7\n" },
  { "CRLF", "a: 1\r\nb: 2\r\n", "set", "b", "7", "a: 1\r\nb: 7\r\n" },
  { "no final newline", "a: 1", "set", "a", "7", "a: 7" },
  { "byte order mark",
    "\xef\xbb\xbf"
    "a: 1\n",
    "set", "a", "7",
    "\xef\xbb\xbf"
    "a: 7\n" },
  { "single quotes stay", "a: 'x'\n", "set", "a", "it's", "a: 'it''s'\n" },
  { "double quotes stay", "a: \"x\"\n", "set", "a", "y", "a: \"y\"\n" },
  { "plain becomes quoted", "a: x\n", "set", "a", "'yes'", "a: \"yes\"\n" },
  { "number-like string", "a: x\n", "set", "a", "'1e3'", "a: \"1e3\"\n" },
  { "binary-like string", "a: x\n", "set", "a", "'0b11'", "a: \"0b11\"\n" },
  { "colon blank", "a: x\n", "set", "a", "'b: c'", "a: \"b: c\"\n" },
  { "hash", "a: x\n", "set", "a", "'b #c'", "a: \"b #c\"\n" },
  { "at sign", "a: x\n", "set", "a", "'@b'", "a: \"@b\"\n" },
  { "double colon is plain", "a: x\n", "set", "a", "mt::glm", "a: mt::glm\n" },
  { "CJK and emoji", "a: x\n", "set", "a", "模型 🐶", "a: 模型 🐶\n" },
  { "line breaks", "a: x\n", "set", "a", "\"b\\nc\"", "a: \"b\\nc\"\n" },
  { "absent value", "a:\nb: 2\n", "set", "a", "7", "a: 7\nb: 2\n" },
  { "absent value, comment", "a: # c\nb: 2\n", "set", "a", "7", "a: 7 # c\nb: 2\n" },
  { "literal block", "a: |\n  x\n  y\nb: 2\n", "set", "a", "7", "a: 7\nb: 2\n" },
  { "in flow", "{a: 1, b: 2}\n", "set", "b", "7", "{a: 1, b: 7}\n" },
  { "flow string with comma", "{a: x, b: y}\n", "set", "b", "'1, 2'", "{a: x, b: \"1, 2\"}\n" },
  { "item", "- a\n- b\n", "set", "[1]", "c", "- a\n- c\n" },
  { "root", "a # c\n", "set", "", "b", "b # c\n" },

  /* changing shape */
  { "block to scalar", "a: # c\n  - x\n  - y\nb: 2\n", "set", "a", "7", "a: 7 # c\nb: 2\n" },
  { "scalar to block", "a: 1\nb: 2\n", "set", "a", "{x: 1, k: [z]}",
    "a:\n  x: 1\n  k:\n    - z\nb: 2\n" },
  { "scalar to flow before a comment", "a: 1 # c\n", "set", "a", "{x: 1}", "a: { x: 1 } # c\n" },
  { "block to block", "a:\n    - x\n    - y\n", "set", "a", "[p, q]", "a:\n    - p\n    - q\n" },
  { "to empty", "a:\n  - x\nb: 2\n", "set", "a", "[]", "a: []\nb: 2\n" },

  /* keys */
  { "new key", "a: 1\n", "set", "b", "2", "a: 1\nb: 2\n" },
  { "new key, no final newline", "a: 1", "set", "b", "2", "a: 1\nb: 2" },
  { "new key behind a comment", "a: 1 # c\n\n# end\n", "set", "b", "2",
    "a: 1 # c\nb: 2\n\n# end\n" },
  { "new key, CRLF", "a:\r\n  x: 1\r\n", "set", "a.k", "2", "a:\r\n  x: 1\r\n  k: 2\r\n" },
  { "new key below an item", "- id: a\n  n: 1\n- id: b\n", "set", "[0].m", "2",
    "- id: a\n  n: 1\n  m: 2\n- id: b\n" },
  { "new key in flow", "a: {x: 1}\n", "set", "a.k", "2", "a: {x: 1, k: 2}\n" },
  { "new key in padded flow", "a: { x: 1 }\n", "set", "a.k", "2", "a: { x: 1, k: 2 }\n" },
  { "new key in empty flow", "a: {} # c\n", "set", "a.k", "2", "a: { k: 2 } # c\n" },
  { "new key with a block", "a: 1\n", "set", "b", "{c: {d: 1}}", "a: 1\nb:\n  c:\n    d: 1\n" },
  { "key below an absent value", "a:\nb: 2\n", "set", "a.x", "1", "a:\n  x: 1\nb: 2\n" },
  { "quoted key", "a: 1\n", "set", "[\"b: c\"]", "2", "a: 1\n\"b: c\": 2\n" },
  { "remove a key", "a: 1\nb: 2\nc: 3\n", "remove", "b", NULL, "a: 1\nc: 3\n" },
  { "remove with its comments", "a: 1\n# about b\nb: 2 # two\n\n# c\nc: 3\n", "remove", "b", NULL,
    "a: 1\n\n# c\nc: 3\n" },
  { "a detached comment stays", "# head\n\na: 1\nb: 2\n", "remove", "a", NULL, "# head\n\nb: 2\n" },
  { "remove the last key", "a: 1\nb: 2", "remove", "b", NULL, "a: 1" },
  { "remove the last key, CRLF", "a: 1\r\nb: 2", "remove", "b", NULL, "a: 1" },
  { "remove the only key", "a:\n  x: 1\nb: 2\n", "remove", "a.x", NULL, "a: {}\nb: 2\n" },
  { "remove the first key of an item", "- id: a\n  n: 1\n", "remove", "[0].id", NULL, "- n: 1\n" },
  { "remove a key with a block", "a:\n  - x\n  - y\nb: 2\n", "remove", "a", NULL, "b: 2\n" },
  { "remove from flow", "{a: 1, b: 2, c: 3}\n", "remove", "b", NULL, "{a: 1, c: 3}\n" },
  { "remove the last of flow", "{ a: 1, b: 2 }\n", "remove", "b", NULL, "{ a: 1 }\n" },
  { "remove the only of flow", "x: { a: 1 }\n", "remove", "x.a", NULL, "x: {}\n" },

  /* block sequences */
  { "insert first", "- a\n- b\n", "insert", "[0]", "x", "- x\n- a\n- b\n" },
  { "insert between", "- a\n- b\n", "insert", "[1]", "x", "- a\n- x\n- b\n" },
  { "insert last", "- a\n- b\n", "insert", "[2]", "x", "- a\n- b\n- x\n" },
  { "insert above a commented item", "- a\n# b\n- b\n", "insert", "[1]", "x",
    "- a\n- x\n# b\n- b\n" },
  { "insert like a flow neighbour", "c:\n  - { p: a, m: b }\n", "insert", "c[1]", "{p: x, m: z}",
    "c:\n  - { p: a, m: b }\n  - { p: x, m: z }\n" },
  { "insert like a tight neighbour", "c:\n- {p: a, m: b}\n", "insert", "c[0]", "{p: x, m: z}",
    "c:\n- {p: x, m: z}\n- {p: a, m: b}\n" },
  { "insert like a block neighbour", "c:\n    - p: a\n      m: b\n", "insert", "c[1]",
    "{p: x, m: z}", "c:\n    - p: a\n      m: b\n    - p: x\n      m: z\n" },
  { "insert into nested dashes", "- - a\n  - b\n", "insert", "[0][0]", "x",
    "- - x\n  - a\n  - b\n" },
  { "remove an item", "- a\n- b\n- c\n", "remove", "[1]", NULL, "- a\n- c\n" },
  { "remove an item with comments", "- a # 1\n# 2\n- b # 3\n# 4\n- c\n", "remove", "[1]", NULL,
    "- a # 1\n# 4\n- c\n" },
  { "remove the only item", "a:\n  # c\n  - x # d\nb: 2\n", "remove", "a[0]", NULL,
    "a: []\nb: 2\n" },
  { "remove the only row", "# head\n\n- x\n", "remove", "[0]", NULL, "# head\n\n[]\n" },
  { "remove the first of nested dashes", "- - a\n  - b\n", "remove", "[0][0]", NULL, "- - b\n" },
  { "move down", "- a\n- b\n- c\n", "move", "[0]", "2", "- b\n- c\n- a\n" },
  { "move up", "- a\n- b\n- c\n", "move", "[2]", "0", "- c\n- a\n- b\n" },
  { "move with comments", "# A\n- a # 1\n\n# B\n- b # 2\n# end\n", "move", "[0]", "1",
    "# B\n- b # 2\n\n# A\n- a # 1\n# end\n" },
  { "move without final newline", "- a\n- b", "move", "[0]", "1", "- b\n- a" },
  { "move blocks", "c:\n  - p: a # x\n    m: 1\n  # two\n  - p: b\n    m: 2\nd: 3\n", "move",
    "c[1]", "0", "c:\n  # two\n  - p: b\n    m: 2\n  - p: a # x\n    m: 1\nd: 3\n" },
  { "move in nested dashes", "- - a\n  - b # x\n", "move", "[0][0]", "1", "- - b # x\n  - a\n" },
  { "move with CRLF", "- a\r\n- b\r\n", "move", "[0]", "1", "- b\r\n- a\r\n" },
  { "move under a byte order mark", "\xef\xbb\xbf# A\n- a\n- b\n", "move", "[0]", "1",
    "\xef\xbb\xbf- b\n# A\n- a\n" },

  /* flow sequences */
  { "flow insert first", "[a, b]\n", "insert", "[0]", "x", "[x, a, b]\n" },
  { "flow insert last", "[a, b]\n", "insert", "[2]", "x", "[a, b, x]\n" },
  { "flow insert behind a trailing comma", "[a, b,]\n", "insert", "[2]", "x", "[a, b, x,]\n" },
  { "flow insert into lines", "[\n  a, # 1\n  b # 2\n]\n", "insert", "[2]", "x",
    "[\n  a, # 1\n  b, # 2\n  x\n]\n" },
  { "flow insert above a comment", "[\n  a,\n  # B\n  b,\n]\n", "insert", "[1]", "x",
    "[\n  a,\n  x,\n  # B\n  b,\n]\n" },
  { "flow remove", "[a, b, c]\n", "remove", "[1]", NULL, "[a, c]\n" },
  { "flow remove first", "[a, b]\n", "remove", "[0]", NULL, "[b]\n" },
  { "flow remove last", "[a, b]\n", "remove", "[1]", NULL, "[a]\n" },
  { "flow remove only", "[ a ]\n", "remove", "[0]", NULL, "[]\n" },
  { "flow remove a line", "[\n  a, # 1\n  # B\n  b, # 2\n  c\n]\n", "remove", "[1]", NULL,
    "[\n  a, # 1\n  c\n]\n" },
  { "flow move", "[a, b, c]\n", "move", "[0]", "2", "[b, c, a]\n" },
  { "flow move nested", "x: [{p: a}, {p: b}]\n", "move", "x[1]", "0", "x: [{p: b}, {p: a}]\n" },
  { "flow move with comments", "[\n  # A\n  a, # 1\n  b, # 2\n]\n", "move", "[0]", "1",
    "[\n  b, # 2\n  # A\n  a, # 1\n]\n" },
  { "flow move, last without comma", "[\n  a, # 1\n  b # 2\n]\n", "move", "[1]", "0",
    "[\n  b, # 2\n  a # 1\n]\n" },
  { "flow move where hashes are text", "['#', \"a # b\", c]\n", "move", "[2]", "0",
    "[c, '#', \"a # b\"]\n" },

  /* whose comment is it */
  { "a deeper comment is of the entry above", "a:\n  x: 1\n  # y: 2\nb: 3\n", "remove", "b", NULL,
    "a:\n  x: 1\n  # y: 2\n" },
  { "a deeper comment goes with its entry", "- id: x\n  n: 1\n  # m: 2\n- id: y\n", "remove", "[0]",
    NULL, "- id: y\n" },
  { "a deeper comment moves along", "- a # one\n    # more\n# two\n- b\n", "move", "[0]", "1",
    "# two\n- b\n- a # one\n    # more\n" },
  { "a deeper comment behind a blank line", "- a\n\n    # B\n- b\n", "remove", "[1]", NULL,
    "- a\n\n" },
  { "a deeper comment above the first entry", "c:\n    # A\n  - a\n  - b\n", "move", "c[0]", "1",
    "c:\n  - b\n    # A\n  - a\n" },
  { "a comment in the column of the dash stays", "c:\n  - a\n  - b\n  # - x\nd: 1\n", "move",
    "c[0]", "1", "c:\n  - b\n  - a\n  # - x\nd: 1\n" },
  { "insert behind a deeper comment", "- a: 1\n  # b: 2\n", "insert", "[1]", "x",
    "- a: 1\n  # b: 2\n- x\n" },
  { "a comment above the first row moves", "# A\n- a\n- b\n", "move", "[0]", "1",
    "- b\n# A\n- a\n" },
  { "a comment of a key above a block", "c: # list\n  # A\n  - a\n  - b\n", "remove", "c[0]", NULL,
    "c: # list\n  - b\n" },
  { "a detached comment in a block", "a:\n  # far\n\n  - x\nb: 2\n", "remove", "a[0]", NULL,
    "a: []\n  # far\n\nb: 2\n" },
  { "a detached comment behind a dash", "- id: a\n  # far\n\n  n: 1\n", "remove", "[0].id", NULL,
    "- \n  # far\n\n  n: 1\n" },
  { "a block scalar's hash lines are text", "- |\n  # x\n- b\n", "remove", "[1]", NULL,
    "- |\n  # x\n" },
  { "the last comment of a replaced block", "a:\n  - x\n  - y # e\nb: 2\n", "set", "a", "[p]",
    "a:\n  - p\nb: 2\n" },
  { "the last comment of a block that gives way", "a: # c\n  - x # e\nb: 2\n", "set", "a", "7",
    "a: 7 # c\nb: 2\n" },
  { "the comment in a block scalar's header", "a: |- # c\n  x\nb: 2\n", "set", "a", "7",
    "a: 7 # c\nb: 2\n" },
  { "a comment behind an item stays on its line", "- x # c\n- y\n", "set", "[0]", "{a: 1, b: 2}",
    "- a: 1 # c\n  b: 2\n- y\n" },
  { "a comment behind brackets stays on its line", "[] # c\n", "insert", "[0]",
    "{id: x, config: {k: 1}}", "- id: x # c\n  config:\n    k: 1\n" },
  { "the tag of a block that gives way", "a: !!map # c\n  x: 1\nb: 2\n", "set", "a", "7",
    "a: 7 # c\nb: 2\n" },
  { "a value below its key's comment", "a: # c\n    x # d\nb: 1\n", "set", "a", "{k: 1, l: 2}",
    "a: # c\n    k: 1 # d\n    l: 2\nb: 1\n" },
  { "a scalar below its tag, blanks", "a: !!str # c\n  x \nb: 1\n", "set", "a", "7",
    "a: 7 # c\nb: 1\n" },
  { "a scalar below its tag", "a: !!str # c\n  x\nb: 1\n", "set", "a", "7", "a: 7 # c\nb: 1\n" },

  /* places */
  { "a tab behind a dash", "- x\n-\ty\n", "set", "[1]", "{k: 1}", "- x\n-\t{ k: 1 }\n" },
  { "blanks at the end of a line", "- a\n- |\n  x\n- b  \n", "move", "[1]", "2",
    "- a\n- b  \n- |\n  x\n" },
  { "a block behind an empty dash", "-\n- b\n", "set", "[0]", "{a: 1, b: 2}",
    "- a: 1\n  b: 2\n- b\n" },
  { "a mapping where a sequence stood in the key's column", "a:\n- x\nb: 2\n", "set", "a", "{k: 1}",
    "a:\n  k: 1\nb: 2\n" },
  { "a key without colon in flow", "{a, b: 1}\n", "set", "a", "7", "{a: 7, b: 1}\n" },
  { "a key with a mark only", "? a\n", "set", "a", "7", "? a\n: 7\n" },
  { "a quoted key without value", "{\"a\":, b: 1}\n", "set", "a", "7", "{\"a\": 7, b: 1}\n" },
  { "behind a document start", "--- [a]\n", "set", "", "{x: 1}", "--- { x: 1 }\n" },
  { "document end", "a: 1\n...\n", "set", "b", "2", "a: 1\nb: 2\n...\n" },
  { "kept lines at the end", "a: |+\n  t\n\n", "set", "b", "2", "a: |+\n  t\n\nb: 2\n" },
  { "a block scalar without final newline", "a: |\n  t", "set", "b", "2", "a: |\n  t\nb: 2" },
  { "move a block scalar off the end", "- b\n- |\n  t", "move", "[1]", "0", "- |\n  t\n- b" },
  { "form feed in a comment", "a: 1 # \f\nb: 2\n", "set", "b", "3", "a: 1 # \f\nb: 3\n" },
  { "the same value", "a: 0x10 # c\n", "set", "a", "0x10", "a: 0x10 # c\n" },
  { "the line ends of the neighbourhood", "# old\na: 1\r\nb: 2\r\n", "set", "k", "3",
    "# old\na: 1\r\nb: 2\r\nk: 3\r\n" },

  /* the hand that wrote the file */
  { "the step of the document", "a:\n    x: 1\n", "set", "b", "{k: {l: 1}}",
    "a:\n    x: 1\nb:\n    k:\n        l: 1\n" },
  { "lists in the column of their key", "a:\n- x\n", "set", "b", "{k: [l]}",
    "a:\n- x\nb:\n  k:\n  - l\n" },
  { "flow like the values beside", "a: {x: 1}\n", "set", "b", "{k: 2}", "a: {x: 1}\nb: {k: 2}\n" },
  { "quotes of the neighbours", "c:\n  - { p: \"a\", m: \"b\" }\n", "insert", "c[1]",
    "{p: x, m: z}", "c:\n  - { p: \"a\", m: \"b\" }\n  - { p: \"x\", m: \"z\" }\n" },
  { "JSON", "{\"c\": [{\"p\": \"a\"}]}\n", "insert", "c[1]", "{p: x}",
    "{\"c\": [{\"p\": \"a\"}, {\"p\": \"x\"}]}\n" },
  { "padding seen elsewhere", "a: {x: 1}\nc: []\n", "set", "c", "[{p: 1}]",
    "a: {x: 1}\nc:\n  - p: 1\n" },

  /* flow, line by line */
  { "flow remove a last line", "[\n  a,\n  b\n]\n", "remove", "[1]", NULL, "[\n  a\n]\n" },
  { "flow remove a last line with comma", "[\n  a,\n  b,\n]\n", "remove", "[1]", NULL,
    "[\n  a,\n]\n" },
  { "flow remove the only line", "[\n  a\n]\n", "remove", "[0]", NULL, "[]\n" },
  { "flow remove the only line, comments stay", "[ # c\n  a # d\n]\n", "remove", "[0]", NULL,
    "[ # c\n]\n" },
  { "flow remove the end of a line", "[a, b,\n c]\n", "remove", "[1]", NULL, "[a,\n c]\n" },
  { "flow insert behind a comment", "c: [a, b # x\n]\n", "insert", "c[2]", "z",
    "c: [a, b, # x\n  z\n]\n" },
  { "flow remove with the comma in front", "[ a # 1\n, b # 2\n, c ]\n", "remove", "[1]", NULL,
    "[ a # 1\n, c ]\n" },
  { "flow move with the comma in front", "[ a # 1\n, b # 2\n, c ]\n", "move", "[0]", "1",
    "[ b # 2\n, a # 1\n, c ]\n" },
  { "flow move with the comma in front, one comment", "[ a\n, b # 2\r\n, c\n]\n", "move", "[1]",
    "2", "[ a\n, c\r\n, b # 2\n]\n" },
  { "flow move, a comment to the one without comma", "[ a # 1\n, b\n]\n", "move", "[1]", "0",
    "[ b\n, a # 1\n]\n" },
  { "flow insert last with the comma in front", "c:\n  [ a # 1\n  , b # 2\n  ]\n", "insert", "c[2]",
    "z", "c:\n  [ a # 1\n  , b # 2\n  , z\n  ]\n" },
  { "flow insert with the comma in front", "[ a # 1\n, b # 2\n]\n", "insert", "[1]", "z",
    "[ a # 1\n, z\n, b # 2\n]\n" },
  { "flow insert first with the comma in front", "[ a # 1\n, b # 2\n]\n", "insert", "[0]", "z",
    "[ z\n, a # 1\n, b # 2\n]\n" },
  { "flow remove the last with the comma in front", "[ a # 1\n, b # 2\n]\n", "remove", "[1]", NULL,
    "[ a # 1\n]\n" },
  { "flow key with the comma in front", "{ a: 1 # 1\n, b: 2 # 2\n}\n", "set", "c", "3",
    "{ a: 1 # 1\n, b: 2 # 2\n, c: 3\n}\n" },
  { "flow move, first on the bracket's line", "c: [ a, # 1\n     b, # 2\n   ]\n", "move", "c[0]",
    "1", "c: [ b, # 2\n     a, # 1\n   ]\n" },
  { "flow move, deeper comments", "[\n  a, # 1\n     # 2\n  b,\n]\n", "move", "[0]", "1",
    "[\n  b,\n  a, # 1\n     # 2\n]\n" },

  /* empty documents */
  { "template of a profile", "# a\n# b\n[]\n", "insert", "[0]", "{id: x, config: {k: 1}}",
    "# a\n# b\n- id: x\n  config:\n    k: 1\n" },
  { "brackets with a comment behind", "[] # c\n", "insert", "[0]", "x", "- x # c\n" },
  { "brackets without newline", "[]", "insert", "[0]", "x", "- x" },
  { "document start", "---\n[]\n", "insert", "[0]", "x", "---\n- x\n" },
  { "empty file", "", "insert", "[0]", "x", "- x\n" },
  { "only comments", "# a\n", "insert", "[0]", "x", "# a\n- x\n" },
  { "only comments, no newline", "# a", "insert", "[0]", "x", "# a\n- x\n" },
  { "empty settings", "", "set", "daruma", "{backup: {provider: a, model: b}}",
    "daruma:\n  backup:\n    provider: a\n    model: b\n" },
  { "empty list below a key", "c: []\nd: 1\n", "insert", "c[0]", "{p: a}", "c:\n  - p: a\nd: 1\n" },
  { "empty list with a comment", "c: [] # none\n", "insert", "c[0]", "{p: a}",
    "c: [{ p: a }] # none\n" },
  { "empty list in flow", "{c: []}\n", "insert", "c[0]", "{p: a}", "{c: [{p: a}]}\n" },
  { "expression stays", "- id: a\n  x: !!js process.env.A\n  n: 1\n", "set", "[0].n", "2",
    "- id: a\n  x: !!js process.env.A\n  n: 2\n" },
};

static KbYamlChange *
make_change (const char *operation, const char *path_text, const char *value_text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KbYamlPath) path = kb_yaml_path_parse (path_text, &error);
  g_autoptr (KbYamlTree) value = NULL;

  g_assert_no_error (error);
  if (g_str_equal (operation, "move"))
    return kb_yaml_change_new_move (path, (guint) g_ascii_strtoull (value_text, NULL, 10));
  if (g_str_equal (operation, "remove"))
    return kb_yaml_change_new_remove (path);
  value = kb_yaml_tree_from_text (value_text, &error);
  g_assert_no_error (error);
  if (g_str_equal (operation, "insert"))
    return kb_yaml_change_new_insert (path, value);
  g_assert_cmpstr (operation, ==, "set");
  return kb_yaml_change_new_set (path, value);
}

static void
assert_text (GBytes *bytes, const char *wanted)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", size);

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GBytes) before = g_bytes_new (c->before, strlen (c->before));
  g_autoptr (KbYamlDocument) document = NULL;
  g_autoptr (KbYamlChange) change = make_change (c->operation, c->path, c->value);
  g_autoptr (GError) error = NULL;
  g_autoptr (KbSplices) splices = NULL;
  g_autoptr (KbSplices) inverse = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) back = NULL;

  document = kb_yaml_document_parse (before, NULL, &error);
  g_assert_no_error (error);
  splices = kb_yaml_edit_plan (document, change, KB_YAML_EDIT_DEFAULT, &error);
  g_assert_no_error (error);
  after = kb_splices_apply (splices, before);
  assert_text (after, c->after);
  inverse = kb_splices_invert (splices, before);
  back = kb_splices_apply (inverse, after);
  assert_text (back, c->before);
}

typedef struct
{
  const char *before;
  const char *operation;
  const char *path;
  const char *value;
  KbYamlEditError code;
  const char *word; /* in the message */
} Refusal;

static const Refusal refusals[] = {
  { "a: &x {n: 1}\nb: *x\n", "set", "b.n", "2", KB_YAML_EDIT_ERROR_ALIAS, "Line 2" },
  { "a: &x {n: 1}\nb: *x\n", "set", "b", "2", KB_YAML_EDIT_ERROR_ALIAS, "Line 2" },
  { "a: &x {n: 1}\nb: *x\n", "set", "a.n", "2", KB_YAML_EDIT_ERROR_ALIAS, "Line 1" },
  { "a: &x 1\nb: *x\n", "set", "a", "2", KB_YAML_EDIT_ERROR_ALIAS, "Line 1" },
  { "a: &x 1\nb: *x\n", "remove", "a", NULL, KB_YAML_EDIT_ERROR_ALIAS, "Line 1" },
  { "- &x a\n- *x\n", "move", "[0]", "1", KB_YAML_EDIT_ERROR_ALIAS, "Line 1" },
  { "a:\n  <<: {n: 1}\n", "set", "a[\"<<\"].n", "2", KB_YAML_EDIT_ERROR_MERGE_KEY, "merge" },
  { "a: 1\na: 2\n", "set", "a", "3", KB_YAML_EDIT_ERROR_DUPLICATE_KEY, "Line 2" },
  { "a: !!js x\n", "set", "a", "3", KB_YAML_EDIT_ERROR_EXPRESSION, "!!js" },
  { "a:\n  b: [!!js x]\n", "remove", "a", NULL, KB_YAML_EDIT_ERROR_EXPRESSION, "!!js" },
  { "a: 1\n", "remove", "b", NULL, KB_YAML_EDIT_ERROR_NOT_FOUND, "b" },
  { "a: 1\n", "set", "a.b", "2", KB_YAML_EDIT_ERROR_NOT_FOUND, "a.b" },
  { "- a\n", "insert", "[2]", "b", KB_YAML_EDIT_ERROR_NOT_FOUND, "[2]" },
  { "- a\n", "move", "[0]", "1", KB_YAML_EDIT_ERROR_NOT_FOUND, "[0]" },
  { "[a, # 1\n b, c]\n", "move", "[0]", "1", KB_YAML_EDIT_ERROR_SHAPE, "Line 2" },
  { "a: &x {n: 1}\n&y b: *x\n", "remove", "b", NULL, KB_YAML_EDIT_ERROR_ALIAS, "Line 2" },
  { "- {&x a: 1}\n- *x\n", "remove", "[0]", NULL, KB_YAML_EDIT_ERROR_ALIAS, "Line 1" },
  { "a: &x k\nb: {*x : 1}\n", "set", "b.k", "2", KB_YAML_EDIT_ERROR_ALIAS, "Line 2" },
  { "a: !!set {k}\n", "set", "a.l", "2", KB_YAML_EDIT_ERROR_SHAPE, "Line 1" },
  { "- - -\n    - b\n  - c\n", "remove", "[0][0][1]", NULL, KB_YAML_EDIT_ERROR_SHAPE, "Line 1" },
  { "a: !!str # c\n  x # d\n", "set", "a", "7", KB_YAML_EDIT_ERROR_SHAPE, "Line 2" },
  { "a: !!str\n  # c\n  x\n", "set", "a", "7", KB_YAML_EDIT_ERROR_SHAPE, "Line 3" },
  { "a: 1\n", "set", "a", "*x", KB_YAML_EDIT_ERROR_VALUE, "alias" },
  { "a: 1\n", "set", "a", "&x 1", KB_YAML_EDIT_ERROR_VALUE, "anchor" },
  { "a: 1\n", "set", "a", "{[k]: 1}", KB_YAML_EDIT_ERROR_VALUE, "key" },
  { "a: 1\n", "set", "a", "!!set {k}", KB_YAML_EDIT_ERROR_VALUE, "tag" },
  { "a: 1\rb: 2\r", "set", "a", "3", KB_YAML_EDIT_ERROR_SHAPE, "Line 1" },
  { "[ a # 1\n# x\n, b # 2\n, c ]\n", "move", "[0]", "1", KB_YAML_EDIT_ERROR_SHAPE, "Line" },
  { "[ a # 1\n, b # 2\n, c ]\n", "move", "[0]", "2", KB_YAML_EDIT_ERROR_SHAPE, "Line" },
  { "- - a\n  # b\n  - b\n", "move", "[0][1]", "0", KB_YAML_EDIT_ERROR_SHAPE, "Line 1" },
};

static void
test_refusals (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      const Refusal *r = &refusals[i];
      g_autoptr (GBytes) before = g_bytes_new_static (r->before, strlen (r->before));
      g_autoptr (KbYamlChange) change = make_change (r->operation, r->path, r->value);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s %s in %s", r->operation, r->path, r->before);
      g_assert_null (kb_yaml_edit_apply (before, change, KB_YAML_EDIT_DEFAULT, &error));
      g_assert_error (error, KB_YAML_EDIT_ERROR, (int) r->code);
      g_assert_nonnull (strstr (error->message, r->word));
    }
}

static void
test_expressions_on_request (void)
{
  static const char text[] = "a: !!js x # c\n";
  g_autoptr (GBytes) before = g_bytes_new_static (text, strlen (text));
  g_autoptr (KbYamlChange) change = make_change ("set", "a", "3");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) after
      = kb_yaml_edit_apply (before, change, KB_YAML_EDIT_REPLACE_EXPRESSIONS, &error);

  g_assert_no_error (error);
  assert_text (after, "a: 3 # c\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/store/yaml-edit/case/%s", cases[i].why);

      g_test_add_data_func (g_strdelimit (name, " ,'", '-'), &cases[i], test_case);
    }
  g_test_add_func ("/store/yaml-edit/refusals", test_refusals);
  g_test_add_func ("/store/yaml-edit/expressions-on-request", test_expressions_on_request);
  return g_test_run ();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

/*
 * Documents and what the index makes of them, one entry per node: a dot per level, the kind,
 * line and column, the bytes of the span between bars.
 */

typedef struct
{
  const char *name;
  const char *text;
  const char *dump;
} YamlTree;

static const YamlTree yaml_trees[] = {
  { "block",
    "# c\n"
    "- id: a   # tail\n"
    "  n: 10\n"
    "- b\n",
    "seq 2:1 |- id: a   # tail\n"
    "  n: 10\n"
    "- b|\n"
    ".map 2:3 |id: a   # tail\n"
    "  n: 10|\n"
    "..scalar 2:3 |id|\n"
    "..scalar 2:7 |a|\n"
    "..scalar 3:3 |n|\n"
    "..scalar 3:6 |10|\n"
    ".scalar 4:3 |b|\n" },
  { "quoted",
    "a: \"x\\ty\"\n"
    "b: 'it''s' # c\n"
    "\"k k\" : \"\"\n",
    "map 1:1 |a: \"x\\ty\"\n"
    "b: 'it''s' # c\n"
    "\"k k\" : \"\"|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |\"x\\ty\"|\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:4 |'it''s'|\n"
    ".scalar 3:1 |\"k k\"|\n"
    ".scalar 3:9 |\"\"|\n" },
  { "spaces-in-keys",
    "key with spaces : 1\n"
    "http://x:2: 3\n",
    "map 1:1 |key with spaces : 1\n"
    "http://x:2: 3|\n"
    ".scalar 1:1 |key with spaces|\n"
    ".scalar 1:19 |1|\n"
    ".scalar 2:1 |http://x:2|\n"
    ".scalar 2:13 |3|\n" },
  { "tab-after-colon",
    "a:\t1\n"
    "b:\t\t'x'\t# c\n",
    "map 1:1 |a:\t1\n"
    "b:\t\t'x'|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |1|\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:5 |'x'|\n" },
  { "flow", "{a: 1, b: [x, {p: q}], c, \"d\":1, e: ,}\n",
    "map 1:1 |{a: 1, b: [x, {p: q}], c, \"d\":1, e: ,}|\n"
    ".scalar 1:2 |a|\n"
    ".scalar 1:5 |1|\n"
    ".scalar 1:8 |b|\n"
    ".seq 1:11 |[x, {p: q}]|\n"
    "..scalar 1:12 |x|\n"
    "..map 1:15 |{p: q}|\n"
    "...scalar 1:16 |p|\n"
    "...scalar 1:19 |q|\n"
    ".scalar 1:24 |c|\n"
    ".scalar 1:25 ||\n"
    ".scalar 1:27 |\"d\"|\n"
    ".scalar 1:31 |1|\n"
    ".scalar 1:34 |e|\n"
    ".scalar 1:36 ||\n" },
  { "flow-lines",
    "a: [\n"
    "  x, # c\n"
    "  y,\n"
    "]\n"
    "b: {\n"
    "  k: v # ]\n"
    "}\n",
    "map 1:1 |a: [\n"
    "  x, # c\n"
    "  y,\n"
    "]\n"
    "b: {\n"
    "  k: v # ]\n"
    "}|\n"
    ".scalar 1:1 |a|\n"
    ".seq 1:4 |[\n"
    "  x, # c\n"
    "  y,\n"
    "]|\n"
    "..scalar 2:3 |x|\n"
    "..scalar 3:3 |y|\n"
    ".scalar 5:1 |b|\n"
    ".map 5:4 |{\n"
    "  k: v # ]\n"
    "}|\n"
    "..scalar 6:3 |k|\n"
    "..scalar 6:6 |v|\n" },
  { "flow-pairs", "[a: 1, ? b : 2, \"c\":3, ? d]\n",
    "seq 1:1 |[a: 1, ? b : 2, \"c\":3, ? d]|\n"
    ".map 1:2 |a: 1|\n"
    "..scalar 1:2 |a|\n"
    "..scalar 1:5 |1|\n"
    ".map 1:8 |? b : 2|\n"
    "..scalar 1:10 |b|\n"
    "..scalar 1:14 |2|\n"
    ".map 1:17 |\"c\":3|\n"
    "..scalar 1:17 |\"c\"|\n"
    "..scalar 1:21 |3|\n"
    ".map 1:24 |? d|\n"
    "..scalar 1:26 |d|\n"
    "..scalar 1:27 ||\n" },
  { "flow-empty", "[]\n", "seq 1:1 |[]|\n" },
  { "flow-empty-keys", "{: a, b, ? , ? c}\n",
    "map 1:1 |{: a, b, ? , ? c}|\n"
    ".scalar 1:2 ||\n"
    ".scalar 1:4 |a|\n"
    ".scalar 1:7 |b|\n"
    ".scalar 1:8 ||\n"
    ".scalar 1:11 ||\n"
    ".scalar 1:11 ||\n"
    ".scalar 1:16 |c|\n"
    ".scalar 1:17 ||\n" },
  { "empty-values",
    "a:\n"
    "b: # c\n"
    "\n"
    "c: ~\n"
    "d: !!str\n"
    "e: &x\n",
    "map 1:1 |a:\n"
    "b: # c\n"
    "\n"
    "c: ~\n"
    "d: !!str\n"
    "e: &x|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:3 ||\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:3 ||\n"
    ".scalar 4:1 |c|\n"
    ".scalar 4:4 |~|\n"
    ".scalar 5:1 |d|\n"
    ".scalar 5:9 ||\n"
    ".scalar 6:1 |e|\n"
    ".scalar 6:6 ||\n" },
  { "empty-items",
    "- a\n"
    "-\n"
    "- # c\n"
    "- !!js\n"
    "- b\n"
    "-",
    "seq 1:1 |- a\n"
    "-\n"
    "- # c\n"
    "- !!js\n"
    "- b\n"
    "-|\n"
    ".scalar 1:3 |a|\n"
    ".scalar 2:2 ||\n"
    ".scalar 3:2 ||\n"
    ".scalar 4:7 ||\n"
    ".scalar 5:3 |b|\n"
    ".scalar 6:2 ||\n" },
  { "same-indent",
    "k:\n"
    "- a\n"
    "- b\n"
    "z: 1\n",
    "map 1:1 |k:\n"
    "- a\n"
    "- b\n"
    "z: 1|\n"
    ".scalar 1:1 |k|\n"
    ".seq 2:1 |- a\n"
    "- b|\n"
    "..scalar 2:3 |a|\n"
    "..scalar 3:3 |b|\n"
    ".scalar 4:1 |z|\n"
    ".scalar 4:4 |1|\n" },
  { "nested-dashes",
    "- - a\n"
    "  - b\n"
    "-\n"
    "  - c\n",
    "seq 1:1 |- - a\n"
    "  - b\n"
    "-\n"
    "  - c|\n"
    ".seq 1:3 |- a\n"
    "  - b|\n"
    "..scalar 1:5 |a|\n"
    "..scalar 2:5 |b|\n"
    ".seq 4:3 |- c|\n"
    "..scalar 4:5 |c|\n" },
  { "explicit-keys",
    "? a\n"
    ": b\n"
    "? c\n"
    "? [d]\n"
    ": - e\n",
    "map 1:1 |? a\n"
    ": b\n"
    "? c\n"
    "? [d]\n"
    ": - e|\n"
    ".scalar 1:3 |a|\n"
    ".scalar 2:3 |b|\n"
    ".scalar 3:3 |c|\n"
    ".scalar 3:4 ||\n"
    ".seq 4:3 |[d]|\n"
    "..scalar 4:4 |d|\n"
    ".seq 5:3 |- e|\n"
    "..scalar 5:5 |e|\n" },
  { "literal",
    "a: |  # c\n"
    "  one\n"
    "   two\n"
    "\n"
    "b: |-\n"
    "  x\n"
    "\n"
    "# c\n"
    "c: 1\n",
    "map 1:1 |a: |  # c\n"
    "  one\n"
    "   two\n"
    "\n"
    "b: |-\n"
    "  x\n"
    "\n"
    "# c\n"
    "c: 1|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 ||  # c\n"
    "  one\n"
    "   two|\n"
    ".scalar 5:1 |b|\n"
    ".scalar 5:4 ||-\n"
    "  x|\n"
    ".scalar 9:1 |c|\n"
    ".scalar 9:4 |1|\n" },
  { "literal-keep",
    "a: |+\n"
    "  x\n"
    "\n"
    "\n"
    "b: 1\n",
    "map 1:1 |a: |+\n"
    "  x\n"
    "\n"
    "\n"
    "b: 1|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 ||+\n"
    "  x\n"
    "\n"
    "|\n"
    ".scalar 5:1 |b|\n"
    ".scalar 5:4 |1|\n" },
  { "literal-spaces",
    "a: |\n"
    "  x\n"
    "     \n"
    "b: >\n"
    "  y\n"
    " \n"
    "c: >2-\n"
    "    z\n",
    "map 1:1 |a: |\n"
    "  x\n"
    "     \n"
    "b: >\n"
    "  y\n"
    " \n"
    "c: >2-\n"
    "    z|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 ||\n"
    "  x\n"
    "     |\n"
    ".scalar 4:1 |b|\n"
    ".scalar 4:4 |>\n"
    "  y|\n"
    ".scalar 7:1 |c|\n"
    ".scalar 7:4 |>2-\n"
    "    z|\n" },
  { "literal-empty",
    "a: |\n"
    "b: > # c\n"
    "c: |+\n"
    "\n"
    "d: 1\n",
    "map 1:1 |a: |\n"
    "b: > # c\n"
    "c: |+\n"
    "\n"
    "d: 1|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |||\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:4 |>|\n"
    ".scalar 3:1 |c|\n"
    ".scalar 3:4 ||+\n"
    "|\n"
    ".scalar 5:1 |d|\n"
    ".scalar 5:4 |1|\n" },
  { "literal-no-newline",
    "- |\n"
    " x\n"
    "- >-\n"
    " y",
    "seq 1:1 |- |\n"
    " x\n"
    "- >-\n"
    " y|\n"
    ".scalar 1:3 ||\n"
    " x|\n"
    ".scalar 3:3 |>-\n"
    " y|\n" },
  { "literal-root",
    "--- |\n"
    " x\n"
    "...\n",
    "scalar 1:5 ||\n"
    " x|\n" },
  { "plain-lines",
    "a: one\n"
    "  two\n"
    "\n"
    "  three # c\n"
    "b: \"x\n"
    "  y\"\n"
    "c: 'p\n"
    "  q'\n",
    "map 1:1 |a: one\n"
    "  two\n"
    "\n"
    "  three # c\n"
    "b: \"x\n"
    "  y\"\n"
    "c: 'p\n"
    "  q'|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |one\n"
    "  two\n"
    "\n"
    "  three|\n"
    ".scalar 5:1 |b|\n"
    ".scalar 5:4 |\"x\n"
    "  y\"|\n"
    ".scalar 7:1 |c|\n"
    ".scalar 7:4 |'p\n"
    "  q'|\n" },
  { "crlf",
    "a: 1\r\n"
    "b:\r\n"
    "  - x\r\n"
    "  - |\r\n"
    "    l\r\n"
    "c:\r\n",
    "map 1:1 |a: 1\r\n"
    "b:\r\n"
    "  - x\r\n"
    "  - |\r\n"
    "    l\r\n"
    "c:|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |1|\n"
    ".scalar 2:1 |b|\n"
    ".seq 3:3 |- x\r\n"
    "  - |\r\n"
    "    l|\n"
    "..scalar 3:5 |x|\n"
    "..scalar 4:5 ||\r\n"
    "    l|\n"
    ".scalar 6:1 |c|\n"
    ".scalar 6:3 ||\n" },
  { "cr", "a: x\rb: y\r",
    "map 1:1 |a: x\rb: y|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |x|\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:4 |y|\n" },
  { "bom",
    "\xef\xbb\xbf"
    "a: 1\n"
    "b: 2\n",
    "map 1:1 |a: 1\n"
    "b: 2|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |1|\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:4 |2|\n" },
  { "bom-comment",
    "\xef\xbb\xbf"
    "# c\n"
    "- a\n",
    "seq 2:1 |- a|\n"
    ".scalar 2:3 |a|\n" },
  { "cjk",
    "中文: 😀 x\n"
    "键: [模型, '名']\n"
    "b: é\n",
    "map 1:1 |中文: 😀 x\n"
    "键: [模型, '名']\n"
    "b: é|\n"
    ".scalar 1:1 |中文|\n"
    ".scalar 1:5 |😀 x|\n"
    ".scalar 2:1 |键|\n"
    ".seq 2:4 |[模型, '名']|\n"
    "..scalar 2:5 |模型|\n"
    "..scalar 2:9 |'名'|\n"
    ".scalar 3:1 |b|\n"
    ".scalar 3:4 |é|\n" },
  { "tags",
    "a: !!js process.env.X ?? 'd' # c\n"
    "b: [!!js x, !local y]\n"
    "c: !!js |\n"
    "  z\n"
    "d: !<tag:yaml.org,2002:js> v\n",
    "map 1:1 |a: !!js process.env.X ?? 'd' # c\n"
    "b: [!!js x, !local y]\n"
    "c: !!js |\n"
    "  z\n"
    "d: !<tag:yaml.org,2002:js> v|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:9 |process.env.X ?? 'd'|\n"
    ".scalar 2:1 |b|\n"
    ".seq 2:4 |[!!js x, !local y]|\n"
    "..scalar 2:10 |x|\n"
    "..scalar 2:20 |y|\n"
    ".scalar 3:1 |c|\n"
    ".scalar 3:9 ||\n"
    "  z|\n"
    ".scalar 5:1 |d|\n"
    ".scalar 5:28 |v|\n" },
  { "js-lines",
    "a: !!js (() => {\n"
    "  return 1 })()\n"
    "b: !!js \"x === 'a'\"\n",
    "map 1:1 |a: !!js (() => {\n"
    "  return 1 })()\n"
    "b: !!js \"x === 'a'\"|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:9 |(() => {\n"
    "  return 1 })()|\n"
    ".scalar 3:1 |b|\n"
    ".scalar 3:9 |\"x === 'a'\"|\n" },
  { "anchors",
    "a: &x {k: v}\n"
    "b: *x\n"
    "&y c: &z !!str 1\n"
    "*y : [*z, *x ]\n",
    "map 1:1 |a: &x {k: v}\n"
    "b: *x\n"
    "&y c: &z !!str 1\n"
    "*y : [*z, *x ]|\n"
    ".scalar 1:1 |a|\n"
    ".map 1:7 |{k: v}|\n"
    "..scalar 1:8 |k|\n"
    "..scalar 1:11 |v|\n"
    ".scalar 2:1 |b|\n"
    ".alias 2:4 |*x|\n"
    ".scalar 3:4 |c|\n"
    ".scalar 3:16 |1|\n"
    ".alias 4:1 |*y|\n"
    ".seq 4:6 |[*z, *x ]|\n"
    "..alias 4:7 |*z|\n"
    "..alias 4:11 |*x|\n" },
  { "anchor-block",
    "a: &x\n"
    "  k: v\n"
    "b: &y\n"
    "- 1\n"
    "c: !!map &z # c\n"
    "  k: v\n",
    "map 1:1 |a: &x\n"
    "  k: v\n"
    "b: &y\n"
    "- 1\n"
    "c: !!map &z # c\n"
    "  k: v|\n"
    ".scalar 1:1 |a|\n"
    ".map 2:3 |k: v|\n"
    "..scalar 2:3 |k|\n"
    "..scalar 2:6 |v|\n"
    ".scalar 3:1 |b|\n"
    ".seq 4:1 |- 1|\n"
    "..scalar 4:3 |1|\n"
    ".scalar 5:1 |c|\n"
    ".map 6:3 |k: v|\n"
    "..scalar 6:3 |k|\n"
    "..scalar 6:6 |v|\n" },
  { "document",
    "%YAML 1.2\n"
    "# c\n"
    "---\n"
    "- a\n"
    "...\n"
    "# end\n",
    "seq 4:1 |- a|\n"
    ".scalar 4:3 |a|\n" },
  { "document-inline",
    "--- [a]\n"
    "...\n"
    "...\n",
    "seq 1:5 |[a]|\n"
    ".scalar 1:6 |a|\n" },
  { "null-document",
    "---\n"
    "# c\n",
    "scalar 1:4 ||\n" },
  { "comments-only",
    "# a\n"
    "  # b\n",
    "" },
  { "nothing", "", "" },
  { "blank",
    "\n"
    " \n",
    "" },
  { "dots", "...\n", "" },
  { "merge",
    "<<: {a: 1}\n"
    "b: 2\n",
    "map 1:1 |<<: {a: 1}\n"
    "b: 2|\n"
    ".scalar 1:1 |<<|\n"
    ".map 1:5 |{a: 1}|\n"
    "..scalar 1:6 |a|\n"
    "..scalar 1:9 |1|\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:4 |2|\n" },
  { "indicators",
    "a: -1\n"
    "b: ?x\n"
    "c: :x\n"
    "-d: a:b\n",
    "map 1:1 |a: -1\n"
    "b: ?x\n"
    "c: :x\n"
    "-d: a:b|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |-1|\n"
    ".scalar 2:1 |b|\n"
    ".scalar 2:4 |?x|\n"
    ".scalar 3:1 |c|\n"
    ".scalar 3:4 |:x|\n"
    ".scalar 4:1 |-d|\n"
    ".scalar 4:5 |a:b|\n" },
  { "tab-lines",
    "- a: 1\n"
    "\t\n"
    "- b: 2\n"
    " \t# c\n",
    "seq 1:1 |- a: 1\n"
    "\t\n"
    "- b: 2|\n"
    ".map 1:3 |a: 1|\n"
    "..scalar 1:3 |a|\n"
    "..scalar 1:6 |1|\n"
    ".map 3:3 |b: 2|\n"
    "..scalar 3:3 |b|\n"
    "..scalar 3:6 |2|\n" },
  { "duplicates",
    "a: 1\n"
    "a: 2\n",
    "map 1:1 |a: 1\n"
    "a: 2|\n"
    ".scalar 1:1 |a|\n"
    ".scalar 1:4 |1|\n"
    ".scalar 2:1 |a|\n"
    ".scalar 2:4 |2|\n" },
};

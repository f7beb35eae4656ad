#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""House rules of the C sources that a compiler does not hold; CONTRIBUTING.md explains them."""

import pathlib
import re
import sys

FUNCTION_LINES = 60
FILE_LINES = 700
LINE_LENGTH = 100
NESTING = 5
DOCUMENTED = {"core", "store", "dialect", "ipc", "client"}

SPDX = ("// SPDX-License-Identifier: GPL-3.0-or-later", "// SPDX-FileCopyrightText: ")

UNNAMED = "give every source a name at once"

# (pattern, what to do instead)
PATTERNS = [
    (r"\bgoto\b", "no goto: use g_autoptr and early returns"),
    (r"\b(gchar|gint|guchar|gfloat|gdouble|glong|gshort)\b", "write the plain C type"),
    (r"\bG_DEFINE_TYPE\s*\(", "use G_DEFINE_FINAL_TYPE"),
    (r"\bg_object_notify\s*\(", "notify by pspec"),
    (r"\bg_error\s*\(", "no g_error: it aborts"),
    (r"\b(TODO|FIXME|XXX)\b", "finish it or open an issue"),
    (r"\bg_task_new\s*\([^;]*;(?!\s*g_task_set_(static_)?(source_tag|name))", "give every GTask a source tag at once"),
    (r"\bg_(?:timeout|idle|unix_signal|unix_fd)_add\w*\s*\([^;]*;(?!\s*g_source_set_name_by_id)", UNNAMED),
    (r"[ \t]+$", "trailing space"),
    (r"\t", "no tabs"),
]
PATTERNS = [(re.compile(pattern, re.M), remedy) for pattern, remedy in PATTERNS]

FUNCTION = re.compile(r"^(?!static\b|typedef\b|struct\b|enum\b)[A-Za-z_][\w \t*]*\n([a-z_]\w*) \(", re.M)


def strip_comments(text):
    """Blanks comments and strings, keeping lines and columns."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def check_header(lines):
    for number, start in enumerate(SPDX):
        if len(lines) <= number or not lines[number].startswith(start):
            yield number + 1, f"line {number + 1} begins with {start}"


def check_functions(code):
    start, depth, deepest = None, 0, 0
    for number, line in enumerate(code.split("\n"), 1):
        if line.startswith("{"):
            start, depth, deepest = number, 0, 0
        if start is not None:
            depth += line.count("{") - line.count("}")
            deepest = max(deepest, depth)
        if line.startswith("}") and start is not None:
            if number - start - 1 > FUNCTION_LINES:
                yield start, f"function of {number - start - 1} lines: at most {FUNCTION_LINES}"
            if deepest > NESTING:
                yield start, f"nesting of {deepest} levels: at most {NESTING}"
            start = None


def check_doc_comments(text):
    for match in FUNCTION.finditer(text):
        name = match.group(1)
        if name == "main" or re.search(rf"/\*\*\n \* {re.escape(name)}:\n", text):
            continue
        yield line_of(text, match.start()), f"document {name}"


def check_text(path, text):
    lines = text.split("\n")
    code = strip_comments(text)
    yield from check_header(lines)
    for pattern, remedy in PATTERNS:
        if remedy == UNNAMED and "src" not in path.parts:
            continue
        source = text if remedy in ("finish it or open an issue", "trailing space", "no tabs") else code
        for match in pattern.finditer(source):
            yield line_of(source, match.start()), remedy
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LENGTH:
            yield number, f"line of {len(line)} characters: at most {LINE_LENGTH}"
    if len(lines) > FILE_LINES:
        yield len(lines), f"file of {len(lines)} lines: at most {FILE_LINES}"
    if path.suffix == ".h" and "#pragma once" not in text:
        yield 1, "headers begin with #pragma once"
    if path.suffix == ".c":
        yield from check_functions(code)
        parts = path.parts
        if "src" in parts and parts[parts.index("src") + 1] in DOCUMENTED:
            yield from check_doc_comments(text)


def check_tree(root):
    root = pathlib.Path(root)
    for folder in ("src", "tests"):
        for path in sorted((root / folder).glob("**/*.[ch]")):
            relative = path.relative_to(root)
            for line, what in check_text(relative, path.read_text(encoding="utf-8")):
                yield f"{relative}:{line}: {what}"


if __name__ == "__main__":
    findings = list(check_tree(sys.argv[1]))
    print("\n".join(findings) or "the house rules hold")
    sys.exit(1 if findings else 0)

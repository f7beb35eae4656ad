#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Every language in po/LINGUAS has every message, with the same formats and mnemonics."""

import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import pofile  # noqa: E402

DIRECTIVE = re.compile(r"%(?:(\d+)\$)?([-#0 +']*\d*(?:\.\d+)?(?:hh|h|ll|l|j|z|t)?[a-zA-Z%])")
REMEDY = "meson compile -C build/dev koboshi-update-po, then translate what is empty or fuzzy"


def directives(text):
    """What a format takes, argument by argument."""
    found = []
    for match in DIRECTIVE.finditer(text):
        if match[2] != "%":
            found.append((int(match[1]) if match[1] else len(found) + 1, match[2]))
    return sorted(found)


def compare(original, translation):
    """What is wrong with one translation of a text; mnemonics are left to msgfmt."""
    if directives(original) != directives(translation):
        return "the formats differ"
    if original.endswith("\n") != translation.endswith("\n"):
        return "only one of the two ends with a line break"
    return None


def check_message(wanted, message):
    if message is None or not message.strings or not all(message.strings):
        return "not translated"
    if "fuzzy" in message.flags:
        return "fuzzy"
    if message.plural != wanted.plural:
        return "the plural differs"
    if wanted.context == "time":  # for a clock, which may be written in any order
        return None
    original = wanted.plural if wanted.plural is not None else wanted.id
    return compare(original, message.strings[-1])


def check_language(name, template, translations):
    """Yields a finding for each message of the template that a language lacks or got wrong."""
    known = {message.key: message for message in translations}
    for wanted in template:
        wrong = check_message(wanted, known.get(wanted.key))
        if wrong:
            yield f"po/{name}.po: {wrong}: {wanted.id!r}"


def check_with_msgfmt(root, name):
    done = subprocess.run(["msgfmt", "--check", "--check-accelerators=_", "--output-file=/dev/null", f"po/{name}.po"],
                          cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield from done.stderr.splitlines()


def check_tree(root):
    root = pathlib.Path(root)
    text, complaints = pofile.make_template(root)
    yield from (line for line in complaints if "warning:" in line or "error:" in line)
    template = pofile.parse(text)
    if not template:
        yield "po/POTFILES.in: xgettext finds no message at all"
    for name in pofile.read_languages(root):
        translations = pofile.parse((root / "po" / f"{name}.po").read_text(encoding="utf-8"))
        yield from check_language(name, template, translations)
        yield from check_with_msgfmt(root, name)


if __name__ == "__main__":
    if shutil.which("xgettext") is None or shutil.which("msgfmt") is None:
        print("the gettext tools are not installed")
        sys.exit(77)
    findings = list(check_tree(sys.argv[1]))
    print("\n".join(findings + [REMEDY]) if findings else "the translations are complete")
    sys.exit(1 if findings else 0)

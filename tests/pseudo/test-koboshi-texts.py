#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Everything the panel shows or speaks goes through gettext. TAP output."""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

import pseudo

WITH_DISPLAY, PROGRAM, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])

# What is the same in every language: the names of the showcase, paths, places, versions,
# numbers, times, keys of the keyboard; and the toolkit's own words, which it translates itself.
NAMES = re.compile("|".join([
    r"(?:~?/|\b(?:profiles|daruma)/)\S*",
    r"[\w.-]*(?:\.\w+|:\d+)[\w.:-]*",
    r"\S*::\S*",
    r"\b[\w]+(?:-[\w…]+)+\S*",
    r"\b(?:Ctrl|Shift|Alt)\+\S+|\bF\d+\b",
    r"\b(?:web|headless|demo|写作|lumen|nimbus|ghost|retired|harbor|yunque|月光|undefined)\b",
]))
WARRANTY = ("This application comes with absolutely no warranty. See the GNU General Public License, version 3 or "
            "later for details.")
TOOLKIT = re.compile(
    r"(?:\(None\)|Close|Close Window|Close the window|Back|Clear [Ee]ntry|Search|Search…|Minimize|Maximize"
    r"|(?:Minimize|Maximize) the window|About|Details|Legal|Report an Issue|Website|Credits|Troubleshooting|What’s New"
    r"|Support Questions|Acknowledgements|Other Apps by.*|To assist in troubleshooting,.*|Debugging Information"
    r"|Copy Text|Save As…|Translated by|https:\S*)")
SHORTCUTS_WINDOW = re.compile(r"Ctrl|Shift|Alt|Home|Delete|Search Shortcuts|Search Results|Show All|No Results Found|"
                              r"Try a different search|Shortcuts")


def is_of_toolkit(page, words):
    return TOOLKIT.fullmatch(words) or (page == "shortcuts" and SHORTCUTS_WINDOW.fullmatch(words))


def run(folder):
    environment = pseudo.build(ROOT, folder)
    done = subprocess.run([WITH_DISPLAY, PROGRAM], env=environment, stdout=subprocess.PIPE, timeout=170, check=False)
    return done.returncode, done.stdout.decode("utf-8")


def main():
    if shutil.which("xgettext") is None or shutil.which("localedef") is None:
        print("1..0 # SKIP the gettext tools or localedef are not installed")
        return 0
    with tempfile.TemporaryDirectory(prefix="koboshi-pseudo-") as folder:
        status, text = run(folder)
    if status == 77:
        print("1..0 # SKIP there is no display")
        return 0
    raw, pages = collections.defaultdict(list), []
    for line in (line for line in text.split("\n") if line.count("\t") == 2):
        page, kind, words = line.split("\t", 2)
        if page not in pages:
            pages.append(page)
        words = words.strip("\"'").replace(WARRANTY, "")
        if not is_of_toolkit(page, words):
            raw[page] += [f"{kind}: {found}" for found in pseudo.find_raw(words, NAMES)]
    checks = [(f"the texts of the page: {page}", raw[page]) for page in pages]
    checks += [("the window was walked to the end", [] if status == 0 and len(pages) >= 13 else [status, pages]),
               ("the language was active", [] if text.count("⟦") > 300 else [text.count("⟦")])]
    print(f"1..{len(checks)}")
    for number, (what, wrong) in enumerate(checks, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} {what}")
        for found in wrong:
            print(f"# {found}")
    return 1 if any(wrong for _, wrong in checks) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""po/POTFILES.in names every file with translatable text, and only files that exist."""

import pathlib
import re
import sys

MARKED = re.compile(r'\b(?:_|N_|C_|ngettext|dngettext)\s*\(\s*"|\bg_dngettext\s*\(\s*GETTEXT_PACKAGE,\s*"'
                    r'|translatable="(?:yes|true)"|<developer_name>')


def files_with_text(root):
    for pattern in ("src/**/*.c", "src/**/*.ui", "data/*.desktop.in", "data/*.metainfo.xml.in", "data/*.gschema.xml"):
        for path in root.glob(pattern):
            if path.suffix not in (".c", ".ui") or MARKED.search(path.read_text(encoding="utf-8")):
                yield str(path.relative_to(root))


def check_tree(root):
    root = pathlib.Path(root)
    listing = root / "po" / "POTFILES.in"
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.exists() else []
    named = {line for line in lines if line and not line.startswith("#")}
    wanted = set(files_with_text(root))
    for name in sorted(wanted - named):
        yield f"po/POTFILES.in: add {name}"
    for name in sorted(named - wanted):
        yield f"po/POTFILES.in: remove {name}: it does not exist or has no marked text"


if __name__ == "__main__":
    findings = list(check_tree(sys.argv[1]))
    print("\n".join(findings) or "POTFILES.in is complete")
    sys.exit(1 if findings else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Reads meson's JUnit report and prints: N passed, N failed, N skipped."""

import os
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = skipped = 0
cases = ElementTree.parse(sys.argv[1]).iter("testcase") if os.path.exists(sys.argv[1]) else ()
for case in cases:
    kinds = {child.tag for child in case}
    if kinds & {"failure", "error"}:
        failed += 1
        print(f"failed: {case.get('classname')} {case.get('name')}")
    elif "skipped" in kinds:
        skipped += 1
        reason = case.find("skipped").get("message") or ""
        print(f"skipped: {case.get('classname')} {case.get('name')} {reason}".rstrip())
    else:
        passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)

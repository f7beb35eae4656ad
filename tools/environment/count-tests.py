#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""count-tests.py LOGS: reads meson's reports and prints what failed, what was skipped, and at
last: N passed, N failed, N skipped. A case of a test program counts as a test."""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

GOOD = {"OK", "SKIP", "EXPECTEDFAIL", "IGNORED"}


def read_cases(report):
    cases = ElementTree.parse(report).iter("testcase") if report.exists() else ()
    for case in cases:
        kinds = {child.tag for child in case}
        name = f"{case.get('classname')} {case.get('name')}"
        if kinds & {"failure", "error"}:
            yield "failed", name
        elif "skipped" in kinds:
            yield "skipped", f"{name} {case.find('skipped').get('message') or ''}".rstrip()
        else:
            yield "passed", name


def read_bad_programs(log):
    """Programs that failed as such: all their cases may have passed before they leaked or crashed."""
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else ()
    for line in lines:
        test = json.loads(line)
        if test["result"] not in GOOD:
            yield f"{test['name']} ({test['result']})"


def main(logs):
    cases = list(read_cases(logs / "testlog.junit.xml"))
    bad = list(read_bad_programs(logs / "testlog.json"))
    for kind, name in cases:
        if kind != "passed":
            print(f"{kind}: {name}")
    for name in bad:
        print(f"failed: {name}")
    count = {kind: sum(1 for case in cases if case[0] == kind) for kind in ("passed", "failed", "skipped")}
    count["failed"] = max(count["failed"], len(bad))
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

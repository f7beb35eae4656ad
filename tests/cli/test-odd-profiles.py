#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Profiles as people have them, each edited by a verb: the bytes around the change stay. TAP."""

import json
import os
import sys
import traceback

from odd_profiles import CASES, Home

PROGRAM = os.path.abspath(sys.argv[1])


def changed(text, old, new):
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


def check(case):
    _, name, text, words, old, new, *more = case
    files = {name: text, **(more[0] if more else {})}
    with Home(PROGRAM, files) as home:
        before = home.snapshot()
        if isinstance(old, int):
            _, errors = home.run(*words, status=old)
            assert new in errors, errors
            assert home.snapshot() == before
            return
        want = dict(before)
        if more:
            other, old, new = more[1]
            want[other] = changed(before[other], old, new)
        else:
            want[name] = changed(before[name], old, new)
        diff = json.loads(home.run(*words, '--dry-run', '--json')[0])['diff']
        assert home.snapshot() == before, 'a dry run changed something'
        answer = json.loads(home.run(*words, '--json')[0])
        after = home.snapshot()
        for file, expected in want.items():
            assert after[file] == expected, after[file][-3000:]
        assert set(after) == set(want), set(after) ^ set(want)
        assert answer['changed'] and answer['diff'] == diff
        home.run('undo')
        assert home.snapshot() == before, 'undo is not exact'


def main():
    print(f'1..{len(CASES)}')
    failed = 0
    for number, case in enumerate(CASES, 1):
        try:
            check(case)
            print(f'ok {number} {case[0]}', flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f'not ok {number} {case[0]}', flush=True)
            for line in traceback.format_exc().splitlines():
                print('# ' + line)
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The scripts behind tools/dev, where a newcomer's machine differs from ours. TAP output.

    test-tools.py SOURCE
"""

import os
import pwd
import subprocess
import sys
import tempfile

SOURCE = os.path.abspath(sys.argv[1])
SCRIPTS = os.path.join(SOURCE, 'tools/environment')
OURS = pwd.getpwuid(os.getuid()).pw_dir


def run(*words, **environment):
    kept = {'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8'}
    kept.update({name: value for name, value in environment.items() if value is not None})
    return subprocess.run(words, env=kept, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)


def test_cache():
    """Where the root folder goes, whatever of HOME and XDG_CACHE_HOME is set."""
    script = 'SOURCE=%s; . "$SOURCE/tools/environment/setup.sh"; echo "$CACHE $HOME"' % SOURCE
    for home, cache, expected in (('/h', None, '/h/.cache/koboshi /h'),
                                  ('/h', '/c', '/c/koboshi /h'),
                                  ('/h', 'relative', '/h/.cache/koboshi /h'),
                                  (None, '/c', '/c/koboshi ' + OURS),
                                  (None, None, OURS + '/.cache/koboshi ' + OURS),
                                  ('', '', OURS + '/.cache/koboshi ' + OURS)):
        result = run('bash', '-euo', 'pipefail', '-c', script, HOME=home, XDG_CACHE_HOME=cache)
        assert result.returncode == 0 and result.stdout.strip() == expected, (home, cache, result)


def test_run_prints():
    """Without a display, what only prints is run as it is: no server, no pictures."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'koboshi')
        with open(program, 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\necho "koboshi $* ${DISPLAY:-nowhere}"\nexit 3\n')
        os.chmod(program, 0o755)
        for words in (['--version'], ['--help'], ['--help-all'], ['-h'], ['--demo', '--version']):
            result = run(os.path.join(SCRIPTS, 'headless-run.sh'), *words,
                         PATH=folder + ':' + os.environ['PATH'])
            assert result.stdout == 'koboshi %s nowhere\n' % ' '.join(words), result
            assert result.returncode == 3 and result.stderr == '', result


def test_display_output():
    """Both streams and the status are the command's; the services are heard if it fails."""
    script = os.path.join(SCRIPTS, 'with-display.sh')
    result = run(script, 'sh', '-c', 'echo out "$DISPLAY" "$DBUS_SESSION_BUS_ADDRESS"; echo err >&2')
    assert result.returncode == 0 and result.stderr == 'err\n', result
    assert result.stdout.startswith('out :') and 'unix:' in result.stdout, result
    assert len(result.stdout.splitlines()) == 1, result
    result = run(script, 'sh', '-c', 'exit 7')
    assert result.returncode == 7 and 'fd limit' not in result.stderr and result.stdout == '', result
    result = run(script, '/nowhere/at-all')
    assert result.returncode not in (0, 7) and '/nowhere/at-all' in result.stderr, result


def main():
    tests = [test_cache, test_run_prints, test_display_output]
    print('1..%d' % len(tests))
    failed = False
    for number, function in enumerate(tests, 1):
        try:
            function()
            print('ok %d /tools/%s' % (number, function.__name__[5:].replace('_', '-')))
        except AssertionError as error:
            failed = True
            print('not ok %d /tools/%s' % (number, function.__name__[5:].replace('_', '-')))
            print('# ' + str(error).replace('\n', '\n# '))
    return 1 if failed else 0


sys.exit(main())

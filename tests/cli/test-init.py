#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Makes Koboshi's own home and works in it. TAP."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import traceback

PROGRAM = os.path.abspath(sys.argv[1])


class User:
    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix='koboshi-init-')
        self.own = os.path.join(self.top, 'config', 'koboshi')
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def run(self, *words, status=0):
        environment = {key: value for key, value in os.environ.items()
                       if key == 'PATH' or key.endswith('SAN_OPTIONS')}
        environment.update(HOME=os.path.join(self.top, 'user'), LC_ALL='C.UTF-8',
                           XDG_CONFIG_HOME=os.path.join(self.top, 'config'),
                           XDG_STATE_HOME=os.path.join(self.top, 'state'), G_DEBUG='fatal-warnings')
        done = subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120, env=environment)
        out, errors = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == status, (words, done.returncode, out, errors)
        return out, errors

    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.top)
                      for folder, _, names in os.walk(self.top) for name in names)


OWN = ['config/koboshi/profiles/default/cordis.patch.yml',
       'config/koboshi/profiles/default/package.json', 'config/koboshi/settings.yaml']


def test_own_home():
    with User() as user:
        _, errors = user.run('status', status=1)
        assert 'koboshictl init' in errors, errors
        out, _ = user.run('init', '--dry-run')
        assert out.startswith(f'Would make the home {user.own}') and user.files() == [], out
        out, errors = user.run('init')
        assert out.startswith(f'Made the home {user.own} with the profile “default”\n'), out
        assert errors == '' and user.files() == OWN, (errors, user.files())
        for name in OWN:
            path = os.path.join(user.top, name)
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, path
        assert stat.S_IMODE(os.stat(user.own).st_mode) == 0o700
        out, _ = user.run('init')
        assert out.startswith('Nothing to do'), out
        assert user.run('lint')[0] == 'No problems found\n'
        assert user.run('profiles')[0] == 'default\n'
        assert json.loads(user.run('status', '--json')[0])['home'] == user.own


def test_work_in_it():
    """Every verb that edits finds its place; the linter has nothing to say."""
    with User() as user:
        user.run('init')
        user.run('provider', 'add', 'p', '--api', 'openai-completions', '--base-url',
                 'http://127.0.0.1:9/v1', '--key-name', 'P_KEY', '--models', 'm, n')
        user.run('chain', 'add', 'p::m')
        user.run('chain', 'add', 'p::n')
        user.run('backup', 'set', 'p::n')
        user.run('preset', 'bounded')
        user.run('set', 'koboshi.inRequestWaitMs', '30s')
        assert user.run('chain')[0] == '1  p::m\n2  p::n\n'
        assert user.run('lint')[0] == 'No problems found\n', user.run('lint')
        text = open(os.path.join(user.own, 'profiles/default/cordis.patch.yml'), encoding='utf-8').read()
        assert text.startswith('# The failover chain'), text
        for _ in range(6):
            user.run('undo')
        user.run('undo', status=3)
        assert user.files()[:3] == OWN


def test_elsewhere():
    with User() as user:
        place = os.path.join(user.top, 'else where')
        out, errors = user.run('init', '--home', place, '--profile', 'desk', '--json')
        answer = json.loads(out)
        assert answer['changed'] and answer['home'] == place and answer['profile'] == 'desk', answer
        assert [os.path.relpath(path, place) for path in answer['files']] == [
            'settings.yaml', 'profiles/desk/cordis.patch.yml', 'profiles/desk/package.json'], answer
        assert 'without --home' in errors, errors
        assert user.run('profiles', '--home', place)[0] == 'desk\n'
        assert json.loads(user.run('init', '--home', place, '--profile', 'desk', '--json')[0])['changed'] is False


def test_refused():
    with User() as user:
        host = os.path.join(user.top, 'user', '.dsh')
        os.makedirs(os.path.join(host, 'profiles', 'web'))
        with open(os.path.join(host, 'profiles', 'web', 'package.json'), 'w', encoding='utf-8') as stream:
            stream.write('{}')
        before = user.files()
        _, errors = user.run('init', '--home', host, status=3)
        assert 'dsh --profile default' in errors, errors
        user.run('init', '--profile', '../x', status=2)
        user.run('init', '--profile', 'node_modules', status=2)
        user.run('init', 'x', status=2)
        assert user.files() == before
        _, errors = user.run('init')
        assert host in errors and '--home' in errors, errors


def test_half_made():
    """What is there stays; what is missing is added."""
    with User() as user:
        os.makedirs(os.path.join(user.own, 'profiles', 'default'))
        for name, text in (('settings.yaml', '# mine\n'), ('selection', '[selection]\n')):
            with open(os.path.join(user.own, name), 'w', encoding='utf-8') as stream:
                stream.write(text)
        user.run('init')
        assert open(os.path.join(user.own, 'settings.yaml'), encoding='utf-8').read() == '# mine\n'
        assert user.run('profiles')[0] == 'default\n'


def test_in_the_way():
    with User() as user:
        os.makedirs(os.path.join(user.top, 'config'))
        with open(user.own, 'w', encoding='utf-8') as stream:
            stream.write('a file')
        _, errors = user.run('init', status=1)
        assert user.own in errors, errors
        assert user.files() == ['config/koboshi']


def main():
    tests = [(name[5:].replace('_', ' '), function) for name, function in globals().items()
             if name.startswith('test_')]
    print(f'1..{len(tests)}')
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            function()
            print(f'ok {number} {name}', flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f'not ok {number} {name}', flush=True)
            for line in traceback.format_exc().splitlines():
                print('# ' + line)
    return 1 if failed else 0


sys.exit(main())

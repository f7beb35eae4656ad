#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Runs `koboshictl key` against the real gnome-keyring-daemon on a bus of its own. TAP."""

import importlib.util
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import traceback

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE = 120
# No line of any output, and no file but the daemon's own, may hold this.
CANARY = 'sk-canary-4d1f8a77c2'

spec = importlib.util.spec_from_file_location('keyring_session', sys.argv[2])
keyring_session = importlib.util.module_from_spec(spec)
spec.loader.exec_module(keyring_session)

SETTINGS = """\
llm-pi-ai:
  providers:
    lumen:
      api: openai-completions
      baseURL: http://127.0.0.1:9/v1
      apiKeyEnv: LUMEN_API_KEY
      models: [ { id: orca } ]
    zed:
      api: openai-completions
      baseURL: http://127.0.0.1:9/v1
      apiKeyEnv: LUMEN_API_KEY
      models: [ { id: z } ]
"""


class Home:
    def __init__(self, session):
        self.session = session
        self.outputs = []

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix='koboshi-keys-')
        self.path = os.path.join(self.top, 'home')
        self.write('profiles/web/package.json', '{"dsh":{"profile":{"bundles":["dsh-daruma"]}}}')
        self.write('profiles/web/cordis.patch.yml', '[]\n')
        self.write('settings.yaml', SETTINGS)
        return self

    def __exit__(self, *_):
        for output in self.outputs:
            assert CANARY not in output, output
        for folder, _, names in os.walk(self.top):
            for name in names:
                with open(os.path.join(folder, name), 'rb') as stream:
                    assert CANARY.encode() not in stream.read(), name
        shutil.rmtree(self.top)

    def write(self, name, text, mode=0o600):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(text)
        os.chmod(path, mode)

    def environment(self, **more):
        result = {key: value for key, value in self.session.environment.items()
                  if key in ('PATH', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR')
                  or key.endswith('SAN_OPTIONS')}
        result.update(HOME=os.path.join(self.top, 'user'), LC_ALL='C.UTF-8', TZ='UTC',
                      XDG_CONFIG_HOME=os.path.join(self.top, 'config'),
                      XDG_STATE_HOME=os.path.join(self.top, 'state'),
                      G_DEBUG='fatal-warnings', GIO_USE_VFS='local')
        result.update(more)
        return result

    def run(self, *words, given='', status=0, **more):
        done = subprocess.run([PROGRAM, '--home', self.path, *words],
                              input=given if isinstance(given, bytes) else given.encode(),
                              capture_output=True, timeout=PATIENCE,
                              env=self.environment(**more))
        out, errors = done.stdout.decode(), done.stderr.decode()
        self.outputs += [out, errors]
        assert done.returncode == status, (words, done.returncode, out, errors)
        return out, errors

    def check(self, *words, status=0, **more):
        out, _ = self.run('key', 'check', *words, '--json', status=status, **more)
        return {key['name']: key for key in json.loads(out)['keys']}

    def stored(self, name):
        """What the daemon holds, by its own interface."""
        search = self.session.call('/org/freedesktop/secrets',
                                   'org.freedesktop.Secret.Service.SearchItems',
                                   f"{{'application': 'koboshi', 'ref': '{name}'}}")
        return search.count('/org/freedesktop/secrets/collection/')


def test_round_trip(home):
    out, _ = home.run('key', 'set', 'LUMEN_API_KEY', given=CANARY + '\n')
    assert out == 'Put the key LUMEN_API_KEY into the keyring\n', out
    assert home.stored('LUMEN_API_KEY') == 1
    out, _ = home.run('key', 'set', 'LUMEN_API_KEY', '--json', given=CANARY + '2')
    assert json.loads(out)['changed'] is True
    assert home.stored('LUMEN_API_KEY') == 1
    keys = home.check('LUMEN_API_KEY')
    assert keys['LUMEN_API_KEY']['from'] == 'keyring', keys
    assert keys['LUMEN_API_KEY']['usedBy'] == ['lumen', 'zed'], keys
    out, _ = home.run('key', 'check', 'LUMEN_API_KEY')
    assert 'LUMEN_API_KEY: Found in the keyring\n  used by: lumen, zed\n' in out, out
    out, _ = home.run('key', 'forget', 'LUMEN_API_KEY')
    assert out == 'Took the key LUMEN_API_KEY out of the keyring\n', out
    assert home.stored('LUMEN_API_KEY') == 0
    out, _ = home.run('key', 'forget', 'LUMEN_API_KEY', '--json')
    assert json.loads(out)['changed'] is False
    keys = home.check('LUMEN_API_KEY', status=1)
    assert keys['LUMEN_API_KEY']['from'] is None


def test_places(home):
    home.write('.env', f'LUMEN_API_KEY={"x" * 9}\n', 0o644)
    home.write('.credentials.yaml', 'LUMEN_API_KEY: yyyyyyyyy\n')
    home.run('key', 'set', 'LUMEN_API_KEY', given=CANARY)
    places = {place['place']: place for place in home.check('LUMEN_API_KEY')['LUMEN_API_KEY']['places']}
    assert [place['found'] for place in places.values()] == [False, True, True, True], places
    assert 'chmod 600' in places['dotenv']['problem'], places
    keys = home.check('LUMEN_API_KEY', LUMEN_API_KEY='zzzz')
    assert keys['LUMEN_API_KEY']['from'] == 'environment', keys
    os.chmod(os.path.join(home.path, '.credentials.yaml'), 0o644)
    out, _ = home.run('key', 'check', 'LUMEN_API_KEY')
    assert 'chmod 600' in out and 'yyy' not in out and 'xxx' not in out, out
    _, errors = home.run('key', 'set', 'LUMEN_API_KEY', given=CANARY, LUMEN_API_KEY='zzzz')
    assert 'counts before the keyring' in errors, errors
    home.run('key', 'forget', 'LUMEN_API_KEY')


def test_all_names(home):
    home.write('profiles/web/koboshi.yaml', 'token: GATE_TOKEN\n')
    home.run('key', 'set', 'STRAY_KEY', given=CANARY)
    keys = home.check(status=1)
    assert list(keys) == ['GATE_TOKEN', 'LUMEN_API_KEY', 'STRAY_KEY'], keys
    home.write('profiles/web/cordis.patch.yml', '- id: dsh-daruma\n  config: { channels: '
               '[ { provider: deepseek-official, model: deepseek-v4-pro } ] }\n')
    assert 'DEEPSEEK_API_KEY' in home.check(status=1)
    assert keys['GATE_TOKEN']['usedBy'] == ['koboshi.token'], keys
    assert keys['STRAY_KEY']['usedBy'] == [] and keys['STRAY_KEY']['found'], keys
    home.run('key', 'forget', 'STRAY_KEY')


def test_refused(home):
    for given, words in (('', 'empty'), ('\n', 'empty'), (CANARY + '\nmore', 'more than one line'),
                         (CANARY + '\0', 'NUL'), (CANARY + ' x', 'space'),
                         ('x' * 20000, '16 KiB'), (CANARY.encode() + b'\xff', 'ASCII')):
        _, errors = home.run('key', 'set', 'LUMEN_API_KEY', given=given, status=3)
        assert words in errors and errors.startswith('koboshictl: '), errors
        _, errors = home.run('key', 'set', 'LUMEN_API_KEY', '--dry-run', given=given, status=3)
    assert home.stored('LUMEN_API_KEY') == 0


def test_never_an_argument(home):
    for words in (['set', 'LUMEN_API_KEY', CANARY], ['set', CANARY], ['set'], ['forget'], [],
                  ['set', 'A=' + CANARY], ['check', CANARY], ['forget', CANARY, CANARY],
                  ['get', 'LUMEN_API_KEY'], ['set', 'LUMEN_API_KEY', 'x', CANARY]):
        _, errors = home.run('key', *words, given=CANARY, status=2)
        assert 'standard input' in errors, errors


def test_dry_run(home):
    out, _ = home.run('key', 'set', 'LUMEN_API_KEY', '--dry-run', given=CANARY)
    assert out == 'Would put the key LUMEN_API_KEY into the keyring\n', out
    assert home.stored('LUMEN_API_KEY') == 0
    home.run('key', 'set', 'LUMEN_API_KEY', given=CANARY)
    out, _ = home.run('key', 'forget', 'LUMEN_API_KEY', '--dry-run', '--json')
    assert json.loads(out) == {'did': 'Would take the key LUMEN_API_KEY out of the keyring',
                               'name': 'LUMEN_API_KEY', 'changed': False, 'dryRun': True}, out
    assert home.stored('LUMEN_API_KEY') == 1
    home.run('key', 'forget', 'LUMEN_API_KEY')


def test_beside_edits(home):
    """A key in the keyring leaves no trace in edits, their journal, diffs and debug messages."""
    for words in (['set'], ['check'], ['set', '--json'], ['set', '--dry-run']):
        home.run('key', *words, 'LUMEN_API_KEY', given=CANARY, G_MESSAGES_DEBUG='all')
    home.run('provider', 'edit', 'zed', '--display-name', 'Zed')
    home.run('provider', 'edit', 'zed', '--display-name', 'Zet', '--dry-run')
    home.run('lint')
    home.run('undo')
    home.run('status', '--json')
    home.run('key', 'forget', 'LUMEN_API_KEY')


def test_locked(home):
    home.run('key', 'set', 'LUMEN_API_KEY', given=CANARY)
    home.session.lock()
    for words in (['set', 'LUMEN_API_KEY'], ['forget', 'LUMEN_API_KEY']):
        _, errors = home.run('key', *words, given=CANARY, status=1)
        assert 'The keyring is locked: unlock it' in errors, errors
    keys = home.check('LUMEN_API_KEY')
    assert 'locked' in keys['LUMEN_API_KEY']['places'][1]['problem'], keys


def test_absent(home):
    with keyring_session.Session(with_keyring=False) as session:
        before, home.session = home.session, session
        for words in (['set', 'LUMEN_API_KEY'], ['forget', 'LUMEN_API_KEY']):
            _, errors = home.run('key', *words, given=CANARY, status=1)
            assert 'No keyring answers on the session bus' in errors, errors
            assert 'start gnome-keyring' in errors, errors
        keys = home.check('LUMEN_API_KEY', status=1)
        assert 'No keyring' in keys['LUMEN_API_KEY']['places'][1]['problem'], keys
        address = {'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/nowhere'}
        _, errors = home.run('key', 'set', 'LUMEN_API_KEY', given=CANARY, status=1, **address)
        assert 'No keyring answers' in errors, errors
        home.session = before


def on_terminal(home, answer, *words):
    """Types into a terminal and returns what it showed, the status and whether it echoes."""
    master, slave = pty.openpty()
    process = subprocess.Popen([PROGRAM, '--home', home.path, 'key', *words], stdin=slave,
                               stdout=slave, stderr=slave, env=home.environment(),
                               start_new_session=True)
    shown = b''
    while b'not shown' not in shown:
        assert select.select([master], [], [], PATIENCE)[0], shown
        shown += os.read(master, 4096)
    if answer is None:
        process.send_signal(signal.SIGINT)
    else:
        os.write(master, answer.encode())
    status = process.wait(timeout=PATIENCE)
    while select.select([master], [], [], 0)[0]:
        shown += os.read(master, 4096)

    echoes = bool(termios.tcgetattr(slave)[3] & termios.ECHO)
    os.close(master)
    os.close(slave)
    home.outputs.append(shown.decode())
    return shown.decode(), status, echoes


def test_terminal(home):
    shown, status, echoes = on_terminal(home, CANARY + '\n', 'set', 'LUMEN_API_KEY')
    assert status == 0 and echoes, (shown, status)
    assert 'Put the key LUMEN_API_KEY into the keyring' in shown, shown
    assert home.stored('LUMEN_API_KEY') == 1
    shown, status, echoes = on_terminal(home, None, 'set', 'LUMEN_API_KEY')
    assert status == -signal.SIGINT and echoes, (shown, status)
    home.run('key', 'forget', 'LUMEN_API_KEY')


# The last one leaves the keyring locked.
TESTS = [test_round_trip, test_places, test_all_names, test_refused, test_never_an_argument,
         test_dry_run, test_beside_edits, test_absent, test_terminal, test_locked]


def main():
    gone = keyring_session.missing()
    if gone:
        print(f"1..0 # SKIP there is no {', '.join(gone)} here")
        return 0
    print(f'1..{len(TESTS)}')
    failed = 0
    with keyring_session.Session() as session:
        for number, test in enumerate(TESTS, 1):
            try:
                with Home(session) as home:
                    test(home)
                print(f'ok {number} - {test.__name__}')
            except Exception:
                failed += 1
                print(f'not ok {number} - {test.__name__}')
                print('# ' + traceback.format_exc().replace('\n', '\n# '))
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

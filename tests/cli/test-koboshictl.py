#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Runs the real koboshictl on homes made for it: no display, no session bus. TAP output."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

PROGRAM, FIXTURES = (os.path.abspath(path) for path in sys.argv[1:3])
PATIENCE = 60  # seconds until something that must come is given up

PATCH = """\
- id: dsh-daruma
  name: dsh-daruma
  config:
    channels:
      - { provider: lumen, model: orca-2 }   # the head
      - { provider: lumen, model: orca-mini }
      - { provider: 云雀, model: 深度思考 }
"""
SETTINGS = """\
llm-pi-ai:
  providers:
    lumen: { api: openai-completions, baseURL: "http://127.0.0.1:9/v1", models: [ { id: orca-2 }, { id: orca-mini } ] }
    云雀: { api: openai-completions, baseURL: "http://127.0.0.1:9/v1", models: [ { id: 深度思考 } ] }
daruma:
  backup: { provider: lumen, model: orca-mini }
"""
CHANNELS = ['lumen::orca-2', 'lumen::orca-mini', '云雀::深度思考']


def now_ms():
    return time.time_ns() // 1000000


def record(channel, state='HEALTHY', failures=0, until=0, updated=None):
    return {'channel': channel, 'state': state, 'consecutiveFailures': failures,
            'cooldownUntilMs': until, 'updatedAtMs': updated or now_ms()}


class Home:
    """A home with one profile, in a folder of its own."""

    def __init__(self, profiles=('web',), name='home'):
        self.top = tempfile.mkdtemp(prefix='koboshi-test-')
        self.path = os.path.join(self.top, name) if isinstance(name, str) else \
            os.path.join(os.fsencode(self.top), name)
        for profile in profiles:
            self.write('profiles/%s/package.json' % profile,
                       open(os.path.join(FIXTURES, 'samples/host/profile.package.json')).read())
            self.write('profiles/%s/cordis.patch.yml' % profile, PATCH)
        self.write('settings.yaml', SETTINGS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def file(self, name):
        if isinstance(self.path, bytes):
            return os.path.join(self.path, name.encode())
        return os.path.join(self.path, name)

    def write(self, name, text):
        path = self.file(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = path + (b'.tmp-1' if isinstance(path, bytes) else '.tmp-1')
        with open(temporary, 'w', encoding='utf-8') as stream:
            stream.write(text)
        os.rename(temporary, path)

    def health(self, *records):
        self.write('daruma/channel-health.json',
                   json.dumps({'healths': {r['channel']: r for r in records}}, indent=2))

    def append(self, *entries):
        path = self.file('daruma/failover-log.jsonl')
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for entry in entries:
            with open(path, 'a', encoding='utf-8') as stream:
                stream.write(json.dumps(entry, ensure_ascii=False, separators=(',', ':')) + '\n')

    def environment(self, **more):
        result = {key: value for key, value in os.environ.items()
                  if key in ('PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS', 'LD_LIBRARY_PATH')}
        result.update(HOME=os.path.join(self.top, 'user'), LC_ALL='C.UTF-8', TZ='UTC',
                      XDG_CONFIG_HOME=os.path.join(self.top, 'config'),
                      XDG_STATE_HOME=os.path.join(self.top, 'state'),
                      G_DEBUG='fatal-warnings', GIO_USE_VFS='local')
        result.update(more)
        return result

    def command(self, *words, globals_=True):
        where = ['--home', self.path] if globals_ else []
        return [PROGRAM, *where, *words]

    def run(self, *words, globals_=True, env=None, cwd=None):
        return subprocess.run(self.command(*words, globals_=globals_), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, cwd=cwd,
                              env=self.environment(**(env or {})))

    def json(self, *words, status=0):
        result = self.run(*words, '--json')
        assert result.returncode == status, result
        assert result.stderr == b'', result.stderr
        return json.loads(result.stdout)

    def lines(self, *words):
        result = self.run(*words)
        assert result.returncode == 0, result
        assert result.stderr == b'', result.stderr
        return result.stdout.decode().splitlines()


def read_or_nothing(path):
    try:
        with open(path, encoding='utf-8') as stream:
            return stream.read()
    except OSError:
        return ''


class Running:
    """A koboshictl that goes on, and its lines."""

    def __init__(self, home, *words):
        self.process = subprocess.Popen(home.command(*words), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=home.environment())
        self.rest = b''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        self.process.stdout.close()

    def line(self):
        deadline = time.monotonic() + PATIENCE
        while b'\n' not in self.rest:
            ready, _, _ = select.select([self.process.stdout], [], [], deadline - time.monotonic())
            assert ready, 'no line came'
            more = os.read(self.process.stdout.fileno(), 65536)
            assert more, 'it ended: %r' % self.process.stderr.read()
            self.rest += more
        line, self.rest = self.rest.split(b'\n', 1)
        return line.decode()

    def wait_for_watches(self):
        """Waits until it follows folders: what comes then is an event to it."""
        folder = '/proc/%d/fdinfo' % self.process.pid
        deadline = time.monotonic() + PATIENCE
        while not any('inotify wd:' in read_or_nothing(os.path.join(folder, name))
                      for name in os.listdir(folder)):
            assert time.monotonic() < deadline, 'it watches nothing'

    def end(self, number=None):
        if number is not None:
            self.process.send_signal(number)
        assert self.process.wait(PATIENCE) == 0, self.process.stderr.read()
        assert self.process.stderr.read() == b''


def boot(time_ms):
    return {'kind': 'boot', 't': time_ms, 'pid': 1, 'channels': CHANNELS, 'failureBudget': 3,
            'cooldownMs': 30000, 'giveUpBudget': 8}


def failover(time_ms, reason='RATE_LIMIT', **more):
    return {'kind': 'failover', 't': time_ms, 'agentId': 'session-7d1e0000-0000-4000-8000-00000000000a',
            'from': CHANNELS[0], 'to': CHANNELS[1], 'reason': reason, 'status': 429, 'turn': 4,
            'step': 2, 'failoverCount': 1, 'giveUpBudget': 8, **more}


def give_up(time_ms):
    return {'kind': 'give-up', 't': time_ms, 'agentId': 'a', 'from': CHANNELS[2],
            'reason': 'no-routable-fallback', 'failoverCount': 0, 'giveUpBudget': 8}


def test_version_and_help():
    with Home() as home:
        assert home.lines('--version')[0].startswith('koboshictl ')
        for words in (['--help'], ['help'], ['-h']):
            text = '\n'.join(home.lines(*words))
            for verb in ('status', 'log', 'lint', 'profiles', 'help', '--home', '--json'):
                assert verb in text, (words, verb)
        for words in (['help', 'log'], ['log', '--help'], ['--help', 'log']):
            assert '--follow' in '\n'.join(home.lines(*words)), words


def test_usage_errors():
    with Home() as home:
        for words, expected in (([], b'usage'), (['frobnicate'], b'frobnicate'),
                                (['status', '--frobnicate'], b'frobnicate'),
                                (['status', 'extra'], b'extra'), (['log', '-n', 'x'], b'number'),
                                (['log', '-n', '-1'], b'number'), (['log', '--kind'], b'kind'),
                                (['help', 'frobnicate'], b'frobnicate'), (['--profile'], b'--profile'),
                                (['help', '--completion', 'csh'], b'bash')):
            result = home.run(*words)
            assert result.returncode == 2, (words, result)
            assert result.stdout == b'', (words, result)
            assert expected in result.stderr, (words, result)


def test_status_json():
    with Home() as home:
        start = now_ms()
        home.health(record(CHANNELS[0], 'COOLDOWN', 3, start + 600000, start),
                    record(CHANNELS[1], 'HEALTHY', 1),
                    record('gone::ghost', 'COOLDOWN', 5, start - 1000))
        home.append(boot(start - 2000), failover(start - 1000))
        status = home.json('status')
        assert list(status) == ['home', 'profile', 'time', 'overall', 'gateway', 'serving', 'lastSwitch',
                                'backup', 'paused', 'pausedUntil', 'channels', 'problems'], list(status)
        assert status['home'] == home.path and status['profile'] == 'web'
        assert start <= status['time'] <= now_ms()
        assert status['overall'] == 'degraded'
        assert status['gateway'] == {'running': False, 'address': None, 'version': None, 'home': None,
                                     'profile': None}
        assert status['serving'] is None and status['paused'] is False and status['pausedUntil'] is None
        assert status['lastSwitch'] == {'from': CHANNELS[0], 'to': CHANNELS[1], 'time': start - 1000}
        assert status['backup'] == CHANNELS[1]
        assert [c['id'] for c in status['channels']] == CHANNELS + ['gone::ghost']
        head, second, third, ghost = status['channels']
        assert list(head) == ['source', 'origin', 'id', 'provider', 'model', 'position', 'inChain',
                              'isBackup', 'state', 'scope', 'until', 'remainingMs', 'failures', 'reason',
                              'updated'], list(head)
        assert 0 < head.pop('remainingMs') <= 600000
        assert head == {'source': 'daruma', 'origin': 'file', 'id': CHANNELS[0], 'provider': 'lumen',
                        'model': 'orca-2', 'position': 1, 'inChain': True, 'isBackup': False,
                        'state': 'COOLDOWN', 'scope': 'pair', 'until': start + 600000, 'failures': 3,
                        'reason': 'RATE_LIMIT', 'updated': start}, head
        assert second['isBackup'] and second['state'] == 'HEALTHY' and second['failures'] == 1
        assert second['until'] is None and second['remainingMs'] == 0
        assert third['updated'] is None and third['provider'] == '云雀'
        assert ghost['state'] == 'PROBE' and ghost['remainingMs'] == 0 and not ghost['inChain']


def test_status_text():
    with Home() as home:
        home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
        lines = home.lines('status')
        assert lines[0] == '1 of 3 channels is cooling down', lines
        assert home.path in lines[1] and 'web' in lines[1], lines
        rows = [line for line in lines if '::' in line]
        assert 'Cooling down' in rows[0] and 'back in 10 min' in rows[0], rows
        assert '\x1b' not in '\n'.join(lines)
        assert home.run('status', '--quiet').stdout == b''


def test_empty_options():
    """An option from a variable that is not set is no wish for another home."""
    with Home() as home:
        for words in (['--home', '', 'status'], ['status', '--home=  '], ['--profile', '', 'status'],
                      ['lint', '--profile=']):
            result = home.run(*words, globals_=False, env={'DSH_HOME': home.path})
            option = next(word for word in words if word.startswith('--')).partition('=')[0]
            assert result.returncode == 2 and result.stdout == b'', result
            assert option.encode() + b' is empty' in result.stderr, result


def test_global_options():
    with Home(['web', 'cli']) as home:
        for words in (['--home=' + home.path, '--profile=cli', 'status', '--json'],
                      ['status', '--json', '--home', home.path, '--profile', 'cli'],
                      ['--json', 'status', '--profile', 'cli', '--home=' + home.path],
                      ['--json', '--profile=cli', '--home', home.path, '--', 'status']):
            result = home.run(*words, globals_=False)
            assert result.returncode == 0, result
            assert json.loads(result.stdout)['profile'] == 'cli'
        result = home.run('--profile', 'cli', 'status', '--json', globals_=False,
                          env={'DSH_HOME': ' ' + home.path + ' '})
        assert json.loads(result.stdout)['home'] == home.path


def test_no_home():
    with Home() as home:
        result = home.run('status', globals_=False)
        assert result.returncode == 1 and result.stdout == b''
        assert os.path.join(home.top, 'config', 'koboshi').encode() in result.stderr, result
        assert b'--home' in result.stderr
        # Its own folder may hold the remembered choice and still be no home.
        os.makedirs(home.top + '/config/koboshi')
        again = home.run('status', globals_=False)
        assert (again.returncode, again.stderr) == (result.returncode, result.stderr), again
        result = home.run('--home', home.top + '/nowhere', 'status', globals_=False)
        assert result.returncode == 2 and b'/nowhere' in result.stderr, result


def test_profiles():
    with Home(['web', 'cli']) as home:
        assert home.lines('profiles') == ['cli', 'web']
        assert home.json('profiles') == {'home': home.path, 'profiles': ['cli', 'web']}
        result = home.run('status')
        assert result.returncode == 2 and result.stdout == b''
        assert b'cli' in result.stderr and b'web' in result.stderr and b'--profile' in result.stderr
        result = home.run('--profile', 'nope', 'status')
        assert result.returncode == 2 and b'nope' in result.stderr and b'cli' in result.stderr, result
    with Home([]) as home:
        assert home.run('status').returncode == 1
        assert home.lines('profiles') == []


def test_selection():
    with Home(['web', 'cli']) as home:
        os.makedirs(home.top + '/config/koboshi')
        with open(home.top + '/config/koboshi/selection', 'w') as stream:
            stream.write('[selection]\nhome=%s\nprofile=cli\n' % home.path)
        result = home.run('status', '--json', globals_=False)
        assert result.returncode == 0, result
        assert json.loads(result.stdout)['profile'] == 'cli'
        # An option outranks it; a profile that is gone is no choice any more.
        assert json.loads(home.run('status', '--json', '--profile', 'web').stdout)['profile'] == 'web'
        shutil.rmtree(home.file('profiles/cli'))
        assert json.loads(home.run('status', '--json', globals_=False).stdout)['profile'] == 'web'


def test_log():
    with Home() as home:
        start = now_ms() - 100000
        home.append(*[failover(start + i, 'SERVER' if i % 2 else 'RATE_LIMIT') for i in range(58)],
                    boot(start + 58), give_up(start + 59))
        lines = [json.loads(line) for line in home.lines('log', '--json')]
        assert [entry['t'] for entry in lines] == [start + i for i in range(10, 60)]
        assert lines[-1]['source'] == 'daruma'
        assert lines[-1]['file'] == home.file('daruma/failover-log.jsonl')
        assert list(lines[0])[:4] == ['kind', 't', 'agentId', 'from']
        assert lines[0]['agentId'] == 'session-7d1e0000-0000-4000-8000-00000000000a'
        assert len(home.lines('log', '-n', '0')) == 60
        assert len(home.lines('log', '--lines=7')) == 7
        assert len(home.lines('log', '-n', '0', '--kind', 'failover')) == 58
        assert len(home.lines('log', '--kind=boot')) == 1
        assert len(home.lines('log', '-n', '0', '--channel', CHANNELS[2])) == 2
        assert home.lines('log', '--channel', 'no::such') == []
        assert home.lines('log', '--source', 'gateway') == []
        text = home.lines('log', '-n', '1')
        assert 'Gave up on ' + CHANNELS[2] in text[0] and 'No other channel' in text[0], text


def test_log_redacted():
    canary = 'CANARY0123456789abcdefCANARY'
    with Home() as home:
        home.append(failover(now_ms(), message='key sk-%s and https://x.example/v1?key=%s ' % (canary, canary)
                             + 'x ' * 400, headers={'authorization': 'Bearer ' + canary}))
        result = home.run('log', '--json')
        entry = json.loads(result.stdout)
        assert canary.encode() not in result.stdout, result.stdout
        assert len(entry['message']) == 301 and entry['message'].endswith('…')
        assert canary.encode() not in home.run('log').stdout
        # A key that got where a name belongs.
        key = 'sk-' + canary
        home.append({**failover(now_ms(), reason=key), 'from': key, 'to': key, 'agentId': key, key: 1,
                     'more': {key: {key: key}}}, {**give_up(now_ms()), 'from': key},
                    {'kind': key, 't': now_ms()})
        for words in (['log'], ['log', '--json'], ['status'], ['status', '--json']):
            result = home.run(*words)
            assert result.returncode == 0 and canary.encode() not in result.stdout, (words, result)


def test_lint():
    with Home() as home:
        assert home.json('lint') == []
        bad = PATCH.replace('model: orca-2 }', 'model: orca-2 }\n      - { provider: lumen, model: orca-2 }')
        home.write('profiles/web/cordis.patch.yml', bad)
        problems = home.json('lint', status=3)
        assert any(p['severity'] == 'error' and p['file'] == 'profiles/web/cordis.patch.yml' and p['line'] == 6
                   for p in problems), problems
        for problem in problems:
            assert list(problem) == ['severity', 'code', 'file', 'line', 'column', 'message', 'hint']
        result = home.run('lint')
        assert result.returncode == 3
        assert b'profiles/web/cordis.patch.yml:6:' in result.stdout and b'error' in result.stdout, result
        assert home.run('lint', '--quiet').stdout == b''
        result = home.run('lint', 'cordis.patch.yml', cwd=home.file('profiles/web'))
        assert result.returncode == 3 and result.stdout.startswith(b'cordis.patch.yml:'), result
        result = home.run('lint', '--', '-no-such-file.yml', cwd=home.path)
        assert result.returncode == 3 and b'-no-such-file.yml' in result.stdout, result


def test_watch():
    with Home() as home:
        home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
        with Running(home, 'status', '--watch', '--json') as running:
            assert json.loads(running.line())['channels'][0]['state'] == 'COOLDOWN'
            # A countdown that only gets smaller prints nothing: the next line is the change.
            first = home.json('status')['channels'][0]['remainingMs']
            while home.json('status')['channels'][0]['remainingMs'] > first - 1000:
                pass
            until = now_ms() + 1200
            home.health(record(CHANNELS[0], 'COOLDOWN', 4, until))
            head = json.loads(running.line())['channels'][0]
            assert head['failures'] == 4 and head['until'] == until, head
            # No file changes when a deadline passes.
            head = json.loads(running.line())['channels'][0]
            assert head['state'] == 'PROBE' and head['remainingMs'] == 0 and head['until'] is None, head
            assert now_ms() >= until
            home.append(failover(now_ms()))
            assert json.loads(running.line())['lastSwitch']['to'] == CHANNELS[1]
            running.end(signal.SIGTERM)


def test_watch_text():
    with Home() as home:
        home.health(record(CHANNELS[0]))
        with Running(home, 'status', '--watch') as running:
            assert running.line() == 'All 3 channels are healthy'
            home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
            lines = [running.line()]
            while lines[-1] != '1 of 3 channels is cooling down':
                lines.append(running.line())
            running.end(signal.SIGINT)


def test_watch_configuration():
    with Home() as home:
        with Running(home, 'status', '--watch', '--json') as running:
            assert len(json.loads(running.line())['channels']) == 3
            home.write('profiles/web/cordis.patch.yml',
                       PATCH.replace('      - { provider: lumen, model: orca-mini }\n', ''))
            status = json.loads(running.line())
            while len(status['channels']) != 3 or status['channels'][-1]['inChain']:
                status = json.loads(running.line())
            # The backup is still shown, outside the chain.
            assert status['channels'][-1]['id'] == CHANNELS[1], status
            # A record appears where no folder was.
            home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
            assert json.loads(running.line())['channels'][0]['state'] == 'COOLDOWN'
            running.end(signal.SIGTERM)


def test_follow_from_nothing():
    with Home() as home:
        with Running(home, 'log', '--follow', '--json') as running:
            start = now_ms()
            running.wait_for_watches()
            home.append(boot(start))
            assert json.loads(running.line())['kind'] == 'boot'
            home.append(failover(start + 1))
            assert json.loads(running.line())['t'] == start + 1
            running.end(signal.SIGTERM)


def test_two_profiles_by_two_processes():
    """One writer, one state file and one log, two readers with chains of their own."""
    ours = {'web': [CHANNELS[0]], 'cli': [CHANNELS[1], CHANNELS[2]]}
    start = now_ms()
    entries = [failover(start + i) for i in range(40)]
    with Home(['web', 'cli']) as home:
        for profile, chain in ours.items():
            home.write('profiles/%s/cordis.patch.yml' % profile, json.dumps(
                [{'id': 'dsh-daruma', 'config': {'channels': [
                    dict(zip(('provider', 'model'), channel.split('::'))) for channel in chain]}}]))
        home.health(*(record(channel) for channel in CHANNELS))
        home.append(entries[0])
        with Running(home, '--profile', 'web', 'status', '--watch', '--json') as web, \
                Running(home, '--profile', 'cli', 'status', '--watch', '--json') as cli, \
                Running(home, '--profile', 'web', 'log', '--follow', '--json') as web_log, \
                Running(home, '--profile', 'cli', 'log', '--follow', '--json') as cli_log:
            for running in (web_log, cli_log):
                assert json.loads(running.line())['t'] == start
            for number, entry in enumerate(entries[1:], 1):
                if number == 20:
                    os.rename(home.file('daruma/failover-log.jsonl'),
                              home.file('daruma/failover-log.jsonl.1'))
                home.append(entry)
                home.health(*(record(channel, 'COOLDOWN', number, start + 600000)
                              for channel in CHANNELS))
            for running in (web_log, cli_log):
                times = [json.loads(running.line())['t'] for _ in entries[1:]]
                assert times == [entry['t'] for entry in entries[1:]], times
                running.end(signal.SIGTERM)
                assert running.rest == b'', running.rest
            for profile, running in (('web', web), ('cli', cli)):
                status = json.loads(running.line())
                while any(channel['failures'] != 39 for channel in status['channels']):
                    status = json.loads(running.line())
                channels = status['channels']
                assert sorted(channel['id'] for channel in channels) == sorted(CHANNELS), channels
                chain = [channel['id'] for channel in channels if channel['inChain']]
                assert chain == ours[profile], channels
                assert [channel['position'] for channel in channels] \
                    == [*range(1, len(chain) + 1)] + [None] * (3 - len(chain)), channels
                running.end(signal.SIGTERM)


def read_terminal(home, *words, **env):
    """What a command writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(home.command(*words), stdin=slave, stdout=slave, stderr=slave,
                               env=home.environment(TERM='xterm', **env))
    os.close(slave)
    result = b''
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        result += more
    os.close(master)
    assert process.wait(PATIENCE) == 0
    return result


def test_colour():
    with Home() as home:
        home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
        assert b'\x1b[33mCooling down\x1b[0m' in read_terminal(home, 'status')
        assert b'\x1b' not in read_terminal(home, 'status', NO_COLOR='1')
        assert b'\x1b[33mCooling down' in read_terminal(home, 'status', NO_COLOR='')


def test_locale():
    with Home() as home:
        home.append(give_up(now_ms()))
        for locale in ('C', 'POSIX', 'C.UTF-8', 'xx_XX.nonsense'):
            result = home.run('log', '--channel', CHANNELS[2], env={'LC_ALL': locale})
            assert result.returncode == 0 and CHANNELS[2].encode() in result.stdout, (locale, result)


def test_reader_gone():
    with Home() as home:
        home.append(boot(now_ms()))
        for words in (['status', '--watch'], ['log', '--follow']):
            with Running(home, *words) as running:
                running.line()
                # Nothing is written any more: it must notice by itself.
                running.process.stdout.close()
                running.process.stdout = open(os.devnull, 'rb')
                running.end()


def test_follow_across_rotation():
    with Home() as home:
        start = now_ms() - 10000
        home.append(boot(start), failover(start + 1))
        log = home.file('daruma/failover-log.jsonl')
        with Running(home, 'log', '--follow', '--json', '-n', '1') as running:
            assert json.loads(running.line())['t'] == start + 1
            home.append(failover(start + 2))
            assert json.loads(running.line())['t'] == start + 2
            home.append(failover(start + 3), failover(start + 4))
            os.rename(log, log + '.1')
            home.append(failover(start + 5), give_up(start + 6))
            assert [json.loads(running.line())['t'] for _ in range(4)] == [start + i for i in range(3, 7)]
            running.end(signal.SIGTERM)
        with Running(home, 'log', '--follow', '--json', '-n', '1', '--kind', 'give-up') as running:
            assert json.loads(running.line())['t'] == start + 6
            home.append(failover(start + 7), give_up(start + 8))
            assert json.loads(running.line())['t'] == start + 8
            running.end(signal.SIGINT)


def test_output_errors():
    with Home() as home:
        home.append(*[failover(now_ms() + i) for i in range(2000)])
        if os.path.exists('/dev/full'):
            with open('/dev/full', 'wb') as full:
                result = subprocess.run(home.command('status'), stdout=full, stderr=subprocess.PIPE,
                                        env=home.environment(), timeout=PATIENCE)
            assert result.returncode == 1 and b'could not be written' in result.stderr, result
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run(home.command('log', '-n', '0'), stdout=writer, stderr=subprocess.PIPE,
                                env=home.environment(), timeout=PATIENCE)
        os.close(writer)
        assert result.returncode == 1 and result.stderr == b'', result


def test_invalid_utf8_path():
    with Home(name=b'h\xff\xfeme') as home:
        home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
        status = home.json('status')
        assert status['channels'][0]['state'] == 'COOLDOWN'
        assert 'h\ufffd\ufffdme' in status['home']
        assert 'h\ufffd\ufffdme' in home.lines('status')[1]
        home.write('bad.yml', '- [')
        os.rename(home.file('bad.yml'), home.path + b'/b\xffd.yml')
        result = home.run('lint', home.path + b'/b\xffd.yml')
        assert result.returncode == 3 and 'b\ufffdd.yml' in result.stdout.decode(), result


def test_hostile_files():
    with Home() as home:
        evil = 'lumen::\x1b[2J\x07evil'
        home.health(record(evil, 'COOLDOWN', 1, now_ms() + 600000))
        home.append(failover(now_ms(), reason='\x1b]0;title\x07'))
        for verb in ('status', 'log'):
            output = home.run(verb).stdout
            assert b'\x1b' not in output and b'\x07' not in output, output
        assert home.json('status')['channels'][-1]['id'] == evil
        health = home.file('daruma/channel-health.json')
        for spoil in ('fifo', 'folder', 'torn', 'zeros'):
            os.remove(health) if os.path.exists(health) and not os.path.isdir(health) else None
            if spoil == 'fifo':
                os.mkfifo(health)
            elif spoil == 'folder':
                os.mkdir(health)
            else:
                if os.path.isdir(health):
                    os.rmdir(health)
                home.write('daruma/channel-health.json', '{"healths": {' if spoil == 'torn' else '\0' * 4096)
            status = home.json('status')
            assert any(p['file'] == 'daruma/channel-health.json' for p in status['problems']), (spoil, status)


def run_unprivileged(home, *words):
    """As a user who is not root; None where that cannot be arranged."""
    if os.geteuid() != 0:
        return home.run(*words)
    try:
        return subprocess.run(home.command(*words), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, env=home.environment(), user=65534, group=65534,
                              extra_groups=[])
    except OSError:
        return None


def test_forbidden():
    """What may not be read is said to be forbidden, not to be missing or empty."""
    with Home() as home:
        os.chmod(home.top, 0o755)
        home.append(failover(now_ms()))
        home.health(record(CHANNELS[0]))
        if run_unprivileged(home, 'profiles') is None:
            return
        for path, verbs in (('profiles/web', ('status', 'log', 'lint')),
                            ('profiles', ('profiles', 'status')), ('', ('profiles', 'status'))):
            os.chmod(home.file(path), 0)
            for verb in verbs:
                result = run_unprivileged(home, verb)
                assert result.returncode == 1 and b'Permission denied' in result.stderr, result
                assert result.stdout == b'', result
            os.chmod(home.file(path), 0o755)
        os.chmod(home.file('daruma/failover-log.jsonl'), 0)
        result = run_unprivileged(home, 'log')
        assert result.returncode == 1 and b'failover-log.jsonl' in result.stderr, result
        os.chmod(home.file('daruma/channel-health.json'), 0)
        status = json.loads(run_unprivileged(home, 'status', '--json').stdout)
        assert status['overall'] == 'unknown', status
        assert [channel['state'] for channel in status['channels']] == [None] * len(CHANNELS)
        assert [problem['code'] for problem in status['problems']][:2] \
            == ['health-unreadable', 'log-unreadable'], status


def snapshot(top):
    result = {}
    for folder, _, files in os.walk(top):
        for name in files:
            path = os.path.join(folder, name)
            facts = os.stat(path)
            result[path] = (facts.st_mtime_ns, facts.st_ino, facts.st_mode, open(path, 'rb').read())
    return result


def test_nothing_is_written():
    with Home() as home:
        home.health(record(CHANNELS[0], 'COOLDOWN', 3, now_ms() + 600000))
        home.append(boot(now_ms()), failover(now_ms()))
        before = snapshot(home.top)
        for words in (['status'], ['log'], ['lint'], ['profiles'], ['status', '--json']):
            home.run(*words)
        assert snapshot(home.top) == before


def test_documents():
    with Home() as home:
        page = '\n'.join(home.lines('help', '--man'))
        for word in ('.TH KOBOSHICTL 1', '.SH EXIT STATUS', '\\-\\-follow', '.SS "lint [FILE...]"'):
            assert word in page, word
        for shell in ('bash', 'zsh', 'fish'):
            script = home.run('help', '--completion', shell).stdout
            for word in (b'status', b'follow', b'profile', b'koboshictl'):
                assert word in script, (shell, word)
            if shutil.which(shell):
                check = ['--no-execute'] if shell == 'fish' else ['-n']
                subprocess.run([shell, *check], input=script, check=True, timeout=PATIENCE)
        words = {'koboshictl st': 'status', 'koboshictl log --ki': '--kind', 'koboshictl log --kind g': 'gap give-up'}
        script = home.run('help', '--completion', 'bash').stdout.decode()
        for line, expected in words.items():
            probe = script + 'COMP_WORDS=(%s); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))\n' % line \
                + '_koboshictl 2>/dev/null; echo "${COMPREPLY[@]}"\n'
            result = subprocess.run(['bash', '-c', probe], capture_output=True, timeout=PATIENCE)
            assert sorted(result.stdout.decode().split()) == sorted(expected.split()), (line, result)


def main():
    tests = [(name, function) for name, function in globals().items() if name.startswith('test_')]
    print('1..%d' % len(tests), flush=True)
    failed = False
    for number, (name, function) in enumerate(tests, 1):
        try:
            function()
            print('ok %d /cli/%s' % (number, name[5:].replace('_', '-')), flush=True)
        except Exception:  # a failed case must not hide the others
            failed = True
            print('not ok %d /cli/%s' % (number, name[5:].replace('_', '-')))
            print('\n'.join('# ' + line for line in traceback.format_exc().splitlines()), flush=True)
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Koboshi's edits beside a running host, and runs of the host on them. TAP output."""

import concurrent.futures
import json
import os
import statistics
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import host as dsh  # noqa: E402
from home import Home, Simulator, Web, wait_until  # noqa: E402

PROGRAM, SIMULATOR, FIXTURES = (os.path.abspath(path) for path in sys.argv[1:4])
N_EDITS = 50
SETTINGS = 'settings.yaml'
LOCK = SETTINGS + '.lock'
CAMEL_MODELS = ['fb-s01-%d' % number for number in range(5)]

# Stands in for a plugin that has no way to show its configuration: it writes down what the
# host hands it, each time the host starts it anew.
WITNESS = """
import { appendFileSync } from 'node:fs'
export const name = 'dsh-daruma'
export function apply (ctx, config) {
  appendFileSync(process.env.WITNESSED, JSON.stringify(config) + '\\n')
}
"""


class Bench:
    """One home for all tests: a web host runs in it, and `headless` has both plugins."""

    def __init__(self, host, folder):
        self.home = Home(host, folder, PROGRAM)
        self.web_home = Home.__new__(Home)
        self.web_home.__dict__.update(self.home.__dict__, profile='web')
        self.simulator = Simulator(SIMULATOR, '--scale', '0.1')
        self.witnessed = os.path.join(folder, 'witnessed')
        self._put_witness()
        self.web_home.verb('set', 'dsh-daruma.cooldownMs', '1')
        self.web = Web(self.home, WITNESSED=self.witnessed)

    def _put_witness(self):
        self.web_home.rows()  # the profile comes about
        folder = self.home.file('profiles/web/node_modules/dsh-daruma')
        os.makedirs(folder)
        with open(os.path.join(folder, 'package.json'), 'w', encoding='utf-8') as stream:
            json.dump({'name': 'dsh-daruma', 'version': '1.0.0', 'type': 'module', 'main': 'index.js'}, stream)
        with open(os.path.join(folder, 'index.js'), 'w', encoding='utf-8') as stream:
            stream.write(WITNESS)

    def seen(self):
        """Every configuration the running host has given to the row, oldest first."""
        with open(self.witnessed, encoding='utf-8') as stream:
            return [json.loads(line) for line in stream]

    def stop(self):
        self.web.stop()
        self.simulator.stop()


def provider(number):
    return {'api': 'openai-completions', 'baseURL': 'http://127.0.0.1:9/v1', 'apiKeyEnv': 'K',
            'models': [{'id': 'm%d' % number}]}


def test_every_edit(bench):
    """One edit after the other as fast as the verbs go: the running host takes every one."""
    before, waits = len(bench.seen()), []
    for number in range(N_EDITS):
        wanted = 1000 + number
        bench.web_home.verb('set', 'dsh-daruma.cooldownMs', str(wanted))
        begin = time.monotonic()
        wait_until(lambda: wanted in [config['cooldownMs'] for config in bench.seen()])
        waits.append(time.monotonic() - begin)
    assert len(bench.seen()) - before == N_EDITS, bench.seen()
    return 'picked up after %.0f ms in the median, %.0f ms at most' % (
        statistics.median(waits) * 1000, max(waits) * 1000)


def test_burst(bench):
    """Nobody waits for the host in between: the last state is the one it ends with."""
    before = len(bench.seen())
    for number in range(N_EDITS):
        bench.web_home.verb('chain', 'add', 'p%d::m' % number, '--at', '1')
    wanted = [{'provider': 'p%d' % number, 'model': 'm'} for number in reversed(range(N_EDITS))]
    wait_until(lambda: bench.seen()[-1].get('channels') == wanted)
    return '%d of %d states on the way there were seen' % (len(bench.seen()) - before, N_EDITS)


def test_home_layer(bench):
    """The layer of the home outranks the profile: an edit goes there, and is taken up and taken back."""
    bench.home.write('cordis.patch.yml', '- id: dsh-daruma\n  config: { cooldownMs: 7 } # of the home\n')
    wait_until(lambda: bench.seen()[-1] == {'cooldownMs': 7})
    for number in range(5):
        bench.web_home.verb('set', 'dsh-daruma.cooldownMs', str(70 + number))
        wait_until(lambda: bench.seen()[-1] == {'cooldownMs': 70 + number})
    for number in (73, 72, 71, 70, 7):
        bench.web_home.verb('undo')
        wait_until(lambda: bench.seen()[-1] == {'cooldownMs': number})
    assert bench.home.read('cordis.patch.yml').endswith('{ cooldownMs: 7 } # of the home\n')
    os.unlink(bench.home.file('cordis.patch.yml'))
    wait_until(lambda: 'channels' in bench.seen()[-1])


def names_of_host(bench):
    return set(bench.web.settings('llm-pi-ai').get('providers') or {})


def test_in_turn(bench):
    """The host and we write settings.yaml in turn; both keep what the other wrote.

    Of one namespace the host writes what it last knew (0.1.0-rc.8), and it looks at the file
    100 ms after a change; so each is waited for, as a person would. test_at_once is without.
    """
    wanted, waits = set(), []
    for number in range(N_EDITS):
        result = bench.web.set('llm-pi-ai', ['providers', 'host%d' % number], provider(number))
        assert result['ok'], result
        bench.home.verb('provider', 'add', 'ours%d' % number, '--api', 'openai-completions', '--base-url',
                        'http://127.0.0.1:9/v1', '--key-name', 'K', '--models', 'm%d' % number)
        wanted |= {'host%d' % number, 'ours%d' % number}
        begin = time.monotonic()
        wait_until(lambda: 'ours%d' % number in names_of_host(bench))
        waits.append(time.monotonic() - begin)
        assert wanted <= names_of_host(bench), wanted - names_of_host(bench)
    listed = json.loads(bench.home.verb('--json', 'provider', 'list'))
    assert wanted <= {one['name'] for one in listed['providers']}, listed
    assert not os.path.exists(bench.home.file(LOCK))
    assert os.stat(bench.home.file(SETTINGS)).st_mode & 0o777 == 0o600
    return 'taken up after %.0f ms in the median' % (statistics.median(waits) * 1000)


def test_at_once(bench):
    """Both write as fast as they can at the same time, each its namespace; the lock is theirs in turn."""
    def by_host():
        return [bench.web.set('agent-loop', ['maxParallelToolCalls'], number + 1) for number in range(N_EDITS)]

    def by_us():
        for number in range(N_EDITS // 2):
            bench.home.verb('set', 'llm-pi-ai.providers.fast%d' % number, json.dumps(provider(number)))

    with concurrent.futures.ThreadPoolExecutor() as pool:
        host, ours = pool.submit(by_host), pool.submit(by_us)
        ours.result()
        saved = [number for number, result in enumerate(host.result()) if result['ok']]
    assert len(saved) == N_EDITS, saved
    wanted = {'fast%d' % number for number in range(N_EDITS // 2)}
    wait_until(lambda: wanted <= names_of_host(bench))
    listed = json.loads(bench.home.verb('--json', 'provider', 'list'))
    assert wanted <= {one['name'] for one in listed['providers']}, listed
    assert 'maxParallelToolCalls: %d\n' % N_EDITS in bench.home.read(SETTINGS)


def test_lock(bench):
    """Who holds the lock is waited for; who forgot it is named, and nothing is changed."""
    with open(bench.home.file(LOCK), 'x', encoding='utf-8') as stream:
        stream.write('%d\n' % os.getpid())
    before = bench.home.read(SETTINGS)
    verb = bench.home.start_verb('backup', 'set', 'host1::m1')
    time.sleep(0.3)
    assert verb.poll() is None and bench.home.read(SETTINGS) == before
    os.unlink(bench.home.file(LOCK))
    assert verb.wait(timeout=60) == 0, verb.stderr.read()
    verb.communicate()
    assert bench.home.read(SETTINGS) != before
    with open(bench.home.file(LOCK), 'x', encoding='utf-8') as stream:
        stream.write('%d\n' % os.getpid())
    before = bench.home.read(SETTINGS)
    said = bench.home.verb('backup', 'clear', status=3)
    assert str(os.getpid()) in said and bench.home.read(SETTINGS) == before, said
    result = bench.web.set('llm-pi-ai', ['providers', 'late'], provider(0))
    assert not result['ok'] and result['error']['code'] == 'settings-rejected', result
    os.unlink(bench.home.file(LOCK))


def test_settings_verbs(bench):
    """What --dump-config cannot show, for it is no row: the running host holds every value."""
    home = bench.home
    home.verb('provider', 'add', 'shown', '--api', 'openai-completions', '--base-url', 'http://127.0.0.1:9/v1',
              '--key-name', 'SHOWN_KEY', '--models', 'one, 模/二', '--display-name', 'Shown: #1')
    home.verb('provider', 'edit', 'shown', '--base-url', 'http://127.0.0.1:8/v1', '--models', 'one,two')
    home.verb('provider', 'edit', 'shown', '--rename', 'renamed')
    home.verb('set', 'llm-pi-ai.providers.renamed.retryPolicy', '{mode: normal, maxRetries: 2}')
    home.verb('set', 'llm-pi-ai.providers.renamed.retryPolicy.backoff', '{maxDelayMs: 9000}')
    home.verb('set', 'llm-pi-ai.providers.renamed.retryPolicy.backoff.initialDelayMs', '2s')
    wanted = {'api': 'openai-completions', 'baseURL': 'http://127.0.0.1:8/v1', 'apiKeyEnv': 'SHOWN_KEY',
              'displayName': 'Shown: #1'}

    def get():
        return bench.web.settings('llm-pi-ai')['providers'].get('renamed') or {}

    wait_until(lambda: get().get('retryPolicy', {}).get('backoff', {}).get('initialDelayMs') == 2000)
    assert wanted.items() <= get().items(), get()
    assert [model['id'] for model in get()['models']] == ['one', 'two'], get()
    assert get()['retryPolicy']['maxRetries'] == 2
    home.verb('set', 'agent-default-model', '{provider: renamed, model: two}')
    wait_until(lambda: bench.web.settings('agent-default-model') == {'provider': 'renamed', 'model': 'two'})
    home.verb('provider', 'remove', 'renamed', status=3)
    home.verb('unset', 'agent-default-model')
    home.verb('unset', 'llm-pi-ai.providers.renamed.retryPolicy')
    wait_until(lambda: get() and 'retryPolicy' not in get())
    home.verb('provider', 'remove', 'renamed')
    wait_until(lambda: not get())


def add_simulator(bench, *models):
    bench.home.verb('provider', 'add', 'sim', '--api', 'openai-completions', '--base-url',
                    bench.simulator.url + '/v1', '--key-name', 'SIM_KEY', '--models', ','.join(models))
    bench.home.verb('set', 'llm-pi-ai.providers.sim.retryPolicy', '{mode: normal, maxRetries: 0}')


def ask(bench, model):
    bench.home.verb('set', 'agent-default-model', '{provider: sim, model: %s}' % model)
    result = bench.home.run('say hi', env={'SIM_KEY': 'x'})
    assert result.returncode == 0, result
    assert result.stdout.rstrip('\n') == bench.simulator.text(), result.stdout


def test_failover(bench):
    """A chain edited by us: the head is down, the host goes on to the second one."""
    add_simulator(bench, 'fb-s04-head', 'fb-s16-second', 'fb-ok-third', *CAMEL_MODELS)
    bench.home.verb('chain', '--of', 'llm-fallback', 'add', 'sim::fb-ok-third')
    bench.home.verb('chain', '--of', 'llm-fallback', 'add', 'sim::fb-s16-second', '--at', '1')
    ask(bench, 'fb-s04-head')
    answered = bench.simulator.attempts('fb-ok-third')
    assert answered and answered[-1]['status'] == 200 and answered[-1]['end'] == 'whole'
    assert {attempt['status'] for attempt in bench.simulator.attempts('fb-s04-head')} == {503}
    assert bench.simulator.attempts('fb-s16-second')
    n_second = len(bench.simulator.attempts('fb-s16-second'))
    bench.home.verb('chain', '--of', 'llm-fallback', 'move', 'sim::fb-ok-third', '1')
    ask(bench, 'fb-s04-head')
    assert len(bench.simulator.attempts('fb-s16-second')) == n_second, 'the move had no effect'


def test_camel(bench):
    """A preset of ours: the plugin waits out the rate limit, and the same channel answers."""
    bench.home.verb('unset', 'llm-fallback.fallbacks')
    bench.home.verb('preset', 'bounded')
    bench.home.verb('set', 'camel.defaults.retry.fallbackDelayMs', '300')
    for model in CAMEL_MODELS:
        ask(bench, model)
        attempts = bench.simulator.attempts(model)
        limited = next(attempt for attempt in attempts if attempt['status'] == 429)
        again = [attempt for attempt in attempts
                 if attempt['status'] == 200 and attempt['bodySha256'] == limited['bodySha256']]
        if again:  # else the host's request for a title, sent at the same time, took the 429
            return 'answered %d ms after the rate limit' % (again[0]['t'] - limited['t'])
    raise AssertionError('the rate limit never met the answer')


def main():
    tests = [function for name, function in globals().items() if name.startswith('test_')]
    try:
        host = dsh.install(os.path.join(FIXTURES, 'dsh-host', 'package.json'))
    except dsh.Unreachable as reason:
        print('1..0 # SKIP %s' % reason)
        return 0
    print('1..%d' % len(tests), flush=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix='koboshi-interop-') as folder:
        bench = Bench(host, folder)
        for number, function in enumerate(tests, 1):
            try:
                begin = time.monotonic()
                told = function(bench)
                print('# %s (%.1f s)' % (told or 'done', time.monotonic() - begin))
                print('ok %d %s' % (number, function.__name__[5:]), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d %s' % (number, function.__name__[5:]), flush=True)
                print('\n'.join('# ' + line for line in traceback.format_exc().splitlines()), flush=True)
        bench.stop()
    return 1 if failed else 0


sys.exit(main())

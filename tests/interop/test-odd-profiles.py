#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The odd profiles of tests/cli, edited: the host loads each and finds what was meant. TAP."""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback

import host as dsh

PROGRAM, FIXTURES, CLI_TESTS = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path.insert(0, CLI_TESTS)
from odd_profiles import BUNDLES, CASES, KOBOSHI, Home  # noqa: E402

# The rows that the bundles of the profiles mount. A dump imports no module, so that stand-ins
# will do for the packages.
ROWS = {'dsh-daruma': 'dsh-daruma', 'dsh-llm-pool': 'llm-pool', 'dsh-camel': 'camel',
        '@visol-456/dsh-llm-fallback': 'llm-fallback', 'dsh-route-resilience': 'route-resilience'}
DURATIONS = {'60s': 60000}
SETTINGS = ('agent-default-model', 'daruma', 'llm-pi-ai', 'dsh-route-resilience')


def make_home(path):
    """A home whose profile has the bundles of the odd ones, for load-profiles.mjs to fill."""
    profile = os.path.join(path, 'profiles/web')
    os.makedirs(profile)
    with open(os.path.join(profile, 'package.json'), 'w', encoding='utf-8') as stream:
        json.dump({'dsh': {'profile': {'bundles': BUNDLES}}}, stream)
    for package, row in ROWS.items():
        folder = os.path.join(profile, 'node_modules', package)
        os.makedirs(folder)
        manifest = {'name': package, 'version': '1.0.0', 'dsh': {'bundle': {'patch': 'patch.yml'}}}
        with open(os.path.join(folder, 'package.json'), 'w', encoding='utf-8') as stream:
            json.dump(manifest, stream)
        with open(os.path.join(folder, 'patch.yml'), 'w', encoding='utf-8') as stream:
            json.dump([{'insert': [{'id': row, 'name': package}]}], stream)
    return path


def load(host, states):
    """What the host makes of each: see load-profiles.mjs."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'load-profiles.mjs')
    with tempfile.TemporaryDirectory(prefix='koboshi-interop-') as top:
        home = make_home(os.path.join(top, 'home'))
        done = subprocess.run([host.command()[0], script, host.top, home, 'web'],
                              input=json.dumps(states), env=host.environment(home),
                              capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def edit(case):
    """The files of the home before and after the verb, or nothing where it has to refuse."""
    _, name, text, words, old, _, *more = case
    with Home(PROGRAM, {name: text, **(more[0] if more else {})}) as home:
        before = home.snapshot()
        home.run(*words, status=old if isinstance(old, int) else 0)
        after = home.snapshot()
    return None if isinstance(old, int) else (before, after)


def read_value(text):
    if text in DURATIONS:
        return DURATIONS[text]
    try:
        return json.loads(text)
    except ValueError:
        return text.strip("'")


def put(node, keys, value):
    for key in keys[:-1]:
        if node.get(key) is None:
            node[key] = {}
        node = node[key]
    if value is None:
        del node[keys[-1]]
    else:
        node[keys[-1]] = value


def change_models(provider, ids):
    """Models that stay keep what is said of them."""
    known = {model['id']: model for model in provider['models']}
    provider['models'] = [known.get(name, {'id': name}) for name in ids.split(', ')]


def find_list(name, rows, settings):
    """The list that `chain --of name` changes."""
    for group in settings.get('dsh-route-resilience', {}).get('groups', []):
        if group['id'] == name:
            return group['targets']
    pools = (rows['llm-pool'].get('config') or {}).get('providers', {})
    if name in pools:
        return pools[name]['members']
    config = rows[name].setdefault('config', {})
    if config.get('channels') is None:
        config['channels'] = []
    return config['channels']


def change_list(items, words):
    def parse(text):
        return dict(zip(('provider', 'model'), text.split('::', 1))) if '::' in text else text

    entry = parse(words[1])
    if words[0] == 'add':
        items.insert(int(words[3]) - 1 if '--at' in words else len(items), entry)
    elif words[0] == 'remove':
        items.remove(entry)
    else:
        items.remove(entry)
        items.insert(int(words[2]) - 1, entry)


def intend(words, loaded):
    """Does to what the host loaded what the verb is to do."""
    rows, settings = loaded['rows'], loaded['settings']
    verb, *rest = words
    if verb == 'chain':
        name = 'dsh-daruma'
        if rest[0] == '--of':
            name, rest = rest[1], rest[2:]
        change_list(find_list(name, rows, settings), rest)
    elif verb == 'backup':
        provider, model = rest[1].split('::')
        settings['daruma'] = {'backup': {'provider': provider, 'model': model}}
    elif verb == 'provider':
        change_models(settings['llm-pi-ai']['providers'][rest[1]], rest[3])
    else:
        first, *keys = re.findall(r'[^.\[\]"]+', rest[0])
        put(settings if first in SETTINGS else rows[first],
            [first if first in SETTINGS else 'config', *keys],
            read_value(rest[1]) if verb == 'set' else None)


def check(case, before, after):
    assert 'error' not in before, before
    assert 'error' not in after, after
    assert before['said'] == after['said'], 'the host complains of something else than before'
    want = copy.deepcopy(before)
    intend(case[3], want)
    assert after != before, 'the host sees no change'
    for part in ('rows', 'settings'):
        for key in {*want[part], *after[part]}:
            assert after[part].get(key) == want[part].get(key), (after[part].get(key), want[part].get(key))


def report(number, name, call):
    try:
        call()
        print('ok %d %s' % (number, name), flush=True)
        return 0
    except Exception:  # pylint: disable=broad-except
        print('not ok %d %s' % (number, name), flush=True)
        for line in traceback.format_exc().splitlines():
            print('# ' + line)
        return 1


def run(host):
    cases = [case for case in CASES if case[1] != KOBOSHI and not isinstance(case[4], int)]
    print('1..%d' % len(cases), flush=True)
    states = [state for case in cases for state in edit(case)]
    loaded = load(host, states)
    failed = 0
    for at, case in enumerate(cases):
        failed += report(at + 1, case[0],
                         lambda at=at, case=case: check(case, loaded[2 * at], loaded[2 * at + 1]))
    return 1 if failed else 0


def main():
    try:
        host = dsh.install(os.path.join(FIXTURES, 'dsh-host', 'package.json'))
    except dsh.Unreachable as reason:
        print('1..0 # SKIP %s' % reason)
        return 0
    return run(host)


sys.exit(main())

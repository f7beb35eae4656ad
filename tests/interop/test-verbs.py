#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""What every editing verb writes, the real host loads and understands as meant. TAP output."""

import json
import os
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import host as dsh  # noqa: E402
from home import Home  # noqa: E402

PROGRAM, FIXTURES = (os.path.abspath(path) for path in sys.argv[1:3])
PATCH = 'profiles/headless/cordis.patch.yml'


def pairs(*names):
    return [{'provider': name[0], 'model': name[1]} for name in names]


def test_template(home):
    """From the file the host makes at first, through every verb, and back byte by byte."""
    home.rows()
    first = home.read(PATCH)
    assert first.endswith('[]\n'), first
    home.verb('chain', '--of', 'llm-fallback', 'add', 'a::m')
    assert home.config('llm-fallback') == {'fallbacks': pairs('am')}
    home.verb('chain', '--of', 'llm-fallback', 'add', 'b::m', '--at', '1')
    home.verb('chain', '--of', 'llm-fallback', 'add', '云::模 型', '--at', '2')
    assert home.config('llm-fallback') == {'fallbacks': pairs('bm', ('云', '模 型'), 'am')}
    home.verb('chain', '--of', 'llm-fallback', 'move', 'a::m', '1')
    home.verb('chain', '--of', 'llm-fallback', 'remove', 'b::m')
    assert home.config('llm-fallback') == {'fallbacks': pairs('am', ('云', '模 型'))}
    home.verb('set', 'llm-fallback.cooldownMs', '30s')
    home.verb('set', 'llm-fallback.switchCodes', '[RATE_LIMIT, "yes", "1e3"]')
    assert home.config('llm-fallback')['cooldownMs'] == 30000
    assert home.config('llm-fallback')['switchCodes'] == ['RATE_LIMIT', 'yes', '1e3']
    home.verb('unset', 'llm-fallback.switchCodes')
    assert 'switchCodes' not in home.config('llm-fallback')
    for preset in ('recover', 'adaptive', 'bounded'):
        home.verb('preset', preset)
        camel = home.config('camel')['defaults']
        assert camel['retry']['enabled'] is True and camel['throttle']['enabled'] is False
        assert camel['adaptive']['enabled'] is (preset == 'adaptive')
        assert camel['retry']['mode'] == ('bounded' if preset == 'bounded' else 'unlimited')
    assert home.config('camel')['defaults']['retry']['maxRetries'] == 5
    while home.read(PATCH) != first:
        home.verb('undo')
    home.rows()
    home.verb('undo', status=3)


def test_inserted(home):
    """A row no bundle mounts is inserted; the host then knows its id."""
    home.verb('set', 'dsh-daruma.cooldownMs', '45000')
    home.verb('chain', 'add', 'a::m')
    row = home.rows()['dsh-daruma']
    assert row['name'] == 'dsh-daruma'
    assert row['config'] == {'cooldownMs': 45000, 'channels': pairs('am')}, row
    home.verb('set', 'llm-pool.providers["pool.a"]', '{members: [a], models: [{id: m}]}')
    home.verb('chain', '--of', 'pool.a', 'add', 'b', '--at', '1')
    assert home.config('llm-pool')['providers']['pool.a']['members'] == ['b', 'a']


def test_groups(home):
    """Groups of dsh-route-resilience and pools of dsh-llm-pool, field by field."""
    home.verb('set', 'dsh-route-resilience.groups', '[{id: fast, targets: [{provider: a, model: m}]}]')
    home.verb('chain', '--of', 'fast', 'add', 'b::m', '--at', '1')
    home.verb('chain', '--of', 'fast', 'add', '云::x/y')
    home.verb('chain', '--of', 'fast', 'move', 'a::m', '1')
    home.verb('chain', '--of', 'fast', 'remove', 'b::m')
    home.verb('set', 'dsh-route-resilience.activeGroup', 'fast')
    home.verb('set', 'dsh-route-resilience.retryableCodes', '[RATE_LIMIT, "1e3"]')
    rows = home.rows()
    row = rows.get('route-resilience') or rows.get('dsh-route-resilience')
    if row is None:  # this host has it as a namespace of the settings
        assert home.verb('get', 'dsh-route-resilience.activeGroup') == 'fast\n'
        listed = json.loads(home.verb('--json', 'get', 'dsh-route-resilience'))
        config = listed['value']
    else:
        config = row['config']
    assert config['groups'][0]['targets'] == pairs('am', ('云', 'x/y')), config
    assert config['activeGroup'] == 'fast' and config['retryableCodes'] == ['RATE_LIMIT', '1e3'], config
    home.verb('set', 'llm-pool.providers["pool.a"]', '{members: [a], models: [{id: m}]}')
    home.verb('set', 'llm-pool.providers["pool.a"].strategy', 'failover')
    home.verb('set', 'llm-pool.providers["pool.a"].models[0].id', '"yes"')
    home.verb('chain', '--of', 'pool.a', 'add', 'b')
    home.verb('chain', '--of', 'pool.a', 'move', 'b', '1')
    home.verb('chain', '--of', 'pool.a', 'remove', 'a')
    pool = home.config('llm-pool')['providers']['pool.a']
    assert pool['members'] == ['b'] and pool['strategy'] == 'failover' and pool['models'][0]['id'] == 'yes', pool


def test_every_field(home):
    """Every field of the rows whose packages the host has, one at a time."""
    cases = (('llm-fallback.failureThreshold', '3', 3), ('llm-fallback.cooldownMs', '1m', 60000),
             ('camel.defaults.throttle.enabled', 'false', False), ('camel.defaults.throttle.maxRequests', '7', 7),
             ('camel.defaults.throttle.windowMs', '90s', 90000), ('camel.defaults.retry.enabled', 'true', True),
             ('camel.defaults.retry.multiplier', '2.5', 2.5), ('camel.defaults.retry.maxRetries', '4', 4),
             ('camel.defaults.retry.mode', 'bounded', 'bounded'),
             ('camel.defaults.retry.codes', '[RATE_LIMIT, 云]', ['RATE_LIMIT', '云']),
             ('camel.defaults.adaptive.maxRequests', '12', 12), ('camel.defaults.adaptive.safetyRatio', '0.9', 0.9),
             ('camel.defaults.adaptive.routes', '[{provider: a, model: "b::c"}]', [{'provider': 'a', 'model': 'b::c'}]))
    for path, value, _ in cases:
        home.verb('set', path, value)
    rows = home.rows()
    for path, _, wanted in cases:
        row, *keys = path.split('.')
        found = rows[row]['config']
        for key in keys:
            found = found[key]
        assert found == wanted, (path, found)
    for path, _, _ in reversed(cases):
        home.verb('unset', path)
    rows = home.rows()
    assert 'failureThreshold' not in (rows['llm-fallback'].get('config') or {}), rows['llm-fallback']


def test_layers(home):
    """The row of the home outranks the one of the profile, for the host as for us."""
    home.write(PATCH, '- id: camel\n  config: { defaults: { retry: { multiplier: 3 } } }\n')
    home.write('cordis.patch.yml', '- id: camel\n  config: { defaults: { retry: { multiplier: 4 } } }\n')
    assert home.verb('get', 'camel.defaults.retry.multiplier') == '4\n'
    assert home.config('camel')['defaults']['retry']['multiplier'] == 4
    assert 'outranks' in home.verb('set', 'camel.defaults.retry.multiplier', '5')
    assert home.config('camel')['defaults']['retry']['multiplier'] == 5
    assert 'multiplier: 3' in home.read(PATCH)


def test_layouts(home):
    """Comments, flow style, CRLF, a mark, expressions: what the host reads stays the rest."""
    text = ('\ufeff# top\r\n- id: camel   # row\r\n  config:\r\n    defaults: { retry: { multiplier: 2,'
            ' codes: [RATE_LIMIT] }, throttle: {enabled: !!js "1 === 2"} } # end\r\n')
    home.write(PATCH, text)
    with open(os.path.join(home.path, PATCH), 'wb') as stream:
        stream.write(text.encode())
    before = home.config('camel')
    home.verb('set', 'camel.defaults.retry.multiplier', '7')
    before['defaults']['retry']['multiplier'] = 7
    assert home.config('camel') == before
    home.verb('set', 'camel.defaults.throttle.enabled', 'true', status=3)
    home.verb('set', 'camel.defaults.throttle.enabled', 'true', '--replace-expression')
    before['defaults']['throttle']['enabled'] = True
    assert home.config('camel') == before


def test_settings(home):
    """The host starts with the settings we made, and asks the provider we added."""
    home.verb('provider', 'add', 'mine', '--api', 'openai-completions', '--base-url',
              'http://127.0.0.1:9/v1', '--key-name', 'MINE_KEY', '--models', 'one, two')
    home.verb('set', 'llm-pi-ai.providers.mine.retryPolicy', '{mode: normal, maxRetries: 0}')
    home.verb('set', 'agent-default-model', '{provider: mine, model: one}')
    home.verb('backup', 'set', 'mine::two')
    home.verb('provider', 'remove', 'mine', status=3)
    result = home.host.run(home.path, '--profile', 'headless', 'say hi', env={'MINE_KEY': 'x'})
    assert result.returncode == 1, result
    assert 'TRANSPORT' in result.stderr or 'PI_AI_ERROR' in result.stderr, result.stderr
    home.verb('set', 'agent-default-model.model', 'three')
    result = home.host.run(home.path, '--profile', 'headless', 'say hi', env={'MINE_KEY': 'x'})
    assert 'UNKNOWN_MODEL' in result.stderr, result.stderr


def test_refused(home):
    """What the host stops on, the verbs do not save."""
    home.verb('set', 'dsh-daruma', '{}')
    before = home.read(PATCH)
    for path, value in (('dsh-daruma.cooldownMs', '0'), ('dsh-daruma.channels', '{}'),
                        ('dsh-daruma.channels', '[{provider: a}]'), ('dsh-daruma.logFile', '""'),
                        ('camel.defaults.retry.multiplier', '0.5'), ('camel.bogus', '1'),
                        ('camel.defaults.retry.mode', 'bounded'), ('llm-fallback.fallbacks', '[]'),
                        ('llm-fallback.chains', '[]'), ('llm-pi-ai.providers.x', '{}')):
        home.verb('set', path, value, status=3)
        assert home.read(PATCH) == before


def main():
    tests = [function for name, function in globals().items() if name.startswith('test_')]
    try:
        host = dsh.install(os.path.join(FIXTURES, 'dsh-host', 'package.json'))
    except dsh.Unreachable as reason:
        print('1..0 # SKIP %s' % reason)
        return 0
    print('1..%d' % len(tests))
    failed = 0
    for number, function in enumerate(tests, 1):
        with tempfile.TemporaryDirectory(prefix='koboshi-interop-') as folder:
            try:
                function(Home(host, folder, PROGRAM))
                print('ok %d %s' % (number, function.__name__[5:]), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d %s' % (number, function.__name__[5:]), flush=True)
                for line in traceback.format_exc().splitlines():
                    print('# ' + line)
    return 1 if failed else 0


sys.exit(main())

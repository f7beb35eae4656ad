#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""What every editing verb writes, the real host loads and understands as meant. TAP output."""

import json
import os
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import host as dsh  # noqa: E402

PROGRAM, FIXTURES = (os.path.abspath(path) for path in sys.argv[1:3])
PATCH = 'profiles/headless/cordis.patch.yml'

# Rows of a dump by id, as JSON. Expressions become texts: only their being there matters.
READ_DUMP = """
const yaml = require('js-yaml');
const type = new yaml.Type('tag:yaml.org,2002:js', { kind: 'scalar', construct: (t) => 'js:' + t });
const text = require('fs').readFileSync(0, 'utf8');
const rows = {};
const walk = (list) => { for (const row of list ?? []) {
  if (row && row.id) rows[row.id] = row;
  if (row && Array.isArray(row.config)) walk(row.config);
} };
walk(yaml.load(text, { schema: yaml.JSON_SCHEMA.extend([type]) }));
console.log(JSON.stringify(rows));
"""


class Home:
    def __init__(self, host, folder):
        self.host = host
        self.path = host.new_home(os.path.join(folder, 'home'))
        self.folder = folder

    def verb(self, *words, status=0):
        environment = {key: value for key, value in os.environ.items()
                       if key in ('PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS')}
        environment.update(HOME=self.folder, LC_ALL='C.UTF-8', G_DEBUG='fatal-warnings',
                           XDG_STATE_HOME=os.path.join(self.folder, 'state'),
                           XDG_CONFIG_HOME=os.path.join(self.folder, 'config'))
        result = subprocess.run([PROGRAM, '--home', self.path, '--profile', 'headless', *words],
                                env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, timeout=60)
        assert result.returncode == status, (words, result)
        return result.stdout + result.stderr

    def rows(self):
        """What the host makes of the files, without a word of complaint."""
        result = self.host.run(self.path, '--profile', 'headless', '--dump-config')
        assert result.returncode == 0, result
        assert result.stderr.strip() == '', result.stderr
        read = subprocess.run([self.host.command()[0], '-e', READ_DUMP], cwd=self.host.top,
                              input=result.stdout, capture_output=True, text=True, timeout=60)
        assert read.returncode == 0, read
        return json.loads(read.stdout)

    def config(self, row):
        return self.rows()[row].get('config')

    def write(self, name, text):
        with open(os.path.join(self.path, name), 'w', encoding='utf-8') as stream:
            stream.write(text)

    def read(self, name):
        with open(os.path.join(self.path, name), encoding='utf-8') as stream:
            return stream.read()


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
                function(Home(host, folder))
                print('ok %d %s' % (number, function.__name__[5:]), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d %s' % (number, function.__name__[5:]), flush=True)
                for line in traceback.format_exc().splitlines():
                    print('# ' + line)
    return 1 if failed else 0


sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Profiles as people have them, each with a verb and with what it changes of the bytes.

A case is the text of a file, a verb, and what in that text becomes what: nothing else may
change. With a status, the verb must refuse, say why, and change nothing.
"""

import json
import os
import shutil
import subprocess
import tempfile

PATCH = 'profiles/web/cordis.patch.yml'
SHARED = 'cordis.patch.yml'
SETTINGS = 'settings.yaml'
KOBOSHI = 'profiles/web/koboshi.yaml'
BUNDLES = ['@deepseek-ai/dsh-base', 'dsh-daruma', 'dsh-route-resilience', 'dsh-llm-pool',
           '@visol-456/dsh-llm-fallback', 'dsh-camel']

COOLDOWN = ['set', 'dsh-daruma.cooldownMs', '60s']
BUDGET = ['set', 'dsh-daruma.failureBudget', '5']
ADD = ['chain', 'add', 'new::model']
FIRST = ['chain', 'move', 'c::3', '1']
DROP = ['chain', 'remove', 'b::2']

COMMENTS = """\
# top

# -- the chain ---------------------------------------------
- id: dsh-daruma # id
  # before config
  config: # behind config
    # before channels
    channels: # behind channels
      # a, above

      # a, close
      - provider: a # pa
        # between
        model: '1' # ma
      # b
      - provider: b
        model: '2'
      - provider: c # pc
        model: '3'
      # below all
    # before cooldown
    cooldownMs: 1000 # in ms
    # last of config
  # last of row
# last
"""
FLOW = """\
# everything on few lines
[ # open
  {id: dsh-daruma, config: { # config
    channels: [ # the chain
      {provider: a, model: '1'}, # first
      # the second
      {provider: b, model: '2'},   # second
      {provider: c, model: '3'} # third
    ], cooldownMs: 1000, # tuned
    failureBudget: 3
  }}, # done
  # another
  {id: camel, config: {defaults: {retry: {enabled: true}}}}
] # close
"""
COMPACT = "- {id: dsh-daruma, config: {channels: [{provider: a, model: '1'},{provider: b, model: '2'},{provider: c, model: '3'}], cooldownMs: 1000}}\n"
ZERO = """\
- id: dsh-daruma
  config:
    channels:
    - provider: a
      model: "1"
    - provider: b
      model: "2"
    - provider: c
      model: "3"
    cooldownMs: 1000
"""
WIDE = """\
-   id:     dsh-daruma
    config:
            channels:
                    -   provider:   a
                        model:      "1"


                    -   provider:   b
                        model:      "2"

                    -   provider:   c
                        model:      "3"
            cooldownMs:     1000
"""
TABS = "- id:\tdsh-daruma\t# id\n  config:\n    channels:\n      - { provider:\ta,\tmodel: '1' }\t# tab\n      - { provider: b, model: '2' }\n      - { provider: c, model: '3' }\n    cooldownMs:\t1000\t# tuned\n"
CJK = """\
# 故障转移链：先用便宜的
- id: dsh-daruma   # 不要动 🐶
  config:
    channels:
      - { provider: 云雀, model: 深度思考 }   # 头
      - { provider: b, model: '2' }
      - provider: 火山
        model: "豆包：专业版"   # 全角冒号
    cooldownMs: 1000   # 毫秒
"""
JS = """\
- id: dsh-daruma
  config:
    channels:
      - provider: !!js process.env.FIRST ?? 'a'
        model: !!js "process.env.MODEL || 'x: y # z'"
      - { provider: b, model: '2' }
      - { provider: c, model: '3' }
    cooldownMs: !!js >-
      Number(process.env.COOLDOWN
        ?? 1000)
    stateFile: !!js '`${process.env.HOME}/state.json`'
    failureBudget: 3
"""
ANCHORS = """\
- id: dsh-daruma
  config: &base
    channels: &chain
      - { provider: a, model: '1' }
    cooldownMs: 1000
- id: llm-fallback
  config:
    fallbacks: *chain
    cooldownMs: 500
"""
QUOTED = """\
- "id": 'dsh-daruma'
  "config":
    'channels':
      - "provider": "a"
        'model': 'it''s: 1'
      - {"provider": "b", "model": "2"}
      - {"provider": "c", "model": "3"}
    "cooldownMs": 1000
"""
JSON = """\
[
  {
    "id": "dsh-daruma",
    "config": {
      "channels": [
        { "provider": "a", "model": "1" },
        { "provider": "b", "model": "2" },
        { "provider": "c", "model": "3" }
      ],
      "cooldownMs": 1000
    }
  }
]
"""
FOLDED = """\
- id: somebody
  config:
    text: |
      - id: dsh-daruma
        config: { cooldownMs: 1000 }
    more: >+
      # no comment


- id: dsh-daruma
  config:
    cooldownMs: 1000
"""
INSERTS = """\
- insert:
    # ours
    - id: mine
      name: ./mine.js
      config:
        cooldownMs: 1000
    - id: dsh-daruma-2
      name: other
- id: dsh-daruma
  disabled: !!js process.env.OFF === '1'
  config:
    cooldownMs: 1000
"""
DASHES = """\
---
# with a mark of the document
- id: dsh-daruma
  config:
    cooldownMs: 1000
...
"""
LONG_KEY = """\
- ? id
  : dsh-daruma
  ? config
  :
    ? cooldownMs
    : 1000
    failureBudget: 3
"""
EMPTY_VALUES = "- id: dsh-daruma\n  config:\n    channels:\n    cooldownMs:\n    failureBudget: ~\n"
MULTI_LINE = """\
- id: dsh-daruma
  config: {
      channels: [ { provider: a,
                    model: '1' },
                  { provider: b, model: '2' }, { provider: c,
                    model: '3' } ],
      cooldownMs: 1000 }
"""
LEADING = """\
[ { id: dsh-daruma
  , config:
    { channels:
      [ { provider: a, model: '1' } # one
      , { provider: b, model: '2' }
      , { provider: c, model: '3' } # three
      ]
    , cooldownMs: 1000 # ms
    }
  }
]
"""
MIXED = """\
- id: dsh-daruma
  config:
    channels:
      - {provider: a, model: '1'}
      -
        provider: b
        model: '2'

      -   # c comes
        provider: c
        model: '3'
    cooldownMs:
      1000
"""
TAGS = """\
- !!map
  id: !!str dsh-daruma
  config: !!map
    channels: !!seq
      - !!map { provider: !!str a, model: !!str 1 }
      - { provider: b, model: '2' }
      - { provider: c, model: '3' }
    cooldownMs: !!int 1000
    failureBudget: 3
"""
JS_CONFIG = """\
- id: dsh-daruma
  config: !!js "({ channels: [] })"
"""
JS_CHAIN = """\
- id: dsh-daruma
  config:
    channels: !!js JSON.parse(process.env.CHAIN)
"""
ALL_CRLF = '\ufeff# 代理\r\n- id:\tdsh-daruma\t# 主\r\n  config:\r\n    channels:\t# 链\r\n      - provider:\ta\r\n        model:\t\'1\'\r\n\r\n      # 二\r\n      - provider:\tb\r\n        model:\t\'2\'\t# 二二\r\n      - provider:\tc\r\n        model:\t\'3\'\r\n    cooldownMs:\t1000\r\n'
MODELS = """\
llm-pi-ai:
  providers:
    x:
      api: openai-completions
      baseURL: http://127.0.0.1:9/v1
      models: # known
        # the old one
        - { id: m, contextWindow: 1000 } # keep
        - id: gone
          name: Gone
        - id: n
          name: N # shown
"""
POOLS = """\
- id: llm-pool
  config:
    providers: # pools
      "pool.a": { strategy: sticky, members: [ x, y ], models: [ { id: m } ] } # a
      pool b:
        strategy: failover
        members:
          - x # one
          # two
          - y
        models: [ { id: m } ]
"""
GROUPS = """\
# host
agent-default-model: { provider: x, model: m }

dsh-route-resilience:
    activeGroup: main   # in use
    groups:
    -   id: main
        targets:
        -   provider: x
            model: m
            # spare
        -   { provider: y, model: m }
llm-pi-ai:
    providers:
        x: { api: openai-completions, baseURL: "http://127.0.0.1:9/v1", models: [ { id: m } ] }
        y: { api: openai-completions, baseURL: "http://127.0.0.1:9/v1", models: [ { id: m } ] }
"""
KOBOSHI_YAML = """\
# my gateway
listen: 127.0.0.1:7878   # loopback
modelAliases: { "claude-*": auto }  # all of them
channels:
  "mt::glm-5.3": { contextWindow: 128000 }
"""


def crlf(text):
    return text.replace('\n', '\r\n')


def large_flow():
    """116 KB of flow style with comments between the entries."""
    lines = ['# a great many rows\n[\n']
    number = 0
    while sum(map(len, lines)) < 116 * 1024:
        if number == 400:
            lines.append('  # ours\n  { id: dsh-daruma, config: { cooldownMs: 1000, # tuned\n'
                         "    channels: [ { provider: a, model: '1' }, # one\n"
                         "      # two\n      { provider: b, model: '2' },\n"
                         "      { provider: c, model: '3' } ] } }, # end of ours\n\n")
        lines.append('  # row %d: see the notes [there] {and} here, "quoted"\n'
                     '  { id: row-%d, config: { list: [ a, b, # three\n    c ], n: %d } },%s\n'
                     % (number, number, number, ' # tail' if number % 3 else ''))
        number += 1
    return ''.join(lines) + ']\n'


LARGE = large_flow()
B_ROW = "      # b\n      - provider: b\n        model: '2'\n"
C_ROW = "      - provider: c # pc\n        model: '3'\n"

# name, file, text, verb, old, new; further files of the home
CASES = [
    ('comments: value', PATCH, COMMENTS, COOLDOWN, '1000 # in ms', '60000 # in ms'),
    ('comments: new key', PATCH, COMMENTS, BUDGET, 'cooldownMs: 1000 # in ms\n',
     'cooldownMs: 1000 # in ms\n    failureBudget: 5\n'),
    ('comments: move', PATCH, COMMENTS, FIRST,
     "      # a, close\n      - provider: a # pa\n        # between\n        model: '1' # ma\n" + B_ROW + C_ROW,
     C_ROW + "      # a, close\n      - provider: a # pa\n        # between\n        model: '1' # ma\n" + B_ROW),
    ('comments: remove', PATCH, COMMENTS, DROP, B_ROW, ''),
    ('flow: value', PATCH, FLOW, COOLDOWN, '1000, # tuned', '60000, # tuned'),
    ('flow: remove', PATCH, FLOW, DROP, "      # the second\n      {provider: b, model: '2'},   # second\n", ''),
    ('flow: add', PATCH, FLOW, ADD, "{provider: c, model: '3'} # third\n",
     "{provider: c, model: '3'}, # third\n      {provider: new, model: model}\n"),
    ('compact: add', PATCH, COMPACT, ADD, "{provider: c, model: '3'}]",
     "{provider: c, model: '3'},{provider: new, model: model}]"),
    ('compact: move', PATCH, COMPACT, FIRST,
     "{provider: a, model: '1'},{provider: b, model: '2'},{provider: c, model: '3'}",
     "{provider: c, model: '3'},{provider: a, model: '1'},{provider: b, model: '2'}"),
    ('no indent: add', PATCH, ZERO, ADD, '      model: "3"\n',
     '      model: "3"\n    - provider: new\n      model: model\n'),
    ('no indent: remove', PATCH, ZERO, DROP, '    - provider: b\n      model: "2"\n', ''),
    ('wide: value', PATCH, WIDE, COOLDOWN, '1000', '60000'),
    ('wide: remove', PATCH, WIDE, DROP,
     '                    -   provider:   b\n                        model:      "2"\n', ''),
    ('tabs: value', PATCH, TABS, COOLDOWN, '1000', '60000'),
    ('tabs: move', PATCH, TABS, FIRST,
     "      - { provider:\ta,\tmodel: '1' }\t# tab\n      - { provider: b, model: '2' }\n      - { provider: c, model: '3' }\n",
     "      - { provider: c, model: '3' }\n      - { provider:\ta,\tmodel: '1' }\t# tab\n      - { provider: b, model: '2' }\n"),
    ('cjk: value', PATCH, CJK, COOLDOWN, '1000', '60000'),
    ('cjk: remove', PATCH, CJK, ['chain', 'remove', '火山::豆包：专业版'],
     '      - provider: 火山\n        model: "豆包：专业版"   # 全角冒号\n', ''),
    ('cjk: add', PATCH, CJK, ['chain', 'add', '月::之暗面', '--at', '2'],
     "      - { provider: b", "      - { provider: 月, model: 之暗面 }\n      - { provider: b"),
    ('js: beside', PATCH, JS, BUDGET, 'failureBudget: 3', 'failureBudget: 5'),
    ('js: move', PATCH, JS, ['chain', 'move', 'c::3', '2'],
     "      - { provider: b, model: '2' }\n      - { provider: c, model: '3' }\n",
     "      - { provider: c, model: '3' }\n      - { provider: b, model: '2' }\n"),
    ('js: replaced when asked to', PATCH, JS, COOLDOWN + ['--replace-expression'],
     "!!js >-\n      Number(process.env.COOLDOWN\n        ?? 1000)", '60000'),
    ('js: kept', PATCH, JS, COOLDOWN, 3, 'expression'),
    ('anchor: value of an anchored map', PATCH, ANCHORS, COOLDOWN, 3, 'anchor'),
    ('anchor: through an alias', PATCH, ANCHORS,
     ['chain', '--of', 'llm-fallback', 'add', 'x::y'], 3, 'alias'),
    ('anchor: beside', PATCH, ANCHORS, ['set', 'llm-fallback.cooldownMs', '700'], '500', '700'),
    ('quoted keys: value', PATCH, QUOTED, COOLDOWN, '1000', '60000'),
    ('quoted keys: remove', PATCH, QUOTED, DROP, '      - {"provider": "b", "model": "2"}\n', ''),
    ('json: value', PATCH, JSON, COOLDOWN, '1000', '60000'),
    ('json: remove', PATCH, JSON, DROP, '        { "provider": "b", "model": "2" },\n', ''),
    ('json: add', PATCH, JSON, ADD, '{ "provider": "c", "model": "3" }\n',
     '{ "provider": "c", "model": "3" },\n        { "provider": "new", "model": "model" }\n'),
    ('blocks that look like rows', PATCH, FOLDED, COOLDOWN,
     '- id: dsh-daruma\n  config:\n    cooldownMs: 1000', '- id: dsh-daruma\n  config:\n    cooldownMs: 60000'),
    ('inserts beside', PATCH, INSERTS, COOLDOWN, "=== '1'\n  config:\n    cooldownMs: 1000",
     "=== '1'\n  config:\n    cooldownMs: 60000"),
    ('marks of the document', PATCH, DASHES, COOLDOWN, '1000', '60000'),
    ('marks: new key', PATCH, DASHES, BUDGET, '1000\n', '1000\n    failureBudget: 5\n'),
    ('explicit keys: value', PATCH, LONG_KEY, COOLDOWN, '1000', '60000'),
    ('explicit keys: beside', PATCH, LONG_KEY, BUDGET, 'failureBudget: 3', 'failureBudget: 5'),
    ('empty values: value', PATCH, EMPTY_VALUES, COOLDOWN, 'cooldownMs:\n', 'cooldownMs: 60000\n'),
    ('empty values: null', PATCH, EMPTY_VALUES, BUDGET, '~', '5'),
    ('empty values: chain', PATCH, EMPTY_VALUES, ADD, 'channels:\n',
     'channels:\n      - provider: new\n        model: model\n'),
    ('several lines: value', PATCH, MULTI_LINE, COOLDOWN, '1000', '60000'),
    ('crlf: value', PATCH, crlf(COMMENTS), COOLDOWN, '1000', '60000'),
    ('crlf: add', PATCH, crlf(ZERO), ADD, '      model: "3"\r\n',
     '      model: "3"\r\n    - provider: new\r\n      model: model\r\n'),
    ('crlf: flow', PATCH, crlf(FLOW), DROP,
     "      # the second\r\n      {provider: b, model: '2'},   # second\r\n", ''),
    ('mark of UTF-8: value', PATCH, '\ufeff' + COMMENTS, COOLDOWN, '1000', '60000'),
    ('mark of UTF-8: crlf', PATCH, '\ufeff' + crlf(ZERO), COOLDOWN, '1000', '60000'),
    ('no final newline: value', PATCH, ZERO.rstrip('\n'), COOLDOWN, '1000', '60000'),
    ('no final newline: new key', PATCH, ZERO.rstrip('\n'), BUDGET, 'cooldownMs: 1000',
     'cooldownMs: 1000\n    failureBudget: 5'),
    ('blank lines at the end', PATCH, ZERO + '\n\n\n', BUDGET, 'cooldownMs: 1000\n',
     'cooldownMs: 1000\n    failureBudget: 5\n'),
    ('large flow: value', PATCH, LARGE, COOLDOWN, 'cooldownMs: 1000', 'cooldownMs: 60000'),
    ('large flow: remove', PATCH, LARGE, DROP, "      # two\n      { provider: b, model: '2' },\n", ''),
    ('large flow: move', PATCH, LARGE, ['chain', 'move', 'c::3', '2'],
     "      # two\n      { provider: b, model: '2' },\n      { provider: c, model: '3' } ]",
     "      { provider: c, model: '3' },\n      # two\n      { provider: b, model: '2' } ]"),
    ('row twice', PATCH, ZERO + ZERO, COOLDOWN, 3, 'given twice'),
    ('both layers', PATCH, ZERO, COOLDOWN, None, None,
     {SHARED: '# home\n- id: dsh-daruma # wins\n  config: { cooldownMs: 1000 }\n'},
     (SHARED, '1000', '60000')),
    ('only dashes of a template', PATCH, '# cordis.patch.yml\n#\n# see the manual\n\n[]   # nothing yet\n',
     COOLDOWN, '[]   # nothing yet',
     '- id: dsh-daruma   # nothing yet\n  config:\n    cooldownMs: 60000'),
    ('leading commas: value', PATCH, LEADING, COOLDOWN, '1000 # ms', '60000 # ms'),
    ('leading commas: add', PATCH, LEADING, ADD, "'3' } # three\n",
     "'3' } # three\n      , { provider: new, model: model }\n"),
    ('leading commas: add first', PATCH, LEADING, [*ADD, '--at', '1'], "[ { provider: a,",
     "[ { provider: new, model: model }\n      , { provider: a,"),
    ('leading commas: move', PATCH, LEADING, FIRST,
     "[ { provider: a, model: '1' } # one\n      , { provider: b, model: '2' }\n      , { provider: c, model: '3' } # three\n",
     "[ { provider: c, model: '3' } # three\n      , { provider: a, model: '1' } # one\n      , { provider: b, model: '2' }\n"),
    ('leading commas: remove', PATCH, LEADING, DROP, "      , { provider: b, model: '2' }\n", ''),
    ('leading commas: remove last', PATCH, LEADING, ['chain', 'remove', 'c::3'],
     "      , { provider: c, model: '3' } # three\n", ''),
    ('leading commas: unset', PATCH, LEADING, ['unset', 'dsh-daruma.cooldownMs'],
     '    , cooldownMs: 1000 # ms\n', ''),
    ('leading commas: comment above', PATCH, LEADING.replace('      , { provider: b', '      # b\n      , { provider: b'),
     FIRST, 3, 'comment'),
    ('mixed items: move', PATCH, MIXED, FIRST,
     "      - {provider: a, model: '1'}\n      -\n        provider: b\n        model: '2'\n\n"
     "      -   # c comes\n        provider: c\n        model: '3'\n",
     "      -   # c comes\n        provider: c\n        model: '3'\n      - {provider: a, model: '1'}\n\n"
     "      -\n        provider: b\n        model: '2'\n"),
    ('mixed items: remove', PATCH, MIXED, DROP, "      -\n        provider: b\n        model: '2'\n", ''),
    ('mixed items: value', PATCH, MIXED, COOLDOWN, '1000', '60000'),
    ('tags: beside', PATCH, TAGS, BUDGET, 'failureBudget: 3', 'failureBudget: 5'),
    ('tags: remove', PATCH, TAGS, DROP, "      - { provider: b, model: '2' }\n", ''),
    ('tabs, crlf and a mark: remove', PATCH, ALL_CRLF, DROP,
     "      # 二\r\n      - provider:\tb\r\n        model:\t'2'\t# 二二\r\n", ''),
    ('tabs, crlf and a mark: add', PATCH, ALL_CRLF, [*ADD, '--at', '1'], "# 链\r\n",
     "# 链\r\n      - provider: new\r\n        model: model\r\n"),
    ('expression for the config', PATCH, JS_CONFIG, COOLDOWN, 3, 'cordis.patch.yml:2: A !!js expression'),
    ('expression for the chain', PATCH, JS_CHAIN, ADD, 3, 'cordis.patch.yml:3: A !!js expression'),
    ('models: one more, one less', SETTINGS, MODELS, ['provider', 'edit', 'x', '--models', 'm, n, k'],
     '        - id: gone\n          name: Gone\n        - id: n\n          name: N # shown\n',
     '        - id: n\n          name: N # shown\n        - id: k\n'),
    ('models: in another order', SETTINGS, MODELS, ['provider', 'edit', 'x', '--models', 'n, m, gone'],
     '        # the old one\n        - { id: m, contextWindow: 1000 } # keep\n        - id: gone\n'
     '          name: Gone\n        - id: n\n          name: N # shown\n',
     '        - id: n\n          name: N # shown\n        # the old one\n'
     '        - { id: m, contextWindow: 1000 } # keep\n        - id: gone\n          name: Gone\n'),
    ('pool in one line', PATCH, POOLS, ['chain', '--of', 'pool.a', 'add', 'z'], '[ x, y ]', '[ x, y, z ]'),
    ('pool with a space', PATCH, POOLS, ['chain', '--of', 'pool b', 'move', 'y', '1'],
     '          - x # one\n          # two\n          - y\n',
     '          # two\n          - y\n          - x # one\n'),
    ('group: move', SETTINGS, GROUPS, ['chain', '--of', 'main', 'move', 'y::m', '1'],
     '        -   provider: x\n            model: m\n            # spare\n        -   { provider: y, model: m }\n',
     '        -   { provider: y, model: m }\n        -   provider: x\n            model: m\n            # spare\n'),
    ('settings: backup', SETTINGS, GROUPS, ['backup', 'set', 'x::m'], GROUPS,
     GROUPS + 'daruma:\n    backup:\n        provider: x\n        model: m\n'),
    ('settings: default model', SETTINGS, GROUPS, ['set', 'agent-default-model.model', "'1e3'"],
     'model: m }\n\ndsh', 'model: "1e3" }\n\ndsh'),
    ('koboshi: alias', KOBOSHI, KOBOSHI_YAML, ['set', 'koboshi.modelAliases["gpt-*"]', 'auto'],
     '{ "claude-*": auto }', '{ "claude-*": auto, "gpt-*": auto }'),
    ('koboshi: unset', KOBOSHI, KOBOSHI_YAML, ['unset', 'koboshi.listen'],
     '# my gateway\nlisten: 127.0.0.1:7878   # loopback\n', ''),
]


class Home:
    """A home with these files, for as long as it is in use."""

    def __init__(self, program, files):
        self.program = program
        self.top = tempfile.mkdtemp(prefix='koboshi-odd-')
        self.path = os.path.join(self.top, 'home')
        self.write('profiles/web/package.json',
                   json.dumps({'dsh': {'profile': {'bundles': BUNDLES}}}))
        for name, text in files.items():
            self.write(name, text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as stream:
            stream.write(text.encode())

    def snapshot(self):
        result = {}
        for folder, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, 'rb') as stream:
                    result[os.path.relpath(path, self.path)] = stream.read().decode()
        return result

    def run(self, *words, status=0):
        environment = {key: value for key, value in os.environ.items()
                       if key == 'PATH' or key.endswith('SAN_OPTIONS')}
        environment.update(HOME=self.top, LC_ALL='C.UTF-8', G_DEBUG='fatal-warnings',
                           XDG_CONFIG_HOME=self.top, XDG_STATE_HOME=self.top)
        done = subprocess.run([self.program, '--home', self.path, *words], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120, env=environment)
        out, errors = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == status, (words, done.returncode, out, errors)
        return out, errors

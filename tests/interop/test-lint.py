#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Whatever kb-lint calls an error the real host refuses, and the other way round. TAP output."""

import concurrent.futures
import http.server
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading

import host as hosts

PROGRAM, FIXTURES = (os.path.abspath(path) for path in sys.argv[1:3])

WORKERS = 3  # a host mostly waits

ROUTE = 'api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok }]'
PLAIN = '[]\n'
SETTINGS = '''\
llm-pi-ai:
  providers:
    mock: { %s }
agent-default-model: { provider: mock, model: ok }
'''

# Configs of plugin rows: (name, YAML of the value, whether the host takes it).
FALLBACK = [
    ('dormant', '{}', True),
    ('null', '', True),
    ('one', '{ fallbacks: [{ provider: mock, model: ok }] }', True),
    ('empty', '{ fallbacks: [] }', False),
    ('list-null', '{ fallbacks: null }', False),
    ('text', '{ fallbacks: mock }', False),
    ('no-model', '{ fallbacks: [{ provider: mock }] }', False),
    ('blank', '{ fallbacks: [{ provider: mock, model: "" }] }', False),
    ('space', '{ fallbacks: [{ provider: mock, model: " " }] }', True),
    ('weight', '{ fallbacks: [{ provider: mock, model: ok, weight: 1 }] }', False),
    ('twice', '{ fallbacks: [{ provider: mock, model: ok }, { provider: mock, model: ok }] }', False),
    ('codes', '{ fallbacks: [{ provider: mock, model: ok }], switchCodes: [] }', False),
    ('codes-null', '{ fallbacks: [{ provider: mock, model: ok }], switchCodes: null }', True),
    ('codes-dormant', '{ switchCodes: [] }', True),
    ('codes-twice', '{ fallbacks: [{ provider: mock, model: ok }], switchCodes: [A, A] }', False),
    ('code-number', '{ switchCodes: [429] }', False),
    ('threshold', '{ failureThreshold: 0 }', False),
    ('threshold-half', '{ failureThreshold: 1.5 }', False),
    ('threshold-text', '{ failureThreshold: "1" }', False),
    ('threshold-null', '{ failureThreshold: null }', True),
    ('cooldown', '{ cooldownMs: 2147483648 }', False),
    ('cooldown-max', '{ cooldownMs: 2147483647 }', True),
    ('chains', '{ chains: [] }', False),
    ('match', '{ match: {} }', False),
    ('providers', '{ providers: [] }', False),
    ('unknown', '{ cooldown: 5 }', False),
    ('list', '[]', False),
    ('expression', '{ cooldownMs: !!js 1000 + 1 }', True),
    ('lint-expression', '{ fallbacks: [{ provider: !!js "\'mock\'", model: ok }] }', True),
]

CAMEL = [
    ('empty', '{}', True),
    ('null', '{ defaults: null }', True),
    ('parts-null', '{ defaults: { throttle: null, retry: null, adaptive: null } }', True),
    ('codes-null', '{ defaults: { retry: { codes: null } } }', True),
    ('routes-null', '{ defaults: { adaptive: { routes: null } } }', True),
    ('enabled-null', '{ defaults: { retry: { enabled: null } } }', False),
    ('extra', '{ extra: 1 }', False),
    ('throttle', '{ defaults: { throttle: { rate: 1 } } }', False),
    ('throttle-half', '{ defaults: { throttle: { maxRequests: 2.5 } } }', False),
    ('scope', '{ defaults: { throttle: { scope: agent } } }', False),
    ('window-huge', '{ defaults: { throttle: { windowMs: 99999999999 } } }', True),
    ('enabled', '{ defaults: { throttle: { enabled: yes } } }', False),
    ('bounded', '{ defaults: { retry: { mode: bounded } } }', False),
    ('bounded-with', '{ defaults: { retry: { mode: bounded, maxRetries: 2 } } }', True),
    ('codes', '{ defaults: { retry: { codes: [] } } }', False),
    ('codes-twice', '{ defaults: { retry: { codes: [A, A] } } }', False),
    ('codes-blank', '{ defaults: { retry: { codes: [" "] } } }', False),
    ('retries-null', '{ defaults: { retry: { maxRetries: null } } }', False),
    ('delay', '{ defaults: { retry: { fallbackDelayMs: 0.5 } } }', False),
    ('delay-1', '{ defaults: { retry: { fallbackDelayMs: 1.5 } } }', True),
    ('multiplier', '{ defaults: { retry: { multiplier: 0.9 } } }', False),
    ('min', '{ defaults: { adaptive: { minRequests: 15 } } }', False),
    ('max', '{ defaults: { adaptive: { maxRequests: 5 } } }', False),
    ('ratio', '{ defaults: { adaptive: { safetyRatio: 0 } } }', False),
    ('ratio-1', '{ defaults: { adaptive: { safetyRatio: 1 } } }', True),
    ('route', '{ defaults: { adaptive: { routes: [{ provider: a, model: "" }] } } }', False),
    ('route-twice', '{ defaults: { adaptive: { routes: [{ provider: a, model: b }, { provider: a, model: b }] } } }', False),
    ('route-min', '{ defaults: { adaptive: { routes: [{ provider: a, model: b, minRequests: 15 }] } } }', True),
    ('route-fixed', '{ defaults: { adaptive: { initialRequests: 9, routes: [{ provider: a, model: b, minRequests: 15 }] } } }', False),
    ('route-key', '{ defaults: { adaptive: { routes: [{ provider: a, model: b, scope: x }] } } }', False),
    ('list', '[]', False),
]

# Providers: the value of the route `mock`, or (with another name in front) of a second one.
PROVIDERS = [
    ('fine', '{ @ROUTE@ }', True),
    ('unknown-key', '{ @ROUTE@, weight: 1 }', True),
    ('no-api', '{ baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok }] }', False),
    ('no-url', '{ api: openai-completions, apiKeyEnv: MOCK_API_KEY, models: [{ id: ok }] }', False),
    ('no-models', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY }', False),
    ('empty-models', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [] }', False),
    ('bad-api', '{ api: openai, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok }] }', False),
    ('name-null', '{ @ROUTE@, displayName: null }', False),
    ('name-empty', '{ @ROUTE@, displayName: "" }', False),
    ('model-text', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [ok] }', False),
    ('model-twice', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok }, { id: ok }] }', False),
    ('model-null', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, name: null, contextWindow: null }] }', True),
    ('model-half', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, maxTokens: 0.5 }] }', False),
    ('efforts', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, reasoningEfforts: { off: , high: h } }] }', True),
    ('efforts-false', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, reasoningEfforts: false }] }', True),
    ('efforts-off', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, reasoningEfforts: { off: } }] }', False),
    ('efforts-empty', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, reasoningEfforts: {} }] }', False),
    ('efforts-level', '{ api: openai-completions, baseURL: "@URL@", apiKeyEnv: MOCK_API_KEY, models: [{ id: ok, reasoningEfforts: { huge: h } }] }', False),
    ('overrides', '{ @ROUTE@, modelOverrides: { ok: {} } }', False),
    ('compat', '{ @ROUTE@, compat: { supportsStore: true } }', True),
    ('compat-unknown', '{ @ROUTE@, compat: { supportsMagic: true } }', False),
    ('compat-protocol', '{ @ROUTE@, compat: { supportsTemperature: true } }', False),
    ('compat-null', '{ @ROUTE@, compat: { supportsStore: null } }', False),
    ('key-name', '{ @ROUTE2@, apiKeyEnv: MOCK-KEY }', False),
    ('removed-provider', '{ @ROUTE@, provider: mock }', False),
    ('removed-retries', '{ @ROUTE@, maxRetries: 2 }', False),
    ('removed-delay', '{ @ROUTE@, maxRetryDelayMs: 2 }', False),
    ('idle', '{ @ROUTE@, streamIdleTimeoutMs: 0 }', False),
    ('idle-small', '{ @ROUTE@, streamIdleTimeoutMs: 100000.5 }', True),
    ('timeout-half', '{ @ROUTE@, timeoutMs: 1.5 }', False),
    ('header', '{ @ROUTE@, headers: { X: 1 } }', False),
    ('reasoning', '{ @ROUTE@, reasoning: huge }', False),
    ('nulls', '{ @ROUTE@, headers: null, thinkingBudgets: null, transport: null, compat: null }', True),
    ('reasoning-null', '{ @ROUTE@, reasoning: null }', False),
    ('input', '{ @ROUTE@, defaultInput: [] }', False),
    ('input-word', '{ @ROUTE@, defaultInput: [sound] }', False),
    ('policy-null', '{ @ROUTE@, retryPolicy: null }', False),
    ('policy-empty', '{ @ROUTE@, retryPolicy: {} }', False),
    ('policy', '{ @ROUTE@, retryPolicy: { mode: normal, maxRetries: 0 } }', True),
    ('policy-mode', '{ @ROUTE@, retryPolicy: { mode: sometimes } }', False),
    ('policy-retries', '{ @ROUTE@, retryPolicy: { mode: normal, maxRetries: -1 } }', False),
    ('policy-codes', '{ @ROUTE@, retryPolicy: { mode: normal, retryableCodes: [] } }', False),
    ('policy-codes-twice', '{ @ROUTE@, retryPolicy: { mode: normal, retryableCodes: [A, A] } }', False),
    ('policy-key', '{ @ROUTE@, retryPolicy: { mode: normal, retries: 2 } }', False),
    ('policy-order', '{ @ROUTE@, retryPolicy: { mode: normal, backoff: { initialDelayMs: 20000 } } }', False),
    ('policy-jitter', '{ @ROUTE@, retryPolicy: { mode: normal, backoff: { jitterRatio: 2 } } }', False),
    ('policy-always', '{ @ROUTE@, retryPolicy: { mode: always, maxRetries: x, retryableCodes: 5 } }', True),
    ('second-bad', '{ @ROUTE@ }\n    other: { api: openai-completions, models: [{ id: x }] }', False),
    ('second-null', '{ @ROUTE@ }\n    other:', False),
    ('catalog', '{ @ROUTE@ }\n    anthropic: { apiKeyEnv: K }\n    deepseek:', True),
]

# Whole patch files.
PATCHES = [
    ('empty-list', '[]\n', True),
    ('nothing', '', False),
    ('mapping', 'id: camel\n', False),
    ('text-entry', '- camel\n', False),
    ('unknown-id', '- id: nobody\n  config: {}\n', True),
    ('twice', '- insert: [{ id: camel, name: dsh-camel }]\n', False),
    ('bad-then-disabled', '- id: camel\n  config: { extra: 1 }\n  disabled: true\n', True),
    ('bad-then-good', '- id: camel\n  config: { extra: 1 }\n- id: camel\n  config: {}\n', True),
    ('good-then-bad', '- id: camel\n  config: {}\n- id: camel\n  config: { extra: 1 }\n', False),
    ('tag', '- id: camel\n  config: !!env X\n', False),
    ('duplicate-key', '- id: camel\n  config: {}\n  config: {}\n', False),
]


class Provider(http.server.BaseHTTPRequestHandler):
    """Answers every request with one word."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get('content-length') or 0))
        self.send_response(200)
        self.send_header('content-type', 'text/event-stream')
        self.end_headers()
        for delta, end in (({'role': 'assistant', 'content': 'fine'}, None), ({}, 'stop')):
            chunk = {'id': '1', 'object': 'chat.completion.chunk', 'model': 'ok',
                     'choices': [{'index': 0, 'delta': delta, 'finish_reason': end}]}
            self.wfile.write(b'data: ' + json.dumps(chunk).encode() + b'\n\n')
        self.wfile.write(b'data: [DONE]\n\n')

    def log_message(self, *words):
        pass


class Bench:
    """One home that all cases are tried in, one after the other."""

    def __init__(self, host, top, url):
        self.host, self.url = host, url
        self.home = host.new_home(os.path.join(top, 'home'))

    def fill(self, text):
        route = ROUTE.replace('@URL@', self.url)
        bare = 'api: openai-completions, baseURL: "%s", models: [{ id: ok }]' % self.url
        return text.replace('@ROUTE@', route).replace('@ROUTE2@', bare).replace('@URL@', self.url)

    def write(self, patch, settings):
        for name, text in (('profiles/headless/cordis.patch.yml', patch), ('settings.yaml', settings)):
            with open(os.path.join(self.home, name), 'w', encoding='utf-8') as file:
                file.write(self.fill(text))

    def try_host(self):
        result = self.host.run(self.home, '--profile', 'headless', 'say something',
                               env={'MOCK_API_KEY': 'x'})
        return result.returncode == 0 and 'fine' in result.stdout, result.stderr[-1500:]

    def try_lint(self):
        result = subprocess.run([PROGRAM, '--home', self.home, '--profile', 'headless', '--json', 'lint'],
                                capture_output=True, text=True, timeout=60)
        assert result.returncode in (0, 3), result
        return result.returncode == 0, result.stdout

    def compare(self, patch, settings, accepted):
        self.write(patch, settings)
        hosts_word, why = self.try_host()
        ours, problems = self.try_lint()
        assert hosts_word == accepted, 'the host %s it: %s' % ('takes' if hosts_word else 'refuses', why)
        assert ours == accepted, 'lint %s it: %s' % ('takes' if ours else 'refuses', problems)


def list_cases():
    plain = SETTINGS % '@ROUTE@'
    for name, text, accepted in FALLBACK:
        yield 'llm-fallback/' + name, '- id: llm-fallback\n  config: %s\n' % text, plain, accepted
    for name, text, accepted in CAMEL:
        yield 'camel/' + name, '- id: camel\n  config: %s\n' % text, plain, accepted
    for name, text, accepted in PROVIDERS:
        yield 'provider/' + name, PLAIN, SETTINGS.replace('{ %s }', '%s') % text, accepted
    for name, text, accepted in PATCHES:
        yield 'patch/' + name, text, plain, accepted


def try_case(benches, case):
    _, patch, settings, accepted = case
    bench = benches.get()
    try:
        bench.compare(patch, settings, accepted)
        return None
    except Exception as error:  # a failed case must not hide the others
        return str(error)
    finally:
        benches.put(bench)


def run(host):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = False
    cases = list(list_cases())
    benches = queue.Queue()
    print('1..%d' % len(cases), flush=True)
    with tempfile.TemporaryDirectory(prefix='koboshi-interop-') as top, \
            concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for number in range(WORKERS):
            benches.put(Bench(host, os.path.join(top, str(number)),
                              'http://127.0.0.1:%d/v1' % server.server_port))
        results = pool.map(lambda case: try_case(benches, case), cases)
        for number, (case, wrong) in enumerate(zip(cases, results), 1):
            print('%s %d /interop/lint/%s' % ('not ok' if wrong else 'ok', number, case[0]), flush=True)
            if wrong:
                failed = True
                print('\n'.join('# ' + line for line in wrong.splitlines()), flush=True)
    server.shutdown()
    return 1 if failed else 0


def main():
    try:
        host = hosts.install(os.path.join(FIXTURES, 'dsh-host', 'package.json'))
    except hosts.Unreachable as reason:
        print('1..0 # SKIP %s' % reason)
        return 0
    return run(host)


sys.exit(main())

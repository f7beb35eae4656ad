#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The gateway between the simulator and clients that real people use. TAP output.

    test-gateway.py KOBOSHICTL SIMULATOR KOBOSHID FIXTURES NPM_FOLDER
"""

import json
import os
import random
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import host as dsh  # noqa: E402
from home import PATIENCE, Home, Simulator, wait_until  # noqa: E402

PROGRAM, SIMULATOR, GATEWAY, FIXTURES, NPM = (os.path.abspath(path) for path in sys.argv[1:6])
SDKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sdks.mjs')
APIS = {'chat': 'openai-completions', 'messages': 'anthropic-messages', 'responses': 'openai-responses'}
PATHS = {'chat': '/v1/chat/completions', 'messages': '/v1/messages', 'responses': '/v1/responses'}
HEAD, SECOND, SLOW = 'fb-s04-head', 'fb-ok-second', 'sim-tokens=12+token=500ms+run=load'
N_STREAMS, N_DISCONNECTS, N_REQUESTS = 1000, 200, 10000


class Skip(Exception):
    """Why a test cannot be made here."""


class GatewayHome(Home):
    """A home without a host, as the gateway needs it."""

    def __init__(self, folder):  # pylint: disable=super-init-not-called
        self.path = os.path.join(folder, 'gateway-home')
        self.folder, self.program, self.profile = folder, PROGRAM, 'default'
        os.makedirs(self.file('profiles/default'))
        self.write('profiles/default/package.json', '{"dsh": {"profile": {"bundles": ["dsh-daruma"]}}}\n')


def find_free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Gateway:
    def __init__(self, home):
        self.home = home
        self.port = find_free_port()
        self.url = 'http://127.0.0.1:%d' % self.port
        home.verb('set', 'koboshi.listen', '127.0.0.1:%d' % self.port)
        self.start()

    def start(self):
        environment = {**self.home.environment(), 'SIM_KEY': 'canary-key', 'NO_PROXY': '*'}
        self.process = subprocess.Popen(
            [GATEWAY, '--home', self.home.path, '--profile', self.home.profile, '--no-bus'],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        assert str(self.port) in self.process.stdout.readline(), self.process.wait(timeout=PATIENCE)

    def descriptors(self):
        return len(os.listdir('/proc/%d/fd' % self.process.pid))

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, self.process.returncode


class Bench:
    def __init__(self, folder):
        self.folder = folder
        self.simulator = Simulator(SIMULATOR, '--scale', '0.1')
        self.home = GatewayHome(folder)
        self._add_providers()
        self.gateway = Gateway(self.home)

    def _add_providers(self):
        models = subprocess.run(['node', SDKS, '--models'], capture_output=True, text=True, check=True).stdout.strip()
        for dialect, api in APIS.items():
            base = self.simulator.url + ('' if dialect == 'messages' else '/v1')
            self.home.verb('provider', 'add', dialect, '--api', api, '--base-url', base, '--key-name', 'SIM_KEY',
                           '--models', ','.join([models, HEAD, SECOND, SLOW]))
            self.home.verb('set', 'llm-pi-ai.providers.%s.retryPolicy' % dialect, '{mode: normal, maxRetries: 0}')
        for model in (HEAD, SECOND):
            self.home.verb('chain', 'add', 'chat::' + model)

    def stop(self):
        self.gateway.stop()
        self.simulator.stop()


class Client:
    """A connection that asks for one stream, watched with others by run_clients."""

    def __init__(self, bench, dialect, model):
        body = json.dumps({'model': '%s/%s' % (dialect, model), 'stream': True, 'max_tokens': 1000, 'input': 'hi',
                           'messages': [{'role': 'user', 'content': 'hi'}]}).encode()
        self.socket = socket.create_connection(('127.0.0.1', bench.gateway.port), PATIENCE)
        self.socket.sendall(b'POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
                            b'Content-Length: %d\r\n\r\n' % (PATHS[dialect].encode(), len(body)) + body)
        self.data = b''

    def receive(self):
        """False when the answer is whole, or the connection gone."""
        part = self.socket.recv(65536)
        self.data += part
        return part and not self.data.endswith(b'\r\n0\r\n\r\n')

    def text(self):
        """What was said, of a chat stream that is whole."""
        head, _, rest = self.data.partition(b'\r\n\r\n')
        assert b' 200 ' in head.split(b'\r\n')[0], head
        body = b''
        while True:
            size, _, rest = rest.partition(b'\r\n')
            if int(size, 16) == 0:
                break
            body, rest = body + rest[:int(size, 16)], rest[int(size, 16) + 2:]
        said = ''
        for line in body.decode().split('\n'):
            if line.startswith('data: {'):
                choices = json.loads(line[6:])['choices']
                said += (choices[0]['delta'].get('content') or '') if choices else ''
        return said


def run_clients(clients, seconds=120):
    with selectors.DefaultSelector() as selector:
        for client in clients:
            selector.register(client.socket, selectors.EVENT_READ, client)
        end = time.monotonic() + seconds
        while selector.get_map() and time.monotonic() < end:
            for key, _ in selector.select(1):
                if not key.data.receive():
                    selector.unregister(key.fileobj)
        assert not selector.get_map(), '%d streams have no end' % len(selector.get_map())


def curl(bench, *words):
    result = subprocess.run(['curl', '--silent', '--show-error', '--no-buffer', '--noproxy', '*', *words],
                            capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 0, result
    return result.stdout


def run_sdks(bench, *providers):
    result = subprocess.run(['node', SDKS, NPM, bench.simulator.url, bench.gateway.url, *providers],
                            capture_output=True, text=True, timeout=300)
    if result.stdout.startswith('1..0 # SKIP'):
        raise Skip(result.stdout[11:].strip())
    wrong = [line for line in result.stdout.splitlines() if not line.startswith('ok ')]
    assert result.returncode == 0, '\n'.join(wrong)
    return '%d cases' % result.stdout.count('\nok ')


def test_sdks(bench):
    """OpenAI's and Anthropic's: plain, streaming, tools, images, thinking, abort in the middle."""
    return run_sdks(bench)


def test_sdks_and_other_dialects(bench):
    """Each of them before providers that speak another dialect."""
    return [run_sdks(bench, providers) for providers in ('messages,chat,chat', 'responses,responses,messages')]


def test_curl(bench):
    url = bench.gateway.url + '/v1/chat/completions'
    body = {'model': 'auto', 'messages': [{'role': 'user', 'content': 'hi'}]}
    answer = json.loads(curl(bench, url, '--json', json.dumps(body)))
    assert answer['choices'][0]['message']['content'] == bench.simulator.text()
    head = curl(bench, url, '--include', '--json', json.dumps({**body, 'stream': True}))
    assert 'x-koboshi-channel: chat::' + SECOND in head.lower() and head.rstrip().endswith('data: [DONE]'), head[:500]
    assert json.loads(curl(bench, bench.gateway.url + '/status'))


def test_host(bench):
    """A DSH host whose only provider is the gateway: the head of our chain is down, its task goes on."""
    try:
        host = dsh.install(os.path.join(FIXTURES, 'dsh-host', 'package.json'))
    except dsh.Unreachable as reason:
        raise Skip(str(reason)) from None
    home = Home(host, bench.folder, PROGRAM)
    home.verb('provider', 'add', 'koboshi', '--api', 'openai-completions', '--base-url', bench.gateway.url + '/v1',
              '--key-name', 'ANY_KEY', '--models', 'auto')
    home.verb('set', 'agent-default-model', '{provider: koboshi, model: auto}')
    before = len(bench.simulator.attempts(SECOND))
    result = home.run('say hi', env={'ANY_KEY': 'x'})
    assert result.returncode == 0 and result.stdout.rstrip('\n') == bench.simulator.text(), result
    assert len(bench.simulator.attempts(SECOND)) > before and bench.simulator.attempts(HEAD)


def test_streams(bench):
    """A thousand at the same time, all of them whole."""
    wanted = bench.simulator.text(12)
    clients = [Client(bench, 'chat', SLOW) for _ in range(N_STREAMS)]
    run_clients(clients)
    for client in clients:
        assert client.text() == wanted
        client.socket.close()


def test_disconnects(bench):
    """Clients leave at any moment; those beside them notice nothing, and nothing stays behind."""
    chance, wanted = random.Random(7), bench.simulator.text(12)
    staying = [Client(bench, 'chat', SLOW) for _ in range(20)]
    for number in range(N_DISCONNECTS):
        client = Client(bench, list(PATHS)[number % 3], SLOW)
        time.sleep(chance.random() * 0.01)
        if chance.random() < 0.5:
            client.receive()
        client.socket.close()
    run_clients(staying)
    for client in staying:
        assert client.text() == wanted
        client.socket.close()
    wait_until(lambda: all(attempt['end'] for attempt in bench.simulator.attempts(SLOW)))


def test_requests(bench):
    """Ten thousand over eight connections, and not one descriptor more."""
    body = json.dumps({'model': 'chat/' + SECOND, 'messages': [{'role': 'user', 'content': 'hi'}]}).encode()
    request = (b'POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
               b'Content-Length: %d\r\n\r\n' % len(body)) + body

    def ask(links, count):
        for _ in range(count // len(links)):
            for link in links:
                link.sendall(request)
            for link in links:
                data = b''
                while b'"usage"' not in data:
                    data += link.recv(65536)
                assert data.startswith(b'HTTP/1.1 200'), data[:300]

    links = [socket.create_connection(('127.0.0.1', bench.gateway.port), PATIENCE) for _ in range(8)]
    ask(links, 400)
    before = bench.gateway.descriptors()
    ask(links, N_REQUESTS)
    after = bench.gateway.descriptors()
    for link in links:
        link.close()
    assert after <= before + 2, (before, after)
    return '%d descriptors before, %d after' % (before, after)


def test_killed(bench):
    """Killed in the middle of everything, it comes back, and what it had written is whole."""
    for _ in range(3):
        clients = [Client(bench, 'chat', model) for model in (SLOW, HEAD, SECOND) * 10]
        clients[0].receive()
        bench.gateway.process.kill()
        bench.gateway.process.communicate()
        for client in clients:
            client.socket.close()
        bench.gateway.start()
        test_curl(bench)


def test_told_to_stop(bench):
    """With streams under way: it ends by itself, and no stream ends as if it were whole."""
    clients = [Client(bench, 'chat', SLOW) for _ in range(50)]
    for client in clients:
        client.receive()
    bench.gateway.stop()
    for client in clients:
        try:
            while client.receive():
                pass
        except ConnectionResetError:
            continue
        assert b'[DONE]' in client.data or not client.data.endswith(b'\r\n0\r\n\r\n'), client.data[-200:]
        client.socket.close()
    bench.gateway.start()


def main():
    tests = [function for name, function in globals().items() if name.startswith('test_')]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard < 16384 else 16384, hard))
    print('1..%d' % len(tests), flush=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix='koboshi-gateway-') as folder:
        bench = Bench(folder)
        for number, function in enumerate(tests, 1):
            name, begin = function.__name__[5:], time.monotonic()
            try:
                print('# %s (%.1f s)' % (function(bench) or 'done', time.monotonic() - begin))
                print('ok %d %s' % (number, name), flush=True)
            except Skip as reason:
                print('ok %d %s # SKIP %s' % (number, name, reason), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d %s' % (number, name), flush=True)
                print('\n'.join('# ' + line for line in traceback.format_exc().splitlines()), flush=True)
        bench.stop()
    return 1 if failed else 0


sys.exit(main())

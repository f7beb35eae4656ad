#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The gateway as a client sees it, in front of the simulator. TAP output."""

import concurrent.futures
import gzip
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback

SERVE, SIMULATOR = (os.path.abspath(path) for path in sys.argv[1:3])
ONLY = sys.argv[3:]
PATIENCE = 120  # seconds: of a busy machine
SCALE = 0.01
PATHS = {'chat': '/v1/chat/completions', 'messages': '/v1/messages', 'responses': '/v1/responses'}
LIMITS = ('--header=1200', '--token=600', '--idle=300', '--comment=150')


class Program:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())['port']
        self.url = 'http://127.0.0.1:%d' % self.port
        self.lines = []
        # what is not read would make it wait
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout))
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """It goes when it is told to; the sanitizers look for what it left behind."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0, self.process.returncode
        self.reader.join()
        self.process.stdout.close()
        return [json.loads(line) for line in self.lines]

    def signal(self, number):
        self.process.send_signal(number)

    def count_descriptors(self):
        return len(os.listdir('/proc/%d/fd' % self.process.pid))


class Simulator(Program):
    def __init__(self):
        super().__init__(SIMULATOR, '--port', '0', '--scale', str(SCALE), '--quiet')
        self.text = json.loads(Answer(self.port, 'GET', '/_text?tokens=60').body)['text']

    def attempts(self, model):
        return len(json.loads(Answer(self.port, 'GET', '/_attempts?model=' + model.replace('+', '%2B').replace('=', '%3D')).body))


class Gateway(Program):
    def __init__(self, simulator, *arguments):
        super().__init__(SERVE, simulator.url, *LIMITS, *arguments)

    def ask(self, dialect='chat', model='auto', stream=True, headers=(), **more):
        body = {'model': model, 'stream': stream, 'max_tokens': 100, **more}
        body['input' if dialect == 'responses' else 'messages'] = [{'role': 'user', 'content': 'hello'}]
        return Answer(self.port, 'POST', PATHS[dialect], json.dumps(body).encode(), headers)


def connect(port, family=socket.AF_INET):
    link = socket.socket(family, socket.SOCK_STREAM)
    link.settimeout(PATIENCE)
    link.connect(('127.0.0.1' if family == socket.AF_INET else '::1', port))
    return link


def head_of(method, path, body=b'', headers=()):
    lines = ['%s %s HTTP/1.1' % (method, path), 'Content-Length: %d' % len(body), *headers]
    if not any(line.lower().startswith('host:') for line in headers):
        lines.append('Host: 127.0.0.1')
    return '\r\n'.join(lines + ['', '']).encode()


class Answer:
    """One answer, read as strictly as its bytes allow: `whole` says that HTTP's own end came."""

    def __init__(self, port, method, path, body=b'', headers=(), family=socket.AF_INET, link=None):
        self.status, self.headers, self.body, self.whole = 0, {}, b'', False
        with link or connect(port, family) as self.link:
            try:
                self.link.sendall(head_of(method, path, body, headers) + body)
                self.file = self.link.makefile('rb')
                self.read()
            except ConnectionError:
                pass

    def read(self):
        line = self.file.readline()
        if not line:
            return
        self.status = int(line.split()[1])
        while (line := self.file.readline().strip()):
            name, _, value = line.decode().partition(':')
            self.headers[name.lower()] = value.strip()
        if 'chunked' in self.headers.get('transfer-encoding', ''):
            self.read_chunks()
        else:
            length = int(self.headers.get('content-length', 0))
            self.body = self.file.read(length)
            self.whole = len(self.body) == length

    def read_chunks(self):
        while (line := self.file.readline()).strip():
            size = int(line, 16)
            piece = self.file.read(size)
            self.body += piece
            if len(piece) < size:
                return
            self.file.readline()
            if size == 0:
                self.whole = True
                return

    @property
    def is_stream(self):
        return self.headers.get('content-type') == 'text/event-stream'

    @property
    def events(self):
        found = []
        for block in self.body.decode(errors='replace').split('\n\n'):
            data = [line[5:].strip() for line in block.split('\n') if line.startswith('data:')]
            if data:
                found.append('\n'.join(data))
        return found

    @property
    def text(self):
        out = ''
        for event in self.events if self.is_stream else [self.body.decode()]:
            try:
                out += text_of(json.loads(event))
            except ValueError:
                pass
        return out

    @property
    def error(self):
        """What an error, plain or within a stream, says."""
        for event in reversed(self.events if self.is_stream else [self.body.decode()]):
            try:
                value = json.loads(event)
            except ValueError:
                continue
            if value.get('error') or value.get('type') == 'error':
                return value.get('error') or value
        return None

    @property
    def channel(self):
        return self.headers.get('x-koboshi-channel', '')


def text_of(value):
    if 'choices' in value:
        return ''.join((c.get('delta') or c.get('message') or {}).get('content') or '' for c in value['choices'])
    if value.get('type') == 'content_block_delta':
        return value['delta'].get('text', '')
    if value.get('type') == 'response.output_text.delta':
        return value['delta']
    if value.get('type') == 'message':
        return ''.join(part.get('text', '') for part in value['content'])
    if value.get('object') == 'response' and value.get('output'):
        return ''.join(part.get('text', '') for item in value['output'] for part in item.get('content', ()))
    return ''


def expect(condition, what, answer=None):
    if not condition:
        if answer is not None:
            what = '%s: %d %r whole=%s %r ... %r' % (what, answer.status, answer.headers, answer.whole,
                                                     answer.body[:200], answer.body[-300:])
        raise AssertionError(what)


def expect_whole(answer, simulator):
    expect(answer.status == 200 and answer.whole and answer.text == simulator.text, 'a whole answer', answer)
    expect(answer.error is None, 'no error beside it', answer)


def expect_safe(answer, simulator):
    """Cut, and said so twice: by an error of the dialect, and by a connection without its end."""
    expect(answer.status == 200 and answer.error is not None, 'an error in the stream', answer)
    expect(not answer.whole and '[DONE]' not in answer.events, 'no clean end', answer)
    expect(simulator.text.startswith(answer.text) and answer.text, 'the part that came', answer)


# scenario -> verdict, attempts of the first channel
SCENARIOS = {
    's01': ('pass', None), 's02': ('pass', None), 's03': ('pass', None), 's04': ('pass', None),
    's05': ('pass', None), 's06': ('pass', 1), 's07': ('partial', None), 's08': ('safe', 1),
    's09': ('safe', 1), 's10': ('pass', 1), 's11': ('pass', 1), 's12': ('pass', 1),
    's13': ('refusal', 1), 's14': ('safe', 1), 's15': ('pass', None), 's16': ('pass', None),
}


def check_scenario(simulator, dialect, name, stream):
    model = 'fb-%s-%s-%s' % (name, dialect, 'stream' if stream else 'plain')
    verdict, attempts = SCENARIOS[name]
    with Gateway(simulator, '--retries=2', model, 'fb-ok') as gateway:
        answer = gateway.ask(dialect, stream=stream)
        if verdict == 'refusal':
            expect(answer.status == 400 and answer.whole and answer.error, 'the refusal is handed on', answer)
        elif verdict == 'safe' and stream:
            expect_safe(answer, simulator)
        else:
            expect_whole(answer, simulator)
            expect(answer.is_stream == stream, 'the form that was asked for', answer)
        if attempts is not None and stream:
            expect(simulator.attempts(model) == attempts, 'attempts: %d' % simulator.attempts(model), answer)


def test_scenarios(simulator):
    for name in SCENARIOS:
        for dialect in PATHS:
            check_scenario(simulator, dialect, name, True)


def test_scenarios_plain(simulator):
    for name in SCENARIOS:
        check_scenario(simulator, 'chat', name, False)


def test_unchanged_bytes(simulator):
    with Gateway(simulator, 'fb-ok') as gateway:
        for dialect in PATHS:
            body = {'model': 'fb-ok', 'stream': True, 'max_tokens': 100}
            body['input' if dialect == 'responses' else 'messages'] = [{'role': 'user', 'content': 'hello'}]
            answer = gateway.ask(dialect)
            direct = Answer(simulator.port, 'POST', PATHS[dialect], json.dumps(body).encode())
            expect([type(e) for e in answer.events] == [type(e) for e in direct.events], 'the same events', answer)
            expect(len(answer.events) == len(direct.events), 'as many events', answer)
            expect(answer.channel.endswith('::fb-ok'), 'the channel is named', answer)
            expect(answer.headers['x-koboshi-attempts'] == '1', 'the attempts are counted', answer)


def test_guards(simulator):
    with Gateway(simulator, '--limit=1000000', 'fb-ok') as gateway:
        ask = lambda *headers, body=b'{}', path=PATHS['chat'], method='POST': Answer(
            gateway.port, method, path, body, headers)
        expect(ask('Host: evil.example').status == 403, 'a foreign Host')
        expect(ask('Host: 127.0.0.1.evil.example').status == 403, 'a Host that looks like ours')
        expect(ask('Origin: https://evil.example').status == 403, 'a foreign Origin')
        expect(ask('Origin: null').status == 403, 'an Origin of nowhere')
        expect(ask('Origin: http://localhost:3000').status == 400, 'a page of this machine')
        expect(ask('Host: [::1]:7878').status == 400, 'the other loopback')
        expect(ask(method='GET').status == 405, 'only POST')
        expect(ask(path='/v1/other').status == 404, 'an unknown path')
        expect(ask(body=b'[]').status == 400, 'a body that is no object')
        expect(ask(body=b'{"model":1}').status == 400, 'a model that is no text')
        unknown = ask(body=b'{"model":"nobody"}')
        expect(unknown.status == 404 and 'fb-ok' in unknown.error['message'], 'the known names', unknown)
        large = b'{"model":"auto","x":"' + b'y' * 1500000 + b'"}'
        expect(ask(body=large).status == 413, 'a large body')
        packed = gzip.compress(large)
        expect(ask('Content-Encoding: gzip', body=packed).status == 413, 'a body that grows')
        expect(ask('Content-Encoding: br').status == 415, 'an unknown encoding')
        small = gzip.compress(b'{"model":"auto","messages":[{"role":"user","content":"x"}]}')
        expect(ask('Content-Encoding: gzip', body=small).status == 200, 'a small one')
        six = Answer(gateway.port, 'GET', '/healthz', family=socket.AF_INET6)
        expect(six.status == 200, 'the other family', six)


def test_pages(simulator):
    with Gateway(simulator, 'fb-ok') as gateway:
        expect(json.loads(Answer(gateway.port, 'GET', '/healthz').body) == {'status': 'ok'}, 'healthz')
        models = json.loads(Answer(gateway.port, 'GET', '/v1/models').body)
        expect('auto' in [m['id'] for m in models['data']], 'the list of models')
        models = json.loads(Answer(gateway.port, 'GET', '/v1/models', headers=['anthropic-version: 1']).body)
        expect(models['has_more'] is False, 'the list of models for messages')
        body = b'{"model":"auto","messages":[{"role":"user","content":"hello"}]}'
        count = Answer(gateway.port, 'POST', '/v1/messages/count_tokens', body)
        expect(count.status in (200, 404) and count.whole, 'tokens are counted', count)


def test_refusals(simulator):
    """Every 429 and 503 of ours says when to come back."""
    with Gateway(simulator, 'fb-s02-refusal', 'fb-s04-refusal') as gateway:
        for _ in range(12):
            answer = gateway.ask(stream=False)
            expect(answer.status in (429, 502, 503) and answer.error, 'an error', answer)
            if answer.status != 502:
                expect(int(answer.headers['retry-after']) >= 1, 'a time to come back', answer)
    with Gateway(simulator, 'no-key', 'fb-ok') as gateway:
        expect_whole(gateway.ask(), simulator)


def test_no_way_back(simulator):
    """No spelling of its own address leads the gateway to itself."""
    hosts = ['127.0.0.1', 'localhost', '127.1', '2130706433', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]']
    with Gateway(simulator, *('self=' + host for host in hosts)) as gateway:
        for host in hosts:
            answer = gateway.ask(model='sim::self=' + host, stream=False)
            expect(answer.status == 502 and 'back to this gateway' in answer.body.decode(), host, answer)
        ended = gateway.stop()
        expect(len(ended) == len(hosts), 'as many requests as were made: %d' % len(ended))
        gateway.__class__ = Stopped


def test_client_leaves(simulator):
    """Whoever leaves is no failure of the channel, and leaves nothing behind."""
    dice = random.Random(7)
    with Gateway(simulator, 'sim-tps=2000+first-token=5s', 'fb-ok') as gateway:
        gateway.ask()
        before = gateway.count_descriptors()

        def leave(number):
            body = json.dumps({'model': 'auto', 'stream': number % 2 == 0, 'messages': [{'role': 'user', 'content': 'x'}]}).encode()
            with connect(gateway.port) as link:
                link.sendall(head_of('POST', PATHS['chat'], body) + body)
                time.sleep(dice.random() * 0.05)
                link.settimeout(0.001)
                try:
                    link.recv(dice.randrange(1, 4000))
                except OSError:
                    pass

        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            list(pool.map(leave, range(200)))
        expect_whole(gateway.ask(), simulator)
        settle(gateway, before)
        ended = gateway.stop()
        expect(len(ended) == 202, 'every request has its end: %d' % len(ended))
        expect(all(line['ok'] or line['gone'] for line in ended), 'nobody failed')
        gateway.__class__ = Stopped


class Stopped(Gateway):
    def stop(self):
        return []


def settle(gateway, before):
    deadline = time.monotonic() + PATIENCE
    while gateway.count_descriptors() > before + 8:
        expect(time.monotonic() < deadline, 'descriptors: %d, before %d' % (gateway.count_descriptors(), before))
        time.sleep(0.05)


def test_many_requests(simulator):
    """10,000 requests, and no descriptor more than before."""
    body = b'{"model":"auto","messages":[{"role":"user","content":"x"}]}'
    with Gateway(simulator, 'fb-ok') as gateway:
        gateway.ask()
        before = gateway.count_descriptors()

        def ask_many(_):
            done = 0
            with connect(gateway.port) as link:
                file = link.makefile('rb')
                for _ in range(1250):
                    link.sendall(head_of('POST', PATHS['chat'], body) + body)
                    assert file.readline().startswith(b'HTTP/1.1 200'), 'status'
                    length = 0
                    while (line := file.readline().strip()):
                        if line.lower().startswith(b'content-length:'):
                            length = int(line.split(b':')[1])
                    assert len(file.read(length)) == length
                    done += 1
            return done

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            expect(sum(pool.map(ask_many, range(8))) == 10000, 'all are answered')
        settle(gateway, before)


def test_many_streams(simulator):
    """A thousand streams at once."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with Simulator() as wide, Gateway(wide, '--token=60000', '--idle=60000', '--header=60000', '--comment=60000',
                                      'sim-tps=20+tokens=20') as gateway:
        body = b'{"model":"auto","stream":true,"messages":[{"role":"user","content":"x"}]}'
        links = [connect(gateway.port) for _ in range(1000)]
        for link in links:
            link.sendall(head_of('POST', PATHS['chat'], body) + body)
        for link in links:
            answer = Answer.__new__(Answer)
            answer.status, answer.headers, answer.body, answer.whole = 0, {}, b'', False
            answer.file = link.makefile('rb')
            answer.read()
            expect(answer.whole and answer.events[-1] == '[DONE]', 'a whole stream', answer)
            answer.file.close()
            link.close()


def test_slow_client(simulator):
    """A client that does not read makes the provider wait, not the memory grow."""
    with Gateway(simulator, '--idle=60000', 'sim-tokens=2000000') as gateway:
        gateway.ask(model='nobody')
        before = memory_of(gateway)
        body = b'{"model":"auto","stream":true,"messages":[{"role":"user","content":"x"}]}'
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(('127.0.0.1', gateway.port))
        link.sendall(head_of('POST', PATHS['chat'], body) + body)
        peak = 0
        for _ in range(20):
            time.sleep(0.1)
            peak = max(peak, memory_of(gateway) - before)
        expect(peak < 24 * 1024, 'grew by %d KiB' % peak)
        link.close()


def memory_of(program):
    with open('/proc/%d/status' % program.process.pid, encoding='ascii') as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS'))


def test_comments(simulator):
    """A stream is kept alive from before its first content on; errors are then in it."""
    with Gateway(simulator, '--token=60000', '--header=60000', '--idle=60000', 'sim-first-token=60s') as gateway:
        answer = gateway.ask()
        expect(b'\n: still working\n\n' in b'\n' + answer.body, 'a comment', answer)
        expect_whole(answer, simulator)
    with Gateway(simulator, '--header=500', 'fb-s06-comments') as gateway:
        answer = gateway.ask()
        expect(answer.status == 200 and answer.error and not answer.whole, 'an error within', answer)


def test_nearer_deadline(simulator):
    """Once the head is there the limits of the body count, though that of the head is far away."""
    for limits in (('--token=300', '--idle=60000'), ('--token=60000', '--idle=300')):
        with Gateway(simulator, '--header=60000', '--comment=0', *limits,
                     'sim-first-token=1000s', 'fb-ok') as gateway:
            answer = gateway.ask()
            expect(answer.headers['x-koboshi-channel'] == 'sim::fb-ok', 'the next channel', answer)
            expect_whole(answer, simulator)


def test_drain(simulator):
    with Gateway(simulator, '--token=60000', '--idle=60000', '--header=60000', 'sim-tps=0.5') as gateway:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            stream = pool.submit(gateway.ask)
            deadline = time.monotonic() + PATIENCE
            while simulator.attempts('sim-tps=0.5') == 0:
                expect(time.monotonic() < deadline, 'a stream')
                time.sleep(0.02)
            gateway.signal(signal.SIGUSR1)
            while Answer(gateway.port, 'GET', '/healthz').status != 503:
                expect(time.monotonic() < deadline, 'draining')
            late = gateway.ask()
            expect(late.status == 503 and late.headers['retry-after'] == '1', 'come back', late)
            gateway.signal(signal.SIGUSR2)
            cut = stream.result()
            expect(cut.error and not cut.whole, 'a stream that is cut says so', cut)


def main():
    tests = [(name, function) for name, function in sorted(globals().items()) if name.startswith('test_')]
    tests = [item for item in tests if not ONLY or item[0][5:] in ONLY]
    print('TAP version 13\n1..%d' % len(tests))
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        begun = time.monotonic()
        try:
            with Simulator() as simulator:
                function(simulator)
            print('ok %d - %s # %.1f s' % (number, name[5:], time.monotonic() - begun), flush=True)
        except Exception:
            failed += 1
            print('\n'.join('# ' + line for line in traceback.format_exc().splitlines()))
            print('not ok %d - %s' % (number, name[5:]), flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

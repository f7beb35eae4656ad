# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A gateway, what stands behind it, and clients that read as strictly as bytes allow; for the
tests of real sockets. Their arguments are KB-SERVE SIMULATOR [TEST...]."""

import json
import os
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

# scenario -> verdict, attempts of the first channel
SCENARIOS = {
    's01': ('pass', None), 's02': ('pass', None), 's03': ('pass', None), 's04': ('pass', None),
    's05': ('pass', None), 's06': ('pass', 1), 's07': ('partial', None), 's08': ('safe', 1),
    's09': ('safe', 1), 's10': ('pass', 1), 's11': ('pass', 1), 's12': ('pass', 1),
    's13': ('refusal', 1), 's14': ('safe', 1), 's15': ('pass', None), 's16': ('pass', None),
}


class Program:
    def __init__(self, *command, env=None):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **(env or {})})
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
    def __init__(self, simulator, *arguments, env=None):
        super().__init__(SERVE, simulator.url, *LIMITS, *arguments, env=env)

    def ask(self, dialect='chat', model='auto', stream=True, headers=(), **more):
        limit = 'max_output_tokens' if dialect == 'responses' else 'max_tokens'
        body = {'model': model, 'stream': stream, limit: 100, **more}
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


def run_tests(names):
    """Every function test_NAME, or those that were asked for. TAP output."""
    tests = [(name, function) for name, function in sorted(names.items()) if name.startswith('test_')]
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

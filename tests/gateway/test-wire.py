#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""HTTP itself on both sides of the gateway: its limits, its bounds and its ways out. TAP output."""

import contextlib
import gzip
import json
import socket
import sys
import threading
import time

from clients import (PATHS, PATIENCE, Answer, Gateway, Program, SERVE, connect, expect, expect_whole, head_of, run_tests)

BODY = b'{"model":"auto","messages":[{"role":"user","content":"x"}]}'
STREAM = b'{"model":"auto","stream":true,"messages":[{"role":"user","content":"x"}]}'
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":null}]}\n\n'
LAST = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


def read_all(link):
    """All that comes until the connection ends, and whether it ended by a reset."""
    data = b''
    while True:
        try:
            piece = link.recv(65536)
        except ConnectionResetError:
            return data, True
        if not piece:
            return data, False
        data += piece


def read_answer(file):
    """One answer of a kept connection."""
    answer = Answer.__new__(Answer)
    answer.status, answer.headers, answer.body, answer.whole, answer.file = 0, {}, b'', False, file
    answer.read()
    return answer


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        expect(time.monotonic() < deadline, what)
        time.sleep(0.02)


def raw(gateway, data):
    """What a client that sends just this, and waits, is told."""
    with connect(gateway.port) as link:
        link.sendall(data)
        return read_answer(link.makefile('rb'))


# ---- the client's side ----

def test_kept_connection(simulator):
    """Several requests in one piece, answers in their order, bodies in chunks and byte by byte."""
    with Gateway(simulator, 'fb-ok') as gateway, connect(gateway.port) as link:
        file = link.makefile('rb')
        head = head_of('POST', PATHS['chat'], BODY)
        link.sendall(head + BODY + b'\r\n' + head_of('GET', '/healthz') + head_of('GET', '/nowhere')
                     + head_of('POST', PATHS['chat'], STREAM) + STREAM + head_of('HEAD', '/healthz'))
        expect_whole(read_answer(file), simulator)
        expect(json.loads(read_answer(file).body) == {'status': 'ok'}, 'the second')
        expect(read_answer(file).status == 404, 'the third')
        expect_whole(read_answer(file), simulator)
        lines = list(iter(file.readline, b'\r\n'))
        expect(lines[0].endswith(b'200 OK\r\n') and b'content-length: 15\r\n' in lines, 'only a head: %r' % lines)
        chunked = (b'POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n'
                   b'%x;ext=1\r\n%s\r\n%x\r\n%s\r\n0\r\nTrailer: x\r\n\r\n'
                   % (10, BODY[:10], len(BODY) - 10, BODY[10:]))
        for byte in chunked:
            link.send(bytes([byte]))
        expect_whole(read_answer(file), simulator)


def test_expectations(simulator):
    with Gateway(simulator, '--limit=1000000', 'fb-ok') as gateway:
        with connect(gateway.port) as link:
            link.sendall(head_of('POST', PATHS['chat'], BODY, ['Expect: 100-continue']))
            file = link.makefile('rb')
            expect(file.readline() == b'HTTP/1.1 100 Continue\r\n' and file.readline() == b'\r\n', 'go on')
            link.sendall(BODY)
            expect_whole(read_answer(file), simulator)
        refused = raw(gateway, head_of('POST', PATHS['chat'], b'', ['Expect: 100-continue', 'Host: evil.example']))
        expect(refused.status == 403 and refused.headers['connection'] == 'close', 'not even asked to go on', refused)
        large = raw(gateway, b'POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000001\r\n\r\n')
        expect(large.status == 413 and large.error, 'refused before it is sent', large)


def test_odd_requests(simulator):
    host = b'Host: 127.0.0.1\r\n'
    with Gateway(simulator, 'fb-ok') as gateway:
        for data, status in (
                (b'nonsense\r\n\r\n', 400),
                (b'GET /healthz HTTP/1.1\r\n' + host + b'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400),
                (b'GET /healthz HTTP/1.1\r\n' + host + b'Transfer-Encoding: gzip\r\n\r\n', 501),
                (b'GET /healthz HTTP/1.1\r\n' + host + b'Expect: wonders\r\n\r\n', 417),
                (b'POST / HTTP/1.1\r\n' + host + b'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 400),
                (b'PRI * HTTP/2.0\r\n\r\n', 505),
                (b'GET /healthz HTTP/1.1\r\n' + host + b'X: ' + b'y' * 70000, 431),
                (b'GET /' + b'y' * 70000, 431),
                (b'GET /healthz HTTP/1.1\r\n' + host + b'X: ' + b'y' * 30000 + b'\r\n\r\n', 200),
                (b'\r\n\r\nGET /healthz?probe=1 HTTP/1.1\r\n' + host + b'\r\n', 200),
                (b'GET http://127.0.0.1/healthz HTTP/1.1\r\n' + host + b'\r\n', 200)):
            answer = raw(gateway, data)
            expect(answer.status == status and answer.whole, '%d for %r' % (status, data[:80]), answer)
            if status >= 400:
                expect(answer.error and answer.headers['connection'] == 'close', 'the last one', answer)


def test_http_1_0(simulator):
    """It has no chunks: a clean end is a close, and a cut is a reset."""
    head = b'POST /v1/chat/completions HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n' % len(STREAM)
    with Gateway(simulator, 'fb-ok') as gateway, connect(gateway.port) as link:
        link.sendall(head + STREAM)
        data, was_reset = read_all(link)
        expect(not was_reset and data.endswith(b'data: [DONE]\n\n') and b'chunked' not in data, 'a clean end: %r' % data[-99:])
    with Gateway(simulator, 'fb-s08-old') as gateway, connect(gateway.port) as link:
        link.sendall(head + STREAM)
        data, was_reset = read_all(link)
        expect(was_reset and b'"error"' in data[-500:], 'a reset behind the error: %r' % data[-99:])


def test_patience(simulator):
    """Whoever trickles is hung up on, and so is whoever does not read what is whole; who is being
    answered is not."""
    with Gateway(simulator, '--patience=600', '--token=60000', '--idle=60000', '--header=60000', '--comment=60000',
                 'sim-first-token=150s', 'sim-tokens=2000000+run=long') as gateway:
        with contextlib.ExitStack() as stack:
            idle, head, body, slow = (stack.enter_context(connect(gateway.port)) for _ in range(4))
            slow.sendall(head_of('POST', PATHS['chat'], STREAM) + STREAM)
            body.sendall(head_of('POST', PATHS['chat'], BODY) + BODY[:-1])
            head.sendall(b'POST /v1/chat/completions HTTP/1.1\r\nX: ')
            stop = threading.Event()

            def trickle():
                while not stop.wait(0.05):
                    with contextlib.suppress(OSError):
                        head.send(b'y')

            thread = threading.Thread(target=trickle)
            thread.start()
            try:
                for link, what in ((idle, 'idle'), (body, 'a body that does not end')):
                    expect(read_all(link)[0] == b'', what)
                expect(read_all(head)[0] == b'', 'a head that trickles')
            finally:
                stop.set()
                thread.join()
            expect_whole(read_answer(slow.makefile('rb')), simulator)


def test_unread_answer(simulator):
    """A whole answer that nobody reads is not kept for ever."""
    text = b'{"choices":[{"message":{"content":"%s"},"finish_reason":"stop"}]}' % (b'x' * 8000000)
    with Provider(lambda link: send_whole(link, text)) as provider, \
            Gateway(provider, '--patience=2000', '--idle=60000', '--header=60000', 'm') as gateway:
        before = gateway.count_descriptors() + 1
        answer = Answer(gateway.port, 'POST', PATHS['chat'], BODY)
        expect(answer.whole and answer.body == text, 'all of it for who reads', answer)
        # what is left is the connection to the provider
        wait_until(lambda: gateway.count_descriptors() <= before, 'the first client is forgotten')
        with small_client(gateway) as link:
            link.sendall(head_of('POST', PATHS['chat'], BODY) + BODY)
            wait_until(lambda: provider.requests == 2 and gateway.count_descriptors() > before, 'it is taken')
            wait_until(lambda: gateway.count_descriptors() <= before, 'it is closed')


def small_client(gateway):
    link = socket.socket()
    link.settimeout(PATIENCE)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(('127.0.0.1', gateway.port))
    return link


# ---- the provider's side ----

class Provider:
    """A provider that is a function of its connection, called for every request on it."""

    def __init__(self, serve):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        self.url = 'http://127.0.0.1:%d' % self.listener.getsockname()[1]
        self.serve = serve
        self.requests, self.links = 0, 0
        self.open = []
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for link in self.open:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def accept(self):
        while True:
            try:
                link, _ = self.listener.accept()
            except OSError:
                return
            self.links += 1
            self.open.append(link)
            threading.Thread(target=self.run, args=(link,), daemon=True).start()

    def run(self, link):
        with link, contextlib.suppress(OSError):
            while read_request(link):
                self.requests += 1
                self.serve(link)


def read_request(link):
    data = b''
    while b'\r\n\r\n' not in data:
        piece = link.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b'\r\n\r\n')
    length = next(int(line.split(b':')[1]) for line in head.lower().split(b'\r\n') if line.startswith(b'content-length'))
    while len(body) < length:
        body += link.recv(65536)
    return head


def send_whole(link, text, headers=b''):
    link.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n'
                 % (headers, len(text)) + text)


def begin_stream(link):
    link.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n')


def test_bounded_window(simulator):
    """A fast provider and a client that does not read: a mebibyte is under way, and no more."""
    sent, lock = [0], threading.Lock()
    event = EVENT % (b'x' * 900)

    def flood(link):
        begin_stream(link)
        for _ in range(4 * 1024):
            link.sendall(event)
            with lock:
                sent[0] += len(event)
        link.sendall(LAST)
        link.close()

    with Provider(flood) as provider, Gateway(provider, '--idle=60000', 'm') as gateway, small_client(gateway) as link:
        link.sendall(head_of('POST', PATHS['chat'], STREAM) + STREAM)
        deadline, before = time.monotonic() + PATIENCE, -1
        while sent[0] == 0 or sent[0] != before:
            expect(time.monotonic() < deadline, 'it comes to rest')
            before = sent[0]
            time.sleep(0.5)
        expect(sent[0] <= 1024 * 1024, '%d bytes under way' % sent[0])
        answer = read_answer(link.makefile('rb'))
        expect(answer.whole and len(answer.body) == 4 * 1024 * len(event) + len(LAST), 'all of it in the end')


def test_stream_line_limit(simulator):
    """An event line without an end is no stream of a model."""
    def endless(link):
        begin_stream(link)
        link.sendall(b'data: ')
        for _ in range(4096):
            link.sendall(b'x' * 65536)

    with Provider(endless) as provider, Gateway(provider, '--idle=60000', 'm') as gateway:
        answer = Answer(gateway.port, 'POST', PATHS['chat'], STREAM)
        expect(answer.status == 502 and answer.error, 'an error', answer)


def test_gzip_that_comes_anyway(simulator):
    for stream in (False, True):
        with Gateway(simulator, 'sim-gzip') as gateway:
            answer = gateway.ask(stream=stream)
            expect_whole(answer, simulator)
            expect('content-encoding' not in answer.headers, 'as it was asked for', answer)


def test_gzip_bomb(simulator):
    """Limits are those of what comes out, on both sides."""
    bomb = gzip.compress(b' ' * (80 * 1024 * 1024), 9)
    with Provider(lambda link: send_whole(link, bomb, b'Content-Encoding: gzip\r\n')) as provider, \
            Gateway(provider, '--limit=1000000', '--idle=60000', 'm') as gateway:
        answer = Answer(gateway.port, 'POST', PATHS['chat'], BODY)
        expect(answer.status == 502 and answer.error, 'an answer that grows', answer)
        answer = Answer(gateway.port, 'POST', PATHS['chat'], bomb, ['Content-Encoding: gzip'])
        expect(answer.status == 413, 'a request that grows', answer)
        answer = Answer(gateway.port, 'POST', PATHS['chat'], bomb[:-9], ['Content-Encoding: gzip'])
        expect(answer.status in (400, 413), 'half a request', answer)


def test_stale_connection(simulator):
    """A kept connection that dies before any byte of an answer: once more, unseen."""
    text = b'{"choices":[{"message":{"content":"well"},"finish_reason":"stop"}]}'
    served = []

    def serve(link):
        served.append(link)
        if served.count(link) > 1:
            link.shutdown(socket.SHUT_RDWR)
        else:
            send_whole(link, text)

    with Provider(serve) as provider, Gateway(provider, 'm') as gateway:
        for _ in range(3):
            answer = Answer(gateway.port, 'POST', PATHS['chat'], BODY)
            expect(answer.body == text and answer.headers['x-koboshi-attempts'] == '1', 'unseen', answer)
        expect((provider.requests, provider.links) == (5, 3), 'requests and connections: %d, %d'
               % (provider.requests, provider.links))
    with Provider(lambda link: link.shutdown(socket.SHUT_RDWR)) as provider, Gateway(provider, 'm') as gateway:
        answer = Answer(gateway.port, 'POST', PATHS['chat'], BODY)
        expect(answer.status == 502 and provider.requests == 1, 'a fresh one is not: %d' % provider.requests, answer)


if __name__ == '__main__':
    sys.exit(run_tests(globals()))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""HTTP itself on both sides of the gateway: its limits, its bounds and its ways out. TAP output."""

import contextlib
import gzip
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from clients import PATHS, PATIENCE, Answer, Gateway, connect, expect, expect_whole, head_of, run_tests

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
                (b'\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03', 400),  # TLS
                (b'GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n', 400),
                (b'POST / HTTP/1.1\r\n' + host + b'Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}', 400),
                (b'GET http://evil.example/healthz HTTP/1.1\r\n' + host + b'\r\n', 403),
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

    def __init__(self, serve, family=socket.AF_INET):
        self.listener = socket.create_server(('127.0.0.1' if family == socket.AF_INET else '::1', 0), family=family)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        self.port = self.listener.getsockname()[1]
        self.url = 'http://127.0.0.1:%d' % self.port
        self.serve = serve
        self.heads = []
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
            while head := read_request(link):
                self.requests += 1
                self.heads.append(head)
                self.serve(link)


def read_request(link):
    data = b''
    while b'\r\n\r\n' not in data:
        piece = link.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b'\r\n\r\n')
    length = next((int(line.split(b':')[1]) for line in head.lower().split(b'\r\n')
                   if line.startswith(b'content-length')), 0)
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


WELL = b'{"choices":[{"message":{"content":"well"},"finish_reason":"stop"}]}'


def ask_at(gateway, url, body=BODY):
    return Answer(gateway.port, 'POST', PATHS['chat'], body.replace(b'auto', b'sim::at=' + url.encode()))


def test_families(simulator):
    """A name leads to where somebody listens, whatever the family."""
    for family, address in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1')):
        with Provider(lambda link: send_whole(link, WELL), family) as provider:
            host = 'http://%s:%d/v1/x' % ('[::1]' if address == '::1' else address, provider.port)
            name = 'http://localhost:%d/v1/x' % provider.port
            with Gateway(provider, '--routes=1', '--connect=60000', 'at=' + host, 'at=' + name) as gateway:
                for url in (host, name):
                    expect(ask_at(gateway, url).body == WELL, url)
                routes = [line for line in gateway.stop() if 'why' in line]
                gateway.__class__ = Stopped
            expect([line['address'] for line in routes] == [address] * 2, 'addresses: %r' % routes)
            expect(all(line['why'] == 'loopback' for line in routes), 'reasons: %r' % routes)


def ask_routes(gateway, urls):
    """url -> its answer and its way"""
    answers = {url: ask_at(gateway, url) for url in urls}
    routes = {line['channel'].partition('at=')[2]: line for line in gateway.stop() if 'why' in line}
    gateway.__class__ = Stopped
    return {url: (answers[url], routes[url]) for url in urls}


def test_proxy(simulator):
    """The environment's proxy, its exceptions, and never for the loopback."""
    with Provider(lambda link: send_whole(link, WELL)) as proxy, Provider(lambda link: send_whole(link, WELL)) as provider:
        environment = {'http_proxy': 'http://user:secret@127.0.0.1:%d' % proxy.port, 'HTTPS_PROXY': '', 'ALL_PROXY': '',
                       'no_proxy': 'exact.invalid, .dot.invalid,*.star.invalid, 192.0.2.0/24,2001:db8::/32'}
        through = ['http://provider.invalid/v1/x', 'http://not-exact.invalid/x', 'http://192.0.3.1/x']
        around = ['http://exact.invalid/x', 'http://a.exact.invalid/x', 'http://a.dot.invalid/x', 'http://a.star.invalid/x',
                  'http://192.0.2.77/x', 'http://[2001:db8::7]/x']
        here = ['%s/x' % provider.url, 'http://localhost:%d/x' % provider.port]
        urls = through + around + here
        with Gateway(provider, '--routes=1', '--connect=400', *('at=' + url for url in urls), env=environment) as gateway:
            ways = ask_routes(gateway, urls)
        asked = [head.split()[1].decode() for head in proxy.heads]
        for url in through:
            answer, route = ways[url]
            expect(answer.body == WELL and route['why'] == 'environment' and url in asked, 'through it: %r' % route, answer)
            expect(route['proxy'] == 'http://127.0.0.1:%d' % proxy.port, 'without a password: %r' % route)
        for url in around:
            expect(ways[url][1]['why'] == 'no_proxy' and url not in asked, 'around it: %r %r' % (ways[url][1], asked))
        for url in here:
            expect(ways[url][0].body == WELL and ways[url][1]['why'] == 'loopback', 'this machine: %r' % ways[url][1])
        expect(provider.requests == len(here), 'past it: %d' % provider.requests)
        expect(b'Basic ' in proxy.heads[0], 'as proxies are asked: %r' % proxy.heads[0])


def test_desktop_proxy(simulator):
    """Without a word of the environment the desktop is asked, and nobody waits for it in vain."""
    nothing = {name: '' for name in ('http_proxy', 'https_proxy', 'all_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'no_proxy', 'NO_PROXY')}
    url = 'http://provider.invalid/v1/x'
    with Gateway(simulator, '--routes=1', 'at=' + url, env=nothing) as gateway:
        answer, route = ask_routes(gateway, [url])[url]
        expect(answer.status == 502 and route['why'] == 'desktop' and route['proxy'] == '', 'direct: %r' % route, answer)


NGINX = """daemon off; master_process off; pid %(folder)s/pid; error_log stderr crit;
events { } http { access_log off;
client_body_temp_path %(folder)s/1; proxy_temp_path %(folder)s/2; fastcgi_temp_path %(folder)s/3;
uwsgi_temp_path %(folder)s/4; scgi_temp_path %(folder)s/5;
server { listen 127.0.0.1:%(port)d ssl; http2 on; ssl_certificate %(folder)s/cert; ssl_certificate_key %(folder)s/key;
default_type text/event-stream;
location / { return 200 'data: {"choices":[{"delta":{"content":"$server_protocol"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'; } } }
"""


@contextlib.contextmanager
def tls_provider():
    """nginx, with a certificate that nobody knows; its port and the file of it"""
    with tempfile.TemporaryDirectory(prefix='kb-tls-') as folder:
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=a test',
                        '-addext', 'subjectAltName=IP:127.0.0.1,DNS:provider.invalid', '-keyout', folder + '/key',
                        '-out', folder + '/cert'], check=True, stderr=subprocess.DEVNULL)
        with socket.create_server(('127.0.0.1', 0)) as probe:
            port = probe.getsockname()[1]
        with open(folder + '/conf', 'w', encoding='ascii') as file:
            file.write(NGINX.replace('\n\ndata', '\\n\\ndata').replace('\n\n\'', '\\n\\n\'') % {'folder': folder, 'port': port})
        nginx = subprocess.Popen([shutil.which('nginx') or '/usr/sbin/nginx', '-e', 'stderr', '-p', folder, '-c', folder + '/conf'])
        try:
            wait_until(lambda: can_connect(port), 'nginx')
            yield port, folder + '/cert'
        finally:
            nginx.terminate()
            nginx.wait()


def can_connect(port):
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


def test_tls(simulator):
    """HTTP/2 where it is offered; who is not known is told of, and not spoken to; the same by CONNECT."""
    with tls_provider() as (port, certificate):
        direct, named = 'https://127.0.0.1:%d/x' % port, 'https://provider.invalid:%d/x' % port

        def tunnel(link):
            link.sendall(b'HTTP/1.1 200 Well\r\n\r\n')
            with socket.create_connection(('127.0.0.1', port)) as far:
                back = threading.Thread(target=pipe, args=(far, link))
                back.start()
                pipe(link, far)
                back.join()

        with Provider(tunnel) as proxy:
            environment = {'SSL_CERT_FILE': certificate, 'https_proxy': 'http://127.0.0.1:%d' % proxy.port, 'no_proxy': ''}
            with Gateway(simulator, '--routes=1', '--header=60000', '--token=60000', 'at=' + direct, 'at=' + named, env=environment) as gateway:
                for url in (direct, named):
                    answer = ask_at(gateway, url, STREAM)
                    expect(answer.text == 'HTTP/2.0' and answer.whole, url, answer)
                routes = [line for line in gateway.stop() if 'why' in line]
                gateway.__class__ = Stopped
            expect([line['why'] for line in routes] == ['loopback', 'environment'], 'ways: %r' % routes)
            expect(proxy.heads[0].startswith(b'CONNECT provider.invalid:%d ' % port), 'a tunnel: %r' % proxy.heads)
        with Gateway(simulator, '--routes=1', '--header=60000', 'at=' + direct) as gateway:
            answer, route = ask_routes(gateway, [direct])[direct]
            expect(answer.status == 502 and 'certificate' in route['tls'], 'not trusted: %r' % route, answer)


def pipe(source, sink):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


def test_text_for_a_stream(simulator):
    """Once comments were sent a whole text is no answer any more: the channel failed, the next one serves."""
    def serve(link):
        if provider.requests > 1:
            begin_stream(link)
            link.sendall(EVENT % b'well' + LAST)
            link.close()
            return
        time.sleep(0.5)
        send_whole(link, WELL)

    with Provider(serve) as provider, Gateway(provider, '--header=60000', '--token=60000', 'm', 'n') as gateway:
        answer = Answer(gateway.port, 'POST', PATHS['chat'], STREAM)
        expect(answer.whole and answer.text == 'well' and b'still working' in answer.body, 'the next one', answer)
        ended = gateway.stop()
        gateway.__class__ = Stopped
        expect(ended[0]['ok'] and ended[0]['attempts'] == 2, 'two attempts: %r' % ended)
    with Provider(lambda link: (time.sleep(0.5), send_whole(link, WELL))) as provider, \
            Gateway(provider, '--header=60000', '--token=60000', 'm') as gateway:
        answer = Answer(gateway.port, 'POST', PATHS['chat'], STREAM)
        expect(answer.error and not answer.whole and answer.text == '', 'an error in the stream', answer)
        ended = gateway.stop()
        gateway.__class__ = Stopped
        expect(not ended[0]['ok'], 'no success: %r' % ended)
    with Provider(lambda link: send_whole(link, WELL)) as provider, Gateway(provider, 'm') as gateway:
        answer = Answer(gateway.port, 'POST', PATHS['chat'], STREAM)
        expect(answer.body == WELL and answer.whole, 'before them it is handed on as it is', answer)


def test_odd_providers(simulator):
    """What is no answer of HTTP fails over; odd lines in a head are left out."""
    good = b'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%sConnection: close\r\n\r\n' + EVENT % b'well' + LAST
    odd = b'Foo bar: x\r\nFoo : x\r\nFoo: x\r\n folded: y\r\nFoo: x\ry\r\n'
    for first, attempts in ((b'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nPRI * HTTP/2.0\r\n\r\n', 2),
                            (b'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}', 2), (good % odd, 1)):
        def serve(link):
            link.sendall(first if provider.requests == 1 else good % b'')
            link.close()

        with Provider(serve) as provider, Gateway(provider, 'm', 'n') as gateway:
            answer = Answer(gateway.port, 'POST', PATHS['chat'], STREAM)
            expect(answer.whole and answer.text == 'well', 'served after %r' % first[:20], answer)
            expect(answer.headers['x-koboshi-attempts'] == str(attempts), 'in %d attempts' % attempts, answer)


def test_deadlines(simulator):
    """Each by itself, the others being far away."""
    far = {name: '--%s=600000' % name for name in ('connect', 'header', 'token', 'idle', 'comment', 'total')}

    def head_only(link):
        begin_stream(link)
        time.sleep(PATIENCE)

    def trickle(event):
        def serve(link):
            begin_stream(link)
            while True:
                link.sendall(event)
                time.sleep(0.02)
        return serve

    def one_event(link):
        begin_stream(link)
        link.sendall(EVENT % b'well')
        time.sleep(PATIENCE)

    for name, serve, message in (('header', lambda link: time.sleep(PATIENCE), 'no answer began in time'),
                                 ('token', head_only, 'no first token came in time'),
                                 ('token', trickle(b': comment\n\n'), 'no first token came in time'),
                                 ('idle', one_event, 'nothing more came in time'),
                                 ('total', trickle(EVENT % b'well'), '')):
        with Provider(serve) as provider, Gateway(provider, *{**far, name: '--%s=400' % name}.values(), 'm') as gateway:
            answer = Answer(gateway.port, 'POST', PATHS['chat'], STREAM)
            expect(answer.error and message in answer.error['message'], name, answer)
            expect(answer.status == (504 if name in ('header', 'token') else 200), name, answer)
            expect(answer.whole == (answer.status == 504), 'an end that is none', answer)
    with full_listener() as url, Gateway(simulator, *{**far, 'connect': '--connect=400'}.values(), 'at=' + url) as gateway:
        answer = ask_at(gateway, url)
        expect(answer.status in (502, 504) and answer.error, 'connect', answer)


@contextlib.contextmanager
def full_listener():
    """Nobody is accepted here, and nobody refused."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(('127.0.0.1', 0))
        listener.listen(0)
        for _ in range(4):
            link = stack.enter_context(socket.socket())
            link.setblocking(False)
            link.connect_ex(listener.getsockname())
        time.sleep(0.1)
        yield 'http://127.0.0.1:%d/x' % listener.getsockname()[1]


class Stopped(Gateway):
    def stop(self):
        return []


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

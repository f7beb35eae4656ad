#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The gateway as a client sees it, in front of the simulator. TAP output."""

import concurrent.futures
import contextlib
import gzip
import json
import random
import resource
import signal
import socket
import sys
import time

from clients import (PATHS, PATIENCE, SCENARIOS, Answer, Gateway, Simulator, connect, expect, expect_safe, expect_whole, head_of,
                     run_tests)

def check_scenario(simulator, dialect, name, stream):
    model = 'fb-%s-%s-%s' % (name, dialect, 'stream' if stream else 'plain')
    verdict, attempts = SCENARIOS[name]
    with Gateway(simulator, '--retries=2', '%s:%s' % (dialect, model), '%s:fb-ok' % dialect) as gateway:
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
    for dialect in PATHS:
        with Gateway(simulator, dialect + ':fb-ok') as gateway:
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
        expect(ask('Origin: http://evil\\@localhost').status == 403, 'an Origin that is none')
        expect(ask('Host: %6cocalhost').status == 403, 'a Host in other letters')
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
    with Gateway(simulator, 'fb-ok', 'messages:fb-ok') as gateway:
        expect(json.loads(Answer(gateway.port, 'GET', '/healthz').body) == {'status': 'ok'}, 'healthz')
        models = json.loads(Answer(gateway.port, 'GET', '/v1/models').body)
        expect('auto' in [m['id'] for m in models['data']], 'the list of models')
        models = json.loads(Answer(gateway.port, 'GET', '/v1/models', headers=['anthropic-version: 1']).body)
        expect(models['has_more'] is False, 'the list of models for messages')
        body = b'{"model":"auto","messages":[{"role":"user","content":"hello"}]}'
        count = Answer(gateway.port, 'POST', '/v1/messages/count_tokens', body)
        expect(count.status == 200 and count.whole, 'tokens are counted', count)
        expect(count.channel == 'sim-messages::fb-ok', 'by a channel of that dialect', count)


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


def own_addresses():
    """This machine's name, where it has an address, and its addresses beyond the loopback."""
    found = []
    with contextlib.suppress(OSError):
        found += [socket.gethostname()] if socket.gethostbyname(socket.gethostname()) else []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(('192.0.2.1', 9))
        found.append(probe.getsockname()[0])
    return found


def test_no_way_back(simulator):
    """No spelling of its own address leads the gateway to itself."""
    hosts = ['127.0.0.1', 'localhost', 'LOCALHOST', 'a.localhost', '127.1', '127.9.9.9', '2130706433', '0x7f.1', '0177.1', '0',
             '0.0.0.0', '[::1]', '[::]', '[0:0::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0.0.0.0]']
    hosts = ['self=' + host for host in hosts + own_addresses()] + ['via=' + host for host in hosts]
    with Gateway(simulator, *hosts) as gateway:
        for host in hosts:
            answer = gateway.ask(model='sim::' + host, stream=False)
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


def test_comments(simulator):
    """A stream is kept alive from before its first content on; errors are then in it."""
    with Gateway(simulator, '--token=60000', '--header=60000', '--idle=60000', 'sim-first-token=60s') as gateway:
        answer = gateway.ask()
        expect(b'\n: still working\n\n' in b'\n' + answer.body, 'a comment', answer)
        expect_whole(answer, simulator)
    with Gateway(simulator, '--header=500', 'fb-s06-comments') as gateway:
        answer = gateway.ask()
        expect(answer.status == 200 and answer.error and not answer.whole, 'an error within', answer)


def test_error_event(simulator):
    """An error within a stream, before its content: the next channel is asked at once."""
    for dialect in PATHS:
        with Gateway(simulator, dialect + ':sim-error-frame=0', dialect + ':fb-ok') as gateway:
            answer = gateway.ask(dialect)
            expect_whole(answer, simulator)
            expect(answer.channel.endswith('::fb-ok') and answer.headers['x-koboshi-attempts'] == '2', dialect, answer)


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


if __name__ == '__main__':
    sys.exit(run_tests(globals()))

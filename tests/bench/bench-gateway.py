#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The gateway beside its peers: nginx as the provider of all, nginx as a plain proxy, and the
Node gateway of npm's @portkey-ai/gateway. They take turns, and a figure is the median of the
rounds. Usage: bench-gateway.py KOBOSHID LOAD [ROUNDS [IDLE_SECONDS]]"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

KOBOSHID, LOAD = (os.path.abspath(path) for path in sys.argv[1:3])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
IDLE_SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 else 60
NODE_GATEWAY = '@portkey-ai/gateway@1.15.2'
PATIENCE = 60  # seconds: of a busy machine
PATH = '/v1/chat/completions'
CONNECTIONS = 16
CHUNKS = 100  # of a stream, beside its last two
CHUNK_MS = 10
FAILOVERS = 101
SETTLE_SECONDS = 15  # what the last request set a timer for is over by then
WARM_UP_SECONDS = 3  # until a compiler that works while it runs has seen it all

ANSWER = {'id': 'c', 'object': 'chat.completion', 'created': 1, 'model': 'm', 'choices': [
    {'index': 0, 'message': {'role': 'assistant', 'content': 'well'}, 'finish_reason': 'stop'}],
    'usage': {'prompt_tokens': 1, 'completion_tokens': 1, 'total_tokens': 2}}

NGINX = """daemon off; master_process off; worker_processes 1; pid %(folder)s/%(name)s.pid;
error_log stderr error;
%(modules)s
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 100000000; keepalive_timeout 600; default_type application/json;
  client_body_temp_path %(folder)s/%(name)s-body; proxy_temp_path %(folder)s/%(name)s-proxy;
  fastcgi_temp_path %(folder)s/%(name)s-1; uwsgi_temp_path %(folder)s/%(name)s-2;
  scgi_temp_path %(folder)s/%(name)s-3;
  %(upstream)s
  server { listen 127.0.0.1:%(port)d; %(locations)s }
}
"""
PROXY = """proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection "";
proxy_buffering off;"""


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def wait_for(port):
    deadline = time.monotonic() + PATIENCE
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', port)) == 0:
                return
        if time.monotonic() > deadline:
            raise RuntimeError('nobody listens at port %d' % port)
        time.sleep(0.05)


def event(delta, finish=None):
    choice = {'index': 0, 'delta': delta, 'finish_reason': finish}
    return {'id': 'c', 'object': 'chat.completion.chunk', 'created': 1, 'model': 'm', 'choices': [choice]}


def quote(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n') + '"'


def stream_location():
    """A stream that takes its time, one event a chunk."""
    events = [json.dumps(event({'content': ' word'}))] * CHUNKS + [json.dumps(event({}, 'stop')), '[DONE]']
    lines = ['location = /stream%s { default_type text/event-stream;' % PATH]
    for text in events:
        lines.append('echo -n %s; echo_flush; echo_sleep %.3f;' % (quote('data: %s\n\n' % text), CHUNK_MS / 1000))
    return '\n'.join(lines + ['}'])


class Peer:
    """A gateway, or none: where it is asked, and what a request carries on top. The slow stream
    of the provider has a path of its own; to us it is another model."""

    def __init__(self, name, port, process, slow=('/stream' + PATH, 'm'), headers=()):
        self.name, self.port, self.process, self.slow, self.headers = name, port, process, slow, headers

    def cpu_seconds(self):
        """Of all its threads, also of those that ended."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def memory_mib(self, kind):
        """Rss: all that is resident; Pss: pages that others share, such as libraries, by their share"""
        text = pathlib.Path('/proc/%d/smaps_rollup' % self.process.pid).read_text(encoding='ascii')
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(kind + ':')) / 1024

    def wakeups(self):
        count = 0
        for path in pathlib.Path('/proc/%d/task' % self.process.pid).glob('*/status'):
            for line in path.read_text(encoding='ascii').splitlines():
                if 'ctxt_switches' in line:
                    count += int(line.split()[1])
        return count

    def request(self, stream=False, model='m'):
        path, model = self.slow if stream else (PATH, model)
        body = json.dumps({'model': model, 'stream': stream,
                           'messages': [{'role': 'user', 'content': 'How are you?'}]})
        lines = ['POST %s HTTP/1.1' % path, 'Host: 127.0.0.1:%d' % self.port,
                 'Content-Type: application/json', 'Content-Length: %d' % len(body), *self.headers]
        return ('\r\n'.join(lines) + '\r\n\r\n' + body).encode()

    def load(self, connections, seconds, stream=False):
        result = subprocess.run([LOAD, str(self.port), str(connections), str(seconds)], check=True,
                                input=self.request(stream), stdout=subprocess.PIPE)
        return json.loads(result.stdout)


class World(contextlib.ExitStack):
    def __init__(self):
        super().__init__()
        self.folder = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory(prefix='koboshi-bench-')))
        self.log = self.enter_context(open(self.folder / 'log', 'w+', encoding='utf-8'))

    def start(self, command, port=None, **more):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=self.log, **more)
        self.callback(process.wait)
        self.callback(process.terminate)
        if port is not None:
            wait_for(port)
        return process

    def nginx(self, name, locations, upstream='', modules=''):
        port = free_port()
        path = self.folder / (name + '.conf')
        path.write_text(NGINX % {'folder': self.folder, 'name': name, 'port': port, 'upstream': upstream,
                                 'locations': locations, 'modules': modules}, encoding='ascii')
        nginx = shutil.which('nginx') or '/usr/sbin/nginx'
        return Peer(name, port, self.start([nginx, '-e', 'stderr', '-p', str(self.folder), '-c', str(path)], port))

    def provider(self):
        module = 'load_module /usr/lib/nginx/modules/ngx_http_echo_module.so;'
        plain = 'location = %s { return 200 %s; }' % (PATH, quote(json.dumps(ANSWER)))
        return self.nginx('direct', plain + stream_location(), modules=module)

    def proxy(self, provider):
        upstream = 'upstream provider { server 127.0.0.1:%d; keepalive 64; }' % provider.port
        return self.nginx('nginx', 'location / { %s }' % PROXY, upstream)

    def koboshi(self, providers, name='koboshi'):
        """providers: name -> (base URL, model)"""
        home, profile = self.folder / name, self.folder / name / 'profiles/web'
        profile.mkdir(parents=True)
        (profile / 'package.json').write_text('{"dsh":{"profile":{"bundles":["dsh-daruma"]}}}')
        (profile / 'koboshi.yaml').write_text('listen: 127.0.0.1:0\n')
        (profile / 'cordis.patch.yml').write_text(json.dumps([{'id': 'dsh-daruma', 'config': {
            'channels': [{'provider': key, 'model': model} for key, (_, model) in providers.items()],
            'failureBudget': 1000000, 'tripOnRetryExhausted': False}}]))
        (home / 'settings.yaml').write_text(json.dumps({'llm-pi-ai': {'providers': {
            key: {'api': 'openai-completions', 'baseURL': url, 'apiKeyEnv': 'KB_BENCH_KEY',
                  'models': [{'id': model}], 'retryPolicy': {'mode': 'normal', 'maxRetries': 0}}
            for key, (url, model) in providers.items()}}}))
        process = self.start([KOBOSHID, '--home=%s' % home, '--state-dir=%s' % (home / 'state'), '--no-bus'],
                             stdout=subprocess.PIPE, text=True, env={**os.environ, 'KB_BENCH_KEY': 'key'})
        self.callback(process.stdout.close)
        address = process.stdout.readline().strip()
        if not address:
            raise RuntimeError('koboshid does not start')
        return Peer('koboshi', int(address.rsplit(':', 1)[1]), process, slow=(PATH, 'slow'))

    def node(self, provider):
        """(nullable): None where npm cannot be reached"""
        caches = os.environ.get('XDG_CACHE_HOME') or os.path.join(os.path.expanduser('~'), '.cache')
        folder = pathlib.Path(caches) / 'koboshi' / ('bench-' + NODE_GATEWAY.replace('/', '-'))
        server = folder / 'node_modules/@portkey-ai/gateway/build/start-server.js'
        if not server.exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / 'package.json').write_text('{"private": true}\n')
            npm = subprocess.run(['npm', 'install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts',
                                  NODE_GATEWAY], cwd=folder, stdout=sys.stderr, check=False)
            if npm.returncode != 0:
                print('bench: npm cannot be reached: no Node gateway beside us', file=sys.stderr)
                return None
        port = free_port()
        process = self.start(['node', str(server), '--port=%d' % port, '--headless'], port, stdout=self.log,
                             env={**os.environ, 'NODE_ENV': 'production'})
        headers = ('x-portkey-provider: openai', 'Authorization: Bearer key',
                   'x-portkey-custom-host: http://127.0.0.1:%d/v1' % provider.port)
        return Peer('node', port, process, headers=headers)


def ratio(name, a, b, form='%.3f'):
    print(('ratio gateway-%s %.2f (' + form + ' / ' + form + ')') % (name, a / b, a, b), flush=True)


def figure(name, value, unit, form='%.2f'):
    print(('figure gateway-%s ' + form + ' %s') % (name, value, unit), flush=True)


def in_turns(peers, measure):
    """name -> the median of what every round measured; the first round only warms up"""
    found = {peer.name: [] for peer in peers}
    for turn in range(ROUNDS + 1):
        for peer in peers:
            value = measure(peer)
            if turn > 0:
                found[peer.name].append(value)
    return found


def medians(found):
    return {name: statistics.median(values) for name, values in found.items()}


def measure_throughput(peers):
    def measure(peer):
        result = peer.load(CONNECTIONS, 1)
        return result['answers'] / result['seconds']
    rates = medians(in_turns(peers, measure))
    for name, rate in rates.items():
        figure('throughput-' + name, rate, 'requests-per-second', '%.0f')
    if 'node' in rates:
        ratio('throughput-over-node', rates['koboshi'], rates['node'], '%.0f')
    ratio('throughput-over-nginx', rates['koboshi'], rates['nginx'], '%.0f')


def measure_latency(peers):
    """What a gateway adds is the difference to the direct way in the same round."""
    found = in_turns(peers, lambda peer: peer.load(1, 0.5)['median_us'])
    added = {name: statistics.median(value - base for value, base in zip(values, found['direct']))
             for name, values in found.items() if name != 'direct'}
    figure('latency-direct', statistics.median(found['direct']) / 1000, 'ms', '%.3f')
    for name, value in added.items():
        figure('added-latency-' + name, value / 1000, 'ms', '%.3f')
    ratio('added-latency-over-nginx', added['koboshi'] / 1000, added['nginx'] / 1000)


def measure_chunks(peers):
    def measure(peer):
        before = peer.cpu_seconds()
        result = peer.load(CONNECTIONS, 0.1, stream=True)
        return (peer.cpu_seconds() - before) * 1e6 / (result['answers'] * (CHUNKS + 2))
    costs = medians(in_turns(peers, measure))
    ratio('chunk-cpu-over-nginx', costs['koboshi'], costs['nginx'], '%.1f us')


def read_message(link):
    data = b''
    while b'\r\n\r\n' not in data:
        piece = link.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b'\r\n\r\n')
    length = next((int(line.split(b':')[1]) for line in head.split(b'\r\n')
                   if line.lower().startswith(b'content-length:')), 0)
    while len(body) < length:
        body += link.recv(65536)
    return head


def reply(link, status, value):
    body = json.dumps(value).encode()
    link.sendall(b'HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s'
                 % (status, len(body), body))


class Upstream:
    """A provider of the same thread that asks, so that one clock sees it all."""

    def __init__(self, world):
        self.listener = world.enter_context(socket.create_server(('127.0.0.1', 0)))
        self.url = 'http://127.0.0.1:%d/v1' % self.listener.getsockname()[1]
        self.link = None

    def take(self, world):
        if self.link is None:
            self.link = world.enter_context(self.listener.accept()[0])
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        assert read_message(self.link) is not None, 'the connection is kept'
        return self.link


def measure_failover(world):
    """From the last byte of a failure to the first byte of the answer of the next channel."""
    bad, good = Upstream(world), Upstream(world)
    peer = world.koboshi({'bad': (bad.url, 'm'), 'good': (good.url, 'm')}, 'failover')
    link = world.enter_context(socket.create_connection(('127.0.0.1', peer.port)))
    error = {'error': {'message': 'overloaded', 'type': 'server_error', 'code': 'server_error'}}
    took = []
    for _ in range(FAILOVERS):
        link.sendall(peer.request(model='auto'))
        reply(bad.take(world), 500, error)
        begun = time.perf_counter()
        reply(good.take(world), 200, ANSWER)
        first = link.recv(65536)
        took.append((time.perf_counter() - begun) * 1000)
        assert first.startswith(b'HTTP/1.1 200') and b'\nx-koboshi-attempts: 2' in first.lower(), first
        if not first.endswith(b'}'):
            link.recv(65536)
    figure('failover', statistics.median(took), 'ms')
    figure('failover-p95', sorted(took)[FAILOVERS * 95 // 100], 'ms')


def measure_idle(peer):
    time.sleep(SETTLE_SECONDS)
    before = peer.wakeups()
    time.sleep(IDLE_SECONDS)
    figure('idle-wakeups', (peer.wakeups() - before) * 60 / IDLE_SECONDS, 'a-minute', '%.0f')


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started ends, too
    with World() as world:
        try:
            provider = world.provider()
            proxy = world.proxy(provider)
            base = 'http://127.0.0.1:%d' % provider.port
            koboshi = world.koboshi({'provider': (base + '/v1', 'm'), 'streams': (base + '/stream/v1', 'slow')})
            figure('memory-at-start', koboshi.memory_mib('Rss'), 'MiB', '%.1f')
            node = world.node(provider)
            peers = [provider, proxy, koboshi] + ([node] if node is not None else [])
            for peer in peers:
                peer.load(CONNECTIONS, WARM_UP_SECONDS)
            measure_latency(peers)
            measure_throughput(peers)
            measure_chunks([proxy, koboshi])
            if node is not None:
                ratio('memory-over-node', koboshi.memory_mib('Rss'), node.memory_mib('Rss'), '%.1f MiB')
                ratio('shared-memory-over-node', koboshi.memory_mib('Pss'), node.memory_mib('Pss'), '%.1f MiB')
            measure_failover(world)
            measure_idle(koboshi)
        except Exception:
            world.log.seek(0)
            print(world.log.read()[-4000:], file=sys.stderr)
            raise


main()

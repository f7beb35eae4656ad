#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The simulator as a client sees it, byte by byte. TAP output."""

import email.utils
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
import zlib

PROGRAM = os.path.abspath(sys.argv[1])
PATHS = {'chat': '/v1/chat/completions', 'messages': '/v1/messages', 'responses': '/v1/responses'}
PATIENCE = 60  # seconds: of a busy machine, not of the simulator
N_CONNECTIONS = 1000


class Simulator:
    def __init__(self, *arguments, scale='0.01', descriptors=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.process = subprocess.Popen([PROGRAM, '--port', '0', '--scale', scale, *arguments],
                                        preexec_fn=limit if descriptors else None,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())['port']

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """It goes when it is told to, and leaves nothing behind (the sanitizers look)."""
        self.process.send_signal(signal.SIGTERM)
        rest = self.process.communicate(timeout=PATIENCE)[0]
        assert self.process.returncode == 0, self.process.returncode
        return [json.loads(line) for line in rest.splitlines()]

    def connect(self, family=socket.AF_INET):
        link = socket.socket(family, socket.SOCK_STREAM)
        link.settimeout(PATIENCE)
        link.connect(('127.0.0.1' if family == socket.AF_INET else '::1', self.port))
        return Link(link)

    def ask(self, dialect, model, **more):
        """One attempt over a connection of its own."""
        with self.connect() as link:
            link.send(PATHS[dialect], model, **more)
            return link.answer()

    def connect_and_ask(self):
        """Whether there is room."""
        try:
            return self.ask('chat', 'fb-ok').how == 'whole'
        except OSError:
            return False

    def get(self, path, method='GET', body=b''):
        with self.connect() as link:
            link.write('%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n' % (method, path, len(body)), body)
            answer = link.answer()
            return answer.status, json.loads(answer.body)

    def text(self, tokens=60):
        return self.get('/_text?tokens=%d' % tokens)[1]['text']

    def attempts(self, model):
        return self.get('/_attempts?model=' + model.replace('+', '%2B').replace('=', '%3D'))[1]


class Link:
    def __init__(self, link):
        self.socket = link
        self.buffer = b''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def write(self, head, body=b''):
        self.socket.sendall(head.encode() + body)

    def send(self, path, model, version='1.1', headers='', **more):
        content = {'model': model, 'messages': [{'role': 'user', 'content': 'hi'}], 'input': 'hi', **more}
        body = json.dumps(content).encode()
        self.write('POST %s HTTP/%s\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n' % (path, version, headers, len(body)), body)

    def more(self):
        """'data', 'end' or 'reset'."""
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            return 'reset'
        self.buffer += data
        return 'data' if data else 'end'

    def answer(self):
        return Answer(self)


class Answer:
    """Reads one answer, and how it ended: 'whole', 'end' (too early), 'reset'."""

    def __init__(self, link):
        self.link = link
        self.status, self.headers, self.body, self.chunks = 0, {}, b'', []
        self.how = self._read_head() or self._read_body()

    def _read_head(self):
        while b'\r\n\r\n' not in self.link.buffer:
            state = self.link.more()
            if state != 'data':
                return state
        head, self.link.buffer = self.link.buffer.split(b'\r\n\r\n', 1)
        first, *lines = head.decode().split('\r\n')
        self.version, status, self.reason = first.split(' ', 2)
        self.status = int(status)
        for line in lines:
            name, value = line.split(': ', 1)
            self.headers[name.lower()] = value
        return None

    def _take(self, n):
        while len(self.link.buffer) < n:
            state = self.link.more()
            if state != 'data':
                return state
        self.part, self.link.buffer = self.link.buffer[:n], self.link.buffer[n:]
        return None

    def _take_line(self):
        while b'\r\n' not in self.link.buffer:
            state = self.link.more()
            if state != 'data':
                return state
        self.part, self.link.buffer = self.link.buffer.split(b'\r\n', 1)
        return None

    def _read_body(self):
        if self.headers.get('transfer-encoding') == 'chunked':
            return self._read_chunks()
        if 'content-length' in self.headers:
            how = self._take(int(self.headers['content-length']))
            self.body = self.link.buffer if how else self.part
            return how or 'whole'
        while (state := self.link.more()) == 'data':
            pass
        self.body, self.link.buffer = self.link.buffer, b''
        return state

    def _read_chunks(self):
        while True:
            how = self._take_line()
            if how:
                return how
            size = int(self.part, 16)
            how = self._take(size + 2)
            if how:
                return how
            assert self.part.endswith(b'\r\n')
            if size == 0:
                return 'whole'
            self.chunks.append(self.part[:-2])
            self.body += self.part[:-2]

    def json(self):
        return json.loads(self.body)

    def events(self):
        """(name, data) of every event: LF, no byte order mark."""
        return parse_events(self.body.decode())

    def said(self):
        return ''.join(text_of(json.loads(data)) for _, data in self.events() if data != '[DONE]')


def parse_events(text):
    events = []
    for block in text.split('\n\n'):
        name, data = None, None
        for line in block.split('\n'):
            if line.startswith('event: '):
                name = line[7:]
            elif line.startswith('data: '):
                data = line[6:]
        if data is not None:
            events.append((name, data))
    return events


def text_of(event):
    """What an event adds to the text, in whatever dialect."""
    if 'choices' in event:
        return ''.join(choice['delta'].get('content') or '' for choice in event['choices'])
    if event.get('type') == 'content_block_delta':
        return event['delta'].get('text', '')
    return event['delta'] if event.get('type') == 'response.output_text.delta' else ''


def plain_text(dialect, answer):
    if dialect == 'chat':
        return answer['choices'][0]['message']['content']
    if dialect == 'messages':
        return ''.join(block['text'] for block in answer['content'])
    return answer['output'][0]['content'][0]['text']


# ---------------------------------------------------------------------------------------------


def test_plain(sim):
    for dialect in PATHS:
        answer = sim.ask(dialect, 'fb-ok')
        assert (answer.status, answer.how) == (200, 'whole'), vars(answer)
        assert plain_text(dialect, answer.json()) == sim.text()
        usage = answer.json()['usage']
        assert usage.get('completion_tokens', usage.get('output_tokens')) == 60


def test_stream(sim):
    for dialect in PATHS:
        answer = sim.ask(dialect, 'fb-ok', stream=True)
        assert (answer.status, answer.how) == (200, 'whole'), answer.how
        assert answer.headers['content-type'].startswith('text/event-stream')
        assert answer.said() == sim.text()
    assert sim.ask('chat', 'fb-ok', stream=True).events()[-1] == (None, '[DONE]')
    assert sim.ask('messages', 'fb-ok', stream=True).events()[-1][0] == 'message_stop'
    assert sim.ask('responses', 'fb-ok', stream=True).events()[-1][0] == 'response.completed'


def test_stream_details(sim):
    events = sim.ask('messages', 'fb-ok', stream=True).events()
    for name, data in events:
        assert json.loads(data)['type'] == name
    events = [json.loads(data) for _, data in sim.ask('responses', 'fb-ok', stream=True).events()]
    assert [event['sequence_number'] for event in events] == list(range(len(events)))
    assert events[-1]['response']['output'][0]['content'][0]['text'] == sim.text()
    last = sim.ask('chat', 'fb-ok', stream=True, stream_options={'include_usage': True}).events()[-2]
    assert json.loads(last[1])['usage']['completion_tokens'] == 60
    assert json.loads(last[1])['choices'] == []
    assert b'"usage"' not in sim.ask('chat', 'fb-ok', stream=True).body


def test_once(sim):
    """What fails once fails once for every full name, in every dialect."""
    for dialect in PATHS:
        for name, status in (('fb-s01-' + dialect, 429), ('fb-s03-' + dialect, 500)):
            first = sim.ask(dialect, name, stream=True)
            assert (first.status, first.how) == (status, 'whole')
            assert 'error' in first.json()
            assert sim.ask(dialect, name, stream=True).said() == sim.text()
    first = sim.ask('chat', 'fb-s01')
    assert first.headers['retry-after'] == '1' and first.headers['retry-after-ms'] == '20'


def test_always(sim):
    for name, status in (('fb-s02', 429), ('fb-s04', 503), ('fb-s16', 503), ('fb-s12', 400), ('fb-s13', 400)):
        for _ in range(3):
            assert sim.ask('chat', name).status == status
    assert sim.ask('chat', 'fb-s12').json()['error']['code'] == 'context_length_exceeded'
    assert sim.ask('responses', 'fb-s13').json()['error']['code'] == 'content_policy_violation'
    error = sim.ask('messages', 'fb-s12').json()
    assert error['type'] == 'error' and 'prompt is too long' in error['error']['message']
    assert sim.ask('messages', 'sim-status=529').json()['error']['type'] == 'overloaded_error'


def test_reset(sim):
    answer = sim.ask('chat', 'fb-s05', stream=True)
    assert (answer.how, answer.status, answer.link.buffer) == ('reset', 0, b'')
    assert sim.ask('chat', 'fb-s05', stream=True).how == 'whole'
    assert sim.ask('chat', 'sim-fail=close').how == 'end'
    answer = sim.ask('chat', 'sim-fail=partial')
    assert answer.how == 'end' and answer.link.buffer == b'HTTP/1.1 2'
    assert [attempt['status'] for attempt in sim.attempts('fb-s05')] == [0, 200]


def test_silence(sim):
    """Silent for two minutes, which are a second here, and then it answers."""
    assert sim.ask('chat', 'fb-s06').how == 'whole'
    answer = sim.ask('chat', 'fb-s07', stream=True)
    assert answer.said() == sim.text()
    attempt = sim.attempts('fb-s07')[0]
    assert 0 <= attempt['headMs'] < attempt['endMs']


def test_cut(sim):
    for name, tokens in (('fb-s08', 40), ('fb-s14', 40), ('fb-s09', 20)):
        for dialect in PATHS:
            answer = sim.ask(dialect, name, stream=True)
            assert (answer.status, answer.how) == (200, 'end')
            assert answer.said() == sim.text(tokens)
            assert sim.attempts(name)[-1]['end'] == 'cut'
            assert sim.attempts(name)[-1]['tokens'] == tokens
    assert sim.ask('chat', 'sim-cut=30+end=reset', stream=True).how == 'reset'
    answer = sim.ask('chat', 'sim-cut=30+end=clean', stream=True)
    assert answer.how == 'whole' and answer.said() == sim.text(30)
    answer = sim.ask('messages', 'fb-s08')
    assert answer.how == 'end' and 0 < len(answer.body) < int(answer.headers['content-length'])


def test_bad_events(sim):
    events = sim.ask('chat', 'fb-s10', stream=True).events()
    broken = [data for _, data in events if data != '[DONE]' and not data.endswith('}')]
    assert len(broken) == 1 and events.index((None, broken[0])) == 21
    good = ''.join(text_of(json.loads(data)) for _, data in events if data not in ('[DONE]', broken[0]))
    assert good == sim.text()
    events = sim.ask('chat', 'fb-s11', stream=True).events()
    assert json.loads(events[-1][1])['choices'][0]['finish_reason'] == 'stop'
    assert json.loads(sim.ask('chat', 'sim-error-frame=0', stream=True).events()[-1][1])['error']
    assert sim.ask('messages', 'sim-error-frame=5', stream=True).events()[-1][0] == 'error'
    assert sim.ask('responses', 'sim-error-frame=5', stream=True).events()[-1][0] == 'error'
    assert 'error' in sim.ask('chat', 'sim-error-frame=0').json()


def test_outage(sim):
    """A minute of 503, which is long over here when the second attempt comes."""
    assert sim.ask('chat', 'fb-s15').status == 503
    answers = [sim.ask('chat', 'fb-s15').status]
    while answers[-1] == 503:
        answers.append(sim.ask('chat', 'fb-s15').status)
    assert answers[-1] == 200


def test_prefill(sim):
    messages = [{'role': 'user', 'content': 'hi'}, {'role': 'assistant', 'content': sim.text(11)}]
    answer = sim.ask('chat', 'fb-ok', stream=True, messages=messages)
    assert sim.text(11) + answer.said() == sim.text()
    answer = sim.ask('messages', 'fb-ok', messages=messages)
    assert sim.text(11) + plain_text('messages', answer.json()) == sim.text()
    assert sim.ask('chat', 'fb-ok-noprefill', messages=messages).status == 400
    assert sim.ask('chat', 'fb-ok-noprefill').status == 200


def test_split(sim):
    """Characters of several bytes are cut apart by chunks and by packets."""
    answer = sim.ask('chat', 'sim-chunk=1', stream=True)
    assert set(map(len, answer.chunks)) == {1} and answer.said() == sim.text()
    assert sim.ask('messages', 'sim-chunk=5+dribble=3+tokens=8', stream=True).said() == sim.text(8)
    assert plain_text('chat', sim.ask('chat', 'sim-chunked+chunk=7').json()) == sim.text()


def test_gzip(sim):
    for more in ({}, {'stream': True}):
        answer = sim.ask('chat', 'sim-gzip', **more)
        assert answer.headers['content-encoding'] == 'gzip'
        answer.body = zlib.decompress(answer.body, 31)
        text = answer.said() if more else plain_text('chat', answer.json())
        assert text == sim.text()
    # Every event can be read when it comes.
    cut = sim.ask('chat', 'sim-gzip+cut=5', stream=True)
    cut.body = zlib.decompressobj(31).decompress(cut.body)
    assert cut.said() == sim.text(5)


def test_layout(sim):
    for name, end in (('crlf', '\r\n'), ('cr', '\r')):
        body = sim.ask('chat', 'sim-eol=%s+bom+comments' % name, stream=True).body.decode()
        assert body.startswith('\ufeff: ping' + end * 2)
        assert ''.join(text_of(json.loads(data)) for _, data in parse_events(body.replace(end, '\n'))
                       if data != '[DONE]') == sim.text()
    assert sim.ask('chat', 'sim-last-blank=no', stream=True).body.endswith(b'data: [DONE]\n')
    assert not sim.ask('chat', 'fb-ok', stream=True).body.endswith(b'data: [DONE]\n')


def test_heads(sim):
    answer = sim.ask('chat', 'sim-status=429+retry-date=3000s')
    date, retry = (email.utils.parsedate_to_datetime(answer.headers[name]) for name in ('date', 'retry-after'))
    assert (retry - date).total_seconds() == 30
    skewed = sim.ask('chat', 'sim-clock-skew=1h').headers['date']
    assert 3000 < (email.utils.parsedate_to_datetime(skewed) - date).total_seconds() < 4000
    assert sim.ask('chat', 'sim-status=429+retry-ms=150s').headers['retry-after-ms'] == '1500'
    assert 'try again in 7.500s' in sim.ask('chat', 'sim-status=429+retry-body=7500').json()['error']['message']
    answer = sim.ask('chat', 'sim-redirect=http://127.0.0.1:1/x')
    assert (answer.status, answer.headers['location']) == (307, 'http://127.0.0.1:1/x')
    assert sim.ask('chat', 'sim-type=text/plain', stream=True).headers['content-type'] == 'text/plain'
    answer = sim.ask('chat', 'sim-huge-head=100000', stream=True)
    assert sum(map(len, answer.headers.values())) > 100000 and answer.said() == sim.text()
    assert sim.ask('chat', 'sim-slow-head=500', stream=True).said() == sim.text()
    answer = sim.ask('chat', 'sim-status=502+body=html')
    assert answer.headers['content-type'].startswith('text/html') and b'502 Bad Gateway' in answer.body
    assert sim.ask('chat', 'sim-body=empty').body == b''
    assert sim.ask('chat', 'sim-body=empty', stream=True).body == b''
    for status in (401, 402, 403, 404, 408, 409, 413, 425, 502, 504, 529):
        assert sim.ask('chat', 'sim-status=%d' % status).status == status


def test_keep_alive(sim):
    with sim.connect() as link:
        for nth in (1, 2, 3):
            link.send(PATHS['chat'], 'sim-run=keep', stream=nth % 2 == 1)
            assert link.answer().how == 'whole'
        link.send(PATHS['chat'], 'sim-keep=drop')
        assert link.answer().headers['connection'] == 'keep-alive' and link.more() == 'end'
    assert [attempt['nth'] for attempt in sim.attempts('sim-run=keep')] == [1, 2, 3]
    with sim.connect() as link:
        link.send(PATHS['chat'], 'sim-reuse-reset')
        assert link.answer().how == 'whole'
        link.send(PATHS['chat'], 'sim-reuse-reset')
        assert link.answer().how == 'reset'
    with sim.connect() as link:
        link.send(PATHS['chat'], 'sim-keep=close')
        assert link.answer().headers['connection'] == 'close' and link.more() == 'end'
    with sim.connect() as link:
        link.send(PATHS['chat'], 'fb-ok', headers='Connection: close\r\n')
        assert link.answer().how == 'whole' and link.more() == 'end'


def test_pipeline(sim):
    with sim.connect() as link:
        for _ in range(5):
            link.send(PATHS['chat'], 'sim-tokens=4', stream=True)
        for _ in range(5):
            assert link.answer().said() == sim.text(4)


def test_versions(sim):
    with sim.connect() as link:
        link.send(PATHS['chat'], 'fb-ok', version='1.0', stream=True)
        answer = link.answer()
        assert answer.version == 'HTTP/1.0' and answer.how == 'end' and answer.said() == sim.text()
    assert sim.ask('chat', 'sim-http10', stream=True).said() == sim.text()
    with sim.connect() as link:
        link.write('POST /v1/messages HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n')
        while b'\r\n\r\n' not in link.buffer:
            assert link.more() == 'data'
        assert link.buffer == b'HTTP/1.1 100 Continue\r\n\r\n'
        link.buffer = b''
        body = json.dumps({'model': 'fb-ok', 'messages': []})
        link.write('%x\r\n%s\r\n0\r\n\r\n' % (len(body), body))
        assert link.answer().how == 'whole'
    if socket.has_ipv6:
        try:
            link = sim.connect(socket.AF_INET6)
        except OSError:
            return
        link.send(PATHS['chat'], 'fb-ok')
        assert link.answer().how == 'whole'
        link.socket.close()


def test_tools(sim):
    schema = {'type': 'object', 'properties': {'city': {'type': 'string'}, 'days': {'type': 'integer'}}}
    wanted = {'city': '会津 🎎 "x"', 'days': 7}
    function = {'name': 'weather', 'parameters': schema}
    tools = {'chat': [{'type': 'function', 'function': function}],
             'messages': [{'name': 'weather', 'input_schema': schema}],
             'responses': [{'type': 'function', **function}]}
    message = [{'role': 'user', 'content': 'please call weather'}]

    def ask(dialect, **more):
        return sim.ask(dialect, 'fb-ok', tools=tools[dialect], messages=message, input=message, **more)

    call = ask('chat').json()['choices'][0]
    assert call['finish_reason'] == 'tool_calls'
    assert json.loads(call['message']['tool_calls'][0]['function']['arguments']) == wanted
    answer = ask('messages').json()
    assert answer['stop_reason'] == 'tool_use' and answer['content'][0]['input'] == wanted
    assert json.loads(ask('responses').json()['output'][0]['arguments']) == wanted
    parts = {'chat': '', 'messages': '', 'responses': ''}
    for dialect in PATHS:
        for _, data in ask(dialect, stream=True).events():
            event = {} if data == '[DONE]' else json.loads(data)
            for choice in event.get('choices', []):
                for piece in choice['delta'].get('tool_calls', []):
                    parts[dialect] += piece['function']['arguments']
            if event.get('type') in ('content_block_delta', 'response.function_call_arguments.delta'):
                delta = event['delta']
                parts[dialect] += delta if dialect == 'responses' else delta['partial_json']
        assert json.loads(parts[dialect]) == wanted, dialect
    assert plain_text('chat', sim.ask('chat', 'fb-ok', tools=tools['chat']).json()) == sim.text()
    assert sim.ask('chat', 'sim-tools', tools=tools['chat']).json()['choices'][0]['message']['tool_calls']


def test_reasoning(sim):
    answer = sim.ask('chat', 'sim-reasoning=5', stream=True)
    deltas = [json.loads(data)['choices'][0]['delta'] for _, data in answer.events() if data != '[DONE]']
    assert ''.join(delta.get('reasoning_content', '') for delta in deltas) == sim.text(5)
    assert answer.said() == sim.text()
    answer = sim.ask('messages', 'sim-reasoning=5', stream=True)
    blocks = [json.loads(data) for name, data in answer.events() if name == 'content_block_start']
    assert [block['content_block']['type'] for block in blocks] == ['thinking', 'text']
    assert answer.said() == sim.text()
    content = sim.ask('messages', 'sim-reasoning=5').json()['content']
    assert content[0]['thinking'] == sim.text(5) and content[1]['text'] == sim.text()
    answer = sim.ask('responses', 'sim-reasoning=5', stream=True)
    events = [json.loads(data) for _, data in answer.events()]
    deltas = [event['delta'] for event in events if event['type'] == 'response.reasoning_text.delta']
    assert ''.join(deltas) == sim.text(5) and answer.said() == sim.text()
    output = events[-1]['response']['output']
    assert [item['type'] for item in output] == ['reasoning', 'message']
    whole = sim.ask('responses', 'sim-reasoning=5').json()['output']
    assert whole[0]['content'] == output[0]['content'] and whole[1]['content'] == output[1]['content']


def test_others(sim):
    status, models = sim.get('/v1/models')
    assert status == 200 and 'fb-s16' in [model['id'] for model in models['data']]
    body = json.dumps({'model': 'x', 'messages': []}).encode()
    status, count = sim.get('/v1/messages/count_tokens', 'POST', body)
    assert status == 200 and count['input_tokens'] > 0
    assert sim.get('/elsewhere')[0] == 404 and sim.get('/v1/messages')[0] == 405
    assert sim.ask('chat', 'gpt-nothing').status == 404
    assert sim.ask('messages', 'gpt-nothing').json()['error']['type'] == 'not_found_error'


def test_attempts(sim):
    with sim.connect() as link:
        link.send(PATHS['messages'], 'sim-run=log', headers='X-Mark: 7\r\nAuthorization: Bearer k\r\n')
        link.answer()
    attempt = sim.attempts('sim-run=log')[0]
    assert attempt['headers']['x-mark'] == '7' and attempt['dialect'] == 'messages'
    assert (attempt['status'], attempt['end'], attempt['tokens']) == (200, 'whole', 60)
    assert len(attempt['bodySha256']) == 64 and attempt['bodyBytes'] > 20
    with sim.connect() as link:
        link.send(PATHS['chat'], 'sim-wait=10h')
        while not sim.attempts('sim-wait=10h'):
            pass
        assert sim.attempts('sim-wait=10h')[0]['end'] is None
    while sim.attempts('sim-wait=10h')[0]['end'] is None:
        pass
    assert sim.attempts('sim-wait=10h')[0]['end'] == 'gone'
    assert sim.get('/_reset', 'POST')[0] == 200
    assert sim.get('/_attempts')[1] == []


def test_script(sim):
    script = {'models': {'mine': {'steps': [{'times': 1, 'status': 401}, {'times': 1, 'cut': 2}]}}}
    assert sim.get('/_script', 'PUT', json.dumps(script).encode())[0] == 200
    assert sim.ask('chat', 'mine').status == 401
    assert sim.ask('chat', 'mine', stream=True).how == 'end'
    assert sim.ask('chat', 'mine', stream=True).how == 'whole'
    assert sim.get('/_script', 'PUT', b'{"models": {"mine": {"status": 9}}}')[0] == 400
    assert sim.ask('chat', 'mine', stream=True).how == 'whole'
    assert 'mine' in [model['id'] for model in sim.get('/v1/models')[1]['data']]


def test_hostile(sim):
    """What no client sends is refused, and the next one is served."""
    for text, status in (('nonsense\r\n\r\n', 400), ('GET / HTTP/1.1\r\nA: ' + 'x' * 70000, 431),
                         ('POST /v1/messages HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n', 413),
                         ('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400)):
        with sim.connect() as link:
            link.write(text)
            answer = link.answer()
            assert answer.status == status and link.more() == 'end', answer.status
    for body in (b'', b'{', b'[]', b'{"model": 7}', b'\xff\xfe', b'[' * 100000, b'{"model":"fb-ok"}'):
        for path in PATHS.values():
            assert sim.get(path, 'POST', body)[0] == 400
    with sim.connect() as link:
        link.send(PATHS['chat'], 'sim-wait=10h')
        try:
            for _ in range(1000):
                link.socket.sendall(b'x' * 65536)
            assert False, 'it listens to somebody who does not'
        except OSError:
            pass
    assert sim.ask('chat', 'fb-ok').status == 200


def test_slow_reader(sim):
    """A client that does not read holds up nobody, and gets all of it in the end."""
    with sim.connect() as link:
        link.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        link.send(PATHS['chat'], 'sim-http10+tokens=30000', stream=True)
        for _ in range(20):
            assert sim.ask('chat', 'fb-ok').how == 'whole'
        assert sim.attempts('sim-http10+tokens=30000')[0]['end'] is None
        body = b''.join(iter(lambda: link.socket.recv(65536), b''))
        events = parse_events(body.decode())[:-1]
        assert ''.join(text_of(json.loads(data)) for _, data in events) == sim.text(30000)


def test_many(sim):
    """A thousand streams at a time."""
    wanted = sim.text(10)
    links = [sim.connect() for _ in range(N_CONNECTIONS)]
    for link in links:
        link.send(PATHS['chat'], 'sim-tokens=10+wait=2s+token=1s+jitter=1s', stream=True)
    assert sim.get('/_health')[1]['connections'] > N_CONNECTIONS
    for link in links:
        assert link.answer().said() == wanted
        link.socket.close()
    while sim.get('/_health')[1]['connections'] > 1:
        pass


def test_few_descriptors(_):
    """Who comes when there is no room is turned away, and those who are there are served."""
    with Simulator('--quiet', descriptors=100) as sim:
        links = [sim.connect() for _ in range(60)]
        for link in links:
            link.send(PATHS['chat'], 'sim-first-token=20s', stream=True)
            assert link.more() == 'data'
        for _ in range(50):
            links.append(sim.connect())
        for link in links[:60]:
            assert link.answer().how == 'whole'
        for link in links:
            link.socket.close()
        while not sim.connect_and_ask():
            pass


def run_program(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE)


def test_command_line(sim):
    assert '--scale' in run_program('--help').stdout
    assert run_program('--version').stdout.startswith('koboshi-simulator ')
    page = run_program('--man').stdout
    assert page.startswith('.TH KOBOSHI-SIMULATOR') and page.isascii()
    assert '.B fb\\-s15\nstatus=503+for=60s\n' in page and '\\(lqreset\\(rq' in page
    for arguments in (['x'], ['--port', '-1'], ['--port', '70000'], ['--scale', '0'], ['--nothing'], ['--scale', 'nan']):
        result = run_program(*arguments)
        assert result.returncode == 2 and result.stderr.startswith('koboshi-simulator: '), result
    result = run_program('--port', str(sim.port))
    assert result.returncode == 1 and str(sim.port) in result.stderr, result
    assert run_program('--script', '/nowhere').returncode == 1
    assert run_program('--log', '/nowhere/x', '--port', '0').returncode == 1


def test_stop(_):
    """Told to stop with streams under way, it stops, and its lines are whole."""
    with tempfile.TemporaryDirectory() as folder:
        script, log = os.path.join(folder, 'script'), os.path.join(folder, 'log')
        with open(script, 'w', encoding='utf-8') as stream:
            stream.write('{"models": {"slow": "token=1s"}}')
        sim = Simulator('--script', script, '--log', log, scale='1')
        sim.ask('chat', 'fb-ok')
        links = [sim.connect() for _ in range(20)]
        for link in links:
            link.send(PATHS['chat'], 'slow', stream=True)
            assert link.more() == 'data'
        assert sim.stop() == []
        with open(log, encoding='utf-8') as stream:
            lines = [json.loads(line) for line in stream]
        assert [line['model'] for line in lines] == ['fb-ok'] + ['slow'] * 20
        assert lines[0]['end'] == 'whole' and {line['end'] for line in lines[1:]} == {'gone'}
        for link in links:
            while link.more() == 'data':
                pass
            link.socket.close()


def test_lines(_):
    """Attempts are lines on standard output; a pipe that nobody reads stops nothing."""
    sim = Simulator()
    for _ in range(3):
        sim.ask('chat', 'fb-s04')
    assert [line['status'] for line in sim.stop()] == [503] * 3
    sim = Simulator()
    for _ in range(60):
        sim.ask('chat', 'fb-s04-' + 'x' * 1000)
    with sim.connect() as link:
        for _ in range(400):
            link.send(PATHS['chat'], 'sim-tokens=1')
            assert link.answer().how == 'whole'
    assert 30 < len(sim.stop()) < 460
    sim = Simulator('--quiet')
    sim.ask('chat', 'fb-ok')
    assert sim.stop() == []


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard < 8192 else 8192, hard))
    tests = [function for name, function in globals().items() if name.startswith('test_')]
    print('1..%d' % len(tests), flush=True)
    failed = 0
    with Simulator('--quiet') as sim:
        for number, function in enumerate(tests, 1):
            try:
                function(sim)
                print('ok %d /simulator/sockets/%s' % (number, function.__name__[5:]), flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print('not ok %d /simulator/sockets/%s' % (number, function.__name__[5:]), flush=True)
                print('\n'.join('# ' + line for line in traceback.format_exc().splitlines()), flush=True)
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Clients of each dialect before providers of each other one, through the simulator. TAP output.

    test-dialects.py KB_GATEWAY_SERVE SIMULATOR [TEST...]
"""

import concurrent.futures
import json
import sys

import clients
from clients import PATHS, Answer, Gateway, expect, expect_safe, expect_whole, run_tests

PROVIDERS = {'chat': 'sim', 'messages': 'sim-messages', 'responses': 'sim-responses'}
PAIRS = [(client, provider) for client in PATHS for provider in PATHS if client != provider]
ENDS = {'chat': '[DONE]', 'messages': 'message_stop', 'responses': 'response.completed'}
TOOLS = {
    'chat': [{'type': 'function', 'function': {'name': 'now', 'parameters': {'type': 'object', 'properties': {}}}}],
    'messages': [{'name': 'now', 'input_schema': {'type': 'object', 'properties': {}}}],
    'responses': [{'type': 'function', 'name': 'now', 'parameters': {'type': 'object', 'properties': {}}}],
}
# Half an event may have said anything: it is handed on as it is, but cannot be translated.
SCENARIOS = {**clients.SCENARIOS, 's10': ('safe', 1)}


def check_scenario(simulator, client, provider, name, stream):
    model = 'fb-%s-%s-%s-%s' % (name, client, provider, 'stream' if stream else 'plain')
    verdict, attempts = SCENARIOS[name]
    with Gateway(simulator, '--retries=2', '%s:%s' % (provider, model), '%s:fb-ok' % provider) as gateway:
        answer = gateway.ask(client, stream=stream)
        if verdict == 'refusal':
            expect(answer.status == 400 and answer.whole and answer.error, 'the refusal is handed on', answer)
            expect((json.loads(answer.body).get('type') == 'error') == (client == 'messages'), 'in its words', answer)
        elif verdict == 'safe' and stream:
            expect_safe(answer, simulator)
            expect(ENDS[client].encode() not in answer.body, 'no end of the dialect', answer)
        else:
            expect_whole(answer, simulator)
            expect(answer.is_stream == stream, 'the form that was asked for', answer)
            named = answer.channel or answer.headers['x-koboshi-id']  # comments came before any channel was known
            expect(named.startswith((PROVIDERS[provider] + '::', 'x-')), 'the channel is named', answer)
        if attempts is not None and stream:
            expect(simulator.attempts(model) == attempts, 'attempts: %d' % simulator.attempts(model), answer)


def check_all(simulator, cases):
    """Each waits for most of its time."""
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for check in [pool.submit(check_scenario, simulator, *case) for case in cases]:
            check.result()


def test_scenarios(simulator):
    """The sixteen faults end as they do without a translation."""
    check_all(simulator, [(*pair, name, True) for pair in PAIRS for name in SCENARIOS])


def test_scenarios_plain(simulator):
    check_all(simulator, [(*pair, name, False) for pair in PAIRS[::2] for name in SCENARIOS])


def test_mixed_chain(simulator):
    """The head is of another dialect than its stand-in; a client of either is served by both."""
    with Gateway(simulator, 'messages:fb-s04-mixed', 'chat:fb-ok') as gateway:
        for client in PATHS:
            answer = gateway.ask(client)
            expect_whole(answer, simulator)
            expect(answer.channel == 'sim::fb-ok', 'by the second', answer)
    with Gateway(simulator, 'chat:fb-s04-mixed2', 'messages:fb-ok') as gateway:
        for client in PATHS:
            answer = gateway.ask(client, stream=False)
            expect_whole(answer, simulator)
            expect(answer.channel == 'sim-messages::fb-ok', 'by the second', answer)


def test_untranslatable(simulator):
    """What has no equivalent is refused by its name, and where another channel can, it does."""
    with Gateway(simulator, 'messages:fb-ok-first', 'chat:fb-ok') as gateway:
        answer = gateway.ask('chat', seed=1, logprobs=True, top_logprobs=2)
        expect_whole(answer, simulator)
        expect(answer.channel == 'sim::fb-ok', 'the channel of its own dialect', answer)
        expect(answer.headers['x-koboshi-attempts'] == '1', 'nothing was tried before', answer)
        expect(simulator.attempts('fb-ok-first') == 0, 'the other heard nothing', answer)
        answer = gateway.ask('messages', top_k=5)
        expect(answer.channel == 'sim-messages::fb-ok-first', 'its own', answer)
    with Gateway(simulator, 'messages:fb-ok') as gateway:
        answer = gateway.ask('chat', logprobs=True)
        expect(answer.status == 400, 'refused', answer)
        expect('logprobs has no equivalent' in answer.error['message'], 'by its name', answer)
        expect(answer.error['code'] == 'untranslatable', 'with a code', answer)
        count = Answer(gateway.port, 'POST', '/v1/messages/count_tokens',
                       b'{"model":"auto","messages":[{"role":"user","content":"x"}]}')
        expect(count.status == 200, 'tokens are counted by its own', count)
    with Gateway(simulator, 'chat:fb-ok') as gateway:
        count = Answer(gateway.port, 'POST', '/v1/messages/count_tokens',
                       b'{"model":"auto","messages":[{"role":"user","content":"x"}]}')
        expect(count.status == 404 and count.error, 'never by another', count)


def test_tools(simulator):
    for client, provider in PAIRS:
        with Gateway(simulator, provider + ':fb-ok') as gateway:
            for stream in (True, False):
                body = {'model': 'auto', 'stream': stream, 'max_tokens': 100, 'tools': TOOLS[client]}
                if client == 'responses':
                    body['max_output_tokens'] = body.pop('max_tokens')
                said = [{'role': 'user', 'content': 'please call now'}]
                body['input' if client == 'responses' else 'messages'] = said
                answer = Answer(gateway.port, 'POST', PATHS[client], json.dumps(body).encode())
                expect(answer.status == 200 and answer.whole, 'an answer', answer)
                expect(b'"now"' in answer.body, 'a call of the tool', answer)


def test_headers(simulator):
    """What a client says of its own dialect does not reach a provider of another."""
    with Gateway(simulator, 'chat:fb-ok') as gateway:
        answer = gateway.ask('messages', headers=['anthropic-version: 2023-06-01', 'anthropic-beta: x', 'x-request-id: 7'])
        expect_whole(answer, simulator)
    with Gateway(simulator, 'messages:fb-ok') as gateway:
        expect_whole(gateway.ask('chat', headers=['openai-organization: x']), simulator)


def test_errors(simulator):
    """Errors of a provider come in the words of the client."""
    for client, provider in PAIRS:
        with Gateway(simulator, provider + ':sim-status=401') as gateway:
            answer = gateway.ask(client)
            expect(answer.status == 401 and answer.error, 'an error', answer)
            body = json.loads(answer.body)
            if client == 'messages':
                expect(body['type'] == 'error' and body['error']['type'] == 'authentication_error', 'of messages', answer)
            else:
                expect('type' not in body and body['error']['type'] == 'authentication_error', 'of OpenAI', answer)
        with Gateway(simulator, provider + ':fb-s12') as gateway:
            answer = gateway.ask(client)
            if client == 'messages':
                expect(answer.error['message'].startswith('prompt is too long'), 'what clients look for', answer)
            else:
                expect(answer.error['code'] == 'context_length_exceeded', 'what clients look for', answer)


if __name__ == '__main__':
    sys.exit(run_tests(globals()))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A stream that breaks off, and other channels that go on with it (rule 9). TAP output."""

import itertools
import sys

from clients import PATHS, Gateway, expect, expect_safe, expect_whole, run_tests

# how -> options, channels, attempts of the last one
CHAINS = {
    'from the start': ([], ['sim-cut=40', 'fb-ok'], 1),
    'in pieces': ([], ['sim-cut=1+dribble=7', 'sim-chunk=5+eol=crlf+comments+bom'], 1),
    'after a stall': ([], ['sim-cut=20+silent=100s', 'fb-ok'], 1),
    'after an error event': ([], ['sim-error-frame=30', 'fb-ok'], 1),
    'by the third': ([], ['sim-cut=20', 'sim-cut=40', 'fb-ok'], 1),
    'over one that is down': ([], ['sim-cut=20', 'fb-s04', 'fb-ok'], 1),
    'over one that is cut before': ([], ['sim-cut=40', 'sim-cut=30', 'fb-ok'], 1),
    'behind a prefill': (['--prefill'], ['sim-cut=40', 'fb-ok'], 1),
    'where none is taken': (['--prefill'], ['sim-cut=40', 'fb-ok-noprefill'], 2),
}
COUNTER = itertools.count()


def name_channels(models):
    """Models that no other gateway asks for."""
    return [model + ('+run=' if '=' in model else '-') + str(next(COUNTER)) for model in models]


def go_on(simulator, client, how, providers):
    options, models, attempts = CHAINS[how]
    models = name_channels(models)
    channels = ['%s:%s' % pair for pair in zip(itertools.chain(providers, itertools.repeat(providers[-1])), models)]
    with Gateway(simulator, '--resume', '--comment=0', *options, *channels) as gateway:
        answer = gateway.ask(client)
        expect_whole(answer, simulator)
        told = [line for line in answer.body.decode().split('\n') if line.startswith(': continued by ')]
        expect(told and told[-1].endswith('::' + models[-1]), how + ': who goes on', answer)
        expect(answer.channel.endswith('::' + models[0]), how + ': who began', answer)
    if providers[-1] != 'responses' and client != 'responses':
        expect(simulator.attempts(models[-1]) == attempts, how + ': attempts', answer)


def test_goes_on(simulator):
    for dialect in PATHS:
        for how in CHAINS:
            go_on(simulator, dialect, how, [dialect])


def test_other_dialects(simulator):
    """Who goes on may speak another dialect than who began, and than the client."""
    for client, first, second in itertools.product(PATHS, PATHS, PATHS):
        for how in ('from the start', 'behind a prefill'):
            go_on(simulator, client, how, [first, second])


def test_does_not_join(simulator):
    """What does not join never reaches the client, who is told of the first cut."""
    ends = {'a shorter answer': 'sim-tokens=30', 'another beginning': 'sim-reasoning=3',
            'no answer': 'fb-s04', 'a refusal': 'fb-s13', 'nothing but an end': 'sim-tokens=0'}
    for dialect in PATHS:
        for what, model in ends.items():
            with Gateway(simulator, '--resume', dialect + ':sim-cut=40', '%s:%s' % (dialect, model)) as gateway:
                answer = gateway.ask(dialect)
                expect_safe(answer, simulator)
                expect('sim-cut=40' in str(answer.error), what + ': the first cut is told', answer)
                expect(b'continued by' not in answer.body, what + ': nothing of it is given', answer)


def test_tools(simulator):
    """A call of a tool has a number of its own: another answer makes another call."""
    tools = [{'type': 'function', 'function': {'name': 'pick', 'parameters': {
        'type': 'object', 'properties': {'x': {'type': 'string'}}}}}]
    with Gateway(simulator, '--resume', 'sim-tools+cut=2', 'sim-tools+tokens=9') as gateway:
        answer = gateway.ask(tools=tools)
        expect(answer.error and not answer.whole and b'continued' not in answer.body, 'another call', answer)


def test_not_asked_for(simulator):
    with Gateway(simulator, 'sim-cut=40', 'fb-ok') as gateway:
        expect_safe(gateway.ask(), simulator)


if __name__ == '__main__':
    sys.exit(run_tests(globals()))

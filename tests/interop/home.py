# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A home of a real host, edited with koboshictl, and what runs beside it."""

import json
import os
import subprocess
import time
import urllib.request

PATIENCE = 30  # seconds: of a busy machine

# Rows of a dump by id, as JSON. Expressions become texts: only their being there matters.
READ_DUMP = """
const yaml = require('js-yaml');
const type = new yaml.Type('tag:yaml.org,2002:js', { kind: 'scalar', construct: (t) => 'js:' + t });
const text = require('fs').readFileSync(0, 'utf8');
const rows = {};
const walk = (list) => { for (const row of list ?? []) {
  if (row && row.id) rows[row.id] = row;
  if (row && Array.isArray(row.config)) walk(row.config);
} };
walk(yaml.load(text, { schema: yaml.JSON_SCHEMA.extend([type]) }));
console.log(JSON.stringify(rows));
"""


def wait_until(condition):
    """Looks again and again, and gives back what it found."""
    end = time.monotonic() + PATIENCE
    while True:
        found = condition()
        if found or time.monotonic() > end:
            assert found, 'it did not come about'
            return found
        time.sleep(0.005)


class Home:
    def __init__(self, host, folder, program, profile='headless'):
        self.host = host
        self.path = host.new_home(os.path.join(folder, 'home'))
        self.folder = folder
        self.program = program
        self.profile = profile

    def command(self, *words):
        return [self.program, '--home', self.path, '--profile', self.profile, *words]

    def environment(self):
        kept = {key: value for key, value in os.environ.items()
                if key in ('PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS')}
        return {**kept, 'HOME': self.folder, 'LC_ALL': 'C.UTF-8', 'G_DEBUG': 'fatal-warnings',
                'XDG_STATE_HOME': os.path.join(self.folder, 'state'),
                'XDG_CONFIG_HOME': os.path.join(self.folder, 'config')}

    def verb(self, *words, status=0):
        result = subprocess.run(self.command(*words), env=self.environment(),
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        assert result.returncode == status, (words, result)
        return result.stdout + result.stderr

    def start_verb(self, *words):
        return subprocess.Popen(self.command(*words), env=self.environment(), text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, **more):
        return self.host.run(self.path, '--profile', self.profile, *words, **more)

    def rows(self):
        """What the host makes of the files, without a word of complaint."""
        result = self.run('--dump-config')
        assert result.returncode == 0, result
        assert result.stderr.strip() == '', result.stderr
        read = subprocess.run([self.host.command()[0], '-e', READ_DUMP], cwd=self.host.top,
                              input=result.stdout, capture_output=True, text=True, timeout=60)
        assert read.returncode == 0, read
        return json.loads(read.stdout)

    def config(self, row):
        return self.rows()[row].get('config')

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        with open(self.file(name), 'w', encoding='utf-8') as stream:
            stream.write(text)

    def read(self, name):
        with open(self.file(name), encoding='utf-8') as stream:
            return stream.read()


class Web:
    """A running `dsh --profile web`."""

    def __init__(self, home, **environment):
        self.process = home.host.start(home.path, '--profile', 'web', '--no-open', '--port', '0',
                                       env=environment)
        line = self.process.stdout.readline()
        assert line.startswith('dsh web: '), (line, self.process.stderr.read())
        self.url = line.split()[-1]

    def call(self, method, payload=None):
        body = {'type': 'client-request', 'rpcId': '1', 'method': method, 'payload': payload or {}}
        request = urllib.request.Request(self.url + '/api/' + method, json.dumps(body).encode(),
                                         {'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
            return json.load(stream)['result']

    def settings(self, name):
        """What the host holds of a namespace by now."""
        result = self.call('settings.describe')
        assert result['ok'], result
        return next(one for one in result['value']['namespaces'] if one['ns'] == name)['value']

    def set(self, name, path, value):
        ops = [{'op': 'set', 'path': path, 'value': value}]
        return self.call('settings.mutate', {'ns': name, 'ops': ops})

    def stop(self):
        self.process.terminate()
        _, errors = self.process.communicate(timeout=PATIENCE)
        return errors


class Simulator:
    """The fake provider, with what was asked of it."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, '--port', '0', '--quiet', *arguments], text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.url = json.loads(self.process.stdout.readline())['url']

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as stream:
            return json.load(stream)

    def text(self, tokens=60):
        return self.get('/_text?tokens=%d' % tokens)['text']

    def attempts(self, model):
        return [attempt for attempt in self.get('/_attempts') if attempt['model'] == model]

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0, self.process.returncode

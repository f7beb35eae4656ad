#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Verbs on disks that refuse: full, read-only, mounted file by file, not ours. TAP.

Each refusal must say which file and what to do, leave every byte and nothing else behind,
and be over as soon as the reason is.
"""

import array
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE = 120
PATCH = 'profiles/web/cordis.patch.yml'
SETTINGS = 'settings.yaml'
TEXT = '- id: dsh-daruma # mine\n  config:\n    cooldownMs: 1 # tuned\n'
SET = ('set', 'dsh-daruma.cooldownMs', '2')
BACKUP = ('backup', 'set', 'a::b')
NOBODY = 65534
GET_FLAGS, SET_FLAGS, IMMUTABLE = 0x80086601, 0x40086602, 0x10


class Skip(Exception):
    pass


class Home:
    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix='koboshi-failures-')
        self.path = os.path.join(self.top, 'home')
        self.state = os.path.join(self.top, 'state')
        self.write('profiles/web/package.json',
                   json.dumps({'dsh': {'profile': {'bundles': ['dsh-daruma']}}}))
        self.write(PATCH, TEXT)
        self.write(SETTINGS, '# mine\n')
        os.makedirs(self.state)
        os.chmod(self.top, 0o755)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.file(name)), exist_ok=True)
        with open(self.file(name), 'w', encoding='utf-8') as stream:
            stream.write(text)

    def read(self, name=PATCH):
        with open(self.file(name), encoding='utf-8') as stream:
            return stream.read()

    def tree(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.top)
                      for name in names)

    def run(self, *words, status=0, mounts='', user=None):
        """Runs a verb in a namespace of its own with these mounts, as this user."""
        command = [PROGRAM, '--home', self.path, *words]
        if user is not None:
            command = ['setpriv', f'--reuid={user}', f'--regid={user}', '--clear-groups'] + command
        if mounts:
            script = f'set -e\nmount --make-rprivate /\n{mounts}\nexec "$@"'
            command = ['unshare', '--mount', 'sh', '-c', script, 'sh'] + command
        environment = {key: value for key, value in os.environ.items()
                       if key == 'PATH' or key.endswith('SAN_OPTIONS')}
        environment.update(HOME=self.top, LC_ALL='C.UTF-8', G_DEBUG='fatal-warnings',
                           XDG_CONFIG_HOME=self.file('config'), XDG_STATE_HOME=self.state)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, env=environment)
        out, errors = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == status, (words, done.returncode, out, errors)
        return out, errors

    def refused(self, *words, status, parts, **how):
        """Nothing is changed, nothing stays behind; afterwards it works, and can be undone."""
        before = self.tree()
        texts = [self.read(), self.read(SETTINGS)]
        _, errors = self.run(*words, status=status, **how)
        assert errors.startswith('koboshictl: '), errors
        for part in parts:
            assert part in errors, (part, errors)
        assert [self.read(), self.read(SETTINGS)] == texts
        behind = [path for path in self.tree() if path not in before
                  and os.path.basename(path) != 'edit.lock']
        assert not behind, behind

    def works(self, *words):
        texts = [self.read(), self.read(SETTINGS)]
        self.run(*words)
        assert [self.read(), self.read(SETTINGS)] != texts
        self.run('undo')
        assert [self.read(), self.read(SETTINGS)] == texts


def read_only(path):
    return f"mount --bind '{path}' '{path}'\nmount -o remount,bind,ro '{path}'\n"


def full(path, options='size=64k'):
    """The folder on a small file system of its own that is full to the last byte."""
    return (f"mkdir -p '{path}.kept'\ncp -a '{path}/.' '{path}.kept'\n"
            f"mount -t tmpfs -o {options} none '{path}'\ncp -a '{path}.kept/.' '{path}'\n"
            f"rm -r '{path}.kept'\n"
            f"dd if=/dev/zero of='{path}/filler' bs=1k count=100 2>/dev/null || true\n")


def need_mounts():
    with tempfile.TemporaryDirectory() as folder:
        probe = subprocess.run(['unshare', '--mount', 'sh', '-c', 'mount --make-rprivate / && '
                                f'mount -t tmpfs none {folder}'], capture_output=True)
    if probe.returncode != 0:
        raise Skip('mounts are not allowed here: ' + probe.stderr.decode().strip())


def test_read_only_file_system():
    need_mounts()
    with Home() as home:
        mounts = read_only(home.path)
        for words, name in ((SET, PATCH), (BACKUP, SETTINGS)):
            home.refused(*words, status=3, mounts=mounts,
                         parts=[home.file(name), 'Read-only file system', 'writable place'])
        home.run(*SET)
        after = home.read()
        home.refused('undo', status=3, mounts=mounts, parts=[home.file(PATCH), 'Read-only'])
        home.run('undo')
        assert home.read() == TEXT != after


def test_full_disk():
    need_mounts()
    with Home() as home:
        home.refused(*SET, status=1, mounts=full(home.file('profiles/web')),
                     parts=[home.file(PATCH), 'No space left on device', 'Free some space'])
        home.refused(*BACKUP, status=1, mounts=full(home.path),
                     parts=[home.file(SETTINGS), 'No space left on device'])
        home.works(*SET)
        home.works(*BACKUP)


def test_full_quota():
    need_mounts()
    with Home() as home:
        mounts = full(home.file('profiles/web'), 'size=1m,usrquota_block_hardlimit=32k')
        probe = subprocess.run(['unshare', '--mount', 'sh', '-ec', 'mount --make-rprivate /\n'
                                f'mount -t tmpfs -o size=1m,usrquota_block_hardlimit=32k none {home.state}\n'
                                f'dd if=/dev/zero of={home.state}/x bs=1k count=100 2>/dev/null && exit 1\n'
                                'exit 0'], capture_output=True)
        if probe.returncode != 0:
            raise Skip('this kernel has no quota for tmpfs, or root is above it')
        home.refused(*SET, status=1, mounts=mounts,
                     parts=[home.file(PATCH), 'Disk quota exceeded', 'Free some space'])


def test_full_disk_of_the_journal():
    """The edit is made; that it cannot be taken back is said, and older entries stay."""
    need_mounts()
    with Home() as home:
        home.run(*BACKUP)
        out, _ = home.run(*SET, mounts=full(home.state))
        assert 'cannot be taken back' in out and 'No space left' in out, out
        assert 'cooldownMs: 2 # tuned' in home.read()
        home.run('undo')
        assert home.read(SETTINGS) == '# mine\n'
        assert 'cooldownMs: 2 # tuned' in home.read()


def test_journal_out_of_reach():
    need_mounts()
    with Home() as home:
        home.refused(*SET, status=3, mounts=read_only(home.state),
                     parts=[home.state, 'Read-only file system'])
        home.works(*SET)


def test_mounted_file_by_file():
    need_mounts()
    with Home() as home:
        for mounts in (f"mount --bind '{home.file(PATCH)}' '{home.file(PATCH)}'\n",
                       read_only(home.file(PATCH))):
            home.refused(*SET, status=3, mounts=mounts,
                         parts=[home.file(PATCH), 'mounted one by one', 'its folder instead'])
        home.works(*SET)


def test_link_into_a_read_only_store():
    need_mounts()
    with Home() as home:
        store = os.path.join(home.top, 'store')
        os.makedirs(store)
        target = os.path.join(store, 'abc-patch.yml')
        shutil.move(home.file(PATCH), target)
        os.symlink(target, home.file(PATCH))
        home.refused(*SET, status=3, mounts=read_only(store),
                     parts=[target, 'Read-only file system', 'another tool manages'])
        os.chmod(target, 0o444)
        home.refused(*SET, status=3, parts=[target, 'write-protected', 'chmod u+w'])
        os.chmod(target, 0o644)
        home.works(*SET)
        assert os.path.islink(home.file(PATCH))


def test_link_to_another_file_system():
    need_mounts()
    with Home() as home:
        store = os.path.join(home.top, 'store')
        os.makedirs(store)
        shutil.move(home.file(PATCH), os.path.join(store, 'patch.yml'))
        os.symlink(os.path.join(store, 'patch.yml'), home.file(PATCH))
        text = "mkdir -p '{0}.kept'\ncp -a '{0}/.' '{0}.kept'\nmount -t tmpfs none '{0}'\n" \
               "cp -a '{0}.kept/.' '{0}'\nrm -r '{0}.kept'\n".format(store)
        out, _ = home.run(*SET, mounts=text)
        assert home.file(PATCH) in out
        assert os.path.islink(home.file(PATCH))


def give(path):
    for folder, _, names in os.walk(path):
        for name in [''] + names:
            os.chown(os.path.join(folder, name), NOBODY, NOBODY)


def need_root():
    if os.geteuid() != 0 or shutil.which('setpriv') is None:
        raise Skip('only root can become somebody else')


def test_folder_not_ours():
    """The file could be written, its folder not: nothing can take its place at once."""
    need_root()
    with Home() as home:
        give(home.state)
        os.chmod(home.file(PATCH), 0o666)
        for words, name in ((SET, PATCH), (BACKUP, SETTINGS)):
            os.chmod(home.file(SETTINGS), 0o666)
            home.refused(*words, status=3, user=NOBODY,
                         parts=[home.file(name), 'Permission denied', 'rights of the folder'])
        give(home.path)
        home.run(*SET, user=NOBODY)


def test_file_not_ours():
    need_root()
    with Home() as home:
        give(home.state)
        os.chmod(home.file('profiles/web'), 0o777)
        home.refused(*SET, status=3, user=NOBODY,
                     parts=[home.file(PATCH), 'Operation not permitted', 'as its owner'])


def test_journal_not_ours():
    need_root()
    with Home() as home:
        give(home.path)
        home.refused(*SET, status=3, user=NOBODY, parts=[home.state, 'Permission denied'])


def set_immutable(path, on):
    fd = os.open(path, os.O_RDONLY)
    try:
        flags = array.array('i', [0])
        fcntl.ioctl(fd, GET_FLAGS, flags, True)
        flags[0] = flags[0] | IMMUTABLE if on else flags[0] & ~IMMUTABLE
        fcntl.ioctl(fd, SET_FLAGS, flags)
    finally:
        os.close(fd)


def test_immutable():
    with Home() as home:
        for name in (PATCH, 'profiles/web'):
            try:
                set_immutable(home.file(name), True)
            except OSError as error:
                raise Skip(f'no file can be made immutable here: {error}') from error
            try:
                home.refused(*SET, status=3,
                             parts=[home.file(PATCH), 'immutable', 'chattr -i'])
            finally:
                set_immutable(home.file(name), False)
        home.works(*SET)


def test_left_over():
    """What killed saves left behind goes with the next save, and nothing else does."""
    with Home() as home:
        dead = subprocess.Popen(['true'])
        dead.wait()
        live = os.getpid()
        names = {f'.cordis.patch.yml.koboshi-{dead.pid}.AbCdEf': (True, True),
                 f'.cordis.patch.yml.koboshi-{dead.pid}.young1': (False, False),
                 f'.cordis.patch.yml.koboshi-{live}.AbCdEf': (True, False),
                 f'.cordis.patch.yml.koboshi-{dead.pid}.AbCdEfG': (True, False),
                 f'.cordis.patch.yml.koboshi-{dead.pid}x.AbCde': (True, False),
                 f'.other.yml.koboshi-{dead.pid}.AbCdEf': (True, False),
                 '.cordis.patch.yml.AbCdEf.tmp': (True, False)}
        for name, (old, _) in names.items():
            home.write('profiles/web/' + name, 'x')
            if old:
                os.utime(home.file('profiles/web/' + name), (1, 1))
        folder = f'profiles/web/.cordis.patch.yml.koboshi-{dead.pid}.folder'
        os.mkdir(home.file(folder))
        home.run(*SET)
        left = set(os.listdir(home.file('profiles/web')))
        for name, (_, goes) in names.items():
            assert (name in left) != goes, (name, left)
        assert os.path.isdir(home.file(folder))


def test_lock_of_a_living_host():
    """A host that saves is waited for, for two seconds."""
    with Home() as home:
        lock = SETTINGS + '.lock'
        home.write(lock, f'{os.getpid()}\n')
        timer = threading.Timer(0.5, os.unlink, [home.file(lock)])
        timer.start()
        home.run(*BACKUP)
        timer.join()
        home.run('undo')
        home.write(lock, f'{os.getpid()}\n')
        start = time.monotonic()
        _, errors = home.run(*BACKUP, status=3)
        assert time.monotonic() - start >= 2
        assert f'process {os.getpid()}' in errors and home.file(lock) in errors, errors
        assert home.read(lock) == f'{os.getpid()}\n' and home.read(SETTINGS) == '# mine\n'


def test_long_name():
    """A name as long as names can be leaves no room beside it for a longer one."""
    with Home() as home:
        target = os.path.join(home.top, 'n' * 255)
        shutil.move(home.file(PATCH), target)
        os.symlink(target, home.file(PATCH))
        home.works(*SET)


def main():
    tests = [(name[5:].replace('_', ' '), function) for name, function in globals().items()
             if name.startswith('test_')]
    print(f'1..{len(tests)}')
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            function()
            print(f'ok {number} {name}', flush=True)
        except Skip as reason:
            print(f'ok {number} {name} # SKIP {reason}', flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f'not ok {number} {name}', flush=True)
            for line in traceback.format_exc().splitlines():
                print('# ' + line)
    return 1 if failed else 0


sys.exit(main())

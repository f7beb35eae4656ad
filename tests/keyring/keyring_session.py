#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A session bus of its own, with the real gnome-keyring-daemon on it or with nothing.

    keyring_session.py open|none COMMAND [ARGUMENTS]
"""

import os
import shutil
import subprocess
import sys
import tempfile

# No folder of services: nothing is started that a test did not start.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
LOGIN = '/org/freedesktop/secrets/collection/login'


def missing():
    return [name for name in ('dbus-daemon', 'gdbus', 'gnome-keyring-daemon')
            if shutil.which(name) is None]


class Session:
    def __init__(self, with_keyring=True):
        self.with_keyring = with_keyring
        self.processes = []

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix='koboshi-keyring-')
        self.environment = dict(os.environ, HOME=self.top,
                                XDG_DATA_HOME=os.path.join(self.top, 'data'),
                                XDG_CONFIG_HOME=os.path.join(self.top, 'config'),
                                XDG_RUNTIME_DIR=os.path.join(self.top, 'run'))
        for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'GNOME_KEYRING_CONTROL', 'LD_PRELOAD'):
            self.environment.pop(name, None)
        os.mkdir(self.environment['XDG_RUNTIME_DIR'], 0o700)
        self.start_bus()
        if self.with_keyring:
            self.start_keyring()
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
        shutil.rmtree(self.top, ignore_errors=True)

    def start_bus(self):
        path = os.path.join(self.top, 'bus.conf')
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(BUS.format(folder=self.top))
        bus = subprocess.Popen(['dbus-daemon', '--config-file=' + path, '--nofork',
                                '--print-address=1'], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=self.environment)
        self.processes.append(bus)
        self.environment['DBUS_SESSION_BUS_ADDRESS'] = bus.stdout.readline().decode().strip()

    def start_keyring(self):
        """The password of its login collection is one line end."""
        # What it warns of is not ours to die of.
        environment = {key: value for key, value in self.environment.items() if key != 'G_DEBUG'}
        daemon = subprocess.Popen(
            ['gnome-keyring-daemon', '--unlock', '--foreground', '--components=secrets',
             '--control-directory=' + os.path.join(self.top, 'run', 'keyring')],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment)
        self.processes.append(daemon)
        daemon.stdin.write(b'\n')
        daemon.stdin.close()
        subprocess.run(['gdbus', 'wait', '--session', '--timeout', '60',
                        'org.freedesktop.secrets'], check=True, env=self.environment)
        return daemon

    def call(self, path, method, *arguments):
        return subprocess.run(['gdbus', 'call', '--session', '--dest', 'org.freedesktop.secrets',
                               '--object-path', path, '--method', method, *arguments],
                              check=True, capture_output=True, env=self.environment).stdout.decode()

    def lock(self):
        self.call('/org/freedesktop/secrets', 'org.freedesktop.Secret.Service.Lock',
                  f"['{LOGIN}']")


if __name__ == '__main__':
    if missing():
        print(f"1..0 # SKIP there is no {', '.join(missing())} here")
        sys.exit(0)
    with Session(sys.argv[1] == 'open') as session:
        status = subprocess.run(sys.argv[2:], env=session.environment).returncode
    sys.exit(status)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""koboshid with the real gnome-keyring-daemon: a key that comes, changes, is locked, unlocked.
Usage: test-keyring.py KOBOSHID KOBOSHICTL KEYRING_SESSION"""

import importlib.util
import subprocess
import sys

from gi.repository import Gio, GLib

import koboshid_world
from koboshid_world import wait_for

KOBOSHID, KOBOSHICTL = sys.argv[1:3]
spec = importlib.util.spec_from_file_location("keyring_session", sys.argv[3])
keyring_session = importlib.util.module_from_spec(spec)
spec.loader.exec_module(keyring_session)


class World(koboshid_world.World):
    def __init__(self):
        self.session = keyring_session.Session()
        self.session.__enter__()
        names = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
        found = {name: self.session.environment[name] for name in names}
        super().__init__(KOBOSHID, found["DBUS_SESSION_BUS_ADDRESS"], **found)
        self.write_settings(key_name="UP_KEY")
        self.upstream.key = "sk-right-1111"

    def close(self):
        super().close()
        self.session.__exit__()

    def set_key(self, text):
        subprocess.run([KOBOSHICTL, f"--home={self.home}", "key", "set", "UP_KEY"], check=True,
                       input=text.encode(), env=self.environment, stdout=subprocess.DEVNULL)

    def unlock(self):
        """By the daemon's own back door; its password is one line end."""
        name, path = "org.freedesktop.secrets", "/org/freedesktop/secrets"
        bus = Gio.DBusConnection.new_for_address_sync(
            self.session.environment["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

        def call(interface, method, arguments):
            return bus.call_sync(name, path, interface, method, arguments, None,
                                 Gio.DBusCallFlags.NONE, -1, None)

        _, opened = call("org.freedesktop.Secret.Service", "OpenSession",
                         GLib.Variant("(sv)", ("plain", GLib.Variant("s", "")))).unpack()
        call("org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface",
             "UnlockWithMasterPassword",
             GLib.Variant("(o(oayays))", (keyring_session.LOGIN,
                                          (opened, b"", b"\n", "text/plain"))))
        bus.close_sync(None)


def test_comes_and_changes(world):
    world.start()
    assert world.channel("a")["missingKey"] == "UP_KEY"
    world.set_key("sk-wrong-0000")
    wait_for(lambda: "missingKey" not in world.channel("a"), "the key")
    assert world.ask()[0] >= 400
    assert world.state_of("a") == "DISABLED"
    asked = len(world.upstream.requests)
    world.set_key("sk-right-1111")
    wait_for(lambda: world.state_of("a") == "HEALTHY", "the rotation")
    assert len(world.upstream.requests) == asked
    assert world.ask() == (200, "up::a")


def test_locked_at_login(world):
    world.set_key("sk-right-1111")
    world.session.lock()
    world.start()
    assert world.channel("a")["missingKey"] == "UP_KEY"
    assert any("locked" in problem for problem in world.status()["problems"])
    assert world.ask()[0] >= 400
    assert world.state_of("a") != "DISABLED"
    world.unlock()
    wait_for(lambda: "missingKey" not in world.channel("a"), "the key")
    wait_for(lambda: not world.status()["problems"], "the end of the problem")
    assert world.ask() == (200, "up::a")


def test_locked_later(world):
    """What was found serves on."""
    world.set_key("sk-right-1111")
    world.start()
    world.session.lock()
    wait_for(lambda: world.status()["problems"], "the keyring to be locked")
    assert world.ask() == (200, "up::a")


if keyring_session.missing():
    print(f"1..0 # SKIP there is no {', '.join(keyring_session.missing())} here")
    sys.exit(0)
sys.exit(koboshid_world.run(koboshid_world.collect(globals()), World, "keyring"))

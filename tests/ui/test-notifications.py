#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""test-notifications.py KOBOSHI: what a notification daemon is told, reported as TAP."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

LIMIT = 60
APPLICATION = "io.github.koboshi.Koboshi"
INTERFACE = """<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>"""
PROFILE = """- insert:
    - id: dsh-daruma
      name: dsh-daruma
      config:
        channels:
          - { provider: mt, model: glm-5.3 }
          - { provider: nimbus, model: heron }
"""


class Daemon:
    """A notification daemon that shows nothing and remembers everything."""

    def __init__(self):
        self.shown = {}
        self.log = []
        self.last = 0
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self.bus.register_object("/org/freedesktop/Notifications", interface, self.handle)
        Gio.bus_own_name_on_connection(self.bus, "org.freedesktop.Notifications",
                                       Gio.BusNameOwnerFlags.NONE, None, None)

    def handle(self, _bus, _sender, _path, _interface, method, arguments, invocation):
        if method == "Notify":
            _name, number, _icon, title, body, actions, hints, _time = arguments.unpack()
            if number == 0:
                self.last += 1
                number = self.last
            self.shown[number] = (title, body, dict(zip(actions[1::2], actions[0::2])),
                                  hints.get("urgency"))
            self.log.append(title)
            invocation.return_value(GLib.Variant("(u)", (number,)))
        elif method == "CloseNotification":
            self.shown.pop(arguments.unpack()[0], None)
            invocation.return_value(None)
        else:
            invocation.return_value(GLib.Variant("(as)", (["body", "actions"],)))

    def press(self, number, action):
        self.bus.emit_signal(None, "/org/freedesktop/Notifications",
                             "org.freedesktop.Notifications", "ActionInvoked",
                             GLib.Variant("(us)", (number, action)))


def wait_for(find, what):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        while GLib.MainContext.default().iteration(False):
            pass
        time.sleep(0.05)
    raise AssertionError(f"nothing came of it: {what}")


class Desk:
    def __init__(self, program):
        self.daemon = Daemon()
        self.root = pathlib.Path(tempfile.mkdtemp())
        environment = dict(
            os.environ, HOME=str(self.root), XDG_CONFIG_HOME=str(self.root / "config"),
            XDG_DATA_HOME=str(self.root / "data"), XDG_CACHE_HOME=str(self.root / "cache"),
            XDG_STATE_HOME=str(self.root / "state"), GSETTINGS_BACKEND="keyfile",
            GNOTIFICATION_BACKEND="freedesktop")
        self.write("dsh/profiles/web/package.json", "{}")
        self.write("dsh/profiles/web/cordis.patch.yml", PROFILE)
        self.write("config/glib-2.0/settings/keyfile",
                   "[io/github/koboshi/Koboshi]\nnotifications='all'\n")
        self.process = subprocess.Popen(
            [program, "--background", "--home", str(self.root / "dsh")], env=environment,
            stdout=subprocess.PIPE, text=True)
        # It says where it looks once it does.
        assert self.process.stdout.readline().startswith("home: ")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)

    def set_state(self, state, ahead_ms):
        now = int(time.time() * 1000)
        record = {"channel": "mt::glm-5.3", "state": state, "consecutiveFailures": 3,
                  "cooldownUntilMs": now + ahead_ms if ahead_ms else 0, "updatedAtMs": now}
        self.write("dsh/daruma/channel-health.json",
                   json.dumps({"healths": {"mt::glm-5.3": record}}))

    def window(self):
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
            capture_output=True, text=True, check=False)
        return found.stdout.split()

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.root)


def test_trouble(desk):
    desk.set_state("COOLDOWN", 600000)
    wait_for(lambda: desk.daemon.shown, "a notification")
    title, body, buttons, _urgency = desk.daemon.shown[1]
    assert title == "glm-5.3 is cooling down", title
    assert body.startswith("3 failures in a row. Back at "), body
    assert "Details" in buttons, buttons


def test_recovery_withdraws(desk):
    desk.set_state("HEALTHY", 0)
    wait_for(lambda: not desk.daemon.shown, "no notification")
    assert desk.daemon.log == ["glm-5.3 is cooling down"], desk.daemon.log


def test_worse_does_not_wait(desk):
    desk.set_state("DISABLED", 0)
    wait_for(lambda: desk.daemon.shown, "a notification")
    title, body, _buttons, urgency = desk.daemon.shown[2]
    assert title == "glm-5.3 is disabled", title
    assert urgency == 1, urgency  # "critical" would stay on the screen


def test_details_open_the_window(desk):
    assert not desk.window()
    desk.daemon.press(2, desk.daemon.shown[2][2]["Details"])
    wait_for(desk.window, "the window")


def main():
    tests = [test_trouble, test_recovery_withdraws, test_worse_does_not_wait,
             test_details_open_the_window]
    desk = Desk(sys.argv[1])
    failed = 0
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        try:
            test(desk)
            print(f"ok {number} {test.__name__}", flush=True)
        except (AssertionError, GLib.Error, KeyError) as error:
            failed += 1
            print(f"not ok {number} {test.__name__}\n# {error}", flush=True)
    desk.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

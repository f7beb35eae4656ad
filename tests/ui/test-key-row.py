#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""test-key-row.py KOBOSHI KEYRING_SESSION A11Y: a key goes from the panel into the real keyring.

As a person types it; then nothing but the keyring has it. Reported as TAP.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


keyring_session = load("keyring_session", sys.argv[2])
a11y = load("a11y", sys.argv[3])

KEY = "sk-typed-by-a-person-0123456789"
ROW = "New Key for the Keyring"
SERVICE = "/org/freedesktop/secrets"


class Keyring(keyring_session.Session):
    """On the bus that the display came with."""

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix="koboshi-keyring-")
        self.environment = dict(os.environ, HOME=self.top,
                                XDG_DATA_HOME=os.path.join(self.top, "data"))
        os.mkdir(os.path.join(self.top, "run"), 0o700)
        self.start_keyring()
        return self


def call(path, interface, method, arguments, reply):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    return bus.call_sync("org.freedesktop.secrets", path, "org.freedesktop.Secret." + interface, method,
                         arguments, GLib.VariantType(reply), Gio.DBusCallFlags.NONE, 20000, None).unpack()


def look_up(name):
    """What the keyring holds under the name, or nothing."""
    session = call(SERVICE, "Service", "OpenSession",
                   GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))), "(vo)")[1]
    attributes = {"application": "koboshi", "ref": name}
    unlocked, _ = call(SERVICE, "Service", "SearchItems", GLib.Variant("(a{ss})", (attributes,)), "(aoao)")
    if not unlocked:
        return None
    secret = call(unlocked[0], "Item", "GetSecret", GLib.Variant("(o)", (session,)), "((oayays))")[0]
    return bytes(secret[2]).decode()


def type_text(text):
    subprocess.run(["xdotool", "type", text], check=True)


def open_provider(panel):
    panel.press("ctrl+comma")
    a11y.wait_for(lambda: "harbor" in panel.names(), "the providers")
    panel.tab_to("harbor")
    panel.press("Return")
    a11y.wait_for(lambda: ROW in panel.names(), "the row for the key")


def find_files(folder):
    return [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]


def test_store(panel):
    open_provider(panel)
    name = next(line.split(":")[1].strip(" ,}") for line in panel.settings.read_text().splitlines()
                if "apiKeyEnv" in line)
    assert look_up(name) is None
    panel.click(ROW)
    type_text(KEY)
    panel.press("Return")
    a11y.wait_for(lambda: look_up(name) == KEY, "the key in the keyring")
    a11y.wait_for(lambda: any("keyring" in text for text in panel.sentences()), "that the keyring has it")


def test_nowhere_else(panel):
    """Not in the row, not in what a screen reader is told, not in a file."""
    for node in a11y.walk(panel.window):
        assert KEY not in (node.get_name() or "") + (node.get_description() or "")
        text = node.get_text_iface()
        assert text is None or KEY not in Atspi.Text.get_text(text, 0, -1)
    found = [path for path in find_files(panel.home) if KEY.encode() in path.read_bytes()]
    assert not found, found


class Panel(a11y.Panel):
    def click(self, name):
        """Into the row of that name, which then has the focus."""
        row = next(n for n in a11y.walk(self.window) if n.get_name() == name and a11y.is_showing(n))
        place = row.get_extents(Atspi.CoordType.WINDOW)
        x, y = place.x + place.width // 3, place.y + place.height // 2
        subprocess.run(["xdotool", "mousemove", "--window", self.window_id, str(x), str(y), "click", "1"],
                       check=True)
        a11y.wait_for(lambda: self.is_focused(name), f"the focus on {name}")

    def sentences(self):
        """What is said on the page, beside the titles of rows."""
        return [name for name in self.names() if name and not name.startswith(ROW)]


def main():
    if keyring_session.missing():
        print(f"1..0 # SKIP there is no {', '.join(keyring_session.missing())} here")
        return 0
    tests = [test_store, test_nowhere_else]
    failed = 0
    print(f"1..{len(tests)}")
    with Keyring():
        panel = Panel(sys.argv[1])
        for number, test in enumerate(tests, 1):
            try:
                test(panel)
                print(f"ok {number} {test.__name__}", flush=True)
            except (AssertionError, GLib.Error, subprocess.CalledProcessError) as error:
                failed += 1
                print(f"not ok {number} {test.__name__}\n# {error}", flush=True)
        panel.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

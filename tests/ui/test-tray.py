#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""test-tray.py KOBOSHI ICONS: the icon in the tray of a real panel (Xfce's), reported as TAP."""

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
WATCHER = ("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher")
ITEM_PATH = "/StatusNotifierItem"
MENU_PATH = "/StatusNotifierMenu"
PROFILE = """- insert:
    - id: dsh-daruma
      name: dsh-daruma
      config:
        channels:
          - { provider: mt, model: glm-5.3 }
          - { provider: nimbus, model: 小鹤 }
"""
SETTINGS = "[io/github/koboshi/Koboshi]\nhide-to-tray=true\nnotifications='all'\n"
PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
"""


def wait_for(find, what):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"nothing came of it: {what}")


class Desk:
    """A home, a panel and the program, in folders of their own."""

    def __init__(self, program, icons):
        self.program = program
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.environment = dict(
            os.environ, HOME=str(self.root), XDG_CONFIG_HOME=str(self.root / "config"),
            XDG_DATA_HOME=str(self.root / "data"), XDG_CACHE_HOME=str(self.root / "cache"),
            XDG_STATE_HOME=str(self.root / "state"), GSETTINGS_BACKEND="keyfile")
        self.write("dsh/profiles/web/package.json", "{}")
        self.write("dsh/profiles/web/cordis.patch.yml", PROFILE)
        self.write("config/glib-2.0/settings/keyfile", SETTINGS)
        self.write("config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml", PANEL)
        shutil.copytree(icons, self.root / "data/icons")
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.panel = self.process = None

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)

    def start(self, *words):
        return subprocess.Popen(words, env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def start_panel(self):
        self.panel = self.start("xfce4-panel", "--disable-wm-check")
        wait_for(lambda: self.watcher("IsStatusNotifierHostRegistered"), "the panel's tray")

    def stop_panel(self):
        self.panel.terminate()
        self.panel.wait()
        wait_for(lambda: self.watcher("IsStatusNotifierHostRegistered") is None, "no tray")

    def call(self, name, path, interface, method, arguments):
        return self.bus.call_sync(name, path, interface, method, arguments, None,
                                  Gio.DBusCallFlags.NO_AUTO_START, 10000, None).unpack()

    def watcher(self, name):
        try:
            return self.call(*WATCHER, "org.freedesktop.DBus.Properties", "Get",
                             GLib.Variant("(ss)", (WATCHER[0], name)))[0]
        except GLib.Error:
            return None  # nobody owns the name

    def item(self):
        """The bus name of our icon, once the watcher has it."""
        found = [i for i in self.watcher("RegisteredStatusNotifierItems") or []
                 if i.endswith(ITEM_PATH)]
        assert len(found) < 2, found
        return found[0].removesuffix(ITEM_PATH) if found else None

    def icon(self):
        return self.call(self.item(), ITEM_PATH, "org.freedesktop.DBus.Properties", "Get",
                         GLib.Variant("(ss)", ("org.kde.StatusNotifierItem", "IconName")))[0]

    def menu(self):
        layout = self.call(self.item(), MENU_PATH, "com.canonical.dbusmenu", "GetLayout",
                           GLib.Variant("(iias)", (0, -1, ["label"])))
        return {child[1]["label"]: child[0] for child in layout[1][2]}

    def click(self, label):
        self.call(self.item(), MENU_PATH, "com.canonical.dbusmenu", "Event",
                  GLib.Variant("(isvu)", (self.menu()[label], "clicked",
                                          GLib.Variant("s", ""), 0)))

    def window(self):
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
            capture_output=True, text=True, check=False)
        return found.stdout.split()[0] if found.stdout.split() else None

    def close_window(self):
        subprocess.run(["xdotool", "windowfocus", self.window()], check=True)
        subprocess.run(["xdotool", "key", "ctrl+w"], check=True)

    def close(self):
        for process in (self.process, self.panel):
            if process is not None and process.poll() is None:
                process.terminate()
                process.wait()
        shutil.rmtree(self.root)


def test_starts_hidden(desk):
    desk.start_panel()
    desk.process = desk.start(desk.program, "--background", "--home", str(desk.root / "dsh"))
    wait_for(desk.item, "the icon in the tray")
    assert desk.window() is None, "a window in spite of --background"
    assert desk.icon() == "io.github.koboshi.Koboshi-tray-healthy-symbolic", desk.icon()


def test_follows_the_files(desk):
    now = int(time.time() * 1000)
    record = {"channel": "mt::glm-5.3", "state": "COOLDOWN", "consecutiveFailures": 3,
              "cooldownUntilMs": now + 600000, "updatedAtMs": now}
    desk.write("dsh/daruma/channel-health.json", json.dumps({"healths": {"mt::glm-5.3": record}}))
    wait_for(lambda: desk.icon().endswith("-degraded-symbolic"), "the icon of trouble")
    labels = list(desk.menu())
    assert labels[0] == "1 of 2 channels is cooling down", labels
    assert labels[2].startswith("glm-5.3: cooling down until "), labels
    assert labels[3] == "小鹤: healthy", labels


def test_menu_opens_the_window(desk):
    desk.click("_Open Koboshi")
    wait_for(desk.window, "the window")


def test_closing_hides(desk):
    desk.close_window()
    wait_for(lambda: desk.window() is None, "no window")
    assert desk.process.poll() is None, "it ended"
    desk.call(desk.item(), ITEM_PATH, "org.kde.StatusNotifierItem", "Activate",
              GLib.Variant("(ii)", (0, 0)))
    wait_for(desk.window, "the window again")


def test_survives_the_panel(desk):
    for _ in range(3):
        desk.stop_panel()
        desk.start_panel()
        wait_for(desk.item, "the icon in the new panel")


def test_without_a_tray_it_closes(desk):
    name = desk.item()
    desk.stop_panel()
    # The bus keeps the order: who answers this has heard that the tray is gone.
    desk.call(name, ITEM_PATH, "org.freedesktop.DBus.Peer", "Ping", None)
    desk.close_window()
    wait_for(lambda: desk.process.poll() is not None, "the end")
    assert desk.process.returncode == 0, desk.process.returncode


def main():
    tests = [test_starts_hidden, test_follows_the_files, test_menu_opens_the_window,
             test_closing_hides, test_survives_the_panel, test_without_a_tray_it_closes]
    if shutil.which("xfce4-panel") is None:
        print("1..0 # SKIP xfce4-panel is not installed")
        return 0
    desk = Desk(*sys.argv[1:])
    failed = 0
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        try:
            test(desk)
            print(f"ok {number} {test.__name__}", flush=True)
        except (AssertionError, GLib.Error, KeyError, subprocess.CalledProcessError) as error:
            failed += 1
            print(f"not ok {number} {test.__name__}\n# {error}", flush=True)
    desk.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

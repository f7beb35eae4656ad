#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""test-a11y.py KOBOSHI: what a screen reader finds in the running panel, reported as TAP."""

import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

LIMIT = 60
WORDS = {"Healthy", "Cooling down", "Ready for a try", "Disabled"}


def spin(seconds):
    """Lets the accessibility bus speak."""
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()


def wait_for(find, what):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        try:
            found = find()
        except GLib.Error:
            found = None  # it went away while we looked
        if found:
            return found
        spin(0.2)
    raise AssertionError(f"nothing found: {what}")


def walk(node):
    yield node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield from walk(child)


def is_showing(node):
    return node.get_state_set().contains(Atspi.StateType.SHOWING)


def showing(window, role):
    return [n for n in walk(window) if n.get_role() == role and is_showing(n)]


def find_window():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(i)
        if application is None or "koboshi" not in (application.get_name() or "").lower():
            continue
        for j in range(application.get_child_count()):
            return application.get_child_at_index(j)
    return None


def press(window_id, keys):
    subprocess.run(["xdotool", "windowfocus", window_id], check=True)
    subprocess.run(["xdotool", "key", keys], check=True)


class Panel:
    def __init__(self, program):
        # GTK asks for the accessibility bus once, when it starts: it must be there by then.
        wait_for(lambda: Atspi.get_desktop(0) is not None and Atspi.get_desktop(0).get_name() is not None,
                 "the accessibility bus")
        self.process = subprocess.Popen([program, "--demo"], stdout=subprocess.DEVNULL)
        self.window = wait_for(find_window, "the window")
        self.window_id = wait_for(self.find_x_window, "the window on the display")

    def find_x_window(self):
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
            capture_output=True, text=True, check=False)
        return found.stdout.split()[0] if found.stdout.split() else None

    def names(self):
        return {n.get_name() for n in walk(self.window) if is_showing(n)}

    def close(self):
        self.process.terminate()
        self.process.wait()


def test_window(panel):
    assert "Koboshi" in panel.window.get_name(), panel.window.get_name()


def test_badges(panel):
    found = wait_for(lambda: WORDS & panel.names(), "a badge's word")
    assert found <= WORDS


def test_rows(panel):
    """A row is named after its model and described in a sentence without a running number."""
    def find():
        return [n for n in showing(panel.window, Atspi.Role.LIST_ITEM)
                if "glm-5.3 from harbor is" in (n.get_description() or "")]
    row = wait_for(find, "the row of the head of the chain")[0]
    assert row.get_name() == "glm-5.3", row.get_name()
    assert "back in" not in row.get_description(), row.get_description()


def test_buttons(panel):
    buttons = [n for n in walk(panel.window) if is_showing(n)
               and n.get_role() in (Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON)]
    assert buttons
    unnamed = [n for n in buttons if not n.get_name()]
    assert not unnamed, f"{len(unnamed)} buttons without a name"


def test_history(panel):
    """By keyboard alone: to the history, and its entries in words."""
    press(panel.window_id, "ctrl+2")

    def find():
        return [n for n in showing(panel.window, Atspi.Role.LIST_ITEM)
                if (n.get_name() or "").startswith(("Switched", "Gave up"))]
    assert wait_for(find, "entries of the history")


def test_chart(panel):
    charts = [n for n in walk(panel.window) if n.get_name() == "Failovers over time"]
    assert charts and "in the last 24 hours" in charts[0].get_description(), charts


def test_search(panel):
    press(panel.window_id, "ctrl+f")

    def find():
        return [n for n in walk(panel.window)
                if n.get_state_set().contains(Atspi.StateType.FOCUSED)]
    wait_for(find, "the focus")
    subprocess.run(["xdotool", "type", "no such entry"], check=True)
    wait_for(lambda: "No Results Found" in panel.names(), "the page for no results")


def test_back(panel):
    press(panel.window_id, "ctrl+1")
    wait_for(lambda: WORDS & panel.names(), "the badges again")


def main():
    tests = [test_window, test_badges, test_rows, test_buttons, test_history, test_chart,
             test_search, test_back]
    panel = Panel(sys.argv[1])
    failed = 0
    print(f"1..{len(tests)}")
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

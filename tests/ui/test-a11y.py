#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""test-a11y.py KOBOSHI: what a screen reader finds in the running panel, reported as TAP."""

import pathlib
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
    keys = [keys] if isinstance(keys, str) else list(keys)
    subprocess.run(["xdotool", "windowfocus", window_id], check=True)
    subprocess.run(["xdotool", "key", "--delay", "40", *keys], check=True)


def drag(window_id, x, y, end_y):
    def pointer(*arguments):
        subprocess.run(["xdotool", *(str(a) for a in arguments)], check=True)
        spin(0.1)
    pointer("mousemove", "--window", window_id, x, y)
    pointer("mousedown", 1)
    for step in range(1, 9):
        pointer("mousemove", "--window", window_id, x, y + (end_y - y) * step // 8)
    pointer("mouseup", 1)


class Panel:
    def __init__(self, program):
        # GTK asks for the accessibility bus once, when it starts: it must be there by then.
        wait_for(lambda: Atspi.get_desktop(0) is not None and Atspi.get_desktop(0).get_name() is not None,
                 "the accessibility bus")
        self.process = subprocess.Popen([program, "--demo"], stdout=subprocess.PIPE, text=True)
        self.home = pathlib.Path(self.process.stdout.readline().removeprefix("home: ").strip())
        profile = self.process.stdout.readline().removeprefix("profile: ").strip()
        self.patch = self.home / "profiles" / profile / "cordis.patch.yml"
        self.settings = self.home / "settings.yaml"
        self.window = wait_for(find_window, "the window")
        self.window_id = wait_for(self.find_x_window, "the window on the display")

    def find_x_window(self):
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
            capture_output=True, text=True, check=False)
        return found.stdout.split()[0] if found.stdout.split() else None

    def names(self):
        return {n.get_name() for n in walk(self.window) if is_showing(n)}

    def press(self, *keys):
        press(self.window_id, keys)

    def focused(self):
        return next((n for n in walk(self.window)
                     if n.get_state_set().contains(Atspi.StateType.FOCUSED)), None)

    def is_focused(self, name):
        node = self.focused()
        return node is not None and node.get_name() == name

    def tab_to(self, name):
        """With the tab key alone: whoever cannot use a mouse must get there."""
        for _ in range(40):
            if self.is_focused(name):
                return
            self.press("Tab")
            spin(0.1)
        raise AssertionError(f"the tab key does not lead to {name}")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


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
    press(panel.window_id, "ctrl+4")

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


GLM = b"      - { provider: harbor, model: glm-5.3 }\n"
FLASH = b"      - { provider: harbor, model: deepseek-v4-flash }\n"


def swap(text, first, second):
    assert first + second in text, text
    return text.replace(first + second, second + first)


def wait_for_bytes(path, expected):
    end = time.monotonic() + LIMIT
    while path.read_bytes() != expected:
        assert time.monotonic() < end, f"{path} is\n{path.read_bytes().decode()}"
        spin(0.1)


def save_reviewed(panel):
    """The first save of a file is shown; Enter makes it."""
    wait_for(lambda: "Review Changes" in panel.names() and "Changed lines" in panel.names(), "the review")
    assert panel.is_focused("Save"), panel.focused() and panel.focused().get_name()
    panel.press("Return")
    wait_for(lambda: "Changed lines" not in panel.names(), "the end of the review")


def test_reorder(panel):
    """Moves a channel with the keys of its row, which keeps the focus."""
    before = panel.patch.read_bytes()
    panel.tab_to("glm-5.3")
    panel.press("alt+Down")
    save_reviewed(panel)
    wait_for_bytes(panel.patch, swap(before, GLM, FLASH))
    wait_for(lambda: panel.is_focused("glm-5.3"), "the focus on the row that moved")
    wait_for(lambda: "Moved glm-5.3 down" in panel.names(), "the toast")
    panel.press("alt+Home")
    wait_for_bytes(panel.patch, before)
    wait_for(lambda: panel.is_focused("glm-5.3"), "the focus on the row at the top")


def test_drag(panel):
    """By its handle, to behind the next channel, and back."""
    before = panel.patch.read_bytes()
    for expected in swap(before, GLM, FLASH), before:
        moving = "glm-5.3" if expected != before else "deepseek-v4-flash"
        rows = [n for n in showing(panel.window, Atspi.Role.LIST_ITEM)
                if n.get_name() in ("glm-5.3", "deepseek-v4-flash")]
        places = {n.get_name(): n.get_extents(Atspi.CoordType.WINDOW) for n in rows}
        start = places.pop(moving)
        end = places.popitem()[1]
        x, y = start.x + 28, start.y + start.height // 2
        drag(panel.window_id, x, y, end.y + end.height - 8)
        wait_for_bytes(panel.patch, expected)
        wait_for(lambda: "Moved" in " ".join(panel.names()), "the toast")
        spin(0.5)


def test_add(panel):
    before = panel.patch.read_bytes()
    after = before.replace("云雀-深度思考 }\n".encode(),
                           "云雀-深度思考 }\n      - { provider: harbor, model: brand-new }\n".encode())
    assert after != before
    panel.press("ctrl+n")
    wait_for(lambda: "Add Channel" in panel.names() and panel.focused(), "the dialog")
    subprocess.run(["xdotool", "type", "harbor::brand-new"], check=True)
    wait_for(lambda: "Add “harbor::brand-new”" in panel.names(), "the offer of what was typed")
    panel.press("Return")
    wait_for_bytes(panel.patch, after)
    wait_for(lambda: panel.is_focused("brand-new"), "the focus on the new row")
    panel.press("ctrl+z")
    wait_for_bytes(panel.patch, before)


def test_set_backup(panel):
    """By the menu of the row, which the menu key opens."""
    before = panel.settings.read_bytes()
    panel.tab_to("glm-5.3")
    panel.press("Menu")

    def is_menu():
        node = panel.focused()
        return node is not None and node.get_role() == Atspi.Role.MENU_ITEM
    wait_for(is_menu, "the menu")
    panel.press("b")
    save_reviewed(panel)
    wait_for_bytes(panel.settings, before.replace(b"    provider: harbor\n    model: deepseek-v4-flash\n",
                                                  b"    provider: harbor\n    model: glm-5.3\n"))
    wait_for(lambda: "Made glm-5.3 the backup" in panel.names(), "the toast")
    panel.press("ctrl+z")
    wait_for_bytes(panel.settings, before)


CAMEL = b"""- insert:
    - id: camel
      name: dsh-camel
      config:
        defaults:
          retry:
            enabled: true
"""
POOL = """- insert:
    - id: llm-pool
      name: dsh-llm-pool
      config:
        providers:
          spare:
            members:
              - deepseek-official
""".encode()


def test_throttling(panel):
    """A switch of the page for throttling, then back."""
    before = panel.patch.read_bytes()
    panel.press("ctrl+3")
    wait_for(lambda: "Waiting Retry" in panel.names(), "the page")
    panel.tab_to("Waiting Retry")
    panel.press("space")
    wait_for_bytes(panel.patch, before + CAMEL)
    panel.press("ctrl+z")
    wait_for_bytes(panel.patch, before)


def test_pools(panel):
    """A pool is added, and taken away with the key for that."""
    before = panel.patch.read_bytes()
    panel.press("ctrl+2")
    wait_for(lambda: "Add a Pool" in panel.names(), "the page")
    panel.tab_to("Add a Pool")
    panel.press("Return")
    wait_for(lambda: "First Member" in panel.names(), "the question")
    subprocess.run(["xdotool", "type", "spare"], check=True)
    panel.press("Return")
    wait_for_bytes(panel.patch, before + POOL)
    wait_for(lambda: panel.is_focused("spare"), "the focus on the new row")
    panel.press("Return")
    wait_for(lambda: "Real Models" in panel.names() or "Strategy" in panel.names(), "its form")
    panel.press("Escape")
    wait_for(lambda: "Strategy" not in panel.names(), "the list")
    panel.press("ctrl+z")
    wait_for_bytes(panel.patch, before)


def test_preferences(panel):
    """A number with a unit, in a file that is not there yet."""
    path = panel.patch.with_name("koboshi.yaml")
    panel.press("ctrl+comma")
    wait_for(lambda: "Providers" in panel.names(), "the preferences")
    panel.tab_to("Providers")
    panel.press("Right")
    panel.press("space")
    wait_for(lambda: "Until Connected" in panel.names(), "the gateway")
    panel.tab_to("Until Connected")
    assert panel.focused().get_role() == Atspi.Role.SPIN_BUTTON, panel.focused().get_role_name()
    panel.press("Up")
    save_reviewed(panel)
    wait_for_bytes(path, b"connectTimeoutMs: 15000\n")
    wait_for(lambda: panel.is_focused("Until Connected"), "the focus where it was")


def main():
    tests = [test_window, test_badges, test_rows, test_buttons, test_history, test_chart,
             test_search, test_back, test_reorder, test_drag, test_add,
             test_set_backup, test_throttling, test_pools, test_preferences]
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

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The checks must find what they are for: each is fed one sin at a time."""

import importlib.util
import pathlib
import unittest

HERE = pathlib.Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rooms, style, symbols = load("check-rooms"), load("check-style"), load("check-core-symbols")
HEAD = "// SPDX-License-Identifier: GPL-3.0-or-later\n// SPDX-FileCopyrightText: 2026 The Koboshi authors\n"


class Rooms(unittest.TestCase):
    def findings(self, room, text):
        return list(rooms.check_file(room, pathlib.Path("x.c"), text))

    def test_windows_are_shut(self):
        for room, include in [
            ("core", '"store/kb-paths.h"'), ("core", "<gio/gio.h>"), ("core", "<time.h>"), ("core", "<unistd.h>"),
            ("store", '"client/kb-monitor.h"'), ("store", "<gtk/gtk.h>"), ("store", "<libsoup/soup.h>"),
            ("client", "<gtk/gtk.h>"), ("client", '"gateway/kb-clock.h"'), ("cli", '"store/kb-paths.h"'),
            ("app", "<json-glib/json-glib.h>"), ("app", '"core/kb-event.h"'), ("cli", '"kb-local.h"'),
        ]:
            with self.subTest(room=room, include=include):
                self.assertEqual(len(self.findings(room, f"#include {include}\n")), 1)

    def test_doors_are_open(self):
        for room, include in [
            ("core", "<glib.h>"), ("core", "<string.h>"), ("core", '"core/kb-event.h"'), ("store", "<fcntl.h>"),
            ("store", "<libfyaml.h>"), ("client", '"store/kb-profile.h"'), ("app", "<adwaita.h>"), ("cli", '"config.h"'),
        ]:
            with self.subTest(room=room, include=include):
                self.assertEqual(self.findings(room, f"#include {include}\n"), [])


class Style(unittest.TestCase):
    def findings(self, text, name="src/app/x.c"):
        return [what for _, what in style.check_text(pathlib.Path(name), text)]

    def test_clean_file(self):
        self.assertEqual(self.findings(HEAD + "\nstatic int\none (void)\n{\n  return 1;\n}\n"), [])

    def test_each_sin(self):
        for sin in ["  goto out;", "  gchar *x;", "G_DEFINE_TYPE (A, b, C)", "  g_object_notify (o, \"x\");",
                    "  // TODO later", "\tx ();", "  x (); ", "  t = g_task_new (a, b, c, d);\n  run (t);", "x" * 120]:
            with self.subTest(sin=sin):
                self.assertEqual(len(self.findings(HEAD + sin + "\n")), 1)

    def test_words_in_comments_and_strings_are_no_sin(self):
        self.assertEqual(self.findings(HEAD + '/* no goto here */\nconst char *a = "gchar";\n'), [])

    def test_long_function(self):
        body = "".join(f"  x{n} ();\n" for n in range(61))
        self.assertEqual(len(self.findings(HEAD + "\nstatic void\nf (void)\n{\n" + body + "}\n")), 1)

    def test_public_functions_are_documented(self):
        text = HEAD + "\nint\nkb_x (void)\n{\n  return 1;\n}\n"
        self.assertEqual(self.findings(text, "src/core/x.c"), ["document kb_x"])
        self.assertEqual(self.findings(text, "src/app/x.c"), [])

    def test_licence_lines(self):
        self.assertEqual(len(self.findings("int x;\n")), 2)


class Symbols(unittest.TestCase):
    def test_purity(self):
        self.assertEqual(symbols.offenders(["g_strdup", "g_get_real_time", "g_getenv", "open", "g_str_hash"]),
                         ["g_get_real_time", "g_getenv", "open"])


if __name__ == "__main__":
    unittest.main()

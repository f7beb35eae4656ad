#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The checks must find what they are for: each is fed one sin at a time."""

import importlib.util
import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).parent


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rooms, style, symbols = load("check-rooms"), load("check-style"), load("check-core-symbols")
translations, pseudo = load("check-translations"), load("../pseudo/pseudo")
HEAD = "// SPDX-License-Identifier: GPL-3.0-or-later\n// SPDX-FileCopyrightText: 2026 The Koboshi authors\n"


class Rooms(unittest.TestCase):
    def findings(self, room, text):
        return list(rooms.check_file(room, pathlib.Path("x.c"), text))

    def test_windows_are_shut(self):
        for room, include in [
            ("core", '"store/kb-paths.h"'), ("core", "<gio/gio.h>"), ("core", "<time.h>"), ("core", "<unistd.h>"),
            ("store", '"client/kb-monitor.h"'), ("store", "<gtk/gtk.h>"), ("store", "<libsoup/soup.h>"),
            ("client", "<gtk/gtk.h>"), ("client", '"gateway/kb-clock.h"'), ("cli", '"store/kb-paths.h"'),
            ("app", "<json-glib/json-glib.h>"), ("app", '"core/kb-event.h"'), ("client", "<libsecret/secret.h>"),
            ("keyring", '"client/kb-keys.h"'), ("store", '"keyring/kb-keyring.h"'), ("dialect", "<gio/gio.h>"), ("dialect", '"gateway/kb-pump.h"'),
            ("cli", '"kb-local.h"'),
        ]:
            with self.subTest(room=room, include=include):
                self.assertEqual(len(self.findings(room, f"#include {include}\n")), 1)

    def test_doors_are_open(self):
        for room, include in [
            ("core", "<glib.h>"), ("core", "<string.h>"), ("core", '"core/kb-event.h"'), ("store", "<fcntl.h>"),
            ("store", "<libfyaml.h>"), ("client", '"store/kb-profile.h"'), ("client", '"keyring/kb-key-finder.h"'),
            ("gateway", '"keyring/kb-key-finder.h"'), ("keyring", "<libsecret/secret.h>"), ("app", "<adwaita.h>"), ("cli", '"config.h"'),
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
                    "  // TODO later", "\tx ();", "  x (); ", "  t = g_task_new (a, b, c, d);\n  run (t);", "x" * 120,
                    "  id = g_timeout_add (1, f, x);\n  other (id);"]:
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


class Translations(unittest.TestCase):
    TEMPLATE = """#, c-format
msgid "%1$s in %2$d s"
msgstr ""

msgctxt "time"
msgid "%H:%M"
msgstr ""

#, c-format
msgid "%d day"
msgid_plural "%d days"
msgstr[0] ""
msgstr[1] ""

msgid "a “\\\\” and\\n"
"a line"
msgstr ""
"""
    GOOD = {"%1$s in %2$d s": "%2$d 秒后 %1$s", "%H:%M": "%M:%H", "%d days": "%d 天", "a “\\” and\na line": "一行"}

    def findings(self, **changes):
        template = translations.pofile.parse(self.TEMPLATE)
        done = translations.pofile.parse(self.TEMPLATE)
        for message in done:
            text = changes.get("texts", self.GOOD).get(message.plural or message.id, "")
            message.strings = [text]
            message.flags |= changes.get("flags", set())
        return list(translations.check_language("xx", template, done))

    def test_complete(self):
        self.assertEqual(self.findings(), [])

    def test_each_gap(self):
        for key, wrong in [("%1$s in %2$d s", "%1$d %2$s"), ("%1$s in %2$d s", "%s"), ("%d days", "天"),
                           ("%d days", ""), ("a “\\” and\na line", ""), ("%1$s in %2$d s", "%1$s %2$d\n")]:
            with self.subTest(key=key, wrong=wrong):
                self.assertEqual(len(self.findings(texts={**self.GOOD, key: wrong})), 1)

    def test_fuzzy(self):
        self.assertEqual(len(self.findings(flags={"fuzzy"})), 4)

    def test_a_message_that_is_new(self):
        template = translations.pofile.parse(self.TEMPLATE)
        self.assertEqual(len(list(translations.check_language("xx", template, []))), 4)


class Pseudo(unittest.TestCase):
    NAMES = re.compile(r"lumen|\[[a-z-]+\]")

    def findings(self, text):
        return list(pseudo.find_raw(text, self.NAMES))

    def test_wrapping(self):
        self.assertEqual(pseudo.wrap("From %1$s to “%2$s” in %d s:\n"), "⟦From ⟨%1$s⟩ to “%2$s” in %d s:⟧\n")

    def test_marked_texts_and_names(self):
        for text in ["⟦Any words⟧", "lumen: ⟦error⟧ [no-key]", "⟦Since ⟨⟦two days⟧⟩⟧ 14:02", "⟦From ⟨lumen⟩⟧", ""]:
            with self.subTest(text=text):
                self.assertEqual(self.findings(text), [])

    def test_raw_texts(self):
        for text, raw in [("No key", "No key"), ("⟦One⟧ more ⟦two⟧", "more"), ("⟦Since ⟨Monday⟩⟧", "Monday"),
                          ("⟦It is so⟧.", "It is so⟧."), ("lumen has ⟦it⟧", "has")]:
            with self.subTest(text=text):
                self.assertEqual(self.findings(text), [raw])


if __name__ == "__main__":
    unittest.main()

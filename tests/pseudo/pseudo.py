# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A language that marks what was translated.

Every message becomes ⟦message⟧, and what a format inserts ⟨so⟩. In the output of a program
a word outside ⟦⟧, or straight inside ⟨⟩, never went through gettext: it is either a name or a
code, or a text that somebody forgot to mark.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lint"))
import pofile  # noqa: E402

LANGUAGE = "qps"  # "private use": no such translation is ever installed
TEXT_DIRECTIVE = re.compile(r"(?<!“)%(?:\d+\$)?s")  # what is quoted is somebody's own word
WORD = re.compile(r"[^\W\d_]{2,}")
HEADER = ('msgid ""\nmsgstr "Language: qps\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
          '"Plural-Forms: nplurals=2; plural=n != 1;\\n"\n')


def quote(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{text}"'


def wrap(text):
    body = text.rstrip("\n")
    return "⟦" + TEXT_DIRECTIVE.sub(lambda match: "⟨" + match[0] + "⟩", body) + "⟧" + text[len(body):]


def translate(message):
    lines = []
    if message.context is not None:
        lines.append(f"msgctxt {quote(message.context)}")
    lines.append(f"msgid {quote(message.id)}")
    if message.plural is None:
        lines.append(f"msgstr {quote(wrap(message.id))}")
    else:
        lines += [f"msgid_plural {quote(message.plural)}", f"msgstr[0] {quote(wrap(message.id))}",
                  f"msgstr[1] {quote(wrap(message.plural))}"]
    return "\n".join(lines) + "\n"


def build(root, folder):
    """Makes the language and a locale it is active in. Returns the environment to run with."""
    template, _ = pofile.make_template(root)
    text = HEADER + "\n" + "\n".join(map(translate, pofile.parse(template)))
    messages = pathlib.Path(folder) / "messages"
    catalogue = messages / LANGUAGE / "LC_MESSAGES" / "koboshi.mo"
    catalogue.parent.mkdir(parents=True)
    subprocess.run(["msgfmt", "-o", str(catalogue), "-"], input=text, encoding="utf-8", check=True)
    # gettext asks no catalogue in the C locale, and no other one may be installed.
    locales = pathlib.Path(folder) / "locales"
    locales.mkdir()
    subprocess.run(["localedef", "--no-archive", "-i", "en_US", "-f", "UTF-8", str(locales / "en_US.UTF-8")],
                   check=True, capture_output=True)
    return dict(os.environ, KOBOSHI_LOCALEDIR=str(messages), LOCPATH=str(locales), LC_ALL="en_US.UTF-8",
                LANGUAGE=LANGUAGE)


def split(text):
    """Yields the stretches of a text that are not a message's own words."""
    depth, stretch = [], ""
    for char in text:
        if char in "⟦⟨":
            if not depth or depth[-1] == "⟨":
                yield stretch
            stretch = ""
            depth.append(char)
        elif char in "⟧⟩":
            if not depth or depth[-1] == "⟨":
                yield stretch
            stretch = ""
            if depth:
                depth.pop()
        elif not depth or depth[-1] == "⟨":
            stretch += char
    yield stretch


def find_raw(text, names):
    """The words that were never translated. `names` is a compiled pattern of what need not be."""
    for stretch in split(text):
        rest = names.sub(" ", stretch)
        if WORD.search(rest):
            yield rest.strip()
    # A full stop behind a message belongs into it: other languages write another one.
    for match in re.finditer(r"[^⟦⟧]{0,30}⟧[.,;!?]", text):
        yield match[0]

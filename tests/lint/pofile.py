# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Translations as gettext keeps them: read a .po file, make the template of a source tree."""

import ast
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

# What meson's "glib" preset gives to xgettext.
XGETTEXT = [
    "xgettext", "--from-code=UTF-8", "--add-comments", "--package-name=koboshi", "--add-location=file",
    "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2", "--keyword=NC_:1c,2", "--keyword=g_dcgettext:2",
    "--keyword=g_dngettext:2,3", "--keyword=g_dpgettext2:2c,3", "--flag=N_:1:pass-c-format",
    "--flag=C_:2:pass-c-format", "--flag=NC_:2:pass-c-format", "--flag=g_dngettext:2:pass-c-format",
    "--flag=g_strdup_printf:1:c-format", "--flag=g_string_printf:2:c-format",
    "--flag=g_string_append_printf:2:c-format", "--flag=g_error_new:3:c-format", "--flag=g_set_error:4:c-format",
]
LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*(".*")$')


@dataclass
class Message:
    context: str | None = None
    id: str = ""
    plural: str | None = None
    strings: list = field(default_factory=list)
    flags: set = field(default_factory=set)

    @property
    def key(self):
        return (self.context, self.id)


def parse_block(block):
    message, where = Message(), None
    fields = {}
    for line in block.splitlines():
        if line.startswith("#,"):
            message.flags.update(word.strip() for word in line[2:].split(","))
        match = None if line.startswith("#") else LINE.match(line)
        if match:
            where = match[1] or where
            # An escape of gettext is one of Python; the text is not ASCII, so no unicode_escape.
            fields[where] = fields.get(where, "") + ast.literal_eval(match[2])
    if "msgid" not in fields:
        return None
    message.context, message.id = fields.get("msgctxt"), fields["msgid"]
    message.plural = fields.get("msgid_plural")
    message.strings = [text for name, text in fields.items() if name.startswith("msgstr")]
    return message


def parse(text):
    """The messages of a .po file, without its header and without obsolete ones."""
    found = (parse_block(block) for block in re.split(r"\n\s*\n", text))
    return [message for message in found if message is not None and message.id]


def make_template(root):
    """Runs xgettext. Returns (text, complaints)."""
    done = subprocess.run(XGETTEXT + ["--directory", str(root), "--files-from", "po/POTFILES.in", "--output=-"],
                          cwd=root, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr.splitlines()


def read_languages(root):
    lines = (pathlib.Path(root) / "po" / "LINGUAS").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]

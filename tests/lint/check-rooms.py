#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Holds the table of rooms: which folder under src/ may include what."""

import pathlib
import re
import sys

GLIB = {"glib.h", "glib-object.h", "glib/", "gobject/", "gmodule.h"}
GIO = GLIB | {"gio/", "glib-unix.h"}
C = {"config.h"}

# Room -> (own rooms it may include, library headers it may include)
TABLE = {
    "core": (set(), GLIB),
    "store": ({"core"}, GIO | {"json-glib/", "libfyaml.h", "zstd.h"}),
    # What one dialect says in another: values in, values out. store: its JSON, which reads what strangers write.
    "dialect": ({"core", "store"}, GLIB | {"json-glib/"}),
    "ipc": ({"core"}, GIO),
    # Keys: the gateway reads them, the panel and the command line set them without a gateway.
    "keyring": ({"core", "store"}, GIO | {"libsecret/"}),
    "gateway": ({"core", "store", "dialect", "ipc", "keyring"}, GIO | {"json-glib/", "libsoup/", "curl/"}),
    # json-glib: the status that every front end prints is JSON.
    "client": ({"core", "store", "ipc", "keyring"}, GIO | {"json-glib/", "libsoup/"}),
    "tray": ({"client"}, GIO),
    "app": ({"client", "tray"}, GIO | {"gtk/", "adwaita.h", "gdk/", "graphene.h"}),
    "cli": ({"client"}, GIO),
    "simulator": ({"core"}, GIO | {"libsoup/"}),
}

# What the C library may give: the core gets none of the parts with clocks, files or environment.
PURE_C = {"math.h", "string.h", "stdint.h", "stddef.h", "stdlib.h"}
SYSTEM = re.compile(r"^(sys/|linux/|netinet/|arpa/|[a-z_]+\.h$)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)


def allowed_library(room, header, libraries):
    if any(header == name or (name.endswith("/") and header.startswith(name)) for name in libraries):
        return True
    known = {h for _, headers in TABLE.values() for h in headers}
    if any(header == name or (name.endswith("/") and header.startswith(name)) for name in known):
        return False
    return header in PURE_C if room == "core" else bool(SYSTEM.match(header))


def check_file(room, path, text):
    rooms, libraries = TABLE[room]
    for match in INCLUDE.finditer(text):
        own, library = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        if own is not None:
            target = own.split("/")[0]
            if own in C or own.endswith("-resources.h"):
                continue
            if "/" not in own:
                yield f"{path}:{line}: write the include from src/: {own}"
            elif target != room and target not in rooms:
                yield f"{path}:{line}: {room} may not include {target}: {own}"
        elif not allowed_library(room, library, libraries):
            yield f"{path}:{line}: {room} may not include <{library}>"


def check_tree(root):
    root = pathlib.Path(root)
    for path in sorted((root / "src").glob("*/**/*.[ch]")):
        room = path.relative_to(root / "src").parts[0]
        if room not in TABLE:
            yield f"{path}: a room that is not in the table: {room}"
            continue
        yield from check_file(room, path.relative_to(root), path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    findings = list(check_tree(sys.argv[1]))
    print("\n".join(findings) or "every include is in its room's table")
    sys.exit(1 if findings else 0)

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# with-display.sh CMD...: runs CMD on an X server and a session bus of its own, drawn in
# software. Nothing of the caller's desktop is touched or needed. Output is CMD's own: what
# server, bus and services say is shown only where CMD fails.
set -euo pipefail

runtime=$(mktemp -d)
trap 'rm -rf "$runtime"' EXIT
chmod 0700 "$runtime"
export XDG_RUNTIME_DIR=$runtime GDK_BACKEND=x11 GSK_RENDERER=cairo LIBGL_ALWAYS_SOFTWARE=1
export GSETTINGS_BACKEND=${GSETTINGS_BACKEND:-memory} GTK_A11Y=${GTK_A11Y:-none}
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS

status=0
xvfb-run -a -s "-screen 0 ${KOBOSHI_SCREEN:-1280x1024x24} -nolisten tcp" \
  dbus-run-session -- bash -c 'exec "$@" >&6 2>&7 6>&- 7>&-' command "$@" \
  6>&1 7>&2 >"$runtime/services.log" 2>&1 || status=$?
# As root the bus asks for more open files than a container may grant, and works without.
[[ $status -eq 0 ]] || grep -v 'Failed to set fd limit' "$runtime/services.log" >&2 || true
exit "$status"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# headless-run.sh [ARGS]: `tools/dev run` on a machine without a display. Opens the panel
# (the demo, unless ARGS say otherwise) on a display of its own for 20 seconds, prints the
# status as it changes, and writes pictures to build/screenshots.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pictures=$here/../../build/screenshots
seconds=${KOBOSHI_RUN_SECONDS:-20}

# What only prints needs neither a display nor pictures.
for argument in "$@"; do
  case $argument in
    --version | --help | --help-* | -h) exec koboshi "$@" ;;
  esac
done

if [[ ${1:-} != --inside ]]; then
  mkdir -p "$pictures"
  "$here/with-display.sh" "$0" --inside "$@"
  "$here/screenshots.sh" "$(cd "$pictures" && pwd)"
  exit
fi
shift

log=$(mktemp)
status=0
[[ $# -gt 0 ]] || set -- --demo
koboshi "$@" >"$log" &
panel=$!
trap 'kill "$panel" 2>/dev/null || true; wait "$panel" 2>/dev/null || true; rm -f "$log"' EXIT

# The panel says which home it shows.
for _ in $(seq 100); do
  home=$(sed -n 's/^home: //p' "$log")
  [[ -n $home ]] && break
  kill -0 "$panel" 2>/dev/null || { wait "$panel" || status=$?; cat "$log"; exit "$status"; }
  sleep 0.1
done
echo "no display here: showing $* on a private one for $seconds s; the home is ${home:-unknown}"
profile=$(sed -n 's/^profile: //p' "$log")

for moment in first last; do
  timeout "$((seconds / 2))" koboshictl --home "$home" --profile "$profile" status --watch || [[ $? -eq 124 ]]
  kill -0 "$panel" 2>/dev/null || { echo "the panel ended by itself" >&2; exit 1; }
  import -window root "$pictures/window-$moment.png"
done

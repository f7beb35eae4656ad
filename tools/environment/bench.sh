#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# bench.sh [NAME...]: the figures of the program, a line each:
# "ratio NAME VALUE (A / B)" or "figure NAME VALUE UNIT".
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench=$here/../../build/dev/tests/bench
[[ $# -gt 0 ]] || set -- watch app

for name in "$@"; do
  case $name in
    watch) "$here/with-display.sh" "$bench/koboshi-bench-watch" ;;
    app) "$here/with-display.sh" python3 "$here/../../tests/bench/bench-app.py" "$bench" ;;
    *) echo "bench: no such bench: $name (there are: watch, app)" >&2; exit 2 ;;
  esac
done

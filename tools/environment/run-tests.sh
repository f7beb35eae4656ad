#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# run-tests.sh SOURCE [ARGS]: runs the tests of build/test and closes with one line:
# N passed, N failed, N skipped. A test here is one case of one program.
set -uo pipefail

source=$1
shift
cd "$source" || exit 1
status=0
logs=build/test/meson-logs
rm -f "$logs/testlog.junit.xml" "$logs/testlog.json"
meson test -C build/test --print-errorlogs "$@" || status=$?
python3 tools/environment/count-tests.py "$logs" || status=1
exit "$status"

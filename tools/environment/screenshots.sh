#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# screenshots.sh DIR: every page as a PNG: light, dark, 360 px narrow, and Chinese.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
directory=$1

# A Chinese locale of our own: the machine need not have one.
locales=$(mktemp -d)
trap 'rm -rf "$locales"' EXIT
localedef -i zh_CN -f UTF-8 "$locales/zh_CN.UTF-8" 2>/dev/null || true

draw () { "$here/with-display.sh" koboshi-screenshots "$directory" "$@"; }

export LC_ALL=C.UTF-8
draw --suffix light
draw --suffix dark --dark
draw --suffix narrow --width 360
LOCPATH=$locales LC_ALL=zh_CN.UTF-8 LANGUAGE=zh_CN draw --suffix zh_CN
find "$directory" -name '*.png' | sort

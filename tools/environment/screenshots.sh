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

draw () { "$here/with-display.sh" env "$@"; }

draw LC_ALL=C.UTF-8 koboshi-screenshots "$directory" --suffix light
draw LC_ALL=C.UTF-8 koboshi-screenshots "$directory" --suffix dark --dark
draw LC_ALL=C.UTF-8 koboshi-screenshots "$directory" --suffix narrow --width 360
draw LOCPATH="$locales" LC_ALL=zh_CN.UTF-8 LANGUAGE=zh_CN \
  koboshi-screenshots "$directory" --suffix zh_CN

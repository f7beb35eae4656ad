#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# in-build.sh SOURCE CMD...: runs CMD with the programs of build/dev, uninstalled.
set -euo pipefail

build=$1/build/dev
shift
export PATH=$build/src/app:$build/src/cli:$build/src/simulator:$build/src/gateway:$build/tests/ui:$PATH
export GSETTINGS_SCHEMA_DIR=$build/data KOBOSHI_LOCALEDIR=$build/po
export XDG_DATA_DIRS=$build/data/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}
exec "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# bench.sh [NAME...]: the figures of the program, a line each:
# "ratio NAME VALUE (A / B)" or "figure NAME VALUE UNIT".
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench=$here/../../build/dev/tests/bench
[[ $# -gt 0 ]] || set -- watch edit engine gateway app

# make_home DIR LINES: three channels, one of them cooling, and so many lines of history.
make_home () {
  local now
  now=$(date +%s)000
  mkdir -p "$1/profiles/bench" "$1/daruma"
  echo '{"name":"dsh-profile-bench","dsh":{"profile":{"bundles":["dsh-daruma"]}}}' >"$1/profiles/bench/package.json"
  cat >"$1/profiles/bench/cordis.patch.yml" <<END
- id: dsh-daruma
  config:
    channels:
      - { provider: deepseek-official, model: deepseek-v4-flash }
      - { provider: deepseek-official, model: deepseek-v4-pro }
      - { provider: anthropic, model: claude-haiku }
END
  cat >"$1/daruma/channel-health.json" <<END
{"healths":{"deepseek-official::deepseek-v4-flash":{"channel":"deepseek-official::deepseek-v4-flash",
"state":"COOLDOWN","consecutiveFailures":3,"cooldownUntilMs":$((now + 600000)),"updatedAtMs":$now}}}
END
  for ((i = $2; i > 0; i--)); do
    echo '{"kind":"failover","t":'$((now - i * 60000))',"agentId":"a","from":"deepseek-official::deepseek-v4-flash","to":"deepseek-official::deepseek-v4-pro","reason":"RATE_LIMIT","status":429}'
  done >"$1/daruma/failover-log.jsonl"
}

for name in "$@"; do
  case $name in
    watch)
      "$here/with-display.sh" "$bench/koboshi-bench-watch"
      "$here/with-display.sh" "$bench/koboshi-bench-badge"
      ;;
    edit) "$bench/koboshi-bench-edit" ;;
    engine) "$bench/koboshi-bench-engine" && "$bench/koboshi-bench-dialect" ;;
    gateway)
      python3 "$here/../../tests/bench/bench-gateway.py" "$(command -v koboshid)" "$bench/koboshi-bench-load"
      ;;
    app)
      home=$(mktemp -d)
      make_home "$home" 1000
      "$here/with-display.sh" "$bench/koboshi-bench-app" "$(command -v koboshi)" "$home" "$bench/koboshi-bench-bare"
      rm -rf "$home"
      "$here/with-display.sh" "$bench/koboshi-bench-open-close"
      home=$(mktemp -d)
      make_home "$home" 20000
      "$here/with-display.sh" "$bench/koboshi-bench-scroll" "$home"
      rm -rf "$home"
      ;;
    *) echo "bench: no such bench: $name (there are: watch, edit, engine, gateway, app)" >&2; exit 2 ;;
  esac
done

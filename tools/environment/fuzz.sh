#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
#
# fuzz.sh SOURCE SECONDS [NAME...]: runs the fuzzers of build/fuzz for so long, those that are named
# for so long each, else all together, the editor's for the larger part. What is found is kept in build/fuzz/found, inputs that lead anywhere in corpus.
set -euo pipefail

source=$1
seconds=$2
shift 2
build=$source/build/fuzz
cd "$source"
mkdir -p "$build/found"

# Every fixture is a seed: the fuzzers take the end of an input for the choice of an edit.
seed () {
  local folder=$1
  mkdir -p "$folder"
  find tests/fixtures -type f -size -40k ! -name '*.png' | while read -r file; do
    cp "$file" "$folder/$(tr / _ <<<"$file")"
  done
}

run () {
  local name=$1 time=$2
  seed "$build/seeds/$name"
  mkdir -p "$build/corpus/$name"
  echo "fuzz: $name for $time seconds"
  G_DEBUG=fatal-warnings UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    LSAN_OPTIONS=suppressions=$source/tests/fuzz/lsan.supp:print_suppressions=0 \
    "$build/tests/fuzz/fuzz-$name" -max_total_time="$time" -timeout=20 -rss_limit_mb=4096 \
    -max_len=4096 -print_final_stats=1 -verbosity=0 -dict="$source/tests/fuzz/yaml.dict" \
    -artifact_prefix="$build/found/$name-" "$build/corpus/$name" "$build/seeds/$name"
}

if [[ $# -gt 0 ]]; then
  for name in "$@"; do
    run "$name" "$seconds"
  done
  echo "fuzz: nothing found"
  exit 0
fi
run yaml-edit $((seconds * 2 / 5))
run yaml-splice $((seconds / 5))
run readers $((seconds / 5))
run sse-scanner $((seconds / 20))
run retry-after $((seconds / 20))
run request-splice $((seconds / 20))
run http $((seconds / 20))
echo "fuzz: nothing found"

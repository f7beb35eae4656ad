#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Holds the purity of the core: its objects may not need a clock, file, environment or random symbol."""

import re
import subprocess
import sys

FORBIDDEN = re.compile(
    r"""^(
    g_get_(real|monotonic|current)_time|g_date_time_new_now.*|g_timer_.*|g_usleep|time|gettimeofday|clock_gettime|nanosleep|sleep|usleep
    |g_random_.*|g_rand_new|rand|random|srand|getrandom|arc4random.*|g_uuid_string_random
    |g_getenv|g_get_environ|g_environ_.*|getenv|secure_getenv|g_get_(home|tmp|user|system|current)_.*
    |g_file_.*|g_open|g_fopen|g_stat|g_lstat|g_unlink|g_mkdir.*|g_dir_.*|fopen|open|openat|read|write|stat|lstat|unlink|rename|fstat
    |g_spawn_.*|system|fork|execv.*|socket|connect|g_main_.*|g_timeout_.*|g_idle_.*|g_thread_new
    )(@.*)?$""",
    re.X,
)


def undefined_symbols(library):
    output = subprocess.run(["nm", "--undefined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted({line.split()[-1] for line in output.splitlines() if line.strip().startswith("U ")})


def offenders(symbols):
    return [name for name in symbols if FORBIDDEN.match(name)]


if __name__ == "__main__":
    symbols = undefined_symbols(sys.argv[1])
    found = offenders(symbols)
    for name in found:
        print(f"the core needs {name}: hand its result in instead")
    if not symbols:
        print("no symbols read: is this the core library?")
    sys.exit(1 if found or not symbols else 0)

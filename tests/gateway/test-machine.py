#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The machine around koboshid: a network that goes and comes, a disk that is full. In namespaces
of its own. Usage: test-machine.py KOBOSHID"""

import json
import os
import shutil
import subprocess
import sys

import koboshid_world
from koboshid_world import wait_for

UNSHARE = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
FAR = "192.0.2.1"


def make_world():
    return koboshid_world.World(sys.argv[1])


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def add_far_provider(world):
    text = (world.home / "settings.yaml").read_text(encoding="utf-8")
    world.write("settings.yaml", text + f"""    far:
      api: openai-completions
      baseURL: http://{FAR}:9/v1
      models: [{{id: x}}]
      retryPolicy: {{mode: normal, maxRetries: 0}}
""")
    path = "profiles/web/cordis.patch.yml"
    chain = (world.home / path).read_text(encoding="utf-8")
    head = "      - {provider: up, model: a}\n"
    world.write(path, chain.replace(head, "      - {provider: far, model: x}\n" + head))


def far(world):
    return next(c for c in world.status()["channels"] if c["id"] == "far::x")


def test_network(world):
    """Offline, channels of this machine serve, and those beyond it are not blamed."""
    add_far_provider(world)
    world.start()
    assert not world.status()["online"]
    before = far(world)
    for _ in range(5):
        assert world.ask() == (200, "up::a")
    status, text = world.ask("far::x")
    assert status in (200, 503), (status, text)
    assert far(world) == before, far(world)

    ip("address", "add", FAR + "/32", "dev", "lo")
    ip("route", "add", "default", "dev", "lo")
    wait_for(lambda: world.status()["online"], "the network")
    assert world.ask() == (200, "up::a")
    assert far(world)["failed"] == 1, far(world)

    ip("route", "del", "default", "dev", "lo")
    wait_for(lambda: not world.status()["online"], "the network to go")
    before = far(world)
    for _ in range(5):
        assert world.ask() == (200, "up::a")
    assert far(world) == before, far(world)
    ip("address", "del", FAR + "/32", "dev", "lo")


def fill(path):
    with open(path, "wb", buffering=0) as stream:
        try:
            while True:
                stream.write(b"x" * 512)
        except OSError:
            pass


def test_full_disk(world):
    """It serves on, says so, and writes again when there is room; no file is ever half written."""
    world.state.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", world.state], check=True)
    try:
        world.upstream.broken = {"a"}
        world.start()
        health = world.state / "channel-health.json"
        wait_for(health.exists, "the first state")
        fill(world.state / "filler")
        while world.state_of("a") != "COOLDOWN":
            assert world.ask() == (200, "up::b")
        wait_for(lambda: any(str(world.state) in p for p in world.status()["problems"]), "the problem")
        assert world.ask() == (200, "up::b")
        assert "COOLDOWN" not in json.dumps(json.loads(health.read_text(encoding="utf-8")))
        (world.state / "filler").unlink()
        world.upstream.broken = {"a", "b"}
        while world.state_of("b") != "COOLDOWN":
            world.ask("up::b")
        wait_for(lambda: not world.status()["problems"], "the end of the problem")
        assert "COOLDOWN" in health.read_text(encoding="utf-8")
        assert world.end() == 0
    finally:
        subprocess.run(["umount", "--lazy", world.state], check=True)


def can_unshare():
    return all(map(shutil.which, ("unshare", "ip", "mount"))) and subprocess.run(
        [*UNSHARE, "ip", "link", "set", "lo", "up"], stderr=subprocess.DEVNULL).returncode == 0


if os.environ.get("KB_UNSHARED") == "1":
    ip("link", "set", "lo", "up")
    sys.exit(koboshid_world.run(koboshid_world.collect(globals()), make_world, "machine"))
if not can_unshare():
    print("1..0 # SKIP there are no namespaces of our own here")
    sys.exit(0)
os.environ["KB_UNSHARED"] = "1"
os.execvp("unshare", [*UNSHARE, sys.executable, *sys.argv])

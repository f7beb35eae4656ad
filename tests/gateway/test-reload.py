#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""koboshid reads its configuration and keys again when their files change.
Usage: test-reload.py KOBOSHID"""

import os
import socket
import sys

import koboshid_world
from koboshid_world import wait_for

# What the host writes today, and what older ones wrote.
LAYOUTS = ("version: 1\nrefs:\n  UP_KEY: {key}\nrecords: {{}}\n", "UP_KEY: {key}\n")


def problems(world):
    return "\n".join(world.status()["problems"])


def test_chain(world):
    """A channel that stays keeps its health; one that is new begins well."""
    world.upstream.key = "nobody-has-it"
    world.start()
    assert world.ask()[0] >= 400
    before = world.channel("a")
    assert before["state"] == "DISABLED", before
    world.write_settings(models="abc")
    world.write_chain("c", "a")
    wait_for(lambda: (world.channel("c") or {}).get("position") == 1, "the new head")
    assert world.channel("a")["position"] == 2 and not world.channel("b").get("position")
    after = world.channel("a")
    assert (after["state"], after["since"]) == ("DISABLED", before["since"]), after


def test_limits(world):
    """The limits of today count: here one without which nothing would come for a minute."""
    world.upstream.answer = lambda handler, request, key: world.upstream.gate.wait(90)
    world.start()
    world.write("profiles/web/koboshi.yaml", "listen: 127.0.0.1:0\nunknownModel: auto\n"
                "headerTimeoutMs: 200\nfirstTokenTimeoutMs: 200\nmodelAliases: {mine: up::b}\n")
    wait_for(lambda: world.ask("up::none")[0] != 404, "the new table")
    status, text = world.ask("mine")
    assert status >= 500 and "up::" in text, (status, text)
    assert [model for model, _ in world.upstream.requests][:2] == ["a", "b"]


def test_bad(world):
    """A file that cannot be read changes nothing, is said, and is taken when it is mended."""
    world.start()
    serial = world.status()["serial"]
    world.write("profiles/web/cordis.patch.yml", "- id: [\n")
    wait_for(lambda: "cordis.patch.yml" in problems(world), "the problem")
    assert world.status()["serial"] > serial
    assert "cordis.patch.yml" in world.log()
    assert world.ask() == (200, "up::a")
    world.write_chain("b")
    wait_for(lambda: not world.status()["problems"], "the end of the problem")
    assert world.ask() == (200, "up::b")


def test_each_file(world):
    """Every file of the configuration, torn in the middle, leaves the last good one."""
    world.start()
    for name, text in (("settings.yaml", "llm-pi-ai: {providers: {up"),
                       ("profiles/web/koboshi.yaml", "listen: ["),
                       ("cordis.patch.yml", "- {id: x"),
                       ("profiles/web/package.json", '{"dsh":{"prof')):
        path = world.home / name
        before = path.read_text() if path.exists() else None
        world.write(name, text)
        wait_for(lambda: path.name in problems(world), f"the problem of {name}")
        assert world.ask() == (200, "up::a")
        if before is None:
            path.unlink()
        else:
            world.write(name, before)
        wait_for(lambda: not world.status()["problems"], f"the end of the problem of {name}")


def test_stream(world):
    """A stream in flight ends whole though its provider is gone."""
    world.start()
    with world.open("up::a", stream=True) as stream:
        assert b"one" in stream.readline()
        world.write_settings(models="b")
        world.write_chain("b")
        wait_for(lambda: world.channel("a") is None, "the channel to go")
        assert world.ask() == (200, "up::b")
        world.upstream.gate.set()
        rest = stream.read()
    assert b"two" in rest and rest.endswith(b"data: [DONE]\n\n"), rest


def rotate(world, name, layout):
    world.upstream.key = "sk-right-1111"
    world.write_settings(key_name="UP_KEY")
    world.write(name, layout.format(key="sk-wrong-0000"))
    world.start()
    assert world.ask()[0] >= 400
    assert world.state_of("a") == "DISABLED" and world.state_of("b") == "DISABLED"
    asked = len(world.upstream.requests)
    world.write(name, layout.format(key="sk-right-1111"))
    wait_for(lambda: world.state_of("a") == "HEALTHY", "the rotation")
    assert len(world.upstream.requests) == asked
    assert world.ask() == (200, "up::a")


def test_rotation_refs(world):
    rotate(world, ".credentials.yaml", LAYOUTS[0])


def test_rotation_flat(world):
    rotate(world, ".credentials.yaml", LAYOUTS[1])


def test_rotation_dotenv(world):
    rotate(world, ".env", "UP_KEY={key}\n")


def test_same_key(world):
    """A change beside the key is none: a refused key stays refused."""
    world.upstream.key = "sk-right-1111"
    world.write_settings(key_name="UP_KEY")
    world.write(".env", "UP_KEY=sk-wrong-0000\n")
    world.start()
    world.ask()
    before = world.channel("a")
    world.write(".env", "UP_KEY=sk-wrong-0000\nOTHER=2\n")
    world.write("profiles/web/koboshi.yaml", "listen: 127.0.0.1:0\nunknownModel: auto\n")
    wait_for(lambda: world.ask("no-such-model")[0] != 404, "the other file")
    after = world.channel("a")
    assert (after["state"], after["since"]) == ("DISABLED", before["since"]), after


def test_private(world):
    """A file that others may read is no place of keys, until it is put right."""
    world.write_settings(key_name="UP_KEY")
    world.write(".credentials.yaml", LAYOUTS[0].format(key="sk-any-2222"), mode=0o644)
    world.start()
    assert "chmod 600" in problems(world), world.status()["problems"]
    assert world.channel("a")["missingKey"] == "UP_KEY"
    os.chmod(world.home / ".credentials.yaml", 0o600)
    wait_for(lambda: "missingKey" not in world.channel("a"), "the key")
    assert not world.status()["problems"]
    assert world.ask() == (200, "up::a")


def test_torn_keys(world):
    """A file of keys that cannot be read takes no key away."""
    world.upstream.key = "sk-right-1111"
    world.write_settings(key_name="UP_KEY")
    world.write(".credentials.yaml", LAYOUTS[0].format(key="sk-right-1111"))
    world.start()
    world.write(".credentials.yaml", "refs: {UP_KEY: [")
    wait_for(lambda: ".credentials.yaml" in problems(world), "the problem")
    assert world.ask() == (200, "up::a")
    world.write(".credentials.yaml", "version: 1\nrefs: {}\n")
    wait_for(lambda: world.channel("a").get("missingKey") == "UP_KEY", "the key to go")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_there(world, url):
    world.url = url
    try:
        return world.status()
    except OSError:
        return None


def test_moves(world):
    """Another address counts at once, and a stream goes on; one that is taken does not."""
    world.start()
    old, port = world.url, free_port()
    new = f"http://127.0.0.1:{port}"
    with world.open("up::a", stream=True) as stream:
        stream.readline()
        world.write("profiles/web/koboshi.yaml", f"listen: 127.0.0.1:{port}\n")
        status = wait_for(lambda: is_there(world, new), "the new address")
        assert status["address"] == new and not status["problems"], status
        assert status["inFlight"] == 1, status
        try:
            socket.create_connection(("127.0.0.1", int(old.rsplit(":", 1)[1])), timeout=5).close()
            raise AssertionError("the old address still answers")
        except ConnectionRefusedError:
            pass
        assert world.ask() == (200, "up::a")
        world.upstream.gate.set()
        assert stream.read().endswith(b"data: [DONE]\n\n")
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        world.write("profiles/web/koboshi.yaml", f"listen: 127.0.0.1:{taken}\n")
        wait_for(lambda: f"({os.getpid()})" in problems(world), "who holds the port")
        assert world.ask() == (200, "up::a")


sys.exit(koboshid_world.run(koboshid_world.collect(globals()),
                            lambda: koboshid_world.World(sys.argv[1]), "reload"))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The verbs of koboshictl that ask a gateway, on a bus of their own.
Usage: test-gateway-verbs.py KOBOSHICTL KOBOSHID SIMULATOR"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

KOBOSHICTL, KOBOSHID, SIMULATOR = sys.argv[1:4]

SETTINGS = """llm-pi-ai:
  providers:
    sim: {api: openai-completions, baseURL: 'http://127.0.0.1:9/v1', models: [{id: a}, {id: b}],
      retryPolicy: {mode: normal, maxRetries: 0}}
"""
CHAIN = """- id: dsh-daruma
  config: {channels: [{provider: sim, model: a}, {provider: sim, model: b}]}
"""


def make_home(root, name):
    profile = root / name / "profiles/web"
    profile.mkdir(parents=True)
    (profile / "package.json").write_text('{"dsh":{"profile":{"bundles":["dsh-daruma"]}}}')
    (profile / "cordis.patch.yml").write_text(CHAIN)
    (profile / "koboshi.yaml").write_text("listen: 127.0.0.1:0\n")
    (root / name / "settings.yaml").write_text(SETTINGS)
    return root / name


class World:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="koboshi-verbs-")
        root = pathlib.Path(self.folder.name)
        self.home, self.other = make_home(root, "home"), make_home(root, "other")
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = self.bus.stdout.readline().strip()
        self.env = dict(os.environ, DBUS_SESSION_BUS_ADDRESS=address, HOME=str(root),
                        XDG_CONFIG_HOME=str(root / "config"), XDG_STATE_HOME=str(root / "state"))
        self.env.pop("DSH_HOME", None)
        self.daemon = None

    def start(self):
        self.daemon = subprocess.Popen([KOBOSHID, f"--home={self.home}"], env=self.env,
                                       stdout=subprocess.PIPE, text=True)
        self.url = self.daemon.stdout.readline().strip()

    @contextlib.contextmanager
    def simulator(self):
        with subprocess.Popen([SIMULATOR, "--port=0", "--quiet"], stdout=subprocess.PIPE,
                              text=True) as simulator:
            yield json.loads(simulator.stdout.readline())["port"]
            simulator.terminate()

    def run(self, *words, home=None, env=None):
        done = subprocess.run([KOBOSHICTL, f"--home={home or self.home}", *words], text=True,
                              capture_output=True, env=env or self.env, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def expect(self, status, *words, **more):
        got = self.run(*words, **more)
        assert got[0] == status, (words, got)
        assert (got[2] != "") == (status != 0), got
        return got[1] if status == 0 else got[2]

    def status(self):
        with urllib.request.urlopen(self.url + "/status", timeout=30) as answer:
            return json.load(answer)

    def state(self, name):
        return next(c for c in self.status()["channels"] if c["id"] == name)["state"]

    def close(self):
        for process in (self.daemon, self.bus):
            if process is not None:
                process.terminate()
                process.wait(timeout=60)
                process.stdout.close()
        self.folder.cleanup()


def test_verbs(world):
    world.start()
    world.expect(0, "disable", "sim::a")
    assert world.state("sim::a") == "DISABLED"
    world.expect(0, "enable", "sim::a")
    assert world.state("sim::a") == "HEALTHY"
    world.expect(0, "retry", "sim::a")
    world.expect(0, "pin", "sim::b", "10m")
    status = world.status()
    assert status["pin"] == "sim::b" and 0 < status["pinUntil"] - status["time"] <= 600000, status
    world.expect(0, "unpin")
    assert "pin" not in world.status()
    world.expect(0, "pin", "sim::b")
    assert world.status()["pinUntil"] == 0
    world.expect(0, "pause")
    status = world.status()
    assert status["paused"] and 590000 < status["pausedUntil"] - status["time"] <= 600000, status
    world.expect(0, "pause", "forever")
    status = world.status()
    assert status["paused"] and status["pausedUntil"] == 0, status
    world.expect(0, "resume")
    assert not world.status()["paused"]
    world.expect(0, "reload")


def test_what_if(world):
    world.start()
    assert "sim::b" in world.expect(0, "what-if", "sim::a", "SERVER")
    answer = json.loads(world.expect(0, "what-if", "sim::a", "INVALID_REQUEST", "--json"))
    assert set(answer) >= {"serving", "delay", "state", "until"}, answer
    assert world.state("sim::a") == "HEALTHY"


def test_explain(world):
    world.expect(4, "explain", "sim::a")  # it only looks, so it starts none
    patch = world.home / "profiles/web/cordis.patch.yml"
    patch.write_text(patch.read_text(encoding="utf-8") + """- insert:
    - id: camel
      name: dsh-camel
      config: {defaults: {throttle: {enabled: true, maxRequests: 7}, retry: {enabled: true}}}
""")
    world.start()
    text = world.expect(0, "explain", "sim::a")
    assert "sim::a is healthy" in text and "7 requests" in text and "tries again" in text, text
    world.expect(0, "disable", "sim::a")
    world.expect(0, "pause")
    text = world.expect(0, "explain", "sim::a")
    assert "disabled by hand" in text and "paused" in text, text
    channel = json.loads(world.expect(0, "explain", "sim::a", "--json"))
    assert (channel["pacing"], channel["paceLimit"], channel["byHand"]) == ("fixed", 7, True)
    world.expect(3, "explain", "no::one")


def test_status(world):
    status = json.loads(world.expect(0, "status", "--json"))
    assert status["gateway"]["running"] is False and status["gateway"]["address"] is None, status
    assert {c["source"] for c in status["channels"]} == {"daruma"}, status
    assert "Not running" in world.expect(0, "status")
    world.start()
    world.expect(0, "disable", "sim::a")
    status = json.loads(world.expect(0, "status", "--json"))
    assert status["gateway"] == {"running": True, "address": world.url, "home": str(world.home),
                                 "profile": "web", "version": status["gateway"]["version"]}, status
    assert [(c["source"], c["origin"], c["state"]) for c in status["channels"]] == [
        ("gateway", "bus", "DISABLED"), ("gateway", "bus", "HEALTHY")], status
    assert status["overall"] == "degraded" and status["serving"] is None, status
    assert world.url in world.expect(0, "status")
    other = json.loads(world.expect(0, "status", "--json", home=world.other))
    assert other["gateway"]["running"] and other["gateway"]["home"] == str(world.home), other
    assert {c["source"] for c in other["channels"]} == {"daruma"}, other


def test_watch(world):
    watch = subprocess.Popen([KOBOSHICTL, f"--home={world.home}", "status", "--watch", "--json"],
                             env=world.env, stdout=subprocess.PIPE, text=True)
    try:
        next_status = lambda: json.loads(watch.stdout.readline())
        while next_status()["gateway"]["running"]:
            pass
        world.start()
        while not next_status()["gateway"]["running"]:
            pass
        world.expect(0, "disable", "sim::b")
        while next_status()["overall"] != "degraded":
            pass
        world.daemon.kill()
        while next_status()["gateway"]["running"]:
            pass
    finally:
        watch.terminate()
        watch.wait(timeout=60)
        watch.stdout.close()


def test_test(world):
    settings = SETTINGS.replace("id: a}", "id: fb-ok}").replace("id: b}", "id: fb-s16}")
    chain = CHAIN.replace("model: a}", "model: fb-ok}").replace("model: b}", "model: fb-s16}")
    with world.simulator() as port:
        (world.home / "settings.yaml").write_text(settings.replace(":9/", f":{port}/"))
        (world.home / "profiles/web/cordis.patch.yml").write_text(chain)
        world.start()
        assert "bill" in world.expect(0, "test", "sim::fb-ok")
        code, output, _ = world.run("test", "sim::fb-s16", "--json")
        answer = json.loads(output)
        assert code == 1 and not answer["ok"] and answer["status"] == 503, (code, answer)
        channels = {c["id"]: c for c in world.status()["channels"]}
        assert (channels["sim::fb-ok"]["ok"], channels["sim::fb-ok"]["failed"]) == (1, 0), channels
        assert channels["sim::fb-s16"]["failures"] == 1, channels
        world.expect(0, "disable", "sim::fb-ok")
        world.expect(3, "test", "sim::fb-ok")
    world.expect(3, "test", "no::one")


def test_refused(world):
    world.start()
    assert "no::one" in world.expect(3, "disable", "no::one")
    assert str(world.home) in world.expect(3, "disable", "sim::a", home=world.other)
    assert world.state("sim::a") == "HEALTHY"
    (world.home / "settings.yaml").write_text("[")
    assert "settings.yaml" in world.expect(3, "reload")


def test_usage(world):
    for words in (["disable"], ["pin"], ["pin", "sim::a", "soon"], ["pause", "soon"], ["resume", "x"], ["what-if", "sim::a"],
                  ["unpin", "x"], ["enable", "a", "b"]):
        world.expect(2, *words)


def test_no_gateway(world):
    world.expect(4, "disable", "sim::a")
    world.expect(4, "reload", env=dict(world.env, DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere"))


def test_second_gateway(world):
    world.start()
    second = subprocess.run([KOBOSHID, f"--home={world.other}"], env=world.env, text=True,
                            capture_output=True, timeout=60)
    assert second.returncode == 3 and "--replace" in second.stderr, second
    taking = subprocess.Popen([KOBOSHID, f"--home={world.other}", "--replace"], env=world.env,
                              stdout=subprocess.PIPE, text=True)
    assert taking.stdout.readline().startswith("http://")
    assert world.daemon.wait(timeout=60) == 0
    world.daemon.stdout.close()
    world.daemon = taking
    world.expect(0, "disable", "sim::a", home=world.other)


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]


def main():
    print("TAP version 14")
    print(f"1..{len(TESTS)}")
    failed = False
    for number, test in enumerate(TESTS, 1):
        world = World()
        try:
            test(world)
            verdict = "ok"
        except Exception as error:  # the next test is run, too
            verdict, failed = "not ok", True
            print(f"# {type(error).__name__}: {error}".replace("\n", "\n# "))
        finally:
            world.close()
        print(f"{verdict} {number} /cli/gateway/{test.__name__[5:].replace('_', '-')}", flush=True)
    return failed


sys.exit(main())

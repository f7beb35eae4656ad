#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""koboshid as a process: serves, fails over, keeps state over kill -9, drains, names who holds
its port, and shows a key nowhere. Usage: test-koboshid.py KOBOSHID SIMULATOR"""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request

KOBOSHID, SIMULATOR = sys.argv[1:3]
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "data/gateway-status.schema.json"
CANARY = "sk-canary-42424242424242"

ENVIRONMENT = dict(os.environ, KB_CANARY=CANARY, G_MESSAGES_DEBUG="all",
                   DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent/bus")
ENVIRONMENT["G_DEBUG"] = "fatal-criticals"

CHAIN = """- id: dsh-daruma
  config:
    cooldownMs: 600000
    channels:
      - {provider: sim, model: fb-s04}
      - {provider: sim, model: fb-ok}
"""


def settings(port):
    return f"""llm-pi-ai:
  providers:
    sim:
      api: openai-completions
      baseURL: http://127.0.0.1:{port}/v1
      apiKeyEnv: KB_CANARY
      models: [{{id: fb-s04}}, {{id: fb-ok}}, {{id: sim-wait=60s}}]
      retryPolicy: {{mode: normal, maxRetries: 0}}
"""


class World:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="koboshid-")
        root = pathlib.Path(self.folder.name)
        self.home, self.state = root / "home", root / "state"
        self.profile = self.home / "profiles/web"
        self.profile.mkdir(parents=True)
        self.log = open(root / "log", "w+", encoding="utf-8")
        self.simulator = subprocess.Popen([SIMULATOR, "--port=0", "--quiet"],
                                          stdout=subprocess.PIPE, text=True)
        port = json.loads(self.simulator.stdout.readline())["port"]
        (self.profile / "package.json").write_text('{"dsh":{"profile":{"bundles":["dsh-daruma"]}}}')
        (self.profile / "cordis.patch.yml").write_text(CHAIN)
        (self.profile / "koboshi.yaml").write_text("listen: 127.0.0.1:0\n")
        (self.home / "settings.yaml").write_text(settings(port))
        self.daemon, self.bus, self.environment = None, None, ENVIRONMENT

    def start_bus(self):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.bus_address = self.bus.stdout.readline().strip()
        self.environment = dict(ENVIRONMENT, DBUS_SESSION_BUS_ADDRESS=self.bus_address)

    def start(self, *more):
        command = [KOBOSHID, f"--home={self.home}", f"--state-dir={self.state}", *more]
        daemon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                  env=self.environment)
        self.daemon, self.url = daemon, daemon.stdout.readline().strip()
        return daemon

    def close(self):
        for process in (self.daemon, self.simulator, self.bus):
            if process is not None and process.poll() is None:
                process.terminate()
                process.wait(timeout=30)
        for process in (self.daemon, self.simulator, self.bus):
            if process is not None:
                process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as answer:
            return answer.read().decode()

    def status(self):
        return json.loads(self.get("/status"))

    def pause(self):
        """As a front end does it."""
        subprocess.run(["gdbus", "call", "--address", self.bus_address, "--dest",
                        "io.github.koboshi.Koboshi.Gateway", "--object-path",
                        "/io/github/koboshi/Koboshi/Gateway", "--method",
                        "io.github.koboshi.Koboshi.Gateway1.Pause",
                        str(int(time.time() * 1000) + 600000)],
                       check=True, stdout=subprocess.DEVNULL, timeout=60)

    def channel(self, model):
        return next(c for c in self.status()["channels"] if c["id"] == "sim::" + model)

    def ask(self, model="auto", session=None, **headers):
        body = json.dumps({"model": model, "messages": [{"role": "user", "content": "hello"}]})
        request = urllib.request.Request(self.url + "/v1/chat/completions", body.encode(),
                                         {"content-type": "application/json",
                                          **({"x-session-id": session} if session else {}),
                                          **{k.replace("_", "-"): v for k, v in headers.items()}})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.headers.get("x-koboshi-channel"), json.load(answer)


def check(value, schema, where="$"):
    """As much of JSON Schema as our schema uses."""
    if "enum" in schema:
        assert value in schema["enum"], (where, value)
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
    if "type" in schema:
        kind = kinds[schema["type"]]
        assert isinstance(value, kind) and (kind is bool or not isinstance(value, bool)), where
    if "minimum" in schema:
        assert value >= schema["minimum"], (where, value)
    if "pattern" in schema:
        assert re.search(schema["pattern"], value), (where, value)
    for name in schema.get("required", []):
        assert name in value, (where, name)
    for name, part in value.items() if isinstance(value, dict) else []:
        assert name in schema["properties"], (where, name)
        check(part, schema["properties"][name], f"{where}.{name}")
    for item in value if isinstance(value, list) else []:
        check(item, schema["items"], where + "[]")


def test_serves_and_fails_over(world):
    world.start()
    for _ in range(3):
        channel, answer = world.ask()
        assert channel == "sim::fb-ok", channel
        assert answer["choices"][0]["message"]["content"], answer
    assert world.channel("fb-s04")["state"] == "COOLDOWN", world.channel("fb-s04")
    status = world.status()
    assert status["serving"] == "sim::fb-ok", status
    assert status["lastSwitch"]["from"] == "sim::fb-s04", status
    assert status["lastSwitch"]["to"] == "sim::fb-ok" and status["lastSwitch"]["reason"], status
    assert status["started"] <= status["servingSince"] <= status["time"], status
    assert sum(minute[0] for minute in world.channel("fb-ok")["minutes"]) == 3, status
    assert sum(minute[1] for minute in world.channel("fb-s04")["minutes"]) == 1, status
    check(status, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert 'koboshi_channel_routable{channel="sim::fb-s04"} 0' in world.get("/metrics")


def test_ways_and_askers(world):
    """Which way each channel's attempts go, and which program asks what."""
    world.start()
    world.ask()
    channel = world.channel("fb-ok")
    assert (channel["address"], channel["family"]) == ("127.0.0.1", "IPv4"), channel
    assert channel["proxyReason"] == "loopback" and "proxy" not in channel, channel
    assert "tlsError" not in channel, channel
    body = b'{"model":"sim::sim-wait=60s","stream":true,"messages":[]}'
    with socket.create_connection(("127.0.0.1", int(world.url.rsplit(":", 1)[1]))) as link:
        link.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                     b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        deadline = time.monotonic() + 30
        while not (status := world.status())["exchanges"]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        check(status, json.loads(SCHEMA.read_text(encoding="utf-8")))
        exchange = status["exchanges"][0]
        assert exchange["pid"] == os.getpid(), exchange
        assert exchange["program"] == pathlib.Path("/proc/self/comm").read_text().strip(), exchange
        assert exchange["channel"] == exchange["model"] == "sim::sim-wait=60s", exchange
        assert exchange["isStream"] and exchange["dialect"] == "chat", exchange
        assert status["inFlight"] == 1, status
    while world.status()["exchanges"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_killed(world):
    """What was learned is there after kill -9."""
    world.start()
    for _ in range(3):
        world.ask()
    before = world.channel("fb-s04")
    deadline = time.monotonic() + 20
    while "COOLDOWN" not in (world.state / "channel-health.json").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    world.daemon.kill()
    world.daemon.wait()
    world.daemon.stdout.close()
    world.start()
    after = world.channel("fb-s04")
    assert after["state"] == "COOLDOWN" and abs(after["until"] - before["until"]) < 50, after
    assert after["reason"] == before["reason"], after


def test_usage(world):
    """The tokens of whole answers and of streams are summed by day and channel, over a restart."""
    world.start()
    usage = world.ask()[1]["usage"]
    body = {"model": "auto", "stream": True, "stream_options": {"include_usage": True},
            "messages": [{"role": "user", "content": "hello"}]}
    request = urllib.request.Request(world.url + "/v1/chat/completions", json.dumps(body).encode(),
                                     {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        told = [json.loads(line[6:]) for line in answer.read().decode().split("\n") if line.startswith("data: {")]
    streamed = told[-1]["usage"]
    wanted = {name: usage[key] + streamed[key]
              for name, key in (("tokensIn", "prompt_tokens"), ("tokensOut", "completion_tokens"))}
    assert min(wanted.values()) > 0, wanted
    channel = world.channel("fb-ok")
    assert {name: channel[name] for name in wanted} == wanted, channel
    metric = 'koboshi_tokens_total{channel="sim::fb-ok",kind="output"} %d' % wanted["tokensOut"]
    assert metric in world.get("/metrics"), world.get("/metrics")
    world.daemon.send_signal(signal.SIGTERM)
    assert world.daemon.wait(timeout=60) == 0
    world.daemon.stdout.close()
    kept = json.loads((world.state / "usage.json").read_text())["days"]
    assert [sum(day["sim::fb-ok"]["output"] for day in kept.values())] == [wanted["tokensOut"]], kept
    assert [sum(day["sim::fb-ok"]["answers"] for day in kept.values())] == [2], kept
    assert "hello" not in (world.state / "usage.json").read_text()
    world.start()
    assert world.channel("fb-ok")["tokensOut"] == wanted["tokensOut"], world.channel("fb-ok")
    assert 'kind="output"} 0' in world.get("/metrics")


POOL = CHAIN + """- insert:
    - id: llm-pool
      name: dsh-llm-pool
      config:
        providers:
          pool:
            members: [sim, other]
            cooldown: {server: 600000}
            models: [{id: fb-ok, name: Fine, contextWindow: 4096, effortMap: {high: max}},
                     {id: mixed, targets: {sim: fb-s04, other: fb-ok}}]
"""


def test_pool(world):
    """Sessions stay with their member, over kill -9 where that is asked for; health is first."""
    other = (world.home / "settings.yaml").read_text(encoding="utf-8")
    provider = other[other.index("    sim:"):].replace("    sim:", "    other:")
    (world.home / "settings.yaml").write_text(other + provider)
    (world.profile / "cordis.patch.yml").write_text(POOL)
    (world.profile / "koboshi.yaml").write_text("listen: 127.0.0.1:0\nstickyPersist: true\n")
    world.start()
    first = {s: world.ask("pool/fb-ok", s)[0] for s in "abcd"}
    assert sorted(first.values()) == ["other::fb-ok"] * 2 + ["sim::fb-ok"] * 2, first
    assert {s: world.ask("pool", s)[0] for s in "abcd"} == first
    status = world.status()
    check(status, json.loads(SCHEMA.read_text(encoding="utf-8")))
    group = next(g for g in status["groups"] if g["id"] == "pool/fb-ok")
    assert [m["bound"] for m in group["members"]] == [2, 2], group
    assert (group["strategy"], group["contextWindow"], status["bindings"]) == ("sticky", 4096, 4)
    listed = {m["id"]: m for m in json.loads(world.get("/v1/models"))["data"]}
    assert listed["pool/fb-ok"]["context_window"] == 4096, listed

    # A model of its own for each member; who has served keeps the session.
    assert world.ask("pool/mixed", "e")[0] == "other::fb-ok"
    assert world.channel("fb-s04")["state"] == "COOLDOWN"
    assert world.ask("pool/mixed", "e")[0] == "other::fb-ok"

    deadline = time.monotonic() + 20
    path = world.state / "bindings.json"
    while not path.exists() or path.read_text(encoding="utf-8").count("pool/") < 5:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    world.daemon.kill()
    world.daemon.wait()
    world.daemon.stdout.close()
    world.start()
    assert {s: world.ask("pool/fb-ok", s)[0] for s in "dcba"} == first


def test_group(world):
    """Round robin, as `auto` and by name."""
    path = world.home / "settings.yaml"
    text = path.read_text(encoding="utf-8")
    provider = text[text.index("    sim:"):].replace("    sim:", "    other:")
    path.write_text(text + provider + """dsh-route-resilience:
  activeGroup: turns
  groups:
    - id: turns
      targets: [{provider: sim, model: fb-ok}, {provider: other, model: fb-ok}]
""")
    (world.profile / "cordis.patch.yml").write_text("[]\n")
    world.start()
    served = [world.ask()[0] for _ in range(4)]
    assert served == ["sim::fb-ok", "other::fb-ok"] * 2, served
    group = world.status()["groups"][0]
    assert group["isActive"] and group["next"] == "sim::fb-ok", group
    assert group["quarantineCapMs"] == 300000, group
    assert world.ask("turns")[0] == "sim::fb-ok"
    assert world.ask("turns/fb-ok")[0] == "other::fb-ok"


CAMEL = """- id: dsh-daruma
  config: {channels: [{provider: sim, model: fb-ok}]}
- insert:
    - id: camel
      name: dsh-camel
      config:
        defaults:
          throttle: {enabled: true, maxRequests: 2, windowMs: 600000}
"""


def wait_until(condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_throttle(world):
    """Requests stand in line; a pause lets them go, over kill -9; a session may state its own."""
    (world.profile / "cordis.patch.yml").write_text(CAMEL)
    world.start_bus()
    world.start()
    assert [world.ask()[0] for _ in range(2)] == ["sim::fb-ok"] * 2
    channel = world.channel("fb-ok")
    assert (channel["pacing"], channel["paceLimit"], channel["paceUsed"]) == ("fixed", 2, 2), channel
    assert channel["freeAt"] > world.status()["time"] + 500000, channel

    # Who goes away leaves the line.
    host, port = world.url.removeprefix("http://").rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=30) as client:
        body = b'{"model": "auto", "messages": [{"role": "user", "content": "hello"}]}'
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
                       b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
                       % (len(body), body))
        wait_until(lambda: world.channel("fb-ok")["queued"] == 1)
    wait_until(lambda: world.channel("fb-ok")["queued"] == 0)

    answers = []
    threads = [threading.Thread(target=lambda: answers.append(world.ask()[0])) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_until(lambda: world.channel("fb-ok")["queued"] == 3)
    assert world.status()["queued"] == 3
    check(world.status(), json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert world.ask(x_koboshi_camel="off")[0] == "sim::fb-ok"
    try:
        world.ask(x_koboshi_camel='{"throttle": {"rate": 1}}')
        raise AssertionError("a header that is wrong was taken")
    except urllib.error.HTTPError as error:
        assert error.code == 400 and b"rate" in error.read(), error
        error.close()
    assert answers == []

    world.pause()
    for thread in threads:
        thread.join(timeout=30)
    assert answers == ["sim::fb-ok"] * 3, answers
    wait_until(lambda: '"pausedUntilMs":0' not in
               (world.state / "channel-health.json").read_text(encoding="utf-8").replace(" ", ""))
    world.daemon.kill()
    world.daemon.wait()
    world.daemon.stdout.close()
    world.start()
    assert world.status()["paused"]
    assert [world.ask()[0] for _ in range(4)] == ["sim::fb-ok"] * 4


def test_reloads(world):
    world.start()
    (world.profile / "cordis.patch.yml").write_text(
        CHAIN.replace("{provider: sim, model: fb-s04}\n      - ", ""))
    world.daemon.send_signal(signal.SIGHUP)
    deadline = time.monotonic() + 20
    while world.channel("fb-s04")["inChain"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    (world.profile / "cordis.patch.yml").write_text("[")
    world.daemon.send_signal(signal.SIGHUP)
    while "cordis.patch.yml" not in pathlib.Path(world.log.name).read_text(encoding="utf-8"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert world.ask()[0] == "sim::fb-ok"


def test_port_taken(world):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        (world.profile / "koboshi.yaml").write_text(f"listen: 127.0.0.1:{holder.getsockname()[1]}\n")
        assert world.start().wait(timeout=60) == 1
    log = pathlib.Path(world.log.name).read_text(encoding="utf-8")
    assert f"({os.getpid()})" in log, log


def test_one_writer(world):
    """The second one finds the first by its state, and is not needed."""
    world.start()
    first, url = world.daemon, world.url
    assert world.start().wait(timeout=60) == 0
    assert world.url == url
    world.daemon.stdout.close()
    world.daemon = first


def test_ends_well(world):
    world.start().send_signal(signal.SIGTERM)
    assert world.daemon.wait(timeout=60) == 0


def test_canary(world):
    """A key is in no page, no file and no line of the journal, with all messages on."""
    world.start()
    world.ask()
    world.ask("fb-ok")
    try:
        world.ask("sim::fb-s04")
        world.ask("nonsense")
    except urllib.error.HTTPError as error:
        assert CANARY not in error.read().decode()
    pages = world.get("/status") + world.get("/metrics")
    world.daemon.terminate()
    assert world.daemon.wait(timeout=60) == 0
    texts = [pages] + [path.read_text(encoding="utf-8", errors="replace")
                       for path in pathlib.Path(world.folder.name).rglob("*") if path.is_file()]
    assert not any(CANARY in text for text in texts)


def on_bus(world, method, *arguments):
    done = subprocess.run(["gdbus", "call", "--address", world.bus_address, "--dest",
                           "io.github.koboshi.Koboshi.Gateway", "--object-path",
                           "/io/github/koboshi/Koboshi/Gateway", "--method",
                           "io.github.koboshi.Koboshi.Gateway1." + method, "--", *arguments],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout


def test_walk(world):
    """One life: start, request, failover, a change of the files, verbs, the end, and once more."""
    world.start_bus()
    world.start()
    assert {channel["state"] for channel in world.status()["channels"]} == {"HEALTHY"}
    for _ in range(3):
        assert world.ask()[0] == "sim::fb-ok"
    assert world.channel("fb-s04")["state"] == "COOLDOWN"
    assert world.ask("fb-ok")[0] == "sim::fb-ok"

    text = (world.home / "settings.yaml").read_text(encoding="utf-8")
    (world.home / "settings.yaml").write_text(text.replace("{id: fb-ok}", "{id: fb-ok}, {id: fb-ok-2}"))
    (world.profile / "cordis.patch.yml").write_text(CHAIN + "      - {provider: sim, model: fb-ok-2}\n")
    wait_until(lambda: any(c["id"] == "sim::fb-ok-2" and c["position"] == 3
                           for c in world.status()["channels"]))
    assert world.channel("fb-s04")["state"] == "COOLDOWN"

    on_bus(world, "Disable", "sim::fb-ok")
    assert world.ask()[0] == "sim::fb-ok-2"
    on_bus(world, "Enable", "sim::fb-ok")
    on_bus(world, "Pin", "sim::fb-ok-2", "0")
    assert world.ask()[0] == "sim::fb-ok-2"
    answer = on_bus(world, "WhatIf", "sim::fb-ok-2", "SERVER")
    assert "'serving': <'sim::fb-ok'>" in answer, answer
    on_bus(world, "Unpin")
    assert world.ask()[0] == "sim::fb-ok"
    on_bus(world, "Retry", "sim::fb-s04")
    assert world.channel("fb-s04")["state"] == "HEALTHY"
    on_bus(world, "Disable", "sim::fb-s04")
    assert "sim::fb-ok-2" in on_bus(world, "GetSnapshot")

    world.daemon.terminate()
    assert world.daemon.wait(timeout=60) == 0
    world.daemon.stdout.close()
    world.start()
    assert world.channel("fb-s04")["state"] == "DISABLED"
    assert world.ask()[0] == "sim::fb-ok"
    log = (world.state / "failover-log.jsonl").read_text(encoding="utf-8")
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert kinds.count("boot") == 2 and "failover" in kinds, kinds


def test_manual(world):
    """The manual page has every option, and no other."""
    shown = subprocess.run([KOBOSHID, "--help"], capture_output=True, text=True, check=True,
                           env=dict(ENVIRONMENT, G_MESSAGES_DEBUG="")).stdout
    page = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8").replace("\\-", "-")
    options = page[page.index(".SH OPTIONS"):page.index(".SH PAGES")]
    assert set(re.findall(r"--[a-z-]+", shown)) == set(re.findall(r"--[a-z-]+", options)), options


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
        except Exception:  # the next test is run, too
            verdict, failed = "not ok", True
            print("# " + traceback.format_exc().replace("\n", "\n# "))
            log = pathlib.Path(world.log.name).read_text(encoding="utf-8")[-3000:]
            print("# " + log.replace("\n", "\n# "))
        finally:
            world.close()
        print(f"{verdict} {number} /gateway/koboshid/{test.__name__[5:].replace('_', '-')}", flush=True)
    return failed


sys.exit(main())

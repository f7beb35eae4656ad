#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""koboshictl drill: the real gateway gets the verdicts it should, one that lies is found out, and
nothing is left behind. Usage: test-drill.py KOBOSHICTL KOBOSHID SIMULATOR"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

KOBOSHICTL, KOBOSHID, SIMULATOR = map(os.path.abspath, sys.argv[1:4])

# With defaults; all else passes.
EXPECTED = {"S07": "partial", "S08": "safe", "S09": "safe", "S14": "safe"}

# A gateway that only knows the first channel and ends every answer in an orderly way.
LIAR = """#!/usr/bin/env python3
import http.client, http.server, json, pathlib, re, sys
home = pathlib.Path(next(a for a in sys.argv if a.startswith("--home=")).split("=", 1)[1])
settings = (home / "settings.yaml").read_text()
port = int(re.search(r"127.0.0.1:(\\d+)", settings).group(1))
first = re.search(r"models: \\[{ id: ([^ ]+) }", settings).group(1)

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *words): pass
    def send(self, chunk):
        self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(chunk), chunk))
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        model = body["model"]
        body["model"] = first if model == "auto" else model.split("::")[1]
        try:
            upstream = http.client.HTTPConnection("127.0.0.1", port)
            upstream.request("POST", self.path, json.dumps(body))
            answer = upstream.getresponse()
        except (OSError, http.client.HTTPException):
            self.send_error(502)
            return
        self.send_response(answer.status)
        self.send_header("content-type", answer.getheader("content-type"))
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            while chunk := answer.read1(4096):
                self.send(chunk)
        except (OSError, http.client.HTTPException):
            pass
        self.wfile.write(b"0\\r\\n\\r\\n")

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""


class World:
    """Programs by their own names, and a folder for temporary files that must end up empty."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="koboshi-test-drill-")
        root = pathlib.Path(self.folder.name)
        self.programs, self.scratch = root / "bin", root / "tmp"
        self.programs.mkdir()
        self.scratch.mkdir()
        (self.programs / "koboshid").symlink_to(KOBOSHID)
        (self.programs / "koboshi-simulator").symlink_to(SIMULATOR)
        self.env = dict(os.environ, PATH=f"{self.programs}:{os.environ['PATH']}",
                        TMPDIR=str(self.scratch), HOME=str(root / "nowhere"),
                        DSH_HOME=str(root / "no-home"))

    def replace(self, program, text):
        (self.programs / program).unlink()
        (self.programs / program).write_text(text)
        (self.programs / program).chmod(0o755)

    def start(self, *words):
        return subprocess.Popen([KOBOSHICTL, "drill", *words], env=self.env, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def drill(self, *words):
        process = self.start(*words)
        output, errors = process.communicate(timeout=300)
        return process.returncode, output, errors

    def verdicts(self, *words):
        status, output, errors = self.drill("--fast", "--json", *words)
        assert errors == "", errors
        return status, json.loads(output)

    def children(self):
        """Programs that work below our folder."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if str(self.scratch).encode() in path.read_bytes():
                    found.append(path.parent.name)
            except OSError:
                pass
        return found

    def check_clean(self):
        deadline = time.monotonic() + 60
        while self.children():
            assert time.monotonic() < deadline, self.children()
            time.sleep(0.02)

    def close(self):
        self.folder.cleanup()


def check(card, expected):
    assert [s["id"] for s in card["scenarios"]] == [f"S{n:02}" for n in range(1, 17)], card
    wrong = [s for s in card["scenarios"] if s["verdict"] != expected.get(s["id"], "pass")]
    assert not wrong, json.dumps(wrong, ensure_ascii=False, indent=1)


def test_defaults(world):
    status, card = world.verdicts()
    check(card, EXPECTED)
    assert status == 0
    assert card["options"] == {"fast": True, "dialect": "chat"}, card["options"]
    attempts = {s["id"]: s["attempts"] for s in card["scenarios"]}
    assert attempts["S01"] == {"primary": 2, "fallback": 0}, attempts
    assert attempts["S06"] == {"primary": 1, "fallback": 1}, attempts
    assert attempts["S13"] == {"primary": 1, "fallback": 0}, attempts
    world.check_clean()
    assert list(world.scratch.iterdir()) == []


def test_dialects(world):
    for dialect in ("messages", "responses"):
        status, card = world.verdicts("--dialect", dialect)
        check(card, EXPECTED)
        assert status == 0 and card["options"]["dialect"] == dialect


def test_settings(world):
    """Settings reach the gateway, on the scale of the drill: a slow channel is left, and another
    one goes on with an answer that broke off."""
    for dialect in ("chat", "messages"):
        status, card = world.verdicts("--set", "firstTokenTimeoutMs=99s", "--set",
                                      "firstTokenTimeoutMs=10000", "--set", "midStream=resume",
                                      "--dialect", dialect)
        check(card, {})
        assert status == 0 and card["options"]["firstTokenTimeoutMs"] == "10000", card["options"]
        attempts = {s["id"]: s["attempts"] for s in card["scenarios"]}
        assert attempts["S08"] == {"primary": 1, "fallback": 1}, attempts
        assert attempts["S14"] == {"primary": 1, "fallback": 2}, attempts


def test_liar(world):
    """A cut answer that is presented as a whole one is a failure, and so is the drill."""
    world.replace("koboshid", LIAR)
    status, card = world.verdicts()
    verdicts = {s["id"]: s["verdict"] for s in card["scenarios"]}
    assert all(verdicts[s] == "fail" for s in ("S08", "S09", "S14")), verdicts
    assert all(verdicts[s] == "pass" for s in ("S10", "S11", "S13")), verdicts
    assert verdicts["S02"] == verdicts["S15"] == "safe" and verdicts["S07"] == "partial", verdicts
    assert status == 1
    world.check_clean()
    assert list(world.scratch.iterdir()) == []


def test_text(world):
    status, output, errors = world.drill("--fast")
    lines = output.splitlines()
    assert status == 0 and errors == "" and len(lines) == 17, (output, errors)
    assert [line[:3] for line in lines[:16]] == [f"S{n:02}" for n in range(1, 17)], output
    assert lines[16] == "12 pass, 1 partial, 3 safe, 0 fail", output


def test_no_gateway(world):
    world.replace("koboshid", "#!/bin/sh\necho 'koboshid: no such luck' >&2\nexit 1\n")
    status, output, errors = world.drill("--fast", "--json")
    assert status == 1 and output == "" and "no such luck" in errors, (output, errors)
    assert list(world.scratch.iterdir()) == []


def test_no_simulator(world):
    world.replace("koboshi-simulator", "#!/bin/sh\nexit 1\n")
    status, output, errors = world.drill("--fast")
    assert status == 1 and output == "" and errors.count("\n") == 1, (output, errors)
    assert list(world.scratch.iterdir()) == []


def test_usage(world):
    for words, named in ((["--set", "bogus=1"], "bogus"), (["--set", "midStream"], "midStream"),
                         (["--set", "midStream=perhaps"], "resume"),
                         (["--set", "headerTimeoutMs=soon"], "headerTimeoutMs"),
                         (["--set", "listen=127.0.0.1:1"], "listen"),
                         (["--dialect", "morse"], "morse"), (["now"], "now")):
        status, output, errors = world.drill(*words)
        assert status == 2 and output == "" and named in errors, (words, errors)
    assert list(world.scratch.iterdir()) == []


def wait_for_children(world, process):
    deadline = time.monotonic() + 120
    while len(world.children()) < 16:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)


def test_interrupted(world):
    process = world.start()
    wait_for_children(world, process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and errors != "", (output, errors)
    world.check_clean()
    assert list(world.scratch.iterdir()) == []


def test_killed(world):
    process = world.start("--json")
    wait_for_children(world, process)
    process.kill()
    process.communicate(timeout=60)
    world.check_clean()


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
        print(f"{verdict} {number} /cli/drill/{test.__name__[5:].replace('_', '-')}", flush=True)
    return failed


sys.exit(main())

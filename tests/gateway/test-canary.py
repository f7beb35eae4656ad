#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""A key, put into every place there is, and repeated by a provider in every way, shows up nowhere:
no log, page, bus message, file, answer to a client or output of koboshictl.
Usage: test-canary.py KOBOSHID KOBOSHICTL KEYRING_SESSION"""

import gzip
import http.client
import importlib.util
import json
import os
import subprocess
import sys

from gi.repository import Gio, GLib

import koboshid_world
from koboshid_world import wait_for

KOBOSHID, KOBOSHICTL = map(os.path.abspath, sys.argv[1:3])
spec = importlib.util.spec_from_file_location("keyring_session", sys.argv[3])
keyring_session = importlib.util.module_from_spec(spec)
spec.loader.exec_module(keyring_session)

CANARY = "sk-canary/4d1f8a77+c2"
TOKEN = "token-canary-91c4e5aa"
HEADER = "header-canary-77d0b3fe"
PASSWORD = "password-canary-5c1e"
SECRETS = [secret.encode() for secret in (CANARY, CANARY.replace("/", "\\/"), TOKEN, HEADER, PASSWORD)]
NAME = "io.github.koboshi.Koboshi.Gateway"

LOOKS = (["status"], ["status", "--json"], ["lint"], ["log", "--json"], ["explain", "up::a"],
         ["key", "check"], ["what-if", "up::a", "INVALID_CREDENTIAL"], ["reload"])
EDITS = (["provider", "edit", "up", "--display-name", "Up"], ["undo"],
         ["provider", "edit", "up", "--display-name", "Up"])


class World(koboshid_world.World):
    def __init__(self):
        self.outputs = []
        self.hiding = []  # files that are places of keys
        self.session = keyring_session.Session()
        self.session.__enter__()
        names = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
        found = {name: self.session.environment[name] for name in names}
        super().__init__(KOBOSHID, found["DBUS_SESSION_BUS_ADDRESS"], **found)
        self.bus = Gio.DBusConnection.new_for_address_sync(
            found["DBUS_SESSION_BUS_ADDRESS"], Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.bus_path = self.root / "bus.txt"
        with open(self.bus_path, "wb") as stream:
            self.spy = subprocess.Popen(["dbus-monitor", "--session"], stdout=stream,
                                        stderr=subprocess.STDOUT, env=self.environment)
        wait_for(lambda: b"NameAcquired" in self.bus_path.read_bytes(), "the spy")

    def write_settings(self, **_):
        """Secrets in the headers and the address, too."""
        self.hiding.append(self.home / "settings.yaml")
        self.write("settings.yaml", f"""llm-pi-ai:
  providers:
    up:
      api: openai-completions
      baseURL: http://u:{PASSWORD}@127.0.0.1:{self.upstream.port}/v1
      apiKeyEnv: UP_KEY
      headers: {{x-extra-token: {HEADER}}}
      models: [{{id: a}}, {{id: b}}]
      retryPolicy: {{mode: normal, maxRetries: 0}}
""")

    def close(self):
        self.bus.close_sync(None)
        self.spy.terminate()
        self.spy.wait(timeout=60)
        super().close()
        self.session.__exit__()

    def ctl(self, *words, given=None):
        done = subprocess.run([KOBOSHICTL, f"--home={self.home}", *words], input=given,
                              capture_output=True, timeout=120, env=self.environment)
        self.outputs.append(done.stdout + done.stderr)
        return done

    def call(self, method, *arguments):
        self.bus.call_sync(NAME, "/" + NAME.replace(".", "/"),
                           "io.github.koboshi.Koboshi.Gateway1", method,
                           GLib.Variant("(s)", arguments), None, Gio.DBusCallFlags.NONE, -1, None)

    def post(self, body, path="/v1/chat/completions"):
        """All the client gets, head and what there is of a body."""
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=60)
        connection.request("POST", path, json.dumps(body),
                           {"content-type": "application/json", "authorization": "Bearer " + TOKEN})
        answer = connection.getresponse()
        try:
            text = answer.read()
        except http.client.IncompleteRead as error:
            text = error.partial
        connection.close()
        self.outputs += [str(answer.headers).encode(), text]
        return answer.status, text

    def ask_everything(self, answers):
        messages = [{"role": "user", "content": "hi"}]
        for answer in answers:
            self.upstream.answer = answer
            for more in ({}, {"stream": True}):
                for model in ("up::a", "auto"):
                    self.call("Enable", "up::a")
                    self.call("Enable", "up::b")
                    self.post({"model": model, "messages": messages, **more})
            self.outputs.append((self.get("/status") + self.get("/metrics")).encode())
        self.post({"model": CANARY, "messages": messages}, "/v1/messages")
        self.outputs.pop()  # the client's own words

    def check(self, edits=EDITS):
        """Ends the daemon and looks everywhere."""
        for words in (*LOOKS, *edits):
            self.ctl(*words)
        for method in ("GetSnapshot", "Reload", "Nonsense"):
            done = subprocess.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path",
                                   "/" + NAME.replace(".", "/"), "--method",
                                   f"io.github.koboshi.Koboshi.Gateway1.{method}"],
                                  capture_output=True, env=self.environment)
            self.outputs.append(done.stdout + done.stderr)
        asked = {given for _, given in self.upstream.requests}
        assert asked == {"Bearer " + CANARY}, asked
        assert self.end() == 0
        self.log_file.flush()
        for output in self.outputs:
            assert not any(secret in output for secret in SECRETS), output
        seen = 0
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                if any(os.path.samefile(path, hiding) for hiding in self.hiding if hiding.exists()):
                    continue
                with open(path, "rb") as stream:
                    text = stream.read()
                assert not any(secret in text for secret in SECRETS), path
                seen += 1
        assert seen > 5, seen


def say(status, body, content_type="application/json", **headers):
    return lambda handler, request, given: handler.send(status, body(given), content_type, **headers)


def as_json(given):
    return json.dumps({"error": {"message": f"Incorrect API key provided: {given}.",
                                 "code": "invalid_api_key"}}).encode()


def escaped(given):
    return as_json(given).replace(b"/", b"\\/")


def stream(before, after):
    """A stream with an error in it that repeats what was sent."""
    def answer(handler, request, given):
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
                 "choices": [{"index": 0, "delta": {"content": "one"}, "finish_reason": None}]}
        text = b"data: " + json.dumps(chunk).encode() + b"\n\n" if before else b""
        handler.send(200, text + b"data: " + after(given) + b"\n\n", "text/event-stream")
    return answer


def headers_too(given):
    return json.dumps({"error": {"message": f"{given} {HEADER} {PASSWORD}"}}).encode()


def in_detail(given):
    return json.dumps({"error": {"message": "bad", "code": given, "type": given, "param": given,
                                 "details": [{"x": given}]}}).encode()


ANSWERS = [say(401, as_json), say(403, as_json), say(400, as_json), say(400, escaped),
           say(429, as_json), say(500, as_json), say(402, in_detail), say(404, in_detail),
           say(400, headers_too), say(200, as_json),
           say(502, lambda given: f"<html><p>{given}</p>".encode(), "text/html"),
           say(400, lambda given: gzip.compress(as_json(given)), content_encoding="gzip"),
           stream(False, as_json), stream(True, as_json), stream(True, in_detail)]


def play(world, answers):
    world.write("profiles/web/koboshi.yaml", "listen: 127.0.0.1:0\ntoken: GATE_TOKEN\n")
    world.start(GATE_TOKEN=TOKEN)
    assert "missingKey" not in world.channel("a")
    world.ask_everything(answers)
    world.check()


def test_environment(world):
    world.environment["UP_KEY"] = CANARY
    play(world, ANSWERS)


def test_keyring(world):
    done = world.ctl("key", "set", "UP_KEY", given=CANARY.encode())
    assert done.returncode == 0, done
    play(world, ANSWERS[:3])


def hide(world, name, text):
    world.hiding.append(world.home / name)
    world.write(name, text)


def test_credentials(world):
    hide(world, ".credentials.yaml", f"version: 1\nrefs:\n  UP_KEY: {CANARY}\nrecords: {{}}\n")
    play(world, ANSWERS[:3])


def test_credentials_of_old(world):
    hide(world, ".credentials.yaml", f"UP_KEY: {CANARY}\n")
    play(world, ANSWERS[:3])


def test_dotenv(world):
    hide(world, ".env", f"UP_KEY={CANARY}\n")
    play(world, ANSWERS[:3])


def test_torn(world):
    """A message about a file of keys does not quote it."""
    hide(world, ".env", f"UP_KEY={CANARY}\n")
    hide(world, ".credentials.yaml", f"refs: {{UP_KEY: {CANARY}\nUP_KEY: [")
    world.start()
    assert any(".credentials.yaml" in problem for problem in world.status()["problems"])
    world.post({"model": "auto", "messages": []})
    world.check()


def test_key_for_a_name(world):
    """A key that stands where the name of one belongs."""
    hide(world, "settings.yaml", f"""llm-pi-ai:
  providers:
    up: {{api: openai-completions, baseURL: 'http://127.0.0.1:{world.upstream.port}/v1',
      apiKeyEnv: {CANARY}, models: [{{id: a}}, {{id: b}}]}}
    down: {{api: openai-completions, baseURL: 'http://127.0.0.1:{world.upstream.port}/v1',
      apiKeyEnv: UP_KEY, models: [{{id: c}}]}}
""")
    hide(world, "profiles/web/koboshi.yaml", f"listen: 127.0.0.1:0\ntoken: {CANARY}\n")
    world.environment["UP_KEY"] = CANARY
    world.start()
    for model in ("auto", "up::a", "down::c"):
        world.post({"model": model, "messages": []})
    world.outputs.append((world.get("/status") + world.get("/metrics")).encode())
    world.check(edits=())  # an edit keeps the text around it, to be taken back


if keyring_session.missing():
    print(f"1..0 # SKIP there is no {', '.join(keyring_session.missing())} here")
    sys.exit(0)
sys.exit(koboshid_world.run(koboshid_world.collect(globals()), World, "canary"))

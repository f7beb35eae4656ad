# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""What tests of the running koboshid share: a home, a provider on demand, the daemon, TAP."""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request

PATIENCE = 60
CHAIN = """- id: dsh-daruma
  config:
    cooldownMs: 600000
    channels:
"""


def wait_for(condition, what="it"):
    """Returns the first true value of the condition."""
    deadline = time.monotonic() + PATIENCE
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


class Provider(http.server.BaseHTTPRequestHandler):
    """Answers by what its server says: a key it takes, a stream that is held open."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body, content_type="application/json", **headers):
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def write_chunk(self, text):
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def stream(self, model):
        event = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model}
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for text, reason in (("one ", None), ("two", "stop")):
            choice = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
            self.write_chunk(f"data: {json.dumps(dict(event, choices=[choice]))}\n\n")
            if reason is None:
                self.server.upstream.gate.wait(PATIENCE)
        self.write_chunk("data: [DONE]\n\n")
        self.write_chunk("")

    def do_POST(self):
        upstream = self.server.upstream
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        given = self.headers.get("authorization", "") + self.headers.get("x-api-key", "")
        upstream.requests.append((request["model"], given))
        if request["model"] in upstream.broken:
            self.send(500, b'{"error":{"message":"out of order"}}')
        elif upstream.answer is not None:
            upstream.answer(self, request, given)
        elif upstream.key is not None and upstream.key not in given:
            self.send(401, b'{"error":{"message":"no such key","code":"invalid_api_key"}}')
        elif request.get("stream"):
            self.stream(request["model"])
        else:
            message = {"role": "assistant", "content": "hello"}
            self.send(200, json.dumps({
                "id": "c", "object": "chat.completion", "created": 1, "model": request["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode())


class Upstream:
    def __init__(self):
        self.key = None  # the one it takes; None = any
        self.broken = set()  # models that fail
        self.answer = None  # (handler, request, key given) instead of the usual answer
        self.requests = []
        self.gate = threading.Event()  # streams end when it is set
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        self.server.upstream = self
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # clients go away
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()


class World:
    """A home whose chain is up::a, up::b; the daemon is started by the test."""

    def __init__(self, program, bus="unix:path=/nonexistent/bus", **environment):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory(prefix="koboshid-")
        self.root = pathlib.Path(self.folder.name)
        self.home, self.state = self.root / "home", self.root / "state"
        self.profile = self.home / "profiles/web"
        self.profile.mkdir(parents=True)
        self.log_path = self.root / "log"
        self.log_file = open(self.log_path, "a", encoding="utf-8")
        self.upstream = Upstream()
        self.write("profiles/web/package.json", '{"dsh":{"profile":{"bundles":["dsh-daruma"]}}}')
        self.write("profiles/web/koboshi.yaml", "listen: 127.0.0.1:0\n")
        self.write_chain("a", "b")
        self.write_settings()
        self.environment = dict(os.environ, G_MESSAGES_DEBUG="all", G_DEBUG="fatal-criticals",
                                HOME=str(self.root), XDG_CONFIG_HOME=str(self.root / "config"),
                                XDG_STATE_HOME=str(self.root / "xdg-state"), LC_ALL="C.UTF-8",
                                DBUS_SESSION_BUS_ADDRESS=bus)
        self.environment.pop("DSH_HOME", None)
        self.environment.update(environment)
        self.daemons = []
        self.daemon, self.url = None, None

    def write(self, name, text, mode=0o600):
        """As editors do: beside it, then in its place."""
        path = self.home / name
        temporary = path.with_name(path.name + ".new")
        temporary.write_text(text, encoding="utf-8")
        temporary.chmod(mode)
        temporary.replace(path)

    def write_chain(self, *models):
        entries = "".join(f"      - {{provider: up, model: {model}}}\n" for model in models)
        self.write("profiles/web/cordis.patch.yml", CHAIN + entries)

    def write_settings(self, key_name=None, models="ab", port=None):
        listed = ", ".join(f"{{id: {model}}}" for model in models)
        key = f"      apiKeyEnv: {key_name}\n" if key_name else ""
        self.write("settings.yaml", f"""llm-pi-ai:
  providers:
    up:
      api: openai-completions
      baseURL: http://127.0.0.1:{port or self.upstream.port}/v1
{key}      models: [{listed}]
      retryPolicy: {{mode: normal, maxRetries: 0}}
""")

    def start(self, *more, wait=True, **environment):
        command = [self.program, f"--home={self.home}", f"--state-dir={self.state}", *more]
        daemon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log_file, text=True,
                                  env=dict(self.environment, **environment))
        self.daemons.append(daemon)
        if wait:
            self.daemon, self.url = daemon, daemon.stdout.readline().strip()
            assert self.url, self.log()[-2000:]
        return daemon

    def end(self, daemon=None):
        """Asks it to end and returns its exit status."""
        daemon = daemon or self.daemon
        daemon.terminate()
        return daemon.wait(timeout=PATIENCE)

    def log(self):
        return self.log_path.read_text(encoding="utf-8")

    def close(self):
        self.upstream.gate.set()
        for daemon in self.daemons:
            if daemon.poll() is None:
                daemon.terminate()
            daemon.wait(timeout=PATIENCE)
            daemon.stdout.close()
        self.upstream.close()
        self.log_file.close()
        self.folder.cleanup()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def status(self):
        return json.loads(self.get("/status"))

    def channel(self, model):
        return next((c for c in self.status()["channels"] if c["id"] == "up::" + model), None)

    def state_of(self, model):
        return self.channel(model)["state"]

    def open(self, model="auto", **more):
        body = json.dumps(dict({"model": model, "messages": [{"role": "user", "content": "hi"}]},
                               **more))
        request = urllib.request.Request(self.url + "/v1/chat/completions", body.encode(),
                                         {"content-type": "application/json"})
        return urllib.request.urlopen(request, timeout=PATIENCE)

    def ask(self, model="auto"):
        """Returns the status and the channel, or the error's text."""
        try:
            with self.open(model) as answer:
                answer.read()
                return answer.status, answer.headers.get("x-koboshi-channel")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def run(tests, make_world, name):
    """Plays each test in a world of its own. Returns whether one failed."""
    print("TAP version 14")
    print(f"1..{len(tests)}")
    failed = False
    for number, test in enumerate(tests, 1):
        world = make_world()
        try:
            test(world)
            verdict = "ok"
        except Exception:  # the next test is run, too
            verdict, failed = "not ok", True
            print("# " + traceback.format_exc().replace("\n", "\n# "))
            print("# " + world.log()[-3000:].replace("\n", "\n# "))
        finally:
            world.close()
        print(f"{verdict} {number} /gateway/{name}/{test.__name__[5:].replace('_', '-')}",
              flush=True)
    return failed


def collect(names):
    return [value for name, value in list(names.items()) if name.startswith("test_")]


if __name__ == "__main__":
    sys.exit("this is no test")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""Everything koboshictl says to a person goes through gettext. TAP output."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import pseudo

PROGRAM, ROOT = (os.path.abspath(path) for path in sys.argv[1:3])
VERBS = ("status", "log", "lint", "init", "profiles", "help", "chain", "backup", "get", "set", "unset",
         "preset", "provider", "enable", "disable", "retry", "pin", "unpin", "reload", "what-if",
         "key", "undo", "drill", "test", "pause", "resume", "explain")

# What is the same in every language: names of this test, paths, places, options, codes, names
# of files and keys, states, times; and what the system says about a file.
NAMES = re.compile("|".join([
    r"\x1b\[[0-9;]*m",
    r"(?:/|\b(?:profiles|daruma)/)\S*",
    r"[\w.-]*(?:\.\w+|:\d+)[\w.:-]*",
    r"\S*::\S*",
    r"--?[a-z]\w*(?:[ =]\w+)?",
    r"\[[^\]]*\]",
    r"[A-Z][A-Z_]+",
    r"\b[a-z0-9]+(?:-[a-z0-9]+)+\b",
    r"\b(?:koboshictl|status|log|lint|init|default|profiles|help|web|headless|lumen|nimbus)\b",
    r"\b(?:enable|disable|retry|pin|unpin|reload|what-if|chain|backup|get|set|unset|preset|provider|key|undo|check|forget|list|add|remove|move|show|clear|edit|drill|test|pause|resume|explain)\b",
    r"\b(?:recover|adaptive|bounded|true|provider|model|q1|q2)\b",
    # GLib and the C library have their own translations.
    r"No such file or directory|Is a directory|Unknown option|Missing argument for",
]))

PATCH = """\
- id: dsh-daruma
  config:
    failureBudget: 2
    channels:
      - { provider: lumen, model: orca-1 }
      - { provider: lumen, model: orca-2 }
      - { provider: nimbus, model: heron-7 }
      - { provider: ghost-1, model: phantom-1 }
"""
SETTINGS = """\
llm-pi-ai:
  providers:
    lumen: { api: openai-completions, baseURL: "http://127.0.0.1:9/v1", models: [ { id: orca-1 } ] }
    nimbus: { api: openai-completions, baseURL: "http://127.0.0.1:9/v1", models: [ { id: heron-7 } ] }
daruma:
  backup: { provider: nimbus, model: heron-7 }
"""
PACKAGE = {"name": "web", "dependencies": {}, "dsh": {"profile": {"bundles": ["dsh-daruma"]}}}

# One mistake each.
SINS = {
    "tab": "- id: dsh-daruma\n\tconfig: {}\n",
    "bracket": "- id: dsh-daruma\n  config: { channels: [\n",
    "brace": "- id: x1\n  config: { a: 1\n",
    "quote": "- id: \"x1\n",
    "comments": "# nothing\n",
    "mapping": "id: dsh-daruma\n",
    "comma": "- id: x1\n  config: { a1: 1,, b1: 2 }\n",
    "first-comma": "- [ , 1 ]\n",
    "no-colon": "- id: x1\n  config\n  a1: 1\n",
    "escape": "- id: \"\\q\"\n",
    "dash": "- id: - x1\n",
    "dent": "- id: x1\n - id: x2\n   a1: 1\n",
    "alias": "- id: *x1\n",
    "anchor": "- id: dsh-daruma\n  config: &x1 { channels: [] }\n",
    "twice": "- id: x1\n  id: x1\n",
    "tag": "- id: !foo x1\n",
    "misfit": "- id: x1\n  config: { a1: !!int b1 }\n",
    "empty-item": "- id: x1\n  config:\n    -\n- id: x2\n",
    "expression": "- id: dsh-daruma\n  config: { failureBudget: !!js process.env.N }\n",
    "listed-js": "- id: dsh-daruma\n  config: !!js [1]\n",
    "documents": "- id: x1\n---\n- id: x2\n",
    "colon": "- id: a1: b1\n",
    "unknown-keys": "- id: dsh-daruma\n  nme: x1\n  config: { chanels: [], cooldownMs: 0, enabled: yes }\n",
    "bad-channels": "- id: dsh-daruma\n  config:\n    channels:\n      - x1\n      - { provider: x1 }\n"
                    "      - { provider: 1, model: '' }\n      - { provider: lumen, model: orca-1 }\n"
                    "      - { provider: lumen, model: orca-1 }\n      -\n",
    "no-list": "- id: dsh-daruma\n  config: { channels: 1, stateFile: 1, logFile: '~/x1', backup: 2 }\n",
    "relative": "- id: dsh-daruma\n  disabled: maybe\n  config: { stateFile: x1/y1, failureBudget: '2' }\n",
    "config-text": "- id: dsh-daruma\n  config: x1\n",
    "channels-beside": "- id: dsh-daruma\n  channels: []\n",
    "insert": "- insert:\n    - id: dsh-daruma\n      name: dsh-daruma\n    - name: x1\n    - id: x2\n    - 3\n  with: x1\n",
    "insert-twice": "- insert:\n    - { id: x1, name: x1 }\n    - { id: x1, name: x1 }\n",
    "insert-text": "- insert: x1\n",
    "no-id": "- config: {}\n- 7\n- id: 5\n- name: x1\n",
    "not-mounted": "- id: nowhere-1\n  config: {}\n- id: dsh-daruma\n  name: other-1\n",
    "twice-given": "- id: dsh-daruma\n  config: {}\n- id: dsh-daruma\n  config: {}\n",
    "nul": "- id: x1\0\n",
    "latin": b"- id: \xe9\n",
    "control": "- id: \"a\x01b\"\n",
    "deep": "- id: " + "[" * 400 + "\n",
    "empty": "",
    "big": "#" + "x" * (20 << 20),
}
LOG = [
    {"kind": "boot", "t": 0, "pid": 4, "channels": ["lumen::orca-1"], "failureBudget": 3, "cooldownMs": 30000,
     "giveUpBudget": 8},
    {"kind": "boot", "t": 0, "pid": 4, "channels": []},
    {"kind": "give-up", "t": 0, "from": "lumen::orca-1", "reason": "no-routable-fallback", "failoverCount": 2,
     "giveUpBudget": 8},
    {"kind": "give-up", "t": 0, "reason": "give-up-budget-exhausted", "failoverCount": 1, "giveUpBudget": 8},
    {"kind": "failover", "t": 0, "from": "lumen::orca-1", "reason": "SERVER", "message": "x-1"},
    {"kind": "failover", "t": 0, "to": "lumen::orca-1"},
    {"kind": "failover", "t": 0},
    {"kind": "strange-1", "t": 0},
    {"no-kind": 1},
    [1],
]
REASONS = ("RATE_LIMIT", "SERVER", "TRANSPORT", "EMPTY", "TIMEOUT", "QUOTA", "AUTH", "FORBIDDEN", "CONTEXT",
           "UNKNOWN", "ABORTED", "CONFIG", "X_UNKNOWN")


def make_health(now):
    def record(state, failures, until):
        return {"state": state, "consecutiveFailures": failures, "cooldownUntilMs": until, "updatedAtMs": now - 60000}

    healths = {"lumen::orca-1": record("COOLDOWN", 3, now + 7000000), "lumen::orca-2": record("HEALTHY", 1, 0),
               "nimbus::heron-7": record("COOLDOWN", 1, now - 5), "old::gone-1": record("COOLDOWN", 0, now + 30000),
               "off::gone-2": record("DISABLED", 0, 0), "bad::gone-3": {"state": 1},
               "bad::gone-4": record("ODD", 1, 1), "bad::gone-5": 1, "bad::gone-6": record("HEALTHY", -1, 0)}
    for name, value in healths.items():
        if isinstance(value, dict):
            value["channel"] = name
    return json.dumps({"healths": healths})


def make_log(now):
    lines = []
    for age in (400 * 86400, 3 * 86400, 3600, 60, 1):
        lines += [json.dumps({**line, "t": now - age * 1000} if "t" in line else line)
                  if isinstance(line, dict) else json.dumps(line) for line in LOG]
    lines += [json.dumps({"kind": "failover", "t": now, "from": "lumen::orca-1", "to": "lumen::orca-2",
                          "reason": reason, "status": 429, "failoverCount": 1, "giveUpBudget": 8})
              for reason in REASONS]
    return "\n".join(lines) + "\n\n{\"kind\":\"failover\",\"t\n{\"kind\":"


class Home:
    def __init__(self, folder, profiles):
        self.path = folder
        for profile in profiles:
            self.write(f"profiles/{profile}/package.json", json.dumps(PACKAGE))
            self.write(f"profiles/{profile}/cordis.patch.yml", PATCH)
        self.write("settings.yaml", SETTINGS)

    def write(self, name, text):
        path = pathlib.Path(self.path) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.environment = pseudo.build(ROOT, folder)
        self.environment.update(HOME=folder, XDG_CONFIG_HOME=folder + "/config", XDG_STATE_HOME=folder + "/state")
        self.environment.pop("DSH_HOME", None)
        self.count, self.failed, self.seen = 0, 0, ""

    def check(self, what, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        text = done.stdout.decode("utf-8", "replace")
        self.seen += text
        raw = list(pseudo.find_raw(text, NAMES))
        self.report(what, done.returncode >= 0 and not raw, raw or text)

    def report(self, what, passed, detail):
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} {what}")
        if not passed:
            for line in detail if isinstance(detail, list) else str(detail).splitlines()[:20]:
                print(f"# {line!r}")


def check_help(run):
    run.check("help", "help")
    run.check("no verb", "--quiet")
    for verb in VERBS:
        run.check(f"help {verb}", "help", verb)
        run.check(f"{verb} does not take that", verb, "--nothing")
        run.check(f"{verb} takes no argument", verb, "--json=7", "surplus-1")
    for arguments in (["nothing-1"], ["help", "nothing-1"], ["--home"], ["log", "-n", "many-1"], ["log", "-n"],
                      ["log", "--kind", "odd-1"], ["--watch", "status"], ["help", "--completion", "odd-1"]):
        run.check(" ".join(arguments), *arguments)


def check_homes(run):
    home = Home(run.folder + "/home", ["web"])
    now = time.time_ns() // 1000000
    run.check("status of a new home", "--home", home.path, "status")
    run.check("log of a new home", "--home", home.path, "log")
    home.write("daruma/channel-health.json", make_health(now))
    home.write("daruma/failover-log.jsonl", make_log(now))
    for verb in VERBS[:4]:
        run.check(f"{verb} of a busy home", "--home", home.path, verb)
    for name, text in (("torn", '{"healths":'), ("empty", ""), ("another", "[]"), ("array", '{"healths":[]}'),
                       ("binary", b"\xff\x00"), ("deep", "[" * 3000)):
        home.write("daruma/channel-health.json", text)
        run.check(f"a health file that is {name}", "--home", home.path, "status")
    (pathlib.Path(home.path) / "daruma/failover-log.jsonl").unlink()
    (pathlib.Path(home.path) / "daruma/failover-log.jsonl").mkdir()
    run.check("a log that is a folder", "--home", home.path, "log")
    run.check("a profile that is not there", "--home", home.path, "--profile", "odd-1", "status")
    run.check("a home that is not there", "--home", run.folder + "/nowhere", "status")
    run.check("no home", "status")
    several = Home(run.folder + "/several", ["web", "headless"])
    run.check("several profiles", "--home", several.path, "status")
    run.check("the profiles", "--home", several.path, "profiles")
    none = Home(run.folder + "/none", [])
    run.check("no profile", "--home", none.path, "status")
    run.check("no such profile", "--home", none.path, "--profile", "odd-1", "status")


def check_edits(run):
    home = Home(run.folder + "/edited", ["web"])
    where = ["--home", home.path]
    for words in (["chain"], ["backup"], ["get", "dsh-daruma.cooldownMs"], ["get", "dsh-daruma.logFile"],
                  ["chain", "add", "q1::q2"], ["chain", "move", "q1::q2", "1"],
                  ["chain", "remove", "q1::q2"], ["chain", "remove", "q1::q2"], ["chain", "add", "q1"],
                  ["chain", "--of", "q1"], ["chain", "move", "lumen::orca-1", "9"],
                  ["backup", "set", "lumen::orca-1"], ["backup", "clear"], ["backup", "clear"],
                  ["set", "dsh-daruma.cooldownMs", "7"], ["set", "dsh-daruma.cooldownMs", "7"],
                  ["set", "dsh-daruma.cooldownMs", "true"], ["set", "dsh-daruma.channels.q1", "7"],
                  ["set", "llm-fallback.cooldownMs", "7"], ["unset", "dsh-daruma.cooldownMs"],
                  ["unset", "dsh-daruma.cooldownMs"], ["preset", "bounded"], ["preset", "q1"],
                  ["provider", "add", "q1", "--api", "anthropic-messages", "--base-url", "http://127.0.0.1:9",
                   "--models", "q2"], ["provider", "edit", "q1", "--rename", "q2"],
                  ["provider", "remove", "lumen"], ["undo"], ["undo"], ["key"], ["key", "check", "q1-1"]):
        run.check("edit: " + " ".join(words), *where, *words)


def check_mistakes(run):
    for name, text in SINS.items():
        home = Home(f"{run.folder}/w/{name}", ["web"])
        home.write("profiles/web/cordis.patch.yml", text)
        run.check(f"mistake: {name}", "--home", home.path, "lint")
        run.check(f"status with the mistake: {name}", "--home", home.path, "status")
        home.write("profiles/web/cordis.patch.yml", PATCH)
        home.write("settings.yaml", text)
        run.check(f"mistake in the settings: {name}", "--home", home.path, "lint")
    home = Home(f"{run.folder}/w/manifest", ["web"])
    home.write("profiles/web/package.json", "{")
    run.check("a broken manifest", "--home", home.path, "--profile", "web", "lint")
    home.write("profiles/web/package.json", '{"dsh":{"profile":{"bundles":1}}}')
    run.check("a manifest with odd bundles", "--home", home.path, "lint")
    run.check("lint of a file that is not there", "lint", "nowhere.yml")


def main():
    if shutil.which("xgettext") is None or shutil.which("localedef") is None:
        print("1..0 # SKIP the gettext tools or localedef are not installed")
        return 0
    with tempfile.TemporaryDirectory(prefix="koboshi-pseudo-") as folder:
        run = Run(folder)
        check_help(run)
        check_homes(run)
        check_edits(run)
        check_mistakes(run)
        run.report("the language was active", run.seen.count("⟦") > 500, run.seen.count("⟦"))
    print(f"1..{run.count}")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Koboshi authors
"""The life of koboshid: started by the bus, twice, beside another home, in the place of another,
ended. Usage: test-life.py KOBOSHID KOBOSHICTL SERVICE"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error

import koboshid_world
from koboshid_world import wait_for

KOBOSHICTL, SERVICE = map(os.path.abspath, sys.argv[2:4])
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  {services}
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
NAME = "io.github.koboshi.Koboshi.Gateway"

INTERFACE = "io.github.koboshi.Koboshi.Gateway1"


class World(koboshid_world.World):
    """On a bus of its own, which starts nothing but what start_bus() is told of."""

    def __init__(self):
        super().__init__(sys.argv[1])
        self.bus = None
        self.start_bus()

    def start_bus(self, services=""):
        self.stop_bus()
        config = self.root / "bus.conf"
        config.write_text(BUS.format(folder=self.root, services=services))
        self.bus = subprocess.Popen(["dbus-daemon", f"--config-file={config}", "--nofork",
                                     "--print-address=1"], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True, env=self.environment)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()

    def stop_bus(self):
        if self.bus is not None:
            self.bus.terminate()
            self.bus.wait(timeout=60)
            self.bus.stdout.close()

    def close(self):
        self.stop_bus()
        super().close()

    def second(self, *more, **environment):
        """Starts another one that is to end by itself: its status, output and errors."""
        command = [self.program, f"--home={self.home}", f"--state-dir={self.state}", *more]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                              env=dict(self.environment, G_MESSAGES_DEBUG="", **environment))
        return done.returncode, done.stdout, done.stderr

    def call(self, method, *arguments):
        return subprocess.run(["gdbus", "call", "--session", "--dest", NAME, "--object-path",
                               "/" + NAME.replace(".", "/"), "--method", method, *arguments],
                              capture_output=True, text=True, env=self.environment).stdout

    def owner(self):
        done = subprocess.run(["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus",
                               "--object-path", "/org/freedesktop/DBus", "--method",
                               "org.freedesktop.DBus.GetNameOwner", NAME],
                              capture_output=True, text=True, env=self.environment)
        return done.stdout.strip()

    def listen(self, port):
        self.write("profiles/web/koboshi.yaml", f"listen: 127.0.0.1:{port}\n")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_activated(world):
    """The bus starts it for a verb, which finds it ready; a look does not start it."""
    services = world.root / "services"
    services.mkdir()
    text = pathlib.Path(SERVICE).read_text()
    assert re.search(r"^SystemdService=koboshid.service$", text, re.M), text
    (services / f"{NAME}.service").write_text(re.sub(r"^Exec=\S*/koboshid$",
                                                     f"Exec={world.program}", text, flags=re.M))
    world.environment.update(DSH_HOME=str(world.home))
    world.start_bus(f"<servicedir>{services}</servicedir>")

    def ctl(*words):
        return subprocess.run([KOBOSHICTL, *words], capture_output=True, text=True, timeout=120,
                              env=world.environment)

    assert ctl("status").returncode == 0 and world.owner() == ""
    done = ctl("disable", "up::a")
    assert done.returncode == 0, done
    assert world.owner() != ""
    world.url = re.search(r"http://[0-9.:]+", world.call("org.freedesktop.DBus.Properties.Get",
                                                         INTERFACE, "Address")).group()
    assert world.state_of("a") == "DISABLED"
    assert world.ask() == (200, "up::b")
    world.call(INTERFACE + ".Quit")
    wait_for(lambda: world.owner() == "", "its end")


def test_unit(world):
    """systemd takes the unit as it is."""
    if shutil.which("systemd-analyze") is None:
        return
    unit = world.root / "koboshid.service"
    text = (pathlib.Path(SERVICE).parent / unit.name).read_text()
    unit.write_text(re.sub(r"^ExecStart=\S*/koboshid$", f"ExecStart={world.program}", text,
                           flags=re.M))
    run = world.root / "run"
    run.mkdir(0o700)
    done = subprocess.run(["systemd-analyze", "--user", "--man=no", "verify", unit], text=True,
                          capture_output=True, env=dict(world.environment,
                                                        XDG_RUNTIME_DIR=str(run)))
    assert (done.returncode, done.stderr) == (0, ""), done


def test_twice(world):
    """The second one finds the first by the bus, and is not needed."""
    world.start()
    wait_for(world.owner, "the name")
    status, output, errors = world.second()
    assert (status, output) == (0, world.url + "\n"), (status, output, errors)
    assert world.url in errors, errors
    link = world.root / "link"
    link.symlink_to(world.home)
    status, output, errors = world.second(f"--home={link}")
    assert (status, output) == (0, world.url + "\n"), (status, output, errors)
    assert world.ask() == (200, "up::a")


def test_twice_without_bus(world):
    """Off the bus it is found by its state, or by its port."""
    world.listen(free_port())
    world.start("--no-bus")
    for more in ([], ["--no-bus"], [f"--state-dir={world.root / 'elsewhere'}"]):
        status, output, errors = world.second(*more)
        assert (status, output) == (0, world.url + "\n"), (more, status, output, errors)
    assert world.ask() == (200, "up::a")


def test_at_once(world):
    """Of many that start together one serves, the others end well."""
    world.listen(free_port())
    daemons = [world.start(wait=False) for _ in range(4)]
    first = [daemon.stdout.readline().strip() for daemon in daemons]
    assert len(set(first)) == 1 and first[0].startswith("http://"), (first, world.log()[-2000:])
    world.url = first[0]
    wait_for(lambda: sum(daemon.poll() is None for daemon in daemons) == 1, "the others to end")
    assert sorted(daemon.poll() or 0 for daemon in daemons) == [0, 0, 0, 0]
    assert world.ask() == (200, "up::a")


def test_other_home(world):
    world.start()
    wait_for(world.owner, "the name")
    other = world.root / "other"
    shutil.copytree(world.home, other)
    for more in ([f"--home={other}"], [f"--home={other}", f"--state-dir={world.root / 's'}"]):
        status, output, errors = world.second(*more)
        assert (status, output) == (3, ""), (status, output, errors)
        assert str(world.home) in errors and "--replace" in errors, errors


def test_other_home_at_port(world):
    """Off the bus, two homes that want one port."""
    world.listen(free_port())
    world.start("--no-bus")
    other = world.root / "other"
    shutil.copytree(world.home, other)
    status, output, errors = world.second("--no-bus", f"--home={other}",
                                          f"--state-dir={world.root / 's'}")
    assert (status, output) == (3, "") and str(world.home) in errors, (status, output, errors)


def test_other_program(world):
    """Who holds the port is named, also one that takes connections and says nothing."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        world.listen(holder.getsockname()[1])
        status, output, errors = world.second()
        assert (status, output) == (1, "") and f"({os.getpid()})" in errors, (status, errors)
    assert world.owner() == ""


def test_replace(world):
    """The successor answers at the same address, no connection is refused, and a stream of the
    first ends whole; what was learned goes along."""
    world.listen(free_port())
    world.upstream.broken = {"a"}
    first = world.start()
    while world.state_of("a") != "COOLDOWN":
        assert world.ask() == (200, "up::b")
    wait_for(world.owner, "the name")
    before, until = world.owner(), world.channel("a")["until"]
    results, stop = [], threading.Event()

    def knock():
        while not stop.is_set():
            try:
                results.append(world.ask("up::b")[0])
            except (OSError, urllib.error.URLError) as error:
                results.append(str(error))

    with world.open("up::b", stream=True) as stream:
        stream.readline()
        knocker = threading.Thread(target=knock)
        knocker.start()
        second = world.start("--replace")
        wait_for(lambda: world.owner() not in ("", before), "the name to change")
        n = len(results)
        wait_for(lambda: len(results) > n + 5, "answers of the successor")
        stop.set()
        knocker.join()
        assert first.poll() is None and second.poll() is None
        after = world.channel("a")
        assert (after["state"], abs(after["until"] - until) < 50) == ("COOLDOWN", True), after
        world.upstream.gate.set()
        assert stream.read().endswith(b"data: [DONE]\n\n")
    assert first.wait(timeout=60) == 0
    assert all(isinstance(result, int) for result in results), results
    assert world.status()["inFlight"] == 0


def test_replace_nobody(world):
    world.start("--replace")
    assert world.ask() == (200, "up::a")


def test_terminated(world):
    """SIGTERM: streams in flight end whole, new requests are told to come back."""
    world.start()
    with world.open("up::a", stream=True) as stream:
        stream.readline()
        world.daemon.terminate()

        def refused():
            status, text = world.ask()
            return status == 503 and "shutting" in text

        wait_for(refused, "the refusal")
        world.upstream.gate.set()
        assert stream.read().endswith(b"data: [DONE]\n\n")
    assert world.daemon.wait(timeout=60) == 0


def test_terminated_twice(world):
    """Whoever says it twice does not wait: the stream ends in an error, not as if whole."""
    world.start()
    with world.open("up::a", stream=True) as stream:
        stream.readline()
        world.daemon.terminate()
        wait_for(lambda: world.ask()[0] == 503, "the refusal")
        world.daemon.send_signal(signal.SIGINT)
        try:
            rest = stream.read()
        except (OSError, ValueError) as error:
            rest = str(error).encode()
        except Exception as error:  # http.client.IncompleteRead
            rest = error.partial
    assert b"[DONE]" not in rest and b"error" in rest, rest
    assert world.daemon.wait(timeout=60) == 0


sys.exit(koboshid_world.run(koboshid_world.collect(globals()), World, "life"))

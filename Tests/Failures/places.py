"""A daemon in a temporary directory, with a person's screen, stand-ins for the real programs, and a disk that fails on command."""

import atexit
import contextlib
import json
import mmap
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import threading

from front_ends import BIN, wait_for
from router import UnixConnection

DISK = pathlib.Path(__file__).parent.parent / "EndToEndTests" / "Disk" / "FaultyDisk.c"


def dismissal(request):
    return "dismiss", {}


def permission(request):
    """The answer that lets the program do what it asks about."""
    if buttons := request.get("buttons"):
        return "answer", {"button": next(button["id"] for button in buttons if button.get("role") != "cancel")}
    return "answer", {"value": {name: "secret" for name in request["schema"]["properties"]}}


class Presenter:
    """A person's screen, which shows a prompt until it is withdrawn, or until the person does what `acts` returns."""

    def __init__(self, place, acts):
        self.place, self.acts = place, acts
        self.events = []
        self.shown = threading.Event()
        self.connection = UnixConnection(place.socket)
        self.connection.timeout = None
        self.connection.request("GET", "/v1/surfaces/main/stream?name=screen")
        self.response = self.connection.getresponse()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        name = None
        with contextlib.suppress(OSError, ValueError, AttributeError):
            for line in self.response:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: ") and name in ("present", "withdraw"):
                    self.events.append(name)
                    if name == "present":
                        self.shown.set()
                        shown = json.loads(text[6:])["presentation"]
                        if self.acts:
                            verb, body = self.acts(shown["request"])
                            path = f"/v1/presentations/{shown['id']}/{verb}"
                            self.place.call("POST", path, {**body, "generation": shown["generation"]})

    def close(self):
        # Once the daemon has ended, the thread ends too.
        self.thread.join()
        self.response.close()
        self.connection.close()

    @property
    def saw(self):
        if "present" not in self.events:
            return "nothing"
        if self.acts:
            return "a prompt"
        return "a prompt, which is withdrawn" if self.events[-1] == "withdraw" else "a prompt, which **stays**"


class Place:
    """A directory with a daemon's socket and database, and with stand-ins for the real programs."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="router-failures-")
        os.chmod(self.directory, 0o700)
        self.socket, self.disk = self.file("routerd.sock"), self.file("disk")
        os.mkdir(self.disk)
        self.routerd, self.routerctl = str(BIN / "routerd"), str(BIN / "routerctl")
        self.daemon = self.presenter = None
        self.is_mounted = False
        os.mkdir(self.file("bin"))
        for name in ("zenity", "whiptail", "dialog", "pinentry-curses"):
            path = pathlib.Path(self.file("bin/" + name))
            path.write_text(f"#!/bin/sh\necho 'the real {name} ran'\nexit 3\n")
            path.chmod(0o755)
        self.variables = {
            "PATH": f"{self.file('bin')}:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "HOME": self.directory, "XDG_RUNTIME_DIR": self.directory,
            "ROUTERD_SOCKET": self.socket, "SSH_AUTH_SOCK": self.file("agent/s")}

    def file(self, name):
        return os.path.join(self.directory, name)

    def start(self, configuration="", **variables):
        pathlib.Path(self.file("routerd.yaml")).write_text(configuration)
        self.daemon = subprocess.Popen(
            [self.routerd, "--config", self.file("routerd.yaml"), "--socket", self.socket, "--database", self.disk + "/log.db"],
            stderr=subprocess.PIPE, text=True, env={**self.variables, **variables})

    def serve(self, **variables):
        self.start(**variables)
        for line in self.daemon.stderr:
            if "socket=" in line:
                return
        raise AssertionError(f"routerd ended with {self.daemon.wait()}")

    def present(self, acts=None):
        self.presenter = Presenter(self, acts)
        wait_for(lambda: any(surface["presenters"] for surface in self.call("GET", "/v1/surfaces")["surfaces"]))

    def call(self, method, path, body=None):
        connection = UnixConnection(self.socket)
        try:
            connection.request(method, path, body=None if body is None else json.dumps(body))
            with connection.getresponse() as response:
                return json.loads(response.read() or b"null")
        finally:
            connection.close()

    def remove(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()
            self.daemon.stderr.close()
        if self.presenter:
            self.presenter.close()
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.disk], check=True)
        shutil.rmtree(self.directory)


class FaultyDisk:
    """Controls Tests/EndToEndTests/Disk/FaultyDisk.c, as FaultyDisk.swift does."""

    library = None
    lock = threading.Lock()

    @classmethod
    def compiled(cls):
        with cls.lock:
            if not cls.library:
                directory = tempfile.mkdtemp(prefix="router-failures-")
                atexit.register(shutil.rmtree, directory)
                cls.library = directory + "/FaultyDisk.so"
                subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.library, DISK, "-ldl"], check=True)
            return cls.library

    def __init__(self, place):
        path = place.file("faults")
        os.mkfifo(path + ".held")
        with open(path, "w+b") as file:
            file.truncate(40)
            self.control = mmap.mmap(file.fileno(), 40)
        self.set(0)
        self.variables = {"LD_PRELOAD": self.compiled(), "ROUTER_FAULTY_DISK": path}

    def set(self, error):
        self.control[0:24] = struct.pack("<iiiiq", 0, error, error, error, -1)

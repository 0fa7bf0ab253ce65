"""A real routerd with its page, and the calls that the tests make."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

BIN = pathlib.Path(os.environ["ROUTER_BIN"])


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Daemon:
    """routerd in a temporary directory. The page keeps its port across a restart. `bin` has its program, and may change between."""

    def __init__(self, bin=BIN, **variables):
        self.bin, self.variables = bin, variables
        self.directory = tempfile.mkdtemp(prefix="router-page-")
        self.socket = os.path.join(self.directory, "s")
        self.database = os.path.join(self.directory, "log.db")
        self.port = 0
        self.start()

    def start(self):
        environment = dict(os.environ, ROUTERD_BACKOFF_DISMISSALS="0", ROUTERD_GRANTS_ALWAYS="true", ROUTERD_WEB_ADDRESS=f"127.0.0.1:{self.port}", **self.variables)
        self.process = subprocess.Popen(
            [self.bin / "routerd", "--socket", self.socket, "--database", self.database],
            stderr=subprocess.PIPE, env=environment, text=True)
        # The page's socket listens before the daemon reports that it does.
        listening = set()
        for line in self.process.stderr:
            listening.update(re.findall(r"socket=(\S+)", line))
            if len(listening) == 2 + ("ROUTERD_ASK_SOCKET" in environment):
                break
        else:
            raise AssertionError(f"routerd ended with {self.process.wait()}")
        page = next(name for name in listening if name.startswith("http://"))
        self.port = int(page.rpartition(":")[2].strip("/"))
        self.origin = f"http://127.0.0.1:{self.port}"

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.stderr.close()
        self.process.wait(timeout=30)

    def remove(self):
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        shutil.rmtree(self.directory)

    def call(self, method, path, body=None, **headers):
        connection = UnixConnection(self.socket)
        try:
            connection.request(
                method, path, body=None if body is None else json.dumps(body),
                headers={name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            text = response.read()
            reply = json.loads(text) if text else None
        finally:
            connection.close()
        if response.status >= 400:
            raise AssertionError(f"{method} {path}: {response.status} {reply}")
        return reply

    def ask(self, **request):
        """Submits a detached request and returns its id."""
        return self.call("POST", "/v1/presentations", request, Prefer="respond-async")["id"]

    def alert(self, title, **request):
        buttons = [
            {"id": "deploy", "label": "Deploy", "role": "destructive"},
            {"id": "preview", "label": "Preview"},
            {"id": "later", "label": "Not now", "role": "cancel"},
        ]
        return self.ask(**{"kind": "alert", "title": title, "buttons": buttons, "app": "tests", **request})

    def outcome(self, id):
        """Waits for the end and returns the outcome."""
        return self.call("GET", f"/v1/presentations/{id}", Prefer="wait=30")["outcome"]

    def state(self, id):
        return self.call("GET", f"/v1/presentations/{id}")["state"]

    def story(self):
        """Returns the record, for failure messages."""
        return json.dumps(self.call("GET", "/v1/log?limit=5"))

    def cancel(self, id):
        self.call("DELETE", f"/v1/presentations/{id}")

    def link(self):
        return subprocess.run(
            [self.bin / "routerctl", "web", "--socket", self.socket], check=True, capture_output=True, text=True
        ).stdout.strip()

"""Minimal calls of routerd's API over a keep-alive connection."""

import json
import socket

BODY = {
    "kind": "alert",
    "title": "Deploy 1.4.2 to production?",
    "message": "42 commits since the last release.",
    "buttons": [
        {"id": "deploy", "label": "Deploy", "role": "destructive"},
        {"id": "later", "label": "Not now", "role": "cancel"},
    ],
}


def call_bytes(method, path, body=None, headers=""):
    data = b"" if body is None else json.dumps(body).encode()
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {len(data)}\r\n\r\n".encode() + data


def ask_bytes(surface, detached=False):
    headers = "Prefer: respond-async\r\n" if detached else ""
    return call_bytes("POST", "/v1/presentations", dict(BODY, surface=surface), headers)


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def send(self, data):
        self.socket.sendall(data)

    def reply(self):
        """Returns the body of the next reply."""
        status = int(self.file.readline().split()[1])
        length = 0
        while (line := self.file.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = self.file.read(length)
        if not 200 <= status < 300:
            raise SystemExit(f"cannot measure: {status} {body.decode()}")
        return json.loads(body)

    def call(self, *call):
        self.send(call_bytes(*call))
        return self.reply()


class Presenter:
    """The event stream of a surface."""

    def __init__(self, path, surface):
        self.connection = Connection(path)
        self.connection.send(call_bytes("GET", f"/v1/surfaces/{surface}/stream?name=bench", None, "Accept: text/event-stream\r\n"))
        while self.connection.file.readline() != b"\r\n":
            pass

    def next(self):
        """Returns the next presentation."""
        while True:
            line = self.connection.file.readline()
            if not line:
                raise SystemExit("cannot measure: the stream has ended")
            if line == b"event: present\n":
                return json.loads(self.connection.file.readline().removeprefix(b"data: "))["presentation"]


def fill(path, surface, count):
    """Submits `count` detached requests that stay queued."""
    connections = [Connection(path) for _ in range(min(64, count))]
    call = ask_bytes(surface, detached=True)
    while count > 0:
        asking = connections[:count]
        for connection in asking:
            connection.send(call)
        for connection in asking:
            connection.reply()
        count -= len(asking)

"""Stands in for a daemon of a later version: passes calls on, and adds what a later version may add to the replies."""

import contextlib
import json
import os
import socket
import threading

ADDED = {"later": {"x": [1]}}
# What is not the daemon's: JSON of the person, the requester and the record, and a rules file.
CONTENTS = {"default", "detail", "environment", "payload", "rules", "schema", "value"}
EVENT = b"event: later\ndata: {}\n\n"


def added(value):
    """Adds a member to each object."""
    if isinstance(value, dict):
        return {name: part if name in CONTENTS else added(part) for name, part in value.items()} | ADDED
    return [added(part) for part in value] if isinstance(value, list) else value


def replaced(text):
    """JSON with the members, and other text as it is."""
    try:
        return json.dumps(added(json.loads(text)), separators=(",", ":")).encode()
    except ValueError:
        return text


class LaterDaemon:
    """A socket beside that of a daemon."""

    def __init__(self, daemon):
        self.daemon, self.socket = daemon, os.path.join(daemon.directory, "later")
        self.directory, self.database, self.call = daemon.directory, daemon.database, daemon.call
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.socket)
        self.listener.listen(100)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.serve, args=self.listener.accept()[:1], daemon=True).start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def serve(self, client):
        with client, socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
            server.connect(self.daemon.socket)
            threading.Thread(target=self.send, args=(client, server), daemon=True).start()
            with server.makefile("rb") as replies:
                while head := read_head(replies):
                    self.reply(head, replies, client)
            client.shutdown(socket.SHUT_RDWR)

    def send(self, client, server):
        """Passes the requests on."""
        with contextlib.suppress(OSError):
            while part := client.recv(65536):
                server.sendall(part)
            server.shutdown(socket.SHUT_WR)

    def reply(self, head, replies, client):
        text = head.lower()
        is_stream = b"text/event-stream" in text
        head = b"\r\n".join(
            line for line in head.split(b"\r\n") if not line.lower().startswith((b"content-length:", b"transfer-encoding:")))
        parts = chunks(replies) if b"chunked" in text else iter([replies.read(length(text))])
        if not is_stream:
            body = replaced(b"".join(parts))
            has_body = not text.startswith((b"http/1.1 1", b"http/1.1 204", b"http/1.1 304"))
            client.sendall(head[:-2] + (b"Content-Length: %d\r\n" % len(body) if has_body else b"") + b"\r\n" + body)
            return
        client.sendall(head[:-2] + b"Transfer-Encoding: chunked\r\n\r\n")
        write = lambda part: client.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        write(EVENT)
        rest = b""
        for part in parts:
            *lines, rest = (rest + part).split(b"\n")
            write(b"".join(
                (b"data: " + replaced(line[6:]) if line.startswith(b"data: ") else line) + b"\n" for line in lines) or b":\n")
        write(b"")


def read_head(file):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = file.readline()
        if not line:
            return b""
        head += line
    return head


def length(head):
    return next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"content-length:")), 0)


def chunks(file):
    while size := int(file.readline() or b"0", 16):
        yield file.read(size)
        file.readline()
    file.readline()

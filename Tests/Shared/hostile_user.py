"""What a hostile user of a machine sends to its daemon: python3 hostile_user.py SOCKET SECONDS.

Each thread repeats one kind of request, up to five times a second: what one request costs others matters here, not how many the
machine can serve. Prints how many replies of each status it received.
"""

import collections
import http.client
import json
import random
import socket
import sys
import threading
import time

SOCKET, SECONDS = sys.argv[1], float(sys.argv[2])
END = time.monotonic() + SECONDS
statuses = collections.Counter()


class Connection(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("localhost", timeout=30)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def call(method, path, body=None, **headers):
    connection = Connection()
    try:
        connection.request(method, path, body=body if body is None or isinstance(body, bytes) else json.dumps(body), headers=headers)
        response = connection.getresponse()
        response.read()
        statuses[response.status] += 1
    except (OSError, http.client.HTTPException):
        statuses["lost"] += 1
    finally:
        connection.close()


def form():
    """40 fields of 200 fractional choices each: 53 KB."""
    fields = {f"field{number}": {"type": "number", "enum": [choice + 0.5 for choice in range(200)]} for number in range(40)}
    call("POST", "/v1/presentations", {"kind": "sheet", "name": "form", "title": "A form", "schema": {
        "type": "object", "properties": fields}}, Prefer="respond-async")


def patterns():
    fields = {f"field{number}": {"type": "string", "pattern": "(.{0,1}){490}c", "default": "a" * 2000} for number in range(40)}
    call("POST", "/v1/presentations", {"kind": "sheet", "name": "form", "title": "A form", "schema": {
        "type": "object", "properties": fields}}, Prefer="respond-async")


def large():
    call("POST", "/v1/presentations", {"kind": "alert", "title": "Large", "message": "a" * 900_000}, Prefer="respond-async")


def nested():
    call("POST", "/v1/presentations", b"[" * 500_000)


def agent():
    call("POST", "/v1/presentations", {"kind": "alert", "title": "Nobody can answer this", "agent": 1, "surface": "main"},
         Prefer="respond-async")


def ask():
    call("POST", "/v1/presentations", {"kind": "alert", "title": "Bother", "app": f"app{random.randrange(1 << 30)}"},
         Prefer="respond-async")


def shared():
    call("POST", "/v1/presentations", {"kind": "alert", "title": "Bother", "surface": "ops", "app": f"app{random.randrange(1 << 30)}"},
         Prefer="respond-async")


def names():
    call("POST", "/v1/web/link", {"user": f"user{random.randrange(1 << 30)}"})


def lists():
    call("GET", "/v1/presentations?limit=1000")


def connections():
    """Takes connections, sends half a request on each, and holds them."""
    held = []
    try:
        for _ in range(200):
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            held.append(connection)
            connection.settimeout(1)
            connection.connect(SOCKET)
            connection.sendall(b"POST /v1/presentations HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
        time.sleep(5)
    except OSError:
        time.sleep(0.5)
    finally:
        for connection in held:
            connection.close()


def repeat(attack):
    while time.monotonic() < END:
        attack()
        time.sleep(0.2)


threads = [
    threading.Thread(target=repeat, args=[attack], daemon=True)
    for attack in [form] * 2 + [patterns, large, nested, agent, ask, shared, names, lists, connections]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(max(0, END + 30 - time.monotonic()))
print(json.dumps(dict(statuses)))

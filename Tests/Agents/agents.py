"""Shared by the agent tests: a real routerd, a scripted presenter and a browser without a window."""

import contextlib
import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))

from router import BIN, Daemon, UnixConnection  # noqa: E402

ROUTERCTL = str(BIN / "routerctl")


def environment(daemon, **more):
    return dict(os.environ, ROUTERD_SOCKET=daemon.socket, **more)


class Presenter:
    """Answers each prompt with what `decide` returns: the body of an answer, "dismiss", "fail", or None to leave it up."""

    def __init__(self, daemon, decide):
        self.daemon = daemon
        self.decide = decide
        self.shown = []
        self.changed = threading.Condition()
        self.connection = UnixConnection(daemon.socket)
        self.connection.timeout = None
        self.connection.request("GET", "/v1/surfaces/main/stream?name=script")
        self.response = self.connection.getresponse()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        name = None
        try:
            for line in self.response:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text[7:]
                elif text.startswith("data: ") and name == "present":
                    self.present(json.loads(text[6:])["presentation"])
        except (OSError, ValueError, AttributeError):
            pass  # The daemon or the test has ended.

    def present(self, presentation):
        with self.changed:
            self.shown.append(presentation)
            self.changed.notify_all()
        answer = self.decide(presentation)
        if answer is None:
            return
        path = f"/v1/presentations/{presentation['id']}/" + (answer if isinstance(answer, str) else "answer")
        body = {} if isinstance(answer, str) else answer
        self.daemon.call("POST", path, {**body, "generation": presentation["generation"]})

    def wait_for(self, count, timeout=30):
        """Waits until `count` prompts were shown and returns the last one."""
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.shown) >= count, timeout):
                raise AssertionError(f"{len(self.shown)} prompts instead of {count}: {self.daemon.story()}")
        return self.shown[count - 1]

    def close(self):
        # close() alone would wait for the reading thread.
        if self.connection.sock is None:
            return
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.connection.close()


class Page:
    """Router's page in a browser that has opened a link to it. This process plays the browser; `shares` its login with another."""

    def __init__(self, link, shares=False):
        url = urllib.parse.urlsplit(link)
        self.address, self.headers = url.netloc, {"Origin": f"http://{url.netloc}"}
        with self.request("POST", url.path, shares=shares) as opened:
            self.headers["Cookie"] = opened.getheader("Set-Cookie").partition(";")[0]

    @contextlib.contextmanager
    def request(self, method, path, body=None, shares=False):
        with contextlib.closing(http.client.HTTPConnection(self.address, timeout=60)) as connection:
            connection.connect()
            other = subprocess.Popen(["sleep", "100"], pass_fds=[connection.sock.fileno()]) if shares else None
            try:
                connection.request(method, path, body=body, headers=self.headers)
                with connection.getresponse() as response:
                    yield response
            finally:
                if other:
                    other.kill()
                    other.wait()

    def answer(self, answer):
        """Presents, answers the first prompt, and returns the status of the response."""
        with self.request("GET", "/v1/surfaces/main/stream?name=page") as stream:
            data = (json.loads(line[6:]) for line in stream if line.startswith(b"data: "))
            shown = next(each["presentation"] for each in data if "presentation" in each)
            body = json.dumps({**answer, "generation": shown["generation"]})
            with self.request("POST", f"/v1/presentations/{shown['id']}/answer", body) as response:
                return response.status


def button(identifier):
    return {"button": identifier}

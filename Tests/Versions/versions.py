"""Shared by the tests of versions: the programs of two versions, and a daemon that may change its version between two starts."""

import fcntl
import json
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))

from router import BIN, Daemon  # noqa: E402

NEW, OLD = BIN, pathlib.Path(os.environ["ROUTER_OLD_BIN"])


def wait_for(what, condition, seconds=30):
    """Calls `condition` until it returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)
    return value


class Client:
    """The routerctl of a version, for a daemon."""

    def __init__(self, bin, daemon):
        self.program, self.daemon = str(bin / "routerctl"), daemon
        self.environment = dict(
            os.environ, ROUTERD_SOCKET=daemon.socket, ROUTER_TIMEOUT="30", TERM="xterm", LC_ALL="C.UTF-8", HOME=daemon.directory,
            XDG_STATE_HOME=daemon.directory)

    def start(self, *words, **options):
        # An agent's process may not answer, and this process answers. So timeout(1) asks.
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(
            ["timeout", "--foreground", "90", self.program, *words], text=True, env=self.environment, cwd=self.daemon.directory,
            **options)

    def run(self, *words, text=None, status=0):
        """Runs a command that must end with a status, and returns its output."""
        process = self.start(*words)
        output, errors = process.communicate(text, timeout=90)
        if process.returncode != status:
            raise AssertionError(f"{self.program} {' '.join(words)} ended with {process.returncode}, not {status}: {output}{errors}")
        return output

    def json(self, *words, **options):
        return [json.loads(line) for line in self.run(*words, **options).splitlines()]


class Presenter:
    """`routerctl present --exec` of a version, which answers each prompt with what `answers` holds next."""

    def __init__(self, client, *answers):
        self.client, self.directory = client, client.daemon.directory
        self.prompts = pathlib.Path(self.directory, "prompts")
        self.prompts.touch()
        for number, answer in enumerate(answers, 1):
            pathlib.Path(self.directory, f"answer-{number}").write_text(json.dumps(answer))
        script = 'cat >>prompts; echo >>prompts; n=$(grep -c "^{" prompts); cat "answer-$n" || exec sleep 90'
        self.process = subprocess.Popen(
            [client.program, "present", "--exec", script], env=client.environment, cwd=self.directory, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.attach()

    def attach(self):
        def is_attached():
            surfaces = self.client.daemon.call("GET", "/v1/surfaces")["surfaces"]
            return any(each["presenters"] for each in surfaces)

        wait_for("a presenter", is_attached)

    @property
    def titles(self):
        return [json.loads(line)["request"]["title"] for line in self.prompts.read_text().splitlines() if line.startswith("{")]

    def close(self):
        self.process.terminate()
        output = self.process.communicate(timeout=30)[0]
        if "cannot" in output:
            raise AssertionError(output)


class Terminal:
    """A command on a terminal of 80 columns and 24 lines. Keeps all that it writes."""

    def __init__(self, client, *words):
        main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.main, self.text = main, ""
        self.process = subprocess.Popen(
            [client.program, *words], stdin=other, stdout=other, stderr=other, env=client.environment, start_new_session=True)
        os.close(other)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while select.select([self.main], [], [])[0]:
            try:
                part = os.read(self.main, 65536)
            except OSError:
                return
            self.text += part.decode(errors="replace")

    def shows(self, text):
        wait_for(f"{text!r} on the terminal", lambda: text in self.text)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def change(daemon, bin):
    """Stops a daemon, and starts that of another version on its log and socket."""
    daemon.stop()
    daemon.bin = bin
    daemon.start()

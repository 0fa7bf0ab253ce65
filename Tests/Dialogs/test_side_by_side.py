"""Compares routerctl with the real whiptail, dialog and zenity: the same calls, output and statuses."""

import itertools
import json
import os
import pathlib
import pty
import selectors
import subprocess
import sys
import time
import tty
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Presenters"))

from router import BIN, Daemon  # noqa: E402
from rows import DIALOG, WHIPTAIL, ZENITY  # noqa: E402
from test_zenity import Display  # noqa: E402

PATIENCE = 60
NUMBERS = itertools.count()
LOCALE = {"LC_ALL": "C.UTF-8", "TERM": "vt220", "NO_AT_BRIDGE": "1"}


#: read, poll, select, pselect6 and ppoll on x86-64, and read, pselect6 and ppoll on arm64.
WAITING = {"x86_64": {"0", "7", "23", "270", "271"}, "aarch64": {"63", "72", "73"}}[os.uname().machine]


def waits(process):
    """Whether a process waits for keys. Keys typed earlier are lost, because it flushes the terminal's input when it starts."""
    try:
        return pathlib.Path(f"/proc/{process}/syscall").read_text().split()[0] in WAITING
    except (OSError, IndexError):
        return False


def drain(descriptors, process, keys):
    """Reads each descriptor to its end. Types the keys on the first one once something is drawn and the process waits."""
    texts = {descriptor: b"" for descriptor in descriptors}
    deadline = time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(0.01 if keys else PATIENCE)
            if not ready and keys and texts[descriptors[0]] and waits(process):
                os.write(descriptors[0], keys)
                keys = b""
            if time.monotonic() > deadline:
                raise AssertionError(f"it does not end: {texts}")
            for key, _ in ready:
                try:
                    data = os.read(key.fd, 65536)
                except OSError:  # the terminal's other end is closed
                    data = b""
                if data:
                    texts[key.fd] += data
                else:
                    selector.unregister(key.fd)
    return texts


def on_terminal(row):
    """Runs the real whiptail or dialog on a pseudoterminal."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    errors, error = os.pipe()
    outputs, output = os.pipe()
    inputs, feed = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(os.open(os.ttyname(slave), os.O_RDWR))  # it is the session's terminal now
        os.dup2(inputs if row.stdin else slave, 0)
        # It draws on standard output, or opens the terminal itself if the answer goes to standard output.
        os.dup2(output if "--stdout" in row.arguments else slave, 1)
        os.dup2(error, 2)
        os.dup2(output, 200)
        for descriptor in (master, slave, errors, error, outputs, output, inputs, feed):
            os.close(descriptor)
        os.execvpe(row.arguments[0], row.arguments, dict(os.environ, **LOCALE, **row.environment))
    for descriptor in (slave, error, output, inputs):
        os.close(descriptor)
    os.write(feed, row.stdin.encode())
    os.close(feed)
    texts = drain([master, errors, outputs], child, row.keys.encode())
    for descriptor in (master, errors, outputs):
        os.close(descriptor)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return texts[outputs].decode(), texts[errors].decode(), status


class SideBySide(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.remove)
        cls.links = os.path.join(cls.daemon.directory, "links")
        subprocess.run([BIN / "routerctl", "frontends", "install", cls.links], check=True, stdout=subprocess.DEVNULL)
        cls.answers = os.path.join(cls.daemon.directory, "answers.json")
        cls.presenter = subprocess.Popen(
            [BIN / "routerctl", "present", "--socket", cls.daemon.socket, "--name", "person", "--exec",
             f"exec '{pathlib.Path(__file__).parent / 'person'}'"],
            env=dict(os.environ, ANSWERS=cls.answers), stdout=subprocess.DEVNULL)
        cls.addClassCleanup(cls.presenter.wait)
        cls.addClassCleanup(cls.presenter.terminate)
        # Once this question is answered, the presenter is attached.
        cls.will_answer("Not now")
        cls.daemon.outcome(cls.daemon.alert("Are you there?"))

    @classmethod
    def will_answer(cls, answer):
        with open(cls.answers, "w") as file:
            json.dump(answer if isinstance(answer, list) else [answer], file)

    def stand_in(self, row):
        """Runs routerctl under the program's name, in a session without a terminal or a display."""
        if row.asks:
            self.will_answer(row.answer)
        environment = dict(os.environ, **LOCALE, **row.environment)
        # The real programs are not in the PATH, so there is no fallback.
        environment.update(PATH=self.links, ROUTERD_SOCKET=self.daemon.socket)
        environment.pop("DISPLAY", None)
        environment.pop("WAYLAND_DISPLAY", None)
        done = subprocess.run(
            row.arguments, executable=os.path.join(self.links, row.arguments[0]), input=row.stdin, capture_output=True, text=True,
            env=environment, timeout=PATIENCE, start_new_session=True, close_fds=False,
            preexec_fn=lambda: os.dup2(1, 200))
        if row.asks:
            with open(self.answers) as file:
                self.assertEqual(json.load(file), [], "not all was asked")
        return done.stdout, done.stderr, done.returncode

    def compare(self, rows, real):
        for row in rows:
            expected = (row.out, row.err, row.status)
            with self.subTest(row.name, by="routerctl"):
                self.assertEqual(self.stand_in(row), expected)
            with self.subTest(row.name, by="the real one"):
                self.assertEqual(real(row), expected)

    def test_whiptail(self):
        self.compare(WHIPTAIL, on_terminal)

    def test_dialog(self):
        self.compare(DIALOG, on_terminal)

    def test_zenity(self):
        display = Display()
        self.addCleanup(display.stop)
        self.compare(ZENITY, lambda row: on_display(row, display))


def on_display(row, display):
    """Runs the real zenity on a virtual display."""
    title = f"row {next(NUMBERS)}"
    arguments = row.arguments + (["--title", title] if row.asks else [])
    environment = dict(os.environ, **LOCALE, **row.environment, DISPLAY=display.name)
    with subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment) as process:
        try:
            if row.keys and row.asks:
                process.stdin.write(row.stdin)
                process.stdin.close()
                process.stdin = None
                window = display.run("xdotool", "search", "--sync", "--onlyvisible", "--name", f"^{title}$").stdout.split()[-1]
                deadline = time.monotonic() + PATIENCE
                while not display.activate(window):
                    if time.monotonic() > deadline:
                        raise AssertionError("the window does not get the keys")
                display.run("xdotool", "key", "--delay", "50", *row.keys.split())
                out, err = process.communicate(timeout=PATIENCE)
            else:
                out, err = process.communicate(row.stdin, timeout=PATIENCE)
        except BaseException:
            process.kill()
            raise
    # GTK warns about features that a virtual display lacks.
    err = "".join(line for line in err.splitlines(True) if "WARNING" not in line and line.strip())
    return out, err, process.returncode


if __name__ == "__main__":
    unittest.main()

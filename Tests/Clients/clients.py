"""Shared by the tests of clients: a real daemon, presenters in terminals, and the article's examples."""

import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
CLIENT = ROOT / "Clients" / "python"
sys.path[:0] = [str(ROOT / "Tests" / "Agents"), str(CLIENT), str(CLIENT / "adapters")]

from agents import BIN, Daemon, Presenter  # noqa: E402

PATIENCE = 60


def environment(daemon):
    path = os.pathsep.join([str(CLIENT), str(CLIENT / "adapters"), os.environ.get("PYTHONPATH", "")])
    return dict(os.environ, ROUTERD_SOCKET=daemon.socket, PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=path)


class DaemonTest(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="router-clients-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def until(self, is_so, what):
        deadline = time.monotonic() + PATIENCE
        while not (found := is_so()):
            self.assertLess(time.monotonic(), deadline, f"{what() if callable(what) else what}; {self.daemon.story()}")
            time.sleep(0.02)
        return found

    def open_prompts(self):
        return self.daemon.call("GET", "/v1/presentations")["presentations"]

    def present(self, decide):
        """Attaches a presenter that answers each prompt with what a function returns."""
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def run_program(self, *command, **more):
        """Starts a program that asks, and returns it."""
        process = subprocess.Popen(
            command, env=environment(self.daemon), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True, **{"cwd": self.directory, **more})
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def output(self, process):
        """Returns the output of a program that ends successfully."""
        output, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, errors)
        return output.strip()

    def terminal(self, *command):
        terminal = Terminal(command, environment(self.daemon), self.directory)
        self.addCleanup(terminal.close)
        return terminal


class Terminal:
    """A program in a terminal of 200 columns."""

    def __init__(self, command, environment, directory):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(directory)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.text = ""

    def type(self, keys):
        os.write(self.file, keys.encode())

    def read(self, seconds=0.05):
        """Reads what the program prints meanwhile, and returns all its output."""
        while select.select([self.file], [], [], seconds)[0]:
            try:
                part = os.read(self.file, 65536)
            except OSError:
                break
            self.text += part.decode(errors="replace")
            seconds = 0
        return self.text

    def close(self):
        os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.file)


def examples(heading, language):
    """Returns the code blocks of a section of the article."""
    article = (ROOT / "Sources" / "Router" / "Router.docc" / "OtherLanguages.md").read_text()
    section = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", article, re.MULTILINE | re.DOTALL)[1]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)

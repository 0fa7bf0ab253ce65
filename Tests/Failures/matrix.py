#!/usr/bin/env python3
"""The failure matrix: runs every front end in every condition, and prints what its host sees, when, and what is recorded.

    ROUTER_BIN=.build/debug Tests/Failures/matrix.py            # prints the page
    ROUTER_BIN=.build/debug Tests/Failures/matrix.py --write    # writes Docs/Failures.md

Arguments select front ends and conditions by a part of their name. The full disk needs root, to mount a small one, and the
unwritable log needs a C compiler.
"""

import atexit
import concurrent.futures
import contextlib
import dataclasses
import json
import mmap
import os
import pathlib
import selectors
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from front_ends import BIN, FRONT_ENDS, FrontEnd, Result, wait_for
from router import UnixConnection

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "Docs" / "Failures.md"
DISK = ROOT / "Tests" / "EndToEndTests" / "Disk" / "FaultyDisk.c"

# The time limit of each front end here, in seconds. Less than half a second more counts as the limit.
LIMIT = 3
# How much longer than its promise a front end may take on a busy machine.
SLACK = 3
# How much of its time a slow daemon is stopped.
STOPPED, RUNNING = 0.7, 0.1


class Presenter:
    """A person's screen, which shows a prompt until it is withdrawn or, with `closes`, closes it at once."""

    def __init__(self, place, closes):
        self.place, self.closes = place, closes
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
                        if self.closes:
                            self.place.call("POST", f"/v1/presentations/{shown['id']}/dismiss", {"generation": shown["generation"]})

    def close(self):
        # Once the daemon has ended, the thread ends too.
        self.thread.join()
        self.response.close()
        self.connection.close()

    @property
    def saw(self):
        if "present" not in self.events:
            return "nothing"
        if self.closes:
            return "a prompt"
        return "a prompt, which is withdrawn" if self.events[-1] == "withdraw" else "a prompt, which **stays**"


class Place:
    """A directory with a daemon's socket and database, and with stand-ins for the real programs."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="router-failures-")
        os.chmod(self.directory, 0o700)
        self.socket, self.disk = self.file("routerd.sock"), self.file("disk")
        os.mkdir(self.disk)
        self.daemon = self.presenter = None
        self.is_mounted = False
        os.mkdir(self.file("bin"))
        for name in ("zenity", "whiptail", "dialog", "pinentry-curses"):
            path = pathlib.Path(self.file("bin/" + name))
            path.write_text(f"#!/bin/sh\necho 'the real {name} ran'\nexit 3\n")
            path.chmod(0o755)
        self.variables = {
            "PATH": f"{self.file('bin')}:/usr/bin:/bin", "HOME": self.directory, "XDG_RUNTIME_DIR": self.directory, "LC_ALL": "C.UTF-8",
            "ROUTERD_SOCKET": self.socket, "SSH_AUTH_SOCK": self.file("agent/s"), "ROUTER_TIMEOUT": str(LIMIT)}

    def file(self, name):
        return os.path.join(self.directory, name)

    def start(self, configuration="", **variables):
        pathlib.Path(self.file("routerd.yaml")).write_text(configuration)
        self.daemon = subprocess.Popen(
            [BIN / "routerd", "--config", self.file("routerd.yaml"), "--socket", self.socket, "--database", self.disk + "/log.db"],
            stderr=subprocess.PIPE, text=True, env={**self.variables, **variables})

    def serve(self, **variables):
        self.start(**variables)
        for line in self.daemon.stderr:
            if "socket=" in line:
                return
        raise AssertionError(f"routerd ended with {self.daemon.wait()}")

    def present(self, closes=False):
        self.presenter = Presenter(self, closes)
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


@dataclasses.dataclass
class Condition:
    name: str
    # Describes how the test makes it.
    how: str
    # Prepares a place, and returns what makes it well again, before the log is read.
    prepare: callable
    # What happens once the front end has started: called in a thread with the place and the process.
    meanwhile: callable = None
    needs: callable = lambda: None
    # Whether the daemon may read the request only after the front end has ended.
    is_delayed: bool = False


def no_daemon(place):
    return lambda: place.serve()


def broken_configuration(place):
    place.serve()
    # The socket's file stays.
    place.daemon.kill()
    place.daemon.wait()
    place.daemon.stderr.close()
    place.start("acess: {}\n")
    said = place.daemon.communicate(timeout=30)[1]
    assert place.daemon.returncode != 0 and "acess" in said, said
    return lambda: place.serve()


def stopped(place):
    place.serve()
    place.present()
    place.daemon.send_signal(signal.SIGSTOP)
    return lambda: place.daemon.send_signal(signal.SIGCONT)


def shown(place):
    place.serve()
    place.present()
    return lambda: place.daemon.send_signal(signal.SIGCONT)


def stop_when_shown(place, process):
    if place.presenter.shown.wait(LIMIT - 1):
        place.daemon.send_signal(signal.SIGSTOP)


def kill_when_shown(place, process):
    if place.presenter.shown.wait(LIMIT - 1):
        process.kill()


def slow(place):
    place.serve()
    place.present(closes=True)
    place.is_slow = True

    def stutter():
        while place.is_slow and place.daemon.poll() is None:
            place.daemon.send_signal(signal.SIGSTOP)
            time.sleep(STOPPED)
            place.daemon.send_signal(signal.SIGCONT)
            time.sleep(RUNNING)

    thread = threading.Thread(target=stutter)
    thread.start()

    def well():
        place.is_slow = False
        thread.join()

    return well


def no_presenter(place):
    place.serve()
    return lambda: None


def full_disk(place):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "router-failures", place.disk], check=True)
    place.is_mounted = True
    place.serve()
    place.present()
    filler = place.disk + "/filler"
    descriptor = os.open(filler, os.O_WRONLY | os.O_CREAT, 0o600)
    with contextlib.suppress(OSError):
        while True:
            os.write(descriptor, bytes(4096))
    os.close(descriptor)
    return lambda: os.remove(filler)


def unwritable(place):
    disk = FaultyDisk(place)
    place.serve(**disk.variables)
    place.present()
    disk.set(30)  # EROFS
    return lambda: disk.set(0)


def can_mount():
    if os.geteuid() != 0:
        return "only root can mount a small disk"
    with tempfile.TemporaryDirectory() as directory:
        if subprocess.run(["mount", "-t", "tmpfs", "router-failures", directory], capture_output=True).returncode != 0:
            return "this container may not mount a small disk"
        subprocess.run(["umount", directory], check=True)
    return None


CONDITIONS = [
    Condition("no daemon", "There is no socket.", no_daemon),
    Condition("broken configuration", "`routerd` does not start, for an unknown name in `routerd.yaml`; the socket's file of the last one remains.",
              broken_configuration),
    Condition("stopped daemon", "SIGSTOP before the front end starts. A presenter is attached.", stopped, is_delayed=True),
    Condition("daemon stops later", "SIGSTOP while the prompt is shown.", shown, meanwhile=stop_when_shown),
    Condition("slow daemon", "The daemon runs for an eighth of the time. The person closes the prompt.", slow),
    Condition("no presenter", "The daemon runs, and nobody is attached.", no_presenter),
    Condition("nobody answers", "A presenter shows the prompt, and the person does nothing.", shown),
    Condition("host's time-out", "The host kills the front end (SIGKILL) while the prompt is shown.", shown, meanwhile=kill_when_shown),
    Condition("full disk", "The database's file system has no space left. A presenter is attached.", full_disk, needs=can_mount),
    Condition("unwritable log", "Each write to the database fails with EROFS. A presenter is attached.", unwritable,
              needs=lambda: None if shutil.which("cc") else "there is no C compiler"),
]


def run(front_end: FrontEnd, place, deadline, meanwhile):
    """Runs a front end as its host does, until it ends or the deadline has passed."""
    variables = {**place.variables, **front_end.variables}
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            front_end.command(place, LIMIT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=variables,
            cwd=place.directory, start_new_session=True)
        if meanwhile:
            helper = threading.Thread(target=meanwhile, args=(place, process))
            helper.start()
        output, has_replied = b"", not front_end.talks
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(front_end.input(LIMIT).encode())
            process.stdin.flush()
        if has_replied:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
        selector = selectors.DefaultSelector()
        selector.register(process.stdout, selectors.EVENT_READ)
        has_ended = False
        while (left := begin + deadline - time.monotonic()) > 0:
            if not selector.select(left):
                break
            part = os.read(process.stdout.fileno(), 65536)
            output += part
            reply = None if has_replied else front_end.reply(output.decode(errors="replace"))
            if reply is not None:
                has_replied = True
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(reply.encode())
                    process.stdin.close()
            if not part:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0.1, begin + deadline - time.monotonic()))
                    has_ended = True
                break
        seconds = time.monotonic() - begin
        if meanwhile:
            helper.join()
        if not has_ended:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    clean = lambda text: text.replace(place.directory + "/routerd.sock", "SOCKET").replace(place.directory, "DIRECTORY")
    return Result(process.returncode, clean(output.decode(errors="replace")), clean(text), seconds, has_ended)


def recorded(place, waits):
    """The outcomes of all prompts that the log has, once none is open. Waits for one, which a daemon may have yet to read."""
    log = []
    if waits:
        with contextlib.suppress(AssertionError):
            wait_for(lambda: place.call("GET", "/v1/log").get("presentations"), 2)

    def is_over():
        nonlocal log
        log = place.call("GET", "/v1/log").get("presentations")
        return log is not None and all(entry["state"] == "resolved" for entry in log)

    with contextlib.suppress(AssertionError):
        wait_for(is_over, 10)
    return ", ".join(words(entry) for entry in log or []) or "nothing"


def words(entry):
    outcome = entry["outcome"]
    if outcome is None:
        return "**still open**"
    kind, more = outcome["type"], outcome.get("reason") or outcome.get("phase")
    return f"`{kind}`" + (f" (`{more}`)" if more else "")


@dataclasses.dataclass
class Cell:
    front_end: FrontEnd
    condition: Condition
    sees: str
    ends: str
    person: str
    record: str
    allows: bool
    fault: str = None


def end(processes):
    for process in processes:
        process.kill()
        process.wait()


def measure(front_end, condition):
    promise = front_end.promise(LIMIT)
    deadline = (promise or LIMIT) + SLACK
    place, beside = Place(), []
    try:
        well = condition.prepare(place)
        beside = front_end.beside(place, LIMIT)
        result = run(front_end, place, deadline, condition.meanwhile)
        if condition.is_delayed:
            # What runs beside the front end is gone, too, when the daemon goes on.
            end(beside)
        well()
        record = recorded(place, waits=condition.is_delayed)
        if place.presenter and not place.presenter.closes and "present" in place.presenter.events:
            with contextlib.suppress(AssertionError):
                wait_for(lambda: place.presenter.events[-1] == "withdraw", 5)
        person = place.presenter.saw if place.presenter else "nothing"
    finally:
        end(beside)
        place.remove()
    cell = Cell(front_end, condition, "", "", person, record, False)
    cell.allows = result.has_ended and front_end.allows(result)
    if not result.has_ended:
        cell.sees = "nothing, until its host gives up"
        cell.ends = "does not end"
        if promise is not None:
            cell.ends = "**does not end**"
            cell.fault = "hangs beyond its promise"
    else:
        cell.sees = front_end.sees(result)
        if result.status < 0:
            cell.ends = "when the host ends it"
        elif condition.name == "slow daemon":
            cell.ends = "late"
        elif result.seconds < LIMIT - 0.5:
            cell.ends = "at once"
        elif promise is None or result.seconds < LIMIT + 3:
            cell.ends = "at its limit"
        else:
            cell.ends = "before its host's limit"
    if cell.allows:
        cell.fault = "**allows**"
    elif "**" in record + person:
        cell.fault = cell.fault or "leaves the prompt open"
    return cell


def matrix(front_ends, conditions):
    """Measures the cells, and returns them in order, with the reasons why rows or columns were left out."""
    left_out = {each.name: why for each in [*front_ends, *conditions] if (why := each.needs())}
    pairs = [(a, b) for a in front_ends for b in conditions if a.name not in left_out and b.name not in left_out]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        # The longest ones first, but in the page's order.
        order = sorted(pairs, key=lambda pair: -(pair[0].promise(LIMIT) or LIMIT))
        futures = {(a.name, b.name): pool.submit(measure, a, b) for a, b in order}
        return [futures[a.name, b.name].result() for a, b in pairs], left_out


HEAD = """\
# When something fails

What each program sees, when, and what is on record, if the daemon, the presenter or the disk is away. A program runs all of it:
`Tests/Failures/matrix.py --write` writes this page, and a test compares it with a new run.

No cell may allow anything, and none may take longer than the front end promises.

{summary}

## Conditions

| condition | how the test makes it |
| --- | --- |
{conditions}

"At once" is within {at_once} seconds. The tests set each time limit to {limit} seconds. In the tables, `SOCKET` is the daemon's
socket.

Not measured: `ask-password-agent`, which waits as long as systemd's question lasts, `agent opencode`, which needs OpenCode's
server, and other versions of the daemon or of the client, since no version has been released.

## Summary

{table}
"""


def short(cell):
    if cell.fault:
        return f"**{cell.fault.strip('*')}**"
    if cell.ends == "does not end":
        return "waits for its host"
    if cell.ends == "when the host ends it":
        return "withdrawn"
    if "runs instead" in cell.sees:
        return "the real program"
    return cell.ends


def row(cell):
    sees = cell.sees.replace("|", "\\|").replace("\n", " ")
    return f"| {cell.condition.name} | {sees} | {cell.ends} | {cell.person} | {cell.record} |\n"


def page(cells):
    front_ends = list({cell.front_end.name: cell.front_end for cell in cells}.values())
    conditions = list({cell.condition.name: cell.condition for cell in cells}.values())
    by_name = {(cell.front_end.name, cell.condition.name): cell for cell in cells}
    faults = [cell for cell in cells if cell.fault]
    count = f"{len(cells)} cells: {sum(cell.allows for cell in cells)} allow"
    summary = f"{count}. {len(faults)} break the promise" + (", in bold." if faults else ".")
    table = ["| front end | " + " | ".join(c.name for c in conditions) + " |", "| --- |" + " --- |" * len(conditions)]
    for front_end in front_ends:
        table.append(f"| {front_end.name} | " + " | ".join(short(by_name[front_end.name, c.name]) for c in conditions) + " |")
    text = HEAD.format(
        summary=summary, conditions="\n".join(f"| {c.name} | {c.how} |" for c in conditions), at_once=LIMIT - 0.5, limit=LIMIT,
        table="\n".join(table))
    for front_end in front_ends:
        text += f"\n## {front_end.name}\n\nTime limit: {front_end.limit}.\n\n"
        text += "| condition | the program sees | it ends | the person sees | on record |\n| --- | --- | --- | --- | --- |\n"
        for condition in conditions:
            text += row(by_name[front_end.name, condition.name])
    return text


def main(arguments):
    chosen = [word for word in arguments if not word.startswith("--")]
    select = lambda all: [each for each in all if any(word in each.name for word in chosen)] or all
    begin = time.monotonic()
    cells, left_out = matrix(select(FRONT_ENDS), select(CONDITIONS))
    for name, why in left_out.items():
        print(f"left out: {name}: {why}", file=sys.stderr)
    text = page(cells)
    if "--write" in arguments:
        if chosen or left_out:
            sys.exit("error: cannot write a page with parts left out")
        PAGE.write_text(text)
    else:
        print(text)
    print(f"{len(cells)} cells in {time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])

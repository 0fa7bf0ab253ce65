"""Asking from a shell: the time from a program's start to its exit, answered at once."""

import getpass
import json
import os
import pty
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import peers
from calls import Connection, Presenter


def life(command, environment, terminal=None, input=None):
    """Returns the seconds from a program's start to its end. With a terminal, types the answer when the question is visible."""
    master = slave = None
    actions = []
    null = os.open(os.devnull, os.O_RDWR)
    if terminal is None:
        actions = [(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)]
        if input is not None:
            actions[0] = (os.POSIX_SPAWN_OPEN, 0, input, os.O_RDONLY, 0)
    else:
        master, slave = pty.openpty()
        # Opened by the child, a session leader, it becomes that session's terminal (tty(4)).
        actions = [(os.POSIX_SPAWN_OPEN, 0, os.ttyname(slave), os.O_RDWR, 0)]
        actions += [(os.POSIX_SPAWN_DUP2, 0, number) for number in (1, 2)]
        # Types only after the start: a program may flush earlier input.
        reader = threading.Thread(target=reply, args=(master, terminal), daemon=True)
        reader.start()
    before = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, environment, file_actions=actions, setsid=terminal is not None)
    _, status = os.waitpid(pid, 0)
    seconds = time.perf_counter() - before
    for descriptor in (null, slave):
        if descriptor is not None:
            os.close(descriptor)
    if master is not None:
        reader.join(1)
        os.close(master)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"cannot measure: {command} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds


def reply(master, answer):
    """Reads the screen like a terminal, and types the answer once the question appears."""
    seen, is_answered = b"", False
    try:
        while part := os.read(master, 65536):
            seen += part
            if b"Deploy?" in seen and not is_answered:
                is_answered = True
                os.write(master, answer)
    except OSError:
        pass


def detach(function, *arguments):
    """Runs a function in a process that is not a descendant of this one; it ends with an error when its peer is gone."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    try:
        if not os.fork():
            os.setsid()
            function(*arguments)
    except Exception:
        pass
    os._exit(0)


def answer_all(path):
    """Answers each prompt at once, with its first button or with "x" in its first field."""
    presenter, connection = Presenter(path, "main"), Connection(path)
    while True:
        shown = presenter.next()
        request = shown["request"]
        if request.get("buttons"):
            answer = {"button": request["buttons"][0]["id"]}
        else:
            # In an agent's session, a second field of askpass is for a refusal.
            answer = {"value": {next(iter(request["schema"]["properties"])): "x"}}
        answer["generation"] = shown["generation"]
        connection.call("POST", f"/v1/presentations/{shown['id']}/answer", answer)


class Display:
    """A virtual X display that tells when a window is mapped."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as file:
            self.name = f":{file.readline().strip()}"
        self.events = subprocess.Popen(["stdbuf", "-oL", "xev", "-root", "-event", "substructure"], text=True,
                                       env=dict(os.environ, DISPLAY=self.name), stdout=subprocess.PIPE)
        time.sleep(0.5)
        return self

    def __exit__(self, *_):
        self.events.terminate()
        self.server.terminate()

    def until_mapped(self, command, environment):
        """Seconds from a program's start until its window is on the screen."""
        before = time.perf_counter()
        program = subprocess.Popen(command, env=dict(environment, DISPLAY=self.name), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not self.events.stdout.readline().startswith("MapNotify"):
            if program.poll() is not None:
                sys.exit(f"cannot measure: {command} ended with {program.returncode}")
        seconds = time.perf_counter() - before
        program.kill()
        program.wait()
        while not self.events.stdout.readline().startswith("DestroyNotify"):
            pass
        return seconds


RULES = """
version: 1
rules:
  - id: tests
    match: {user: %s, act: {verb: Bash, argv: [make, test]}}
    then: allow
""" % getpass.getuser()


def confirm(where, rounds):
    """`routerctl confirm`, askpass and an agent's hook beside programs that ask on a terminal or in a window."""
    peer = peers.Router(*where)
    private = tempfile.TemporaryDirectory()
    rules = f"{private.name}/rules.yaml"
    with open(rules, "w") as file:
        file.write(RULES)
    peer.settings = {"ROUTERD_RULES_FILE": rules, "ROUTERD_RULES_CONFIRM": "none"}
    rows = {
        "routerctl confirm": [], "routerctl askpass": [], "routerctl agent hook": [], "routerctl agent hook, by a rule": [],
        "routerctl --version": [],
        "whiptail --yesno": [], "systemd-ask-password": [], "sh that asks on its terminal": [],
        "ssh-askpass, until its window is mapped": [], "zenity --question, until its window is mapped": [],
    }
    with peer.running(), Display() as display:
        environment = dict(os.environ, TERM="xterm", ROUTERD_SOCKET=peer.socket)
        hook, ruled = f"{peer.directory}/hook.json", f"{peer.directory}/ruled.json"
        for path, command in [(hook, "make deploy"), (ruled, "make test")]:
            with open(path, "w") as file:
                json.dump({"session_id": "s", "cwd": "/", "hook_event_name": "PermissionRequest", "permission_mode": "default",
                           "tool_name": "Bash", "tool_input": {"command": command}}, file)
        program = f"{where[0]}/routerctl"
        with open(ruled) as event:
            decision = subprocess.run([program, "agent", "hook"], env=environment, stdin=event, capture_output=True, text=True)
        if '"allow"' not in decision.stdout:
            sys.exit(f"cannot measure: no rule decides: {decision.stdout}{decision.stderr}")
        # This process is the agent, and no descendant of the asking agent may answer.
        detach(answer_all, peer.socket)
        time.sleep(0.2)
        for number in range(rounds):
            times = {name: [] for name in rows}
            for _ in range(21):
                times["routerctl confirm"].append(life([program, "confirm", "Deploy?", "--socket", peer.socket], environment))
                times["routerctl askpass"].append(life([program, "askpass", "Passphrase:"], environment))
                times["routerctl agent hook"].append(life([program, "agent", "hook"], environment, input=hook))
                times["routerctl agent hook, by a rule"].append(life([program, "agent", "hook"], environment, input=ruled))
                times["routerctl --version"].append(life([program, "--version"], environment))
                times["whiptail --yesno"].append(life(["whiptail", "--yesno", "Deploy?", "10", "40"], environment, b"\r"))
                times["systemd-ask-password"].append(
                    life(["systemd-ask-password", "--timeout=5", "Deploy?"], environment, b"yes\n"))
                times["sh that asks on its terminal"].append(
                    life(["sh", "-c", "printf Deploy?; read answer"], environment, b"yes\n"))
                times["ssh-askpass, until its window is mapped"].append(
                    display.until_mapped(["ssh-askpass", "Deploy?"], environment))
                times["zenity --question, until its window is mapped"].append(
                    display.until_mapped(["zenity", "--question", "--text=Deploy?"], environment))
            for name in rows:
                rows[name].append(statistics.median(times[name]))
            print(f"confirm: round {number + 1} of {rounds}", file=sys.stderr)
    size = os.path.getsize(program) / 1e6
    kind = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    linked = "statically" if "libswiftCore" not in kind else "dynamically"
    print(f"\n### a process that asks, from its start to its exit\n\nrouterctl: {size:.1f} MB, Swift's library {linked} linked.\n")
    print("| | median ms |\n| --- | ---: |")
    for name, values in rows.items():
        print(f"| {name} | {statistics.median(values) * 1e3:.2f} |", flush=True)


JOBS = {"confirm": confirm}

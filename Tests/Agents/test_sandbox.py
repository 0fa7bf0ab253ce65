# Promise P41.
"""`routerctl agent run`: what an agent in the sandbox can do, and `routerctl doctor --attack`, which tries it."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from unittest import mock

import agents
from agents import ROUTERCTL, Presenter, button

PAYLOADS = pathlib.Path(__file__).parent.parent / "routerctlTests" / "Payloads"
EVENT = json.dumps(json.loads((PAYLOADS / "claude" / "PreToolUse.json").read_text())["payload"])


def can_sandbox():
    return shutil.which("bwrap") and subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]).returncode == 0


class Daemon(agents.Daemon):
    """routerd with the default paths of a user whose home directory is temporary."""

    def __init__(self):
        self.bin, self.variables = agents.BIN, {}
        self.directory = tempfile.mkdtemp(prefix="router-home-")
        self.home = pathlib.Path(self.directory, "home")
        self.project = self.home / "project"
        self.runtime = pathlib.Path(self.directory, "run")
        for path in (self.project / ".git" / "hooks", self.home / ".config" / "routerd", self.runtime / "routerd"):
            path.mkdir(parents=True)
        self.runtime.chmod(0o700)
        self.socket = str(self.runtime / "routerd" / "routerd.sock")
        self.database = str(self.home / ".local" / "state" / "routerd" / "routerd.db")
        self.port = 0
        self.environment = {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "PATH": f"{agents.BIN}:/usr/bin:/bin",
            "ROUTERD_ASK_SOCKET": str(self.runtime / "routerd" / "ask" / "routerd.sock")}
        (self.project / ".git" / "config").write_text("[core]\n")
        (self.home / ".config" / "routerd" / "routerd.yaml").write_text("graceSeconds: 0\n")
        (self.home / ".config" / "routerd" / "rules.yaml").write_text("version: 1\nrules: []\n")
        self.start()

    def start(self):
        with mock.patch.dict(os.environ, self.environment):
            super().start()


@unittest.skipUnless(can_sandbox(), "needs bwrap, and a kernel that lets it make namespaces")
class SandboxTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)
        self.routerctl("agent", "install", "claude")

    def routerctl(self, *arguments, status=0, **variables):
        done = subprocess.run(
            [ROUTERCTL, *arguments], cwd=self.daemon.project, env={**self.daemon.environment, **variables}, capture_output=True,
            text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def sandbox(self, script, *arguments, **options):
        """Starts a shell in the sandbox, in the agent's place."""
        process = subprocess.Popen(
            [ROUTERCTL, "agent", "run", "--agent", "claude", "--", "sh", "-c", script, "agent", *map(str, arguments)],
            cwd=self.daemon.project, env=self.daemon.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def inside(self, script, *arguments, status=0, input=None):
        process = self.sandbox(script, *arguments, stdin=subprocess.PIPE)
        output, _ = process.communicate(input, timeout=60)
        self.assertEqual(process.returncode, status, output)
        return output

    def presenter(self, decide=lambda _: None):
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def test_the_agent_asks_and_gets_the_persons_answer(self):
        presenter = self.presenter(lambda _: button("allow"))
        output = json.loads(self.inside("routerctl agent hook", input=EVENT))
        self.assertEqual(output["hookSpecificOutput"]["permissionDecision"], "allow")
        shown = presenter.wait_for(1)
        self.assertIn("agent", shown["request"])
        self.assertEqual(shown["request"]["app"], "claude-code")

    def test_asks_a_daemon_that_was_restarted(self):
        agent = self.sandbox('echo ready; read line; echo "$1" | routerctl agent hook', EVENT, stdin=subprocess.PIPE)
        self.assertEqual(agent.stdout.readline(), "ready\n")
        self.daemon.stop()
        self.daemon.start()
        self.presenter(lambda _: button("allow"))
        self.assertIn('"allow"', agent.communicate("go\n", timeout=60)[0])

    def test_no_process_answers_shows_or_reads_any_prompt(self):
        presenter = self.presenter()
        event = self.daemon.project / "event.json"
        event.write_text(EVENT)
        other = self.daemon.alert("Use the key?", app="ssh-agent")
        own = self.sandbox(f"routerctl agent hook < {event}")
        presenter.wait_for(1)
        while len(ids := [prompt["id"] for prompt in self.daemon.call("GET", "/v1/presentations")["presentations"]]) < 2:
            time.sleep(0.05)
        attempts = [
            f"{verb} {id}" for id in ids for verb in (
                "answer --button allow", "answer --button deploy", "dismiss", "snooze --for 60s", "raise", "cancel", "pause --for 60s")
        ] + ["list", "log", f"log {other}", "grants", "rules", "web", "surfaces", "top --once", "present --exec true"]
        script = 'routerctl $1 </dev/null 2>&1; echo "status $?"'
        for attempt in attempts:
            with self.subTest(attempt):
                output = self.inside(script, attempt)
                self.assertNotIn("status 0", output)
        # A process that has left the agent's descendants.
        detached = '(while kill -0 $$ 2>/dev/null; do sleep 0.02; done; setsid routerctl answer "$1" --button deploy 2>&1; echo "status $?") &'
        for id in ids:
            self.assertIn("status 77", self.inside(f"sh -c '{detached}' sh $1 | cat", id))
        self.assertEqual([self.daemon.state(id) != "resolved" for id in ids], [True, True])
        self.assertIsNone(own.poll())

    def test_a_hook_that_is_killed_allows_nothing(self):
        presenter = self.presenter()
        script = 'echo "$1" | routerctl agent hook & read line; pkill -KILL routerctl; wait; echo "end"'
        agent = self.sandbox(script, EVENT, stdin=subprocess.PIPE)
        shown = presenter.wait_for(1)
        output, _ = agent.communicate("go\n", timeout=60)
        self.assertNotIn("allow", output)
        self.assertIn("end", output)
        self.assertEqual(self.daemon.outcome(shown["id"])["type"], "cancelled")

    def test_changes_nothing_that_starts_the_hook_or_that_git_runs(self):
        settings = self.daemon.home / ".claude" / "settings.json"
        before = settings.read_bytes()
        for path in (settings, self.daemon.project / ".claude" / "settings.local.json", self.daemon.project / ".git" / "config",
                     self.daemon.project / ".git" / "hooks" / "pre-commit"):
            for attempt in ('echo {} > "$1"', 'rm -rf "$1" && [ ! -e "$1" ]', 'echo {} > x; mv x "$1"', 'ln -sf x "$1"', 'umount "$1"',
                            'mv "$(dirname "$1")" elsewhere', 'mount -o remount,rw,bind "$1"', 'unshare -Ur mount -o remount,rw,bind "$1"',
                            'unshare -Ur umount "$1"'):
                with self.subTest(f"{path.name}: {attempt}"):
                    output = self.inside(f'({attempt}) 2>/dev/null && echo "changed $1"; true', path)
                    if path.exists() or attempt[0] != "r":
                        self.assertNotIn("changed", output)
        self.assertEqual(settings.read_bytes(), before)
        self.assertEqual((self.daemon.project / ".git" / "config").read_text(), "[core]\n")
        self.assertEqual(os.listdir(self.daemon.project / ".git" / "hooks"), [])
        self.assertEqual(os.listdir(self.daemon.project / ".claude"), [])
        # What an agent must change.
        self.inside('echo 1 > ~/.claude/history.jsonl; echo 2 > cart.py')
        self.assertEqual((self.daemon.home / ".claude" / "history.jsonl").read_text(), "1\n")
        self.assertEqual((self.daemon.project / "cart.py").read_text(), "2\n")

    def test_has_no_file_of_router_and_no_process_outside(self):
        output = self.inside(
            'for file in "$@"; do [ -e "$file" ] && echo "there: $file"; [ -e "/proc/1/root$file" ] && echo "there: $file"; done; ls -A ~ '
            "$XDG_RUNTIME_DIR $XDG_RUNTIME_DIR/routerd /tmp; cat /proc/[0-9]*/comm",
            self.daemon.database, self.daemon.database + ".web-key", self.daemon.home / ".config", self.daemon.socket + ".lock")
        self.assertNotIn("there", output)
        self.assertNotIn("routerd\npython", output)
        self.assertEqual(output.count("routerd.sock"), 1, output)
        self.assertEqual(self.inside('kill -0 "$1" 2>/dev/null && echo "there"; true', self.daemon.process.pid), "")

    def test_reaches_no_socket_outside(self):
        path = str(self.daemon.runtime / "bus")
        connect = (
            "import socket, sys\nfor name in sys.argv[1:]:\n  try:\n"
            "    socket.socket(socket.AF_UNIX).connect(name.replace('@', '\\0'))\n    print('connected', name)\n"
            "  except OSError as error: print(error.errno)")
        name = f"@router-{os.getpid()}"
        with socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as bus:
            for listener, address in ((abstract, name.replace("@", "\0")), (bus, path)):
                listener.bind(address)
                listener.listen()
            both = subprocess.run(["/usr/bin/python3", "-c", connect, name, path], capture_output=True, text=True, check=True).stdout
            self.assertEqual(both.count("connected"), 2)
            output = self.inside('/usr/bin/python3 -c "$@"', connect, name, path)
        self.assertEqual(output, "1\n2\n")

    def test_passes_input_output_and_the_exit_status(self):
        self.assertEqual(self.inside('cat; exit 7', status=7, input="a\nb\n"), "a\nb\n")
        self.assertEqual(self.inside("kill -TERM $$", status=143), "")
        self.routerctl("agent", "run", "--", "false", status=1)

    def test_has_the_terminal(self):
        main, terminal = pty.openpty()
        self.addCleanup(os.close, main)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 111, 0, 0))
        script = """
import fcntl, os, signal, sys, termios
def tell(*words): os.write(1, (" ".join(map(str, words)) + "\\n").encode())
def size(*_): tell(*os.get_terminal_size())
signal.signal(signal.SIGINT, lambda *_: tell("interrupted"))
signal.signal(signal.SIGWINCH, size)
size()
try:
    fcntl.ioctl(0, termios.TIOCSTI, b"x")
except OSError as error:
    tell(error)
tell("ready")
tell("read", os.read(0, 100).decode().strip())
sys.exit(5)"""
        process = subprocess.Popen(
            [ROUTERCTL, "agent", "run", "--", "python3", "-c", script], cwd=self.daemon.project, env=self.daemon.environment, stdin=terminal,
            stdout=terminal, stderr=terminal, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.addCleanup(process.kill)
        os.close(terminal)
        told = ""

        def expect(text):
            nonlocal told
            deadline = time.monotonic() + 30
            while text not in told:
                self.assertTrue(select.select([main], [], [], max(0, deadline - time.monotonic()))[0], f"no {text!r} in {told!r}")
                told += os.read(main, 4096).decode()
            told = told.partition(text)[2]

        expect("111 33\r\n")
        expect("[Errno 1]")
        expect("ready\r\n")
        os.write(main, b"\x03")
        expect("interrupted")
        fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", 44, 99, 0, 0))
        expect("99 44\r\n")
        os.write(main, b"hello\n")
        expect("read hello")
        self.assertEqual(process.wait(timeout=30), 5)

    def test_refuses_what_would_open_the_sandbox(self):
        def run(*arguments, **options):
            return self.routerctl("agent", "run", *arguments, **options)

        home = str(self.daemon.home)
        self.assertIn("smaller directories", run("--write", home, "--", "true", status=64))
        self.assertIn("smaller directories", run("--read", str(self.daemon.home / ".config"), "--", "true", status=64))
        (self.daemon.project / "link").symlink_to(home)
        self.assertIn("smaller directories", run("--write", "link", "--", "true", status=64))
        self.assertIn("no socket for asking", run("--", "true", status=69, ROUTERD_ASK_SOCKET="/none"))
        self.assertIn("there is no such program", run("--", "no-such-agent", status=64))
        self.assertIn("bubblewrap", run("--", "/usr/bin/true", status=70, PATH=str(agents.BIN)))
        self.routerctl("agent", "uninstall", "claude")
        self.assertIn("agent install claude", run("--agent", "claude", "--", "true", status=64))


@unittest.skipUnless(can_sandbox(), "needs bwrap, and a kernel that lets it make namespaces")
class AttackTests(unittest.TestCase):
    """Each attack succeeds on the default set-up, and none does in the sandbox."""

    def test_each_attack_succeeds_by_default_and_none_in_the_sandbox(self):
        daemon = Daemon()
        self.addCleanup(daemon.remove)
        subprocess.run([ROUTERCTL, "agent", "install", "claude"], env=daemon.environment, cwd=daemon.project, check=True, capture_output=True)
        listeners = []
        for address in (str(daemon.runtime / "bus"), str(daemon.runtime / "openssh_agent"), f"\0router-attack-{os.getpid()}"):
            listeners.append(socket.socket(socket.AF_UNIX))
            self.addCleanup(listeners[-1].close)
            listeners[-1].bind(address)
            listeners[-1].listen()
        attack = [ROUTERCTL, "doctor", "--attack"]
        status, open_ = self.attack(daemon, attack)
        self.assertEqual(status, 8, open_)
        # The agent rule holds in every set-up.
        self.assertEqual([line for line in open_ if line.startswith("ok")], [line for line in open_ if "answer its own prompt:" in line])
        self.assertEqual(len(open_), 21)
        status, closed = self.attack(daemon, [ROUTERCTL, "agent", "run", "--agent", "claude", "--", *attack])
        self.assertEqual((status, [line for line in closed if not line.startswith("ok")]), (0, []))
        self.assertEqual(len(closed), 21)
        # What the sandbox hides is not tried there.
        self.assertEqual([line for line in closed if "did not try" in line and "settings or rules" not in line], [])
        # Nothing is left, and nobody was asked.
        self.assertEqual(daemon.call("GET", "/v1/presentations")["presentations"], [])
        surfaces = {prompt["request"]["surface"] for prompt in daemon.call("GET", "/v1/log")["presentations"]}
        self.assertTrue(surfaces and all(name.startswith("doctor-attack-") for name in surfaces), surfaces)

    def attack(self, daemon, command):
        """Runs a command in a terminal, and returns its exit status and a line for each attack."""
        output = pathlib.Path(daemon.directory, "output")
        with open(output, "w") as file:
            process, terminal = pty.fork()
            if process == 0:
                os.chdir(daemon.project)
                os.dup2(file.fileno(), 1)
                os.execve(command[0], command, daemon.environment)
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            os.close(terminal)
        return status, re.findall(r"(?m)^(?:ok|problem) .*$", output.read_text())

    @unittest.skipUnless(os.geteuid() == 0, "only root can start programs of other users")
    def test_finds_less_open_with_a_daemon_of_another_user(self):
        daemon = Daemon()
        self.addCleanup(daemon.remove)
        os.chmod(daemon.directory, 0o755)
        with mock.patch.dict(os.environ, ROUTERD_SOCKET_MODE="0666", ROUTERD_ACCESS_REQUEST="self,60030", ROUTERD_FORBID_SELF_ANSWER="user"):
            daemon.stop()
            for path in (daemon.runtime, daemon.runtime / "routerd", daemon.runtime / "routerd" / "ask"):
                path.chmod(0o755)
            daemon.start()
        user = ["setpriv", "--reuid", "60030", "--regid", "60030", "--clear-groups"]
        done = subprocess.run(
            [*user, ROUTERCTL, "doctor", "--attack", "--socket", daemon.socket], env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"},
            capture_output=True, text=True, timeout=60)
        self.assertIn("problem  can list open prompts", done.stdout, done.stderr)
        self.assertEqual((done.stdout.count("problem"), done.returncode), (2, 8), done.stdout)


if __name__ == "__main__":
    unittest.main()

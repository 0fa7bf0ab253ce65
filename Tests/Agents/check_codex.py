# Promise P42.
"""Codex's own binary against a stub of the Responses API on loopback, with Router asking through the hook.

Run by scripts/agents-check: the binary is large. `codex exec` never asks, so this drives its app server.
"""

import contextlib
import http.server
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import payloads
from agents import ROUTERCTL, Daemon, Presenter, button, environment

CODEX = os.environ["CODEX"]
COMMAND = "touch made"


class Model(http.server.ThreadingHTTPServer):
    """Plays one turn: a shell command, then a closing message after its result."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.command = COMMAND
        self.results = []
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply(b'{"models":[],"data":[]}', "application/json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.server.requests.append(body)
        results = [item for item in body.get("input", []) if item.get("type", "").endswith("call_output")]
        self.server.results = results
        names = [tool.get("name") for tool in body.get("tools", [])]
        if results or not names:
            item = {"type": "message", "role": "assistant", "id": "m1", "content": [{"type": "output_text", "text": "done"}]}
        elif "exec_command" in names:
            item = self.call("exec_command", {
                "cmd": self.server.command, "sandbox_permissions": "require_escalated", "justification": "Makes a file"})
        elif "shell_command" in names:
            item = self.call("shell_command", {
                "command": self.server.command, "sandbox_permissions": "require_escalated", "justification": "Makes a file"})
        else:
            item = self.call("shell", {"command": ["bash", "-lc", self.server.command]})
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
                 "total_tokens": 2}
        events = [
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
        ]
        self.reply("".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode(),
                   "text/event-stream")

    def call(self, name, arguments):
        return {"type": "function_call", "id": "f1", "call_id": "c1", "name": name, "arguments": json.dumps(arguments)}

    def reply(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class CodexTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)
        self.model = Model()
        self.addCleanup(self.model.server_close)
        self.addCleanup(self.model.shutdown)
        self.home = os.path.realpath(tempfile.mkdtemp(prefix="router-codex-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.project = os.path.join(self.home, "project")
        os.mkdir(self.project)
        self.file = pathlib.Path(self.project, "made")
        self.codex_home = pathlib.Path(self.home, ".codex")
        self.codex_home.mkdir()
        self.config = self.codex_home / "config.toml"
        self.config.write_text(f"""# A remark that must stay.
model = "stub"
model_provider = "stub"

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:{self.model.server_port}/v1"
wire_api = "responses"
""")
        bin = pathlib.Path(self.home, "bin")
        bin.mkdir()
        (bin / "codex").symlink_to(CODEX)
        self.environment = environment(
            self.daemon, HOME=self.home, XDG_RUNTIME_DIR=self.home, CODEX_HOME=str(self.codex_home), PATH=f"{bin}:{os.environ['PATH']}")
        self.asked = []

    def routerctl(self, *arguments, check=True):
        return subprocess.run(
            [ROUTERCTL, "agent", *arguments], cwd=self.project, env=self.environment, check=check, capture_output=True,
            text=True, timeout=60)

    @contextlib.contextmanager
    def app_server(self):
        """Yields a function that calls a method, and one that reads messages until one fits.

        Declines what Codex asks its own client, and keeps it in `asked`.
        """
        process = subprocess.Popen(
            [CODEX, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=self.environment, cwd=self.project)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        timer = threading.Timer(60, process.kill)
        timer.start()
        self.addCleanup(timer.cancel)
        identifiers = itertools.count(1)

        def send(message):
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()

        def until(condition):
            for line in process.stdout:
                message = json.loads(line)
                if "id" in message and "method" in message:
                    self.asked.append(message["method"])
                    send({"id": message["id"], "result": {"decision": "decline"}})
                if "error" in message:
                    raise AssertionError(message)
                if condition(message):
                    return message
            raise AssertionError(f"codex has ended: {self.model.requests[-1:]}")

        def call(method, parameters):
            identifier = next(identifiers)
            send({"id": identifier, "method": method, "params": parameters})
            return until(lambda message: message.get("id") == identifier and "result" in message)["result"]

        call("initialize", {"clientInfo": {"name": "check", "title": "check", "version": "1"}})
        send({"method": "initialized"})
        yield call, until
        process.stdin.close()

    def turn(self):
        with self.app_server() as (call, until):
            thread = call("thread/start", {
                "cwd": self.project, "approvalPolicy": "on-request", "sandbox": "read-only"})["thread"]["id"]
            call("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "go"}]})
            until(lambda message: message.get("method") == "turn/completed")

    def test_sends_the_events_that_the_hook_is_tested_with(self):
        self.present(lambda _: button("allow"))
        recorded = pathlib.Path(self.home, "events")
        for options in ([], ["--always", "Bash"]):
            self.routerctl("install", "codex", *options)
            payloads.recording(self.codex_home / "hooks.json", recorded)
            with self.app_server() as (call, _):
                hooks = call("hooks/list", {"cwds": [self.project]})["data"][0]["hooks"]
                trusted = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
                call("config/batchWrite", {"edits": [{"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}]})
            self.turn()
            self.file.unlink()
        version = subprocess.run([CODEX, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        names = payloads.check(self, "codex", version, payloads.events(recorded), {
            self.project: "/home/ada/shop", self.home: "/home/ada"})
        self.assertLessEqual({"PermissionRequest", "PreToolUse", "PostToolUse", "Stop"}, names)

    def present(self, decide):
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def test_the_hook_allows(self):
        presenter = self.present(lambda _: button("allow"))
        self.assertIn("Codex trusts the hook", self.routerctl("install", "codex").stdout)
        self.assertIn("# A remark that must stay.", self.config.read_text())
        self.turn()
        self.assertEqual(self.asked, [])
        self.assertTrue(self.file.exists(), self.model.results)
        shown = presenter.shown[0]["request"]
        self.assertEqual(shown["app"], "codex")
        self.assertIn(COMMAND, shown["attachments"][0]["text"])

    def test_the_hook_denies(self):
        self.present(lambda _: button("deny"))
        self.routerctl("install", "codex")
        self.turn()
        self.assertEqual(self.asked, [])
        self.assertFalse(self.file.exists())
        self.assertIn("The user denied this tool call.", json.dumps(self.model.results))

    def test_asks_for_the_passwords_of_its_commands(self):
        answers = iter([button("allow"), {"value": {"answer": "secret"}}, {"value": {"answer": "", "reason": "use pip instead"}}])
        presenter = self.present(lambda _: next(answers))
        self.assertIn("BASH_ENV", self.routerctl("install", "codex").stdout)
        self.model.command = "command -v sudo; $SUDO_ASKPASS 'Password: '; $SUDO_ASKPASS 'Again: '"
        self.turn()
        result = json.dumps(self.model.results)
        self.assertIn(f"{self.home}/.local/lib/router/agent/sudo\\nsecret", result)
        self.assertIn("the user denied this: use pip instead", result)
        sessions = [shown["request"]["metadata"]["agent.session"] for shown in presenter.shown]
        self.assertEqual(sessions, [sessions[0]] * 3)
        self.routerctl("uninstall", "codex")
        self.assertNotIn("BASH_ENV", self.config.read_text())

    def test_always_asks_before_codex_does(self):
        presenter = self.present(lambda _: button("deny"))
        self.routerctl("install", "codex", "--always", "Bash")
        self.turn()
        self.assertEqual((len(presenter.shown), self.file.exists()), (1, False))
        self.assertIn("The user denied this tool call.", json.dumps(self.model.results))

    def test_always_denies_without_a_daemon(self):
        self.routerctl("install", "codex", "--always", "Bash")
        self.daemon.stop()
        self.turn()
        self.assertEqual((self.asked, self.file.exists()), ([], False))
        self.assertIn("The user did not refuse.", json.dumps(self.model.results))

    def test_leaves_the_question_to_codex_without_a_daemon(self):
        self.routerctl("install", "codex")
        self.daemon.stop()
        self.turn()
        self.assertEqual(len(self.asked), 1)
        self.assertFalse(self.file.exists())

    def test_doctor_reports_lost_trust(self):
        self.present(lambda _: None)
        self.routerctl("install", "codex")
        fine = self.routerctl("doctor", "codex", check=False)
        self.assertEqual((fine.returncode, "Codex trusts the hook" in fine.stdout), (0, True), fine.stdout)
        hooks = self.codex_home / "hooks.json"
        text = hooks.read_text()
        changed = re.sub(r'("timeout": *)(\d+)', lambda found: f"{found[1]}{int(found[2]) - 1}", text, count=1)
        self.assertNotEqual(text, changed)
        hooks.write_text(changed)
        lost = self.routerctl("doctor", "codex", check=False)
        self.assertEqual(lost.returncode, 8)
        self.assertIn("Codex ignores the hook for 1 event,", lost.stdout)

    def test_installs_idempotently_and_uninstalls(self):
        before = self.config.read_text()
        self.routerctl("install", "codex")
        once = (self.codex_home / "hooks.json").read_text()
        self.assertIn("no changes", self.routerctl("install", "codex").stdout)
        self.assertEqual((self.codex_home / "hooks.json").read_text(), once)
        self.routerctl("uninstall", "codex")
        self.assertFalse((self.codex_home / "hooks.json").exists())
        self.assertTrue(self.config.read_text().startswith(before))


if __name__ == "__main__":
    unittest.main()

# Promise P42.
"""Claude Code's own binary against a stub of the Messages API on loopback, with Router asking.

Run by scripts/agents-check: the binary is large, and its terms are its vendor's.
"""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import payloads
from agents import ROUTERCTL, Daemon, Presenter, button, environment

CLAUDE = os.environ["CLAUDE"]

# An MCP server whose tool asks the person for values, and returns the answer.
SHOP = """
import json, sys

schema = {
    "type": "object", "required": ["name"],
    "properties": {"name": {"type": "string", "title": "Name", "minLength": 1},
                   "size": {"type": "integer", "minimum": 1, "maximum": 8, "default": 2}}}
def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    match message.get("method"):
        case "initialize":
            send(id=message["id"], result={
                "protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "shop", "version": "1"}})
        case "tools/list":
            send(id=message["id"], result={"tools": [{"name": "reserve", "inputSchema": {"type": "object"}}]})
        case "tools/call":
            call = message["id"]
            send(id="asked", method="elicitation/create", params={"message": "Which table?", "requestedSchema": schema})
        case None if message["id"] == "asked":
            send(id=call, result={"content": [{"type": "text", "text": json.dumps(message.get("result"))}]})
        case _ if "id" in message:
            send(id=message["id"], result={})
"""


class Model(http.server.ThreadingHTTPServer):
    """Plays one turn: the given tool calls one by one, then a closing message after the last result."""

    def __init__(self, tool, *tool_inputs):
        super().__init__(("127.0.0.1", 0), Handler)
        self.tool, self.tool_inputs = tool, tool_inputs
        self.results = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply(b"{}", "application/json")

    do_HEAD = do_GET

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            return self.reply(b'{"input_tokens":1}', "application/json")
        # Claude Code may add another message after the last result.
        self.server.results = [block for message in body["messages"] for block in message["content"]
                               if isinstance(block, dict) and block.get("type") == "tool_result"] or self.server.results
        number = len(self.server.results)
        if number >= len(self.server.tool_inputs) or not body.get("tools"):
            block, reason = {"type": "text", "text": "done"}, "end_turn"
        else:
            block, reason = {"type": "tool_use", "id": f"toolu_{number + 1}", "name": self.server.tool, "input": {}}, "tool_use"
        delta = ({"type": "text_delta", "text": "done"} if reason == "end_turn" else
                 {"type": "input_json_delta", "partial_json": json.dumps(self.server.tool_inputs[number])})
        if reason == "end_turn":
            block = {"type": "text", "text": ""}
        usage = {"input_tokens": 1, "output_tokens": 1}
        events = [
            {"type": "message_start", "message": {
                "id": f"msg_{number + 1}", "type": "message", "role": "assistant", "model": body.get("model", "stub"), "content": [],
                "stop_reason": None, "stop_sequence": None, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ]
        self.reply("".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode(),
                   "text/event-stream")

    def reply(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class ClaudeTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)
        self.home = tempfile.mkdtemp(prefix="router-claude-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.project = os.path.join(self.home, "project")
        os.mkdir(self.project)
        self.file = pathlib.Path(self.project, "made")

    def present(self, decide):
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def environment(self, model):
        return environment(
            self.daemon, HOME=self.home, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1", CLAUDE_CONFIG_DIR=self.home + "/.claude")

    def claude(self, model, *arguments):
        done = subprocess.run(
            [CLAUDE, "-p", "go", "--permission-mode", "default", "--output-format", "json", *arguments],
            cwd=self.project, env=self.environment(model), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120)
        return done, json.loads(done.stdout) if done.stdout.strip() else {}

    def model(self, tool="Bash", tool_input=None, *more):
        model = Model(tool, tool_input or {"command": "touch made", "description": "Makes a file"}, *more)
        self.addCleanup(model.server_close)
        self.addCleanup(model.shutdown)
        return model

    def permission_tool(self):
        servers = {"mcpServers": {"router": {"command": ROUTERCTL, "args": ["mcp"]}}}
        return ["--mcp-config", json.dumps(servers), "--strict-mcp-config",
                "--permission-prompt-tool", "mcp__router__approve"]

    def install(self, *arguments):
        subprocess.run(
            [ROUTERCTL, "agent", "install", "claude", "--project", *arguments], cwd=self.project, check=True,
            env=dict(os.environ, HOME=self.home), capture_output=True)

    def test_the_permission_tool_allows(self):
        presenter = self.present(lambda _: button("allow"))
        done, result = self.claude(self.model(), *self.permission_tool())
        self.assertTrue(self.file.exists(), (done.stdout, done.stderr))
        shown = presenter.shown[0]["request"]
        self.assertEqual("touch made", shown["attachments"][0]["text"])
        self.assertEqual(shown["app"], "claude-code")
        self.assertEqual(result["permission_denials"], [])

    def test_the_permission_tool_denies(self):
        self.present(lambda _: button("deny"))
        model = self.model()
        done, result = self.claude(model, *self.permission_tool())
        self.assertFalse(self.file.exists())
        self.assertEqual(len(result["permission_denials"]), 1, (done.stdout, done.stderr))
        self.assertIn("The user denied this tool call.", json.dumps(model.results))

    def test_answers_the_agents_questions(self):
        self.present(lambda _: {"value": {"q1": "Red"}})
        questions = [{"question": "Color?", "header": "Color", "multiSelect": False,
                      "options": [{"label": "Red", "description": "a"}, {"label": "Blue", "description": "b"}]}]
        model = self.model("AskUserQuestion", {"questions": questions})
        done, _ = self.claude(model, *self.permission_tool())
        self.assertIn("Red", json.dumps(model.results), (done.stdout, done.stderr))

    def test_the_hook_allows(self):
        self.install()
        presenter = self.present(lambda _: button("allow"))
        done, _ = self.claude(self.model())
        self.assertTrue(self.file.exists(), (done.stdout, done.stderr))
        self.assertEqual(presenter.shown[0]["request"]["attachments"][0]["title"], f"Command in {self.project}")

    def test_the_hook_denies(self):
        self.install()
        self.present(lambda _: button("deny"))
        model = self.model()
        self.claude(model)
        self.assertFalse(self.file.exists())
        self.assertIn("The user denied this tool call.", json.dumps(model.results))

    def check(self, events):
        """Checks that the events have the members of the stored ones, and returns their names."""
        version = subprocess.run([CLAUDE, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        replacements = {self.project: "/home/ada/shop", self.home: "/home/ada", os.path.basename(self.home): "home-ada"}
        return payloads.check(self, "claude", version, events, replacements)

    def test_asks_once_for_each_command_of_a_session(self):
        """Thirty calls in three sessions, of which twenty are repeats: ten prompts."""
        self.install()
        presenter = self.present(lambda _: {"button": "allow", "remember": {"for": "session"}})
        for distinct in (4, 3, 3):
            calls = [{"command": f"touch made{number % distinct}", "description": f"Call {number}"} for number in range(10)]
            model = self.model("Bash", *calls)
            done, _ = self.claude(model)
            self.assertEqual(len(model.results), 10, (done.stdout, done.stderr))
        shown = [shown["request"]["act"]["object"] for shown in presenter.shown]
        # A session does not profit from what the one before it was allowed.
        self.assertEqual(shown, [f"touch made{number}" for distinct in (4, 3, 3) for number in range(distinct)])
        settled = self.daemon.call("GET", "/v1/log?decidedBy=grant")["presentations"]
        self.assertEqual(len(settled), 20)

    def test_sends_the_events_that_the_hook_is_tested_with(self):
        recorded = pathlib.Path(self.home, "events")
        self.present(lambda _: button("allow"))
        for options in ([], ["--always", "Bash"]):
            self.install(*options)
            payloads.recording(pathlib.Path(self.project, ".claude", "settings.json"), recorded)
            self.claude(self.model("Bash", *({"command": command, "description": "Tries"} for command in ("touch made", "exit 3"))))
        names = self.check(payloads.events(recorded))
        self.assertEqual(
            names, {"PermissionRequest", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart", "SessionEnd"})

    def test_asks_for_the_values_of_an_mcp_server(self):
        self.install()
        recorded = pathlib.Path(self.home, "events")
        payloads.recording(pathlib.Path(self.project, ".claude", "settings.json"), recorded)
        answers = iter([{"value": {"name": "Ada", "size": 4}}, "dismiss"])
        presenter = self.present(lambda _: next(answers))
        servers = {"mcpServers": {"shop": {"command": sys.executable, "args": ["-c", SHOP]}}}
        model = self.model("mcp__shop__reserve", {}, {})
        done, _ = self.claude(
            model, "--mcp-config", json.dumps(servers), "--strict-mcp-config", "--allowedTools", "mcp__shop__reserve")
        first, second = (json.loads(result["content"][0]["text"]) for result in model.results)
        self.assertEqual(first, {"action": "accept", "content": {"name": "Ada", "size": 4}}, (done.stdout, done.stderr))
        self.assertEqual(second["action"], "decline")
        self.assertEqual(presenter.shown[0]["request"]["message"], "Which table?")
        self.check(event for event in payloads.events(recorded) if event["hook_event_name"] == "Elicitation")

    def test_asks_for_the_passwords_of_its_commands(self):
        self.install()
        answers = iter([button("allow"), {"value": {"answer": "secret"}}, {"value": {"answer": "", "reason": "use pip instead"}}])
        presenter = self.present(lambda _: next(answers))
        command = "command -v sudo; $SUDO_ASKPASS 'Password: '; $SUDO_ASKPASS 'Again: '"
        model = self.model("Bash", {"command": command, "description": "Asks"})
        self.claude(model)
        result = json.dumps(model.results)
        self.assertIn(f"{self.home}/.local/lib/router/agent/sudo\\nsecret", result)
        self.assertIn("the user denied this: use pip instead", result)
        sessions = [shown["request"]["metadata"]["agent.session"] for shown in presenter.shown]
        self.assertEqual(sessions, [sessions[0]] * 3)

    def test_shows_a_file_as_a_diff(self):
        self.install()
        presenter = self.present(lambda _: button("allow"))
        done, _ = self.claude(self.model("Write", {"file_path": str(self.file), "content": "one\ntwo\n"}))
        self.assertEqual(self.file.read_text(), "one\ntwo\n", (done.stdout, done.stderr))
        self.assertEqual("@@ -0,0 +1,2 @@\n+one\n+two", presenter.shown[0]["request"]["attachments"][0]["text"])

    def test_leaves_the_decision_to_claude_without_a_daemon(self):
        self.install()
        self.daemon.stop()
        _, result = self.claude(self.model())
        self.assertFalse(self.file.exists())
        self.assertEqual(len(result["permission_denials"]), 1)

    def test_always_asks_even_if_claude_would_not(self):
        self.install("--always", "Bash")
        self.present(lambda _: button("deny"))
        model = self.model(tool_input={"command": "ls"})
        self.claude(model, "--allowedTools", "Bash(ls:*)")
        self.assertIn("The user denied this tool call.", json.dumps(model.results))

    def test_always_does_not_leave_the_call_to_claudes_rules_without_a_daemon(self):
        self.install("--always", "Bash")
        self.daemon.stop()
        done, result = self.claude(self.model(), "--allowedTools", "Bash(touch:*)")
        self.assertFalse(self.file.exists(), (done.stdout, done.stderr))
        self.assertEqual(len(result["permission_denials"]), 1, (done.stdout, done.stderr))

    def test_resumes_a_deferred_call_when_answered(self):
        resumed = pathlib.Path(self.home, "resumed")
        resume = (f'{CLAUDE} -p --permission-mode default --output-format json --resume "$ROUTER_AGENT_SESSION"'
                  f" > {resumed}.new; mv {resumed}.new {resumed}")
        hook = {"type": "command", "command": f"{ROUTERCTL} agent hook --defer --resume-command '{resume}'"}
        settings = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
        path = pathlib.Path(self.project, ".claude", "settings.json")
        path.parent.mkdir()
        path.write_text(json.dumps(settings))
        done, result = self.claude(self.model())
        self.assertEqual(result.get("terminal_reason"), "tool_deferred", (done.stdout, done.stderr))
        self.assertFalse(self.file.exists())
        open_now = self.daemon.call("GET", "/v1/presentations")["presentations"]
        self.assertEqual(len(open_now), 1)
        self.present(lambda _: button("allow"))
        deadline = time.monotonic() + 60
        while not resumed.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertTrue(self.file.exists(), resumed.read_text() if resumed.exists() else "not resumed")

    def test_withdraws_the_prompt_when_answered_in_the_terminal(self):
        """Claude Code shows its dialog and runs the hook at the same time, and does not report the answer to the hook."""
        for key, runs in (("Enter", True), ("4", False), ("Escape", False)):
            with self.subTest(key):
                self.file.unlink(missing_ok=True)
                presenter = self.present(lambda _: None)
                self.terminal(self.model(), presenter, key)
                self.assertEqual(self.file.exists(), runs)
                presenter.close()

    def terminal(self, model, presenter, key):
        self.install()
        accepted = {self.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}
        settings = pathlib.Path(self.home, ".claude", ".claude.json")
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps({
            "hasCompletedOnboarding": True, "theme": "dark", "projects": accepted,
            "customApiKeyResponses": {"approved": ["none"], "rejected": []}}))
        socket = os.path.join(self.home, "tmux")

        def tmux(*arguments):
            return subprocess.run(["tmux", "-S", socket, *arguments], capture_output=True, text=True, check=True).stdout

        def wait(condition, what):
            deadline = time.monotonic() + 60
            while not condition():
                self.assertLess(time.monotonic(), deadline, f"{what}\n{tmux('capture-pane', '-p')}")
                time.sleep(0.05)

        words = [f"{name}={value}" for name, value in self.environment(model).items() if name not in ("TMUX", "PATH")]
        tmux("new-session", "-d", "-x", "120", "-y", "40", "-c", self.project, "env", *words,
             CLAUDE, "--permission-mode", "default", "go")
        try:
            wait(lambda: presenter.shown and "Do you want to proceed?" in tmux("capture-pane", "-p"), "no dialog")
            tmux("send-keys", key)
            wait(lambda: not self.daemon.call("GET", "/v1/presentations")["presentations"], "the prompt stays")
            ended = "done" if key == "Enter" else "Interrupted"
            wait(lambda: ended in tmux("capture-pane", "-p"), "the turn does not end")
        finally:
            tmux("kill-server")


if __name__ == "__main__":
    unittest.main()

# Promise P42.
"""`routerctl agent acp` between a client and an agent of the Python package agent-client-protocol, and byte for byte."""

import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import acp

from agents import ROUTERCTL, Daemon, Presenter, button, environment

AGENT = pathlib.Path(__file__).parent / "acp_agent.py"
COMMAND = {"title": "`npm test`", "kind": "execute", "rawInput": {"command": "npm test", "description": "Runs the tests"}}


class Client(acp.Client):
    """An editor, which chooses the first option of what it is asked."""

    def __init__(self):
        self.asked = []

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append(tool_call)
        return {"outcome": {"outcome": "selected", "optionId": options[0].option_id}}

    async def session_update(self, **_):
        pass


class ACPTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)
        self.client = Client()

    def present(self, decide):
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def prompt(self, call, options="once", cancel=None, socket=None):
        """Plays a turn in which the agent asks, and returns the outcome that it got."""
        return asyncio.run(self.turn(call, options, cancel, socket))

    async def turn(self, call, options, cancel, socket):
        errors = tempfile.TemporaryFile()
        self.addCleanup(errors.close)
        variables = {**environment(self.daemon), **({"ROUTERD_SOCKET": socket} if socket else {})}
        async with acp.spawn_agent_process(
            lambda _: self.client, ROUTERCTL, "agent", "acp", "--", sys.executable, str(AGENT), env=variables,
            transport_kwargs={"stderr": errors},
        ) as (connection, _):
            await connection.initialize(protocol_version=acp.PROTOCOL_VERSION)
            session = await connection.new_session(cwd="/srv/shop", mcp_servers=[])
            wish = json.dumps({"call": call, "options": options})
            turn = asyncio.ensure_future(connection.prompt(session_id=session.session_id, prompt=[acp.text_block(wish)]))
            if cancel:
                await asyncio.to_thread(cancel)
                await connection.cancel(session_id=session.session_id)
            await asyncio.wait_for(turn, 30)
        errors.seek(0)
        lines = [line for line in errors.read().decode().splitlines() if line.startswith("outcome ")]
        return json.loads(lines[-1].removeprefix("outcome "))

    def test_chooses_the_option_that_allows_or_refuses_once(self):
        answers = iter(["allow", "deny", "allow"])
        presenter = self.present(lambda _: button(next(answers)))
        self.assertEqual(self.prompt(COMMAND)["optionId"], "yes")
        self.assertEqual(self.prompt(COMMAND)["optionId"], "no")
        shown = presenter.shown[0]["request"]
        self.assertEqual((shown["title"], shown["app"]), ("Run npm test?", pathlib.Path(sys.executable).name))
        self.assertEqual(shown["act"]["directory"], "/srv/shop")
        edit = {"title": "Edit", "kind": "edit", "content": [
            {"type": "diff", "path": "/srv/shop/a.txt", "oldText": None, "newText": "one\n"}]}
        self.assertEqual(self.prompt(edit)["optionId"], "yes")
        self.assertEqual(presenter.shown[2]["request"]["attachments"][0]["text"], "@@ -0,0 +1,1 @@\n+one")
        self.assertEqual(self.client.asked, [])

    def test_leaves_other_questions_and_questions_without_a_daemon_to_the_editor(self):
        presenter = self.present(lambda _: button("deny"))
        self.assertEqual(self.prompt(COMMAND, options="modes")["optionId"], "fast")
        self.assertEqual(self.prompt(COMMAND, socket="/nonexistent/s")["optionId"], "yes")
        self.assertEqual((len(self.client.asked), presenter.shown), (2, []))

    def test_answers_with_cancelled_and_withdraws_the_prompt(self):
        presenter = self.present(lambda _: None)
        self.assertEqual(self.prompt(COMMAND, cancel=lambda: presenter.wait_for(1))["outcome"], "cancelled")
        self.assertEqual(self.daemon.call("GET", "/v1/presentations")["presentations"], [])

    def test_reads_names_with_escapes(self):
        def escaped(message, name):
            slashes = json.dumps(message).replace(name, name.replace("/", "\\/"))
            letters = json.dumps(message).replace(name, "".join(f"\\u{ord(letter):04x}" for letter in name))
            return slashes, letters

        request = {"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {
            "sessionId": "s", "toolCall": {"toolCallId": "c", **COMMAND},
            "options": [{"optionId": "y", "name": "Y", "kind": "allow_once"}]}}
        ended = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 0}}
        cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}
        asking, ending, canceling = (escaped(message, message["method"]) for message in (request, ended, cancel))

        decisions = iter([button("allow"), None, None] * 2)
        presenter = self.present(lambda _: next(decisions))
        script = """printf '%s\\n' "$1"
            while read -r line; do printf '%s\\n' "$line" >&2; [ "$line" != go ] || printf '%s\\n' "$2"; done"""

        def play(lines, text, replies):
            """Sends the client's text once the prompt is shown, and returns the lines that the agent receives."""
            shown = len(presenter.shown)
            with subprocess.Popen(
                [ROUTERCTL, "agent", "acp", "--", "/bin/sh", "-c", script, "sh", *lines], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(self.daemon)) as agent:
                presenter.wait_for(shown + 1)
                agent.stdin.write(text)
                agent.stdin.flush()
                received = [agent.stderr.readline().rstrip("\n") for _ in range(replies)]
                agent.stdin.close()
                self.assertEqual(agent.stdout.read(), "")
            return received

        for request, ended, cancel in zip(asking, ending, canceling):
            with self.subTest(request=request):
                [answer] = play([request], "", 1)
                self.assertEqual(json.loads(answer)["result"]["outcome"], {"outcome": "selected", "optionId": "y"})
                answer, passed = play([request], cancel + "\n", 2)
                self.assertEqual((json.loads(answer)["result"]["outcome"], passed), ({"outcome": "cancelled"}, cancel))
                _, answer = play([request, ended], "go\n", 2)
                self.assertEqual(json.loads(answer)["result"]["outcome"], {"outcome": "cancelled"})

    def run_agent(self, script, text, **options):
        return subprocess.run(
            [ROUTERCTL, "agent", "acp", "--", "/bin/sh", "-c", script], input=text, capture_output=True, timeout=60,
            env=environment(self.daemon), **options)

    def test_passes_everything_else_byte_for_byte(self):
        text = b'{"method":"session/request_permission"}\n{ "a" : 1e0 }\r\n\xff\xfe\x00 not JSON\n\n' + b"x" * 5_000_000 + b"\nend"
        done = self.run_agent("cat; exit 7", text)
        self.assertEqual((done.returncode, len(done.stdout)), (7, len(text)))
        self.assertTrue(done.stdout == text)

    def test_ends_with_the_agents_signal_and_reports_a_missing_agent(self):
        self.assertEqual(self.run_agent("kill -KILL $$", b"").returncode, 137)
        done = subprocess.run([ROUTERCTL, "agent", "acp", "--", "/none/agent"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (64, "routerctl: cannot run /none/agent: there is no such program\n"))

    def test_withdraws_the_prompt_of_an_agent_that_dies(self):
        presenter = self.present(lambda _: None)
        request = {"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {
            "sessionId": "s", "toolCall": {"toolCallId": "c", **COMMAND},
            "options": [{"optionId": "y", "name": "Y", "kind": "allow_once"}]}}
        agent = subprocess.Popen(
            [ROUTERCTL, "agent", "acp", "--", "/bin/sh", "-c", 'echo "$0"; read line', json.dumps(request)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(self.daemon))
        self.addCleanup(agent.stdout.close)
        self.addCleanup(agent.wait)
        presenter.wait_for(1)
        ended = threading.Thread(target=agent.stdin.close)
        ended.start()
        self.assertEqual(agent.wait(30), 1)
        ended.join()
        self.assertEqual(self.daemon.call("GET", "/v1/presentations")["presentations"], [])


if __name__ == "__main__":
    unittest.main()

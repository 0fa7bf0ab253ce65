# Promise P85.
"""The MCP server with the client of the Python package `mcp`, with both versions of the protocol."""

import asyncio
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from agents import ROUTERCTL, Daemon, Page, Presenter, UnixConnection, button, environment
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

ERAS = ["legacy", "2026-07-28", "auto"]


def client(socket, mode="auto", arguments=()):
    server = StdioServerParameters(
        command=ROUTERCTL, args=["mcp", *arguments], env=dict(os.environ, ROUTERD_SOCKET=socket))
    return Client(stdio_client(server), mode=mode)


async def call_all(socket, calls, mode, arguments):
    """Makes calls concurrently, and returns the tools and the results."""
    async with client(socket, mode, arguments) as connection:
        tools = (await connection.list_tools()).tools
        return tools, await asyncio.gather(*(connection.call_tool(tool, given) for tool, given in calls))


async def cancel_the_first(socket, daemon_open):
    """Cancels a call once it is shown, and returns the result of another one."""
    async with client(socket) as connection:
        first = asyncio.create_task(connection.call_tool("confirm", {"question": "First?"}))
        while not await asyncio.to_thread(daemon_open, socket):
            pass
        second = asyncio.create_task(connection.call_tool("confirm", {"question": "Second?"}))
        first.cancel()
        return await second


async def answer_itself(socket):
    """Asks, and tries to answer directly and through a child process."""
    async with client(socket) as connection:
        call = asyncio.create_task(connection.call_tool("confirm", {"question": "May I?"}))
        while not (open_now := await asyncio.to_thread(open_prompts, socket)):
            pass
        identifier = open_now[0]["id"]
        own = UnixConnection(socket)
        own.request("POST", f"/v1/presentations/{identifier}/answer", '{"button":"yes"}')
        status = own.getresponse().status
        own.close()
        child = await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", f"{ROUTERCTL} answer {identifier} --button yes --socket {socket}; exit $?")
        other = await asyncio.create_subprocess_exec(ROUTERCTL, "cancel", identifier, "--socket", socket)
        statuses = status, await child.wait(), await other.wait()
        call.cancel()
        return identifier, statuses


async def answer_on_the_page(socket, link, shares):
    """Asks, and tries to answer on the page that the link opens. Returns the status of the response."""
    page = await asyncio.to_thread(Page, link, shares)
    async with client(socket) as connection:
        call = asyncio.create_task(connection.call_tool("confirm", {"question": "May I?"}))
        status = await asyncio.to_thread(page.answer, button("yes"))
        call.cancel()
        return status


def open_prompts(socket):
    connection = UnixConnection(socket)
    connection.request("GET", "/v1/presentations")
    try:
        return json.loads(connection.getresponse().read())["presentations"]
    finally:
        connection.close()


def run(function, *arguments):
    return asyncio.run(asyncio.wait_for(function(*arguments), 60))


def as_agent(function, *arguments):
    """Runs a client in a separate process: the presenter runs in this one, and an agent's own answers are refused."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(run, function, *arguments).result(120)


class MCPTests(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)

    def present(self, decide):
        presenter = Presenter(self.daemon, decide)
        self.addCleanup(presenter.close)
        return presenter

    def call(self, tool, arguments, mode="auto", server=()):
        return as_agent(call_all, self.daemon.socket, [(tool, arguments)], mode, server)[1][0]

    def text(self, result):
        self.assertEqual(len(result.content), 1)
        self.assertIsNone(result.structured_content)
        return result.content[0].text

    def test_lists_the_tools_and_asks_in_every_protocol_version(self):
        self.present(lambda presentation: button("yes"))
        for mode in ERAS:
            with self.subTest(mode):
                calls = [("confirm", {"question": f"Era {mode}?"})]
                tools, results = as_agent(call_all, self.daemon.socket, calls, mode, ())
                self.assertEqual([tool.name for tool in tools], ["confirm", "choose", "form", "secret", "approve"])
                self.assertTrue(all(tool.output_schema is None for tool in tools))
                self.assertEqual(self.text(results[0]), "yes")
                self.assertFalse(results[0].is_error)

    def test_returns_a_no_as_an_answer_and_other_endings_as_errors(self):
        decisions = {"No?": button("no"), "Closed?": "dismiss", "Late?": None}
        self.present(lambda presentation: decisions[presentation["request"]["title"]])
        declined = self.call("confirm", {"question": "No?"})
        self.assertEqual((self.text(declined), declined.is_error), ("no", False))
        closed = self.call("confirm", {"question": "Closed?"})
        self.assertTrue(closed.is_error)
        self.assertIn("closed", self.text(closed))
        late = self.call("confirm", {"question": "Late?"}, server=["--timeout", "300ms"])
        self.assertTrue(late.is_error)
        self.assertIn("not a refusal", self.text(late))

    def test_denies_a_tool_call_unless_a_person_allows_it(self):
        cases = [(button("allow"), "allow"), (button("deny"), "deny"), ("dismiss", "deny"), ("fail", "deny"), (None, "deny")]
        for decision, behavior in cases:
            with self.subTest(decision):
                presenter = self.present(lambda _, decision=decision: decision)
                arguments = {"tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t"}
                result = self.call("approve", arguments, server=["--timeout", "5s" if decision else "300ms"])
                self.assertEqual(json.loads(self.text(result))["behavior"], behavior)
                presenter.close()

    def test_choose_returns_the_option_unescaped(self):
        options = ["main", "main\u202e", "dev"]
        presenter = self.present(lambda presentation: button("c2"))
        self.assertEqual(self.text(self.call("choose", {"question": "Branch?", "options": options})), options[1])
        labels = [shown["label"] for shown in presenter.shown[0]["request"]["buttons"]]
        self.assertEqual(labels[1], "main\\u{202E}")

    def test_form_returns_its_values_and_refuses_secrets(self):
        self.present(lambda presentation: {"value": {"name": "Ada", "count": 2}})
        schema = {"type": "object", "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}
        answer = self.call("form", {"question": "Who?", "schema": schema})
        self.assertEqual(json.loads(self.text(answer)), {"name": "Ada", "count": 2})
        for field in ({"format": "password"}, {"title": "API key"}, {"title": "Your GitHub password"}):
            schema = {"type": "object", "properties": {"x": {"type": "string", **field}}}
            refused = self.call("form", {"question": "Who?", "schema": schema})
            self.assertTrue(refused.is_error, field)
            self.assertIn("secrets", self.text(refused))

    def test_fails_or_denies_when_nobody_can_be_asked(self):
        confirm = self.call("confirm", {"question": "Sure?"})
        self.assertTrue(confirm.is_error)
        self.assertIn("The user could not be asked", self.text(confirm))
        arguments = {"tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t"}
        self.assertEqual(json.loads(self.text(self.call("approve", arguments)))["behavior"], "deny")
        self.daemon.stop()
        denied = json.loads(self.text(self.call("approve", arguments)))
        self.assertEqual(denied["behavior"], "deny")
        self.assertIn("The user could not be asked", denied["message"])

    def test_answers_sixteen_concurrent_calls_one_by_one(self):
        def decide(presentation):
            command = presentation["request"]["attachments"][0]["text"]
            open_now = self.daemon.call("GET", "/v1/presentations?state=presented")["presentations"]
            self.assertLessEqual(len(open_now), 1)
            number = int(command.split("echo ")[1])
            return button("allow" if number % 3 else "deny")

        presenter = self.present(decide)

        calls = [
            ("approve", {"tool_name": "Bash", "input": {"command": f"echo {number}"}, "tool_use_id": f"t{number}"})
            for number in range(16)]
        _, results = as_agent(call_all, self.daemon.socket, calls, "auto", ())
        for number, result in enumerate(results):
            decision = json.loads(self.text(result))
            self.assertEqual(decision["behavior"], "allow" if number % 3 else "deny", number)
            if number % 3:
                self.assertEqual(decision["updatedInput"], {"command": f"echo {number}"})
        self.assertEqual(len(presenter.shown), 16)
        log = self.daemon.call("GET", "/v1/log?limit=100")["presentations"]
        self.assertEqual(len(log), 16)
        for entry in log:
            number = int(entry["request"]["attachments"][0]["text"].split("echo ")[1])
            self.assertEqual(entry["request"]["metadata"]["agent.tool-use-id"], f"t{number}")
            self.assertEqual(entry["outcome"]["button"], "allow" if number % 3 else "deny")
            self.assertEqual(entry["resolvedBy"]["presenter"], "script")
            self.assertEqual(entry["resolvedBy"]["uid"], os.getuid())

    def test_withdraws_a_canceled_call_only(self):
        presenter = self.present(
            lambda presentation: button("yes") if presentation["request"]["title"] == "Second?" else None)
        result = as_agent(cancel_the_first, self.daemon.socket, open_prompts)
        self.assertEqual(self.text(result), "yes")
        self.assertEqual(self.daemon.outcome(presenter.shown[0]["id"]), {"type": "cancelled", "reason": "requester"})

    def test_refuses_an_agents_own_answer_and_records_the_attempt(self):
        self.present(lambda presentation: None)
        identifier, statuses = as_agent(answer_itself, self.daemon.socket)
        self.assertEqual(statuses, (403, 77, 77))
        self.assertEqual(self.daemon.outcome(identifier)["type"], "cancelled")
        events = self.daemon.call("GET", f"/v1/log/{identifier}")["events"]
        self.assertEqual([event["type"] for event in events].count("accessDenied"), 3, events)

    def test_withdraws_all_prompts_of_a_killed_agent_within_a_second(self):
        presenter = self.present(lambda presentation: None)
        agent = subprocess.Popen([sys.executable, __file__, "agent"], env=environment(self.daemon))
        self.addCleanup(agent.wait)
        presenter.wait_for(1)
        while len(self.daemon.call("GET", "/v1/presentations")["presentations"]) < 16:
            self.assertIsNone(agent.poll())
        agent.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        while self.daemon.call("GET", "/v1/presentations")["presentations"]:
            self.assertLess(time.monotonic() - killed, 1)
        reasons = {entry["outcome"]["reason"] for entry in self.daemon.call("GET", "/v1/log?limit=100")["presentations"]}
        self.assertLessEqual(reasons, {"requester", "requesterGone"})

    def test_replies_to_malformed_lines_with_errors(self):
        lines = [
            b"{bad", b"[]", b'"text"', b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
            b'{"jsonrpc":"2.0","id":2,"method":"none"}', b'{"jsonrpc":"2.0","method":"notifications/none"}', b"",
            b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"none"}}',
            b'{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":'
            b'{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}}',
            b"\xff\xfe", b'{"jsonrpc":"2.0","id":"last","method":"ping"}',
        ]
        done = subprocess.run(
            [ROUTERCTL, "mcp"], input=b"\n".join(lines) + b"\n", env=environment(self.daemon), capture_output=True,
            timeout=60, check=True)
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        found = [(reply["id"], reply.get("error", {}).get("code")) for reply in replies]
        self.assertEqual(found, [
            (None, -32700), (None, -32600), (None, -32600), (1, -32600), (None, -32600), (2, -32601), (3, -32602),
            (4, -32022), (None, -32700), ("last", None)])
        self.assertEqual(replies[7]["error"]["data"], {"supported": ["2026-07-28"], "requested": "2099-01-01"})

    def secret(self, **capabilities):
        """Starts a server, calls the tool secret, and returns a function that exchanges messages."""
        home = tempfile.mkdtemp(prefix="router-secret-")
        self.addCleanup(shutil.rmtree, home)
        server = subprocess.Popen(
            # timeout(1) plays the agent, which may not answer.
            ["timeout", "100", ROUTERCTL, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment(self.daemon, XDG_RUNTIME_DIR=home))
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.stdin.close)

        def send(message):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()

        def receive():
            return json.loads(server.stdout.readline())

        send({"id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {"elicitation": capabilities}, "clientInfo": {"name": "c"}}})
        receive()
        send({"id": 1, "method": "tools/call", "params": {"name": "secret", "arguments": {"question": "API key of the shop?"}}})
        return home, send, receive

    def test_saves_a_secret_to_a_private_file_and_does_not_tell_it(self):
        presenter = self.present(lambda _: {"value": {"secret": "hunter2"}})
        home, _, receive = self.secret()
        text = receive()["result"]["content"][0]["text"]
        path = re.search(home + r"/\S+", text)[0]
        self.assertNotIn("hunter2", text)
        self.assertEqual((pathlib.Path(path).read_text(), os.stat(path).st_mode & 0o777), ("hunter2", 0o600))
        self.assertTrue(presenter.shown[0]["request"]["sensitive"])

    def test_opens_the_page_with_a_link_for_one_login(self):
        home, send, receive = self.secret(url={})
        asked = receive()
        self.assertEqual((asked["method"], asked["params"]["mode"]), ("elicitation/create", "url"))
        self.assertEqual(asked["params"]["message"], "API key of the shop?")
        link = asked["params"]["url"]
        self.assertTrue(link.startswith(self.daemon.origin + "/"))
        send({"id": asked["id"], "result": {"action": "accept"}})
        self.assertEqual(Page(link).answer({"value": {"secret": "hunter2"}}), 200)
        first, second = receive(), receive()
        self.assertEqual(first["method"], "notifications/elicitation/complete")
        self.assertEqual(first["params"]["elicitationId"], asked["params"]["elicitationId"])
        self.assertIn(home, second["result"]["content"][0]["text"])

    def test_cannot_answer_on_the_page_with_a_link_of_the_person(self):
        # The tool does not wait for the page.
        self.present(lambda _: None)
        for shares in [False, True]:
            with self.subTest(shares=shares):
                self.assertEqual(as_agent(answer_on_the_page, self.daemon.socket, self.daemon.link(), shares), 403)

    def test_withdraws_the_prompt_if_the_person_refuses_to_open_the_page(self):
        _, send, receive = self.secret(url={})
        asked = receive()
        send({"id": asked["id"], "result": {"action": "decline"}})
        receive()
        self.assertTrue(receive()["result"]["isError"])
        self.assertEqual(open_prompts(self.daemon.socket), [])

    def test_withdraws_open_prompts_at_the_end_of_input(self):
        presenter = self.present(lambda presentation: None)
        server = subprocess.Popen(
            [ROUTERCTL, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(self.daemon))
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "confirm", "arguments": {"question": "Sure?"}}}
        server.stdin.write(json.dumps(call).encode() + b"\n")
        server.stdin.flush()
        shown = presenter.wait_for(1)
        output, _ = server.communicate(timeout=60)
        self.assertEqual((server.returncode, output), (0, b""))
        self.assertEqual(self.daemon.outcome(shown["id"]), {"type": "cancelled", "reason": "requester"})

    def test_shows_a_form_to_choose_several_as_in_elicitation(self):
        presenter = self.present(lambda presentation: {"value": {"colors": ["b"], "sizes": ["S", "L"]}})
        schema = {"type": "object", "required": ["colors"], "properties": {
            "colors": {"type": "array", "title": "Colors", "minItems": 1, "maxItems": 2, "default": ["a"],
                       "items": {"anyOf": [{"const": "a", "title": "Amber"}, {"const": "b", "title": "Blue"}]}},
            "sizes": {"type": "array", "items": {"type": "string", "enum": ["S", "M", "L"]}}}}
        result = self.call("form", {"question": "Which?", "schema": schema})
        self.assertEqual(json.loads(self.text(result)), {"colors": ["b"], "sizes": ["S", "L"]})
        shown = presenter.shown[0]["request"]["schema"]["properties"]["colors"]
        self.assertEqual(shown["items"]["anyOf"], schema["properties"]["colors"]["items"]["anyOf"])

    def test_shows_the_agents_questions_as_a_form(self):
        self.present(lambda presentation: {"value": {"q1": "Red", "q2": ["Jam", "Nuts"], "q2.other": "Mint"}})
        questions = [
            {"question": "Color?", "header": "C", "multiSelect": False,
             "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": ""}]},
            {"question": "Toppings?", "header": "T", "multiSelect": True,
             "options": [{"label": "Nuts"}, {"label": "Cream"}, {"label": "Jam"}]},
        ]
        result = self.call("approve", {"tool_name": "AskUserQuestion", "input": {"questions": questions}})
        decision = json.loads(self.text(result))
        self.assertEqual(decision["behavior"], "allow")
        self.assertEqual(decision["updatedInput"]["questions"], questions)
        self.assertEqual(decision["updatedInput"]["answers"], {"Color?": "Red", "Toppings?": "Nuts, Jam, Mint"})


async def be_an_agent():
    """Makes sixteen calls that nobody answers, until killed."""
    async with client(os.environ["ROUTERD_SOCKET"]) as connection:
        calls = (connection.call_tool("confirm", {"question": f"Question {number}?"}) for number in range(16))
        await asyncio.gather(*calls)


if __name__ == "__main__":
    asyncio.run(be_an_agent()) if sys.argv[1:] == ["agent"] else unittest.main()

"""The Python client. Each call and each event is checked against the daemon's OpenAPI document."""

import asyncio
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import unittest
import unittest.mock

from clients import BIN, CLIENT, ROOT, DaemonTest
from openapi import OpenAPI
from router_client import AsyncClient, Client, Prompt, RouterError, Unreachable, _Retries, default_socket_path, visible


class ClientTest(DaemonTest):
    used = set()

    def setUp(self):
        super().setUp()
        self.client = Client(self.daemon.socket)
        self.api = OpenAPI(self.client.call("GET", "/openapi.json"))
        self.addCleanup(self.used.update, self.api.used)
        self.addCleanup(self.api.watch())

    def answering(self, **answer):
        return self.present(lambda _: answer)


class AskingTests(ClientTest):
    def test_an_outcome_is_true_only_if_the_person_agreed(self):
        for answer, agreed, button in (({"button": "yes"}, True, "yes"), ({"button": "no", "comment": "später"}, False, "no")):
            presenter = self.answering(**answer)
            outcome = self.client.confirm("Deploy?")
            self.assertEqual((outcome.kind, bool(outcome), outcome.button), ("answered", agreed, button))
            self.assertEqual(outcome.comment, answer.get("comment"))
            presenter.close()
        self.present(lambda _: "dismiss")
        outcome = self.client.confirm("Deploy?")
        self.assertEqual((outcome.kind, bool(outcome), outcome.button), ("dismissed", False, None))
        outcome = self.client.confirm("Deploy?", surface="elsewhere", timeout=0.01)
        self.assertEqual((outcome.kind, bool(outcome), outcome.reason), ("expired", False, "queued"))

    def test_returns_a_choice_as_it_was_given(self):
        presenter = self.answering(button="c2")
        choices = ["main", b"caf\xe9\n", "\u202e"]
        self.assertEqual(self.client.choose("Which?", choices, cancel="None").value, b"caf\xe9\n")
        labels = [button["label"] for button in presenter.wait_for(1)["request"]["buttons"]]
        self.assertEqual(labels, ["main", "caf\\xE9\\u{A}", "\\u{202E}", "None"])

    def test_returns_the_value_of_a_form(self):
        self.answering(value={"name": "Zoë", "age": 2**53})
        outcome = self.client.form("Who?", {"name": {"type": "string"}, "age": {"type": "integer"}})
        self.assertEqual((bool(outcome), outcome.value), (True, {"name": "Zoë", "age": 2**53}))

    def test_takes_a_whole_schema(self):
        presenter = self.answering(value={})
        schema = {"type": "object", "properties": {"name": {"type": "string", "default": "Zoë"}}}
        self.assertTrue(self.client.form("Who?", schema))
        self.assertEqual(presenter.wait_for(1)["request"]["schema"], schema)

    def test_gets_a_secret_that_the_log_does_not_have(self):
        self.answering(value={"pin": "hush"})
        outcome = self.client.form("Unlock?", {"pin": {"type": "string", "format": "password"}})
        self.assertEqual(outcome.value, {"pin": "hush"})
        self.assertNotIn("hush", self.daemon.story())

    def test_passes_members_of_a_request_on(self):
        presenter = self.answering(button="yes")
        self.client.confirm("Go?", "a\tb", priority="high", severity="critical", metadata={"a": "b"}, app="mine")
        request = presenter.wait_for(1)["request"]
        self.assertEqual((request["priority"], request["severity"], request["app"]), ("high", "critical", "mine"))
        self.assertEqual(request["message"], "a       b")

    def test_asks_with_any_code_points(self):
        seed = random.randrange(2**32)
        print(f"seed {seed}", file=sys.stderr)
        chance = random.Random(seed)
        presenter = self.answering(button="yes")
        for _ in range(50):
            text = "".join(chr(chance.choice([chance.randrange(0x110000), chance.randrange(0x300)])) for _ in range(60))
            with self.subTest(seed=seed, text=text):
                self.assertTrue(self.client.confirm("?" + text, "?" + text, yes="!" + text[:20], no="no"))
        self.assertEqual(len(presenter.shown), 50)


class FailureTests(ClientTest):
    def test_raises_the_daemons_problem(self):
        with self.assertRaises(RouterError) as caught:
            self.client.ask({"kind": "alert", "title": "a\nb"})
        self.assertEqual((caught.exception.status, caught.exception.field), (400, "/title"))
        self.assertIn("title", str(caught.exception))
        with self.assertRaises(RouterError) as caught:
            self.client.call("DELETE", "/v1/presentations/0198f0f0-0000-7000-8000-000000000000")
        self.assertEqual(caught.exception.status, 404)

    def test_refuses_a_body_that_is_too_large(self):
        with self.assertRaises(RouterError) as caught:
            Client.call(self.client, "POST", "/v1/presentations", {"kind": "sheet", "payload": "x" * 2_000_000})
        self.assertEqual(caught.exception.status, 413)

    def test_says_where_no_daemon_listens(self):
        for client in (Client, AsyncClient):
            with self.assertRaisesRegex(Unreachable, 'listening on /nowhere .*"routerd"'):
                waiting = client("/nowhere").confirm("Go?")
                asyncio.run(waiting)

    def test_does_not_mistake_another_program_for_routerd(self):
        path = str(self.directory / "other")
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(path)
            other.listen()

            def greet():
                with other.accept()[0] as connection:
                    connection.sendall(b"220 smtp\r\n\r\n")

            thread = threading.Thread(target=greet)
            thread.start()
            with self.assertRaises(Unreachable):
                Client(path, patience=0).call("GET", "/v1/status")
            thread.join()

    def test_refuses_headers_and_numbers_that_are_not_allowed(self):
        with self.assertRaises(ValueError):
            self.client.ask({"kind": "alert", "title": "a"}, key="a\r\nb: c")
        with self.assertRaises(ValueError):
            self.client.ask({"kind": "sheet", "payload": float("nan")})


class EndingTests(ClientTest):
    gone = {"type": "cancelled", "reason": "requesterGone"}

    def test_withdraws_the_prompt_when_interrupted(self):
        presenter = self.present(lambda _: None)
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            code = "from router_client import Client\nClient().confirm('Go?')"
            process = self.run_program(sys.executable, "-c", code)
            id = presenter.wait_for(len(presenter.shown) + 1)["id"]
            process.send_signal(how)
            self.assertEqual(self.daemon.outcome(id), self.gone)

    def test_withdraws_the_prompt_when_the_task_is_canceled(self):
        presenter = self.present(lambda _: None)

        async def ask():
            client = AsyncClient(self.daemon.socket)
            tasks = [asyncio.create_task(client.confirm(f"Go {number}?")) for number in range(3)]
            await asyncio.to_thread(presenter.wait_for, 1)
            tasks[0].cancel()
            with self.assertRaises(asyncio.CancelledError):
                await tasks[0]
            shown = await asyncio.to_thread(presenter.wait_for, 2)
            self.daemon.call("POST", f"/v1/presentations/{shown['id']}/answer", {"button": "yes"})
            answered = await asyncio.wait(tasks[1:], return_when=asyncio.FIRST_COMPLETED)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(answered[1].pop(), 0.1)
            return answered[0].pop().result()

        self.assertTrue(asyncio.run(ask()))
        self.until(lambda: not self.daemon.call("GET", "/v1/presentations")["presentations"], "a prompt is left")
        self.assertEqual(self.daemon.outcome(presenter.shown[0]["id"]), self.gone)

    def test_keeps_the_prompt_when_the_daemon_restarts(self):
        for how in (signal.SIGTERM, signal.SIGKILL):
            outcomes = []
            threads = [
                threading.Thread(target=lambda: outcomes.append(self.client.confirm("Go?"))),
                threading.Thread(target=lambda: outcomes.append(asyncio.run(AsyncClient(self.daemon.socket).confirm("Go?"))))]
            for thread in threads:
                thread.start()
            self.until(lambda: len(self.daemon.call("GET", "/v1/presentations")["presentations"]) == 2, "not asked")
            self.daemon.stop(how)
            self.daemon.start()
            presenter = self.answering(button="yes")
            for thread in threads:
                thread.join(60)
            self.assertEqual([outcome.button for outcome in outcomes], ["yes", "yes"])
            self.assertEqual(len({entry["id"] for entry in presenter.shown}), 2)
            presenter.close()

    def test_waits_again_at_another_restart(self):
        retries = _Retries(patience=10)
        with unittest.mock.patch("time.monotonic") as now:
            for start, ending in ((100, 200), (203, 500), (504, 505)):
                now.return_value = start
                retries.start()
                now.return_value = ending
                retries.after(Unreachable("lost"))
            # The last connection was too short to count.
            now.return_value = 512
            self.assertRaises(Unreachable, retries.after, Unreachable("lost"))
        self.assertRaises(RouterError, retries.after, RouterError(400, {}))
        self.assertRaises(Unreachable, _Retries(10).after, Unreachable("never there"))

    def test_gives_up_when_the_daemon_stays_away(self):
        thread = threading.Thread(target=lambda: (self.until(self.open, "not asked"), self.daemon.stop()))
        thread.start()
        with self.assertRaises(Unreachable):
            Client(self.daemon.socket, patience=0.2).confirm("Go?")
        thread.join()

    def open(self):
        return self.daemon.call("GET", "/v1/presentations")["presentations"]


class PresentingTests(ClientTest):
    def prompts(self):
        prompts = self.client.present("main", name="tests")
        self.addCleanup(prompts.close)
        return prompts

    def test_answers_dismisses_fails_and_snoozes(self):
        prompts = self.prompts()
        acts = [
            (lambda prompt: prompt.answer(button=prompt.button("2"), comment="ja"), "answered"), (Prompt.dismiss, "dismissed"),
            (lambda prompt: prompt.send("snooze", **{"for": 600}), "snoozed"), (lambda prompt: prompt.fail("too wide\n"), "failed")]
        ids = [self.daemon.alert(f"Deploy {number}?") for number in range(len(acts))]
        for (act, reason), prompt in zip(acts, prompts):
            self.assertTrue(act(prompt))
            # The next prompt may replace the last at once.
            self.assertIn(prompt.wait(), (reason, "replaced"))
        self.assertEqual(self.daemon.outcome(ids[0]), {"type": "answered", "button": "preview", "comment": "ja"})
        self.assertEqual(self.daemon.outcome(ids[3]), {"type": "failed", "detail": "too wide\\u{A}"})

    def test_an_answer_counts_only_for_its_showing(self):
        prompts = self.prompts()
        id = self.daemon.alert("Deploy?")
        prompt = next(prompts)
        prompt.generation += 1
        self.assertFalse(prompt.answer(button="later"))
        prompt.generation -= 1
        with self.assertRaises(RouterError) as caught:
            prompt.answer(button="unknown")
        self.assertEqual(caught.exception.status, 422)
        for number in ("0", "-1", "4", "", "x", "1 "):
            if number == "1 ":
                self.assertEqual(prompt.button(number), "deploy")
            else:
                self.assertRaises(LookupError, prompt.button, number)
        self.daemon.cancel(id)
        self.assertFalse(prompt.answer(button="later"))
        self.assertEqual(prompt.wait(), "cancelled")

    def test_shows_prompts_again_after_a_restart(self):
        prompts = self.prompts()
        id = self.daemon.alert("Deploy?")
        prompt = next(prompts)
        self.assertIsNone(prompt.wait(0.05))
        self.daemon.stop(signal.SIGKILL)
        self.assertEqual(prompt.wait(), "disconnected")
        self.daemon.start()
        prompt = next(prompts)
        self.assertEqual((prompt.id, prompt.answer(button="later")), (id, True))

    def test_shows_all_of_a_prompt(self):
        prompts = self.prompts()
        self.daemon.alert("Deploy?", message="one\ntwo", attachments=[{"type": "diff", "text": "-a\x1b\n+\u202eb"}])
        text = str(next(prompts))
        for line in ("asked by: ", "calls itself: tests", "│ Deploy?", "│ one", "│ two", "  1  Deploy  (destructive)", "  3  Not"):
            self.assertIn(line, text)
        self.assertTrue(all(character == "\n" or character.isprintable() for character in text), repr(text))

    def test_refuses_a_surface_that_is_no_name(self):
        with self.assertRaises(RouterError):
            next(self.client.present("a/b"))


class ReadMeTests(ClientTest):
    def test_runs_the_examples(self):
        replies = {
            "Deploy 1.4.2?": {"button": "yes"}, "Delete 3 files?": {"button": "yes"}, "Which branch?": {"button": "c2"},
            "Who are you?": {"value": {"name": "Ada", "age": 36}}, "Go on?": {"button": "yes"}}
        presenter = self.present(lambda shown: replies[shown["request"]["title"]])
        outputs = []
        for page in (ROOT / "README.md", CLIENT / "README.md"):
            for block in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
                outputs.append(self.output(self.run_program(sys.executable, "-c", block)))
        self.assertEqual(outputs, ["deploying", "deleting", ""])
        self.assertEqual({shown["request"]["title"] for shown in presenter.shown}, set(replies))

    def test_installs_with_pip(self):
        shutil.copytree(CLIENT, self.directory / "source")
        self.output(self.run_program(
            sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
            "--root-user-action", "ignore", "--target", "site", "./source"))
        site = self.directory / "site"
        self.assertEqual((site / "router_client.py").read_text(), (CLIENT / "router_client.py").read_text())
        self.assertTrue((site / "router_client-1.0.0.dist-info").is_dir())


class TextTests(unittest.TestCase):
    def test_marks_what_cannot_be_seen(self):
        self.assertEqual(visible("a\nb\x1b\u202e\x85é👨\u200d👩"), "a\\u{A}b\\u{1B}\\u{202E}\\u{85}é👨\u200d👩")
        self.assertEqual(visible(b"a\nb\xff", lines=True), "a\nb\\xFF")
        self.assertEqual(visible(os.fsdecode(b"\x80")), "\\x80")


class SocketPathTests(DaemonTest):
    def test_is_the_path_of_routerctl(self):
        home = self.directory / "home"
        for path in ("run/routerd", "home/.local/state/routerd", "state/routerd"):
            (self.directory / path).mkdir(parents=True)
        run, state = str(self.directory / "run"), str(self.directory / "state")
        cases = [
            {"ROUTERD_SOCKET": "/x"}, {"ROUTERD_SOCKET": ""}, {"XDG_RUNTIME_DIR": run}, {"XDG_RUNTIME_DIR": "run"},
            {"XDG_RUNTIME_DIR": "/proc/1/fd"}, {"XDG_RUNTIME_DIR": run + "/missing"}, {"XDG_STATE_HOME": state},
            {"XDG_RUNTIME_DIR": run, "XDG_STATE_HOME": state}, {"RUNTIME_DIRECTORY": "/run/routerd"}]
        for socket_path in (None, self.directory / "run/routerd/routerd.sock", home / ".local/state/routerd/routerd.sock"):
            if socket_path:
                socket_path.touch()
            for case in cases:
                with self.subTest(case=case, existing=socket_path):
                    environment = {"HOME": str(home), "PATH": os.environ["PATH"], **case}
                    wanted = subprocess.run(
                        [BIN / "routerctl", "socket"], env=environment, capture_output=True, text=True, check=True).stdout.strip()
                    found = self.path(environment)
                    self.assertEqual(found, wanted)

    @staticmethod
    def path(environment):
        saved = dict(os.environ)
        os.environ.clear()
        os.environ.update(environment)
        try:
            return default_socket_path()
        finally:
            os.environ.clear()
            os.environ.update(saved)


def tearDownModule():
    wanted = {"ask", "present", "prompt", "answer", "dismiss", "fail", "snooze", "cancel"}
    assert wanted <= ClientTest.used, wanted - ClientTest.used


if __name__ == "__main__":
    unittest.main()

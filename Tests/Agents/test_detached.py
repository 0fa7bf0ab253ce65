# Promise P41.
"""What a process of an agent can do that has left the agent's descendants: the limit of the agent rule, and what closes it."""

import json
import os
import pathlib
import shlex
import subprocess
import time
import unittest
from unittest import mock

from agents import ROUTERCTL, Daemon, Presenter, environment

PAYLOADS = pathlib.Path(__file__).parent.parent / "routerctlTests" / "Payloads"
NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


def can_unshare():
    return os.geteuid() == 0 and subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode == 0


class DetachedTests(unittest.TestCase):
    def answer(self, *, inside=(), **variables):
        """Asks as an agent, and returns the exit status of a detached child that answers "Allow", and the record."""
        with mock.patch.dict(os.environ, variables):
            daemon = Daemon()
        self.addCleanup(daemon.remove)
        presenter = Presenter(daemon, lambda _: None)
        self.addCleanup(presenter.close)
        event = pathlib.Path(daemon.directory, "event.json")
        event.write_text(json.dumps(json.loads((PAYLOADS / "claude" / "PreToolUse.json").read_text())["payload"]))
        prompt, result = pathlib.Path(daemon.directory, "prompt"), pathlib.Path(daemon.directory, "result")
        # timeout(1) plays the agent. The shell in parentheses ends first, so that its child gets another parent. The container outlives the answer.
        child = (
            f'until [ -s {prompt} ]; do sleep 0.05; done; {ROUTERCTL} answer "$(cat {prompt})" --button allow 2>/dev/null; '
            f"echo $? > {result}.new; mv {result}.new {result}")
        script = f"{ROUTERCTL} agent hook < {event} & (setsid sh -c {shlex.quote(child)} &); wait; sleep 10"
        agent = subprocess.Popen(
            [*inside, "timeout", "1000", "sh", "-c", script], stdout=subprocess.PIPE, text=True, env=environment(daemon))
        self.addCleanup(agent.stdout.close)
        self.addCleanup(agent.wait)
        self.addCleanup(agent.kill)
        shown = presenter.wait_for(1)
        self.assertIn("agent", shown["request"])
        prompt.write_text(shown["id"])
        deadline = time.monotonic() + 30
        while not result.exists():
            self.assertLess(time.monotonic(), deadline, daemon.story())
            time.sleep(0.05)
        return int(result.read_text()), daemon.call("GET", "/v1/log")["presentations"][0]

    def test_a_detached_child_answers_by_default_on_record(self):
        status, record = self.answer()
        self.assertEqual((status, record["outcome"]["type"]), (0, "answered"))
        self.assertEqual(pathlib.Path(record["resolvedBy"]["executable"]).name, "routerctl")

    def test_a_detached_child_cannot_answer_if_the_user_cannot(self):
        status, record = self.answer(ROUTERD_FORBID_SELF_ANSWER="user")
        self.assertEqual((status, record["outcome"]), (77, None))

    @unittest.skipUnless(can_unshare(), "only root can make namespaces, and not in every container")
    def test_a_detached_child_stays_a_child_of_an_agent_that_is_process_1_of_its_container(self):
        status, record = self.answer(inside=NAMESPACE)
        self.assertEqual((status, record["outcome"]), (77, None))

    @unittest.skipUnless(can_unshare(), "only root can make namespaces, and not in every container")
    def test_a_detached_child_answers_from_a_container_with_another_process_1(self):
        status, record = self.answer(inside=[*NAMESPACE, "sh", "-c", '"$@"; exit $?', "sh"])
        self.assertEqual((status, record["outcome"]["type"]), (0, "answered"))


if __name__ == "__main__":
    unittest.main()

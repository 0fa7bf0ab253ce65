"""The adapter for the Claude Agent SDK with Claude Code's own binary, against the stub of `check_claude`."""

import os
import pathlib
import subprocess
import sys
import unittest

import check_claude
from agents import button

CLIENT = pathlib.Path(__file__).parent.parent.parent / "Clients" / "python"
PROGRAM = """
import asyncio
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient
from claude_permissions import can_use_tool

async def main():
    async with ClaudeSDKClient(ClaudeAgentOptions(can_use_tool=can_use_tool)) as claude:
        await claude.query("go")
        async for message in claude.receive_response():
            print(message)

asyncio.run(main())
"""


class ClaudeSDKTests(unittest.TestCase):
    setUp, present, environment, model = (
        getattr(check_claude.ClaudeTests, name) for name in ("setUp", "present", "environment", "model"))

    def run_agent(self, model):
        packages = pathlib.Path(check_claude.CLAUDE).parent.parent.parent
        path = os.pathsep.join(map(str, (CLIENT, CLIENT / "adapters", packages)))
        return subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=self.project, env={**self.environment(model), "PYTHONPATH": path},
            capture_output=True, text=True, timeout=120)

    def test_allows(self):
        presenter = self.present(lambda _: button("yes"))
        done = self.run_agent(self.model())
        self.assertTrue(self.file.exists(), (done.stdout, done.stderr))
        self.assertEqual(presenter.shown[0]["request"]["attachments"][0], {"type": "command", "text": "touch made"})

    def test_denies_with_the_comment(self):
        self.present(lambda _: {**button("no"), "comment": "not today"})
        model = self.model()
        done = self.run_agent(model)
        self.assertFalse(self.file.exists(), (done.stdout, done.stderr))
        self.assertIn("not today", str(model.results))


if __name__ == "__main__":
    unittest.main()

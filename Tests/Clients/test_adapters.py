"""The adapters for agents, with the packages that they are for and without a model.

Each agent is a separate program, since an agent and its children cannot answer its prompts.
"""

import json
import pathlib
import unittest

from clients import DaemonTest

PROGRAMS = pathlib.Path(__file__).parent / "programs"


class AdapterTest(DaemonTest):
    def run_agent(self, name, decide):
        """Runs a program while a presenter answers. Returns the program's output as JSON, and the prompts."""
        presenter = self.present(decide)
        output = self.output(self.run_program("/usr/bin/python3", str(PROGRAMS / f"{name}.py")))
        presenter.close()
        return json.loads(output), presenter.shown

    @staticmethod
    def attachments(shown):
        return [(entry["type"], entry["text"]) for entry in shown["request"]["attachments"]]


class ClaudeTests(AdapterTest):
    def test_allows_and_denies(self):
        answers = iter([{"button": "yes"}, {"button": "no", "comment": "not today"}, "dismiss"])
        printed, shown = self.run_agent("claude", lambda _: next(answers))
        self.assertEqual(printed, [
            ["allow", ""], ["deny", 'Not allowed: the user answered "Deny": not today.'],
            ["deny", "Not allowed: the user closed the prompt."]])
        self.assertEqual(shown[0]["request"]["title"], "Run Bash?")
        self.assertEqual(self.attachments(shown[0])[0], ("command", "rm -rf build\x1b"))
        self.assertIn("description", self.attachments(shown[0])[1][1])
        self.assertTrue(shown[0]["request"]["buttons"][1]["isDefault"])


class LangGraphTests(AdapterTest):
    def test_resumes_each_interrupt_with_its_answer(self):
        def decide(shown):
            return {"button": "yes" if "Ada" in shown["request"]["title"] else "no"}

        printed, shown = self.run_agent("langgraph_mails", decide)
        self.assertEqual(sorted(printed), ['not sent to Bob: the user answered "No"', "sent to Ada", "sent to Ada again"])
        self.assertEqual(len(shown), 3)
        self.assertEqual(self.attachments(shown[0])[0][0], "text")


class PydanticTests(AdapterTest):
    def test_runs_only_approved_calls(self):
        def decide(shown):
            is_safe = "temporary" in self.attachments(shown)[0][1]
            return {"button": "yes"} if is_safe else {"button": "no", "comment": "keep it"}

        printed, shown = self.run_agent("pydantic_files", decide)
        self.assertEqual(printed["deleted"], ["temporary"])
        self.assertEqual(printed["returned"], ["deleted temporary", 'Not allowed: the user answered "Deny": keep it.'])
        self.assertEqual(len(shown), 2)
        self.assertEqual(shown[0]["request"]["title"], "Run delete_file?")


class SafetyTests(AdapterTest):
    def test_an_agent_cannot_answer_its_own_prompt(self):
        printed, _ = self.run_agent("claude_answers_itself", lambda _: None)
        self.assertEqual(printed, [403, "cancelled"])


if __name__ == "__main__":
    unittest.main()

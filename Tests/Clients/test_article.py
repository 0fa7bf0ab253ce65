"""The examples of the article OtherLanguages, word for word: each asks a real daemon, and presents in a terminal."""

import re
import shutil
import unittest

from clients import DaemonTest, examples

HIDDEN = "rm -rf /tmp/a\u202eb\x1b[2Jc"


class Examples:
    """What the examples of each language must do."""

    heading = language = suffix = ""
    asking, presenting = 0, 1
    interpreter = ()
    printed = {"deploy": "deploying", "later": "not deployed"}
    # What a person types after a number.
    enter = ""

    def setUp(self):
        super().setUp()
        if not shutil.which(self.interpreter[0]):
            self.skipTest(f"{self.interpreter[0]} is not installed")
        self.blocks = examples(self.heading, self.language)

    def command(self, number):
        """Returns the command that runs a block."""
        path = self.directory / f"example{number}{self.suffix}"
        path.write_text(self.blocks[number])
        return [*self.interpreter, str(path)]

    def attach(self):
        """Starts the presenter in a terminal."""
        terminal = self.terminal(*self.command(self.presenting))
        self.until(self.presenters, terminal.read)
        return terminal

    def presenters(self):
        return [presenter for surface in self.daemon.call("GET", "/v1/surfaces")["surfaces"] for presenter in surface["presenters"]]

    def ask(self, title, **more):
        buttons = [{"id": "no", "label": "Not now", "role": "cancel"}, {"id": "deploy", "label": "Deploy"}]
        return self.daemon.ask(kind="alert", title=title, buttons=buttons, **more)

    def wait_for(self, terminal, text, count=1):
        self.until(lambda: terminal.read().count(text) >= count, lambda: f"{text!r} is not in {terminal.text!r}")

    def press(self, terminal, id):
        """Presses the second button until it counts, since early keys do not. Returns the outcome."""
        def is_over():
            terminal.type("2" + self.enter)
            terminal.read(0.3)
            return self.daemon.state(id) == "resolved"

        self.until(is_over, terminal.read)
        return self.daemon.outcome(id)

    def test_asks(self):
        for index, button in enumerate(("deploy", "later")):
            presenter = self.present(lambda shown: {"button": shown["request"]["buttons"][index]["id"]})
            output = self.output(self.run_program(*self.command(self.asking)))
            self.assertEqual(presenter.wait_for(1)["request"]["title"], "Deploy 1.4.2?")
            self.assertIn(self.printed[button], output)
            presenter.close()

    def test_withdraws_the_prompt_when_it_is_killed(self):
        presenter = self.present(lambda _: None)
        process = self.run_program(*self.command(self.asking))
        id = presenter.wait_for(1)["id"]
        self.end(process)
        self.assertEqual(self.daemon.outcome(id), {"type": "cancelled", "reason": "requesterGone"})

    def test_shows_all_of_a_prompt_without_hidden_characters(self):
        terminal = self.attach()
        id = self.ask("Deploy now?", message="One\nTwo", attachments=[{"type": "command", "text": HIDDEN}])
        self.wait_for(terminal, "Deploy\r\n")
        for text in ("asked by: ", "│ Deploy now?", "│ One", "│ Two", "rm -rf"):
            self.assertIn(text, terminal.text)
        for hidden in ("\u202e", "\x1b[2J"):
            self.assertNotIn(hidden, terminal.text)
        self.assertEqual(self.press(terminal, id), {"type": "answered", "button": "deploy"})

    def test_goes_on_after_a_withdrawal_and_a_restart(self):
        terminal = self.attach()
        first = self.ask("First?")
        self.wait_for(terminal, "First?")
        self.daemon.cancel(first)
        second = self.ask("Second?")
        self.wait_for(terminal, "Second?")
        self.daemon.stop()
        self.daemon.start()
        self.wait_for(terminal, "Second?", 2)
        self.assertEqual(self.press(terminal, second), {"type": "answered", "button": "deploy"})
        self.assertEqual(self.daemon.outcome(first)["type"], "cancelled")

    def test_ignores_keys_that_were_typed_before(self):
        terminal = self.attach()
        terminal.type("2" + self.enter)
        id = self.ask("Deploy?")
        self.wait_for(terminal, "Deploy\r\n")
        terminal.type("2" + self.enter)
        terminal.read(1)
        self.assertEqual(self.daemon.state(id), "presented")
        self.assertEqual(self.press(terminal, id), {"type": "answered", "button": "deploy"})

    def test_does_not_answer_what_it_cannot_show(self):
        self.attach()
        for more in ({}, {"schema": {"type": "object", "properties": {}}}):
            self.assertEqual(self.daemon.outcome(self.daemon.ask(kind="sheet", sheet="color", **more))["type"], "failed")

    def test_is_short(self):
        for number, limit in ((self.asking, 8), (self.presenting, 25)):
            lines = [line for line in self.main(number).splitlines() if line and not line.startswith(("import ", "from "))]
            self.assertLessEqual(len(lines), limit)

    def main(self, number):
        return self.blocks[number]


class PythonExamples(Examples, DaemonTest):
    heading, language, suffix, interpreter, enter = "Python", "python", ".py", ["python3"], "\n"

    def test_fills_in_a_form(self):
        terminal = self.attach()
        properties = {"name": {"type": "string", "title": "Name"}, "age": {"type": "integer", "title": "Age"}}
        id = self.daemon.ask(kind="sheet", sheet="who", title="Who?", schema={
            "type": "object", "properties": properties, "required": ["name", "age"]})
        self.wait_for(terminal, "\nName: ")
        terminal.type("Ada\nten\n")
        self.wait_for(terminal, "age must be a whole number")
        self.wait_for(terminal, "\nName: ", 2)
        terminal.type("Zoë\n36\n")
        self.assertEqual(self.daemon.outcome(id), {"type": "answered", "value": {"name": "Zoë", "age": 36}})

    def test_hides_a_secret(self):
        terminal = self.attach()
        process = self.run_program(
            "python3", "-c", "from router_client import Client\n"
            "print(Client().form('Unlock?', {'pin': {'type': 'string', 'title': 'PIN', 'format': 'password'}}).value)")
        self.wait_for(terminal, "\nPIN: ")
        terminal.type("hush\n")
        self.assertIn("hush", self.output(process))
        self.assertNotIn("hush", terminal.read())


class NodeExamples(Examples, DaemonTest):
    heading, language, suffix, interpreter = "Node", "js", ".mjs", ["node"]


class GoExamples(Examples, DaemonTest):
    heading, language, interpreter = "Go", "go", ["go"]
    asking, presenting = 1, 2
    printed = {"deploy": "deploying", "later": ""}

    def command(self, number):
        folder = self.directory / f"example{number}"
        folder.mkdir(exist_ok=True)
        (folder / "go.mod").write_text("module example\n\ngo 1.19\n")
        (folder / "router.go").write_text(self.blocks[0])
        (folder / "main.go").write_text(self.blocks[number])
        self.output(self.run_program("go", "build", "-o", str(folder / "example"), cwd=folder))
        return [str(folder / "example")]

    def main(self, number):
        return re.search(r"^func main.*?^}$", self.blocks[number], re.MULTILINE | re.DOTALL)[0]


class ShellExamples(Examples, DaemonTest):
    heading, language, suffix, interpreter, presenting = "Shell", "(?:sh|bash)", ".sh", ["bash"], 2

    def test_asks_with_curl(self):
        self.asking, self.printed = 1, {"deploy": "deploy", "later": "later"}
        self.test_asks()
        self.test_withdraws_the_prompt_when_it_is_killed()


del Examples


if __name__ == "__main__":
    unittest.main()

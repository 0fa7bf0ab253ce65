# Promise P84.
"""The desktop presenters on a virtual display, with real windows and keys."""

import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Browser"))

from router import BIN, Daemon  # noqa: E402

PRESENTERS = pathlib.Path(__file__).parent.parent.parent / "Config" / "presenters"
PATIENCE = 60

ORDER = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 2},
        "age": {"type": "integer", "title": "Age"},
        "size": {"type": "string", "title": "Size", "enum": ["S", "M", "L"]},
        "gift": {"type": "boolean", "title": "As a gift"},
        "secret": {"type": "string", "title": "PIN", "format": "password"},
    },
    "required": ["name", "age", "size", "secret"],
}


class Display:
    """A virtual X server. It does not reset when its last client leaves, which could drop a new connection."""

    def __init__(self):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as said:
            self.name = f":{said.readline().strip()}"
        # Without a window manager, windows lose keys while they are drawn.
        self.manager = subprocess.Popen(
            ["openbox"], env=dict(os.environ, DISPLAY=self.name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self, *command):
        return subprocess.run(
            command, env=dict(os.environ, DISPLAY=self.name), capture_output=True, text=True, timeout=PATIENCE)

    def windows(self, name="^asked by "):
        """Returns the prompts' windows, each with its process, because window ids are reused."""
        found = self.run("xdotool", "search", "--onlyvisible", "--name", name).stdout.split()
        windows = {(window, self.run("xdotool", "getwindowpid", window).stdout.strip()) for window in found}
        return {(window, process) for window, process in windows if process}

    def activate(self, window):
        """Activates a window and returns whether it has the focus."""
        return (self.run("xdotool", "windowactivate", window).returncode == 0
                and self.run("xdotool", "getactivewindow").stdout.strip() == window
                and self.run("xdotool", "getwindowfocus").stdout.strip() == window)

    def stop(self):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait(timeout=PATIENCE)


class DaemonTest(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.remove)

    def attach(self, name, command, *arguments, **environment):
        """Presents with a command until the test ends. Returns the process."""
        presenter = subprocess.Popen(
            [BIN / "routerctl", "present", "--socket", self.daemon.socket, "--name", name, *arguments, "--exec", command],
            env=dict(os.environ, **environment))

        def leave():
            presenter.send_signal(signal.SIGTERM)
            presenter.wait(timeout=PATIENCE)

        self.addCleanup(leave)
        return presenter

    def until(self, is_so):
        deadline = time.monotonic() + PATIENCE
        while not (found := is_so()):
            self.assertLess(time.monotonic(), deadline, f"it has not come about; {self.daemon.story()}")
            time.sleep(0.05)
        return found


class PresenterTest(DaemonTest):
    @classmethod
    def setUpClass(cls):
        cls.display = Display()
        cls.addClassCleanup(cls.display.stop)

    def setUp(self):
        super().setUp()
        self.seen = set()

    def present(self, program="zenity", **environment):
        # Invalid markup is a warning in GTK, and an error here.
        self.attach(
            program, str(PRESENTERS / program),
            **{"DISPLAY": self.display.name, "G_DEBUG": "fatal-warnings", "NO_AT_BRIDGE": "1", **environment})

    def window(self, name="^asked by "):
        """Waits for the next window and focuses it."""
        self.seen.add(self.until(
            lambda: next((new for new in self.display.windows(name) - self.seen if self.display.activate(new[0])), None)))

    def press(self, *keys):
        """Presses keys by name; text is prefixed with a colon."""
        for key in keys:
            if key.startswith(":"):
                self.display.run("xdotool", "type", "--delay", "5", "--", key[1:])
            else:
                self.display.run("xdotool", "key", key)

    def no_window(self):
        self.until(lambda: not self.display.windows())

    def sheet(self, name, *arguments):
        return subprocess.Popen(
            [BIN / "routerctl", "sheet", name, "--socket", self.daemon.socket, *arguments], stdout=subprocess.PIPE, text=True)

    def answer(self, asking):
        output, _ = asking.communicate(timeout=PATIENCE)
        return asking.returncode, json.loads(output) if output.strip() else None


class ZenityTests(PresenterTest):
    def test_answers_an_alert_with_the_keyboard(self):
        self.present()
        for keys, outcome in [
            (["Return"], {"type": "answered", "button": "preview"}),
            (["Tab", "Return"], {"type": "answered", "button": "deploy"}),
            (["Tab", "Tab", "space"], {"type": "answered", "button": "later"}),
            (["Escape"], {"type": "dismissed"}),
        ]:
            with self.subTest(keys):
                id = self.daemon.alert("Deploy?", message="42 commits.\nSince yesterday.")
                self.window()
                self.press(*keys)
                self.assertEqual(outcome, self.daemon.outcome(id))
                self.no_window()

    def test_puts_a_prompt_off(self):
        self.present()

        def snoozed(id):
            return self.until(lambda: self.daemon.call("GET", f"/v1/presentations/{id}").get("snoozedUntil"))

        # The requester's own "Not now" is another button, which answers.
        alert = self.daemon.alert("Deploy?")
        self.window()
        self.press("Tab", "Tab", "Tab", "Return")
        self.assertTrue(snoozed(alert))
        form = self.daemon.ask(kind="sheet", sheet="name", schema={"type": "object", "properties": {"name": {"type": "string"}}})
        self.window()
        self.press(":Ada", "Tab", "Tab", "Tab", "Return")
        self.assertTrue(snoozed(form))
        # It expires before it would come back. The text comes after the last button.
        brief = self.daemon.alert("Deploy?", timeout=600)
        self.window()
        self.press("Tab", "Tab", "Tab", "Tab", "Return")
        self.assertEqual({"type": "answered", "button": "preview"}, self.daemon.outcome(brief))

    def test_enter_presses_no_destructive_button(self):
        self.present()
        buttons = [{"id": name, "label": name, "role": "destructive"} for name in ("one", "two")]
        id = self.daemon.ask(kind="alert", title="Which?", buttons=buttons)
        self.window()
        self.press("Return", "Escape")
        self.assertEqual({"type": "dismissed"}, self.daemon.outcome(id))

    def test_keys_typed_as_the_prompt_appears_answer_nothing(self):
        self.present()
        id = self.daemon.alert("Deploy?")
        self.window("^One moment: asked by ")
        self.press("Return", "Escape", "1", "space")
        self.window()
        self.assertEqual("presented", self.daemon.state(id))
        self.press("Return")
        self.assertEqual("preview", self.daemon.outcome(id)["button"])

    def present_recorded(self):
        """Records what each window is given, and then shows it. Returns a function that reads the `options` or the `text`."""
        recorder = pathlib.Path(tempfile.mkdtemp(prefix="router-zenity-"))
        self.addCleanup(shutil.rmtree, recorder)
        program = recorder / "zenity"
        program.write_text(
            f"#!/bin/sh\nfile={recorder}/$$\nprintf '%s\\n' \"$@\" >\"$file.options\"\ncat >\"$file.text\"\n"
            "exec zenity \"$@\" <\"$file.text\"\n")
        program.chmod(0o755)
        self.present(ZENITY=str(program))
        return lambda name: [file.read_text() for file in sorted(recorder.glob(f"*.{name}"), key=lambda file: file.stat().st_mtime_ns)]

    def test_gives_markup_only_to_windows_that_read_it(self):
        given = self.present_recorded()
        title = "Who_is <b>it</b> \\n & co?"
        schema = {"type": "object", "properties": {
            "name": {"type": "string", "title": "a_b <i>", "description": "Your __name__", "default": "Ada", "minLength": 2},
            "size": {"type": "string", "title": "Size", "enum": ["S", "M"], "default": "M"},
            "sides": {"type": "array", "title": "Sides", "items": {"type": "string", "enum": ["x", "y"]}},
            "note": {"type": "string", "title": "Note"}}}
        id = self.daemon.ask(kind="sheet", sheet="name", title=title, schema=schema)
        for keys in [["ctrl+a", ":x", "Return"], ["Tab", "Tab", "Return"], ["Tab", "Tab", "Return"], [":1", "Return"], ["ctrl+a", ":Ada", "Return"]]:
            self.window()
            self.press(*keys)
        self.assertEqual("answered", self.daemon.outcome(id)["type"])
        windows = [options for options in given("options") if not options.startswith("--info\n")]
        entries = [options for options in windows if options.startswith("--entry\n")]
        self.assertEqual((3, 2), (len(entries), len(windows) - len(entries)))
        for entry in entries:
            # Its text is plain, with shortcuts after an underscore.
            self.assertIn("│ Who__is <b>it</b> \\\\n & co?\n", entry)
            self.assertNotRegex(entry, r"<small>|</?b>[A-Z]|&amp;|&lt;")
        self.assertIn("Your ____name____\na__b <i>", entries[0])
        for other in set(windows) - set(entries):
            self.assertIn("│ <b>Who_is &lt;b&gt;it&lt;/b&gt; \\\\n &amp; co?</b>\n", other)

    def test_shows_a_long_text_as_a_whole_before_it_offers_an_answer(self):
        given = self.present_recorded()
        # Many lines, and one that is as long.
        long = " ".join(f"{number}" for number in range(2000))
        command = "\n".join(f"echo {number}" for number in range(60)) + "\nrm -rf \x07/"
        buttons = [{"id": "allow", "label": "Allow", "role": "destructive"}, {"id": "deny", "label": "Deny", "role": "cancel"}]

        def ask(command=command):
            return self.daemon.ask(
                kind="alert", title="Run it?", message="Please.", buttons=buttons,
                attachments=[{"type": "command", "text": command}])

        closed = ask()
        self.window()
        options, text = given("options")[0].split("\n"), given("text")[0]
        self.assertIn("--text-info", options)
        self.assertFalse([option for option in options if "Allow" in option], options)
        for number in range(60):
            self.assertIn(f"│ echo {number}\n", text)
        # What is said comes below the command.
        self.assertTrue(text.endswith("│ rm -rf \\u{7}/\n│\n│ Look twice: hidden characters, rm -rf (deletes without asking)\n│\n│ Please."), text[-40:])
        self.press("Escape")
        self.assertEqual({"type": "dismissed"}, self.daemon.outcome(closed))
        self.no_window()
        for keys, button, command in [(["Return"], "deny", command), (["Tab", "Return"], "allow", "echo " + long)]:
            with self.subTest(button):
                id = ask(command)
                self.window()
                self.press("Return")
                self.window()
                self.assertIn("more lines were in the window before this one", given("options")[-1])
                self.press(*keys)
                self.assertEqual({"type": "answered", "button": button}, self.daemon.outcome(id))
                self.no_window()

    def test_shows_many_choices_as_a_list(self):
        self.present()
        buttons = [{"id": f"b{number}", "label": f"Choice {number}"} for number in range(1, 13)]
        id = self.daemon.ask(kind="confirmationDialog", title="Which one?", titleVisibility="hidden", buttons=buttons)
        self.window()
        self.press("Down", "Down", "Down", "Return")
        chosen = self.daemon.outcome(id)
        self.assertEqual("answered", chosen["type"])
        self.assertEqual("b4", chosen["button"])

    def test_corrects_an_invalid_form(self):
        self.present()
        asking = self.sheet("order", "--schema", json.dumps(ORDER))
        self.window()
        self.press(":Ada", "Tab", ":old", "Tab", "Down", "Down", "Tab", "Down", "Tab", ":hunter2", "Tab", "Tab", "Return")
        # Only the invalid field is asked again, with its text.
        self.window()
        self.press("ctrl+a", ":36", "Return")
        status, answer = self.answer(asking)
        self.assertEqual((0, {"name": "Ada", "age": 36, "size": "M", "gift": True, "secret": "hunter2"}), (status, answer))
        self.no_window()

    def test_asks_for_a_form_with_defaults_field_by_field(self):
        self.present()
        fields = ["--field", "name:string!=Ada", "--field", "note:string"]
        asking = self.sheet("order", *fields)
        self.window()
        self.press("Return")
        self.window()
        self.press(":by hand", "Return")
        self.assertEqual((0, {"name": "Ada", "note": "by hand"}), self.answer(asking))
        closing = self.sheet("order", *fields)
        self.window()
        self.press("Return")
        self.window()
        self.press("Escape")
        self.assertEqual((3, None), self.answer(closing))

    def test_shows_several_choices_as_a_checklist(self):
        self.present()
        asking = self.sheet("order", "--field", "toppings:[ham|olives|onions]=ham")
        self.window()
        # Right moves from the row to its check box.
        self.press("Down", "Down", "Right", "space", "Tab", "Tab", "Return")
        self.assertEqual((0, {"toppings": ["ham", "onions"]}), self.answer(asking))

    def test_accepts_any_json_for_a_cover_without_fields(self):
        self.present()
        id = self.daemon.ask(kind="fullScreenCover", sheet="free", payload={"a": ["<b>", 1]})
        self.window()
        self.press(":not json", "Return")
        self.window()
        self.press("ctrl+a", ":[1, 2]", "Return")
        self.assertEqual({"type": "answered", "value": [1, 2]}, self.daemon.outcome(id))

    def test_only_closes_a_sheet_without_an_answer(self):
        self.present()
        id = self.daemon.ask(kind="sheet", sheet="done", title="Backup finished", payload={"a": 1}, hasAnswer=False)
        self.window()
        self.press("Return")
        self.assertEqual("dismissed", self.daemon.outcome(id)["type"])

    def test_continues_from_a_form_without_fields(self):
        self.present()
        id = self.daemon.ask(kind="sheet", sheet="go", schema={"type": "object", "properties": {}})
        self.window()
        self.press("Return")
        self.assertEqual({"type": "answered", "value": {}}, self.daemon.outcome(id))

    def test_closes_the_window_of_a_withdrawn_prompt(self):
        self.present()
        id = self.daemon.alert("Never mind")
        self.window()
        self.daemon.cancel(id)
        self.no_window()

    def test_shows_hostile_text_as_text(self):
        self.present()
        hostile = "</small><b>asked by root</b> & \\n \\\\ %s --ok-label=x <a href=\"x\">"
        buttons = [{"id": "a", "label": "_Save & <b>\\n</b>"}, {"id": "b", "label": "--title=root"}]
        id = self.daemon.ask(kind="alert", title=hostile, message=hostile, buttons=buttons)
        self.window()
        self.press("Tab", "Return")
        self.assertEqual({"type": "answered", "button": "b"}, self.daemon.outcome(id))

    def test_fails_with_a_reason_without_a_display(self):
        # Without G_DEBUG, as outside of tests, zenity ends as if its window had been closed.
        self.present(DISPLAY=":does-not-exist", G_DEBUG="")
        outcome = self.daemon.outcome(self.daemon.alert("Where?"))
        self.assertEqual("failed", outcome["type"])
        self.assertIn("zenity", outcome["detail"])
        self.assertIn("display", outcome["detail"])


class NotifyTests(PresenterTest):
    """Uses a fake notify-send, because real notifications need a session bus and a desktop."""

    def setUp(self):
        super().setUp()
        self.bin = pathlib.Path(tempfile.mkdtemp(prefix="router-notify-"))
        self.addCleanup(shutil.rmtree, self.bin)

    def stand_in(self, script):
        program = self.bin / "notify-send"
        program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >>'{self.bin}/told'\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{self.bin}:{os.environ['PATH']}", "NOTIFY_AGAIN": "0"}

    def told(self):
        return (self.bin / "told").read_text() if (self.bin / "told").exists() else ""

    def test_opens_the_window_on_a_click(self):
        # The first notification is closed without a click, so it is shown again.
        script = f"echo 7; [ -e '{self.bin}/once' ] && echo answer; touch '{self.bin}/once'"
        self.present("notify", **self.stand_in(script))
        id = self.daemon.alert("Deploy <b>now</b>?")
        self.window()
        self.press("Return")
        self.assertEqual({"type": "answered", "button": "preview"}, self.daemon.outcome(id))
        self.assertEqual(2, self.told().count("│ Deploy &lt;b&gt;now&lt;/b&gt;?"))
        self.assertIn("asked by ", self.told())

    def test_ends_the_process_of_a_withdrawn_prompt(self):
        self.present("notify", **self.stand_in(f"echo 7; echo $$ >'{self.bin}/pid'; exec sleep 1000"))
        id = self.daemon.alert("Never mind")
        pid = self.until(lambda: (self.bin / "pid").exists() and (self.bin / "pid").read_text().strip())
        self.daemon.cancel(id)
        self.until(lambda: not pathlib.Path(f"/proc/{pid}").exists())

    def test_fails_without_desktop_notifications(self):
        self.present("notify", **self.stand_in("exit 1"))
        outcome = self.daemon.outcome(self.daemon.alert("Where?"))
        self.assertEqual("failed", outcome["type"])
        self.assertIn("cannot show a notification", outcome["detail"])


if __name__ == "__main__":
    unittest.main()

"""One answer to several prompts that are alike: each is shown in full, and nothing is chosen by itself."""

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PageTest
from test_remember import Shell

BUTTONS = [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny", "role": "cancel"}]


class AlsoTests(PageTest):
    # The page may ask for others like a prompt that has just ended.
    expected_errors = ("&limit=50 - Failed to load resource: the server responded with a status of 404",)

    def ask(self, command, **request):
        return self.daemon.ask(**{
            "kind": "alert", "title": f"Run {command.split()[0]}?", "app": "tests", "buttons": BUTTONS,
            "act": {"verb": "run", "object": command, "directory": "/srv"}, **request})

    def ask_for(self, *commands):
        """Asks for each, and waits until the first one is shown with its row."""
        ids = [self.ask(command) for command in commands]
        self.wait_for_card(f"Run {commands[0].split()[0]}?")
        self.wait_for_text(".also", f"Also {len(ids) - 1} like this")
        return ids

    def choose(self, choice):
        Select(self.find(".also select")).select_by_visible_text(choice)

    def wait_for_others(self, *commands):
        """Waits until exactly these are shown."""
        self.wait(lambda: [each.text for each in self.find_all(".others figure pre")] == list(commands), f"{commands} as others")

    def boxes(self):
        return [box for box in self.find_all(".others input") if box.is_displayed()]

    def outcomes(self, ids):
        return [self.daemon.call("GET", f"/v1/log/{id}")["events"][-1]["detail"] for id in ids]

    def test_all_are_answered_with_one_press(self):
        ids = self.ask_for("make test", "make install", "git push --force")
        self.assertFalse(self.find(".others").is_displayed())
        self.look("also-none", [390, 1100])
        self.choose("all")
        self.wait_for_others("make install", "git push --force")
        self.assertEqual([], self.boxes())
        self.look("also-all", [390, 1100])
        self.click("Allow")
        self.wait_for_text(".notes", "you: chose Allow, also for 2 others")
        first, *others = self.outcomes(ids)
        self.assertEqual(["allow"] * 3, [each["outcome"]["button"] for each in [first, *others]])
        self.assertNotIn("because", first)
        self.assertEqual([{"with": ids[0]}] * 2, [each["because"] for each in others])
        self.wait_for_text(".stage", "No prompts")
        self.browser.execute_script("location.hash = arguments[0]", f"log/{ids[1]}")
        self.wait_for_text(".timeline", "answered, together with another")
        self.assertIn(f"because\nthe person gave the answer to {ids[0]} to this one too", self.text(".timeline"))

    def test_only_the_chosen_ones_are_answered(self):
        ids = self.ask_for("one", "two", "three")
        self.choose("choose")
        self.wait_for_others("two", "three")
        self.assertEqual([False, False], [box.is_selected() for box in self.boxes()])
        self.boxes()[1].send_keys(Keys.SPACE)
        self.look("also-choose", [390, 1100])
        # A key that leaves the box, or the list, presses nothing.
        for field in [self.boxes()[1], self.find(".also select")]:
            for key in [Keys.ENTER, Keys.ESCAPE]:
                field.send_keys(key)
                self.assertEqual("SECTION", self.browser.switch_to.active_element.tag_name.upper())
        self.press("2")
        self.wait_for_text(".notes", "you: chose Deny, also for 1 other")
        self.assertEqual("deny", self.daemon.outcome(ids[2])["button"])
        self.wait_for_card("Run two?")
        self.assertFalse(self.find(".also").is_displayed())

    def test_escape_denies_only_the_prompt_that_is_shown(self):
        ids = self.ask_for("one", "two", "three")
        self.choose("all")
        self.wait_for_others("two", "three")
        self.find(".also select").send_keys(Keys.ESCAPE)
        self.assertEqual("presented", self.daemon.state(ids[0]))
        self.press(Keys.ESCAPE)
        self.assertEqual("deny", self.daemon.outcome(ids[0])["button"])
        self.wait_for_card("Run two?")
        self.assertEqual(["presented", "queued"], [self.daemon.state(id) for id in ids[1:]])

    def test_one_that_has_ended_is_said(self):
        ids = self.ask_for("one", "two", "three")
        self.choose("all")
        self.wait_for_others("two", "three")
        # The page does not hear of it before it answers.
        self.browser.execute_script("""
            const fetched = window.fetch;
            window.fetch = (path, options) => path.includes("like=") ? new Promise(() => {}) : fetched(path, options);""")
        self.daemon.cancel(ids[1])
        self.click("Allow")
        self.wait_for_text(".notes", "you: chose Allow, also for 1 other; 1 other had ended before")
        self.assertEqual("cancelled", self.daemon.outcome(ids[1])["type"])
        self.assertEqual("allow", self.daemon.outcome(ids[2])["button"])

    def test_one_that_ends_or_arrives_meanwhile_is_not_answered(self):
        ids = self.ask_for("one", "two", "three")
        self.choose("all")
        self.wait_for_others("two", "three")
        self.daemon.cancel(ids[1])
        self.wait_for_text(".also", "1 of the chosen ended")
        self.wait_for_others("three")
        new = self.ask("four")
        self.wait_for_text(".also", "Also 2 like this")
        self.wait_for_others("three", "four")
        self.assertIn("1 more came and is not chosen", self.text(".also"))
        self.assertEqual([True, False], [box.is_selected() for box in self.boxes()])
        self.look("also-arrived", [390, 1100])
        self.click("Allow")
        self.wait_for_text(".notes", "you: chose Allow, also for 1 other")
        self.assertEqual("allow", self.daemon.outcome(ids[2])["button"])
        self.wait_for_card("Run four?")
        self.assertEqual("presented", self.daemon.state(new))

    def test_the_button_says_that_others_were_not_seen(self):
        self.resize(390, 800)
        first, second = ("\n".join(f"echo {word} {number}" for number in range(60)) for word in ["a", "b"])
        ids = self.ask_for("one", first, second)
        self.wait_for_text(".buttons", "Allow1")
        self.choose("all")
        self.wait_for_others(first, second)
        self.wait_for_text(".buttons", "Allow without seeing all of it")
        self.assertNotIn("Deny without", self.text(".buttons"))
        self.picture("also-unseen-390")
        # Each of them has to be seen, not only the last one.
        scroll = "window.scrollBy(0, document.querySelectorAll('.others section')[arguments[0]].getBoundingClientRect().bottom - 100)"
        self.browser.execute_script(scroll, 1)
        self.wait(lambda: self.browser.execute_script("return window.scrollY > 2000"), "the end")
        self.assertIn("Allow without seeing all of it", self.text(".buttons"))
        self.browser.execute_script(scroll, 0)
        self.wait_for_text(".buttons", "Allow1")
        self.click("Allow")
        self.assertEqual(["allow"] * 3, [self.daemon.outcome(id)["button"] for id in ids])

    def test_what_is_chosen_is_forgotten_with_none(self):
        ids = self.ask_for("one", "two")
        self.choose("all")
        self.wait_for_others("two")
        self.choose("none")
        self.wait(lambda: not self.find(".others").is_displayed(), "the others to go")
        self.click("Allow")
        self.wait_for_text(".notes", "you: chose Allow")
        self.assertNotIn("also for", self.text(".notes"))
        self.assertEqual("presented", self.daemon.state(ids[1]))

    def test_there_is_no_row_without_others(self):
        self.ask("one")
        # Neither another kind of act, nor other buttons, nor a critical one.
        self.ask("two", act={"verb": "write", "object": "two"})
        self.ask("three", buttons=BUTTONS[:1])
        self.ask("four", severity="critical")
        self.wait_for_card("Run one?")
        self.wait_for_text(".queue h2", "3 queued")
        self.assertFalse(self.find(".also").is_displayed())
        self.ask("five")
        self.wait_for_text(".also", "Also 1 like this")

    def test_an_answer_is_for_others_or_remembered(self):
        shells = [Shell(self.daemon), Shell(self.daemon)]
        for shell in shells:
            self.addCleanup(shell.end)
            shell.ask("confirm 'Run it?'", f"--act-verb run --act-object {len(self.find_all('.card'))} --remember 1h")
            self.wait_for_card("Run it?")
        self.wait_for_text(".also", "Also 1 like this")
        self.assertTrue(self.find(".remember").is_displayed())
        self.choose("all")
        self.wait(lambda: not self.find(".remember").is_displayed(), "remembering to be excluded")
        self.choose("none")
        self.wait(lambda: self.find(".remember").is_displayed(), "remembering")
        self.find(".remember select[name=for]").send_keys("1")
        self.wait(lambda: not self.find(".also").is_displayed(), "the others to be excluded")
        self.find(".remember select[name=for]").send_keys(Keys.HOME)
        self.choose("all")
        self.wait(lambda: self.find_all(".others section"), "the other")
        self.click("Yes")
        self.assertEqual([0, 0], [shell.status() for shell in shells])
        self.assertEqual([], self.daemon.call("GET", "/v1/grants")["grants"])
